"""A network's value of a position by its definition: slow, on bytes and FEN text alone."""

from __future__ import annotations

import struct

from tests.oracle.features import features

INPUTS, HIDDEN, BUCKETS = 2520, 128, 8
ACTIVE, ONE, SCALE, LARGEST = 255, 64, 400, 19_999


def value(payload: bytes, fen: str) -> int:
    """Centipawns for the side to move."""
    numbers = INPUTS * HIDDEN + HIDDEN + BUCKETS * 2 * HIDDEN
    weights = struct.unpack(f"<{numbers}h{BUCKETS}i", payload)
    *lists, bucket = features(fen)
    total = 0
    for side, found in enumerate(lists):
        for neuron in range(HIDDEN):
            number = weights[INPUTS * HIDDEN + neuron]
            number += sum(weights[feature * HIDDEN + neuron] for feature in found)
            place = INPUTS * HIDDEN + HIDDEN + (bucket * 2 + side) * HIDDEN + neuron
            total += min(max(number, 0), ACTIVE) ** 2 * weights[place]
    output = towards_zero(total, ACTIVE) + weights[numbers + bucket]
    return max(-LARGEST, min(LARGEST, towards_zero(output * SCALE, ACTIVE * ONE)))


def towards_zero(number: int, by: int) -> int:
    """The quotient without what stands behind the point."""
    return number // by if number >= 0 else -(-number // by)
