"""Value of a position from Red's side, as a number and as expected points, and marks of moves.

Expected points are the chance to win plus half the chance to draw: 1 is won, 0 lost, 0.5 even. They
measure how much a move matters: from +0.00 to -3.00 decides a game, from +12.00 to +9.00 nothing.
If the engine reports win, draw and loss, these are used; otherwise the model fitted to games of our
engine, with the engine's scores taken as its centipawns.

The loss of a move is in expected points: those of the best move less those after the move. A move
gets the gravest mark whose threshold its loss reaches:

    ?!  inaccuracy   0.05    a twentieth of a point
    ?   mistake      0.10
    ??  blunder      0.20    from an even position: about a horse

>>> from xiangqi import BLACK, RED
>>> Value.of_cp(0).points(RED), round(Value.of_cp(300).points(BLACK), 2)
(0.5, 0.37)
>>> str(Value.of_mate(-3)), Value.of_mate(-3).points(BLACK)
('#-3', 1.0)
>>> mark_of_loss(0.04) is None, mark_of_loss(0.1)
(True, <MoveMark.MISTAKE: 2>)
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Literal, TypeAlias

from xiangqi.chances import expect_result
from xiangqi.games.comments import Eval
from xiangqi.pieces import RED, Color

__all__ = ["INACCURACY", "MAX_CP", "THRESHOLDS", "Kind", "MoveMark", "Value", "mark_of_loss"]

MAX_CP: Final = 1000
"""Maximum score in average losses, in centipawns: beyond it a game is won."""
_DECIDED_CP: Final = 9999
"""Centipawns written for decided positions, for GUIs."""

Kind: TypeAlias = Literal["cp", "mate", "rule", "over"]


@dataclass(frozen=True, slots=True)
class Value:
    """Value of a position for Red.

    :class:`~xiangqi.games.comments.Eval` is the part of it that can be written to a file.
    """

    kind: Kind
    """Kind of value: a score, a mate, a win by the rules of repetition found by the search, or the
    end of the game."""
    number: int
    """Centipawns, moves to the mate (negative where Black mates), or 1, 0, -1: who wins."""
    chances: tuple[int, int] | None = None
    """Wins and losses of Red in 1000 games, as the engine reports, or None."""

    @classmethod
    def of_cp(cls, number: int, chances: tuple[int, int] | None = None) -> Value:
        """A score in centipawns."""
        return cls("cp", number, chances)

    @classmethod
    def of_mate(cls, moves: int) -> Value:
        """A mate in so many moves, by Black where that is negative."""
        return cls("mate", moves)

    @classmethod
    def of_winner(cls, winner: Color | None, kind: Kind = "over") -> Value:
        """Value of a finished game, or one decided by rule; None is a draw."""
        return cls(kind, 0 if winner is None else 1 if winner == RED else -1)

    @property
    def is_decided(self) -> bool:
        """Is it a mate, a win by rule, or the end?"""
        return self.kind != "cp"

    def points(self, side: Color) -> float:
        """The points that a side may expect, 0 to 1."""
        if self.kind == "cp":
            win, loss = self.chances or _model(self.number)
            red = (1000 + win - loss) / 2000
        else:
            red = 0.5 + 0.5 * ((self.number > 0) - (self.number < 0))
        return red if side == RED else 1 - red

    def mates(self, side: Color) -> int | None:
        """Number of moves to a side's mate; None without one."""
        moves = self.number if side == RED else -self.number
        return moves if self.kind == "mate" and moves > 0 else None

    def cp(self, side: Color) -> int:
        """The score for a side in centipawns, within :data:`MAX_CP`."""
        number = self.number
        if self.kind != "cp":
            number = MAX_CP * ((number > 0) - (number < 0))
        bounded = max(-MAX_CP, min(MAX_CP, number))
        return bounded if side == RED else -bounded

    def eval(self) -> Eval:
        """Value as written to files. A win by rule is the greatest score."""
        if self.kind == "mate":
            return Eval(mate=self.number)
        factor = 1 if self.kind == "cp" else _DECIDED_CP
        return Eval(cp=max(-_DECIDED_CP, min(_DECIDED_CP, factor * self.number)))

    def __str__(self) -> str:
        """Value as people read it: +0.35, #3."""
        value = self.eval()
        return str(value) if value.mate is not None else f"{(value.cp or 0) / 100:+.2f}"


def _model(cp: int) -> tuple[int, int]:
    win, _, loss = expect_result(cp)
    return win, loss


class MoveMark(IntEnum):
    """A mark of a move, with its number among PGN's."""

    GOOD = 1
    """The only good move, and hard to see."""
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
"""Minimum loss of a marked move."""
THRESHOLDS: Final = {
    MoveMark.BLUNDER: 0.20,
    MoveMark.MISTAKE: 0.10,
    MoveMark.INACCURACY: INACCURACY,
}
"""Minimum loss of each mark, the gravest first."""


def mark_of_loss(loss: float) -> MoveMark | None:
    """The mark of a move that has lost so many expected points."""
    return next((mark for mark, least in THRESHOLDS.items() if loss >= least), None)
