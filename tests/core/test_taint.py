"""Scores that rest on a repetition of their own line are marked as such, so that none of them is
kept in the transposition table."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from xiangqi import ALL_DRAWS, WXF, Board, Move
from xiangqi.core.searches import SearchLimits
from xiangqi.core.testing import search_inside
from xiangqi.engine.bench import BENCH_RECORDS
from xiangqi.engine.searcher import make_searcher

CROWDED = next(record for record in BENCH_RECORDS if record.fen.startswith("r1ba1a3/4kn3"))
"""Many pieces, and repetitions near the root."""
TWICE_DRAWS = replace(ALL_DRAWS, occurrences=2)


def lone_king_that_can_repeat_two_ways() -> Board:
    """Red is lost but for e0d0 and e0f0, which both bring back an earlier position: a draw."""
    board = Board("4k4/9/4b4/9/9/9/9/r8/8c/3K5 b")
    moves = "a2b2 d0d1 b2b3 d1e1 b3a3 e1f1 a3a2 f1f0 a2c2 f0f1 c2c4 f1e1 c4a4 e1e0 a4a2"
    for move in moves.split():
        board.push_iccs(move)
    return board


@pytest.mark.parametrize("depth", range(4, 14))
def test_a_cut_by_several_moves_is_tainted_where_they_repeat(depth: int) -> None:
    """From the depth on at which moves beside the table's are looked at, they make a multi-cut."""
    board = lone_king_that_can_repeat_two_ways()
    beta = -300
    score, is_tainted = search_inside(
        make_searcher(hash_mb=1),
        board,
        SearchLimits(),
        TWICE_DRAWS.switches,
        beta,
        depth,
        Move.from_iccs("e0d0"),
    )
    assert score >= beta  # which no line reaches that does not repeat
    assert is_tainted


def test_a_verified_pass_is_tainted_where_the_pass_alone_was() -> None:
    """Verification adds no other score: it is still that of the search behind the pass."""
    depth, beta = 8, -100
    unverified = make_searcher(changes={"NULL_MOVE_VERIFY_DEPTH": 30}, hash_mb=1)
    verified = make_searcher(changes={"NULL_MOVE_VERIFY_DEPTH": depth}, hash_mb=1)
    rng = random.Random(5)
    compared = 0
    for _ in range(250):
        board = CROWDED.play()
        for _ in range(rng.randrange(1, 8)):
            if board.has_legal_move():
                board.push(rng.choice(list(board.legal_moves)))
        if board.is_check() or not board.has_legal_move():
            continue
        answers = []
        for searcher in (unverified, verified):
            searcher.clear()
            answers.append(
                search_inside(searcher, board, SearchLimits(), WXF.switches, beta, depth)
            )
        (score, is_tainted), other = answers
        if is_tainted and score >= beta and other[0] == score:
            assert other == (score, True), board.fen()
            compared += 1
    assert compared
