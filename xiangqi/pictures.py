"""Pictures of rulings: the referee's evidence as arrows on a board.

This module uses the referee and drawing, so that they need not import each other.
"""

from __future__ import annotations

from collections.abc import Iterator

from xiangqi.drawing.arrows import ARROW_KINDS, Arrow
from xiangqi.drawing.svg import board_svg
from xiangqi.referee.ruling import PlyReport, Reason, Ruling, Threat

__all__ = ["Picture", "draw_ruling", "ply_arrows", "threat_arrows"]


class Picture(str):
    """The text of an SVG drawing, which notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)


def draw_ruling(ruling: Ruling) -> Picture:
    """The last position of a ruling, with all checks, chases and protections of the cycle."""
    board = ruling.board()
    arrows = dict.fromkeys(
        arrow for report in ruling.plies for arrow in ply_arrows(report) if arrow.kind != "attack"
    )
    check = board.king(board.turn) if board.is_check() else None
    return Picture(board_svg(board.setup(), arrows=arrows, check=check))


def ply_arrows(report: PlyReport) -> tuple[Arrow, ...]:
    """A move's checks and attacks as arrows, each once, the graver above the others.

    Attacks on soldiers that may be attacked by everybody are left out.
    """
    telling = (threat for threat in report.threats if threat.reason is not Reason.UNCROSSED_PAWN)
    found = [arrow for threat in telling for arrow in threat_arrows(threat)]
    found += [Arrow(square, report.king, "check") for square, _ in report.checkers]
    return tuple(dict.fromkeys(sorted(found, key=lambda arrow: ARROW_KINDS.index(arrow.kind))))


def threat_arrows(threat: Threat) -> Iterator[Arrow]:
    """An attack, and the protection of its victim, real or false."""
    is_chase = threat.reason is Reason.CHASE
    yield Arrow(threat.attacker, threat.victim, "chase" if is_chase else "attack")
    if threat.root is not None:
        is_real = threat.is_protected
        yield Arrow(threat.root, threat.victim, "protection" if is_real else "false_protection")
