"""Safety of each piece of a position, by the facts that the referee rules with."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from xiangqi.core.board import CoreBoard
from xiangqi.pieces import BLACK, RED, Piece, Square
from xiangqi.referee.judging import Reason, Referee, Threat
from xiangqi.referee.rules import WXF, RuleSet

__all__ = ["Safety", "SafetyMark", "find_safety"]


class SafetyMark(Enum):
    """A letter for what is to be known of a piece, the most pressing first."""

    ATTACKED = "!"
    """It can be captured at a profit."""
    PINNED = "x"
    """Its leaving the square would expose its own general."""
    FALSE = "f"
    """It is protected in appearance only: whoever could recapture may not."""
    PROTECTED = "p"
    """It is protected."""


@dataclass(frozen=True, slots=True)
class Safety:
    """One piece and how it stands."""

    piece: Piece
    attacks: tuple[Threat, ...]
    """The enemy's attacks on it, each with its reason."""
    protectors: frozenset[Square]
    """The pieces of its own side that could recapture on its square."""
    false_protectors: frozenset[Square]
    """Those that reach its square, but would expose their own general."""
    is_pinned: bool

    def marks(self) -> tuple[SafetyMark, ...]:
        """Marks of the piece, the most pressing first."""
        profits = [threat for threat in self.attacks if threat.reason is Reason.PROFIT]
        # A capture may open a line to the square, or close one: what the attacks say comes first.
        is_protected = bool(self.protectors) or any(one.is_protected for one in self.attacks)
        has_false = bool(self.false_protectors) or any(one.root is not None for one in profits)
        found = {
            SafetyMark.ATTACKED: bool(profits),
            SafetyMark.PINNED: self.is_pinned,
            SafetyMark.FALSE: has_false and not is_protected,
            SafetyMark.PROTECTED: is_protected,
        }
        return tuple(mark for mark, holds in found.items() if holds)


def find_safety(board: CoreBoard, rules: RuleSet | str = WXF) -> dict[Square, Safety]:
    """Every piece of the position, by its square."""
    referee = Referee(rules)
    threats = [threat for color in (RED, BLACK) for threat in referee.find_threats(board, color)]
    pinned = board.pinned(RED) | board.pinned(BLACK)
    return {
        square: Safety(
            piece,
            tuple(threat for threat in threats if threat.victim == square),
            *board.protectors(square),
            square in pinned,
        )
        for square, piece in board.setup().piece_map().items()
    }
