"""The virtual environment: made, recognised as outdated, made anew; stamps of the steps in it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from tools.setup.machine import require_machine
from tools.setup.processes import environment, run_quietly

ROOT = Path(os.path.abspath(__file__)).parents[2]
BUILD = Path("build")
MADE_FOR = "made-for"
"""Stamp of a virtual environment: what its Python was, and its path."""
IDENTITY = """\
import sys, sysconfig
print("%d.%d" % sys.version_info[:2], sysconfig.get_config_var("SOABI"), sys.base_prefix)"""
"""Program that prints what the packages of a virtual environment depend on."""


def venv_python(system: str = os.name) -> Path:
    """Path of the Python in the virtual environment."""
    folder = Path(os.environ.get("VENV", ".venv"))
    return folder / "Scripts/python.exe" if system == "nt" else folder / "bin/python"


def is_done(stamp: Path, inputs: Iterable[Path]) -> bool:
    """Has the step been done since its inputs changed?"""
    if not stamp.exists():
        return False
    done_at = stamp.stat().st_mtime_ns
    return all(path.stat().st_mtime_ns <= done_at for path in inputs)


def make_venv() -> None:
    """Create the virtual environment, or replace one that cannot be used any more.

    Ends the program if the machine lacks a requirement.
    """
    python = venv_python()
    folder = python.parents[1]
    identity = ask_identity(python)
    fault = find_fault(folder, identity)
    if not fault:
        return
    require_own(folder, BUILD)
    if os.path.lexists(folder):
        print(f"The virtual environment in {folder} is made anew: {fault}.")
        if Path(sys.prefix).resolve() == folder.resolve():
            sys.exit("It cannot be made by its own Python: type the same with python3")
    require_machine()
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)
    print(f"Creating a virtual environment in {folder} ...", flush=True)
    log = BUILD / "venv.log"
    if not run_quietly(log, sys.executable, "-m", "venv", folder, doing="creating it"):
        sys.exit(log.read_text(encoding="utf-8", errors="replace"))
    (folder / MADE_FOR).write_bytes(ask_identity(python).encode() + b"\n" + path_bytes(folder))


def ask_identity(python: Path) -> str:
    """Version, ABI and prefix of a Python; empty if it does not start."""
    try:
        words = [str(python), "-I", "-S", "-X", "utf8", "-c", IDENTITY]
        done = subprocess.run(words, stdout=subprocess.PIPE, check=False, env=environment())
    except OSError:
        return ""
    return done.stdout.decode("utf-8", "replace").strip() if done.returncode == 0 else ""


def find_fault(folder: Path, identity: str) -> str:
    """Reason why a virtual environment, with a Python of this identity, cannot be used; empty if
    it can. Its programs contain its path, and its packages are for one version of Python."""
    if not identity:
        return "its Python does not start"
    try:
        made_for, place = (folder / MADE_FOR).read_bytes().split(b"\n", 1)
    except FileNotFoundError:  # made by other means
        return ""
    if made_for != identity.encode():
        return f"it was made for Python {made_for.decode()}, which is now {identity}"
    if place != path_bytes(folder):
        return f"it was made as {os.fsdecode(place)}, and has been moved"
    return ""


def path_bytes(folder: Path) -> bytes:
    """Path of a folder as the system has it, in any locale."""
    return os.fsencode(os.path.realpath(folder))


def require_own(*folders: Path) -> None:
    """End the program if this user may not write to one of the folders or to a file in it."""
    for folder in folders:
        inside = folder.iterdir() if os.access(folder, os.R_OK) else ()
        places = (folder.absolute(), *folder.absolute().parents)
        nearest = next(place for place in places if os.path.lexists(place))
        for path in (nearest, *inside):
            if not (os.access(path, os.W_OK) or path.is_symlink()):
                sys.exit(
                    f"{str(path)!r} belongs to another user and cannot be changed; type:"
                    f" sudo chown -R $(id -un) {shlex.quote(str(ROOT))}"
                )
