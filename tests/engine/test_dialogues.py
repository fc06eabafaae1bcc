"""Recorded dialogues of GUIs and match runners, replayed with the engine's process."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.dialogues import DIALOGUES, Unexpected, play, play_file
from xiangqi.compliance.examiner import Transcript

MEIHUA = [sys.executable, "-c", "from xiangqi.engine.meihua import main; main()"]
SCRIPT = Path(__file__).parents[2] / "tools/dialogues.py"


@pytest.mark.parametrize("path", DIALOGUES, ids=lambda path: path.stem)
def test_dialogue(path: Path) -> None:
    play_file(MEIHUA, path)


@pytest.mark.parametrize(
    "lines",
    [
        ["> uci", "< uciok"],
        ["> uci", "<* (id|option) .*", "< uciok", "> nonsense", "> isready", "< readyok"],
        ["> uci", "<* (id|option) .*", "< uciok", "> go depth 1", "> isready", "< readyok"],
        ["> uci", "<* (id|option) .*", "< uciok", "> isready"],
    ],
    ids=["a line before", "a message", "an answer too many", "more at the end"],
)
def test_an_unexpected_line_is_an_error(lines: list[str]) -> None:
    with Transcript(MEIHUA) as engine, pytest.raises(Unexpected):
        play(engine, lines)


def test_another_program_is_an_error() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), sys.executable, "-c", "print('id name Meihua')"],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode != 0
    assert "expected" in done.stderr
