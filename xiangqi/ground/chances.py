"""Win, draw and loss probabilities of a score: a logistic model of our engine's games."""

from __future__ import annotations

import math
from typing import Final

__all__ = ["expect_result"]

WDL_CENTRE: Final = 463
"""Score, in centipawns, at which the probability of a win is one half."""
WDL_SPREAD: Final = 169
"""Centipawns that multiply the odds of a win by e.

Both are maximum-likelihood estimates from 55,781 scores of quiet positions in 400 self-play games
at 20,000 nodes a move; the log loss is 0.523 a score (train/fit_wdl.py)."""
_MAX_SCORE: Final = 50_000
"""Scores are clamped to this, so that the exponential does not overflow."""


def expect_result(score: int) -> tuple[int, int, int]:
    """Win, draw and loss probabilities of a score, in permille, for the side that it is for.

    >>> expect_result(0), expect_result(463), expect_result(29_995), expect_result(-10**9)
    ((61, 878, 61), (500, 496, 4), (1000, 0, 0), (0, 0, 1000))
    """
    score = max(-_MAX_SCORE, min(score, _MAX_SCORE))
    win = round(1000 / (1 + math.exp((WDL_CENTRE - score) / WDL_SPREAD)))
    loss = round(1000 / (1 + math.exp((WDL_CENTRE + score) / WDL_SPREAD)))
    return win, 1000 - win - loss, loss
