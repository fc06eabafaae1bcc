"""The hand-written stubs of the compiled modules say what is really there."""

import subprocess
import sys
from pathlib import Path

import pytest

import xiangqi.core.board

ALLOWLIST = Path(__file__).with_name("stubtest_allowlist.txt")
CORE = Path(xiangqi.core.board.__file__).parent
DOORS = sorted(f"xiangqi.core.{path.stem}" for path in CORE.glob("*.pyi"))


def test_stubs_match_the_compiled_modules(tmp_path: Path) -> None:
    """Every name and signature at run time is in the stubs, and the other way round."""
    pytest.importorskip("mypy")
    config = tmp_path / "mypy.ini"
    # The stubs are on trial here, not the modules that they import types from.
    config.write_text("[mypy]\nfollow_imports = silent\n")
    command = [
        *(sys.executable, "-m", "mypy.stubtest", *DOORS, "--concise"),
        *("--allowlist", str(ALLOWLIST), "--mypy-config-file", str(config)),
    ]
    root = CORE.parent.parent
    found = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stdout + found.stderr


def test_every_compiled_module_has_a_stub() -> None:
    """Without one a type checker would treat the whole module as unknown. Folders are C only."""
    compiled = {path.name.split(".")[0] for path in [*CORE.glob("*.so"), *CORE.glob("*.pyd")]}
    assert "board" in compiled
    assert compiled == {path.stem for path in CORE.glob("*.pyi")}
