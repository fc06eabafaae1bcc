"""The engine in XBoard, and in Meihua's own matches by the XBoard protocol."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.matches import MEIHUA, play
from xiangqi.games.formats import read_games

GAMES = "/usr/games"
MISSING = [
    name
    for name in ("xboard", "hoixiangqi", "Xvfb")
    if not shutil.which(name, path=f"{os.environ['PATH']}{os.pathsep}{GAMES}")
]


@pytest.fixture
def screen() -> Iterator[str]:
    """A virtual display."""
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", "1024x768x24", "-nolisten", "tcp"],
        pass_fds=(writer,),
        stderr=subprocess.DEVNULL,
    )
    os.close(writer)
    with os.fdopen(reader) as numbers:
        yield f":{numbers.readline().strip()}"
    server.terminate()
    server.wait(timeout=10)


@pytest.mark.skipif(bool(MISSING), reason=f"not installed: {', '.join(MISSING)}")
def test_a_game_in_xboard(screen: str, tmp_path: Path) -> None:
    """XBoard judges every move and claim, and saves the game."""
    settings = "-variant xiangqi -mg 1 -tc 5 -searchDepth 2 -popupMoveErrors false"
    settings += " -popupExitMessage false -ringBellAfterMoves false -debug"
    command = ["xboard", *settings.split(), "-fcp", MEIHUA, "-scp", f"{GAMES}/hoixiangqi"]
    files = ["-sgf", "games.pgn", "-nameOfDebugFile", "dialogue.log"]
    environment = os.environ | {
        "DISPLAY": screen,
        "HOME": str(tmp_path),
        "PATH": f"{os.environ['PATH']}{os.pathsep}{GAMES}",
        "PYTHONPATH": str(Path(__file__).parents[2]),
    }
    subprocess.run(
        [*command, *files], cwd=tmp_path, env=environment, timeout=300, capture_output=True
    )
    dialogue = (tmp_path / "dialogue.log").read_text(encoding="utf-8", errors="replace")
    assert "first : move " in dialogue
    for fault in ("Illegal move", "Error (", "False ", "tellusererror", "Hung", "exited"):
        assert fault not in dialogue
    with (tmp_path / "games.pgn").open("rb") as file:
        (game,) = read_games(file)
    assert game.headers["Red"].startswith("Meihua ")
    assert game.headers["Result"] in ("1-0", "0-1", "1/2-1/2")
    assert not game.errors
    assert len(game.moves()) > 10


def test_a_match_by_the_xboard_protocol(tmp_path: Path) -> None:
    """Against itself by UCCI, on a clock: no game is lost by a forfeit."""
    played = play(
        tmp_path,
        [f"cmd={MEIHUA}", "proto=xboard", "name=one"],
        [f"cmd={MEIHUA}", "proto=ucci", "name=other"],
        words="-each tc=40/20 depth=3 -rounds 1 -maxmoves 30",
    )
    assert played.code == 0
    assert len(played.games) == 2
    ended = re.findall(r'\[Termination "(.*)"\]', played.pgn)
    assert set(ended) <= {"normal", "adjudication"}
    for fault in ("Illegal move", "Error ("):
        assert fault not in played.log
