"""Books in an SQLite table, with a row for each key and move.

The columns are those of 兵河 (gaintpd's description in Fairy-Stockfish #112): ``vkey``, ``vmove``
(256 * from-square + to-square), ``vscore`` (the weight), ``vwin``, ``vdraw``, ``vlost``, ``vvalid``
(0 for a deleted row), ``vmemo`` (the note) and ``vindex``. Only the key and the move are required.
"""

from __future__ import annotations

import contextlib
import math
import shutil
import sqlite3
import struct
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, ClassVar, Final, TypeAlias

from xiangqi.books.base import Book, BookMove, Row
from xiangqi.books.keys import WIDE, obk_table, read_square
from xiangqi.ground.errors import BookError, Fact
from xiangqi.ground.lines import decode_line, one_line

__all__ = ["Cell", "ObkBook", "PengFeiBook", "TableBook", "has_table"]

Cell: TypeAlias = int | float | bytes
"""Value of a column."""

_COLUMNS: Final = ("vmove", "vscore", "vwin", "vdraw", "vlost", "vmemo")
_MAX_NUMBER: Final = (1 << 31) - 1
"""Maximum weight or count; programs read them as 32 bits."""


class TableBook(Book):
    """A book in an SQLite table; each format defines the table's name and its keys."""

    TABLE: ClassVar[str]
    EXTRA: ClassVar[str] = ""
    """Additional SQL run in a new file."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, obk_table())
        self._connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro", uri=True, check_same_thread=False
        )
        self._connection.text_factory = bytes  # text in old books is not UTF-8
        with self._sqlite_errors():
            information = self._connection.execute(f"PRAGMA table_info({self.TABLE})").fetchall()
            names = {decode_line(name).lower() for _, name, *_ in information}
            if not names >= {"vkey", "vmove"}:
                found = Fact("book.columns", names=", ".join(sorted(names)) or "-")
                self._connection.close()
                raise BookError(str(path), found, Fact("book.wanted_columns", table=self.TABLE))
            columns = [name if name in names else "NULL" for name in _COLUMNS]
            valid = "vvalid <> 0" if "vvalid" in names else "1"
            self._from = f"{', '.join(columns)} FROM {self.TABLE} WHERE {valid}"
            # ``+vkey`` bypasses an index that does not find the rows, as some books have
            some = self._connection.execute(
                f"SELECT vkey FROM (SELECT vkey FROM {self.TABLE} NOT INDEXED LIMIT 1000) "
                "WHERE vkey IS NOT NULL ORDER BY vkey LIMIT 1"
            ).fetchone()
            count = f"SELECT count(*) FROM {self.TABLE} WHERE vkey = ?"
            is_found = some is None or self._connection.execute(count, some).fetchone()[0]
            self._term = "vkey" if is_found else "+vkey"

    @staticmethod
    def write_key(key: int) -> Cell:
        """Encode a key for the column ``vkey``."""
        raise NotImplementedError

    @staticmethod
    def read_key(value: Cell) -> int | None:
        """Decode a key of the column ``vkey``; None if it is invalid."""
        raise NotImplementedError

    def entries(self, key: int) -> list[BookMove]:
        """Return the moves stored under a key."""
        signed = key - (key >> 63 << 64)
        query = f"SELECT {self._from} AND {self._term} IN (?, ?)"
        with self._sqlite_errors():
            rows = self._connection.execute(query, (self.write_key(key), signed)).fetchall()
        return [found for row in rows if (found := _read_row(row)) is not None]

    def rows(self) -> Iterator[Row]:
        """Iterate over all valid rows that hold a move."""
        with self._sqlite_errors():
            for value, *row in self._connection.execute(f"SELECT vkey, {self._from}"):
                found = _read_row(row)
                key = None if value is None else self.read_key(value)
                if found is not None and key is not None:
                    yield Row(key, found)

    def count(self) -> int:
        """Number of rows, valid or not."""
        with self._sqlite_errors():
            query = f"SELECT count(*) FROM {self.TABLE}"
            return int(self._connection.execute(query).fetchone()[0])

    def close(self) -> None:
        self._connection.close()

    @contextlib.contextmanager
    def _sqlite_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            damage = Fact("book.damage", error=str(error))
            raise BookError(str(self.path), damage, Fact("book.table", table=self.TABLE)) from error

    @classmethod
    def write(cls, rows: Iterable[Row], out: IO[bytes]) -> int:
        """Write a book, sorted so that the same rows give the same bytes; return the number of
        rows."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "book"
            ordered = sorted(
                rows, key=lambda row: (row.key, -row.found.weight, row.found.move.code)
            )
            cls._fill(path, ordered)
            with path.open("rb") as file:
                shutil.copyfileobj(file, out)
        return len(ordered)

    @classmethod
    def _fill(cls, path: Path, rows: Iterable[Row]) -> None:
        """Write the tables.

        The transaction is begun here, as Python does not know ``INSERT`` in a Turkish locale.
        """
        connection = sqlite3.connect(path)
        try:
            connection.execute("PRAGMA journal_mode = OFF")
            connection.execute("PRAGMA synchronous = OFF")
            connection.executescript(
                f"CREATE TABLE {cls.TABLE}(id INTEGER PRIMARY KEY AUTOINCREMENT, vkey INTEGER, "
                "vmove INTEGER, vscore INTEGER, vwin INTEGER, vdraw INTEGER, vlost INTEGER, "
                "vvalid INTEGER, vmemo TEXT, vindex INTEGER);"
                f"CREATE INDEX idxkey ON {cls.TABLE}(vkey);{cls.EXTRA}"
            )
            columns = "vkey, vmove, vscore, vwin, vdraw, vlost, vmemo, vvalid, vindex"
            connection.execute("BEGIN")
            connection.executemany(
                f"INSERT INTO {cls.TABLE}({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, 1, 0)",
                (_write_row(cls.write_key(key), found) for key, found in rows),
            )
            connection.commit()
        finally:
            connection.close()


def has_table(path: Path, table: str) -> bool:
    """Has an SQLite file this table? Raises BookError if it is damaged."""
    try:
        connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
        with contextlib.closing(connection):
            query = "SELECT count(*) FROM sqlite_master WHERE lower(name) = lower(?)"
            return bool(connection.execute(query, (table,)).fetchone()[0])
    except sqlite3.Error as error:
        damage = Fact("book.damage", error=str(error))
        raise BookError(str(path), damage, Fact("book.sqlite")) from error


def _write_row(key: Cell, found: BookMove) -> tuple[Any, ...]:
    move = WIDE[found.move.from_square] << 8 | WIDE[found.move.to_square]
    counts = (found.weight, found.wins, found.draws, found.losses)
    return key, move, *(min(count, _MAX_NUMBER) for count in counts), found.note


def _read_row(row: Iterable[Any]) -> BookMove | None:
    """Decode the move of a row; None if it is invalid."""
    code, *numbers, note = row
    move = read_square(_number(code) >> 8, _number(code) & 255)
    if move is None:
        return None
    text = one_line(decode_line(note)) if isinstance(note, bytes) else ""
    weight, wins, draws, losses = map(_number, numbers)
    return BookMove(move, weight, wins, draws, losses, text)


def _number(value: object) -> int:
    """Convert a value of any SQLite type to an integer; 0 if that is impossible."""
    try:
        return int(value) if isinstance(value, (int, float, bytes)) else 0
    except (ValueError, OverflowError):
        return 0


class ObkBook(TableBook):
    """A book of 兵河."""

    TABLE = "bhobk"

    @staticmethod
    def write_key(key: int) -> Cell:
        """Encode as an integer; from 2**63 on as the float with the same bits, or if that is a NaN,
        as bytes.

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
        """Decode an integer, float or bytes.

        >>> [hex(ObkBook.read_key(value)) for value in (-2.0, -2, 7)]
        ['0xc000000000000000', '0xc000000000000000', '0x7']
        """
        if isinstance(value, bytes):
            return int.from_bytes(value, "little") if len(value) == 8 else None
        if isinstance(value, float) or (value < 0 and float(value) == value):
            key: int = struct.unpack("<Q", struct.pack("<d", value))[0]
            return key
        return value & (1 << 64) - 1


class PengFeiBook(TableBook):
    """A book of PengFei."""

    TABLE = "pfBook"
    EXTRA = (
        "CREATE TABLE bookVersion([key] text, [version] text);"
        "INSERT INTO bookVersion VALUES ('pfBook', '1.0.0.0');"
    )

    @staticmethod
    def write_key(key: int) -> int:
        """Encode as the signed integer with the same 64 bits."""
        return key - (key >> 63 << 64)

    @staticmethod
    def read_key(value: Cell) -> int | None:
        """Decode a signed integer."""
        return value & (1 << 64) - 1 if isinstance(value, int) else None
