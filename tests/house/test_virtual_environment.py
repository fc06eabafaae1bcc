"""The virtual environment of ``dev.py``: made, and made anew when it cannot be used any more."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.setting_up import offline
from tools.setup.virtual_environment import MADE_FOR, require_own, venv_python


@pytest.fixture
def venv(tree: Path) -> Path:
    """A virtual environment without pip, as ``dev.py`` makes it."""
    (tree / "make.py").write_text(
        "from tools.setup import virtual_environment as own\nrun = own.run_quietly\n"
        "own.run_quietly = lambda *words, doing: run(*words, '--without-pip', doing=doing)\n"
        "own.require_machine = lambda: None\nown.make_venv()\n"
    )
    made = make_venv(tree)
    assert made.stdout.startswith("Creating a virtual environment in .venv ...\n")
    assert make_venv(tree).stdout == ""
    return tree / ".venv"


def make_venv(tree: Path, python: str = sys.executable) -> subprocess.CompletedProcess[str]:
    return offline(tree, python, "make.py", VENV=".venv")


def test_a_moved_environment_is_made_anew(venv: Path) -> None:
    (venv / "fetched").touch()
    encoding = sys.getfilesystemencoding()
    name = "moved to 别处".encode(encoding, "ignore").decode(encoding)  # in any locale
    moved = venv.parent.with_name(name)
    venv.parent.rename(moved)
    done = make_venv(moved)
    assert done.returncode == 0, done.stderr
    assert f"is made anew: it was made as {venv}, and has been moved." in done.stdout
    assert not (moved / ".venv/fetched").exists()
    assert make_venv(moved).stdout == ""


def test_an_environment_serves_in_other_locales(venv: Path) -> None:
    moved = venv.parent.with_name("梅花")
    venv.parent.rename(moved)
    assert "is made anew" in make_venv(moved).stdout
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    done = offline(moved, sys.executable, "make.py", VENV=".venv", **plain)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr


@pytest.mark.parametrize("line", ["3.9 cpython-39 /usr", ""])
def test_an_environment_of_another_python_is_made_anew(line: str, venv: Path) -> None:
    """After an upgrade by the distribution, or when that Python is gone."""
    if line:
        stamp = venv / MADE_FOR
        stamp.write_text("\n".join([line, str(venv)]))
        fault = "it was made for Python 3.9 cpython-39 /usr, which is now 3."
    else:
        python = venv / venv_python().relative_to(venv_python().parents[1])
        python.unlink()
        python.symlink_to("/nowhere/python3.9")
        fault = "its Python does not start"
    done = make_venv(venv.parent)
    assert done.returncode == 0, done.stderr
    assert f"The virtual environment in .venv is made anew: {fault}" in done.stdout
    assert make_venv(venv.parent).stdout == ""


def test_an_environment_does_not_replace_itself(venv: Path) -> None:
    (venv / MADE_FOR).write_text(f"3.9\n{venv}")
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
        require_own(tmp_path)
    assert str(stop.value).startswith(f"{str(tmp_path / 'fetched')!r} belongs to another user")
    assert "sudo chown -R $(id -un) " in str(stop.value)


@pytest.mark.skipif(
    os.name == "nt" or getattr(os, "geteuid", lambda: 1)() != 0, reason="only root has two users"
)
def test_an_environment_made_by_root_is_explained_to_a_user(venv: Path) -> None:
    """Its stamp is out of date, so that it would be replaced."""
    (venv / MADE_FOR).write_text(f"3.9\n{venv}")
    tools = venv.parent / "tools"
    readable = (venv.parent / "make.py", tools, *tools.rglob("*"))
    for path in (venv.parent, *venv.parent.parents[:3], *readable):
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
