"""Builds the Cython core; pyproject.toml declares everything else about the package.

``MEIHUA_DEBUG=1`` in the environment builds it with all of Cython's checks and the core's own
assertions (``ensure``); a failed assertion aborts the process.
``MEIHUA_CFLAGS`` adds flags for the C compiler and the linker, such as a sanitizer's.
``MEIHUA_BENCH=1`` builds the modules of the benchmarks instead of the core.
``MEIHUA_ABI3=1`` builds for the stable ABI: one wheel for CPython 3.11 and later, in which pushing
and popping moves takes more than twice as long, and searching no longer than usual.
"""

import multiprocessing
import os
import sys
import sysconfig
import threading
from pathlib import Path

from Cython.Build import cythonize
from Cython.Compiler import Errors, ExprNodes, Options, PyrexTypes
from setuptools import Extension, find_packages, setup
from setuptools.command.build_ext import build_ext

ROOT = Path("ext")
HEADERS = sorted(ROOT.rglob("*.h"))
BENCH = os.environ.get("MEIHUA_BENCH", "0") not in ("", "0")
SOURCES = sorted(
    Path("bench").glob("*.pyx") if BENCH else ROOT.rglob("*.pyx"),
    key=lambda source: source.stat().st_size,
    reverse=True,  # start with the largest, so that all processors are busy until the end
)
DEBUG = os.environ.get("MEIHUA_DEBUG", "0") not in ("", "0")
ABI3 = os.environ.get("MEIHUA_ABI3", "0") not in ("", "0")
FOR_TESTS = "xiangqi.core.testing"
BUILD = Path("build/debug" if DEBUG else "build/release")
MSVC = sys.platform == "win32"

# Warnings of the Cython compiler are errors here, and so are its performance hints: a signature
# without an exception clause makes each call five times slower.
Options.warning_errors = True
if not DEBUG:
    ExprNodes.performance_hint = PyrexTypes.performance_hint = lambda position, message, _: (
        Errors.error(position, f"performance hint: {message}")
    )

DIRECTIVES = {
    "language_level": 3,
    "binding": True,
    "boundscheck": DEBUG,
    "wraparound": DEBUG,
    "initializedcheck": DEBUG,
    "nonecheck": DEBUG,
    "overflowcheck": False,
    "cdivision": True,
    "embedsignature": False,
}


def compiler_flags(source: Path) -> list[str]:
    """Compiler flags of a module; none names a processor, so that the build runs on any of them.

    The C-only modules, where searches spend their time, get ``-O3``; those that Python calls, which
    are large and mostly conversions, ``-O2``. ``-g0`` undoes the ``-g`` of Debian's Python: debug
    information takes a quarter of the compile time and is not needed in a release.
    """
    if MSVC:
        return ["/O2"]
    if DEBUG:
        return ["-O1", "-g"]
    return ["-g0", "-O2" if source.parent == ROOT / "xiangqi/core" else "-O3"]


def macros() -> list[tuple[str, str | None]]:
    """Macros for the C compiler; the stable ABI has the buffer protocol since 3.11."""
    debug: list[tuple[str, str | None]] = [("MEIHUA_DEBUG", "1")] if DEBUG else []
    return [*debug, ("Py_LIMITED_API", "0x030B0000")] if ABI3 else debug


class BuildExt(build_ext):
    """Compiles in parallel, reports progress, and does not install the module for tests."""

    def finalize_options(self) -> None:
        """Compile on all processors, unless the command line gives another number.

        An editable installation would ignore the option ``parallel`` of ``setup()``.
        """
        super().finalize_options()
        if self.parallel is None:
            self.parallel = os.cpu_count()

    def run(self) -> None:
        """Translate and compile the modules that changed.

        For an editable installation setuptools uses temporary folders, in which all modules would
        be compiled anew.
        """
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            print("Note: this Python is free-threaded; importing Meihua enables the GIL in it")
        if self.editable_mode:
            self.build_lib, self.build_temp = str(BUILD / "lib"), str(BUILD / "temp")
        elif not self.inplace:
            self.extensions = [ext for ext in self.extensions if ext.name != FOR_TESTS]
        translated = {ext.name: ext.sources for ext in translate(self.extensions)}
        for ext in self.extensions:
            ext.sources = translated[ext.name]
        self.done = 0
        self.lock = threading.Lock()
        super().run()

    def build_extension(self, ext: Extension) -> None:
        """Compile a module, and print the number of compiled modules."""
        super().build_extension(ext)
        with self.lock:
            self.done += 1
            print(f"Compiled {self.done} of {len(self.extensions)}", flush=True)


def extension(source: Path) -> Extension:
    """Extension module of a source: ext/xiangqi/core/moves/see.pyx is xiangqi.core.moves.see,
    bench/detectors.pyx is bench.detectors."""
    parts = source.with_suffix("").parts
    extra = os.environ.get("MEIHUA_CFLAGS", "").split()
    return Extension(
        ".".join(parts[1:] if parts[0] == ROOT.name else parts),
        [str(source)],
        include_dirs=[str(folder) for folder in {path.parent for path in HEADERS}],
        depends=["setup.py", *(str(header) for header in HEADERS)],
        define_macros=macros(),
        py_limited_api=ABI3,
        extra_compile_args=compiler_flags(source) + extra,
        extra_link_args=extra,
    )


def remove_stale_headers() -> None:
    """Remove Cython's copies of headers that have moved or are gone: the compiler searches the
    folder of the C file first, and would use the old copy."""
    for copy in BUILD.rglob("*.h"):
        if not copy.relative_to(BUILD).exists():
            copy.unlink()


def choose_processes() -> int:
    """Number of processes that translate, or 0 if only this one can.

    They must be forked, which is not the default everywhere: others would have to import this file,
    which setuptools executes but does not make importable. On macOS forks are unsafe.
    """
    if sys.platform == "darwin" or "fork" not in multiprocessing.get_all_start_methods():
        return 0
    multiprocessing.set_start_method("fork", force=True)
    try:
        multiprocessing.Lock()
    except (ImportError, OSError) as error:
        print(f"Note: translating in one process, as more need a writable /dev/shm ({error})")
        return 0
    return os.cpu_count() or 1


def translate(extensions: list[Extension]) -> list[Extension]:
    """Translate changed modules from Cython to C; return modules with C sources."""
    return cythonize(
        extensions,
        include_path=[str(ROOT)],
        build_dir=str(BUILD),
        compiler_directives=DIRECTIVES,
        nthreads=choose_processes(),
    )


if __name__ == "__main__":
    remove_stale_headers()
    setup(
        packages=[*find_packages(include=["meihua", "xiangqi*"]), "xiangqi.wxf_cases"],
        package_dir={"xiangqi.wxf_cases": "wxf_cases"},
        py_modules=["meihua_installation"],
        ext_modules=[extension(source) for source in SOURCES],
        cmdclass={"build_ext": BuildExt},
        options={
            "bdist_wheel": {"py_limited_api": "cp311"} if ABI3 else {},
            "editable_wheel": {"mode": "compat"},  # a path that type checkers can follow
        },
    )
