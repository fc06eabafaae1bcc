"""The core's findings with their names: which piece is where, and what each ply of a window did."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, TypeAlias

from xiangqi.pieces import COLORS, KING, Piece, Square
from xiangqi.referee.ruling import (
    Conduct,
    Mark,
    PlyReport,
    Reason,
    Threat,
    Trace,
    Verdict,
    Victim,
)

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = ["CHASE", "CONDUCTS", "VERDICTS", "Evidence", "Replay", "make_threat"]

Attack: TypeAlias = tuple[Square, Square, int, int]
Evidence: TypeAlias = tuple[
    int, tuple[int, int], tuple[int, int], list[tuple[bool, tuple[Attack, ...]]]
]
"""Findings of the core on a window: verdict, conducts and victims by color, facts of each ply."""

# The core's numbers, in its order. It distinguishes two ways of being protected; the second (only
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
_KINGS: Final = {color: Piece(KING, color).code for color in COLORS}
CHASE: Final = len(_REASONS) - 1
"""The core's number for a capture with nothing against it: a chase, once moves are compared."""


class Replay:
    """The plies of a window from its first on, and the pieces that stand there."""

    def __init__(self, trace: Trace, first: int) -> None:
        self._trace = trace
        self._ply = first
        start = trace.cells(first)
        # Where each piece of the window's start is now; the core numbers them in this order.
        self._now: list[Square] = [square for square, code in enumerate(start) if code]
        self._pieces = [Piece.from_code(start[square]) for square in self._now]

    def pieces_of(self, bits: int) -> list[int]:
        """Numbers of the pieces in a set of the core."""
        return [number for number in range(len(self._now)) if bits >> number & 1]

    def victims_now(self, numbers: Iterable[int]) -> tuple[Victim, ...]:
        """Pieces by their numbers, with their present squares."""
        return tuple(Victim(self._pieces[number], self._now[number]) for number in numbers)

    def report(self, check: bool, attacks: Iterable[Attack]) -> PlyReport:
        """Go on by a move and put names to its facts."""
        move, color = self._trace.moves[self._ply], self._trace.side(self._ply)
        self._now[self._now.index(move.from_square)] = move.to_square
        ply, self._ply = self._ply, self._ply + 1
        cells = self._trace.cells(self._ply)
        threats = tuple(make_threat(cells, *attack) for attack in attacks)
        return PlyReport(
            ply=ply,
            color=color,
            move=move,
            piece=Piece.from_code(cells[move.to_square]),
            king=cells.index(_KINGS[not color]),
            checkers=self._trace.checkers(self._ply) if check else (),
            threats=threats,
            mark=_mark(move, check, threats),
        )


def _mark(move: Move, check: bool, threats: Iterable[Threat]) -> Mark:
    """The gravest mark that a move earns by its facts; the piece that moves offers an exchange."""
    if check:
        return Mark.CHECK
    if any(threat.reason is Reason.CHASE for threat in threats):
        return Mark.CHASE
    offers = any(
        threat.reason is Reason.EXCHANGE and threat.attacker == move.to_square for threat in threats
    )
    return Mark.EXCHANGE if offers else Mark.IDLE


def make_threat(
    cells: bytes,
    attacker: Square,
    victim: Square,
    reason: int,
    root: int,
    *,
    chase: Reason = Reason.CHASE,
) -> Threat:
    """Put names to an attack of the core; ``cells`` are the codes of all pieces."""
    return Threat(
        attacker=attacker,
        attacker_piece=Piece.from_code(cells[attacker]),
        victim=victim,
        victim_piece=Piece.from_code(cells[victim]),
        reason=chase if reason == CHASE else _REASONS[reason],
        root=root if root >= 0 else None,
        root_piece=Piece.from_code(cells[root]) if root >= 0 else None,
    )
