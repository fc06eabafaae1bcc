"""The files of ``examples/``: whole, legal, small, shipped, and ruled as their README says."""

from __future__ import annotations

from pathlib import Path

import pytest
from setuptools.command.egg_info import FileList

from tests.oracle import judge as oracle
from xiangqi import STARTING_FEN, Board, Termination
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game
from xiangqi.match.openings import read_openings

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"

CHECK, CHASE = Termination.PERPETUAL_CHECK, Termination.PERPETUAL_CHASE
IDLE, MATE = Termination.REPETITION, Termination.CHECKMATE
RULED: dict[str, list[tuple[str, str, Termination, tuple[str, str] | None]]] = {
    "games.pgn": [
        ("1/2-1/2", "0-1", CHASE, ("chase", "idle")),
        ("1-0", "1-0", MATE, None),
        ("1/2-1/2", "1-0", CHECK, ("idle", "check")),
        ("1/2-1/2", "1/2-1/2", IDLE, ("idle", "idle")),
    ],
    "chariot.xqf": [("1/2-1/2", "1-0", CHASE, ("idle", "chase"))],
    "horse.ubb": [("1/2-1/2", "0-1", CHASE, ("chase", "idle"))],
}
"""The recorded result, the true one, why, and what each side does in the cycle."""


def games_of(name: str) -> list[Game]:
    with (EXAMPLES / name).open("rb") as data:
        return list(read_games(data, None, name))


@pytest.mark.parametrize("name", RULED)
def test_games_are_ruled_as_intended(name: str) -> None:
    """By the referee and by the oracle; they begin at the beginning and all moves are legal."""
    games = games_of(name)
    assert len(games) == len(RULED[name])
    for game, (recorded, result, termination, conduct) in zip(games, RULED[name], strict=True):
        assert not game.errors
        assert game.fen == STARTING_FEN
        assert game.headers["Result"] == recorded
        moves = [move.iccs() for move in game.moves()]
        board = Board()
        for move in moves:
            assert board.outcome() is None
            board.push_iccs(move)
        outcome = board.outcome()
        assert outcome is not None
        assert (outcome.result(), outcome.termination) == (result, termination)
        if conduct is not None:
            judged = oracle.judge(STARTING_FEN, moves)
            assert (judged.red, judged.black) == conduct


def test_openings() -> None:
    openings = read_openings(EXAMPLES / "openings.epd")
    assert len({opening.fen for opening in openings}) == len(openings) == 8
    text = (EXAMPLES / "openings.epd").read_text(encoding="ascii")
    assert text.count(';id "') == 8


def test_the_readme_names_every_file() -> None:
    text = (EXAMPLES / "README.md").read_text(encoding="utf-8")
    for path in EXAMPLES.iterdir():
        assert path.name == "README.md" or f"`{path.name}`" in text


def test_examples_are_smaller_than_8_kb() -> None:
    assert sum(path.stat().st_size for path in EXAMPLES.iterdir()) < 8192


@pytest.mark.parametrize("folder", [".ci", "examples"])
def test_examples_are_in_the_source_distribution(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    files = FileList()
    for line in Path("MANIFEST.in").read_text(encoding="utf-8").splitlines():
        files.process_template_line(line)
    there = {path.as_posix() for path in Path(folder).iterdir() if path.is_file()}
    assert there
    assert there <= set(files.files)
