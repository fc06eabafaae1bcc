"""The core and the oracle bar the same moves in random games.

``python -m tests.fuzz.superko`` does the same for as many games as one has patience for.
"""

from itertools import islice

import pytest

from tests.fuzz.superko import random_superko_games
from xiangqi import RULE_SETS, WXF, Board, Move

GAMES = 20
POSITIONAL = RULE_SETS["superko-positional"]
SITUATIONAL = RULE_SETS["superko-situational"]
CHARIOT = "3k5/9/9/9/9/9/9/9/R8/5K3 w - - 0 1"


def played(fen: str, moves: str) -> Board:
    board = Board(fen)
    for move in moves.split():
        board.push_iccs(move)
    return board


@pytest.mark.long
def test_random_games() -> None:
    barred = differing = 0
    for positions in islice(random_superko_games(seed=5), GAMES):
        for game in positions:
            assert list(game.differences()) == [], game.board.move_stack
            found = [game.board.barred_moves(rules) for rules in (POSITIONAL, SITUATIONAL)]
            barred += bool(found[0])
            differing += found[0] != found[1]
    assert barred > 10 * GAMES  # agreement where nothing comes back would prove little
    assert differing > GAMES


def test_when_a_position_stood() -> None:
    board = played(CHARIOT, "a1a2 d9d8 a2a3 d8d9")
    home, back = Move.from_iccs("a3a1"), Move.from_iccs("a3a2")
    assert board.repeated_ply(POSITIONAL.switches, home) == 0
    assert board.repeated_ply(SITUATIONAL.switches, home) is None
    assert board.repeated_ply(POSITIONAL.switches, back) == 1
    assert board.repeated_ply(SITUATIONAL.switches, back) == 1
    assert board.repeated_ply(WXF.switches, back) is None
    assert board.repeated_ply(SITUATIONAL.switches) is None
    board.push(back)
    assert board.repeated_ply(SITUATIONAL.switches) == 1


def test_a_capture_ends_the_memory() -> None:
    """Positions before a capture cannot come back."""
    board = played("3k5/9/9/9/9/9/9/9/Rp7/5K3 w - - 0 1", "a1a2 d9d8 a2a1 d8e8 a1b1")
    assert board.barred_moves(POSITIONAL) == []
    for move in "e8e9 b1b2 e9e8".split():
        assert board.barred_moves(SITUATIONAL) == []
        board.push_iccs(move)
    assert [move.iccs() for move in board.barred_moves(SITUATIONAL)] == ["b2b1"]
