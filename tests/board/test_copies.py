"""Copies of a board, and its mirrored and turned versions."""

import copy
import pickle
from collections.abc import Callable

import pytest
from hypothesis import given

from tests.support.helpers import boards, wild
from tests.support.played_boards import CHECKING, cycled, played
from xiangqi import STARTING_FEN, Board
from xiangqi.core.board import CoreBoard

# Copies


def check_independent(board: Board, other: Board) -> None:
    """Check that changes of one board leave the other unchanged."""
    before, stack = board.raw(), board.move_stack
    while other.ply():
        other.pop()
    for move in other.list_moves()[:1]:
        other.push(move)
    assert board.raw() == before
    assert board.move_stack == stack


@given(boards())
def test_copies_are_equal_and_independent(board: Board) -> None:
    makers: list[Callable[[Board], Board]] = [
        Board.copy,
        copy.copy,
        copy.deepcopy,
        lambda board: pickle.loads(pickle.dumps(board)),
    ]
    for make in makers:
        other = make(board)
        assert type(other) is Board
        assert other == board
        assert other.raw() == board.raw()
        assert other.move_stack == board.move_stack
        assert other.root_fen() == board.root_fen()
        assert other.repetitions() == board.repetitions()
        check_independent(board, other)


@given(boards())
def test_copies_without_the_moves(board: Board) -> None:
    other = board.copy(stack=False)
    assert other == board
    assert other.raw() == board.raw()
    assert other.move_stack == []
    assert other.root_fen() == board.fen() == other.fen()
    assert other.repetitions() == 1
    with pytest.raises(IndexError):
        other.pop()


def test_copy_takes_its_choice_by_name() -> None:
    with pytest.raises(TypeError):
        Board().copy(False)  # type: ignore[call-arg]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_of_all_protocols(protocol: int) -> None:
    board = cycled(CHECKING)
    other = pickle.loads(pickle.dumps(board, protocol))
    assert other == board
    assert other.outcome() == board.outcome()


class Club(Board):
    """A user's subclass of the board."""


def test_copies_of_a_subclass() -> None:
    board = Club()
    board.push_iccs("h2e2")
    for other in (board.copy(), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert type(other) is Club
        assert other == board


def test_a_deep_copy_inside_of_something() -> None:
    board = played("h2e2")
    both = copy.deepcopy({"one": board, "other": [board]})
    assert both["one"] == board
    assert both["one"] is not board


def test_equality() -> None:
    """Boards are equal by placement, side to move and counters, whatever their moves."""
    board = played("h2e2 h9g7")
    assert board == Board(board.fen())
    assert board == played("h2e2 h9g7")
    assert board != Board()
    assert board != Board(board.fen().replace(" 2 2", " 3 2"))
    assert board != Board(board.fen().replace(" 2 2", " 2 3"))
    assert board != Board(board.fen().replace(" w ", " b "))
    assert Board() == CoreBoard()
    for other in (STARTING_FEN, None, 1, Board().setup()):
        assert board != other
        assert (Board() == other) is False


def test_boards_change_and_so_have_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Board())


# Mirroring and turning


@given(boards())
def test_mirror(board: Board) -> None:
    """Mirroring is its own inverse, and mirrors the moves and the legal moves."""
    mirrored = board.mirror()
    assert mirrored.mirror() == board
    assert mirrored.mirror().move_stack == board.move_stack
    assert mirrored.move_stack == [move.mirror() for move in board.move_stack]
    assert mirrored.turn == board.turn
    assert sorted(mirrored.legal_moves) == sorted(move.mirror() for move in board.legal_moves)
    assert mirrored.is_check() == board.is_check()
    assert mirrored.repetitions() == board.repetitions()


@given(boards())
def test_flip_colors(board: Board) -> None:
    flipped = board.flip_colors()
    assert flipped.flip_colors() == board
    assert flipped.flip_colors().move_stack == board.move_stack
    assert flipped.move_stack == [move.flip() for move in board.move_stack]
    assert flipped.turn != board.turn
    assert sorted(flipped.legal_moves) == sorted(move.flip() for move in board.legal_moves)
    assert flipped.is_check() == board.is_check()
    assert flipped.mirror() == board.mirror().flip_colors()


@given(wild)
def test_turning_wild_positions(board: Board) -> None:
    assert board.mirror().perft(2) == board.flip_colors().perft(2) == board.perft(2)


def test_turning_by_hand() -> None:
    board = played("b0c2", "3k5/9/9/9/9/9/9/9/9/RN3K3 w - - 4 9")
    assert board.mirror().fen() == "5k3/9/9/9/9/9/9/6N2/9/3K4R b - - 5 9"
    assert board.mirror().peek().iccs() == "h0g2"
    assert board.flip_colors().fen() == "r4k3/9/2n6/9/9/9/9/9/9/3K5 w - - 5 10"
    assert board.flip_colors().peek().iccs() == "b9c7"
