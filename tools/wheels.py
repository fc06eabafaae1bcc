"""Builds wheels from the source distribution, for this machine or, with zig, for others.

    python dev.py wheels                              # for this machine and this Python
    python dev.py wheels --abi3                       # for CPython 3.11 and later
    python dev.py wheels --target windows-amd64 linux-aarch64
    python dev.py wheels --target all

They are written to ``dist/``, stripped and without the module for tests. Each wheel is checked: its
modules, its platform, and that it needs no newer glibc. Releases are built on machines of each
platform by ``.github/workflows/wheels.yml``; this is for trials, and for other systems.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from elftools.elf.elffile import ELFFile

from tools.targets import TARGETS, Target, include_folder

__all__ = ["build_wheel", "check_wheel", "exported_names", "import_library", "make_sdist", "unpack"]

ROOT: Final = Path(__file__).parents[1]
WORK: Final = ROOT / "build" / "wheels"
OLDEST_GLIBC: Final = 17
"""Minor version of glibc, of 2014: manylinux_2_17."""
MAX_BYTES: Final = 6_000_000
"""Maximum size of a wheel, to notice unwanted files. Usual are 2.7 million bytes, or 4.5 for
Windows, where each module contains a part of the C run-time library."""


class WheelError(RuntimeError):
    """A wheel cannot be built, or is wrong."""


def run(*command: object, variables: Mapping[str, str] | None = None) -> None:
    """Run a command with the programs of this Python in its PATH; raises WheelError if it fails."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    environment = {**os.environ, "PATH": path, **(variables or {})}
    done = subprocess.run([str(word) for word in command], cwd=ROOT, env=environment, check=False)
    if done.returncode:
        raise WheelError(f"failed: {' '.join(map(str, command))}")


# The source


def make_sdist(folder: Path) -> Path:
    """Build the source distribution of this tree."""
    folder.mkdir(parents=True, exist_ok=True)
    run(sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", folder)
    return max(folder.glob("*.tar.gz"), key=lambda path: path.stat().st_mtime)


def unpack(sdist: Path, folder: Path) -> Path:
    """Unpack a source distribution into a folder, which is emptied first; return its tree."""
    shutil.rmtree(folder, ignore_errors=True)
    with tarfile.open(sdist) as archive:
        # extractall() takes a filter from 3.11.4 on; Debian 12 has 3.11.2
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)
    (tree,) = folder.iterdir()
    return tree


# Building


def exported_names(program: Path) -> list[str]:
    """Symbols of CPython's C API that a program or library of Linux exports."""
    with program.open("rb") as file:
        table: Any = ELFFile(file).get_section_by_name(".dynsym")
        names = {
            symbol.name for symbol in table.iter_symbols() if symbol["st_shndx"] != "SHN_UNDEF"
        }
    return sorted(name for name in names if name.startswith(("Py", "_Py")))


def python_library() -> Path:
    """Path of the running Python's shared library, or of the program if there is none."""
    name = sysconfig.get_config_var("INSTSONAME") or ""
    library = Path(sysconfig.get_config_var("LIBDIR") or "", name)
    return library if ".so" in name and library.exists() else Path(sys.executable).resolve()


def import_library(target: Target, work: Path) -> Path:
    """Write an import library of Python's DLL, to link modules for Windows with.

    It has the symbols of this machine's Python: the C API is the same, except for a few symbols
    that no module needs.
    """
    name = "python{}{}".format(*sys.version_info)
    folder = work / target.name
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"LIBRARY {name}.dll", "EXPORTS", *exported_names(python_library())]
    (folder / f"{name}.def").write_text("\n".join(lines) + "\n")
    machine = "arm64" if target.name.endswith("arm64") else "i386:x86-64"
    command = ("-m", "ziglang", "dlltool", "-m", machine, "-d", folder / f"{name}.def")
    run(sys.executable, *command, "-l", folder / f"lib{name}.a")
    return folder / f"lib{name}.a"


def cross_environment(target: Target) -> dict[str, str]:
    """Environment variables with which setuptools builds for another system."""
    include_folder(target, WORK / "cross")  # before compilers running in parallel need it
    compiler = [sys.executable, str(ROOT / "tools/zig_cc.py"), str(WORK / "cross"), target.name]
    link = [*compiler, *target.link]
    if target.name.startswith("windows"):
        link.append(str(import_library(target, WORK / "cross")))
    return {
        "CC": shlex.join(compiler),
        "LDSHARED": shlex.join(link),
        "LDFLAGS": "-s" if target.marks == (b"\x7fELF",) else "",
        "SETUPTOOLS_EXT_SUFFIX": target.suffix,
        "_PYTHON_HOST_PLATFORM": target.platform,
        "PYTHONPATH": str(ROOT),
    }


def build_wheel(tree: Path, target: Target | None, abi3: bool, output: Path) -> Path:
    """Build a wheel from an unpacked source distribution; for this machine if target is None."""
    raw = WORK / "raw"
    shutil.rmtree(raw, ignore_errors=True)
    shutil.rmtree(tree / "build", ignore_errors=True)
    options = "--quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index"
    settings = {"MEIHUA_ABI3": "1" if abi3 else "0"}
    settings.update(cross_environment(target) if target else {"LDFLAGS": "-s"})
    run(sys.executable, "-m", "pip", "wheel", *options.split(), "-w", raw, tree, variables=settings)
    (wheel,) = raw.glob("*.whl")
    output.mkdir(parents=True, exist_ok=True)
    if target is None and sys.platform == "linux":
        policy = f"manylinux_2_17_{os.uname().machine}"
        command = ("-m", "auditwheel", "repair", "--strip", "--only-plat", "--plat", policy)
        run(sys.executable, *command, "-w", raw / "repaired", wheel)
        (wheel,) = (raw / "repaired").glob("*.whl")
    return Path(shutil.copy(wheel, output))


# Checking


def modules_in(wheel: Path) -> Iterator[tuple[str, bytes]]:
    """Paths and contents of the extension modules of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if name.endswith((".so", ".pyd")):
                yield name, archive.read(name)


def glibc_wanted(data: bytes) -> list[int]:
    """Minor versions of glibc that a module of Linux needs: 17 for 2.17."""
    section: Any = ELFFile(io.BytesIO(data)).get_section_by_name(".gnu.version_r")
    parts = section.iter_versions() if section is not None else ()
    names = [one.name for _, versions in parts for one in versions]
    return [int(name.split(".")[1]) for name in names if name.startswith("GLIBC_2.")]


def sources_of(tree: Path) -> set[str]:
    """Paths of the modules that a wheel must have, without suffixes."""
    paths = (path.relative_to(tree / "ext") for path in (tree / "ext").rglob("*.pyx"))
    return {path.with_suffix("").as_posix() for path in paths} - {"xiangqi/core/testing"}


def check_wheel(wheel: Path, tree: Path, target: Target | None) -> Mapping[str, int]:
    """Check a wheel and return the sizes of its modules; raises WheelError if it is wrong."""
    sizes = {}
    for name, data in modules_in(wheel):
        sizes[name.split(".")[0]] = len(data)
        if target is not None and not data.startswith(target.marks):
            raise WheelError(f"{wheel.name}: {name} begins with {data[:4]!r}")
        if data.startswith(b"\x7fELF") and max(glibc_wanted(data), default=0) > OLDEST_GLIBC:
            raise WheelError(f"{wheel.name}: {name} needs glibc 2.{max(glibc_wanted(data))}")
        if b".debug_info" in data or b".symtab" in data:
            raise WheelError(f"{wheel.name}: {name} is not stripped")
    if set(sizes) != sources_of(tree):
        raise WheelError(f"{wheel.name}: has {sorted(sizes)}, expected {sorted(sources_of(tree))}")
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for wanted in ("xiangqi/py.typed", "xiangqi/core/board.pyi", "xiangqi/wxf_cases/README.md"):
        if wanted not in names:
            raise WheelError(f"{wheel.name}: lacks {wanted}")
    found = [name for name in names if re.search(r"testing|^tests/|\.(pyx|pxd|c|h)$", name)]
    if found:
        raise WheelError(f"{wheel.name}: has {found}")
    size = wheel.stat().st_size
    if size > MAX_BYTES:
        raise WheelError(f"{wheel.name}: {size} bytes, at most {MAX_BYTES} expected")
    return sizes


def main() -> None:
    """Build and check the selected wheels."""
    parser = argparse.ArgumentParser(description="Build wheels from the source distribution.")
    parser.add_argument("--target", nargs="+", default=[], choices=[*TARGETS, "all"])
    parser.add_argument("--abi3", action="store_true", help="for CPython 3.11 and later")
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "dist")
    options = parser.parse_args()
    names = [name for name in TARGETS if TARGETS[name].link]
    targets: list[Target | None] = [TARGETS[name] for name in options.target if name != "all"]
    targets = [TARGETS[name] for name in names] if "all" in options.target else targets or [None]
    sdist = make_sdist(options.output)
    tree = unpack(sdist, WORK / "tree")
    for target in targets:
        wheel = build_wheel(tree, target, options.abi3, options.output)
        sizes = check_wheel(wheel, tree, target)
        size, parts = wheel.stat().st_size, sum(sizes.values())
        print(f"{wheel.name}: {size:,} bytes; {len(sizes)} modules of {parts:,} bytes")


if __name__ == "__main__":
    try:
        main()
    except WheelError as error:
        sys.exit(f"wheels: {error}")
