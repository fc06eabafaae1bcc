"""Files of self-play: their header, packed positions, and the games of ``train.datagen``.

A header is a magic of eight bytes, the version and the length of the rest (two unsigned 32-bit
numbers, little-endian), and a JSON object with the settings of the run. A position is 29 bytes, see
:mod:`train.sample_files`.

A file of games, written by :mod:`train.sample_files`, has each move with the score of the
search that chose it. A game takes about five bytes a position, a seventh of the size of its
samples, and can be scored and filtered again. The file is a header (with the magic ``MEIHUAGM``)
and packed games, little-endian:

====== ===== ==========================================================================
offset bytes
====== ===== ==========================================================================
0      4     number of the game
4      2     number of moves
6      2     number of moves before the engine's first one
8      2     number of quiet positions (:mod:`train.sample_files`)
10     1     result: 2 Red has won, 1 a draw, 0 Black has won
11     29    starting position, as in a sample: occupancy, pieces, side to move
40     2 n   moves: from-square * 128 + to-square
..     2 m   scores, signed centipawns of the side to move, one for each move of the engine
====== ===== ==========================================================================

Games are in the order of their numbers, so that a run can be resumed.
"""

from __future__ import annotations

import json
import struct
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.ground.errors import quote
from xiangqi.pieces import SQUARES
from xiangqi.pieces.fen import Setup

_PROLOGUE: Final = struct.Struct("<8sII")
_MAX_HEADER: Final = 1 << 20
_SETUP: Final = struct.Struct("<12s16sB")
SETUP_SIZE: Final = _SETUP.size
"""Size of a packed position in bytes."""


class SampleError(ValueError):
    """A file of games or samples that cannot be used.

    >>> print(SampleError("games.samples", "version 7, expected 1"))
    games.samples: version 7, expected 1
    """

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path}: {why}")


@dataclass(frozen=True, slots=True)
class FileKind:
    """Magic and version of a kind of file."""

    magic: bytes
    version: int

    def pack(self, settings: Mapping[str, Any]) -> bytes:
        """Make the header of a file."""
        header = json.dumps(settings, ensure_ascii=False, sort_keys=True).encode()
        return _PROLOGUE.pack(self.magic, self.version, len(header)) + header

    def read(self, path: Path) -> tuple[dict[str, Any], int]:
        """Read the settings in the header of a file, and the offset of the data after it.

        Raises SampleError if the file is of another kind, OSError if it cannot be read.
        """
        with path.open("rb") as file:
            return self.read_from(file, str(path))

    def read_from(self, file: IO[bytes], name: str) -> tuple[dict[str, Any], int]:
        """Read the header of an open file, as :meth:`read` does."""
        prologue = file.read(_PROLOGUE.size)
        if not prologue.startswith(self.magic) or len(prologue) < _PROLOGUE.size:
            raise SampleError(name, f"begins with {quote(prologue[:8])}, expected {self.magic!r}")
        _, version, length = _PROLOGUE.unpack(prologue)
        if version != self.version:
            raise SampleError(name, f"version {version}, expected {self.version}")
        text = file.read(min(length, _MAX_HEADER))
        try:
            header = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise SampleError(name, f"header {quote(text)}: {error}, expected JSON") from error
        if len(text) < length or not isinstance(header, dict):
            raise SampleError(name, f"header {quote(text)}, expected an object of {length} bytes")
        return header, _PROLOGUE.size + length


def pack_setup(setup: Setup) -> bytes:
    """Pack the pieces and the side to move."""
    board = setup.board
    occupancy = sum(1 << square for square, code in enumerate(board) if code)
    pieces = sum(code << 4 * place for place, code in enumerate(filter(None, board)))
    return _SETUP.pack(occupancy.to_bytes(12, "little"), pieces.to_bytes(16, "little"), setup.turn)


def unpack_setup(data: bytes) -> Setup:
    """Inverse of :func:`pack_setup`; ValueError for invalid bytes."""
    occupied, codes, turn = _SETUP.unpack(data)
    if turn > 1:
        raise ValueError(f"the side to move is {turn}, expected 0 or 1")
    occupancy = int.from_bytes(occupied, "little")
    pieces = int.from_bytes(codes, "little")
    board = bytearray(len(SQUARES))
    for square in SQUARES:
        if occupancy >> square & 1:
            board[square] = pieces & 15
            pieces >>= 4
    return Setup(bytes(board), bool(turn))


GAMES: Final = FileKind(b"MEIHUAGM", 1)

_HEAD: Final = struct.Struct(f"<IHHHB{SETUP_SIZE}s")


class SelfplayGame(NamedTuple):
    """A game of self-play."""

    number: int
    start: Setup
    """Pieces and side to move; counters are not stored."""
    moves: Sequence[Move]
    scores: Sequence[int]
    """Scores of the engine's moves, which are the last ones, in centipawns of the side to move."""
    result: int
    """Result: 2 Red has won, 1 a draw, 0 Black has won."""
    quiet: int
    """Number of quiet positions."""

    def pack(self) -> bytes:
        """Pack the game."""
        unsearched = len(self.moves) - len(self.scores)
        counts = (self.number, len(self.moves), unsearched, self.quiet)
        head = _HEAD.pack(*counts, self.result, pack_setup(self.start))
        moves = (move.from_square << 7 | move.to_square for move in self.moves)
        return head + _pack_numbers("H", moves) + _pack_numbers("h", self.scores)

    def boards(self) -> Iterator[tuple[Board, Move, int]]:
        """Iterate over the searched positions with the move played and its score.

        The board is always the same object.
        """
        board = Board(self.start)
        unsearched = len(self.moves) - len(self.scores)
        for move in self.moves[:unsearched]:
            board.push(move)
        for move, score in zip(self.moves[unsearched:], self.scores, strict=True):
            yield board, move, score
            board.push(move)


def _pack_numbers(kind: str, numbers: Any) -> bytes:
    packed = array(kind, numbers)
    return struct.pack(f"<{len(packed)}{kind}", *packed)


def read_game(file: IO[bytes]) -> SelfplayGame | None:
    """Read the next game of a file; None at its end or if the rest is incomplete.

    Raises ValueError for an invalid game.
    """
    head = file.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    number, moves, unsearched, quiet, result, start = _HEAD.unpack(head)
    if unsearched > moves or result > 2:
        raise ValueError(f"result {result}, {unsearched} of {moves} moves not searched")
    layout = struct.Struct(f"<{moves}H{moves - unsearched}h")
    data = file.read(layout.size)
    if len(data) < layout.size:
        return None
    numbers = layout.unpack(data)
    played = [Move(code >> 7, code & 127) for code in numbers[:moves]]
    return SelfplayGame(number, unpack_setup(start), played, numbers[moves:], result, quiet)
