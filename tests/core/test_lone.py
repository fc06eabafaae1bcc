"""Endings of one attacker, or none: what the search knows of them."""

from __future__ import annotations

import pytest

from xiangqi import WXF, Board
from xiangqi.core.evaluator import wins_alone
from xiangqi.core.searches import SearchLimits
from xiangqi.engine.searcher import make_searcher

WON = {
    "a chariot against three guards": "3ak1b2/4a4/9/9/9/9/9/9/R8/3K5 w",
    "a horse against an advisor": "3ak4/9/9/9/9/2N6/9/9/9/3K5 w",
    "a cannon with an advisor against two": "3ak4/4a4/9/9/9/2C6/9/9/4A4/3K5 w",
    "a cannon with an advisor against an elephant": "4k1b2/9/9/9/9/2C6/9/9/4A4/3K5 w",
    "a soldier against a king": "3k5/9/9/9/6P2/9/9/9/9/4K4 w",
}
DRAWN = {
    "a chariot against all guards": "2bakab2/9/9/9/9/9/9/9/R8/3K5 w",
    "a horse against an elephant": "2bk5/9/9/9/9/5N3/9/9/9/4K4 w",
    "a horse against two advisors": "3ak4/4a4/9/9/9/2N6/9/9/9/3K5 w",
    "a cannon without a mount": "3k5/9/9/9/9/6C2/9/9/9/4K4 w",
    "a cannon with elephants alone": "3k5/4a4/9/9/9/8C/9/4B4/9/4K1B2 w",
    "a cannon against an advisor and an elephant": "3k5/4a4/4b4/9/9/8C/9/9/4A4/4K4 w",
    "a soldier against an advisor": "3k5/4a4/9/9/6P2/9/9/9/9/4K4 w",
    "an old soldier": "P8/3k5/9/9/9/9/9/9/9/4K4 w",
    "guards alone": "3k5/4a4/9/9/9/9/9/4B4/4A4/4KAB2 w",
}


def score(board: Board) -> int:
    return make_searcher(hash_mb=1).search(board, SearchLimits(depth=4), WXF.switches).score


@pytest.mark.parametrize("what", WON)
def test_won_lone_attacker_scores_as_won(what: str) -> None:
    board = Board(WON[what])
    for seen in (board, board.flip_colors()):
        assert wins_alone(seen) is True
        assert score(seen) > 400


@pytest.mark.parametrize("what", DRAWN)
def test_drawn_lone_attacker_scores_near_zero(what: str) -> None:
    board = Board(DRAWN[what])
    for seen in (board, board.flip_colors()):
        assert not wins_alone(seen)
        assert abs(score(seen)) < 40


def test_with_two_attackers_nothing_is_settled() -> None:
    assert wins_alone(Board()) is None
    assert wins_alone(Board("3k5/9/9/9/9/6C2/9/9/8P/4K4 w")) is None
    assert wins_alone(Board("3k5/9/9/9/9/6C2/9/9/8p/4K4 w")) is None
    assert wins_alone(Board("3k5/9/9/9/9/9/9/9/9/4K4 w")) is None
