"""A network's value of a position by its definition: slow, on bytes and FEN text alone."""

from __future__ import annotations

import struct
from functools import lru_cache

from tests.oracle.features import features

INPUTS = {"files": 2 * 1260, "chariots": 4 * 1260}
BUCKETS = 8
ACTIVE, ONE, SCALE, LARGEST = 255, 64, 400, 19_999


@lru_cache(maxsize=1)
def read_numbers(data: bytes) -> tuple[int, ...]:
    """16-bit numbers, the low byte first."""
    return struct.unpack(f"<{len(data) // 2}h", data)


def value(payload: bytes, fen: str, hidden: int, kings: str) -> int:
    """Centipawns for the side to move."""
    biases = INPUTS[kings] * hidden
    numbers = biases + hidden + BUCKETS * 2 * hidden
    weights = read_numbers(payload[: 2 * numbers])
    last = struct.unpack(f"<{BUCKETS}i", payload[2 * numbers :])
    *lists, bucket = features(fen, kings)
    total = 0
    for side, found in enumerate(lists):
        for neuron in range(hidden):
            number = weights[biases + neuron]
            number += sum(weights[feature * hidden + neuron] for feature in found)
            place = biases + hidden + (bucket * 2 + side) * hidden + neuron
            total += min(max(number, 0), ACTIVE) ** 2 * weights[place]
    output = towards_zero(total, ACTIVE) + last[bucket]
    return max(-LARGEST, min(LARGEST, towards_zero(output * SCALE, ACTIVE * ONE)))


def towards_zero(number: int, by: int) -> int:
    """The quotient without what stands behind the point."""
    return number // by if number >= 0 else -(-number // by)
