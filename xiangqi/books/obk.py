"""OBK, the books of 兵河 (BHGUI), the most common ones in China; read and written.

A key with its highest bit set is stored as a floating-point number of the same bits, as that
program writes it and others read it. SQLite turns such a number into an integer if it is whole,
which does not matter to readers. If the bits are not a number the key is stored as eight bytes,
lowest first. Signed integers, which some programs write for such keys, are found as well.
"""

from __future__ import annotations

import math
import struct

from xiangqi.books.tables import Cell, TableBook

__all__ = ["ObkBook"]


class ObkBook(TableBook):
    """A book of 兵河."""

    TABLE = "bhobk"

    @staticmethod
    def write_key(key: int) -> Cell:
        """An integer, or a number of the same bits, or else the bytes.

        >>> ObkBook.write_key(7101337512282506414), ObkBook.write_key(0xC000_0000_0000_0000)
        (7101337512282506414, -2.0)
        """
        if not key >> 63:
            return key
        data = struct.pack("<Q", key)
        number: float = struct.unpack("<d", data)[0]
        return data if math.isnan(number) else number

    @staticmethod
    def read_key(value: Cell) -> int | None:
        """The key that stands there.

        >>> [hex(ObkBook.read_key(value)) for value in (-2.0, -2, 7)]
        ['0xc000000000000000', '0xc000000000000000', '0x7']
        """
        if isinstance(value, bytes):
            return int.from_bytes(value, "little") if len(value) == 8 else None
        if isinstance(value, float) or (value < 0 and float(value) == value):
            key: int = struct.unpack("<Q", struct.pack("<d", value))[0]
            return key
        return value & (1 << 64) - 1
