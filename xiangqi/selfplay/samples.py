"""Files of samples: positions of self-play, each with a search's score and the game's result.

A file is a header (:mod:`xiangqi.games.formats.datagen`, the magic is ``MEIHUADT``) and then
samples of equal size until its end. A sample is packed, little-endian, 38 bytes:

====== ===== ==========================================================================
offset bytes
====== ===== ==========================================================================
0      12    occupancy: bit ``s % 8`` of byte ``s // 8`` is set if a piece stands on ``s``
12     16    the codes of the pieces in the order of their squares, low half byte first
28     1     the side to move: 1 Red, 0 Black
29     1     the result: 2 Red has won, 1 a draw, 0 Black has won
30     2     the score in centipawns of the side to move, signed
32     2     the ply, counted from the beginning of the game
34     4     the number of the game
====== ===== ==========================================================================

The samples of a game are adjacent until the file is shuffled. NumPy reads samples with the dtype of
:data:`FIELDS`.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from xiangqi.errors import Fact, SampleError, outside
from xiangqi.files import new_file
from xiangqi.games.formats.datagen import SETUP_SIZE, FileKind, pack_setup, unpack_setup
from xiangqi.pieces.fen import Setup

__all__ = [
    "FIELDS",
    "SAMPLES",
    "SAMPLE_SIZE",
    "SETUP_SIZE",
    "Sample",
    "pack_setup",
    "read_samples",
    "shuffle_samples",
    "unpack_setup",
    "write_samples",
]

SAMPLES: Final = FileKind(b"MEIHUADT", 1)

_REST: Final = struct.Struct("<BhHI")

SAMPLE_SIZE: Final = SETUP_SIZE + _REST.size
"""Bytes of a sample."""

FIELDS: Final = (
    ("occupancy", "u1", (12,)),
    ("pieces", "u1", (16,)),
    ("turn", "u1"),
    ("result", "u1"),
    ("score", "<i2"),
    ("ply", "<u2"),
    ("game", "<u4"),
)
"""The fields of a sample as ``numpy.dtype`` takes them."""


class Sample(NamedTuple):
    """A position and what became of it."""

    setup: Setup
    """Placement and side to move; the counters are not kept."""
    result: int
    """2 Red has won, 1 a draw, 0 Black has won."""
    score: int
    """A search's, in centipawns of the side to move."""
    ply: int
    game: int

    def pack(self) -> bytes:
        """Pack the sample as in a file."""
        return pack_setup(self.setup) + _REST.pack(self.result, self.score, self.ply, self.game)

    @classmethod
    def unpack(cls, data: bytes) -> Sample:
        """The sample that :meth:`pack` packed; ValueError if there is none.

        >>> setup = Setup(bytes([1, *[0] * 88, 9]))
        >>> Sample.unpack(Sample(setup, 2, -35, 60, 7).pack()) == Sample(setup, 2, -35, 60, 7)
        True
        """
        result, *rest = _REST.unpack(data[SETUP_SIZE:])
        if result > 2:
            raise ValueError(f"the result is {result}, expected 0 to 2")
        return cls(unpack_setup(data[:SETUP_SIZE]), result, *rest)


def write_samples(path: Path, facts: Mapping[str, Any], samples: Iterable[Sample]) -> int:
    """Write a file of samples, which is there when it is whole; how many it holds.

    Raises as :func:`xiangqi.files.new_file` does.
    """
    count = 0
    with new_file(path, replace=True) as file:
        file.write(SAMPLES.pack(facts))
        for sample in samples:
            file.write(sample.pack())
            count += 1
    return count


def shuffle_samples(path: Path, seed: int) -> None:
    """Put the samples of a file into random order, for readers that take them as they come.

    The header then has ``shuffled``, so that the file cannot be resumed. Needs memory for the whole
    file. Raises like :meth:`FileKind.read`.
    """
    facts, start = SAMPLES.read(path)
    data = path.read_bytes()[start:]
    whole = len(data) - len(data) % SAMPLE_SIZE
    samples = [data[place : place + SAMPLE_SIZE] for place in range(0, whole, SAMPLE_SIZE)]
    random.Random(seed).shuffle(samples)
    with new_file(path, replace=True) as file:
        file.write(SAMPLES.pack({**facts, "shuffled": seed}))
        file.writelines(samples)


def read_samples(path: Path) -> Iterator[Sample]:
    """The samples of a file; what stands of a last one that is incomplete is passed over.

    Raises as :meth:`FileKind.read` does, and SampleError for a sample that cannot be one.
    """
    _, start = SAMPLES.read(path)
    with path.open("rb") as file:
        file.seek(start)
        while len(data := file.read(SAMPLE_SIZE)) == SAMPLE_SIZE:
            try:
                yield Sample.unpack(data)
            except ValueError as error:
                place = file.tell() - SAMPLE_SIZE
                why = Fact("sample.bad", place=place, error=outside(error))
                raise SampleError(str(path), why) from error
