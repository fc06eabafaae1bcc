"""Fits the win, draw and loss model of ``UCI_ShowWDL`` to self-play games.

    python -m train.datagen wdl.games --games 400 --nodes 20000
    python -m train.extract wdl.games -o wdl.samples
    python -m train.fit_wdl wdl.samples

The probabilities of a win and of a loss are logistic functions of the score, mirror images of each
other; the rest is the probability of a draw
(https://www.chessprogramming.org/Pawn_Advantage,_Win_Percentage,_and_Elo). Prints the two
maximum-likelihood parameters for xiangqi/ground/chances.py.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize

from train.samples import Records, points, read_records

START: Final = (300.0, 200.0)
"""Initial centre and spread, in centipawns."""
MIN_PROBABILITY: Final = 1e-9

Floats = npt.NDArray[np.float64]


def log_loss(
    scores: npt.NDArray[Any], points: npt.NDArray[Any], centre: float, spread: float
) -> float:
    """Mean negative logarithm of the probability that the model gives to each result.

    ``scores`` are in centipawns of the side to move, ``points`` its results: 1, 0.5 or 0.
    """
    win: Floats = 1 / (1 + np.exp((centre - scores) / spread))
    loss: Floats = 1 / (1 + np.exp((centre + scores) / spread))
    probability = np.select([points == 1, points == 0], [win, loss], 1 - win - loss)
    return float(-np.log(np.maximum(probability, MIN_PROBABILITY)).mean())


def fit(scores: npt.NDArray[Any], points: npt.NDArray[Any]) -> tuple[float, float]:
    """Centre and spread that minimise :func:`log_loss`."""
    found = minimize(lambda model: log_loss(scores, points, *model), START, method="Nelder-Mead")
    centre, spread = found.x
    return float(centre), float(spread)


def main() -> None:
    """Read the samples, fit the model and print it."""
    parser = argparse.ArgumentParser(description="Fit the probabilities of win and loss to games.")
    parser.add_argument("samples", type=Path, nargs="+", help="files of train.extract")
    records: Records = np.concatenate([read_records(path) for path in parser.parse_args().samples])
    scores = records["score"].astype(float)
    centre, spread = fit(scores, points(records))
    loss = log_loss(scores, points(records), centre, spread)
    print(f"{len(records)} positions: WDL_CENTRE {centre:.0f}, WDL_SPREAD {spread:.0f}")
    print(f"log loss of a position {loss:.3f}")


if __name__ == "__main__":
    main()
