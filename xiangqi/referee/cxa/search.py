"""Calls to the core's solver within a common node limit."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from xiangqi.core.board import CoreBoard
from xiangqi.core.solver import MATED, MAX_PLIES, find_check_mate, find_gains
from xiangqi.ground.errors import PositionError
from xiangqi.pieces import Color, PieceType, Square
from xiangqi.pieces.fen import Setup

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = [
    "EVEN",
    "GAIN",
    "MATE",
    "NO_KIND",
    "RISE",
    "GainLine",
    "GainSearch",
    "kind_at",
    "with_turn",
    "without_pieces",
]

MOVE_NODE_LIMIT: Final = 800_000
"""Node limit of the facts of one move: about a second."""
CALL_NODE_LIMIT: Final = 400_000
"""Node limit of one call of the solver."""
MAX_CHECKS: Final = 12
"""Maximum number of checks in a mate. The book sets no limit; its diagrams have up to seven."""

GAIN: Final = 20
"""Minimum score of a gain; the smallest one is 30, for a crossed soldier."""
EVEN: Final = -GAIN + 1
"""Minimum score of an even line."""
RISE: Final = 100
"""Minimum increase in score that makes a threat new: half a horse."""
MATE: Final = MATED - MAX_PLIES
"""Minimum score of a mate; its negative is the maximum score of being mated."""

NO_KIND: Final = 0
"""Piece type of an empty square."""
_KIND_MASK: Final = 7
"""Bits of a piece code that hold the piece type."""


class GainLine(NamedTuple):
    """Capture or check, with its score and line."""

    first: Move
    score: int
    moves: tuple[Move, ...]


class GainSearch:
    """Solver with a node limit for all its calls."""

    def __init__(self, node_limit: int) -> None:
        self.nodes_left = node_limit
        self.is_settled = True
        """Were all calls so far settled within their node limits?"""

    def find_kill(
        self, board: CoreBoard, color: Color, banned: Iterable[Move] = ()
    ) -> tuple[Move, ...]:
        """Shortest mate by checks alone, or (); the other side passes if it is to move."""
        line, settled, nodes = find_check_mate(board, MAX_CHECKS, self._limit(), color, banned)
        self._record(settled, nodes)
        return line or ()

    def find_lines(
        self,
        board: CoreBoard,
        color: Color,
        *,
        moves: Iterable[Move] | None = None,
        banned: Iterable[Move] = (),
        idle: Square | None = None,
        aims: Iterable[Square] = (),
        alone: bool = False,
        local: bool = False,
        least: int = -50,
    ) -> list[GainLine]:
        """Gains of a side's captures and checks, as :func:`xiangqi.core.solver.find_gains` finds
        them; the other side passes if it is to move."""
        lines, settled, nodes = find_gains(
            board,
            color,
            self._limit(),
            moves=moves,
            banned=banned,
            idle=idle,
            aims=aims,
            alone=alone,
            local=local,
            least=least,
        )
        self._record(settled, nodes)
        return [GainLine(*line) for line in lines]

    def find_score(
        self,
        board: CoreBoard,
        color: Color,
        move: Move,
        *,
        banned: Iterable[Move] = (),
        idle: Square | None = None,
        aims: Iterable[Square] = (),
        alone: bool = False,
        local: bool = False,
    ) -> int:
        """Score of one capture or check; ``-MATED`` if the move is neither, or illegal."""
        lines = self.find_lines(
            board,
            color,
            moves=[move],
            banned=banned,
            idle=idle,
            aims=aims,
            alone=alone,
            local=local,
        )
        return lines[0].score if lines else -MATED

    def find_refutation(
        self, board: CoreBoard, color: Color, move: Move, banned: Iterable[Move] = ()
    ) -> tuple[Move, ...]:
        """Line of a capture or check that is answered by mate; () if it is not."""
        lines = self.find_lines(board, color, moves=[move], banned=banned, least=-MATED)
        return lines[0].moves if lines and lines[0].score <= -MATE else ()

    def _limit(self) -> int:
        return max(1, min(self.nodes_left, CALL_NODE_LIMIT))

    def _record(self, settled: bool, nodes: int) -> None:
        self.nodes_left -= nodes
        self.is_settled &= settled


def kind_at(board: CoreBoard, square: Square) -> PieceType:
    """Type of the piece on a square; NO_KIND if it is empty."""
    return board.piece_code_at(square) & _KIND_MASK


def with_turn(board: CoreBoard, color: Color) -> CoreBoard:
    """Copy of the position with this side to move; the other side must not be in check."""
    if board.turn == color:
        return board.copy(stack=False)
    return _set_up(board.cells(), color).copy()


def without_pieces(board: CoreBoard, squares: Iterable[Square]) -> CoreBoard | None:
    """Copy of the position without some pieces; None if it is impossible, because the generals face
    each other or the side that is not to move is in check."""
    placement = bytearray(board.cells())
    for square in squares:
        placement[square] = NO_KIND
    try:
        return _set_up(bytes(placement), board.turn).copy()
    except PositionError:
        return None


@lru_cache(maxsize=1024)
def _set_up(placement: bytes, turn: Color) -> CoreBoard:
    """Cached board of a position, which callers copy."""
    return CoreBoard(Setup(placement, turn, 0, 1))
