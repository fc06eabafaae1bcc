"""The core's findings with their names: which piece was where, what each ply of a window did."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, TypeAlias

from xiangqi.core.board import CoreBoard
from xiangqi.pieces import Piece, Square
from xiangqi.referee.ruling import Conduct, Mark, PlyReport, Reason, Threat, Verdict, Victim

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = ["CHASE", "CONDUCTS", "VERDICTS", "Evidence", "Replay", "make_threat"]

Attack: TypeAlias = tuple[Square, Square, int, int]
Evidence: TypeAlias = tuple[
    int, tuple[int, int], tuple[int, int], list[tuple[bool, tuple[Attack, ...]]]
]
"""Codes of the core for a window: verdict, conducts and victims by color, facts of each ply."""

# The core's numbers, in its order. It tells two ways of being protected apart; the second (only
# along lines through the attacker) matters to the next ply and to nobody else.
VERDICTS: Final = (Verdict.UNDECIDED, Verdict.DRAW, Verdict.RED_WINS, Verdict.BLACK_WINS)
CONDUCTS: Final = (Conduct.IDLE, Conduct.CHASE, Conduct.CHECK)
_REASONS: Final = (
    Reason.UNCROSSED_PAWN,
    Reason.KING_OR_PAWN,
    Reason.PINNED,
    Reason.EXCHANGE,
    Reason.PROTECTED,
    Reason.PROTECTED,
    Reason.STOOD_BEFORE,
    Reason.LINE_EXEMPT,
    Reason.UNANSWERED,
    Reason.CHASE,
)
CHASE: Final = len(_REASONS) - 1
"""Core's code for a profitable capture: a chase, once moves are compared."""


class Replay:
    """Plays a window again and tells which piece is where."""

    def __init__(self, board: CoreBoard, first: int) -> None:
        self.board = board.copy()
        while self.board.ply() > first:
            self.board.pop()
        start = self.board.setup().piece_map()
        # Where each piece of the window's start is now; the core numbers them in this order.
        self.now: list[Square] = list(start)
        self.piece: list[Piece] = list(start.values())

    def pieces_of(self, bits: int) -> list[int]:
        """The numbers of the pieces in a set of the core."""
        return [number for number in range(len(self.now)) if bits >> number & 1]

    def victims_now(self, numbers: Iterable[int]) -> tuple[Victim, ...]:
        """Pieces by their numbers, where they stand now."""
        return tuple(Victim(self.piece[number], self.now[number]) for number in numbers)

    def number_at(self, square: Square) -> int:
        """The number of the piece that stands on a square now."""
        return self.now.index(square)

    def report(
        self, move: Move, check: bool, attacks: Iterable[tuple[int, int, int, int]]
    ) -> PlyReport:
        """Play the next move and put names to its facts."""
        ply, color = self.board.ply(), self.board.turn
        self.board.push_unchecked(move)
        self.now[self.now.index(move.from_square)] = move.to_square
        threats = tuple(make_threat(self.board, *attack) for attack in attacks)
        return PlyReport(
            ply=ply,
            color=color,
            move=move,
            piece=_piece_at(self.board, move.to_square),
            king=self.board.king(not color),
            checkers=self._checkers() if check else (),
            threats=threats,
            mark=_mark(move, check, threats),
        )

    def _checkers(self) -> tuple[tuple[Square, Piece], ...]:
        return tuple((sq, _piece_at(self.board, sq)) for sq in sorted(self.board.checkers()))


def _mark(move: Move, check: bool, threats: Iterable[Threat]) -> Mark:
    """The gravest that a move makes by its facts; the piece that moves offers an exchange."""
    if check:
        return Mark.CHECK
    if any(threat.reason is Reason.CHASE for threat in threats):
        return Mark.CHASE
    offers = any(
        threat.reason is Reason.EXCHANGE and threat.attacker == move.to_square for threat in threats
    )
    return Mark.EXCHANGE if offers else Mark.IDLE


def make_threat(
    board: CoreBoard,
    attacker: Square,
    victim: Square,
    reason: int,
    root: int,
    *,
    chase: Reason = Reason.CHASE,
) -> Threat:
    """Put names to an attack of the core."""
    return Threat(
        attacker=attacker,
        attacker_piece=_piece_at(board, attacker),
        victim=victim,
        victim_piece=_piece_at(board, victim),
        reason=chase if reason == CHASE else _REASONS[reason],
        root=root if root >= 0 else None,
        root_piece=_piece_at(board, root) if root >= 0 else None,
    )


def _piece_at(board: CoreBoard, square: Square) -> Piece:
    return Piece.from_code(board.piece_code_at(square))
