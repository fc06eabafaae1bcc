"""Values of positions, as scores and as expected points, and marks of moves.

Expected points are the probability of a win plus half that of a draw: 1 is won, 0.5 even, 0 lost.
They weigh a mistake by its effect: a drop from +0.00 to -3.00 decides a game, one from +12.00 to
+9.00 does not. They come from the win, draw and loss rates that the engine reports, or else from
the model fitted to Meihua's games, applied to the engine's centipawns.

The loss of a move is the expected points of the best move less those of the move. A move gets the
gravest mark whose threshold its loss reaches:

    ?!  inaccuracy   0.05
    ?   mistake      0.10
    ??  blunder      0.20    about a horse, in an even position

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

from xiangqi.games.comments import Eval
from xiangqi.ground.chances import expect_result
from xiangqi.pieces import RED, Color, require_color

__all__ = ["INACCURACY", "MAX_CP", "THRESHOLDS", "Kind", "MoveMark", "Value", "mark_of_loss"]

MAX_CP: Final = 1000
"""Limit of scores in average losses, in centipawns; beyond it a game is won."""
_DECIDED_CP: Final = 9999
"""Centipawns written to files for decided positions."""

Kind: TypeAlias = Literal["cp", "mate", "rule", "over"]


@dataclass(frozen=True, slots=True)
class Value:
    """Value of a position, from Red's side.

    :class:`~xiangqi.games.comments.Eval` is the part of it that files can hold.
    """

    kind: Kind
    """A score, a mate, a result by the repetition rules, or the end of the game."""
    number: int
    """Centipawns; moves to mate (negative if Black mates); or the result: 1, 0 or -1."""
    chances: tuple[int, int] | None = None
    """Wins and losses of Red in 1000 games, as reported by the engine; None if unknown."""

    @classmethod
    def of_cp(cls, number: int, chances: tuple[int, int] | None = None) -> Value:
        """Make the value of a score in centipawns."""
        return cls("cp", number, chances)

    @classmethod
    def of_mate(cls, moves: int) -> Value:
        """Make the value of a mate in a number of moves, negative if Black mates."""
        return cls("mate", moves)

    @classmethod
    def of_winner(cls, winner: Color | None, kind: Kind = "over") -> Value:
        """Make the value of a finished game, or one decided by rule; None for a draw."""
        return cls(kind, 0 if winner is None else 1 if require_color(winner) == RED else -1)

    @property
    def is_decided(self) -> bool:
        """Is it a mate, a result by rule or the end of the game?"""
        return self.kind != "cp"

    def points(self, side: Color) -> float:
        """Expected points of a side, 0 to 1."""
        if self.kind == "cp":
            win, loss = self.chances or expect_result(self.number)[::2]
            red = (1000 + win - loss) / 2000
        else:
            red = 0.5 + 0.5 * ((self.number > 0) - (self.number < 0))
        return red if require_color(side) == RED else 1 - red

    def mates(self, side: Color) -> int | None:
        """Number of moves in which a side mates; None if it does not."""
        moves = self.number if require_color(side) == RED else -self.number
        return moves if self.kind == "mate" and moves > 0 else None

    def cp(self, side: Color) -> int:
        """Score of a side in centipawns, limited to :data:`MAX_CP`."""
        number = self.number
        if self.kind != "cp":
            number = MAX_CP * ((number > 0) - (number < 0))
        bounded = max(-MAX_CP, min(MAX_CP, number))
        return bounded if require_color(side) == RED else -bounded

    def eval(self) -> Eval:
        """Value as written to files; a win other than by mate is 9999 centipawns."""
        if self.kind == "mate":
            return Eval(mate=self.number)
        factor = 1 if self.kind == "cp" else _DECIDED_CP
        return Eval(cp=max(-_DECIDED_CP, min(_DECIDED_CP, factor * self.number)))

    def __str__(self) -> str:
        """Format the value: +0.35, #3."""
        value = self.eval()
        return str(value) if value.mate is not None else f"{(value.cp or 0) / 100:+.2f}"


class MoveMark(IntEnum):
    """Mark of a move; the number is its numeric annotation glyph (NAG) in PGN."""

    GOOD = 1
    """The only good move, and hard to find."""
    MISTAKE = 2
    BLUNDER = 4
    INACCURACY = 6

    @property
    def sign(self) -> str:
        """Symbol written after a move."""
        return _SIGNS[self]


_SIGNS: Final = {
    MoveMark.GOOD: "!",
    MoveMark.MISTAKE: "?",
    MoveMark.BLUNDER: "??",
    MoveMark.INACCURACY: "?!",
}

INACCURACY: Final = 0.05
"""Minimum loss of a move that is marked as a fault."""
THRESHOLDS: Final = {
    MoveMark.BLUNDER: 0.20,
    MoveMark.MISTAKE: 0.10,
    MoveMark.INACCURACY: INACCURACY,
}
"""Minimum loss of each mark, the gravest first."""


def mark_of_loss(loss: float) -> MoveMark | None:
    """Mark of a move by its loss of expected points; None below all thresholds."""
    return next((mark for mark, threshold in THRESHOLDS.items() if loss >= threshold), None)
