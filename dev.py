"""Tasks for developers, on any system: ``python dev.py TASK``, or ``make TASK`` on Unix.

Each task creates the virtual environment ``.venv`` if necessary, fetches missing packages, and
builds what has changed. Only the standard library is used, as nothing else is installed yet.
``VENV`` in the environment names another folder, ``MEIHUA_DEBUG=1`` builds with assertions, and
``MEIHUA_AS_BUILT=1`` neither fetches nor builds.
"""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))  # also with PYTHONSAFEPATH

from tools.setup.core import prepare
from tools.setup.machine import require_machine
from tools.setup.npm_tools import fetch_pyodide, fetch_tools
from tools.setup.processes import IN_ANY_LOCALE, environment, run
from tools.setup.virtual_environment import BUILD, ROOT, make_venv, venv_python

DEBUG_TREE = BUILD / "debug-tree"
INTERRUPTED = 130
PARALLEL = (
    f"--numprocesses {1 + (os.cpu_count() or 1)} --maxprocesses 8 --dist loadfile"
    " --no-loadscope-reorder --max-worker-restart 0"
).split()
"""Options of pytest for parallel tests: one process more than there are processors, as some wait
for a browser or an engine.

Each process collects all tests, which takes 12 s, and starts its own browser. Tests are distributed
by file; a crash ends the run and names the test.
"""

SOAK = ("import SOAK", "from hypothesis import")
"""Lines in test files that try larger samples if ``MEIHUA_SOAK`` is set in the environment."""

PAGES = ("needs_driver", "needs_chromium")
"""Words in the test files that look at pages in a browser."""
FONTS = Path("tests/support/fonts")
"""Configurations of fontconfig, each with few fonts, as another machine may have them."""

QUICK_TESTS = "tests/board tests/core tests/drawing tests/referee tests/words".split()
QUICK_TESTS += ["tests/house/test_architecture.py"]
"""Tests that start no browser and few processes."""

TASKS: dict[str, Callable[[Sequence[str]], None]] = {}


def task(function: Callable[[Sequence[str]], None]) -> Callable[[Sequence[str]], None]:
    """Register a task, with the function's name and the first line of its docstring as help."""
    TASKS[function.__name__.replace("_", "-")] = function
    return function


@task
def verify(arguments: Sequence[str]) -> None:
    """Rule on every case of the rule book, then explain one real game."""
    python = prepare()
    run(python, "-m", "xiangqi", "verify")
    print("\nThe end of a tournament game of 2023: who had to change, and why?\n")
    run(python, "-m", "xiangqi", "judge", "--case", "V14a", "--explain")


@task
def serve(arguments: Sequence[str]) -> None:
    """Open the board in the browser: enter or paste games, see the rulings, play."""
    run(prepare(), "-m", "xiangqi", "serve", *arguments)


@task
def test(arguments: Sequence[str]) -> None:
    """Run all tests, linters and type checks, or the given ones, on all processors."""
    python = prepare("test")
    fetch_tools()
    run_tests(python, "-rs", *arguments)


@task
def test_fast(arguments: Sequence[str]) -> None:
    """Run only the quick tests: rules, board, search, words, layers; after each change."""
    python = prepare("test")
    run(python, "-m", "ruff", "check", "--quiet", ".")
    run_tests(python, "-q", "-m", "not long", *(arguments or QUICK_TESTS))


@task
def site(arguments: Sequence[str]) -> None:
    """Write the site for any web server into build/site, or into the given folder."""
    fetch_pyodide("The site")
    run(prepare("site"), "-m", "tools.site", *arguments)


@task
def npm(arguments: Sequence[str]) -> None:
    """Build the npm packages into build/packages, or another folder, and pack them into dist."""
    fetch_pyodide("make npm")
    run(prepare("site"), "-m", "tools.npm", *arguments)


@task
def docs(arguments: Sequence[str]) -> None:
    """Write the docs as a site into build/docs, with the API reference."""
    run(prepare("docs"), "-m", "mkdocs", "build", "--strict", *arguments)


@task
def bench(arguments: Sequence[str]) -> None:
    """Run the benchmarks, against the installed peers."""
    run(prepare("bench"), "-m", "bench", *arguments)


@task
def debug(arguments: Sequence[str]) -> None:
    """Run the tests on a build with all assertions, in a copy of the tree."""
    copy_tree()
    run_in_copy("test", *arguments)


@task
def soak(arguments: Sequence[str]) -> None:
    """Run tests with large samples, those of the pages with other fonts, then fuzz cycles, input,
    files and games for MINUTES (60)."""
    fetch_tools()
    python = prepare("test")
    run_tests(python, *tests_with(*SOAK), MEIHUA_SOAK="1")
    for fonts in sorted(FONTS.absolute().glob("*.conf")):
        if lists_fonts(fonts):
            print(f"The pages with the fonts of {fonts.stem}:")
            run_tests(python, *tests_with(*PAGES), FONTCONFIG_FILE=str(fonts))
        else:
            print(
                f"The pages are not tried with the fonts of {fonts.stem}, which are not installed."
            )
    seconds = int(os.environ.get("MINUTES", "60")) * 12
    copy_tree()
    run_in_copy("build", "bench", "test")
    words = f"--count 1000000000 --seed {int(time.time())} --seconds {seconds}".split()
    for name in "cycles inputs binary_files selfplay first_iteration".split():
        python = Path(".venv") / venv_python().relative_to(venv_python().parents[1])
        run((DEBUG_TREE / python).absolute(), "-m", f"tests.fuzz.{name}", *words, cwd=DEBUG_TREE)


def run_tests(python: Path, *arguments: object, **more: str) -> None:
    """Run pytest in parallel, in one locale on all machines: the tests write Chinese and name
    files in it, and the folder may have such a name."""
    variables = {**IN_ANY_LOCALE, **more}
    run(python, "-m", "pytest", *PARALLEL, *arguments, cwd=Path(), **variables)


def tests_with(*words: str) -> list[Path]:
    """Test files that contain one of the words."""
    files = {path: path.read_text("utf-8") for path in Path("tests").rglob("test_*.py")}
    return sorted(path for path, text in files.items() if any(word in text for word in words))


def lists_fonts(config: Path) -> bool:
    """Does the program of fontconfig find fonts by this configuration?"""
    program = shutil.which("fc-list")
    if program is None:
        return False
    variables = environment(FONTCONFIG_FILE=str(config))
    done = subprocess.run([program], stdout=subprocess.PIPE, env=variables, check=False)
    return bool(done.stdout)


def copy_tree() -> None:
    """Copy all files that git does not ignore to DEBUG_TREE."""
    shutil.rmtree(DEBUG_TREE, ignore_errors=True)
    command = "git ls-files -z --cached --others --exclude-standard".split()
    names = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.split(b"\0")
    for name in map(os.fsdecode, filter(None, names)):
        if Path(name).exists():
            (DEBUG_TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(name, DEBUG_TREE / name)


def run_in_copy(*words: str) -> None:
    """Run a task in DEBUG_TREE, with assertions."""
    run(sys.executable, "dev.py", *words, cwd=DEBUG_TREE, MEIHUA_DEBUG="1", VENV=".venv")


@task
def wheels(arguments: Sequence[str]) -> None:
    """Build a wheel from the source distribution, for this machine or with --target another."""
    run(prepare("release"), "-m", "tools.wheels", *arguments)


@task
def bundle(arguments: Sequence[str]) -> None:
    """Build the folder with both programs that needs no Python, and try it."""
    make_venv()
    run(venv_python(), "-m", "tools.bundle", *arguments)


@task
def build(arguments: Sequence[str]) -> None:
    """Set up, compile, and fetch the requirements of the given extras."""
    prepare(*arguments)


@task
def missing(arguments: Sequence[str]) -> None:
    """List what this machine still needs to build Meihua."""
    require_machine()


@task
def needs(arguments: Sequence[str]) -> None:
    """Print the requirements in pyproject.toml, to build and to run and for the given extras."""
    has_toml = sys.version_info >= (3, 11)
    toml = importlib.import_module("tomllib" if has_toml else "pip._vendor.tomli")
    data = toml.loads(Path("pyproject.toml").read_text(encoding="utf-8"))
    found = data["build-system"]["requires"] + data["project"]["dependencies"]
    extras = data["project"].get("optional-dependencies", {})
    for extra in arguments:
        if extra not in extras:
            sys.exit(f"extra {extra!r}: expected one of {', '.join(extras)}")
        found += extras[extra]
    print("\n".join(found))


@task
def clean(arguments: Sequence[str]) -> None:
    """Remove the virtual environment and all build outputs."""
    folders = [BUILD, Path("dist"), venv_python().parents[1], *Path().glob("*.egg-info")]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    for folder in (Path("bench"), Path("xiangqi/core")):
        for path in [*folder.rglob("*.so"), *folder.rglob("*.pyd")]:
            path.unlink()


def help_lines() -> list[str]:
    """Help with one line for each task."""
    first = {name: (function.__doc__ or "").splitlines()[0] for name, function in TASKS.items()}
    return [f"  {name:10} {text}" for name, text in first.items()]


def main(words: Sequence[str]) -> None:
    """Run a task."""
    os.chdir(ROOT)
    if not words or words[0] not in TASKS:
        sys.exit("\n".join(["Usage: python dev.py TASK [ARGUMENT]...", "", *help_lines()]))
    try:
        TASKS[words[0]](words[1:])
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main(sys.argv[1:])
