"""Several threads: who searches which depths, whose move is played, the info lines."""

from __future__ import annotations

from itertools import pairwise

import pytest

from xiangqi import WXF, Board
from xiangqi.core.searches import SCORES, SearchInfo, SearchLimits, SearchResult
from xiangqi.core.testing import elect_worker, searched_depths
from xiangqi.engine.searcher import make_searcher

MATE, RULE_WIN = SCORES["mate"], SCORES["rule_win"]
ONE, OTHER, THIRD = 1, 2, 3
"""Moves, whose codes a vote only compares."""
MIDDLE_GAMES = (
    "r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w - - 0 6",
    "r1bakabr1/9/1cn3nc1/p1p1p2Rp/6p2/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB2 w",
    "2b1ka3/5P3/1rR2arPC/2Pc3N1/2c2n1nP/6R2/9/pC1Ap3B/4pNp2/5KBp1 w",
)


def search(
    board: Board, threads: int, infos: list[SearchInfo], limits: SearchLimits
) -> SearchResult:
    searcher = make_searcher(hash_mb=4, threads=threads)
    return searcher.search(board, limits, WXF.switches, infos.append)


# Depths


def test_helpers_leave_depths_out_by_turns() -> None:
    assert searched_depths(1, 8) == [2, 4, 6, 8]
    assert searched_depths(2, 8) == [1, 3, 5, 7]
    assert searched_depths(3, 8) == [1, 4, 5, 8]
    assert searched_depths(7, 12) == [1, 2, 6, 7, 8, 12]


def test_helpers_differ_and_all_depths_are_searched() -> None:
    patterns = [tuple(searched_depths(helper, 24)) for helper in range(1, 21)]
    assert len(set(patterns)) == 20
    for first, last in ((1, 2), (3, 6), (7, 12), (13, 20)):
        group = patterns[first - 1 : last]
        for depth in range(1, 25):
            assert sum(depth in pattern for pattern in group) == len(group) / 2
    for helper in (21, 255):
        assert searched_depths(helper, 24) == searched_depths((helper - 1) % 20 + 1, 24)
        assert all(after - before <= 5 for before, after in pairwise(searched_depths(helper, 60)))


# The vote


@pytest.mark.parametrize(
    ("words", "elected"),
    [
        pytest.param([(ONE, 20, 9)], 0, id="alone"),
        pytest.param([(ONE, 20, 9), (OTHER, 20, 9)], 0, id="the main one where all is equal"),
        pytest.param([(ONE, 20, 9), (ONE, 60, 12)], 0, id="the main one where moves are the same"),
        pytest.param([(ONE, 20, 9), (OTHER, 60, 9)], 1, id="a better score"),
        pytest.param([(ONE, 20, 9), (OTHER, 20, 11)], 1, id="a deeper search"),
        pytest.param([(ONE, 30, 9), (OTHER, 20, 9), (OTHER, 25, 9)], 2, id="two against one"),
        pytest.param([(ONE, 500, 9), (OTHER, 20, 9), (OTHER, 25, 9)], 0, id="unless it is better"),
        pytest.param([(ONE, 0, 0), (OTHER, -50, 3)], 1, id="whoever has finished anything"),
        pytest.param([(ONE, 0, 0), (OTHER, 0, 0)], 0, id="nobody has"),
        pytest.param([(ONE, 900, 30), (ONE, 900, 30), (OTHER, MATE - 9, 2)], 2, id="a mate"),
        pytest.param([(ONE, MATE - 9, 20), (OTHER, MATE - 5, 8)], 1, id="a shorter mate"),
        pytest.param([(ONE, MATE - 5, 8), (OTHER, MATE - 9, 20)], 0, id="no longer mate"),
        pytest.param([(ONE, RULE_WIN - 9, 9), (OTHER, MATE - 99, 9)], 1, id="rather than by rule"),
        pytest.param([(ONE, 6 - MATE, 20), (OTHER, -80, 9)], 1, id="a move not yet refuted"),
        pytest.param(
            [(ONE, 10, 9), (OTHER, 10, 8), (THIRD, 30, 9), (OTHER, 20, 10)],
            3,
            id="shares of a move",
        ),
    ],
)
def test_the_vote(words: list[tuple[int, int, int]], elected: int) -> None:
    assert elect_worker(words) == elected


# Searches


@pytest.mark.parametrize("fen", MIDDLE_GAMES)
def test_last_reported_move_is_played(fen: str) -> None:
    board = Board(fen)
    for nodes in (30, 3000, 20_000):
        infos: list[SearchInfo] = []
        result = search(board, 4, infos, SearchLimits(nodes=nodes))
        assert result.best in board.legal_moves
        line = (result.best, result.ponder)
        assert infos[-1].pv[:2] == tuple(move for move in line if move is not None)
        assert result.nodes >= nodes
        assert result.depth == infos[-1].depth or infos[-1].bound == "lower"


@pytest.mark.parametrize(
    "fen", ["4k3N/2C6/4n4/1R7/6P2/9/9/9/4K2R1/9 w", "4k4/9/6r2/r2c3C1/1P7/2B6/7p1/5K3/N8/9 b"]
)
def test_voted_thread_reports_its_mate(fen: str) -> None:
    """Mates in two: whichever thread comes to depth 3 has found it."""
    infos: list[SearchInfo] = []
    result = search(Board(fen), 3, infos, SearchLimits(nodes=100_000))
    assert result.score == infos[-1].score == MATE - 3


def test_a_depth_is_that_of_the_main_thread() -> None:
    for limits in (SearchLimits(depth=6), SearchLimits(depth=6, multipv=2)):
        infos: list[SearchInfo] = []
        result = search(Board(), 4, infos, limits)
        assert result.depth == 6 == infos[-1].depth
        assert result.best == [info for info in infos if info.multipv == 1][-1].pv[0]


def test_several_lines_are_those_of_the_main_thread() -> None:
    infos: list[SearchInfo] = []
    result = search(Board(), 4, infos, SearchLimits(nodes=20_000, multipv=2))
    first = [info for info in infos if info.multipv == 1][-1]
    assert result.best == first.pv[0]
