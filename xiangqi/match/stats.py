"""Statistics of the games between two players: Elo, likelihood of superiority, SPRT.

Two games from one opening with the colours exchanged are one observation, since they share the bias
of the opening: the sum of their points counts, as in the pentanomial statistics of fishtest. If all
games are single, wins, draws and losses are counted instead.

With s the mean score of an observation (0 to 1), v its variance, n the number of observations and
z = 1.96, all from the first player's side::

    Elo   = -400 log10(1/s - 1)
    nElo  = 800/ln 10 * (s - 1/2) / sqrt(v)        with 2v instead of v for pairs
    LOS   = Phi((s - 1/2) / sqrt(v/n))
    error = half the distance between the values at s - z sqrt(v/n) and s + z sqrt(v/n)

Where that interval reaches a score of 0 or 1, Wilson's is taken, for as many games without draws
as have the same deviation. If all n observations are equal, another result is rarer than
1 - 0.025^(1/n) with the same confidence (Clopper and Pearson); each bound is the mean score at that
frequency of the farthest result.

The report has the form of fastchess (https://github.com/Disservin/fastchess, elo_pentanomial.cpp
and output_fastchess.hpp), which prints nan in these two cases. A ratio of zero to zero is omitted,
and so is nElo if all observations are equal.

The sequential probability ratio test (SPRT) compares two hypotheses: under H0 the first player is
``elo0`` stronger, under H1 ``elo1``. The logarithm of the likelihood ratio (LLR) is computed after
each observation; the test ends when it leaves the interval from ln(beta / (1 - alpha)) to
ln((1 - beta) / alpha), with probabilities alpha and beta of the two errors. The likelihoods are
those of the most likely distribution of scores under each hypothesis (generalized SPRT): for
logistic Elo the mean is s, for normalized Elo the distance of the mean from 1/2 is t standard
deviations. Scores that have not occurred count as 1/1000.

Source: Michel Van den Bergh, "Normalized Elo" and "Comments on normalized Elo"
(https://www.cantate.be/Fishtest/normalized_elo_practical.pdf): proposition 1.1 with equations 1.2
and 1.3 for the mean, section 4.1 with equation 4.9 for the distance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, field, replace
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["NELO_UNIT", "GameCounts", "Hypothesis", "Model", "PairCounts", "Sprt", "Stats"]

Z_95: Final = 1.959963984540054
"""Two-sided 95 % quantile of the normal distribution."""
NELO_UNIT: Final = 800 / math.log(10)
"""Normalized Elo per standard deviation of a game."""


@dataclass(frozen=True, slots=True)
class GameCounts:
    """Numbers of wins, draws and losses, from the first player's side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def total(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def frequencies(self) -> tuple[int, ...]:
        """Numbers of games with a score of 0, 1/2 and 1."""
        return (self.losses, self.draws, self.wins)

    def swapped(self) -> GameCounts:
        """Counts from the other player's side."""
        return GameCounts(self.losses, self.draws, self.wins)

    def plus(self, points: float) -> GameCounts:
        """Counts with one more game. Raises ValueError unless the points are 0, 0.5 or 1."""
        name = _GAME_FIELDS.get(points)
        if name is None:
            raise ValueError(f"invalid points {points!r}: expected 0, 0.5 or 1")
        return replace(self, **{name: getattr(self, name) + 1})

    def __add__(self, other: GameCounts) -> GameCounts:
        return GameCounts(*map(sum, zip(astuple(self), astuple(other), strict=True)))


@dataclass(frozen=True, slots=True)
class PairCounts:
    """Numbers of pairs by their two results (w, d, l), from the first player's side."""

    ll: int = 0
    ld: int = 0
    wl: int = 0
    """One win each."""
    dd: int = 0
    """Two draws."""
    wd: int = 0
    ww: int = 0

    @property
    def total(self) -> int:
        return sum(astuple(self))

    @property
    def frequencies(self) -> tuple[int, ...]:
        """Numbers of pairs with a score of 0, 1/4, 1/2, 3/4 and 1."""
        return (self.ll, self.ld, self.wl + self.dd, self.wd, self.ww)

    def swapped(self) -> PairCounts:
        return PairCounts(self.ww, self.wd, self.wl, self.dd, self.ld, self.ll)

    def __add__(self, other: PairCounts) -> PairCounts:
        return PairCounts(*map(sum, zip(astuple(self), astuple(other), strict=True)))


_GAME_FIELDS: Final = {0.0: "losses", 0.5: "draws", 1.0: "wins"}
_PAIR_FIELDS: Final = {
    (0.0, 0.0): "ll",
    (0.0, 0.5): "ld",
    (0.0, 1.0): "wl",
    (0.5, 0.5): "dd",
    (0.5, 1.0): "wd",
    (1.0, 1.0): "ww",
}


@dataclass
class Stats:
    """Results of a match from the first player's side, with their statistics.

    >>> stats = Stats()
    >>> for first, second in [(1, 0.5), (0.5, 0.5), (1, 0), (0.5, 0), (1, 1)]:
    ...     stats.add_pair(first, second)
    >>> stats.games
    GameCounts(wins=4, draws=4, losses=2)
    >>> stats.pairs.frequencies
    (0, 1, 2, 1, 1)
    >>> print(f"{stats.elo:.1f} {stats.los:.3f}")
    70.4 0.810
    """

    games: GameCounts = field(default_factory=GameCounts)
    """All games, including those of pairs."""
    pairs: PairCounts = field(default_factory=PairCounts)

    def add_pair(self, first_points: float, second_points: float) -> None:
        """Count two games from one opening; the points (0, 0.5, 1) are the first player's.

        Raises ValueError for other points.
        """
        games = self.games.plus(first_points).plus(second_points)
        name = _PAIR_FIELDS[min(first_points, second_points), max(first_points, second_points)]
        self.pairs = replace(self.pairs, **{name: getattr(self.pairs, name) + 1})
        self.games = games

    def add_game(self, points: float) -> None:
        """Count an unpaired game. Raises ValueError unless the points are 0, 0.5 or 1."""
        self.games = self.games.plus(points)

    def swapped(self) -> Self:
        """Results from the other player's side."""
        return type(self)(self.games.swapped(), self.pairs.swapped())

    def __add__(self, other: Stats) -> Stats:
        return Stats(self.games + other.games, self.pairs + other.pairs)

    # Counts

    @property
    def is_paired(self) -> bool:
        """Are the estimates based on pairs? Unpaired games are then left out."""
        return self.pairs.total > 0

    @property
    def counts(self) -> GameCounts | PairCounts:
        """Observations on which the estimates are based."""
        return self.pairs if self.is_paired else self.games

    @property
    def points(self) -> float:
        """Points over all games: 1 for a win, 1/2 for a draw."""
        return self.games.wins + self.games.draws / 2

    @property
    def draw_ratio(self) -> float:
        """Share of even pairs, or of draws if games are single, 0 to 1."""
        even = len(self.counts.frequencies) // 2
        return _ratio(self.counts.frequencies[even], self.counts.total)

    @property
    def pairs_ratio(self) -> float:
        """Ratio of pairs won to pairs lost."""
        lost, lost_half, _, won_half, won = self.pairs.frequencies
        return _ratio(won_half + won, lost + lost_half)

    # Estimates

    @property
    def score(self) -> float:
        """Mean score of an observation, 0 to 1; 1/2 without observations."""
        frequencies, total = self.counts.frequencies, self.counts.total
        if not total:
            return 0.5
        steps = len(frequencies) - 1
        return sum(count * step for step, count in enumerate(frequencies)) / steps / total

    @property
    def variance(self) -> float:
        """Variance of the score of one observation."""
        frequencies, total = self.counts.frequencies, self.counts.total
        steps, mean = len(frequencies) - 1, self.score
        return sum(
            count * (step / steps - mean) ** 2 for step, count in enumerate(frequencies)
        ) / max(1, total)

    @property
    def elo(self) -> float:
        """Difference of strength in logistic Elo; infinite if one player has won every game."""
        return _elo(self.score)

    @property
    def elo_error(self) -> float:
        """Half of the 95 % interval of :attr:`elo`; infinite if one bound is."""
        lower, upper = self.elo_interval
        return (upper - lower) / 2

    @property
    def elo_interval(self) -> tuple[float, float]:
        """Bounds of the 95 % interval of :attr:`elo`.

        One is infinite if one player has won every game, both are before the first.

        >>> "from {:.0f} to {:.0f}".format(*Stats(pairs=PairCounts(dd=20)).elo_interval)
        'from -59 to 59'
        """
        score, variance, total = self.score, self.variance, self.counts.total
        if not total:
            return -math.inf, math.inf
        if not variance:
            rare = 1 - 0.025 ** (1 / total)
            return _elo(score * (1 - rare)), _elo(score + (1 - score) * rare)
        margin = self._margin()
        if not margin < score < 1 - margin:
            games = total * score * (1 - score) / variance
            weight = Z_95**2 / games
            margin = math.sqrt(weight * score * (1 - score) + weight**2 / 4) / (1 + weight)
            score = (score + weight / 2) / (1 + weight)
        return _elo(score - margin), _elo(score + margin)

    @property
    def nelo(self) -> float:
        """Difference of strength in normalized Elo."""
        return self._nelo(self.score - 0.5)

    @property
    def nelo_error(self) -> float:
        """Half of the 95 % interval of :attr:`nelo`."""
        return self._nelo(self._margin())

    @property
    def los(self) -> float:
        """Likelihood of superiority: probability that the first player is stronger."""
        return (1 + math.erf(_quotient(self.score - 0.5, math.sqrt(2) * self._deviation()))) / 2

    def _deviation(self) -> float:
        """Standard deviation of the mean score; 0 if all observations are equal."""
        return math.sqrt(self.variance / max(1, self.counts.total))

    def _margin(self) -> float:
        return Z_95 * self._deviation() or math.inf

    def _nelo(self, score: float) -> float:
        per_game = 2 if self.is_paired else 1
        return _quotient(score, math.sqrt(per_game * self.variance)) * NELO_UNIT

    # Report

    def report(self) -> list[str]:
        """Lines of a report in the form of fastchess, without the heading and the SPRT.

        >>> print(*Stats(GameCounts(4, 4, 2), PairCounts(0, 1, 1, 1, 1, 1)).report(), sep="\\n")
        Elo: 70.44 +/- 177.57, nElo: 96.36 +/- 215.34
        LOS: 80.98 %, DrawRatio: 40.00 %, PairsRatio: 2.00
        Games: 10, Wins: 4, Losses: 2, Draws: 4, Points: 6.0 (60.00 %)
        Ptnml(0-2): [0, 1, 2, 1, 1], WL/DD Ratio: 1.00
        """
        games, pairs = self.games, self.pairs
        share = 100 * (_ratio(self.points, games.total) if games.total else 0.5)
        lines = [
            self._report_elo(),
            f"LOS: {100 * self.los:.2f} %"
            + _format_ratio("DrawRatio", 100 * self.draw_ratio, " %")
            + _format_ratio("PairsRatio", self.pairs_ratio),
            f"Games: {games.total}, Wins: {games.wins}, Losses: {games.losses}, "
            f"Draws: {games.draws}, Points: {self.points:.1f} ({share:.2f} %)",
        ]
        if self.is_paired:
            counts = ", ".join(map(str, pairs.frequencies))
            even = _format_ratio("WL/DD Ratio", _ratio(pairs.wl, pairs.dd))
            lines.append(f"Ptnml(0-2): [{counts}]{even}")
        return lines

    def _report_elo(self) -> str:
        lower, upper = self.elo_interval
        if math.isinf(self.elo):
            bound = f"at least {lower:.2f}" if self.elo > 0 else f"at most {upper:.2f}"
            return f"Elo: {self.elo:.2f}, {bound} (95 %)"
        line = f"Elo: {self.elo:.2f} +/- {self.elo_error:.2f}"
        if self.counts.total and not self.variance:
            return line
        return f"{line}, nElo: {self.nelo:.2f} +/- {self.nelo_error:.2f}"


def _elo(score: float) -> float:
    if score in (0, 1):
        return math.inf if score else -math.inf
    return 400 * math.log10(score / (1 - score))


def _ratio(count: float, other: float) -> float:
    """Ratio of two counts; NaN for 0 to 0."""
    return count / other if other else math.inf if count else math.nan


def _format_ratio(name: str, ratio: float, unit: str = "") -> str:
    """Part of a report line; empty for NaN."""
    return "" if math.isnan(ratio) else f", {name}: {ratio:.2f}{unit}"


def _quotient(value: float, scale: float) -> float:
    """Quotient with a divisor that may be 0: 0 for 0/0, otherwise infinite."""
    if not value:
        return 0.0
    return value / scale if scale else math.copysign(math.inf, value)


Hypothesis: TypeAlias = Literal["H0", "H1"]
Model: TypeAlias = Literal["normalized", "logistic"]

EMPTY_CELL: Final = 1e-3
"""Count of a score that has not occurred, so that the likelihoods stay finite."""
BISECTIONS: Final = 60
"""Number of bisection steps, beyond the precision of floating point."""
MAX_ITERATIONS: Final = 200
"""Maximum number of iterations for normalized Elo; about ten are needed."""
TOLERANCE: Final = 1e-9
"""Maximum change of a probability at which the iteration ends."""


@dataclass(frozen=True, slots=True)
class Sprt:
    """Sequential probability ratio test of two hypotheses, in Elo of the chosen model.

    Raises ValueError for invalid values.

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
        """LLR at or below which H0 is accepted, and LLR at or above which H1 is accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, stats: Stats) -> float:
        """Logarithm of the likelihood ratio of H1 to H0; 0 without results."""
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
        """The accepted hypothesis, or None while the test goes on."""
        lower, upper = self.bounds
        llr = self.llr(stats)
        if llr >= upper:
            return "H1"
        return "H0" if llr <= lower else None

    def report(self, stats: Stats) -> str:
        """Line of a report in the form of fastchess: LLR, share of the bound, bounds, H0 and H1."""
        lower, upper = self.bounds
        llr = self.llr(stats)
        share = llr / upper if llr >= 0 else -llr / lower
        bounds = f"({lower:.2f}, {upper:.2f}) [{self.elo0:.2f}, {self.elo1:.2f}]"
        return f"LLR: {llr:.2f} ({100 * share:.1f}%) {bounds}"


def _given_mean(probabilities: Sequence[float], mean: float) -> list[float]:
    """Most likely distribution of scores with this mean, given the observed one."""
    return _tilt(probabilities, [score - mean for score in _scores(len(probabilities))])


def _given_distance(probabilities: Sequence[float], distance: float) -> list[float]:
    """Most likely distribution whose mean is this number of standard deviations above 1/2, given
    the observed one."""
    scores = _scores(len(probabilities))
    found = _first_distribution(scores, distance)
    for _ in range(MAX_ITERATIONS):
        mean, deviation = _moments(found, scores)
        before = found
        found = _tilt(
            probabilities,
            [
                score - 0.5 - distance * deviation * (1 + ((score - mean) / deviation) ** 2) / 2
                for score in scores
            ],
        )
        if max(abs(p - q) for p, q in zip(found, before, strict=True)) < TOLERANCE:
            break
    return found


def _first_distribution(scores: Sequence[float], distance: float) -> list[float]:
    """Distribution whose mean is this number of standard deviations above 1/2.

    It is uniform except for the highest or lowest score. From here the iteration converges for any
    hypotheses; from the uniform distribution of the source it fails beyond some 250 Elo.
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
    mean = sum(p * score for p, score in zip(probabilities, scores, strict=True))
    variance = sum(p * (score - mean) ** 2 for p, score in zip(probabilities, scores, strict=True))
    return mean, math.sqrt(variance)


def _scores(cells: int) -> list[float]:
    return [cell / (cells - 1) for cell in range(cells)]


def _tilt(probabilities: Sequence[float], values: Sequence[float]) -> list[float]:
    """Most likely distribution under which the mean of ``values`` is 0.

    It is p / (1 + theta v), where theta is the zero of the sum of p v / (1 + theta v), which is
    monotonically decreasing between its two poles next to 0.
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
