"""Chapter 25 and 26.9: the verdict on a cycle from the marks of its moves."""

from collections.abc import Sequence

from .cxa_choices import CXA2020, Edition
from .cxa_marks import PlyMark
from .game import BLACK, RED

LOSS = {RED: "black_wins", BLACK: "red_wins"}


def conduct(marks: Sequence[PlyMark]) -> str:
    """24.9-24.14, 26.9: "checks" if all moves check; "allowed" if one of them is idle; of what is
    left "heavy" if all moves are, or "light"."""
    if all(mark.mark == "check" for mark in marks):
        return "checks"
    if not all(mark.is_strike for mark in marks):
        return "allowed"
    return "heavy" if all(mark.heavy for mark in marks) else "light"


def must_change(red: str, black: str, edition: Edition = CXA2020) -> str | None:
    """The side that must change its moves, by the conducts of both; None where both may go on.

    25.1: all checks, and the other side does something else.  25.3: forbidden against allowed.
    26.9: all heavy against some light (both forbidden).  All else is 25.2, or equal conduct.
    """
    sides = ((RED, red, black), (BLACK, black, red))
    for side, own, others in sides:
        if own == "checks" != others:
            return side
    for side, own, others in sides:
        if own != "allowed" == others:
            return side
    for side, own, others in sides:
        if edition.both_forbidden == "weight" and own == "heavy" and others == "light":
            return side
    return None


def verdict(red: str, black: str, edition: Edition = CXA2020) -> str:
    """The side that must change and does not loses (25.1, 25.3); else the game is drawn."""
    side = must_change(red, black, edition)
    return "draw" if side is None else LOSS[side]
