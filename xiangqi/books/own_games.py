"""The package's own book: moves of games that the engine has played against itself.

Positions are sorted by the leading bytes of their keys (those of OBK). A position has the number of
its moves, and each move its two squares and the games won, drawn and lost by its player, as numbers
of seven bits a byte. ``tools/make_opening_games.py`` plays the games and writes the file.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from xiangqi.books.base import Book, BookMove, Row
from xiangqi.books.keys import obk_table
from xiangqi.core.move import Move

__all__ = ["OWN_GAMES", "OwnGames", "open_own_games", "pack_rows"]

OWN_GAMES: Final = Path(__file__).with_name("own_games.bin")
"""File of the package's own book."""
_KEY_BYTES: Final = 5
_SHIFT: Final = 8 * (8 - _KEY_BYTES)


class OwnGames(Book):
    """The book in a file of :func:`pack_rows`. A move's weight is its number of games."""

    HOLDS = "a table of moves"

    def __init__(self, path: Path = OWN_GAMES) -> None:
        super().__init__(path, obk_table())
        self._moves = dict(_unpack(zlib.decompress(path.read_bytes())))

    def entries(self, key: int) -> list[BookMove]:
        return self._moves.get(key >> _SHIFT, [])

    def rows(self) -> Iterator[Row]:
        """Iterate over all moves, each with the leading bytes of its key."""
        for key, moves in self._moves.items():
            yield from (Row(key << _SHIFT, one) for one in moves)

    def count(self) -> int:
        """Number of moves of all positions."""
        return sum(map(len, self._moves.values()))


@lru_cache(maxsize=1)
def open_own_games() -> OwnGames:
    """Open the package's own book, once."""
    return OwnGames()


def pack_rows(rows: Iterable[Row]) -> bytes:
    """Pack the moves of a book into the bytes of a file; the order of the rows does not matter.

    >>> packed = pack_rows([Row(1 << 63, BookMove(Move.from_iccs("h2e2"), 3, 200, 1, 0))])
    >>> [(key, one.describe()) for key, (one,) in _unpack(zlib.decompress(packed))]
    [(549755813888, 'h2e2: weight 201, +200 =1 -0')]
    """
    positions: defaultdict[int, list[BookMove]] = defaultdict(list)
    for key, found in rows:
        positions[key >> _SHIFT].append(found)
    packed = bytearray()
    for key, moves in sorted(positions.items()):
        packed += key.to_bytes(_KEY_BYTES, "big")
        packed += _pack_number(len(moves))
        for one in sorted(moves, key=lambda one: (-one.games, one.move.iccs())):
            packed += bytes((one.move.from_square, one.move.to_square))
            for number in (one.wins, one.draws, one.losses):
                packed += _pack_number(number)
    return zlib.compress(bytes(packed), 9)


def _pack_number(number: int) -> bytes:
    digits = []
    while number > 127:
        digits.append(number & 127 | 128)
        number >>= 7
    return bytes([*digits, number])


def _unpack(data: bytes) -> Iterator[tuple[int, list[BookMove]]]:
    """Iterate over the positions by the leading bytes of their keys, with their moves."""
    place = 0

    def read_number() -> int:
        nonlocal place
        number = shift = 0
        while True:
            byte = data[place]
            place += 1
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7

    while place < len(data):
        key = int.from_bytes(data[place : place + _KEY_BYTES], "big")
        place += _KEY_BYTES
        moves = []
        for _ in range(read_number()):
            move = Move(data[place], data[place + 1])
            place += 2
            counts = read_number(), read_number(), read_number()
            moves.append(BookMove(move, sum(counts), *counts))
        yield key, moves
