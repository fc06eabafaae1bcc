"""Books to test with: made of random games, or row by row as other programs write them."""

from __future__ import annotations

import random
import sqlite3
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.support.helpers import playout
from xiangqi import Board, Move
from xiangqi.books.keys import WIDE, eleeye_table, obk_table
from xiangqi.books.making import BookMaker, Recipe
from xiangqi.books.opening import find_writer
from xiangqi.games.tree import Game

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def random_games(seed: int, count: int, plies: int = 12) -> list[Game]:
    """Random games with results; few moves are chosen from, so that games meet again."""
    rng = random.Random(seed)
    games = []
    for _ in range(count):
        game = Game(headers={"Result": rng.choice(RESULTS)})
        board = Board()
        for _ in range(plies):
            moves = sorted(board.list_moves(), key=Move.iccs)
            move = moves[rng.choice((0, len(moves) // 2, len(moves) - 1))]
            game.end().add(move)
            board.push(move)
        games.append(game)
    return games


def write_book(path: Path, games: Iterable[Game], recipe: Recipe | None = None) -> Path:
    """A book of games; every move of theirs, if nothing else is said."""
    maker = BookMaker(recipe or Recipe(plies=100, min_games=1))
    for game in games:
        maker.add(game)
    with path.open("wb") as out:
        find_writer(path).write(maker.rows(), out)
    return path


def write_table(path: Path, rows: Iterable[Sequence[object]], table: str = "bhobk") -> Path:
    """A book as other programs write it: key, move, weight, wins, draws, losses, valid, note."""
    connection = sqlite3.connect(path)
    connection.execute(
        f"CREATE TABLE {table}(id INTEGER PRIMARY KEY AUTOINCREMENT, vkey INTEGER, vmove INTEGER, "
        "vscore INTEGER, vwin INTEGER, vdraw INTEGER, vlost INTEGER, vvalid INTEGER, vmemo BLOB, "
        "vindex INTEGER)"
    )
    columns = "vkey, vmove, vscore, vwin, vdraw, vlost, vvalid, vmemo"
    connection.executemany(f"INSERT INTO {table}({columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
    connection.commit()
    connection.close()
    return path


def key_of(board: Board) -> int:
    """A position's key in OBK and PengFei books, as it stands."""
    return obk_table().keys_of(board.setup()).key


def signed(key: int) -> int:
    """A key as a signed integer of 64 bits."""
    return key - (key >> 63 << 64)


def as_number(key: int) -> float:
    """The floating-point number of the same bits."""
    number: float = struct.unpack("<d", struct.pack("<Q", key))[0]
    return number


def code_of(text: str) -> int:
    """A move as these books write it."""
    move = Move.from_iccs(text)
    return WIDE[move.from_square] << 8 | WIDE[move.to_square]


def line_book(path: Path, lines: Iterable[str], fen: str | None = None) -> Path:
    """A book with one move, of weight 1, for each position of some lines."""
    rows = {}
    for line in lines:
        board = Board() if fen is None else Board(fen)
        for text in line.split():
            rows[key_of(board), code_of(text)] = board.copy()
            board.push_iccs(text)
    return write_table(
        path,
        [(key if key < 2**63 else as_number(key), code, 1, 0, 0, 0, 1, "") for key, code in rows],
    )


def write_eleeye(path: Path, entries: Iterable[tuple[Board, str, int]]) -> Path:
    """A BOOK.DAT with a weight for each position and move."""
    records = []
    for board, text, weight in entries:
        move = Move.from_iccs(text)
        code = WIDE[move.from_square] | WIDE[move.to_square] << 8
        records.append((eleeye_table().keys_of(board.setup()).key, code, weight))
    path.write_bytes(b"".join(struct.pack("<IHH", *record) for record in sorted(records)))
    return path


def random_positions(seed: int, games: int, plies: int = 12) -> list[Board]:
    """Positions of random games."""
    rng = random.Random(seed)
    return [board.copy() for _ in range(games) for board in playout(rng, plies)]
