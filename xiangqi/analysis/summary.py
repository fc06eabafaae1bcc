"""Summary of a player's moves in a game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from xiangqi.analysis.demands import DemandKind
from xiangqi.analysis.game import PlyAnalysis
from xiangqi.analysis.marks import MoveMark
from xiangqi.pieces import Color

__all__ = ["SideSummary", "sum_up"]

LOST: Final = 0.02
"""Expected points below which nothing is left to lose."""
KEPT: Final = 0.02
"""A move that loses less than this is as good as the best one, as far as the engine sees."""
FAULTS: Final = frozenset(
    (DemandKind.LOST, DemandKind.MUST_CHANGE, DemandKind.LET_STAND, DemandKind.GAVE_WAY)
)
"""The demands of the rules that a move did not meet."""


@dataclass(frozen=True, slots=True)
class SideSummary:
    """One player's moves."""

    side: Color
    moves: int
    average_loss: float
    """In centipawns a move, scores beyond +-10.00 taken for that."""
    accuracy: float | None
    """The percentage of the moves, where there was something to lose, that lost less than 0.02
    points; None without such moves."""
    marks: dict[MoveMark, int]
    mates_missed: int
    wins_thrown: int
    """Moves that tables know to give a win or a draw away."""
    rule_faults: int
    """Moves that the rules of repetition speak against."""

    def to_dict(self) -> dict[str, Any]:
        """JSON data of the summary."""
        return {
            "moves": self.moves,
            "average_loss": round(self.average_loss, 1),
            "accuracy": None if self.accuracy is None else round(self.accuracy, 1),
            "marks": {mark.sign: self.marks.get(mark, 0) for mark in MoveMark},
            "mates_missed": self.mates_missed,
            "thrown": self.wins_thrown,
            "rule_faults": self.rule_faults,
        }


def sum_up(plies: Iterable[PlyAnalysis], side: Color) -> SideSummary:
    """Sum up the moves of a side."""
    own = [ply for ply in plies if ply.side == side]
    counted = [ply for ply in own if ply.before.points(side) > LOST]
    kept = sum(ply.loss < KEPT for ply in counted)
    return SideSummary(
        side=side,
        moves=len(own),
        average_loss=sum(ply.loss_cp for ply in own) / len(own) if own else 0.0,
        accuracy=100 * kept / len(counted) if counted else None,
        marks=dict(Counter(ply.mark for ply in own if ply.mark is not None)),
        mates_missed=sum(ply.missed_mate is not None for ply in own),
        wins_thrown=sum(ply.thrown is not None for ply in own),
        rule_faults=sum(any(one.kind in FAULTS for one in ply.demands) for ply in own),
    )
