"""Compiles the core for other systems, and reports errors and warnings.

    python -m tools.cross                             # every module for every system
    python -m tools.cross windows-arm64 macos-arm64
    python -m tools.cross wasm --module moves/see

Each module is compiled by zig's C compiler with all usual warnings; those in lines of this project
count as failures. It is then linked with a stub library that has the symbols of Python's C API, so
that all other symbols must come from the system. Nothing is run. Everything takes about ten
minutes.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final, NamedTuple

from tools.targets import TARGETS, Target, include_folder, zig_command
from tools.wheels import exported_names, import_library, python_library

__all__ = ["Trial", "compile_module", "find_sources", "write_c"]

ROOT: Final = Path(__file__).parents[1]
WORK: Final = ROOT / "build" / "cross"
WARNINGS: Final = "-Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers".split()
_WARNING: Final = re.compile(
    r"^(?:\S*/)?(ext/\S+\.(?:pyx|pxd|h)):\d+:\d+: warning: .*", re.MULTILINE
)


class Trial(NamedTuple):
    """Result of compiling a module for a system."""

    module: str
    target: str
    complaints: list[str]
    """The compiler's errors, and its warnings on lines of this project."""
    size: int
    """Size in bytes of the module, or of its object if it is not linked."""


def find_sources(module: str = "") -> list[Path]:
    """The modules of the core, or the one with this path below ``ext/xiangqi/core``."""
    core = ROOT / "ext/xiangqi/core"
    return [core / f"{module}.pyx"] if module else sorted(core.rglob("*.pyx"))


def write_c(source: Path, work: Path) -> Path:
    """Translate a module to C, with line directives; return the path of the C file."""
    written = work / "c" / source.relative_to(ROOT).with_suffix(".c")
    written.parent.mkdir(parents=True, exist_ok=True)
    command = ["cython", "-3", "--line-directives", "--include-dir", "ext", "-o", str(written)]
    subprocess.run(
        [sys.executable, "-m", *command, str(source.relative_to(ROOT))], cwd=ROOT, check=True
    )
    return written


def stub_library(target: Target, work: Path) -> Path:
    """Write a library with the symbols of Python's C API, to link modules with."""
    if target.name.startswith("windows"):
        return import_library(target, work)
    folder = work / target.name
    stub = folder / "python.c"
    names = exported_names(python_library())
    stub.write_text("".join(f"void {name}(void) {{}}\n" for name in names))
    end = "dylib" if target.name.startswith("macos") else "so"
    command = [*zig_command(target, work), "-w", "-shared", str(stub)]
    subprocess.run([*command, "-o", str(folder / f"libpython.{end}")], cwd=ROOT, check=True)
    return folder / f"libpython.{end}"


def compile_module(
    target: Target, source: Path, written: Path, library: Path | None, work: Path
) -> Trial:
    """Compile a module and, if a library is given, link it."""
    name = source.relative_to(ROOT / "ext/xiangqi/core").with_suffix("").as_posix()
    made = work / target.name / f"{name.replace('/', '.')}{target.suffix}"
    made.parent.mkdir(parents=True, exist_ok=True)
    folders = sorted({path.parent for path in (ROOT / "ext").rglob("*.h")})
    options = ["-O1", *WARNINGS, *(f"-I{folder}" for folder in folders), str(written)]
    if target.pyconfig != "" and not target.link:
        options = ["-c", *options]
    elif not target.name.startswith("windows"):
        options = ["-fPIC", "-Wl,-z,defs", *options] if "linux" in target.triple else options
    if library is not None:
        options = [*options, "-shared", "-s", str(library)]
    command = [*zig_command(target, work), *options, "-o", str(made)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    return Trial(
        name,
        target.name,
        list(_complaints(done.stderr, done.returncode)),
        made.stat().st_size if made.exists() else 0,
    )


def _complaints(output: str, code: int) -> Iterator[str]:
    for found in _WARNING.finditer(output):
        yield found.group()
    if code:
        errors = [line for line in output.splitlines() if "error" in line]
        yield from errors or output.splitlines()[-3:] or [f"exit code {code}"]


def try_target(target: Target, sources: Sequence[tuple[Path, Path]], jobs: int) -> Iterator[Trial]:
    """Compile all modules for a system."""
    include_folder(target, WORK)
    library = stub_library(target, WORK) if target.link else None
    with ThreadPoolExecutor(jobs) as pool:
        yield from pool.map(
            lambda pair: compile_module(target, pair[0], pair[1], library, WORK), sources
        )


def main() -> int:
    """Compile the selected modules; return 1 if any failed."""
    parser = argparse.ArgumentParser(description="Compile the core for other systems.")
    parser.add_argument("targets", nargs="*", default=list(TARGETS), metavar="TARGET")
    parser.add_argument("--module", default="", help="only this one, such as moves/see")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    unknown = set(options.targets) - set(TARGETS)
    if unknown:
        parser.error(f"no such target: {', '.join(unknown)}; expected of {', '.join(TARGETS)}")
    sources = [(source, write_c(source, WORK)) for source in find_sources(options.module)]
    failed = 0
    for name in options.targets:
        trials = list(try_target(TARGETS[name], sources, options.jobs))
        bad = [trial for trial in trials if trial.complaints]
        for trial in bad:
            print(f"{name}: {trial.module}", *trial.complaints, sep="\n  ")
        failed += len(bad)
        made = "objects" if not TARGETS[name].link else "modules"
        size = sum(trial.size for trial in trials)
        print(f"{name}: {len(trials) - len(bad)} of {len(trials)} {made}, {size:,} bytes")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
