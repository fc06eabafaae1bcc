"""The core as ``dev.py`` and ``setup.py`` compile it: progress, changed modules, errors."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from tests.support.setting_up import NETWORK, ROOT, offline
from tools.setup import core, processes
from tools.setup.virtual_environment import venv_python


def test_progress_is_shown_and_the_rest_kept_if_it_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "build/build.log"
    program = "print('gcc x.c')\nfor n in range(1, 46): print(f'  Compiled {n} of 45')\nexit(%d)"
    run = (sys.executable, "-c")
    assert not processes.run_quietly(log, *run, program % 1, doing="Compiled")
    shown = capsys.readouterr().out.splitlines()
    assert shown == ["Compiled 20 of 45", "Compiled 40 of 45", "Compiled 45 of 45"]
    assert log.read_text().startswith("gcc x.c\n")
    assert processes.run_quietly(log, *run, program % 0)
    assert not log.exists()


def test_python_starts_in_any_locale_in_a_folder_with_a_chinese_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "梅花"
    venv.create(folder / ".venv")
    (folder / "found.py").touch()
    monkeypatch.chdir(folder)
    monkeypatch.delenv("VENV", raising=False)
    python = venv_python().absolute()
    monkeypatch.setattr(core, "run_quietly", lambda log, *command, doing: True)
    packages = next(folder.rglob("site-packages"))
    (packages / "__editable__.found.pth").write_text(f"{folder}\n", encoding="utf-8")
    core.compile_core(python)
    assert packages.joinpath("__editable__.found.pth").read_bytes().isascii()
    (tmp_path / "linked").symlink_to(folder / ".venv", target_is_directory=True)
    for place, locale in ((folder / ".venv", "C"), (tmp_path / "linked", "C.UTF-8")):
        variables = {**os.environ, "LC_ALL": locale}
        words = [str(place / python.relative_to(folder / ".venv")), "-c", "import found"]
        subprocess.run(words, cwd=tmp_path, env=variables, check=True)


def test_pip_decodes_the_path_of_the_folder_by_no_locale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It writes the path in UTF-8 into the programs, which would not start otherwise."""
    monkeypatch.setenv("PYTHONUTF8", "0")
    program = "import sys; sys.exit(not sys.flags.utf8_mode)"
    assert processes.run_quietly(tmp_path / "build/pip.log", sys.executable, "-c", program)


def test_quiet_work_shows_that_it_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "QUIET_SECONDS", 0.4)
    program = "import time; print('  Note: slowly', flush=True); time.sleep(1); print('end')"
    log = tmp_path / "build/quiet.log"
    assert processes.run_quietly(log, sys.executable, "-c", program, doing="fetching")
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
    (package / "ground").mkdir()
    (package / "ground/installed.py").write_text('__version__ = "1"\n')
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
        ".py .pyi .typed .txt .bin .gz .json .nnue .toml .md .html .css .js .png".split()
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
    (package / "ground").mkdir()
    (package / "ground/installed.py").write_text('__version__ = "1"\n')
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
    program = (
        "import sys; from pathlib import Path; from tools.setup.core import compile_core;"
        " compile_core(Path(sys.executable))"
    )
    done = offline(tree, sys.executable, "-c", program)
    assert done.returncode == 1
    assert "broken.c:1" in done.stderr
    assert "error: " in done.stderr
    assert done.stderr.strip().endswith("see the errors above, also in build/build.log.")
    assert NETWORK not in done.stderr
    assert "broken.c:1" in (tree / "build/build.log").read_text()
