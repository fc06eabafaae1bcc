"""PengFei books (鹏飞, ``.pfBook``): as OBK, in a table ``pfBook`` with keys that are integers."""

from __future__ import annotations

from xiangqi.books.tables import Cell, TableBook

__all__ = ["PengFeiBook"]


class PengFeiBook(TableBook):
    """A book of PengFei."""

    TABLE = "pfBook"
    EXTRA = (
        "CREATE TABLE bookVersion([key] text, [version] text);"
        "INSERT INTO bookVersion VALUES ('pfBook', '1.0.0.0');"
    )

    @staticmethod
    def write_key(key: int) -> int:
        """A signed integer of the same 64 bits."""
        return key - (key >> 63 << 64)

    @staticmethod
    def read_key(value: Cell) -> int | None:
        """The key that such an integer stands for."""
        return value & (1 << 64) - 1 if isinstance(value, int) else None
