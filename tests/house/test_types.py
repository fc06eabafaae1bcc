"""Types and completion of the installed package, in the tools of a project outside this tree."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import jedi
import pytest

from tools.setup.npm_tools import TOOLS

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]
PYRIGHT = ROOT / TOOLS / "node_modules/pyright/index.js"
PROGRAM = """\
import meihua
import xiangqi

board = xiangqi.Board()
reveal_type(board.judge())
reveal_type(xiangqi.Move.from_iccs("h2e2"))
reveal_type(meihua.Board().legal_moves)
board.push(5)
"""
TYPES = ["Ruling", "Move", "LegalMoves"]
"""Types that the program reveals, without their modules."""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program of somebody else's, in a folder of its own."""
    path = tmp_path / "program.py"
    path.write_text(PROGRAM, encoding="utf-8")
    return path


def run(program: Path, *command: object) -> str:
    done = subprocess.run(
        [*map(str, command), program.name],
        cwd=program.parent,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 1, done.stdout + done.stderr  # for push(5)
    return done.stdout


def test_mypy_sees_the_types(program: Path) -> None:
    said = run(program, sys.executable, "-m", "mypy", "--strict")
    revealed = re.findall(r'Revealed type is "([\w.]+)"', said)
    assert [name.rpartition(".")[2] for name in revealed] == TYPES
    errors = [line for line in said.splitlines() if ": error: " in line]
    assert len(errors) == 1
    assert errors[0].startswith('program.py:8: error: Argument 1 to "push"')


@pytest.mark.skipif(
    not PYRIGHT.exists() or shutil.which("node") is None,
    reason="pyright, which `make test` fetches by npm, or node is not there",
)
def test_pyright_sees_the_types(program: Path) -> None:
    (program.parent / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict"}')
    said = run(program, "node", PYRIGHT, "--outputjson", "--pythonpath", sys.executable)
    found = json.loads(said)["generalDiagnostics"]
    revealed = [re.search(r'is "(\w+)"', one["message"]) for one in found]
    assert [one[1] for one in revealed if one] == TYPES
    errors = [one for one in found if one["severity"] in ("error", "warning")]
    assert [(one["range"]["start"]["line"], one["rule"]) for one in errors] == [
        (7, "reportArgumentType")
    ]


def test_a_language_server_completes_names(program: Path) -> None:
    script = jedi.Script(
        PROGRAM + "xiangqi.\nboard.ju",
        path=program,
        environment=jedi.create_environment(sys.executable, safe=False),
        project=jedi.Project(program.parent),
    )
    lines = PROGRAM.count("\n")
    names = {one.name for one in script.complete(lines + 1, len("xiangqi."))}
    assert {"Board", "Move", "Referee", "Meihua", "RED", "read_games"} <= names
    assert "judge" in {one.name for one in script.complete(lines + 2, len("board.ju"))}
