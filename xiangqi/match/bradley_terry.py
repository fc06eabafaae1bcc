"""Maximum-likelihood strengths of players: the Bradley-Terry model with draws.

With x the difference of the players' strengths plus the advantage of moving first, from Red's
side, the probabilities of win, draw and loss are proportional to exp(x/2), nu and exp(-x/2)
(Davidson's model of draws). The strengths, the advantage and nu maximise the likelihood of the
games. Its logarithm is concave in them and in ln nu, so that the maximum is unique; standard
deviations come from the inverse of the Hessian there.

A weak prior, as in BayesElo, keeps the strength of a player who won or lost every game finite.
Each player has ``prior`` virtual games, half won and half lost, divided among its opponents like
its real ones. ``prior`` further games between equals are half drawn. In twenty times as many Red
and Black score evenly, so that the results of a player who had only one colour are not ascribed to
the colour.

Sources: R. A. Bradley and M. E. Terry, Biometrika 39 (1952); R. R. Davidson, "On extending the
Bradley-Terry model to accommodate ties", Journal of the American Statistical Association 65
(1970); R. Coulom, "Bayesian Elo rating", https://www.remi-coulom.fr/Bayesian-Elo/.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from xiangqi.ground.errors import Fact, RatingError
from xiangqi.match.stats import GameCounts

__all__ = ["Fit", "Meeting", "fit_strengths"]

Array: TypeAlias = npt.NDArray[np.float64]
Meeting: TypeAlias = tuple[int, int, GameCounts]
"""Indices of Red and Black, and their games from Red's side."""

EVEN_GAMES: Final = 20
"""Virtual even games of Red and Black, in multiples of the prior: an advantage of the first move
beyond some 150 Elo needs strong evidence."""
TOLERANCE: Final = 1e-6
"""Gradient, in points, at which the optimiser stops."""
MAX_GRADIENT: Final = 1e-3
"""Maximum gradient accepted if rounding stops the optimiser earlier."""


@dataclass(frozen=True)
class Fit:
    """Most likely parameters, with their covariance."""

    strengths: Array
    """Strengths in natural units; the first player's is 0."""
    advantage: float
    """Advantage of moving first, in the same unit."""
    nu: float
    """Probability of a draw between equals, relative to that of a win of one of them."""
    covariance: Array
    """Covariance of the strengths from the second player on, the advantage and ln nu."""

    @property
    def advantage_deviation(self) -> float:
        return float(np.sqrt(self.covariance[-2, -2]))

    def difference(self, weights: Sequence[float]) -> tuple[float, float]:
        """Weighted sum of strengths and its standard deviation; the weights must add up to 0."""
        free = np.array(weights)[1:]
        covariance = self.covariance[: len(free), : len(free)]
        return float(free @ self.strengths[1:]), float(np.sqrt(free @ covariance @ free))


def fit_strengths(players: int, meetings: Sequence[Meeting], prior: float) -> Fit:
    """Fit the model to games that connect all players.

    ``prior`` is a number of virtual games above 0. Raises RatingError if the optimiser fails, for
    extremely large or small numbers.
    """
    likelihood = _Likelihood(players, meetings, prior)
    found = minimize(
        likelihood.value_and_gradient,
        np.zeros(players + 1),
        jac=True,
        hess=likelihood.hessian,
        method="trust-exact",
        options={"gtol": TOLERANCE},
    )
    if not np.abs(found.jac).max() <= MAX_GRADIENT:
        raise RatingError(Fact("rating.no_end", message=found.message))
    *strengths, advantage, log_nu = found.x
    return Fit(
        strengths=np.array([0.0, *strengths]),
        advantage=float(advantage),
        nu=float(np.exp(log_nu)),
        covariance=np.asarray(np.linalg.inv(likelihood.hessian(found.x)), np.float64),
    )


class _Likelihood:
    """Negative log-likelihood as a function of the parameters, with its derivatives.

    Each row of the arrays is one meeting. Rows without ``may_draw`` are virtual games, which cannot
    be drawn.
    """

    def __init__(self, players: int, meetings: Sequence[Meeting], prior: float) -> None:
        size = players + 1
        rows, counts, may_draw = [], [], []

        def add(row: Array, wins: float, draws: float, losses: float, draw: bool) -> None:
            rows.append(row)
            counts.append((wins, draws, losses))
            may_draw.append(draw)

        def contrast(red: int, black: int, advantage: float) -> Array:
            row = np.zeros(size + 1)
            row[red] += 1
            row[black] -= 1
            row[-2] = advantage
            return row[1:]

        totals = np.zeros(players)
        for red, black, games in meetings:
            totals[[red, black]] += games.total
            add(contrast(red, black, 1), games.wins, games.draws, games.losses, True)
        for red, black, games in meetings:
            virtual = prior * games.total * (1 / totals[red] + 1 / totals[black])
            add(contrast(red, black, 0), virtual / 2, 0, virtual / 2, False)
        even = EVEN_GAMES * prior
        add(contrast(0, 0, 1), even / 2, 0, even / 2, False)
        add(contrast(0, 0, 0), prior / 4, prior / 2, prior / 4, True)

        self.rows = np.array(rows)
        self.wins, self.draws, self.losses = np.array(counts).T
        self.totals = self.wins + self.draws + self.losses
        self.draw_offset = np.where(may_draw, 0.0, -np.inf)

    def _moments(self, parameters: Array) -> tuple[Array, Array, Array]:
        """Log of the normalising sum; mean of the result (1/2, 0, -1/2); probability of a draw."""
        win = self.rows @ parameters / 2  # logarithms of probabilities before normalisation
        draw, loss = parameters[-1] + self.draw_offset, -win
        log_sum = np.logaddexp(np.logaddexp(win, loss), draw)
        mean = (np.exp(win - log_sum) - np.exp(loss - log_sum)) / 2
        return log_sum, mean, np.exp(draw - log_sum)

    def value_and_gradient(self, parameters: Array) -> tuple[float, Array]:
        """Negative log-likelihood of the games and its gradient."""
        half = self.rows @ parameters / 2
        log_sum, mean, draw = self._moments(parameters)
        observed = (self.wins - self.losses) / 2
        value = self.totals @ log_sum - 2 * observed @ half - self.draws.sum() * parameters[-1]
        gradient = self.rows.T @ (self.totals * mean - observed)
        gradient[-1] += self.totals @ draw - self.draws.sum()
        return float(value), gradient

    def hessian(self, parameters: Array) -> Array:
        """Fisher information of the games on the parameters."""
        _, mean, draw = self._moments(parameters)
        own = self.totals * ((1 - draw) / 4 - mean**2)
        mixed = self.rows.T @ (-self.totals * mean * draw)
        found = (self.rows.T * own) @ self.rows
        found[-1] += mixed
        found[:, -1] += mixed
        found[-1, -1] += self.totals @ (draw * (1 - draw))
        return np.asarray(found)
