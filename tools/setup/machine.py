"""Requirements of the machine on which the core is compiled."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path


def find_lacking(system: str = os.name) -> list[str]:
    """List everything that this machine lacks to build Meihua."""
    lacking = []
    if sys.version_info < (3, 10):  # noqa: UP036 - this file also runs on older versions
        version = ".".join(map(str, sys.version_info[:2]))
        lacking.append(f"Python 3.10 or newer ({sys.executable!r} is {version})")
    elif not (can_import("venv") and can_import("ensurepip")):
        lacking.append("Python's venv module (Debian, Ubuntu: python3-venv)")
    if not Path(sysconfig.get_path("include"), "Python.h").exists():
        lacking.append("Python's C headers (Debian, Ubuntu: python3-dev; Fedora: python3-devel)")
    if not has_compiler(system, os.environ):
        if system == "nt":
            lacking.append("a C compiler (Build Tools for Visual Studio, with C++)")
        else:
            lacking.append("a C compiler (Debian, Ubuntu: gcc libc6-dev; or set CC)")
    try:
        os.getcwdb().decode("utf-8")
    except UnicodeDecodeError:
        lacking.append(
            "a folder whose path is in UTF-8, as pip writes it into programs"
            f" ({os.getcwd()!a} is not)"
        )
    return lacking


def can_import(module: str) -> bool:
    """Can the module be imported? Debian has some of the standard library in other packages."""
    try:
        __import__(module)
    except ImportError:
        return False
    return True


def has_compiler(system: str, variables: Mapping[str, str]) -> bool:
    """Is there a C compiler? On Windows setuptools finds it by Visual Studio's vswhere.exe."""
    if system == "nt":
        programs = variables.get("ProgramFiles(x86)", "")
        finder = Path(programs, "Microsoft Visual Studio/Installer/vswhere.exe")
        return shutil.which("cl") is not None or finder.exists()
    compiler = (shlex.split(variables.get("CC", "")) or ["cc"])[0]
    return shutil.which(compiler) is not None or shutil.which("gcc") is not None


def require_machine() -> None:
    """End the program with a list of what this machine lacks, if anything."""
    lacking = find_lacking()
    if lacking:
        sys.exit("\n  - ".join(["To build Meihua this machine still needs:", *lacking]))
