"""Win, draw and loss probabilities of a score: a logistic model of our engine's games."""

from __future__ import annotations

import math
from typing import Final

__all__ = ["expect_result"]

WDL_CENTRE: Final = 463
"""The score, in centipawns, at which a win is as likely as not."""
WDL_SPREAD: Final = 169
"""Centipawns that multiply the odds of a win by e.

Both are the maximum of the likelihood of 400 games of the engine against itself, 20,000 nodes a
move, 55,781 scores of quiet positions in all: the log loss is 0.523 a score (train/fit_wdl.py)."""
_MOST: Final = 50_000
"""Maximum of the scores that are distinguished."""


def expect_result(score: int) -> tuple[int, int, int]:
    """Win, draw and loss probabilities of a score in permille, from its point of view.

    >>> expect_result(0), expect_result(463), expect_result(29_995), expect_result(-10**9)
    ((61, 878, 61), (500, 496, 4), (1000, 0, 0), (0, 0, 1000))
    """
    score = max(-_MOST, min(score, _MOST))
    win = round(1000 / (1 + math.exp((WDL_CENTRE - score) / WDL_SPREAD)))
    loss = round(1000 / (1 + math.exp((WDL_CENTRE + score) / WDL_SPREAD)))
    return win, 1000 - win - loss, loss
