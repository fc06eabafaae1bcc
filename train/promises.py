"""Scores as the points that they promise, which is what networks learn, and how far they err."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from train.samples import Records
from xiangqi.board import Board
from xiangqi.core.evaluator import evaluate_board
from xiangqi.engine.network import choose_network, evaluation_of
from xiangqi.selfplay.samples import Sample

WIDTH: Final = 297.0
"""A score of so many centipawns promises sigmoid(1) points: 400 / (K ln 10) for the K = 0.585 of
the hand-made evaluation (train/README.md)."""


def promise(centipawns: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """The points that a score promises."""
    promised: npt.NDArray[np.float32] = 1 / (1 + np.exp(-centipawns.astype(np.float32) / WIDTH))
    return promised


def score_of(promised: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The score that promises so many points: :func:`promise` turned round."""
    score: npt.NDArray[np.float32] = WIDTH * np.log(promised / (1 - promised))
    return score


def squared_errors(
    values: npt.NDArray[Any], target: npt.NDArray[np.float32]
) -> npt.NDArray[np.float32]:
    """The squared differences between what values in centipawns promise and what they should."""
    difference: npt.NDArray[np.float32] = promise(values) - target
    return difference**2


def error(values: npt.NDArray[Any], target: npt.NDArray[np.float32]) -> float:
    """The mean of :func:`squared_errors`.

    >>> error(np.array([0.0, 0.0]), np.array([0.5, 1.0], np.float32))
    0.125
    """
    return float(squared_errors(values, target).mean())


def static_values(records: Records, network: str) -> npt.NDArray[np.float64]:
    """Values of samples by a network (as :func:`xiangqi.engine.network.choose_network` takes it).

    In centipawns of the side to move. Raises NetworkError.
    """
    evaluation = evaluation_of(choose_network(network))
    boards = (Board(Sample.unpack(record.tobytes()).setup) for record in records)
    return np.fromiter((evaluate_board(board, evaluation) for board in boards), float)
