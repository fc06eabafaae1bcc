"""Target systems of wheels, and commands to compile for them with zig on any machine.

CPython's headers differ between systems only in ``pyconfig.h``. That of Linux also fits macOS, as
far as the core needs it; for the other systems this module has a short one.
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
    """A system for which wheels are built."""

    name: str
    triple: str
    """Target triple of zig."""
    platform: str
    """Platform tag of setuptools and wheels."""
    suffix: str
    """Suffix of extension modules."""
    link: tuple[str, ...] = ("-shared",)
    """Linker options of zig for an extension module; empty if another program links."""
    pyconfig: str = ""
    """Content of pyconfig.h; empty for that of this machine."""
    options: tuple[str, ...] = ()
    """Further options of the compiler."""
    marks: tuple[bytes, ...] = ()
    """Possible first bytes of an extension module."""


def _header(**sizes: int) -> str:
    """A short pyconfig.h: the sizes of C's types, and the macros that the other headers need."""
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
            options=("-g0", "-mcpu=mvp+bulk_memory+mutable_globals+nontrapping_fptoint+sign_ext"),
            marks=(b"\0asm",),
        ),
    )
}
"""All targets, by name. WebAssembly is for Pyodide, limited to features that all its browsers
support; zig's headers for WASI agree with its C library in all that the core uses. Debug
information would take a third of the compile time, and be stripped by the linker."""


def host_header() -> Path:
    """Path of this machine's ``pyconfig.h``. Debian's is a stub that includes the header of the
    architecture from a folder with its multiarch name."""
    header = Path(sysconfig.get_config_h_filename())
    machine = sysconfig.get_config_var("MULTIARCH") or ""
    included = re.search(
        rf"#\s*include\s*<({re.escape(machine)}/\S+)>", header.read_text(encoding="utf-8")
    )
    return header.parents[1] / included[1] if machine and included else header


def include_folder(target: Target, work: Path) -> Path:
    """Copy CPython's headers into the work folder, with the target's pyconfig.h."""
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
    """Command of zig's C compiler for the target, with its headers."""
    include = include_folder(target, work)
    zig = [sys.executable, "-m", "ziglang", "cc", "-target", target.triple, *target.options]
    return [*zig, f"-I{include}"]


def link_command(objects: Sequence[str], output: str) -> list[str]:
    """Command that links modules for WebAssembly as a library for Emscripten's loader, which zig's
    compiler cannot do (https://github.com/WebAssembly/tool-conventions, DynamicLinking)."""
    options = "-shared --experimental-pic --allow-undefined --strip-all".split()
    exports = [f"--export-if-defined=PyInit_{Path(path).stem}" for path in objects]
    return [sys.executable, "-m", "ziglang", "wasm-ld", *options, *exports, *objects, "-o", output]
