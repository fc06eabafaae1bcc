"""Fits the model of win, draw and loss that UCI_ShowWDL shows to games of the engine with itself.

    xiangqi datagen wdl.games --games 400 --nodes 20000
    python -m train.extract wdl.games -o wdl.samples
    python -m train.fit_wdl wdl.samples

Both chances, to win and to lose, are logistic curves of the score, mirror images of each other;
what is left is the draw (https://www.chessprogramming.org/Pawn_Advantage,_Win_Percentage,_and_Elo).
The two numbers printed, at which the results are likeliest, belong into xiangqi/chances.py.
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
"""Centre and spread, in centipawns, where the search for the best begins."""
MIN_CHANCE: Final = 1e-9

Floats = npt.NDArray[np.float64]


def log_loss(
    scores: npt.NDArray[Any], points: npt.NDArray[Any], centre: float, spread: float
) -> float:
    """The mean negative logarithm of the chance that the model gave to what came.

    ``scores`` are in centipawns of the side to move, ``points`` are what it made of them.
    """
    win: Floats = 1 / (1 + np.exp((centre - scores) / spread))
    loss: Floats = 1 / (1 + np.exp((centre + scores) / spread))
    chance = np.select([points == 1, points == 0], [win, loss], 1 - win - loss)
    return float(-np.log(np.maximum(chance, MIN_CHANCE)).mean())


def fit(scores: npt.NDArray[Any], points: npt.NDArray[Any]) -> tuple[float, float]:
    """The centre and the spread with the least loss."""
    found = minimize(lambda model: log_loss(scores, points, *model), START, method="Nelder-Mead")
    centre, spread = found.x
    return float(centre), float(spread)


def main() -> None:
    """Read, fit, print."""
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
