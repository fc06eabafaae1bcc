"""Quantisation of weights to the integers of a network file, and evaluation by these."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from xiangqi.core.network import KING_BUCKETS, WIDTHS, architecture
from xiangqi.core.samples import SHAPE
from xiangqi.engine.network import Shape

BUCKETS: Final[int] = SHAPE["output_buckets"]
"""Number of outputs, one for each range of the number of pieces."""

_UNITS: Final = architecture(WIDTHS[0], next(iter(KING_BUCKETS)))
"""Architecture of one shape; the units are the same for all."""

HIDDEN_UNIT: Final = int(_UNITS["qa"])
"""Integer that represents 1.0 in the accumulators."""

OUTPUT_UNIT: Final = int(_UNITS["qb"])
"""Integer that represents 1.0 in the output weights."""

SCALE: Final = int(_UNITS["scale"])
"""Centipawns of an output of 1.0."""

MAX_WEIGHT: Final = 1.98
"""Maximum absolute weight: sums over 32 pieces, and products of an output weight and a clipped
activation, then fit into 16 bits, and sums over 256 neurons into 32."""

BATCH: Final = 4_096
"""Number of positions evaluated at a time, with some 64 kB of memory each."""

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class QuantisedNetwork:
    """The integers of a network file."""

    feature_weights: npt.NDArray[np.int16]
    """[feature][neuron]"""
    biases: npt.NDArray[np.int16]
    """[neuron]"""
    output_weights: npt.NDArray[np.int16]
    """[bucket][side to move, opponent][neuron]"""
    output_biases: npt.NDArray[np.int32]
    """[bucket]"""

    def payload(self) -> bytes:
        """Pack the integers as in the file, without its header."""
        parts = (self.feature_weights, self.biases, self.output_weights)
        return b"".join(part.astype("<i2").tobytes() for part in parts) + (
            self.output_biases.astype("<i4").tobytes()
        )

    @classmethod
    def unpack(cls, payload: bytes, shape: Shape) -> QuantisedNetwork:
        """Unpack the integers packed by :meth:`payload`."""
        sides = (BUCKETS, 2, shape.hidden)
        features = (int(architecture(*shape)["inputs"]), shape.hidden)
        shorts = np.frombuffer(payload[: -4 * BUCKETS], "<i2")
        ends = np.cumsum([math.prod(features), shape.hidden])
        weights, biases, output_weights = np.split(shorts, ends)
        output_biases = np.frombuffer(payload[-4 * BUCKETS :], "<i4")
        return cls(weights.reshape(features), biases, output_weights.reshape(sides), output_biases)

    def values(self, indices: npt.NDArray[np.int16], buckets: npt.NDArray[np.uint8]) -> Ints:
        """Evaluate positions for the side to move, in centipawns, by a simple reference algorithm.

        ``indices`` are the features [position][side][32], padded with -1.
        """
        parts = max(1, len(indices) // BATCH)
        pairs = zip(np.array_split(indices, parts), np.array_split(buckets, parts), strict=True)
        return np.concatenate([self._values(*pair) for pair in pairs])

    def _values(self, indices: npt.NDArray[np.int16], buckets: npt.NDArray[np.uint8]) -> Ints:
        rows = np.vstack([self.feature_weights, np.zeros_like(self.biases)]).astype(np.int64)
        sums = rows[indices].sum(axis=2) + self.biases
        active = np.clip(sums, 0, HIDDEN_UNIT) ** 2
        outputs = (active * self.output_weights[buckets].astype(np.int64)).sum(axis=(1, 2))
        outputs = _divide(outputs, HIDDEN_UNIT) + self.output_biases[buckets]
        return _divide(outputs * SCALE, HIDDEN_UNIT * OUTPUT_UNIT)


def _divide(numbers: Ints, by: int) -> Ints:
    """Integer division that truncates towards 0, as in C."""
    quotients: Ints = np.sign(numbers) * (np.abs(numbers) // by)
    return quotients


def quantise(
    feature_weights: Floats, biases: Floats, output_weights: Floats, output_biases: Floats
) -> QuantisedNetwork:
    """Round weights to integers; the order of the axes is that of the file."""
    return QuantisedNetwork(
        np.rint(feature_weights * HIDDEN_UNIT).astype(np.int16),
        np.rint(biases * HIDDEN_UNIT).astype(np.int16),
        np.rint(output_weights * OUTPUT_UNIT).astype(np.int16),
        np.rint(output_biases * HIDDEN_UNIT * OUTPUT_UNIT).astype(np.int32),
    )
