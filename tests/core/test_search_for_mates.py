"""The search where only a mate is looked for: first by the solvers, then by itself."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from tests.fuzz.mates import claims
from tests.support.networks import random_network
from xiangqi import WXF, Board
from xiangqi.core.searcher import Searcher
from xiangqi.core.searches import SCORES, SearchInfo, SearchLimits, SearchResult
from xiangqi.core.solver import find_check_mate
from xiangqi.engine.searcher import make_parameters, make_searcher

MATE = SCORES["mate"]
PRUNED = {"LATE_MOVE_PRUNING_DEPTH": 10, "LATE_MOVE_PRUNING_BASE": 1}
"""Late-move pruning that hides long mates from the search, so that the solver finds them."""


def search(board: Board, **limits: Any) -> SearchResult:
    return make_searcher(hash_mb=4).search(board, SearchLimits(**limits), WXF.switches)


QUIET_MATES = {  # and in how many moves; none is a chain of checks
    "3k1ab1C/4R4/5r3/p3N1N2/2b6/4p1P2/P7P/4B4/9/c1BAKA3 w - - 15 34": 6,
    "3k1ab1C/4R4/6N2/p5N2/2b6/4p1P2/P4r2P/4B4/9/c1BAKA3 w - - 13 33": 7,
    "3aka3/1n7/2N6/p4P3/6R2/P7P/4N4/4B4/4A4/2BA1K3 w - - 5 42": 6,
    "2R6/3k5/9/4P4/9/9/4p3r/9/4A4/2B1K4 w - - 19 70": 6,
    "3akab2/4n4/4bc3/p7p/2rN2p2/5R3/P3C3P/8B/4A4/3AK4 w - - 4 26": 5,
    "3akab2/4n4/4bc3/p7p/3N2p2/5R3/P7P/2r1C3B/4A4/3AK4 w - - 2 25": 6,
    "4kab2/4a4/7r1/3P5/1Pb6/9/9/2N1Bn3/2n2K3/3A2B2 b - - 1 42": 7,
    "9/4P4/3k5/3N5/4n4/6B2/9/3pBA3/5p3/4K4 b - - 4 83": 5,
    "9/4P4/3k5/3N5/9/2B3B2/5n3/3p1A3/5p3/4K4 b - - 2 82": 6,
    "2bk5/4P4/9/6N2/5P3/4n1B2/9/9/5p3/4K4 w - - 13 90": 5,
}


def test_mate_search_does_not_prune_by_evaluation() -> None:
    """With the pruning of an ordinary search the ten take twice as many (4.7 million). The solvers
    do not search for two lines."""
    results = [
        search(Board(fen), mate=moves, nodes=2_000_000, multipv=2)
        for fen, moves in QUIET_MATES.items()
    ]
    assert all(result.score > MATE - 2 * 7 for result in results)
    assert sum(result.nodes for result in results) < 3_500_000


def test_mate_search_stays_within_the_requested_length() -> None:
    infos: list[SearchInfo] = []
    for fen, moves in QUIET_MATES.items():
        limits = SearchLimits(mate=moves - 1, nodes=100_000)
        make_searcher(hash_mb=4).search(Board(fen), limits, WXF.switches, infos.append)
        assert max(info.seldepth for info in infos) <= 2 * (moves - 1) + 1  # the root is one
        infos.clear()


def test_a_search_for_a_mate_says_nothing_to_later_ones_that_is_not_so() -> None:
    """The search for a mate is limited by the root's maximum ply, not by the position. The solvers
    do not search for two lines."""
    for fen, moves in QUIET_MATES.items():
        searcher = make_searcher(hash_mb=4)
        searcher.search(Board(fen), SearchLimits(mate=2, nodes=20_000, multipv=2), WXF.switches)
        limits = SearchLimits(mate=moves, nodes=2_000_000, multipv=2)
        assert searcher.search(Board(fen), limits, WXF.switches).score > MATE - 2 * moves


def test_chains_of_checks_are_left_to_the_solver() -> None:
    """With its line to the end, and next to no search."""
    board = Board("2bak1c2/4aRN1r/4b4/9/9/9/3pp4/2n1B4/9/2B1K2C1 w")
    infos: list[SearchInfo] = []
    searcher = make_searcher(hash_mb=4)
    result = searcher.search(board, SearchLimits(mate=8), WXF.switches, infos.append)
    assert (result.score, result.depth, len(infos)) == (MATE - 7, 7, 1)
    assert infos[0].pv == find_check_mate(board, 8, 50_000_000)[0]
    assert (result.best, result.ponder) == infos[0].pv[:2]
    assert result.nodes == infos[0].nodes > 0
    for limits in (SearchLimits(mate=8, multipv=2), SearchLimits(mate=8, depth=1)):
        infos.clear()
        searcher.search(board, limits, WXF.switches, infos.append)
        assert infos[0].depth == 1  # a search has begun


def test_mates_by_other_moves_are_proved() -> None:
    """Before anything is searched, with a line that mates."""
    for fen, moves in QUIET_MATES.items():
        board = Board(fen)
        infos: list[SearchInfo] = []
        make_searcher(hash_mb=4).search(board, SearchLimits(mate=moves), WXF.switches, infos.append)
        assert len(infos) == 1
        assert infos[0].score == MATE - len(infos[0].pv) >= MATE - 2 * moves
        for move in infos[0].pv:
            board.push(move)
        assert not board.has_legal_move()


def test_the_solver_and_the_search_take_turns() -> None:
    """The search, by a random network, begins after the solver's first turn; the second one finds
    the mate."""
    board = Board("2b1ka3/4a4/4b4/9/2p6/1p7/9/4Bp3/4K2R1/2B2r1c1 b")
    infos: list[SearchInfo] = []
    searcher = Searcher(make_parameters(PRUNED), random_network(), hash_mb=64)
    result = searcher.search(board, SearchLimits(mate=9), WXF.switches, infos.append)
    assert 3_000_000 < result.nodes < 5_000_000
    assert infos[0].depth == 1  # a search has begun
    assert infos[-1].depth == len(infos[-1].pv)  # as in the solver's lines
    assert infos[-1].score == result.score == MATE - len(infos[-1].pv) >= MATE - 2 * 9
    for move in infos[-1].pv:
        board.push(move)
    assert not board.has_legal_move()


@pytest.mark.parametrize(("nodes", "is_found"), [(900_000, False), (2_000_000, True)])
def test_the_solver_has_one_turn_of_a_number_of_nodes(nodes: int, is_found: bool) -> None:
    """It has a third of the number, and needs 358,814 for this mate; then a search begins."""
    board = Board("9/5kN2/9/9/4n4/7C1/9/4BA3/4A4/4K1B2 w")
    infos: list[SearchInfo] = []
    limits = SearchLimits(mate=11, nodes=nodes)
    make_searcher(hash_mb=16).search(board, limits, WXF.switches, infos.append)
    if is_found:
        assert [(one.nodes, one.depth, len(one.pv)) for one in infos] == [(358_814, 21, 21)]
    else:
        assert infos[0].depth == 1
        assert nodes // 3 < infos[0].nodes < nodes // 3 + 1_000


def test_the_solver_ends_in_time() -> None:
    """It would need seconds to know that there is no mate in eight."""
    searcher = make_searcher(hash_mb=4)
    result = searcher.search(Board(), SearchLimits(mate=8, hard_ms=5), WXF.switches)
    assert result.best is not None
    assert result.nodes < 200_000


def test_the_solver_is_not_asked_where_the_game_repeats() -> None:
    """It knows of no game; the search does."""
    board = Board("2bak1c2/4aRN1r/4b4/9/9/9/3pp4/2n1B4/9/2B1K2C1 w")
    for move in ("c0a2", "i8i7", "a2c0", "i7i8"):
        board.push_iccs(move)
    infos: list[SearchInfo] = []
    make_searcher(hash_mb=4).search(board, SearchLimits(mate=8), WXF.switches, infos.append)
    assert infos[0].depth == 1
    assert infos[-1].score >= MATE - 2 * 8


@pytest.mark.parametrize(
    "fen",
    ["9/9/3k3P1/9/8R/5N3/9/1p1N5/9/3AK2r1 w", "4Pk3/9/2P6/9/9/9/8R/2r5p/1c2r4/2nK5 b"],
)
def test_winning_by_the_rules_is_no_mate(fen: str) -> None:
    """A search for a mate does not accept a win by the other's perpetual checks."""
    least = SCORES["win_in_max"]
    assert least < search(Board(fen), depth=8).score < SCORES["mate_in_max"]
    assert abs(search(Board(fen), depth=8, mate=3).score) < least


def test_mates_are_proved_by_playing_them_out() -> None:
    """``python -m tests.fuzz.mates`` proves as many as one has patience for."""
    assert [flaw for _, _, flaw in islice(claims(seed=2), 12)] == [None] * 12
