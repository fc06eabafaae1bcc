"""Expected points of scores, which networks are trained on, and errors of evaluations."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from train.sample_files import Sample
from train.samples import Records
from xiangqi.board import Board
from xiangqi.core.evaluator import evaluate_board
from xiangqi.engine.network import choose_network

Floats = npt.NDArray[np.float32]

WIDTH: Final = 297.0
"""Score in centipawns with sigmoid(1) expected points, once fitted to the results of human games
(https://www.chessprogramming.org/Texel%27s_Tuning_Method)."""


def expected_points(centipawns: npt.NDArray[Any]) -> Floats:
    """Expected points of scores, 0 to 1."""
    points: Floats = 1 / (1 + np.exp(-centipawns.astype(np.float32) / WIDTH))
    return points


def score_of(points: Floats) -> Floats:
    """Scores with these expected points, in centipawns: the inverse of :func:`expected_points`."""
    score: Floats = WIDTH * np.log(points / (1 - points))
    return score


def squared_errors(values: npt.NDArray[Any], target: Floats) -> Floats:
    """Squared differences of the expected points of values, in centipawns, from the target."""
    difference: Floats = expected_points(values) - target
    return difference**2


def error(values: npt.NDArray[Any], target: Floats) -> float:
    """Mean of :func:`squared_errors`.

    >>> error(np.array([0.0, 0.0]), np.array([0.5, 1.0], np.float32))
    0.125
    """
    return float(squared_errors(values, target).mean())


def static_values(records: Records, network: str) -> npt.NDArray[np.float64]:
    """Static evaluations of samples, in centipawns of the side to move. Raises NetworkError.

    ``network`` is an argument of :func:`xiangqi.engine.network.choose_network`.
    """
    weights = choose_network(network).weights
    boards = (Board(Sample.unpack(record.tobytes()).setup) for record in records)
    return np.fromiter((evaluate_board(board, weights) for board in boards), float)
