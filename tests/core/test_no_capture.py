"""The search ends its lines at the limit without a capture where the referee ends the game."""

from __future__ import annotations

import pytest

from xiangqi import WXF, Board, Move
from xiangqi.core.searches import SCORES, SearchLimits
from xiangqi.engine.searcher import make_searcher
from xiangqi.referee.outcome import Termination

MATE = SCORES["mate"]
LAST_PLY = " w - - 119 90"
"""Red to move; the limit of WXF is reached by any move that captures nothing."""


@pytest.mark.parametrize(
    "pieces",
    [
        "3k5/9/4P4/9/9/9/9/9/9/4K4",
        "4k3N/2C6/4n4/1R7/6P2/9/9/9/4K2R1/9",
        "4k4/9/9/9/9/9/9/1R6R/9/3K5",
        "4k4/R8/9/9/9/9/9/1R7/9/3K5",
        "4ka3/4a4/9/9/9/9/9/R8/3p5/5K2r",
    ],
)
@pytest.mark.parametrize("depth", [1, 2, 5])
def test_a_move_that_reaches_the_limit(pieces: str, depth: int) -> None:
    """Draws, checks that would go on to a mate, mates and stalemates alike."""
    board = Board(pieces + LAST_PLY)
    searcher = make_searcher(hash_mb=1)
    compared = 0
    for move in board.legal_moves:
        after = board.copy()
        after.push(move)
        outcome = after.outcome(WXF)
        if outcome is None:
            continue
        searcher.clear()
        limits = SearchLimits(depth=depth, moves=(move,))
        score = searcher.search(board, limits, WXF.switches).score
        is_draw = outcome.termination is Termination.NO_CAPTURE
        assert score == (0 if is_draw else MATE - 1), move
        compared += 1
    assert compared


def test_a_mate_that_comes_too_late_is_a_draw() -> None:
    """Each move of this mate in two gives check; two plies earlier it is in time."""
    pieces, check = "4k4/9/9/9/9/9/9/1R6R/9/3K5", Move.from_iccs("b2e2")
    for clock, score in ((117, MATE - 3), (118, 0), (119, 0)):
        board = Board(f"{pieces} w - - {clock} 90")
        limits = SearchLimits(depth=5, moves=(check,))
        assert make_searcher(hash_mb=1).search(board, limits, WXF.switches).score == score, clock
