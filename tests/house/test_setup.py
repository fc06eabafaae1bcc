"""The tasks of ``dev.py`` and ``make``: what they say, what they do not do twice, how they fail."""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
import sysconfig
from contextlib import nullcontext
from pathlib import Path

import pytest

import dev
from tests.support.setting_up import ROOT, offline
from tools.setup import machine, processes, requirements, virtual_environment

with_make = pytest.mark.skipif(
    os.name == "nt" or shutil.which("make") is None, reason="make and a POSIX shell are not there"
)

STUB = """#!/bin/sh
[ "$2" = -S ] && { echo "3.9 stub"; exit; }
echo "$(basename $0) $@" >> calls
"""
"""A Python that writes down its calls, and only says who it is."""


# make


def make(tree: Path, target: str) -> tuple[str, list[str]]:
    """Output, and programs called in a virtual environment of stubs; npm fetches nothing."""
    programs = tree / ".venv/bin"
    if not programs.exists():
        programs.mkdir(parents=True)
        (programs / "python").write_text(STUB)
        (programs / "python").chmod(0o755)
        (programs / "npm").write_text("#!/bin/sh\nexit 1\n")
        (programs / "npm").chmod(0o755)
    done = offline(tree, "make", target, PATH=f"{programs}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
    calls = (tree / "calls").read_text().splitlines()
    (tree / "calls").unlink()
    return done.stdout, [call for call in calls if "dev.py needs" not in call]


def kinds(calls: list[str]) -> list[str]:
    """The calls, each by the word that is its own."""
    words = ("--requirement", "--editable", "pytest", "verify", "judge")
    return [next(word for word in words if word in call) for call in calls]


@with_make
def test_first_run_names_downloads_and_compilation(tree: Path) -> None:
    said, calls = make(tree, "verify")
    assert kinds(calls) == ["--requirement", "--editable", "verify", "judge"]
    assert said.index("Fetching") < said.index("MB") < said.index("Compiling")
    assert "about a minute" in said


@with_make
def test_later_runs_fetch_and_build_nothing(tree: Path) -> None:
    make(tree, "verify")
    said, calls = make(tree, "verify")
    assert kinds(calls) == ["verify", "judge"]
    assert "Fetching" not in said
    assert "Compiling" not in said


@with_make
def test_a_changed_source_is_compiled_and_nothing_fetched(tree: Path) -> None:
    make(tree, "verify")
    (tree / "ext/xiangqi/core/attacks.pyx").touch()
    assert kinds(make(tree, "verify")[1]) == ["--editable", "verify", "judge"]
    (tree / "pyproject.toml").touch()
    assert kinds(make(tree, "verify")[1]) == ["--requirement", "--editable", "verify", "judge"]


@with_make
def test_the_tests_fetch_more_but_build_nothing_again(tree: Path) -> None:
    make(tree, "verify")
    assert kinds(make(tree, "test")[1]) == ["--requirement", "pytest"]
    assert kinds(make(tree, "test")[1]) == ["pytest"]


# Testing


def test_a_test_that_crashes_ends_the_run_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").touch()
    (tmp_path / "test_one.py").write_text(
        "import os\ndef test_well(): pass\ndef test_dies(): os._exit(1)\ndef test_late(): pass\n"
    )
    (tmp_path / "test_two.py").write_text("def test_too(): pass\n")
    command = (sys.executable, "-m", "pytest", "-p", "xdist", *dev.PARALLEL, "--maxprocesses", "2")
    done = offline(tmp_path, *command, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    assert done.returncode == 1, done.stdout
    assert "crashed while running 'test_one.py::test_dies'" in done.stdout
    assert re.match("=+ 1 failed, [12] passed in ", done.stdout.splitlines()[-1])


# Continuous integration


@pytest.mark.skipif(os.name == "nt", reason="a script of a POSIX shell")
def test_ci_runs_the_tests_as_a_user_of_debian_does(tree: Path) -> None:
    """With the system's Python where there is one, and with buffered output."""
    programs = tree / "programs"
    programs.mkdir()
    for name in ("apt-get", "chromedriver", "chromium-headless-shell", "make"):
        (programs / name).write_text(
            '#!/bin/sh\necho "$(basename $0) $@, ${PYTHON-}, ${PYTHONUNBUFFERED-unset}"\n'
        )
        (programs / name).chmod(0o755)
    (tree / ".ci").mkdir()
    shutil.copy(ROOT / ".ci/run", tree / ".ci")
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    done = offline(tree, "sh", ".ci/run", PATH=path, PYTHONUNBUFFERED="1")
    assert done.returncode == 0, done.stderr
    system = "/usr/bin/python3"
    python = system if os.access(system, os.X_OK) else "python3"
    assert done.stdout.splitlines()[-1] == f"make test, {python}, unset"


# Any system


def test_every_task_of_make_is_one_of_dev_py() -> None:
    """Those that only dev.py has ask no one to build anything."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (listed,) = (line for line in makefile.splitlines() if line.startswith("TASKS :="))
    assert set(listed.split()[2:]) == set(dev.TASKS) - {"missing", "needs"}


def test_without_a_task_they_are_listed(tree: Path) -> None:
    for words in ([], ["no-such-task"]):
        done = offline(tree, sys.executable, "dev.py", *words)
        assert done.returncode == 1
        assert done.stderr.startswith("Usage: python dev.py TASK")
        assert len(done.stderr.splitlines()) == len(dev.TASKS) + 2


@with_make
def test_a_python_that_is_not_there_is_reported(tree: Path) -> None:
    done = offline(tree, "make", "verify", "PYTHON=no-such-python")
    assert done.returncode == 2
    assert "needs Python 3.10 or newer and a C compiler: 'no-such-python' was not" in done.stderr


def test_all_missing_requirements_are_listed_together(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert machine.find_lacking() == []
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    lacking = machine.find_lacking("posix")
    assert [line.split(" (")[0] for line in lacking] == [
        "Python 3.10 or newer",
        "Python's C headers",
        "a C compiler",
    ]
    assert "is 3.9)" in lacking[0]
    monkeypatch.setenv("ProgramFiles(x86)", str(tmp_path))
    assert "Visual Studio" in machine.find_lacking("nt")[-1]
    finder = tmp_path / "Microsoft Visual Studio/Installer/vswhere.exe"
    finder.parent.mkdir(parents=True)
    finder.touch()
    assert len(machine.find_lacking("nt")) == 2


@pytest.mark.skipif(sys.platform in ("darwin", "win32"), reason="all names are in UTF-8 there")
def test_a_folder_whose_path_is_not_in_utf_8_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = os.fsencode(tmp_path) + "/梅花".encode("gbk")
    os.mkdir(folder)
    monkeypatch.chdir(os.fsdecode(folder))
    (line,) = machine.find_lacking()
    assert line.startswith("a folder whose path is in UTF-8, as pip writes it into programs (")


def test_a_compiler_may_be_named_with_its_options() -> None:
    assert machine.has_compiler("posix", {"CC": f"'{sys.executable}' -m compiler"})


def test_paths_and_utf_8_mode_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VENV", raising=False)
    monkeypatch.delenv("PYTHONUTF8", raising=False)
    assert virtual_environment.venv_python("nt") == Path(".venv/Scripts/python.exe")
    assert virtual_environment.venv_python("posix") == Path(".venv/bin/python")
    assert processes.environment("nt")["PYTHONUTF8"] == "1"
    assert "PYTHONUTF8" not in processes.environment("posix")
    monkeypatch.setenv("PYTHONUTF8", "0")
    assert processes.environment("nt")["PYTHONUTF8"] == "0"


def test_mirror_is_named_without_make_on_windows(tmp_path: Path) -> None:
    log = tmp_path / "fetch.log"
    log.write_text("ERROR: No matching distribution found for chess\n")
    said = requirements.explain_failure(log, "nt")
    assert len(said.strip().splitlines()) == 3
    assert "Could not fetch chess." in said
    assert "set PIP_INDEX_URL to a mirror" in said
    assert "make verify" not in said


@pytest.mark.parametrize("code", [0, 3])
def test_a_task_ends_with_the_code_of_its_command(code: int) -> None:
    with pytest.raises(SystemExit) if code else nullcontext() as stop:
        processes.run(sys.executable, "-c", f"raise SystemExit({code})")
    assert code == (stop.value.code if stop else 0)


@pytest.mark.parametrize(
    "path", [ROOT / "dev.py", *(ROOT / "tools/setup").glob("*.py")], ids=lambda path: path.name
)
def test_an_old_python_reads_the_set_up(path: Path) -> None:
    """It then says that a newer one is needed, instead of a syntax error."""
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 7))
    with pytest.raises(SyntaxError):
        ast.parse("if found := 1: pass", feature_version=(3, 7))
