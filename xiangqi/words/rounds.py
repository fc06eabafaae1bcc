"""Move numbers: a round is one move of each side."""

from __future__ import annotations

from dataclasses import dataclass

from xiangqi.fen import parse_fen
from xiangqi.pieces import BLACK, RED, Color

__all__ = ["Rounds"]


@dataclass(frozen=True, slots=True)
class Rounds:
    """The count of a game, which goes on from that of the position in which it begins."""

    first: int = 1
    """The number of the first round."""
    turn: Color = RED
    """Side that moves first. A round that Black begins has one move only."""

    @classmethod
    def from_fen(cls, fen: str) -> Rounds:
        """The count of a game that begins like this. Raises FenError.

        >>> Rounds.from_fen("4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 20")
        Rounds(first=20, turn=False)
        """
        setup = parse_fen(fen)
        return cls(max(setup.fullmove_number, 1), setup.turn)

    def side(self, ply: int) -> Color:
        """Side that plays a ply, counted from 0."""
        return self.turn if ply % 2 == 0 else not self.turn

    def number(self, ply: int) -> int:
        """The round of a ply, counted from 0.

        >>> [Rounds(20, BLACK).number(ply) for ply in range(4)]
        [20, 21, 21, 22]
        """
        return self.first + (ply + (self.turn == BLACK)) // 2

    def mark(self, ply: int) -> str:
        """Move number before a ply in a list of moves: ``20.``, ``20...``, or nothing.

        >>> [Rounds(20, BLACK).mark(ply) for ply in range(3)]
        ['20...', '21.', '']
        """
        if self.side(ply) == RED:
            return f"{self.number(ply)}."
        return "" if ply else f"{self.number(ply)}..."
