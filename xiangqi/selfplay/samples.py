"""Files of samples: positions of self-play, each with a search's score and the game's result.

A file is a header and then samples of equal size until its end. The header is the magic
``MEIHUADT``, the version and the length of what follows (two unsigned 32-bit numbers), and a JSON
object that tells how the samples were made. A sample is packed, little-endian, 38 bytes:

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

Every game's samples stand together and games in the order of their numbers, so that a file can be
gone on with, until it is shuffled. NumPy reads the samples with the dtype of :data:`FIELDS`.
"""

from __future__ import annotations

import json
import os
import random
import struct
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from xiangqi.errors import SampleError, quote
from xiangqi.fen import Setup
from xiangqi.files import new_file
from xiangqi.pieces import SQUARES

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = [
    "FIELDS",
    "SAMPLE_SIZE",
    "Sample",
    "SampleWriter",
    "read_header",
    "read_samples",
    "shuffle_samples",
]

MAGIC: Final = b"MEIHUADT"
VERSION: Final = 1

_PROLOGUE: Final = struct.Struct("<8sII")
_LAYOUT: Final = struct.Struct("<12s16sBBhHI")
_MOST_HEADER: Final = 1 << 20

SAMPLE_SIZE: Final = _LAYOUT.size
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
        """The sample as it stands in a file."""
        board = self.setup.board
        occupancy = sum(1 << square for square, code in enumerate(board) if code)
        pieces = sum(code << 4 * place for place, code in enumerate(filter(None, board)))
        return _LAYOUT.pack(
            occupancy.to_bytes(12, "little"),
            pieces.to_bytes(16, "little"),
            self.setup.turn,
            self.result,
            self.score,
            self.ply,
            self.game,
        )

    @classmethod
    def unpack(cls, data: bytes) -> Sample:
        """The sample that :meth:`pack` packed; ValueError if there is none.

        >>> setup = Setup(bytes([1, *[0] * 88, 9]))
        >>> Sample.unpack(Sample(setup, 2, -35, 60, 7).pack()) == Sample(setup, 2, -35, 60, 7)
        True
        """
        occupied, codes, turn, *rest = _LAYOUT.unpack(data)
        for name, value, most in (("side to move", turn, 1), ("result", rest[0], 2)):
            if value > most:
                raise ValueError(f"the {name} is {value}, expected 0 to {most}")
        occupancy = int.from_bytes(occupied, "little")
        pieces = int.from_bytes(codes, "little")
        board = bytearray(len(SQUARES))
        for square in SQUARES:
            if occupancy >> square & 1:
                board[square] = pieces & 15
                pieces >>= 4
        return cls(Setup(bytes(board), bool(turn)), *rest)


class SampleWriter:
    """A file of samples that is written game by game; a context manager.

    With ``resume`` a file that is there is gone on with: its last game, which may be incomplete,
    is dropped. Raises SampleError if the file is no file of samples or was made in another way,
    and without ``resume`` if there is a file.
    """

    def __init__(self, path: Path, facts: Mapping[str, Any], *, resume: bool = False) -> None:
        self.games = 0
        """The number of the game that comes next."""
        self.samples = 0
        """How many the file holds."""
        is_there = path.exists()
        if is_there and not resume:
            raise SampleError(str(path), "the file is there: expected a new one, or --resume")
        try:
            self._file = path.open("r+b" if is_there else "x+b")
        except OSError as error:
            raise SampleError(str(path), error.strerror or str(error)) from error
        if is_there:
            try:
                self._go_on(path, facts)
            except BaseException:
                self._file.close()
                raise
        else:
            self._file.write(_pack_header(facts))
            self._file.flush()

    def _go_on(self, path: Path, facts: Mapping[str, Any]) -> None:
        found, start = read_header(path)
        for name in sorted(facts.keys() | found.keys()):
            if found.get(name) != facts.get(name):
                was, now = quote(found.get(name)), quote(facts.get(name))
                raise SampleError(str(path), f"{name} was {was} and is {now}, expected the same")
        samples = (path.stat().st_size - start) // SAMPLE_SIZE
        if samples:
            self.games = self._game_of(start, samples - 1)
        while samples and self._game_of(start, samples - 1) == self.games:
            samples -= 1
        self.samples = samples
        self._file.truncate(start + samples * SAMPLE_SIZE)
        self._file.seek(0, os.SEEK_END)

    def _game_of(self, start: int, place: int) -> int:
        """The number of the game that a sample of the file belongs to."""
        self._file.seek(start + place * SAMPLE_SIZE)
        return Sample.unpack(self._file.read(SAMPLE_SIZE)).game

    def add(self, samples: Iterable[Sample]) -> None:
        """Write the samples of the next game, which must bear its number."""
        packed = [sample.pack() for sample in samples]
        self._file.write(b"".join(packed))
        self._file.flush()
        self.samples += len(packed)
        self.games += 1

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _pack_header(facts: Mapping[str, Any]) -> bytes:
    header = json.dumps(facts, ensure_ascii=False, sort_keys=True).encode()
    return _PROLOGUE.pack(MAGIC, VERSION, len(header)) + header


def shuffle_samples(path: Path, seed: int) -> None:
    """Put the samples of a file into random order, for readers that take them as they come.

    The header then has ``shuffled``, so that nobody goes on with the file. Needs memory for the
    whole of it. Raises as :func:`read_header` does.
    """
    facts, start = read_header(path)
    data = path.read_bytes()[start:]
    whole = len(data) - len(data) % SAMPLE_SIZE
    samples = [data[place : place + SAMPLE_SIZE] for place in range(0, whole, SAMPLE_SIZE)]
    random.Random(seed).shuffle(samples)
    with new_file(path, replace=True) as file:
        file.write(_pack_header({**facts, "shuffled": seed}))
        file.writelines(samples)


def read_header(path: Path) -> tuple[dict[str, Any], int]:
    """What a file's header tells, and where its samples begin.

    Raises SampleError if the file is no file of samples, OSError if it cannot be read.
    """
    with path.open("rb") as file:
        prologue = file.read(_PROLOGUE.size)
        if not prologue.startswith(MAGIC) or len(prologue) < _PROLOGUE.size:
            raise SampleError(str(path), f"begins with {quote(prologue[:8])}, expected {MAGIC!r}")
        _, version, length = _PROLOGUE.unpack(prologue)
        if version != VERSION:
            raise SampleError(str(path), f"version {version}, expected {VERSION}")
        text = file.read(min(length, _MOST_HEADER))
    try:
        header = json.loads(text)
    except ValueError as error:
        raise SampleError(str(path), f"header {quote(text)}: {error}, expected JSON") from error
    if len(text) < length or not isinstance(header, dict):
        raise SampleError(str(path), f"header {quote(text)}, expected an object of {length} bytes")
    return header, _PROLOGUE.size + length


def read_samples(path: Path) -> Iterator[Sample]:
    """The samples of a file; what stands of a last one that is incomplete is passed over.

    Raises as :func:`read_header` does, and SampleError for a sample that cannot be one.
    """
    _, start = read_header(path)
    with path.open("rb") as file:
        file.seek(start)
        while len(data := file.read(SAMPLE_SIZE)) == SAMPLE_SIZE:
            try:
                yield Sample.unpack(data)
            except ValueError as error:
                where = f"sample at byte {file.tell() - SAMPLE_SIZE}: {error}"
                raise SampleError(str(path), where) from error
