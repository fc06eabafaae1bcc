"""The compiled core, built again when a source of it is newer."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.setup.processes import run_quietly
from tools.setup.requirements import fetch, fetch_extras
from tools.setup.virtual_environment import BUILD, is_done, make_venv, require_own, venv_python


def sources() -> list[Path]:
    """Files on which the compiled core depends."""
    parts = (path for path in Path("ext").rglob("*") if path.suffix in (".pyx", ".pxd", ".h"))
    return [Path("pyproject.toml"), Path("setup.py"), *parts]


def prepare(*extras: str) -> Path:
    """Set up the virtual environment with these extras, compile the core; return its Python.

    The requirements of the extras are fetched while the core is compiled.
    """
    python = venv_python()
    if os.environ.get("MEIHUA_AS_BUILT", "0") not in ("", "0"):
        return python
    folder = python.parents[1]
    make_venv()
    fetched, built = folder / "fetched", folder / "built"
    if not is_done(fetched, [Path("pyproject.toml")]):
        fetch(python, "", fetched)
    with ThreadPoolExecutor(max_workers=1) as pool:
        fetching = pool.submit(fetch_extras, python, extras, fetched)
        if not is_done(built, [fetched, *sources()]):
            print("Compiling the core, about a minute on two cores ...", flush=True)
            compile_core(python)
            built.touch()
    fetching.result()
    return python


def compile_core(python: Path) -> None:
    """Compile the core, without the network; on failure show the compiler's output and end."""
    require_own(python.parents[1], BUILD, Path("xiangqi/core"))
    log = BUILD / "build.log"
    options = "--verbose --disable-pip-version-check --no-index --no-deps --no-build-isolation"
    command = (python, "-m", "pip", "install", *options.split(), "--editable", ".")
    if not run_quietly(log, *command, doing="compiling"):
        print(log.read_text(encoding="utf-8", errors="replace"), file=sys.stderr)
        sys.exit(f"Meihua was not built: see the errors above, also in {log.as_posix()}.")
    for path in python.parents[1].rglob("__editable__.*.pth"):
        if not path.read_bytes().isascii():
            name_in_ascii(path)


def name_in_ascii(path: Path) -> None:
    """Let a file of the virtual environment name this folder in ASCII.

    Until version 3.13 Python reads the file in the encoding of the locale, and does not start where
    that is impossible. Type checkers follow the relative path; behind a link to the virtual
    environment Python needs the other one.
    """
    append = f"import os, sys; sys.path.append(os.fsdecode({os.getcwdb()!r}))"
    path.write_text(f"{os.path.relpath('.', path.parent)}\n{append}\n", encoding="utf-8")
