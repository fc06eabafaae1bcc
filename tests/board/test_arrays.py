"""Arrays of boards, compared with plain Python versions."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.helpers import played_fens
from xiangqi import BLACK, RED, SQUARES, Board, Move, PositionError
from xiangqi.board.arrays import (
    FEATURES,
    PLANE_NAMES,
    PLANES,
    POLICY_MOVES,
    POLICY_SIZE,
    feature_lists,
    legal_masks,
    planes,
    policy_index,
    policy_indices,
    policy_move,
)
from xiangqi.core.samples import features
from xiangqi.pieces import square_file, square_rank

BOARDS = [Board(fen) for fen in played_fens(7, 6)]


def slow_planes(board: Board) -> NDArray[np.uint8]:
    """Planes set piece by piece."""
    found = np.zeros((PLANES, 10, 9), dtype=np.uint8)
    for square, piece in board.piece_map().items():
        plane = piece.piece_type - 1 + (0 if piece.color == RED else 7)
        found[plane, square_rank(square), square_file(square)] = 1
    found[14] = board.turn == RED
    return found


def test_planes() -> None:
    found = planes(BOARDS)
    assert found.shape == (len(BOARDS), 15, 10, 9)
    assert found.dtype == np.uint8
    for board, one in zip(BOARDS, found, strict=True):
        assert np.array_equal(one, slow_planes(board))
        assert np.array_equal(one, board.planes())


def test_relative_planes_are_those_of_the_board_turned_over() -> None:
    for board in BOARDS:
        seen = board if board.turn == RED else board.flip_colors()
        relative = board.planes(relative=True)
        assert np.array_equal(relative[:14], slow_planes(seen)[:14])
        assert relative[14].all() == (board.turn == RED) == relative[14].any()


def test_masks() -> None:
    for relative in (False, True):
        found = legal_masks(BOARDS, relative=relative)
        assert found.shape == (len(BOARDS), POLICY_SIZE)
        assert found.dtype == np.bool_
        for board, mask in zip(BOARDS, found, strict=True):
            numbers = policy_indices(board.legal_moves, board.turn, relative=relative)
            assert sorted(numbers) == mask.nonzero()[0].tolist()
            assert np.array_equal(mask, board.legal_mask(relative=relative))
            back = {policy_move(int(n), board.turn, relative=relative) for n in numbers}
            assert back == set(board.legal_moves)


def ways() -> set[tuple[int, int]]:
    """All moves that some piece can make, derived from the rules."""
    found = set()
    for a in SQUARES:
        for b in SQUARES:
            df, dr = (abs(f(a) - f(b)) for f in (square_file, square_rank))
            if (df == 0) != (dr == 0) or {df, dr} == {1, 2}:
                found.add((a, b))
    for home in (0, 63):  # the lower left corner of a palace is 3, of Black's 66
        corners, centre = [home + 3, home + 5, home + 21, home + 23], home + 13
        found |= {(a, centre) for a in corners} | {(centre, a) for a in corners}
    for a2, c0, c4 in ((18, 2, 38), (63, 83, 47)):
        eyes, gates = (a2, a2 + 4, a2 + 8), (c0, c0 + 4, c4, c4 + 4)
        near = {(a, b) for a in eyes for b in gates if abs(square_file(a) - square_file(b)) == 2}
        found |= near | {(b, a) for a, b in near}
    return found


def test_the_numbers_of_moves() -> None:
    assert POLICY_SIZE == 2086
    assert [(m.from_square, m.to_square) for m in POLICY_MOVES] == sorted(ways())
    for number, move in enumerate(POLICY_MOVES):
        assert policy_index(move) == number
        assert policy_move(number) == move
        turned = policy_index(move, BLACK, relative=True)
        assert policy_move(turned, BLACK, relative=True) == move
        assert policy_index(move.flip()) == turned
        assert policy_index(move, RED, relative=True) == number


@pytest.mark.parametrize("kings", FEATURES)
def test_features_are_those_of_the_network(kings: str) -> None:
    lists, buckets = feature_lists(BOARDS, kings=kings)
    assert lists.dtype == np.int16
    assert lists.shape == (len(BOARDS), 2, 32)
    for board, both, bucket in zip(BOARDS, lists, buckets, strict=True):
        own, other, output = features(board, kings)
        assert both[0][both[0] >= 0].tolist() == own
        assert both[1][both[1] >= 0].tolist() == other
        assert bucket == output
    assert lists.max() < FEATURES[kings]


def test_arrays_are_ones_own() -> None:
    found = planes(BOARDS[:2])
    found[0] = 7
    assert planes(BOARDS[0])[0].max() == 1
    assert planes([]).shape == (0, 15, 10, 9)
    assert legal_masks([]).shape == (0, POLICY_SIZE)
    assert feature_lists([])[0].shape == (0, 2, 32)
    assert len(PLANE_NAMES) == PLANES


def test_bad_input() -> None:
    for make in (planes, legal_masks, feature_lists):
        for wrong, name in (([None], "NoneType"), ([Board(), "x"], "str"), ("x", "'x'")):
            with pytest.raises(TypeError, match=f"expected boards, found {name}"):
                make(wrong)  # type: ignore[arg-type]
        with pytest.raises(PositionError):
            make([Board(), Board.empty()])
    with pytest.raises(ValueError, match="no piece ever moves a0b3"):
        policy_index(Move.from_iccs("a0b3"))
    for number in (-1, 2086):
        with pytest.raises(ValueError, match="expected 0 to 2085"):
            policy_move(number)


def test_without_numpy_the_error_says_how_to_get_it() -> None:
    program = (
        "import sys; sys.modules['numpy'] = None\n"
        "from xiangqi import Board\n"
        "try: Board().planes()\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "arrays need NumPy" in done.stdout
    assert "pip install 'numpy" in done.stdout
