"""Books of three formats answer for positions, and are read move for move by another reader."""

from __future__ import annotations

import contextlib
import locale
import math
import random
import re
import sqlite3
import struct
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import xiangqi.books
from tests.oracle import book as oracle
from tests.oracle.game import read_fen
from tests.support import books as support
from xiangqi import Board, Move
from xiangqi.books import Book, BookMove, open_book
from xiangqi.books.base import Row
from xiangqi.books.keys import eleeye_table, obk_table
from xiangqi.books.opening import EleeyeBook, is_book
from xiangqi.books.tables import ObkBook, PengFeiBook
from xiangqi.ground.errors import BookError, FormatError
from xiangqi.pieces.fen import STARTING_FEN

TABLES = {".obk": "bhobk", ".pfBook": "pfBook"}
NUMBERS = oracle.read_numbers(Path(xiangqi.books.__file__).parent / "obk_keys.txt")


def found(book: Book, board: Board) -> dict[str, tuple[int, int, int, int]]:
    return {
        one.move.iccs(): (one.weight, one.wins, one.draws, one.losses) for one in book.find(board)
    }


# Keys


def test_there_are_3584_numbers_and_one_for_the_turn() -> None:
    turn, numbers = NUMBERS
    assert len(numbers) == len(set(numbers)) == 3584
    assert turn == 0xA0CE2AF90C452F58


def test_the_key_of_the_beginning_is_the_one_of_books_in_circulation() -> None:
    """Two programs of others have it in their tests; h2e2 is 43687 there."""
    assert obk_table().keys_of(Board().setup()).key == 7101337512282506414
    assert support.code_of("h2e2") == 43687


@pytest.mark.parametrize(
    ("moves", "half"), [("", 43199338), ("b2e2 b7e7", 54844348), ("b2e2 h7e7 b0c2", 23005001)]
)
def test_keys_of_elephanteye_are_those_of_its_book(moves: str, half: int) -> None:
    """Keys without their lowest bit, as they stand in a copy of its book in XQPy."""
    board = Board()
    for move in moves.split():
        board.push_iccs(move)
    assert eleeye_table().keys_of(board.setup()).key >> 1 == half


def test_keys_agree_with_the_oracle_and_with_the_mirror() -> None:
    for board in support.random_positions(1, 20):
        position = read_fen(board.fen())
        keys = obk_table().keys_of(board.setup())
        assert keys.key == oracle.find_key(position, NUMBERS, mirrored=False)
        assert keys.mirrored == oracle.find_key(position, NUMBERS, mirrored=True)
        assert obk_table().keys_of(board.mirror().setup()) == keys[::-1]


# Reading


@pytest.mark.parametrize("suffix", TABLES)
def test_another_reader_finds_the_same(suffix: str, tmp_path: Path) -> None:
    games = support.random_games(2, 100)
    path = support.write_book(tmp_path / f"a{suffix}", games)
    asked = 0
    with open_book(path) as book:
        for game in games[:30]:
            board = Board()
            for move in game.moves():
                moves = oracle.find_moves(path, TABLES[suffix], read_fen(board.fen()), NUMBERS)
                assert found(book, board) == moves
                assert move.iccs() in moves
                asked += len(moves)
                board.push(move)
    assert asked > 500


@pytest.mark.parametrize("stored", ["number", "signed"])
def test_keys_with_the_highest_bit_are_found_however_they_are_stored(
    stored: str, tmp_path: Path
) -> None:
    rng = random.Random(3)
    store = support.as_number if stored == "number" else support.signed
    boards = [
        board
        for board in support.random_positions(4, 30)
        if support.key_of(board) >> 63 and board.has_legal_move()
    ]
    assert len(boards) > 100
    chosen = [rng.choice(board.list_moves()) for board in boards]
    rows = [
        (store(support.key_of(board)), support.code_of(move.iccs()), 5, 1, 2, 3, 1, "")
        for board, move in zip(boards, chosen, strict=True)
    ]
    with open_book(support.write_table(tmp_path / "a.obk", rows)) as book:
        for board, move in zip(boards, chosen, strict=True):
            assert found(book, board)[move.iccs()] == (5, 1, 2, 3)


@pytest.mark.parametrize("kind", [ObkBook, PengFeiBook])
def test_every_key_comes_back(kind: type[ObkBook | PengFeiBook], tmp_path: Path) -> None:
    """Also those whose bits are a whole number, which SQLite turns into an integer, or none."""
    edges = [0, 1, 2**63 - 1, 2**63 + 1, 0xFFF0000000000000, 0xFFF0000000000001, 2**64 - 1]
    edges += [bits_of(number) for number in (-3.0, -2.0, -(2.0**51) - 1, -(2.0**61), -0.1)]
    rng = random.Random(5)
    keys = edges + [rng.getrandbits(64) for _ in range(2000)]
    path = tmp_path / f"a{'.obk' if kind is ObkBook else '.pfBook'}"
    move = BookMove(Move.from_iccs("h2e2"), 7, note="x")
    with path.open("wb") as out:
        assert kind.write([Row(key, move) for key in keys], out) == len(keys)
    with kind(path) as book:
        assert sorted(row.key for row in book.rows()) == sorted(keys)
        assert all(book.entries(key) == [move] for key in keys)


def test_a_book_is_written_in_a_turkish_locale(tmp_path: Path) -> None:
    """Its small i has no dot: Python's module of SQLite does not know ``INSERT`` there."""
    before = locale.setlocale(locale.LC_CTYPE)
    try:
        locale.setlocale(locale.LC_CTYPE, "tr_TR.UTF-8")
    except locale.Error:
        pytest.skip("the locale tr_TR.UTF-8 is not there")
    try:
        with (tmp_path / "a.obk").open("wb") as out:
            assert ObkBook.write([Row(1, BookMove(Move.from_iccs("h2e2"), 7))], out) == 1
    finally:
        locale.setlocale(locale.LC_CTYPE, before)


def bits_of(number: float) -> int:
    key: int = struct.unpack("<Q", struct.pack("<d", number))[0]
    return key


def test_a_key_that_is_no_number_is_stored_as_bytes() -> None:
    assert ObkBook.write_key(2**64 - 1) == b"\xff" * 8
    assert math.isnan(support.as_number(2**64 - 1))


def test_both_images_are_looked_up_and_the_heavier_one_counts(tmp_path: Path) -> None:
    board = Board()
    board.push_iccs("h2e2")
    image = board.mirror()
    rows = [
        (store(support.key_of(one)), support.code_of(text), *figures, 1, note)
        for one, text, figures, note in [
            (board, "h9g7", (3, 1, 1, 1), "as it stands"),
            (image, "b9c7", (5, 2, 1, 0), "mirrored"),
            (image, "h9g7", (4, 0, 0, 0), ""),
        ]
        for store in (support.as_number if support.key_of(one) >> 63 else support.signed,)
    ]
    with open_book(support.write_table(tmp_path / "a.obk", rows)) as book:
        assert book.find(board) == [
            BookMove(Move.from_iccs("h9g7"), 5, 2, 1, 0, "mirrored"),
            BookMove(Move.from_iccs("b9c7"), 4),
        ]
        assert [one.move.iccs() for one in book.find(image)] == ["b9c7", "h9g7"]


def test_rows_that_do_not_count_or_hold_no_move_are_left_out(tmp_path: Path) -> None:
    key = support.key_of(Board())
    rows: list[tuple[object, ...]] = [
        (key, support.code_of("h2e2"), 9, 0, 0, 0, 0, ""),  # not valid
        (key, 0, 9, 0, 0, 0, 1, ""),
        (key, "rubbish", 9, 0, 0, 0, 1, ""),
        (key, 0xFFFF, 9, 0, 0, 0, 1, ""),
        (key, support.code_of("h2h8"), 9, 0, 0, 0, 1, ""),  # not legal
        (key, float(support.code_of("c3c4")), "4", None, b"2", 1.0, 1, "中炮".encode("gb18030")),
        (None, support.code_of("h2e2"), 1, 0, 0, 0, 1, ""),
    ]
    with open_book(support.write_table(tmp_path / "a.obk", rows)) as book:
        right, left = book.find(Board())
        assert right.mirror() == left
        assert (right.weight, right.draws, right.losses, right.note) == (4, 2, 1, "中炮")
        assert [one.move.iccs() for one in book.find_all(Board())][:2] == ["b2b8", "h2h8"]
        assert len(list(book.rows())) == 2
        assert book.count() == 7


def test_a_table_needs_only_keys_and_moves(tmp_path: Path) -> None:
    path = tmp_path / "a.obk"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE BHOBK(vkey, vmove)")
        row = (support.key_of(Board()), support.code_of("h2e2"))
        connection.execute("INSERT INTO bhobk VALUES (?, ?)", row)
    connection.close()
    with open_book(path) as book:
        assert found(book, Board()) == {"h2e2": (0, 0, 0, 0), "b2e2": (0, 0, 0, 0)}


def test_an_index_that_does_not_find_its_rows_is_not_asked(tmp_path: Path) -> None:
    """Such books are in circulation. Here the index belongs to other rows."""
    board = Board()
    board.push_iccs("h2e2")
    path = support.write_book(tmp_path / "a.obk", support.random_games(6, 20))
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        root = "(SELECT rootpage FROM sqlite_master WHERE name = 'other')"
        connection.execute("CREATE TABLE twin(vkey INTEGER)")
        connection.execute("CREATE INDEX other ON twin(vkey)")
        connection.execute(f"UPDATE sqlite_master SET rootpage = {root} WHERE name = 'idxkey'")
    connection.close()
    with open_book(path) as book:
        assert found(book, Board())


def test_any_thread_may_ask(tmp_path: Path) -> None:
    path = support.write_book(tmp_path / "a.obk", support.random_games(7, 5))
    answers = []
    with open_book(path) as book:
        thread = threading.Thread(target=lambda: answers.append(book.find(Board())))
        thread.start()
        thread.join()
        assert answers == [book.find(Board())]
    assert answers[0]


# BOOK.DAT


def test_book_dat(tmp_path: Path) -> None:
    board = Board()
    board.push_iccs("h2e2")
    entries = [(Board(), "h2e2", 10), (Board(), "c3c4", 30), (board, "h9g7", 5)]
    entries.append((board, "a0a5", 9))  # not legal
    path = support.write_eleeye(tmp_path / "BOOK.DAT", entries)
    with open_book(path) as book:
        assert isinstance(book, EleeyeBook)
        assert found(book, board) == {"h9g7": (5, 0, 0, 0)}
        assert found(book, board.mirror()) == {"b9c7": (5, 0, 0, 0)}
        assert list(found(book, Board())) == ["c3c4", "g3g4", "b2e2", "h2e2"]
        assert book.count() == len(list(book.rows())) == 4


# What is no book


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("none.obk", None, "found no file, expected an OBK or PengFei book, or a BOOK.DAT"),
        ("a.obk", b"", "found an empty file"),
        ("a.obk", b"just text", "found the start 'just text'"),
        ("a.obk", b"SQLite format 3\0" + b"x" * 200, "found damage (file is not a database)"),
        ("BOOK.DAT", b"123", "found 3 bytes, expected records of 8 bytes"),
        (
            "BOOK.DAT",
            struct.pack("<IHHIHH", 7, 1, 1, 6, 1, 1),
            "found 00000006 after 00000007 in record 2, expected a BOOK.DAT, sorted by its keys",
        ),
        ("zero\0byte", None, "found no file"),
    ],
)
def test_files_that_are_no_book_are_refused(
    name: str, content: bytes | None, complaint: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BookError) as caught:
        open_book(path)
    assert str(caught.value).startswith("cannot use the book '")
    assert complaint in str(caught.value)


def test_sqlite_without_a_book(tmp_path: Path) -> None:
    for columns, complaint in [("x(a)", "an SQLite file without"), ("bhobk(a)", "the columns a")]:
        path = tmp_path / f"{columns[0]}.obk"
        with sqlite3.connect(path) as connection:
            connection.execute(f"CREATE TABLE {columns}")
        connection.close()
        with pytest.raises(BookError, match=f"found {complaint}"):
            open_book(path)


def test_damage_is_reported_whenever_it_is_met(tmp_path: Path) -> None:
    path = support.write_book(tmp_path / "a.obk", support.random_games(8, 100))
    whole = path.read_bytes()
    failed = 0
    for place in range(0, len(whole), 4096):
        path.write_bytes(whole[:place] + b"\xa5" * 4096 + whole[place + 4096 :])
        with contextlib.suppress(BookError):
            failed += 1
            with open_book(path) as book:
                book.find(Board())
                list(book.rows())
            failed -= 1
    assert failed > len(whole) // 4096 // 2


def test_only_two_formats_are_written(tmp_path: Path) -> None:
    from xiangqi.books.opening import find_writer

    assert find_writer(Path("x.PFBOOK")) is PengFeiBook
    with pytest.raises(FormatError, match=r"ends with \.obk or \.pfbook"):
        find_writer(Path("BOOK.DAT"))


def test_sqlite_is_loaded_only_where_a_book_needs_it(tmp_path: Path) -> None:
    path = support.write_eleeye(tmp_path / "BOOK.DAT", [(Board(), "h2e2", 1)])
    program = (
        "import sys, xiangqi, xiangqi.engine, xiangqi.books, xiangqi.cli.main\n"
        f"assert xiangqi.books.open_book({str(path)!r}).find(xiangqi.Board())\n"
        "print('sqlite3' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("False\n", "")


# Lines of text

LINES = f"""\ufeff# a book
h2e2 1473 {STARTING_FEN}\r
C3-C4 546 {STARTING_FEN[:-8]}

b9c7 12 rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b
a0a9 1 {STARTING_FEN}
"""


@pytest.mark.parametrize("name", ["BOOK.DAT", "book.txt"])
def test_a_book_of_lines(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(LINES, encoding="utf-8")
    with open_book(path) as book:
        assert book.count() == len(list(book.rows())) == 4
        moves = {move: counts[0] for move, counts in found(book, Board()).items()}
        assert moves == {"h2e2": 1473, "b2e2": 1473, "c3c4": 546, "g3g4": 546}
        board = Board()
        board.push_iccs("b2e2")  # the mirror image of the position in the file
        assert list(found(book, board)) == ["h9g7"]
    assert is_book(path, path.read_bytes()[:4096])


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("h2h2 1 9/9 w", "'h2h2 1 9/9 w' in line 7 (invalid move 'h2h2'"),
        ("h2e2 1 9/9/9 w", "9/9/9' has 3 ranks, expected 10"),
        ("h2e2 -1 x", "'h2e2 -1 x' in line 7, expected move weight FEN"),
        ("h2e2", "'h2e2' in line 7, expected move weight FEN"),
    ],
)
def test_a_bad_line_of_a_book_is_reported(line: str, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text(f"{LINES}{line}\n", encoding="utf-8")
    with pytest.raises(BookError, match=re.escape(expected)):
        open_book(path)
