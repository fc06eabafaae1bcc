"""Files of tables, such as ``KRvKN.wxf.xqt``.

A file has a header (eight bytes of magic, the length of a JSON object in four bytes, that object),
then the cells in blocks, each compressed with zlib. The object holds the class, the rule set, the
ends of the blocks and their checksum. A file is mapped into memory, and a block is unpacked when
one of its cells is read.
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
from xiangqi.ground.errors import Fact, TableError
from xiangqi.ground.files import new_file
from xiangqi.tables.classes import MaterialClass, parse_class

__all__ = ["SUFFIX", "PackedTable", "TableFile", "file_name", "pack_table", "write_table"]

SUFFIX: Final = ".xqt"
MAGIC: Final = b"XQTABLE1"
BLOCK: Final = 16_384
"""Number of cells in a block."""
_HEAD: Final = len(MAGIC) + 4
_CACHED_BLOCKS: Final = 64
"""Number of unpacked blocks of a file that are cached."""


def file_name(material: MaterialClass, rules: str) -> str:
    return f"{material.name}.{rules}{SUFFIX}"


@dataclass(frozen=True)
class TableHead:
    """Header of a file."""

    material: MaterialClass
    rules: str
    doubtful: int
    """Number of drawn cells for which a win is not excluded (docs/tables.md)."""
    ends: tuple[int, ...]
    """Offset of the end of each block, from the start of the first one."""
    checksum: str
    """SHA-256 of the blocks, in hexadecimal."""


def pack_table(
    material: MaterialClass, rules: str, cells: bytes | bytearray, doubtful: int
) -> bytes:
    size = BLOCK * CELL_SIZE
    ends, blocks = [], []
    end = 0
    for start in range(0, len(cells), size):
        block = cells[start : start + size]
        # With the low bytes before the high ones it is smaller by a quarter.
        blocks.append(zlib.compress(block[0::2] + block[1::2], 9))
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


def write_table(path: Path, contents: bytes) -> None:
    """Write a file, which appears only when complete. Raises FormatError."""
    with new_file(path, replace=True) as file:
        file.write(contents)


class PackedTable:
    """Contents of a file, called ``source`` in errors.

    Raises TableError if they are damaged; a damaged block is found when it is unpacked.
    """

    def __init__(self, data: bytes | mmap.mmap, source: str) -> None:
        self.source = source
        self.head, self._start = _read_head(data, source)
        self._data = data
        self._unpack = partial(_unpack_block, data, self._start, self.head, source)
        self._block = lru_cache(maxsize=_CACHED_BLOCKS)(self._unpack)

    def check(self) -> None:
        """Verify the checksum of the blocks; raise TableError if it differs."""
        if hashlib.sha256(self._data[self._start :]).hexdigest() != self.head.checksum:
            raise TableError(self.source, Fact("table.checksum"))

    def cell(self, index: int) -> int:
        """A cell, in the encoding of the core."""
        block, cell = divmod(index, BLOCK)
        start = cell * CELL_SIZE
        return int.from_bytes(self._block(block)[start : start + CELL_SIZE], "little")

    def cells(self) -> bytearray:
        """All cells, after verifying the checksum."""
        self.check()
        cells = bytearray(self.head.material.cells * CELL_SIZE)
        size = BLOCK * CELL_SIZE
        for block in range(len(self.head.ends)):
            cells[block * size : (block + 1) * size] = self._unpack(block)
        return cells

    def contents(self) -> bytes:
        return self._data[:]


class TableFile(PackedTable):
    """A file mapped into memory. Raises OSError if it cannot be opened, TableError if damaged."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            if path.stat().st_size < _HEAD:
                raise TableError(str(path), Fact("table.truncated"))
            data = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        super().__init__(data, str(path))


def _unpack_block(
    data: bytes | mmap.mmap, start: int, head: TableHead, source: str, block: int
) -> bytes:
    """Unpack the cells of a block; ``start`` is the offset of the first block."""
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
    cells = bytearray(size)
    cells[0::2] = parts[: size // 2]
    cells[1::2] = parts[size // 2 :]
    return bytes(cells)


def _read_head(data: bytes | mmap.mmap, source: str) -> tuple[TableHead, int]:
    """Read the header of a file; return it and the offset of the first block."""
    if data[: len(MAGIC)] != MAGIC:
        raise TableError(source, Fact("table.magic", magic=MAGIC.decode()))
    start = _HEAD + int.from_bytes(data[len(MAGIC) : _HEAD], "little")
    try:
        fields = json.loads(data[_HEAD:start])
        if not all(isinstance(fields[name], str) for name in ("class", "rules", "checksum")):
            raise TypeError("expected texts")
        head = TableHead(
            parse_class(fields["class"]),
            fields["rules"],
            index(fields["doubtful"]),
            tuple(map(index, fields["ends"])),
            fields["checksum"],
        )
        blocks = -(-head.material.cells // BLOCK)
        is_complete = start + head.ends[-1] == len(data) and len(head.ends) == blocks
    except (ValueError, KeyError, TypeError, IndexError, RecursionError) as error:
        raise TableError(source, Fact("table.header")) from error
    if not is_complete:
        raise TableError(source, Fact("table.length"))
    return head, start
