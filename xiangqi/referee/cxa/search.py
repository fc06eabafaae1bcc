"""Queries of a ruling to the core's solver, within one node limit."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from xiangqi.core.board import CoreBoard
from xiangqi.core.solver import MATED, MAX_PLIES, find_check_mate, find_gains
from xiangqi.errors import PositionError
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
    "taken_off",
    "turned",
]

NODES_FOR_A_MOVE: Final = 800_000
"""Node limit for a move: about a second."""
NODES_FOR_A_QUESTION: Final = 400_000
MAX_CHECKS: Final = 12
"""Maximum length of a series of checks. The book sets no limit; its diagrams have up to seven."""

GAIN: Final = 20
"""Minimum score of a gain; the smallest gain is 30, a crossed soldier."""
EVEN: Final = -GAIN + 1
"""Minimum score of an even line."""
RISE: Final = 100
"""Minimum increase of a threat's gain that makes it another threat: half a horse."""
MATE: Final = MATED - MAX_PLIES
"""Minimum score of a mate; its negative is that of being mated."""

NO_KIND: Final = 0
"""The type of no piece."""
KIND_BITS: Final = 7


class GainLine(NamedTuple):
    """A capture or check, with its line."""

    first: Move
    score: int
    moves: tuple[Move, ...]


class GainSearch:
    """Calls of the solver, with a record of whether all were settled."""

    def __init__(self, nodes: int = NODES_FOR_A_MOVE) -> None:
        self.nodes_left = nodes
        self.is_settled = True
        """Have all calls so far been settled within their limits?"""

    def find_kill(
        self, board: CoreBoard, color: Color, banned: Iterable[Move] = ()
    ) -> tuple[Move, ...]:
        """Shortest mate of a side by checks alone, the other side passing if necessary; or ()."""
        line, settled, nodes = find_check_mate(board, MAX_CHECKS, self._limit(), color, banned)
        self._note(settled, nodes)
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
        """Gains of a side's captures and checks, the other side passing if necessary; see
        :func:`xiangqi.core.solver.find_gains`."""
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
        self._note(settled, nodes)
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
        """Score of one capture or check; that of being mated if it is neither, or illegal."""
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
        """Mate in reply to a capture or check, with that move first; () if there is none."""
        lines = self.find_lines(board, color, moves=[move], banned=banned, least=-MATED)
        return lines[0].moves if lines and lines[0].score <= -MATE else ()

    def _limit(self) -> int:
        return max(1, min(self.nodes_left, NODES_FOR_A_QUESTION))

    def _note(self, settled: bool, nodes: int) -> None:
        self.nodes_left -= nodes
        self.is_settled &= settled


def kind_at(board: CoreBoard, square: Square) -> PieceType:
    """The type of the piece on a square; no piece has the type 0."""
    return board.piece_code_at(square) & KIND_BITS


def turned(board: CoreBoard, color: Color) -> CoreBoard:
    """Position with this side to move; the other side is not in check."""
    if board.turn == color:
        return board.copy(stack=False)
    return _set_up(board.setup().board, color).copy()


def taken_off(board: CoreBoard, squares: Iterable[Square]) -> CoreBoard | None:
    """The position without some pieces; None if that is impossible: the generals face each other,
    or the side that is not to move is in check."""
    placement = bytearray(board.setup().board)
    for square in squares:
        placement[square] = NO_KIND
    try:
        return _set_up(bytes(placement), board.turn).copy()
    except PositionError:
        return None


@lru_cache(maxsize=1024)
def _set_up(placement: bytes, turn: Color) -> CoreBoard:
    """Cached position, to be copied before it is played on."""
    return CoreBoard(Setup(placement, turn, 0, 1))
