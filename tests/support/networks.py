"""Networks to test with, made from seeds; they know nothing of Xiangqi."""

from __future__ import annotations

import sys
from array import array
from functools import lru_cache
from random import Random

from xiangqi.core.network import ARCHITECTURE, PAYLOAD_SIZE, Network

INPUTS, HIDDEN, BUCKETS = (
    int(ARCHITECTURE[name]) for name in ("inputs", "hidden", "output_buckets")
)
LARGEST = (511, 16_383, 127)
"""Of feature weights, biases and output weights."""


def payload(features: array[int], biases: array[int], output: array[int], last: int) -> bytes:
    """The bytes of a network, whose output biases are all the same."""
    arrays = (features, biases, output, array("i", [last] * BUCKETS))
    if sys.byteorder == "big":
        for numbers in arrays:
            numbers.byteswap()
    return b"".join(numbers.tobytes() for numbers in arrays)


@lru_cache
def random_payload(seed: int) -> bytes:
    """Weights at random; most activations are neither 0 nor at their ceiling."""
    rng = Random(seed)
    features = array("h", (byte // 2 - 64 for byte in rng.randbytes(INPUTS * HIDDEN)))
    biases = array("h", (rng.randint(-100, 300) for _ in range(HIDDEN)))
    output = array("h", (rng.randint(-40, 40) for _ in range(BUCKETS * 2 * HIDDEN)))
    return payload(features, biases, output, rng.randint(-5_000, 5_000))


@lru_cache
def largest_payload(sign: int) -> bytes:
    """The largest weights that there may be."""
    sizes = (INPUTS * HIDDEN, HIDDEN, BUCKETS * 2 * HIDDEN)
    parts = [
        array("h", [sign * most if number < 2 else most]) * size
        for number, (most, size) in enumerate(zip(LARGEST, sizes, strict=True))
    ]
    return payload(parts[0], parts[1], parts[2], sign * (2**31 - 1))


@lru_cache
def random_network(seed: int = 1) -> Network:
    """The network with these weights."""
    return Network(random_payload(seed))


def with_number(data: bytes, index: int, number: int) -> bytes:
    """The payload with another 16-bit number at a place."""
    return data[: 2 * index] + number.to_bytes(2, "little", signed=True) + data[2 * index + 2 :]


assert len(random_payload(1)) == PAYLOAD_SIZE
