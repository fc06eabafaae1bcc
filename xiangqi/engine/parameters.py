"""The parameters of the search: name, default, bounds, tuning step and meaning, in one table.

Depths are in plies, margins in centipawns unless the meaning says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from xiangqi.core.searcher import Parameters

__all__ = ["PARAMETERS", "Parameter", "make_parameters"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One number of the search."""

    name: str
    default: int
    least: int
    most: int
    step: int
    meaning: str


PARAMETERS: Final = tuple(
    Parameter(*row)
    for row in (
        (
            "ASPIRATION_WINDOW",
            22,
            5,
            200,
            5,
            "half width of the first window around the last score",
        ),
        ("RAZOR_DEPTH", 3, 0, 8, 1, "deepest node that is razored"),
        ("RAZOR_MARGIN", 280, 50, 800, 25, "how far below alpha, per ply"),
        ("REVERSE_FUTILITY_DEPTH", 7, 0, 12, 1, "deepest node cut by its static evaluation"),
        ("REVERSE_FUTILITY_MARGIN", 112, 20, 250, 10, "how far above beta, per ply"),
        ("NULL_MOVE_DEPTH", 3, 1, 8, 1, "shallowest node that tries to pass"),
        ("NULL_MOVE_BASE", 3, 1, 6, 1, "reduction after passing"),
        ("NULL_MOVE_DIVISOR", 4, 2, 10, 1, "plies of depth for one more ply of reduction"),
        ("NULL_MOVE_EVAL_DIVISOR", 88, 50, 500, 20, "margin above beta for one more ply"),
        ("NULL_MOVE_VERIFY_DEPTH", 12, 6, 30, 1, "shallowest node where a pass is verified"),
        ("PROBCUT_DEPTH", 5, 3, 12, 1, "shallowest node that tries ProbCut"),
        ("PROBCUT_MARGIN", 210, 50, 500, 20, "how far above beta a capture must hold"),
        ("INTERNAL_REDUCTION_DEPTH", 4, 2, 12, 1, "shallowest node reduced for want of a move"),
        ("LATE_MOVE_PRUNING_DEPTH", 4, 0, 10, 1, "deepest node that drops late quiet moves"),
        ("LATE_MOVE_PRUNING_BASE", 8, 1, 40, 1, "quiet moves always tried"),
        ("LATE_MOVE_PRUNING_FACTOR", 3, 1, 10, 1, "more of them, by the square of the depth"),
        ("FUTILITY_DEPTH", 6, 0, 12, 1, "deepest reduced depth that drops hopeless quiet moves"),
        ("FUTILITY_BASE", 3, 0, 400, 20, "how far below alpha is hopeless"),
        ("FUTILITY_MARGIN", 26, 20, 300, 10, "the same, per ply"),
        ("SEE_PRUNING_DEPTH", 7, 0, 12, 1, "deepest node that drops losing exchanges"),
        ("SEE_CAPTURE_MARGIN", 140, 20, 400, 10, "loss allowed to a capture, per ply"),
        ("SEE_QUIET_MARGIN", 29, 5, 200, 5, "loss allowed to a quiet move, per ply squared"),
        ("SINGULAR_DEPTH", 8, 5, 16, 1, "shallowest node that asks if its best move stands alone"),
        ("SINGULAR_MARGIN", 37, 8, 128, 4, "by how much, in sixteenths of a centipawn per ply"),
        ("REDUCTION_DEPTH", 3, 2, 8, 1, "shallowest node that reduces late moves"),
        ("REDUCTION_BASE", 94, 0, 200, 10, "reduction in hundredths of a ply"),
        ("REDUCTION_DIVISOR", 187, 100, 500, 10, "divides the product of the logarithms, x 100"),
        ("REDUCTION_HISTORY", 10000, 2000, 40000, 1000, "history for one ply less or more"),
        ("HISTORY_SLOPE", 180, 20, 600, 20, "bonus per ply of depth"),
        ("HISTORY_MOST", 1800, 200, 8000, 100, "largest bonus"),
        ("CORRECTION_WEIGHT", 256, 64, 1024, 32, "how slowly corrections are learnt"),
        ("DELTA_MARGIN", 93, 0, 500, 10, "quiescence: hope beyond the captured piece"),
        ("RECAPTURE_DEPTH", 8, 2, 20, 1, "quiescence: plies after which one may only retake"),
        ("BELIEVED_OCCURRENCES", 2, 2, 4, 1, "how often a position must occur in the tree"),
    )
)


def make_parameters(changes: Mapping[str, int] | None = None) -> Parameters:
    """The defaults, some of them changed, for a searcher; ValueError names what is wrong."""
    values = {parameter.name: parameter.default for parameter in PARAMETERS}
    for name, value in (changes or {}).items():
        if name not in values:
            raise ValueError(f"unknown parameter {name!r}: expected one of {', '.join(values)}")
        values[name] = value
    for parameter in PARAMETERS:
        if not parameter.least <= values[parameter.name] <= parameter.most:
            raise ValueError(
                f"{parameter.name} is {values[parameter.name]}, "
                f"expected {parameter.least} to {parameter.most}"
            )
    return Parameters(values)
