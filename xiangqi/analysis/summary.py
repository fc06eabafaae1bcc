"""Sums of an analysis for each player, and the whole of it as JSON data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from xiangqi.analysis.game import AnalysisSettings, GameAnalysis, PlyAnalysis
from xiangqi.analysis.knowledge import DemandKind
from xiangqi.analysis.values import MoveMark
from xiangqi.installed import __version__
from xiangqi.pieces import BLACK, COLOR_NAMES, RED, Color
from xiangqi.referee.explanation import ruling_to_dict

__all__ = ["SideSummary", "analysis_to_dict", "describe_settings", "sum_up"]

OURS: Final = " a move, "
"""Mark of an analysis by Meihua in the header ``Annotator``."""
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


def describe_settings(settings: AnalysisSettings, analyst: str) -> str:
    """Value of the header ``Annotator``: the engine, its effort and the rule set."""
    who = analyst if settings.engine else f"{analyst} {__version__}"
    return f"{who}, {settings.effort.describe()}{OURS}{settings.rules.describe()}"


def analysis_to_dict(analysis: GameAnalysis, settings: AnalysisSettings) -> dict[str, Any]:
    """All numbers of an analysis. Scores are from Red's side, as ``[%eval]`` has them."""
    return {
        "by": describe_settings(settings, analysis.analyst),
        "opening": analysis.opening,
        "first": None if analysis.first is None else str(analysis.first.eval()),
        "red": sum_up(analysis.plies, RED).to_dict(),
        "black": sum_up(analysis.plies, BLACK).to_dict(),
        "plies": [_ply_to_dict(ply) for ply in analysis.plies],
    }


def _ply_to_dict(ply: PlyAnalysis) -> dict[str, Any]:
    data: dict[str, Any] = {
        "ply": ply.ply + 1,
        "side": COLOR_NAMES[ply.side],
        "move": ply.move.iccs(),
        "line": [] if ply.best is None else [move.iccs() for move in ply.best.moves],
        "depth": 0 if ply.best is None else ply.best.depth,
        "before": str(ply.before.eval()),
        "after": str(ply.after.eval()),
        "loss": round(ply.loss, 4),
        "loss_cp": ply.loss_cp,
        "mark": None if ply.mark is None else ply.mark.sign,
        "missed_mate": ply.missed_mate,
        "thrown": None if ply.thrown is None else [value.value for value in ply.thrown],
    }
    if ply.demands:
        data["demands"] = [
            {
                "kind": one.kind.value,
                "move": None if one.move is None else one.move.iccs(),
                "ruling": None
                if one.ruling is None
                else ruling_to_dict(one.ruling, evidence=False),
            }
            for one in ply.demands
        ]
    if ply.book is not None:
        data["book"] = [[one.move.iccs(), one.weight, one.games] for one in ply.book.moves]
    return data
