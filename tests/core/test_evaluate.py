"""The evaluation of the package's network: what it knows of the pieces, and their contributions."""

from contextlib import suppress

import pytest

from tests.support.helpers import played_fens, wild_fens
from xiangqi import BLACK, KING, RED, Board, Piece, Setup
from xiangqi.core.evaluator import evaluate_board, piece_contributions
from xiangqi.engine.network import choose_network
from xiangqi.ground.errors import PositionError

# Both sides have all advisors and elephants, and a soldier between the kings.
GUARDED = "2bakab2/9/9/4p4/9/9/4P4/9/9/2BAKAB2 w"
FREE = 4 * 9 + 2


def value(board: Board) -> int:
    return evaluate_board(board, choose_network().weights)


def with_piece(symbol: str) -> Board:
    """The guarded position with one more piece on a free square."""
    setup = Board(GUARDED).setup()
    pieces = {**setup.piece_map(), FREE: Piece.from_symbol(symbol)}
    return Board(Setup.from_piece_map(pieces, turn=setup.turn))


def test_order_of_pieces() -> None:
    """A chariot is worth more than a horse or a cannon, and these more than a soldier."""
    chariot, cannon, horse, soldier = (value(with_piece(symbol)) for symbol in "RCNP")
    assert chariot > max(cannon, horse)
    assert min(cannon, horse) > soldier > value(Board(GUARDED))


def test_the_value_is_that_of_the_side_to_move() -> None:
    ahead = with_piece("R").setup()
    assert ahead.turn == RED
    assert value(Board(ahead)) > 0 > value(Board(Setup(ahead.board, BLACK)))


@pytest.mark.parametrize("fen", [*played_fens(seed=9, games=2)[::9], *wild_fens(9, 20)])
def test_a_contribution_is_the_value_less_that_without_the_piece(fen: str) -> None:
    """Without the pieces that shield the king of the side that has moved, the board is illegal."""
    board = Board(fen)
    pieces = board.setup().piece_map()
    found = piece_contributions(board, choose_network().weights)
    assert set(found) == {place for place, piece in pieces.items() if piece.piece_type != KING}
    compared = 0
    for place, contribution in found.items():
        rest = {other: piece for other, piece in pieces.items() if other != place}
        with suppress(PositionError):
            without = Board(Setup.from_piece_map(rest, turn=board.turn))
            assert contribution == value(board) - value(without)
            compared += 1
    assert compared >= len(found) // 2
