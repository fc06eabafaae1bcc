"""The strength bench: its openings, and its table from games against a mock engine."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from bench import strength
from bench.strength import EVEN_CP, JUDGING_DEPTH, OPENING_PLIES, Peer, even_openings
from tests.support.matches import MOCK
from xiangqi import Board
from xiangqi.engine import Engine, Limits
from xiangqi.games.record import GameRecord
from xiangqi.match.openings import read_openings


def assert_even(board: Board, most: int) -> None:
    """Assert that quiet moves led to a position with a score of at most so many centipawns."""
    assert (board.ply(), board.halfmove_clock) == (OPENING_PLIES, OPENING_PLIES)
    found = Engine().analyse(board, Limits(depth=JUDGING_DEPTH))
    assert abs(found[0].score) <= most


def test_openings_are_even_quiet_and_the_same_for_a_seed() -> None:
    rows = even_openings(5, seed=1)
    assert rows == even_openings(5, seed=1)
    assert set(rows) != set(even_openings(5, seed=2))
    boards = [GameRecord(moves=tuple(row.split())).play() for row in rows]
    assert len({board.key for board in boards}) == 5
    for board in boards:
        assert_even(board, EVEN_CP)


def test_the_shipped_openings() -> None:
    path = Path(strength.__file__).with_name("openings.txt")
    openings = read_openings(path)
    assert len({opening.board().key for opening in openings}) == len(openings) == 300
    for opening in openings[:30]:
        assert_even(opening.board(), 3 * EVEN_CP)  # chosen with another network


def test_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = f"args={shlex.quote(str(MOCK))} --dialect ucci --behaviour resign --after 1"
    present = Peer(sys.executable, "pip install it", (arguments,))
    absent = Peer("no-such-engine", "apt-get install it", ())
    monkeypatch.setattr(strength, "PEERS", (absent, present))
    monkeypatch.setattr(sys, "argv", ["strength", "--games", "2", "--st", "0.05"])
    monkeypatch.setattr(strength, "find_program", lambda name: name if name[0] == "/" else None)
    assert strength.main() == 0
    output = capsys.readouterr().out
    assert "no-such-engine: not installed: apt-get install it" in output
    assert "100.0 %" in output
    assert "+inf" in output


@pytest.mark.parametrize("words", [["--peer", "stockfish"], ["--games", "1"], ["--st", "0"]])
def test_bad_words(monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["strength", *words])
    with pytest.raises(SystemExit):
        strength.main()
