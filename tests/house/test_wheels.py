"""Tools of releases: the options for other systems, and what a wheel may hold."""

from __future__ import annotations

import shlex
import sys
import sysconfig
import zipfile
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

from tools.targets import TARGETS, host_header, include_folder
from tools.zig_cc import fitting
from xiangqi.ground.installed import __version__

HAS_TOOLS = all(find_spec(name) for name in ("ziglang", "elftools"))
with_tools = pytest.mark.skipif(not HAS_TOOLS, reason="the extra 'release' is not installed")

TREE = Path(__file__).parents[2]


def test_every_system_has_its_own_names() -> None:
    linked = [target for target in TARGETS.values() if target.link]
    assert len({target.suffix for target in linked}) == len(linked) - 1  # macOS has one for both
    assert len({target.triple for target in TARGETS.values()}) == len(TARGETS)
    platforms = {target.platform.split("-")[0] for target in linked}
    assert platforms == {"manylinux_2_17", "musllinux_1_2", "win", "macosx"}


def test_the_citation_is_of_this_version() -> None:
    citation = (TREE / "CITATION.cff").read_text(encoding="utf-8")
    assert f"\nversion: {__version__}\n" in citation
    assert "Complete Implementation of WXF Chinese Chess Rules" in citation


DEBIAN: Final = (
    "-Wsign-compare -DNDEBUG -g -fwrapv -O2 -Wall -g -fstack-protector-strong -Wformat"
    " -Werror=format-security -D_FORTIFY_SOURCE=2 -Wdate-time -fcf-protection -march=native"
).split()
"""Options that a distribution builds its Python with, and so every extension module."""


@with_tools
def test_the_folder_of_a_cross_compiler_may_have_blanks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tools import wheels

    folder = tmp_path / "梅花 folder"
    monkeypatch.setattr(wheels, "ROOT", folder)
    monkeypatch.setattr(wheels, "WORK", folder / "build")
    variables = wheels.cross_environment(TARGETS["macos-arm64"])
    compiler = [sys.executable, f"{folder}/tools/zig_cc.py", f"{folder}/build/cross", "macos-arm64"]
    assert shlex.split(variables["CC"]) == compiler
    assert shlex.split(variables["LDSHARED"]) == [*compiler, *TARGETS["macos-arm64"].link]
    assert fitting([f"-I{folder}"], TARGETS["macos-arm64"]) == [f"-I{folder}"]


@pytest.mark.parametrize("name", TARGETS)
def test_options_of_this_machine_are_left_out(name: str) -> None:
    own = f"-I{sysconfig.get_path('include')}"
    options = [*DEBIAN, "-fPIC", own, "-Iext/system", "-O3", "-c", "x.c", "-o", "x.o"]
    kept = fitting(options, TARGETS[name])
    pic = [] if name.startswith("windows") else ["-fPIC"]
    same = ["-DNDEBUG", "-fwrapv", "-O2", *pic, "-Iext/system", "-O3", "-c", "x.c", "-o", "x.o"]
    assert kept == same


def test_the_header_of_one_architecture_is_found_behind_a_stub(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Headers as on Debian, where ``pyconfig.h`` includes one of several."""
    stub, real = tmp_path / "python3.11/pyconfig.h", tmp_path / "x86_64-linux-gnu/python3.11"
    stub.parent.mkdir()
    stub.write_text(
        "#  include <aarch64-linux-gnu/python3.11/pyconfig.h>\n"
        "#  include <x86_64-linux-gnu/python3.11/pyconfig.h>\n"
    )
    monkeypatch.setattr(sysconfig, "get_config_h_filename", lambda: str(stub))
    monkeypatch.setattr(sysconfig, "get_config_var", {"MULTIARCH": "x86_64-linux-gnu"}.get)
    assert host_header() == real / "pyconfig.h"
    monkeypatch.setattr(sysconfig, "get_config_var", {}.get)
    assert host_header() == stub


def test_headers_have_the_type_sizes_of_the_target(tmp_path: Path) -> None:
    sizes = {
        name: (include_folder(TARGETS[name], tmp_path) / "pyconfig.h").read_text("utf-8")
        for name in ("linux-aarch64", "windows-amd64", "wasm")
    }
    assert "#define SIZEOF_LONG 8" in sizes["linux-aarch64"]
    assert "#define SIZEOF_LONG 4" in sizes["windows-amd64"]
    assert "#define SIZEOF_VOID_P 8" in sizes["windows-amd64"]
    assert "#define SIZEOF_VOID_P 4" in sizes["wasm"]


def make_wheel(path: Path, **more: bytes) -> Path:
    """A wheel that is as it should be, but for what is said; a name that is given as b"" lacks."""
    from tools.wheels import sources_of

    files = {f"{name}.so": b"\xcf\xfa\xed\xfe" for name in sources_of(TREE)}
    files |= dict.fromkeys(
        ("xiangqi/py.typed", "xiangqi/core/board.pyi", "xiangqi/wxf_cases/README.md"), b"x"
    )
    files |= {name.replace("__", "/").replace("DOT", "."): data for name, data in more.items()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            if data:
                archive.writestr(name, data)
    return path


@with_tools
@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({}, ""),
        ({"xiangqi__core__boardDOTso": b""}, "expected"),
        ({"xiangqi__core__testingDOTso": b"\xcf\xfa\xed\xfe"}, "testing"),
        ({"xiangqi__core__testingDOTpyi": b"x"}, "testing.pyi"),
        ({"xiangqi__core__boardDOTpyx": b"x"}, "board.pyx"),
        ({"tests__xDOTpy": b"x"}, "tests/x.py"),
        ({"xiangqi__pyDOTtyped": b""}, "lacks xiangqi/py.typed"),
        ({"xiangqi__core__boardDOTso": b"\xcf\xfa\xed\xfe .debug_info"}, "not stripped"),
        ({"xiangqi__core__boardDOTso": b"MZ"}, "begins with b'MZ'"),
        ({"xiangqi__big": bytes(6_000_001)}, "at most 6000000"),
    ],
)
def test_faulty_wheels_are_refused(more: dict[str, bytes], why: str, tmp_path: Path) -> None:
    from tools.wheels import WheelError, check_wheel

    wheel = make_wheel(tmp_path / "x.whl", **more)
    if why:
        with pytest.raises(WheelError, match=why):
            check_wheel(wheel, TREE, TARGETS["macos-arm64"])
    else:
        assert "xiangqi/core/board" in check_wheel(wheel, TREE, TARGETS["macos-arm64"])


@with_tools
def test_a_module_compiles_for_webassembly(tmp_path: Path) -> None:
    """One module for one system; ``python -m tools.cross`` tries all of them for all."""
    from tools.cross import compile_module, find_sources, write_c

    (source,) = find_sources("moves/zobrist")
    target = TARGETS["wasm"]
    trial = compile_module(target, source, write_c(source, tmp_path), None, tmp_path)
    assert trial.complaints == []
    assert trial.size > 0
