"""Opening books of 兵河 (OBK) and PengFei, read from their description and nothing else.

A table of SQLite (``bhobk``, or ``pfBook``) has a row for each move: ``vkey``, the Zobrist key of
the position, 64 bits: the XOR of one number for each piece on its square, and of one more if Red is
to move. ``vmove``: the square that it comes from times 256 plus that it goes to. Squares are those
of a board of 16 columns: a9 is 3 * 16 + 3, the next file 1 more, the next rank down 16 more. A key
of ``bhobk`` with the highest bit set is stored as the floating-point number of the same 64 bits.
A position may be there as it stands or as seen in a mirror, left and right exchanged.
"""

import sqlite3
import struct
from pathlib import Path

from tests.oracle.game import Position, Square, write_move

PIECES = "KABNRCPkabnrcp"


def read_numbers(path: Path) -> tuple[int, list[int]]:
    """The number for Red to move, and 256 numbers for each of PIECES, from a file of such."""
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    turn, *numbers = (int(word, 16) for word in " ".join(lines).split())
    return turn, numbers


def wide(square: Square) -> int:
    """The number of a square on the board of 16 columns."""
    file, rank = square
    return (3 + 9 - rank) * 16 + 3 + file


def narrow(number: int) -> Square:
    """The square of such a number."""
    return number % 16 - 3, 12 - number // 16


def mirror(square: Square) -> Square:
    """The square seen in a mirror."""
    return 8 - square[0], square[1]


def find_key(position: Position, numbers: tuple[int, list[int]], *, mirrored: bool) -> int:
    """The key of a position, or of its mirror image."""
    turn, pieces = numbers
    key = turn if position.side == "red" else 0
    for square, letter in position.board.items():
        seen = mirror(square) if mirrored else square
        key ^= pieces[PIECES.index(letter) * 256 + wide(seen)]
    return key


def stored_key(key: int, table: str) -> int | float:
    """Value of a key in the column ``vkey``."""
    if key < 2**63:
        return key
    if table == "bhobk":
        number: float = struct.unpack("<d", struct.pack("<Q", key))[0]
        return number
    return key - 2**64


def find_moves(
    path: Path, table: str, position: Position, numbers: tuple[int, list[int]]
) -> dict[str, tuple[int, int, int, int]]:
    """Weight, wins, draws and losses of each move of a book for a position."""
    found = {}
    with sqlite3.connect(path) as connection:
        for mirrored in (False, True):
            key = stored_key(find_key(position, numbers, mirrored=mirrored), table)
            rows = connection.execute(
                f"SELECT vmove, vscore, vwin, vdraw, vlost FROM {table} WHERE vkey = ?", (key,)
            )
            for move, *figures in rows.fetchall():
                squares = [narrow(number) for number in divmod(move, 256)]
                if mirrored:
                    squares = [mirror(square) for square in squares]
                weight, wins, draws, losses = figures
                found[write_move(*squares)] = weight, wins, draws, losses
    connection.close()
    return found
