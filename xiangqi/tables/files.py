"""A solved class in a file: ``KRvKN.wxf.xqt``.

A header (eight bytes of format, the length of a JSON object, that object), then the cells in
blocks, each compressed with zlib. The object holds the class, the rule set, the ends of the blocks,
and a checksum of them all. A file is mapped into memory, and a block is unpacked when one of its
cells is read.
"""

from __future__ import annotations

import hashlib
import json
import mmap
import zlib
from dataclasses import dataclass
from functools import lru_cache, partial
from operator import index
from pathlib import Path
from typing import Final

from xiangqi.core.tablebase import CELL_SIZE
from xiangqi.errors import Fact, TableError
from xiangqi.files import new_file
from xiangqi.tables.classes import MaterialClass, parse_class

__all__ = ["SUFFIX", "PackedTable", "TableFile", "file_name", "pack_table", "write_table"]

SUFFIX: Final = ".xqt"
MAGIC: Final = b"XQTABLE1"
BLOCK: Final = 16_384
"""Cells in a block."""
_HEAD: Final = len(MAGIC) + 4
_KEPT: Final = 64
"""Blocks of a file that stay unpacked."""


def file_name(material: MaterialClass, rules: str) -> str:
    """File name of a class under a rule set."""
    return f"{material.name}.{rules}{SUFFIX}"


@dataclass(frozen=True)
class TableHead:
    """Header of a file."""

    material: MaterialClass
    rules: str
    doubtful: int
    """Number of drawn cells for which a win is not excluded (docs/tables.md)."""
    ends: tuple[int, ...]
    """End of each block, from the first block's beginning."""
    checksum: str
    """SHA-256 of the blocks, in hexadecimal."""


def pack_table(
    material: MaterialClass, rules: str, cells: bytes | bytearray, doubtful: int
) -> bytes:
    """Pack a file."""
    size = BLOCK * CELL_SIZE
    ends, blocks = [], []
    end = 0
    for start in range(0, len(cells), size):
        blocks.append(zlib.compress(_split(cells[start : start + size]), 9))
        end += len(blocks[-1])
        ends.append(end)
    body = b"".join(blocks)
    head = {
        "class": material.name,
        "rules": rules,
        "doubtful": doubtful,
        "ends": ends,
        "checksum": hashlib.sha256(body).hexdigest(),
    }
    text = json.dumps(head).encode()
    return MAGIC + len(text).to_bytes(4, "little") + text + body


def _split(cells: bytes | bytearray) -> bytes | bytearray:
    """Low bytes of the cells, then the high ones: that compresses better by a quarter."""
    return cells[0::2] + cells[1::2]


def _join(parts: bytes) -> bytes:
    cells = bytearray(len(parts))
    cells[0::2] = parts[: len(parts) // 2]
    cells[1::2] = parts[len(parts) // 2 :]
    return bytes(cells)


def write_table(path: Path, contents: bytes) -> None:
    """Write a file, which appears when it is complete. Raises FormatError."""
    with new_file(path, replace=True) as file:
        file.write(contents)


class PackedTable:
    """Contents of a file, named ``source`` in errors.

    Raises TableError if they are damaged; damage to a block is found when it is unpacked.
    """

    def __init__(self, data: bytes | mmap.mmap, source: str) -> None:
        self.source = source
        self.head, self._start = _read_head(data, source)
        self._data = data
        self._unpack = partial(_unpack_block, data, self._start, self.head, source)
        self._block = lru_cache(maxsize=_KEPT)(self._unpack)

    def check(self) -> None:
        """Compare the blocks with their checksum; raises TableError if it differs."""
        if hashlib.sha256(self._data[self._start :]).hexdigest() != self.head.checksum:
            raise TableError(self.source, Fact("table.checksum"))

    def cell(self, index: int) -> int:
        """One cell, in the encoding of the core."""
        block, place = divmod(index, BLOCK)
        at = place * CELL_SIZE
        return int.from_bytes(self._block(block)[at : at + CELL_SIZE], "little")

    def cells(self) -> bytearray:
        """All cells, after a test of their checksum."""
        self.check()
        cells = bytearray(self.head.material.cells * CELL_SIZE)
        size = BLOCK * CELL_SIZE
        for block in range(len(self.head.ends)):
            cells[block * size : (block + 1) * size] = self._unpack(block)
        return cells

    def contents(self) -> bytes:
        """Bytes of the file."""
        return self._data[:]


class TableFile(PackedTable):
    """An open file. Raises TableError if it is damaged, OSError if there is none."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            if path.stat().st_size < _HEAD:
                raise TableError(str(path), Fact("table.truncated"))
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        super().__init__(data, str(path))


def _unpack_block(
    data: bytes | mmap.mmap, start: int, head: TableHead, source: str, block: int
) -> bytes:
    """Cells of a block that begins at an offset of the data."""
    first = head.ends[block - 1] if block else 0
    size = CELL_SIZE * min(BLOCK, head.material.cells - BLOCK * block)
    try:
        packed = data[start + first : start + head.ends[block]]
        parts = zlib.decompressobj().decompress(packed, size + 1)
    except zlib.error as error:
        why = Fact("table.bad_block", block=block, error=str(error))
        raise TableError(source, why) from error
    if len(parts) != size:
        raise TableError(source, Fact("table.block_size", block=block, size=size))
    return _join(parts)


def _read_head(data: bytes | mmap.mmap, source: str) -> tuple[TableHead, int]:
    """Header of a file, and the offset of its blocks."""
    if data[: len(MAGIC)] != MAGIC:
        raise TableError(source, Fact("table.magic", magic=MAGIC.decode()))
    start = _HEAD + int.from_bytes(data[len(MAGIC) : _HEAD], "little")
    try:
        fields = json.loads(data[_HEAD:start])
        head = TableHead(
            parse_class(fields["class"]),
            fields["rules"],
            fields["doubtful"],
            tuple(map(index, fields["ends"])),
            fields["checksum"],
        )
        blocks = -(-head.material.cells // BLOCK)
        whole = start + head.ends[-1] == len(data) and len(head.ends) == blocks
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise TableError(source, Fact("table.header")) from error
    if not whole:
        raise TableError(source, Fact("table.length"))
    return head, start
