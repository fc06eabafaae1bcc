"""The systems that wheels are made for, and how zig's C compiler makes them on a machine that is
none of them.

What differs between systems in CPython's headers stands in ``pyconfig.h`` alone. Those of Linux and
macOS agree in all that the core needs; for the others a short one is written here.
"""

from __future__ import annotations

import re
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = [
    "TARGETS",
    "Target",
    "host_header",
    "include_folder",
    "link_command",
    "zig_command",
]

_VERSION: Final = "{}{}".format(*sys.version_info)


@dataclass(frozen=True)
class Target:
    """A system that wheels are made for."""

    name: str
    triple: str
    """Triple of zig."""
    platform: str
    """Platform tag of setuptools and wheels."""
    suffix: str
    """Suffix of extension modules."""
    link: tuple[str, ...] = ("-shared",)
    """Linker options of zig for an extension module; empty where another program links."""
    pyconfig: str = ""
    """The header, where that of Linux will not do."""
    options: tuple[str, ...] = ()
    """Further options of the compiler."""
    marks: tuple[bytes, ...] = ()
    """First bytes of an extension module."""


def _header(**sizes: int) -> str:
    """A short pyconfig.h: the sizes of C's types, and what it takes to include the others."""
    given = {"SHORT": 2, "INT": 4, "LONG_LONG": 8, "FLOAT": 4, "DOUBLE": 8}
    given |= {"TIME_T": 8, "PID_T": 4, "OFF_T": 8}
    lines = [f"#define SIZEOF_{name} {size}" for name, size in {**given, **sizes}.items()]
    have = "STDDEF_H ERRNO_H SYS_TYPES_H SYS_STAT_H WCHAR_H SSIZE_T LONG_LONG STDINT_H INTTYPES_H"
    lines += [f"#define HAVE_{name} 1" for name in have.split()]
    return "\n".join([*lines, "#define WITH_DOC_STRINGS 1", ""])


_WINDOWS: Final = (
    _header(VOID_P=8, SIZE_T=8, LONG=4, WCHAR_T=2)
    + "".join(
        f"#define {name} 1\n"
        for name in "MS_WINDOWS MS_WIN64 NT_THREADS Py_ENABLE_SHARED HAVE_DECLSPEC_DLL".split()
    )
    + '#define PLATFORM "win32"\n'
)
_WASM: Final = _header(VOID_P=4, SIZE_T=4, LONG=4, WCHAR_T=4) + "#define HAVE_PTHREAD_STUBS 1\n"

_MACOS_LINK: Final = ("-shared", "-undefined", "dynamic_lookup")
_GNU: Final = f".cpython-{_VERSION}-{{}}-linux-gnu.so"
_MUSL: Final = f".cpython-{_VERSION}-{{}}-linux-musl.so"
_MARKS_ELF: Final = (b"\x7fELF",)
_MARKS_MACOS: Final = (b"\xcf\xfa\xed\xfe",)


def _linux(arch: str) -> list[Target]:
    return [
        Target(
            f"linux-{arch}", f"{arch}-linux-gnu.2.17", f"manylinux_2_17-{arch}",
            _GNU.format(arch), marks=_MARKS_ELF,
        ),
        Target(
            f"musl-{arch}", f"{arch}-linux-musl", f"musllinux_1_2-{arch}",
            _MUSL.format(arch), marks=_MARKS_ELF,
        ),
    ]  # fmt: skip


def _macos(name: str, arch: str, zig: str, least: str) -> Target:
    return Target(
        f"macos-{name}", f"{zig}-macos.{least}", f"macosx-{least}-{arch}",
        f".cpython-{_VERSION}-darwin.so", link=_MACOS_LINK, marks=_MARKS_MACOS,
    )  # fmt: skip


def _windows(name: str, zig: str) -> Target:
    return Target(
        f"windows-{name}", f"{zig}-windows-gnu", f"win-{name}", f".cp{_VERSION}-win_{name}.pyd",
        link=("-shared", "-s"), pyconfig=_WINDOWS, marks=(b"MZ",),
    )  # fmt: skip


TARGETS: Final = {
    target.name: target
    for target in (
        *_linux("x86_64"),
        *_linux("aarch64"),
        _windows("amd64", "x86_64"),
        _windows("arm64", "aarch64"),
        _macos("x86_64", "x86_64", "x86_64", "10.15"),
        _macos("arm64", "arm64", "aarch64", "11.0"),
        Target(
            "wasm",
            "wasm32-wasi",
            "emscripten-wasm32",
            ".so",
            link=(),
            pyconfig=_WASM,
            options=("-mcpu=mvp+bulk_memory+mutable_globals+nontrapping_fptoint+sign_ext",),
            marks=(b"\0asm",),
        ),
    )
}
"""All of them, by name. WebAssembly is that of Pyodide, with no more than all its browsers know;
what the core needs of the C library is the same there as in zig's headers for WASI."""


def host_header() -> Path:
    """The ``pyconfig.h`` of this machine. Debian's is a stub that includes one of several, each for
    an architecture, from the folder of its multiarch name."""
    header = Path(sysconfig.get_config_h_filename())
    machine = sysconfig.get_config_var("MULTIARCH") or ""
    included = re.search(
        rf"#\s*include\s*<({re.escape(machine)}/\S+)>", header.read_text(encoding="utf-8")
    )
    return header.parents[1] / included[1] if machine and included else header


def include_folder(target: Target, work: Path) -> Path:
    """CPython's headers as they are on that system, copied into a folder for work."""
    folder = work / target.name / "include"
    if not folder.exists():
        part = folder.with_name("include.part")
        shutil.rmtree(part, ignore_errors=True)
        shutil.copytree(sysconfig.get_path("include"), part)
        text = target.pyconfig or host_header().read_text(encoding="utf-8")
        (part / "pyconfig.h").write_text(text, encoding="utf-8")
        part.rename(folder)
    return folder


def zig_command(target: Target, work: Path) -> list[str]:
    """zig's C compiler for that system, with these headers."""
    include = include_folder(target, work)
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", target.triple, *target.options]
    return [*zig, f"-I{include}"]


def link_command(objects: Sequence[str], output: str) -> list[str]:
    """Command that links a module for WebAssembly, which zig's compiler cannot do: a library that
    Emscripten's loader takes (https://github.com/WebAssembly/tool-conventions, DynamicLinking)."""
    name = Path(output).name.partition(".")[0]
    options = "-shared --experimental-pic --allow-undefined --strip-all".split()
    linker = [sys.executable, "-m", "ziglang", "wasm-ld", *options]
    return [*linker, f"--export-if-defined=PyInit_{name}", *objects, "-o", output]
