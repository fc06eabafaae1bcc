"""Samples as arrays: features, output buckets, scores and results."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from train.sample_files import FIELDS, SAMPLE_SIZE, SAMPLES
from xiangqi.core.network import KING_BUCKETS, architecture
from xiangqi.core.samples import fill_features
from xiangqi.engine.network import Shape
from xiangqi.pieces import FILE_NAMES

Records = npt.NDArray[np.void]

SAMPLE: Final = np.dtype([(name, *rest) for name, *rest in FIELDS])
VALIDATION_SHARE: Final = 0.03
CHUNK: Final = 1 << 16

DRAW: Final = 1
"""Result of a draw; 2 is a win of Red, 0 a win of Black."""


@dataclass(frozen=True)
class Positions:
    """Training positions: one row in each array."""

    indices: npt.NDArray[np.int16]
    """Features [position][side to move, opponent][32], padded with -1."""
    buckets: npt.NDArray[np.uint8]
    scores: npt.NDArray[np.int16]
    """Score of a search, in centipawns of the side to move."""
    points: npt.NDArray[np.float32]
    """Result for the side to move: 1, 0.5 or 0."""

    def __len__(self) -> int:
        return len(self.scores)


def read_records(path: Path) -> Records:
    """Read all samples of a file."""
    _, start = SAMPLES.read(path)
    size = path.stat().st_size - start
    return np.fromfile(path, SAMPLE, count=size // SAMPLE_SIZE, offset=start)


def describe_file(path: Path) -> dict[str, Any]:
    """Describe a training file, for a network's header."""
    facts, _ = SAMPLES.read(path)
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return {"name": path.name, "sha256": digest, "samples": len(read_records(path)), "made": facts}


def split(files: Sequence[Records], seed: int) -> tuple[Records, Records]:
    """Split samples by game into training and validation. Raises ValueError for too few games."""
    training, validation = [], []
    for number, records in enumerate(files):
        games = np.unique(records["game"])
        rng = np.random.default_rng((seed, number))
        if len(games) < 2:
            raise ValueError(f"{len(games)} games, expected at least 2 in each file")
        held = rng.choice(games, max(1, int(len(games) * VALIDATION_SHARE)), replace=False)
        is_held = np.isin(records["game"], held)
        training.append(records[~is_held])
        validation.append(records[is_held])
    return np.concatenate(training), np.concatenate(validation)


def positions(records: Records, kings: str) -> Positions:
    """Convert samples to arrays, with the features of these king buckets."""
    parts = [
        fill_features(records[begin : begin + CHUNK].tobytes(), kings)
        for begin in range(0, len(records), CHUNK)
    ]
    indices = np.concatenate([np.asarray(part[0]) for part in parts])
    buckets = np.concatenate([np.asarray(part[1]) for part in parts])
    return Positions(indices, buckets, records["score"].copy(), points(records))


def mirrored_features(shape: Shape) -> npt.NDArray[np.int16]:
    """Mirror image of each feature, with left and right exchanged.

    Only features of king buckets on file e, which have odd numbers, can be mirrored; the others map
    to themselves.
    """
    features = np.arange(int(architecture(*shape)["inputs"]), dtype=np.int16)
    ranks = features.reshape(KING_BUCKETS[shape.kings], -1, len(FILE_NAMES))
    is_even = np.arange(len(ranks))[:, None, None] % 2 == 0
    return np.where(is_even, ranks, ranks[:, :, ::-1]).reshape(-1)


def points(records: Records) -> npt.NDArray[np.float32]:
    """Result of each position for the side to move: 1, 0.5 or 0."""
    red = records["result"] / (2.0 * DRAW)
    own: npt.NDArray[np.float32] = np.where(records["turn"] == 1, red, 1 - red).astype(np.float32)
    return own
