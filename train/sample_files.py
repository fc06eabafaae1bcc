"""Files of self-play: games, and samples of their quiet positions.

:mod:`train.game_files` describes files of games. The games are in the order of their
numbers, so that a file can be continued. A sample is a quiet position with the score of a search
and the result of the game. A position is quiet if the side to move is not in check, the best move
neither captures nor checks, no decided score was found, and the position is new in the game.

A file of samples is a header (:mod:`train.game_files`, the magic is ``MEIHUADT``),
followed by samples of 38 bytes each, little-endian:

====== ===== ==========================================================================
offset bytes
====== ===== ==========================================================================
0      12    occupancy: bit ``s % 8`` of byte ``s // 8`` is set if square ``s`` is occupied
12     16    piece codes in the order of their squares, low half byte first
28     1     side to move: 1 Red, 0 Black
29     1     result: 2 Red has won, 1 draw, 0 Black has won
30     2     score in centipawns of the side to move, signed
32     2     ply of the game
34     4     number of the game
====== ===== ==========================================================================

The samples of a game are adjacent unless the file has been shuffled. NumPy can read samples with
the dtype of :data:`FIELDS`.
"""

from __future__ import annotations

import io
import os
import random
import struct
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple, cast

from train.game_files import (
    GAMES,
    SETUP_SIZE,
    FileKind,
    SampleError,
    SelfplayGame,
    pack_setup,
    read_game,
    unpack_setup,
)
from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.engine import is_decided
from xiangqi.ground.files import find_change, new_file, open_to_append, write_all
from xiangqi.pieces.fen import Setup

if TYPE_CHECKING:
    from typing_extensions import Self

SAMPLES: Final = FileKind(b"MEIHUADT", 1)

_TAIL: Final = struct.Struct("<BhHI")

SAMPLE_SIZE: Final = SETUP_SIZE + _TAIL.size
"""Size of a sample in bytes."""

_GAME: Final = struct.Struct(f"<{SAMPLE_SIZE - 4}xI")

FIELDS: Final = (
    ("occupancy", "u1", (12,)),
    ("pieces", "u1", (16,)),
    ("turn", "u1"),
    ("result", "u1"),
    ("score", "<i2"),
    ("ply", "<u2"),
    ("game", "<u4"),
)
"""Fields of a sample, as arguments of ``numpy.dtype``."""


class Sample(NamedTuple):
    """A position with the score of a search and the result of its game."""

    setup: Setup
    """Placement and side to move; files do not keep the counters."""
    result: int
    """2: Red has won, 1: draw, 0: Black has won."""
    score: int
    """Score of a search, in centipawns of the side to move."""
    ply: int
    game: int

    def pack(self) -> bytes:
        """Pack the sample as in a file."""
        return pack_setup(self.setup) + _TAIL.pack(self.result, self.score, self.ply, self.game)

    @classmethod
    def unpack(cls, data: bytes) -> Sample:
        """Unpack the bytes of :meth:`pack`. Raises ValueError for invalid ones.

        >>> setup = Setup(bytes([1, *[0] * 88, 9]))
        >>> Sample.unpack(Sample(setup, 2, -35, 60, 7).pack()) == Sample(setup, 2, -35, 60, 7)
        True
        """
        result, *rest = _TAIL.unpack(data[SETUP_SIZE:])
        if result > 2:
            raise ValueError(f"the result is {result}, expected 0 to 2")
        return cls(unpack_setup(data[:SETUP_SIZE]), result, *rest)


def write_samples(path: Path, facts: Mapping[str, Any], samples: Iterable[Sample]) -> int:
    """Write a file of samples, which appears only when complete; return their number.

    Raises like :func:`xiangqi.ground.files.new_file`.
    """
    count = 0
    with new_file(path, replace=True) as file:
        file.write(SAMPLES.pack(facts))
        for sample in samples:
            file.write(sample.pack())
            count += 1
    return count


def continue_samples(
    path: Path,
    facts: Mapping[str, Any],
    samples_from: Callable[[int], Iterable[Sample]],
    most: int = sys.maxsize,
) -> int:
    """Write a file of at most ``most`` samples that take long to make; return their number.

    Until it is complete, the file has ``.part`` after its name. An interrupted call leaves it, and
    a call with the same ``facts`` continues it: ``samples_from`` gets the number of the first game
    that is not complete in it, and makes the samples of that game and those after it.

    Raises like :func:`xiangqi.ground.files.open_to_append`, and SampleError if the file with
    ``.part`` was made with other facts.
    """
    part = path.with_name(f"{path.name}.part")
    with io.BufferedRandom(cast("io.FileIO", open_to_append(part, resume=True))) as file:
        count, begin = _resume(file, part, facts)
        for sample in islice(samples_from(begin), most - count):
            file.write(sample.pack())
            count += 1
    os.replace(part, path)
    return count


def _resume(file: IO[bytes], path: Path, facts: Mapping[str, Any]) -> tuple[int, int]:
    """Remove the last game of a file of samples; return the number of samples left and that of the
    game. Write the header if the file is empty."""
    if not file.seek(0, io.SEEK_END):
        file.write(SAMPLES.pack(facts))
        return 0, 0
    file.seek(0)
    found, start = SAMPLES.read_from(file, str(path))
    _check_same(path, found, facts)
    data = file.read()
    whole = data[: len(data) - len(data) % SAMPLE_SIZE]
    games = [game for (game,) in _GAME.iter_unpack(whole)]
    begin = games[-1] if games else 0
    count = bisect_left(games, begin)
    file.truncate(file.seek(start + count * SAMPLE_SIZE))
    return count, begin


def shuffle_samples(path: Path, seed: int) -> None:
    """Shuffle the samples of a file in place, for readers that use them in order.

    The header gets the seed as ``shuffled``. The whole file is held in memory. Raises like
    :meth:`FileKind.read`.
    """
    facts, header_size = SAMPLES.read(path)
    data = path.read_bytes()[header_size:]
    end = len(data) - len(data) % SAMPLE_SIZE
    samples = [data[start : start + SAMPLE_SIZE] for start in range(0, end, SAMPLE_SIZE)]
    random.Random(seed).shuffle(samples)
    with new_file(path, replace=True) as file:
        file.write(SAMPLES.pack({**facts, "shuffled": seed}))
        file.writelines(samples)


def read_samples(path: Path) -> Iterator[Sample]:
    """Iterate over the samples of a file, ignoring an incomplete last one.

    Raises like :meth:`FileKind.read`, and SampleError for an invalid sample.
    """
    _, start = SAMPLES.read(path)
    with path.open("rb") as file:
        file.seek(start)
        while len(data := file.read(SAMPLE_SIZE)) == SAMPLE_SIZE:
            try:
                yield Sample.unpack(data)
            except ValueError as error:
                offset = file.tell() - SAMPLE_SIZE
                raise SampleError(str(path), f"sample at byte {offset}: {error}") from error


def read_games(path: Path) -> Iterator[SelfplayGame]:
    """Iterate over the games of a file, ignoring an incomplete last one.

    Raises like :meth:`FileKind.read`, and SampleError for an invalid game.
    """
    for game, _ in _read_with_ends(path):
        yield game


def _read_with_ends(path: Path) -> Iterator[tuple[SelfplayGame, int]]:
    """Iterate over the games with the offset of the end of each."""
    _, offset = GAMES.read(path)
    with path.open("rb") as file:
        file.seek(offset)
        while True:
            try:
                game = read_game(file)
            except ValueError as error:
                raise SampleError(str(path), f"game at byte {offset}: {error}") from error
            if game is None:
                return
            offset = file.tell()
            yield game, offset


class GameWriter:
    """Writes a file of games one by one; a context manager.

    ``resume`` continues an existing file, replacing an incomplete last game; otherwise ``replace``
    overwrites it. Raises SampleError if a file to continue is not a file of games or was made with
    other settings, and FormatError if the file exists and neither is given.
    """

    def __init__(
        self, path: Path, facts: Mapping[str, Any], *, resume: bool = False, replace: bool = False
    ) -> None:
        self.games = 0
        """Number of the next game."""
        self.positions = 0
        """Number of quiet positions of the games in the file."""
        is_continued = resume and path.exists()
        self._file = open_to_append(path, resume=resume, replace=replace)
        try:
            end = self._count(path, facts) if is_continued else 0
        except BaseException:
            self._file.close()
            raise
        self._file.truncate(end)
        self._file.seek(end)
        if not is_continued:
            write_all(self._file, GAMES.pack(facts))

    def _count(self, path: Path, facts: Mapping[str, Any]) -> int:
        """Count the games of a file to be continued; return the end of the last complete game."""
        found, end = GAMES.read(path)
        _check_same(path, found, facts)
        for game, place in _read_with_ends(path):
            self.games = game.number + 1
            self.positions += game.quiet
            end = place
        return end

    def add(self, game: SelfplayGame) -> None:
        """Write the next game, whose number must be :attr:`games`."""
        write_all(self._file, game.pack())
        self.games += 1
        self.positions += game.quiet

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _check_same(path: Path, found: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """Raise SampleError if a file was made with other settings."""
    name = find_change(found, facts)
    if name is not None:
        change = f"{name} was {found.get(name)!r} and is {facts.get(name)!r}"
        raise SampleError(str(path), f"{change}, expected the same")


def is_quiet(board: Board, move: Move, score: int) -> bool:
    """Is the position quiet, given the best move and the score of a search?"""
    return (
        not is_decided(score)
        and not board.is_check()
        and not board.is_capture(move)
        and not board.gives_check(move)
        and board.repetitions() == 1
    )


def quiet_samples(game: SelfplayGame, scores: Sequence[int] | None = None) -> Iterator[Sample]:
    """Samples of the quiet positions of a game; ``scores`` replace those of its searches."""
    labels = game.scores if scores is None else scores
    for (board, move, found), score in zip(game.boards(), labels, strict=True):
        if is_quiet(board, move, found):
            yield Sample(board.setup(), game.result, score, board.ply(), game.number)
