"""Ends of a search: inside an iteration, and on a clock that has run out."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.support.soak import SOAK
from xiangqi import WXF, Board, Move
from xiangqi.casebook.random_cycles import random_playout, random_sparse
from xiangqi.core.searches import SCORES, SearchInfo, SearchLimits, SearchResult
from xiangqi.engine.bench import BENCH_RECORDS
from xiangqi.engine.searcher import make_searcher
from xiangqi.games.record import GameRecord

pytestmark = pytest.mark.long

MATE = SCORES["mate"]
FALLS = "r1bakabr1/9/1cn3nc1/p1p1p2Rp/6p2/9/P1P1P1P1P/1C2C1N2/9/RNBAKAB2 w"
"""The score falls from one iteration to the next."""


def search(board: Board, **limits: Any) -> SearchResult:
    return make_searcher(hash_mb=4).search(board, SearchLimits(**limits), WXF.switches)


@pytest.mark.parametrize("multipv", [1, 3])
def test_last_info_of_an_unfinished_iteration_has_all_nodes(multipv: int) -> None:
    """At any point of the iteration the last info has all nodes, and a playable line."""
    for nodes in (500, 3_000, 10_000, 20_000, 40_000):
        infos: list[SearchInfo] = []
        limits = SearchLimits(nodes=nodes, multipv=multipv)
        result = make_searcher(hash_mb=4).search(Board(), limits, WXF.switches, infos.append)
        last = infos[-1]
        assert last.nodes == result.nodes == nodes
        leading = [info for info in infos if info.multipv == 1][-1]
        assert leading.nodes == nodes
        assert leading.pv[0] == result.best
        assert leading.depth in (result.depth, result.depth + 1)
        assert leading.bound == "exact" or leading.depth == result.depth + 1
        for info in infos:
            line = Board()
            for move in info.pv:
                line.push(move)


@pytest.mark.parametrize("record", BENCH_RECORDS[:4], ids=lambda record: record.fen)
@pytest.mark.parametrize("multipv", [1, 3])
def test_the_result_is_what_was_reported_last(record: GameRecord, multipv: int) -> None:
    """Wherever the search ends: also where its move has only been seen to fall, nobody knows how
    far."""
    searcher = make_searcher(hash_mb=1)
    for nodes in range(100, 6_000, 59):
        searcher.clear()
        infos: list[SearchInfo] = []
        limits = SearchLimits(nodes=nodes, multipv=multipv)
        result = searcher.search(record.play(), limits, WXF.switches, infos.append)
        last = [info for info in infos if info.multipv == 1][-1]
        assert (last.pv[0], last.score) == (result.best, result.score), nodes


@pytest.mark.parametrize("record", BENCH_RECORDS[:4], ids=lambda record: record.fen)
@pytest.mark.parametrize("multipv", [2, 3, 5])
def test_all_lines_are_reported_once_more_each_with_a_move_of_its_own(
    record: GameRecord, multipv: int
) -> None:
    """Wherever the search ends. The last word on a line is what Engine.analyse returns."""
    searcher = make_searcher(hash_mb=1)
    board = record.play()
    for nodes in range(500, 20_000, 397 if SOAK else 1397):
        searcher.clear()
        infos: list[SearchInfo] = []
        limits = SearchLimits(nodes=nodes, multipv=multipv)
        result = searcher.search(board, limits, WXF.switches, infos.append)
        last = infos[-multipv:]
        assert [info.multipv for info in last] == list(range(1, multipv + 1)), nodes
        assert all(info.nodes == result.nodes for info in last), nodes
        assert last[0].pv[0] == result.best, nodes
        assert len({info.pv[0] for info in last}) == multipv, nodes
        for info in last:
            assert info.depth in (result.depth, result.depth + 1), nodes
            assert info.bound == "exact" or info.depth == result.depth + 1, nodes


def unfinished(board: Board, nodes: int, multipv: int) -> tuple[SearchResult, list[SearchInfo]]:
    """Result of a search that a number of nodes ends, and the last info of each line."""
    lines: dict[int, SearchInfo] = {}

    def keep(info: SearchInfo) -> None:
        lines[info.multipv] = info

    limits = SearchLimits(nodes=nodes, multipv=multipv)
    result = make_searcher(hash_mb=1).search(board, limits, WXF.switches, keep)
    return result, [lines[number] for number in sorted(lines)]


def test_lines_are_sorted_wherever_the_search_ends() -> None:
    """The best line is the first, and the result has its move and score."""
    rng = Random(14)
    boards = [random_sparse(rng) if i % 2 else random_playout(rng) for i in range(40)]
    for board in filter(Board.has_legal_move, boards * (10 if SOAK else 1)):
        for most in (300, 1_000, 5_000, 20_000):
            nodes, multipv = rng.randrange(60, most), rng.randrange(2, 9)
            result, lines = unfinished(board, nodes, multipv)
            case = (board.fen(), nodes, multipv)
            scores = [info.score for info in lines]
            assert scores == sorted(scores, reverse=True), case
            assert (lines[0].pv[0], scores[0]) == (result.best, result.score), case
            assert len({info.pv[0] for info in lines}) == len(lines), case
            limits = SearchLimits(nodes=nodes, multipv=multipv)
            silent = make_searcher(hash_mb=1).search(board, limits, WXF.switches)
            assert (silent.best, silent.score) == (result.best, result.score), case


def test_mate_found_in_second_line_is_played() -> None:
    """The first line, to the same depth, does not see it."""
    board = Board("2ba1k3/4a1N2/c3bc3/4P4/9/4CR3/6r2/4B4/3pA4/4KAB2 w")
    searcher = make_searcher()
    limits = SearchLimits(nodes=20_000, multipv=4)
    infos: list[SearchInfo] = []
    result = searcher.search(board, limits, WXF.switches, infos.append)
    assert [info.multipv for info in infos[-4:]] == [1, 2, 3, 4]
    assert (infos[-4].pv[0], infos[-4].score) == (result.best, MATE - 7)
    assert result.best == Move.from_iccs("f4f7")


def test_upper_bound_of_a_refuted_move_is_reported() -> None:
    """A move that the first line has refuted at this depth does not keep its old, higher score."""
    bounds = set()
    for nodes in range(500, 6_000, 50):
        for info in unfinished(Board(FALLS), nodes, 3)[1]:
            bounds.add(info.bound)
    assert bounds == {"exact", "lower", "upper"}


def test_first_iteration_is_finished_when_time_is_up() -> None:
    """The clock is at 1 ms, which the first node uses up."""
    searcher = make_searcher(hash_mb=1)
    limits = SearchLimits(hard_ms=1, nodes_per_ms=1)
    rng = Random(15)
    for _ in range(200):
        board = random_playout(rng)
        if not board.has_legal_move():
            continue
        searcher.clear()
        result = searcher.search(board, limits, WXF.switches)
        assert result.depth >= 1, board.fen()


def test_mates_in_one_are_seen_when_time_is_up() -> None:
    rng = Random(3)
    mates = 0
    while mates < 25:
        board = random_playout(rng)
        if any(gives_mate(board, move) for move in board.list_moves()):
            result = search(board, hard_ms=1, nodes_per_ms=1)
            assert result.best is not None
            assert gives_mate(board, result.best), board.fen()
            mates += 1


def gives_mate(board: Board, move: Move) -> bool:
    after = board.copy()
    after.push(move)
    return after.is_check() and not after.has_legal_move()


def test_nodes_of_a_first_iteration_after_its_time_are_bounded() -> None:
    """50 lines of a position made for it would take 24,000 nodes."""
    board = Board("6n2/4ak3/c3cCPC1/2R6/9/p2R5/3p2r2/B2A1KNp1/N6p1/5AB2 w")
    assert search(board, depth=1, multipv=50).nodes > 23_000
    assert search(board, hard_ms=1, nodes_per_ms=1, multipv=50).nodes < 20_100
