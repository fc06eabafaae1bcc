"""The sequential test of two hypotheses about a difference of strength.

H0 says that the first player is ``elo0`` stronger, H1 that it is ``elo1`` stronger. The log of
the likelihood ratio (LLR) is taken after each observation; the test ends where it leaves the
interval from ln(beta / (1 - alpha)) to ln((1 - beta) / alpha), with probabilities alpha and beta of
the two errors.

The likelihoods are those of the most likely distribution of scores under each hypothesis
(generalized SPRT): for logistic Elo under "the mean is s", for normalized Elo under "the distance
of the mean from 1/2 is t standard deviations". Empty cells count as 1/1000.

Source: Michel Van den Bergh, "Comments on normalized Elo",
https://www.cantate.be/Fishtest/normalized_elo_practical.pdf: proposition 1.1 with equations 1.2
and 1.3 for the mean, section 4.1 with equation 4.9 for the distance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from xiangqi.match.stats import NELO_UNIT, Stats

__all__ = ["Hypothesis", "Model", "Sprt"]

Hypothesis: TypeAlias = Literal["H0", "H1"]
Model: TypeAlias = Literal["normalized", "logistic"]

EMPTY_CELL: Final = 1e-3
"""Count for scores that have not occurred, so that the likelihoods stay finite."""
BISECTIONS: Final = 60
"""Halvings of an interval: beyond the precision of the numbers."""
ROUNDS: Final = 200
"""Iterations for normalized Elo; it takes some ten."""
SETTLED: Final = 1e-9
"""The iteration ends when no probability changes by more."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """A test with its hypotheses, in Elo of the chosen model, and its probabilities of error.

    Raises ValueError if no test can be made of them.

    >>> from xiangqi.match.stats import PairCounts
    >>> test = Sprt(0, 2, 0.05, 0.05)
    >>> test.report(Stats(pairs=PairCounts(365, 16618, 36029, 200, 16974, 390)))
    'LLR: 2.25 (76.4%) (-2.94, 2.94) [0.00, 2.00]'
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: Model = "normalized"

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            hypotheses = f"elo0={self.elo0} elo1={self.elo1}"
            raise ValueError(f"invalid SPRT {hypotheses}: expected elo0 below elo1")
        for name, value in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < value < 1:
                raise ValueError(f"invalid SPRT {name}={value}: expected a number from 0 to 1")
        if self.alpha + self.beta >= 1:
            errors = f"alpha={self.alpha} beta={self.beta}"
            raise ValueError(f"invalid SPRT {errors}: expected a sum below 1")
        if self.model not in ("normalized", "logistic"):
            expected = "expected 'normalized' or 'logistic'"
            raise ValueError(f"invalid SPRT model {self.model!r}: {expected}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR at or below which H0 is accepted, and at or above which H1 is."""
        return (
            math.log(self.beta / (1 - self.alpha)),
            math.log((1 - self.beta) / self.alpha),
        )

    def llr(self, stats: Stats) -> float:
        """The logarithm of the likelihood ratio of H1 and H0; 0 before there is a result."""
        frequencies = stats.counts.frequencies
        if not any(frequencies):
            return 0.0
        counts = [count or EMPTY_CELL for count in frequencies]
        probabilities = [count / sum(counts) for count in counts]
        if self.model == "logistic":
            null, alternative = (
                _given_mean(probabilities, 1 / (1 + 10 ** (-elo / 400)))
                for elo in (self.elo0, self.elo1)
            )
        else:
            per_game = math.sqrt(2) if stats.is_paired else 1
            null, alternative = (
                _given_distance(probabilities, per_game * elo / NELO_UNIT)
                for elo in (self.elo0, self.elo1)
            )
        return sum(
            count * math.log(p1 / p0)
            for count, p0, p1 in zip(counts, null, alternative, strict=True)
        )

    def decision(self, stats: Stats) -> Hypothesis | None:
        """The hypothesis that is accepted, or None while the test goes on."""
        lower, upper = self.bounds
        llr = self.llr(stats)
        if llr >= upper:
            return "H1"
        return "H0" if llr <= lower else None

    def report(self, stats: Stats) -> str:
        """The line that fastchess prints: LLR, its share of the bound, bounds, hypotheses."""
        lower, upper = self.bounds
        llr = self.llr(stats)
        share = llr / upper if llr >= 0 else -llr / lower
        bounds = f"({lower:.2f}, {upper:.2f}) [{self.elo0:.2f}, {self.elo1:.2f}]"
        return f"LLR: {llr:.2f} ({100 * share:.1f}%) {bounds}"


def _given_mean(probabilities: Sequence[float], mean: float) -> list[float]:
    """The most likely distribution of scores with this mean, given the observed one."""
    return _tilt(probabilities, [score - mean for score in _scores(len(probabilities))])


def _given_distance(probabilities: Sequence[float], distance: float) -> list[float]:
    """The most likely distribution of scores whose mean is so many deviations above 1/2."""
    scores = _scores(len(probabilities))
    found = _some_distribution(scores, distance)
    for _ in range(ROUNDS):
        mean, deviation = _moments(found, scores)
        before = found
        found = _tilt(
            probabilities,
            [
                score - 0.5 - distance * deviation * (1 + ((score - mean) / deviation) ** 2) / 2
                for score in scores
            ],
        )
        if max(abs(p - q) for p, q in zip(found, before, strict=True)) < SETTLED:
            break
    return found


def _some_distribution(scores: Sequence[float], distance: float) -> list[float]:
    """A distribution whose mean is so many deviations above 1/2: level but for an outermost score.

    The iteration finds its way from here for hypotheses of any size; the source begins with a
    level one, from which there is no way to the distance of some 250 Elo.
    """
    best = len(scores) - 1 if distance > 0 else 0
    lower, upper = 1.0, 1e9
    for _ in range(BISECTIONS):
        weight = math.sqrt(lower * upper)
        counts = [weight if cell == best else 1.0 for cell in range(len(scores))]
        found = [count / sum(counts) for count in counts]
        mean, deviation = _moments(found, scores)
        if abs(mean - 0.5) < abs(distance) * deviation:
            lower = weight
        else:
            upper = weight
    return found


def _moments(probabilities: Sequence[float], scores: Sequence[float]) -> tuple[float, float]:
    """Mean and standard deviation of a score."""
    mean = sum(p * score for p, score in zip(probabilities, scores, strict=True))
    variance = sum(p * (score - mean) ** 2 for p, score in zip(probabilities, scores, strict=True))
    return mean, math.sqrt(variance)


def _scores(cells: int) -> list[float]:
    return [cell / (cells - 1) for cell in range(cells)]


def _tilt(probabilities: Sequence[float], values: Sequence[float]) -> list[float]:
    """The most likely distribution under which the mean of ``values`` is 0.

    It is p / (1 + theta v), where theta makes the sum of p v / (1 + theta v) vanish. That sum
    falls all the way between the poles of its outermost terms.
    """
    lower, upper = -1 / max(values), -1 / min(values)
    for _ in range(BISECTIONS):
        theta = (lower + upper) / 2
        if sum(p * v / (1 + theta * v) for p, v in zip(probabilities, values, strict=True)) > 0:
            lower = theta
        else:
            upper = theta
    theta = (lower + upper) / 2
    return [p / (1 + theta * v) for p, v in zip(probabilities, values, strict=True)]
