"""What files of self-play share: their header, and positions that are packed.

The header tells the kind of the file and how it was made. It is a magic of eight bytes, the version
and the length of what follows (two unsigned 32-bit numbers, little-endian), and a JSON object with
the settings. A position is 29 bytes, see :mod:`xiangqi.selfplay.samples`.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

from xiangqi.errors import SampleError, quote
from xiangqi.fen import Setup
from xiangqi.pieces import SQUARES

__all__ = ["SETUP_SIZE", "FileKind", "pack_setup", "unpack_setup"]

_PROLOGUE: Final = struct.Struct("<8sII")
_MAX_HEADER: Final = 1 << 20
_SETUP: Final = struct.Struct("<12s16sB")
SETUP_SIZE: Final = _SETUP.size
"""Bytes of a packed position."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file."""

    magic: bytes
    version: int

    def pack(self, facts: Mapping[str, Any]) -> bytes:
        """The header of a file that was made so."""
        header = json.dumps(facts, ensure_ascii=False, sort_keys=True).encode()
        return _PROLOGUE.pack(self.magic, self.version, len(header)) + header

    def read(self, path: Path) -> tuple[dict[str, Any], int]:
        """What a file's header tells, and where its contents begin.

        Raises SampleError if the file is of another kind, OSError if it cannot be read.
        """
        with path.open("rb") as file:
            return self.read_from(file, str(path))

    def read_from(self, file: IO[bytes], name: str) -> tuple[dict[str, Any], int]:
        """The same of an open file, which is then read up to its contents."""
        prologue = file.read(_PROLOGUE.size)
        if not prologue.startswith(self.magic) or len(prologue) < _PROLOGUE.size:
            begins = quote(prologue[:8])
            raise SampleError(name, f"begins with {begins}, expected {self.magic!r}")
        _, version, length = _PROLOGUE.unpack(prologue)
        if version != self.version:
            raise SampleError(name, f"version {version}, expected {self.version}")
        text = file.read(min(length, _MAX_HEADER))
        try:
            header = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise SampleError(name, f"header {quote(text)}: {error}, expected JSON") from error
        if len(text) < length or not isinstance(header, dict):
            expected = f"expected an object of {length} bytes"
            raise SampleError(name, f"header {quote(text)}, {expected}")
        return header, _PROLOGUE.size + length


def pack_setup(setup: Setup) -> bytes:
    """Placement and side to move as they stand in files."""
    board = setup.board
    occupancy = sum(1 << square for square, code in enumerate(board) if code)
    pieces = sum(code << 4 * place for place, code in enumerate(filter(None, board)))
    return _SETUP.pack(occupancy.to_bytes(12, "little"), pieces.to_bytes(16, "little"), setup.turn)


def unpack_setup(data: bytes) -> Setup:
    """What :func:`pack_setup` packed; ValueError if it is nothing such."""
    occupied, codes, turn = _SETUP.unpack(data)
    if turn > 1:
        raise ValueError(f"the side to move is {turn}, expected 0 to 1")
    occupancy = int.from_bytes(occupied, "little")
    pieces = int.from_bytes(codes, "little")
    board = bytearray(len(SQUARES))
    for square in SQUARES:
        if occupancy >> square & 1:
            board[square] = pieces & 15
            pieces >>= 4
    return Setup(bytes(board), bool(turn))
