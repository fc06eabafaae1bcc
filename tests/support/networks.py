"""Networks to test with, made from seeds; they know nothing of Xiangqi."""

from __future__ import annotations

import sys
from array import array
from functools import lru_cache
from random import Random

import numpy as np

from xiangqi.core.network import Network, architecture, payload_size
from xiangqi.engine.network import Shape

SMALL = Shape(128, "files")
LARGE = Shape(512, "chariots")
SHAPES = (SMALL, Shape(256, "chariots"), Shape(384, "files"), LARGE)
BUCKETS = 8
LARGEST = (511, 16_383, 127)
"""Largest feature weights, biases and output weights."""


def payload(features: array[int], biases: array[int], output: array[int], last: int) -> bytes:
    """The bytes of a network, whose output biases are all the same."""
    arrays = (features, biases, output, array("i", [last] * BUCKETS))
    if sys.byteorder == "big":
        for numbers in arrays:
            numbers.byteswap()
    return b"".join(numbers.tobytes() for numbers in arrays)


def inputs(shape: Shape) -> int:
    """Number of features of a network of this shape."""
    return int(architecture(*shape)["inputs"])


@lru_cache
def random_payload(seed: int, shape: Shape = SMALL) -> bytes:
    """Weights at random; most activations are neither 0 nor at their ceiling."""
    rng = Random(seed)
    hidden = shape.hidden
    weights = np.frombuffer(rng.randbytes(inputs(shape) * hidden), np.uint8)
    features = array("h", (weights // 2 - np.int16(64)).astype(np.int16).tobytes())
    biases = array("h", (rng.randint(-100, 300) for _ in range(hidden)))
    output = array("h", (rng.randint(-40, 40) for _ in range(BUCKETS * 2 * hidden)))
    return payload(features, biases, output, rng.randint(-5_000, 5_000))


@lru_cache
def largest_payload(sign: int, shape: Shape = SMALL) -> bytes:
    """The largest weights that there may be."""
    sizes = (inputs(shape) * shape.hidden, shape.hidden, BUCKETS * 2 * shape.hidden)
    parts = [
        array("h", [sign * most if number < 2 else most]) * size
        for number, (most, size) in enumerate(zip(LARGEST, sizes, strict=True))
    ]
    return payload(parts[0], parts[1], parts[2], sign * (2**31 - 1))


@lru_cache
def random_network(seed: int = 1, shape: Shape = SMALL) -> Network:
    """The network with these weights."""
    return make_network(random_payload(seed, shape), shape)


def make_network(payload: bytes, shape: Shape = SMALL, kernel: str | None = None) -> Network:
    """The network of a payload."""
    return Network(payload, hidden=shape.hidden, kings=shape.kings, kernel=kernel)


def with_number(data: bytes, index: int, number: int) -> bytes:
    """The payload with another 16-bit number at a place."""
    return data[: 2 * index] + number.to_bytes(2, "little", signed=True) + data[2 * index + 2 :]


assert len(random_payload(1)) == payload_size(*SMALL)
