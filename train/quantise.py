"""From floating-point weights to the integers of a network file, and what these are worth."""

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
"""Number of outputs, one for each range of pieces."""

_UNITS: Final = architecture(WIDTHS[0], next(iter(KING_BUCKETS)))
"""Units common to networks of all shapes."""

HIDDEN_UNIT: Final = int(_UNITS["qa"])
"""Integer for 1.0 in the accumulators."""

OUTPUT_UNIT: Final = int(_UNITS["qb"])
"""Integer for 1.0 among the output weights."""

SCALE: Final = int(_UNITS["scale"])
"""An output of 1.0 in centipawns."""

MAX_WEIGHT: Final = 1.98
"""No weight is further from 0. So the sum over 32 pieces fits into 16 bits, the product of an
output weight and a clipped activation too, and the sum over 256 neurons into 32."""

AT_ONCE: Final = 4_096
"""Positions whose weights lie in memory together, some 64 kB for each."""

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
    """[bucket][side to move, the other][neuron]"""
    output_biases: npt.NDArray[np.int32]
    """[bucket]"""

    def payload(self) -> bytes:
        """The integers as the file has them after its header."""
        parts = (self.feature_weights, self.biases, self.output_weights)
        return b"".join(part.astype("<i2").tobytes() for part in parts) + (
            self.output_biases.astype("<i4").tobytes()
        )

    @classmethod
    def unpack(cls, payload: bytes, shape: Shape) -> QuantisedNetwork:
        """The integers that :meth:`payload` has written."""
        sides = (BUCKETS, 2, shape.hidden)
        features = (int(architecture(*shape)["inputs"]), shape.hidden)
        shorts = np.frombuffer(payload[: -4 * BUCKETS], "<i2")
        ends = np.cumsum([math.prod(features), shape.hidden])
        weights, biases, output_weights = np.split(shorts, ends)
        output_biases = np.frombuffer(payload[-4 * BUCKETS :], "<i4")
        return cls(weights.reshape(features), biases, output_weights.reshape(sides), output_biases)

    def values(self, indices: npt.NDArray[np.int16], buckets: npt.NDArray[np.uint8]) -> Ints:
        """Values of positions for the side to move, in centipawns; slow and obvious.

        ``indices`` are the features [position][side][32], filled up with -1.
        """
        parts = max(1, len(indices) // AT_ONCE)
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
    """Division as C has it, towards 0."""
    quotients: Ints = np.sign(numbers) * (np.abs(numbers) // by)
    return quotients


def quantise(
    feature_weights: Floats, biases: Floats, output_weights: Floats, output_biases: Floats
) -> QuantisedNetwork:
    """The nearest integers; the order of the axes is the file's."""
    return QuantisedNetwork(
        np.rint(feature_weights * HIDDEN_UNIT).astype(np.int16),
        np.rint(biases * HIDDEN_UNIT).astype(np.int16),
        np.rint(output_weights * OUTPUT_UNIT).astype(np.int16),
        np.rint(output_biases * HIDDEN_UNIT * OUTPUT_UNIT).astype(np.int32),
    )
