"""Loss of a move, and its mark.

The loss is in expected points (:mod:`xiangqi.analysis.values`): those of the best move less those
after the move. A move gets the gravest mark whose threshold its loss reaches:

    ?!  inaccuracy   0.05    a twentieth of a point
    ?   mistake      0.10
    ??  blunder      0.20    from an even position: about a horse

>>> mark_of_loss(0.04) is None, mark_of_loss(0.1)
(True, <Mark.MISTAKE: 2>)
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

__all__ = ["INACCURACY", "THRESHOLDS", "MoveMark", "mark_of_loss"]


class MoveMark(IntEnum):
    """A mark of a move, with its number among PGN's."""

    GOOD = 1
    """The one move that does not lose, and hard to see."""
    MISTAKE = 2
    BLUNDER = 4
    INACCURACY = 6

    @property
    def sign(self) -> str:
        """Symbol printed after a move."""
        return _SIGNS[self]


_SIGNS: Final = {
    MoveMark.GOOD: "!",
    MoveMark.MISTAKE: "?",
    MoveMark.BLUNDER: "??",
    MoveMark.INACCURACY: "?!",
}

INACCURACY: Final = 0.05
"""The least loss that is marked."""
THRESHOLDS: Final = {
    MoveMark.BLUNDER: 0.20,
    MoveMark.MISTAKE: 0.10,
    MoveMark.INACCURACY: INACCURACY,
}
"""The least loss of each mark, the gravest first."""


def mark_of_loss(loss: float) -> MoveMark | None:
    """The mark of a move that has lost so many expected points."""
    return next((mark for mark, least in THRESHOLDS.items() if loss >= least), None)
