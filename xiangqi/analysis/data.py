"""An analysis as JSON data, for those who count."""

from __future__ import annotations

from typing import Any

from xiangqi.analysis.annotation import describe_settings
from xiangqi.analysis.game import AnalysisSettings, GameAnalysis, PlyAnalysis
from xiangqi.analysis.summary import sum_up
from xiangqi.pieces import BLACK, COLOR_NAMES, RED
from xiangqi.referee.explanation import ruling_to_dict

__all__ = ["analysis_to_dict"]


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
