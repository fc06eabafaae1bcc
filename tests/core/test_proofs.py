"""Mates by any moves: against an exhaustive search, against solved endings, by playing on."""

from __future__ import annotations

import random
from itertools import islice

import pytest

from tests.oracle.mates import moves_to_mate
from tests.support.helpers import oracle_position, played_fens, wild_boards
from tests.support.soak import SOAK
from xiangqi import Board
from xiangqi.core.board import CoreBoard
from xiangqi.core.solver import MAX_MOVES, find_mate
from xiangqi.core.tablebase import Tables
from xiangqi.referee.rules import ALL_DRAWS
from xiangqi.tables.classes import parse_class, with_captures
from xiangqi.tables.making import random_positions

pytestmark = pytest.mark.long

ENOUGH = 3_000_000
SAMPLE = 60 if SOAK else 30
"""Positions of an ending."""
LEAST = 6 if SOAK else 2
"""Mates, and positions without one, that a sample must have."""


def mate_in(board: CoreBoard, most: int) -> int | None:
    """In how many moves the solver mates; its line is played to the end, and is as long."""
    line, settled, nodes = find_mate(board, most, ENOUGH)
    assert settled
    assert nodes <= ENOUGH
    if line is None:
        return None
    assert 0 < len(line) < 2 * most
    played = board.copy()
    seen = {played.key}
    for move in line:
        assert played.is_legal(move)
        played.push(move)
        assert played.key not in seen
        seen.add(played.key)
    assert not played.has_legal_move()
    return (len(line) + 1) // 2


def check_claim(board: CoreBoard, moves: int) -> None:
    """After the solver's move and any reply it mates in one move less."""
    line, _, _ = find_mate(board, moves, ENOUGH)
    assert line is not None
    board.push(line[0])
    for reply in board.legal_moves:
        board.push(reply)
        assert mate_in(board, moves - 1) is not None, board.fen()
        board.pop()
    board.pop()


def compare(board: CoreBoard, most: int) -> int | None:
    """Whether it is mate in so many moves is what the oracle says, for fewer moves as well."""
    expected = moves_to_mate(oracle_position(Board(board.fen())), most)
    for number in range(1, most + 1):
        found = mate_in(board, number)
        assert (found is not None) == (expected is not None and expected <= number), board.fen()
    return expected


def test_mates_in_wild_positions() -> None:
    found = [compare(board, 1) for board in islice(wild_boards(random.Random(5)), 2 * SAMPLE)]
    assert found.count(1) >= LEAST
    assert found.count(None) > 20


def test_mates_in_endings() -> None:
    """Stalemates among them, which lose as well."""
    rng = random.Random(1)
    found = []
    for name in ("KPvKA", "KPPvK", "KNvKA", "KRvKA"):
        found += [
            compare(board, 2) for board in islice(random_positions(parse_class(name), rng), SAMPLE)
        ]
    assert min(found.count(1), found.count(2)) >= LEAST
    assert found.count(None) > 20


@pytest.mark.parametrize("name", ["KRvKA", "KNPvKA", "KPPvKB"])
def test_solved_endings(name: str) -> None:
    """There is a mate within the moves that the table gives, and none within fewer."""
    tables = Tables()
    for material in with_captures([parse_class(name)]):
        cells, _ = tables.solve(material.pieces, ALL_DRAWS.switches)
        tables.add(material.pieces, cells)
    longest = 0
    for board in islice(random_positions(parse_class(name), random.Random(2)), SAMPLE):
        known = tables.probe(board)
        assert known is not None
        value, plies, _ = known
        if value <= 0:
            assert mate_in(board, 3) is None
            continue
        moves = (plies + 1) // 2
        if moves > 9:
            continue
        assert mate_in(board, moves) == moves, board.fen()
        assert moves == 1 or mate_in(board, moves - 1) is None
        longest = max(longest, moves)
    assert longest > 3


def test_claims_in_games() -> None:
    """Positions of random games, with all pieces: each mate is proved by playing on."""
    proved = 0
    for fen in played_fens(seed=4, games=20)[:: 3 if SOAK else 6]:
        board = Board(fen)
        line, settled, _ = find_mate(board, 4, 20_000)
        if line is not None:
            assert settled
            check_claim(board, (len(line) + 1) // 2)
            proved += len(line) > 3
    assert proved > (2 if SOAK else 1)


def test_a_limit_is_reported() -> None:
    """Not settled, and no more nodes than allowed, give or take the moves of one position."""
    board = Board()
    line, settled, nodes = find_mate(board, 6, 1_000)
    assert (line, settled) == (None, False)
    assert 1_000 <= nodes < 1_000 + 128
    assert board == Board()


def test_a_side_without_a_move_mates_nobody() -> None:
    board = Board("3ak4/9/9/9/9/9/9/4p4/3p1p3/4K4 w")
    assert not board.has_legal_move()
    assert find_mate(board, 3, ENOUGH) == (None, True, 0)


@pytest.mark.parametrize("most", [0, -1, MAX_MOVES + 1])
def test_numbers_that_make_no_sense(most: int) -> None:
    with pytest.raises(ValueError, match="invalid max_moves"):
        find_mate(Board(), most, ENOUGH)
    with pytest.raises(ValueError, match="invalid node_limit"):
        find_mate(Board(), 3, 0)
