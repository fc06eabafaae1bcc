"""Positions as NumPy arrays: input planes, legal-move masks, and features of our network.

Each function takes one board or several; the first axis of its arrays is the boards. Squares are
indexed ``[rank, file]``, where rank 0 is Red's back rank and file 0 is on Red's left, so that
``planes.reshape(n, PLANES, 90)`` is indexed by square number.

>>> from xiangqi import CANNON, RED, Board
>>> board = Board()
>>> planes([board]).shape, planes([board])[0, CANNON - 1].nonzero()
((1, 15, 10, 9), (array([2, 2]), array([1, 7])))
>>> masks = legal_masks([board])
>>> [policy_move(number).iccs() for number in masks[0].nonzero()[0][:3]]
['a0a1', 'a0a2', 'b0a2']

With ``relative``, planes, masks and :func:`policy_index` take the view of the side to move: if that
is Black, ranks are mirrored (rank 9 becomes rank 0, files stay) and colours are exchanged.

Only this module of the package needs NumPy; the extra ``arrays`` installs it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final, cast

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.core.network import KING_BUCKETS, WIDTHS, architecture
from xiangqi.core.samples import (
    POLICY_MOVES,
    SHAPE,
    fill_masks,
    fill_planes,
    list_board_features,
)
from xiangqi.core.samples import policy_index as number_of
from xiangqi.ground.errors import quote
from xiangqi.ground.installed import how_to_install
from xiangqi.pieces import BLACK, PIECE_NAMES, RED, Color, require_color

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "FEATURES",
    "MAX_FEATURES",
    "OUTPUT_BUCKETS",
    "PLANES",
    "PLANE_NAMES",
    "POLICY_MOVES",
    "POLICY_SIZE",
    "feature_lists",
    "legal_masks",
    "planes",
    "policy_index",
    "policy_indices",
    "policy_move",
]

PLANE_NAMES: Final = (
    *(f"red {name}" for name in PIECE_NAMES[1:]),
    *(f"black {name}" for name in PIECE_NAMES[1:]),
    "red to move",
)
"""Names of the planes; in relative planes ``red`` is the side to move."""
PLANES: Final = len(PLANE_NAMES)
POLICY_SIZE: Final = len(POLICY_MOVES)
"""Number of moves that some piece can make on some board: 2086, ordered by origin, then target."""
FEATURES: Final = {kings: int(architecture(WIDTHS[0], kings)["inputs"]) for kings in KING_BUCKETS}
"""Number of input features of the network, by king buckets."""
MAX_FEATURES: Final = SHAPE["max_features"]
"""Maximum number of active features of a side."""
OUTPUT_BUCKETS: Final = SHAPE["output_buckets"]


def planes(boards: CoreBoard | Iterable[CoreBoard], *, relative: bool = False) -> NDArray[np.uint8]:
    """Binary input planes: an array of shape [boards, PLANES, 10, 9] and type uint8.

    Planes 0 to 6 are Red's king, advisors, bishops, knights, rooks, cannons and pawns, planes 7 to
    13 Black's, and plane 14 is all ones if Red is to move. With ``relative``, planes 0 to 6 are the
    side to move's, seen from its side. Raises PositionError for a board that is a draft.
    """
    numpy, listed = _numpy(), _as_list(boards)
    array: NDArray[np.uint8] = (
        numpy.asarray(fill_planes(listed, relative))
        if listed  # a memoryview cannot have an empty axis
        else numpy.zeros((0, PLANES, 10, 9), dtype="uint8")
    )
    return array


def legal_masks(
    boards: CoreBoard | Iterable[CoreBoard], *, relative: bool = False
) -> NDArray[np.bool_]:
    """Masks of legal moves: an array of shape [boards, POLICY_SIZE] and type bool.

    :func:`policy_index` numbers the moves. Raises PositionError for a board that is a draft.
    """
    numpy, listed = _numpy(), _as_list(boards)
    mask: NDArray[np.bool_] = (
        numpy.asarray(fill_masks(listed, relative)).view("bool")
        if listed
        else numpy.zeros((0, POLICY_SIZE), dtype="bool")
    )
    return mask


def feature_lists(
    boards: CoreBoard | Iterable[CoreBoard], *, kings: str = "files"
) -> tuple[NDArray[np.int16], NDArray[np.uint8]]:
    """Indices of the active features of a network with these king buckets, and its output buckets.

    The features are an array of shape [boards, 2, MAX_FEATURES] and type int16, the side to move
    first, padded with -1; the output buckets are an array of shape [boards] and type uint8. Raises
    PositionError for a board that is a draft, ValueError for unknown king buckets.
    """
    numpy, listed = _numpy(), _as_list(boards)
    if not listed:
        return numpy.zeros((0, 2, MAX_FEATURES), dtype=numpy.int16), numpy.zeros(0, numpy.uint8)
    lists, buckets = list_board_features(listed, kings)
    return numpy.asarray(lists), numpy.asarray(buckets)


def policy_index(move: Move, turn: Color = RED, *, relative: bool = False) -> int:
    """Index of a move, 0 to 2085; ``turn`` is the side that makes it.

    Raises ValueError for a move that no piece can make on any board.

    >>> policy_index(Move.from_iccs("h2e2")), policy_move(576).iccs()
    (576, 'h2e2')
    >>> policy_index(Move.from_iccs("h7e7"), BLACK, relative=True)
    576
    """
    return number_of(move.flip() if require_color(turn) == BLACK and relative else move)


def policy_move(number: int, turn: Color = RED, *, relative: bool = False) -> Move:
    """Move with an index, the inverse of :func:`policy_index`; ValueError if out of range."""
    if not 0 <= number < POLICY_SIZE:
        raise ValueError(f"invalid number of a move {number}: expected 0 to {POLICY_SIZE - 1}")
    move = POLICY_MOVES[number]
    return move.flip() if require_color(turn) == BLACK and relative else move


def policy_indices(
    moves: Iterable[Move], turn: Color = RED, *, relative: bool = False
) -> NDArray[np.int64]:
    """Indices of moves, in order; ``turn`` is the side that makes them."""
    require_color(turn)  # even if there are no moves
    numbers = [policy_index(move, turn, relative=relative) for move in moves]
    return cast("NDArray[np.int64]", _numpy().array(numbers, dtype="int64"))


def _as_list(boards: CoreBoard | Iterable[CoreBoard]) -> list[CoreBoard]:
    if isinstance(boards, str):
        raise TypeError(f"expected boards, found {quote(boards)}")
    return [boards] if isinstance(boards, CoreBoard) else list(boards)


def _numpy() -> Any:
    try:
        import numpy
    except ImportError as error:
        raise ImportError(f"arrays need NumPy: {how_to_install('arrays')}") from error
    return numpy
