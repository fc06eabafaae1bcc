"""The engine plays from books, except moves that would lose by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.engines.fake_searcher import Conversation, FakeSearcher
from tests.support import books as support
from xiangqi import Board, Move
from xiangqi.books import BookMove, open_book
from xiangqi.engine import Engine, Limits
from xiangqi.engine.options import OPTIONS, OptionValue
from xiangqi.ground.errors import BookError

CHASE = (
    "b2e2 b9c7 b0c2 a9b9 a0b0 h9g7 g3g4 c6c5 b0b6 c7d5 h0g2 g9e7 h2i2 c5c4 b6b5 d5c7 b5b6 c7d5"
).split()
"""Black's horse chases the chariot on b6 from d5 and retreats."""
ROUND = "b6b5 d5c7 b5b6 c7d5".split()
QUICK = Limits(depth=1)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book with three first moves, one of weight 0, and one reply."""
    board = Board()
    key = support.key_of(board)
    rows: list[tuple[object, ...]] = [
        (key, support.code_of("h2e2"), 30, 5, 2, 1, 1, "中炮"),
        (key, support.code_of("c3c4"), 10, 0, 0, 0, 1, ""),
        (key, support.code_of("h0g2"), 0, 0, 0, 0, 1, ""),
    ]
    board.push_iccs("h2e2")
    key = support.key_of(board)
    stored = support.as_number(key) if key >> 63 else key
    rows.append((stored, support.code_of("h9g7"), 1, 0, 0, 0, 1, ""))
    return support.write_table(tmp_path / "a.obk", rows)


class Player:
    """An engine, and the number of infos of its searches."""

    def __init__(self, book: Path | str = "", **options: OptionValue) -> None:
        self.searched = 0
        self.messages: list[str] = []
        self.engine = Engine(FakeSearcher(), on_message=self.messages.append)
        self.engine.set_option("book_file", str(book))
        for name, value in options.items():
            self.engine.set_option(name, value)

    def play(self, board: Board, limits: Limits = QUICK) -> str:
        def count(_: object) -> None:
            self.searched += 1

        best = self.engine.play(board, limits, count).best
        assert best is not None
        return best.iccs()


def test_moves_of_the_book_are_played_by_weight_without_a_search(book: Path) -> None:
    player = Player(book, book_seed=3)
    chosen = Counter(player.play(Board()) for _ in range(400))
    assert set(chosen) == {"h2e2", "b2e2", "c3c4", "g3g4"}
    assert 2.2 < (chosen["h2e2"] + chosen["b2e2"]) / (chosen["c3c4"] + chosen["g3g4"]) < 4
    assert player.searched == 0
    assert "book move h2e2: weight 30, +5 =2 -1, 中炮" in player.messages


def test_a_seed_makes_the_choice_repeatable(book: Path) -> None:
    first, second = ([player.play(Board()) for _ in range(30)] for player in two_players(book))
    assert first == second
    assert len(set(first)) > 1


def two_players(book: Path) -> Iterator[Player]:
    for _ in range(2):
        yield Player(book, book_seed=12)


@pytest.mark.parametrize(
    ("options", "limits"),
    [
        ({"own_book": False}, QUICK),
        ({"multipv": 2}, QUICK),
        ({}, Limits(depth=1, mate=3)),
        ({}, Limits(depth=1, moves=(Move.from_iccs("a0a1"),))),
        ({}, Limits(depth=1, banned=tuple(map(Move.from_iccs, "h2e2 b2e2 c3c4 g3g4".split())))),
    ],
)
def test_searches_without_the_book(
    book: Path, options: dict[str, OptionValue], limits: Limits
) -> None:
    player = Player(book, **options)
    player.play(Board(), limits)
    assert player.searched


def test_out_of_book_there_is_a_search(book: Path) -> None:
    player = Player(book)
    board = Board()
    for text in ("h2e2", "h9g7"):
        board.push_iccs(text)
    player.play(board)
    assert player.searched


def test_analysis_does_not_use_the_book(book: Path) -> None:
    player = Player(book)
    assert player.engine.analyse(Board(), QUICK)
    with player.engine.analysis(Board(), QUICK) as infos:
        assert list(infos)


def test_banned_moves_are_not_chosen(book: Path) -> None:
    player = Player(book)
    banned = Limits(depth=1, banned=tuple(map(Move.from_iccs, "h2e2 b2e2 g3g4".split())))
    assert {player.play(Board(), banned) for _ in range(20)} == {"c3c4"}


def test_several_books_are_used_in_order(book: Path, tmp_path: Path) -> None:
    other = support.line_book(tmp_path / "b.obk", ["i3i4", "h2e2 b9c7", "h2e2 h9g7 h0g2"])
    board = Board()
    player = Player(f" {book} ; {other};")
    assert player.play(board) in ("h2e2", "b2e2", "c3c4", "g3g4")
    for text, expected in [("h2e2", "h9g7"), ("h9g7", "h0g2")]:
        board.push_iccs(text)
        assert player.play(board) == expected
    assert not player.searched


# The rules


def test_a_book_move_that_chases_perpetually_is_not_played(tmp_path: Path) -> None:
    """Following the book's line loses by the rules."""
    board = Board()
    for text in [*CHASE, *ROUND, *ROUND]:
        board.push_iccs(text)
    assert board.result() == "1-0"


def test_a_move_back_to_a_position_is_left_to_the_search(tmp_path: Path) -> None:
    book = support.line_book(tmp_path / "a.obk", [" ".join([*CHASE, *ROUND])])
    player = Player(book)
    board = Board()
    for text in CHASE[:-3]:
        board.push_iccs(text)
    assert player.play(board) == "d5c7"
    assert not player.searched
    for text in CHASE[-3:-1]:
        board.push_iccs(text)
    assert [found.move.iccs() for found in find(book, board)] == ["c7d5"]
    player.play(board)
    assert player.searched


def find(path: Path, board: Board) -> list[BookMove]:
    with open_book(path) as book:
        return book.find(board)


@pytest.mark.parametrize("rules", ["wxf", "all-draws"])
def test_whole_games_against_an_opponent_who_repeats(rules: str, tmp_path: Path) -> None:
    """Red repeats its moves; the engine leaves the book before a ruling."""
    book = support.line_book(tmp_path / "a.obk", [" ".join([*CHASE, *ROUND])])
    player = Player(book, repetition=rules)
    board = Board()
    for text in [*CHASE, *ROUND * 5][::2]:
        board.push_iccs(text)
        reply = player.play(board)
        if player.searched:
            break
        board.push_iccs(reply)
        assert board.outcome(player.engine.rules) is None
    assert reply != "c7d5"
    assert board.ply() == len(CHASE) - 1


# Wrong books


def test_a_file_that_is_not_a_book_changes_nothing(book: Path) -> None:
    player = Player(book)
    with pytest.raises(BookError, match=r"'none\.obk': found no file"):
        player.engine.set_option("book_file", f"{book};none.obk")
    assert player.engine.options["book_file"] == str(book)
    player.play(Board())
    assert not player.searched
    player.engine.set_option("book_file", "<empty>")
    player.play(Board())
    assert player.searched
    assert OPTIONS["book_file"].default == ""


def test_damage_during_a_game_is_reported_once_and_the_search_goes_on(tmp_path: Path) -> None:
    book = support.write_book(tmp_path / "a.obk", support.random_games(41, 300))
    data = book.read_bytes()
    player = Player(book)
    book.write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))
    player.play(Board())
    player.play(Board())
    assert player.searched > 1
    assert [message for message in player.messages if "damage" in message] == player.messages
    (message,) = player.messages
    assert message.endswith("; no book is used from now on")


# Protocols


@pytest.mark.parametrize(
    ("hello", "use", "name", "best"),
    [
        ("uci", "setoption name OwnBook value true", "setoption name BookFile value ", "bestmove"),
        ("ucci", "setoption usebook true", "setoption bookfiles ", "bestmove"),
        ("xboard", "option OwnBook=1", "option BookFile=", "move"),
    ],
)
def test_conversations(book: Path, hello: str, use: str, name: str, best: str) -> None:
    with Conversation() as talk:
        talk.send(hello, *(["protover 2"] if hello == "xboard" else []))
        talk.until({"uci": "uciok", "ucci": "ucciok", "xboard": "feature done=1"}[hello])
        talk.send(f"{name}none.obk", use, f"{name}{book}")
        start = ["new", "go"] if hello == "xboard" else ["position startpos", "go depth 1"]
        talk.send(*start)
        lines = talk.until(f"{best} ")
        assert any("cannot use the book 'none.obk': found no file" in line for line in lines)
        assert any("book move " in line for line in lines)
        assert lines[-1].split()[1] in ("h2e2", "b2e2", "c3c4", "g3g4")
        if hello == "xboard":
            talk.send("force", "new", "force", "bk")
            assert " h2e2: weight 30, +5 =2 -1, 中炮" in talk.until(" h2e2")
