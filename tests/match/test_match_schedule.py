"""Openings from files, and who plays them with which colours in which order."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import pytest

from tests.support.books import write_book
from xiangqi import STARTING_FEN, Move, RecordError
from xiangqi.games.tree import Game
from xiangqi.ground.errors import BookError
from xiangqi.match.openings import START, Opening, read_openings
from xiangqi.match.schedule import Encounter, Standings, make_schedule, order_openings

ENDGAME = "4k4/9/9/9/9/9/9/9/9/R4K3 w"
MATE_IN_1 = "4k4/R8/9/9/9/9/9/9/1R7/3K5 w - - 0 1"


def write(folder: Path, text: str) -> Path:
    path = folder / "openings.txt"
    path.write_bytes(text.encode())
    return path


# Openings


def test_every_form_of_opening(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "\ufeff# a comment\r\n\r\n"
        f'{ENDGAME} - - 0 1;id "o001";c0 "moves h2e2"\r\n'
        f"{ENDGAME}\n"
        f"fen {ENDGAME} - - 0 1 moves a0a9\n"
        "h2e2 h9g7\n"
        "H2-E2 H9-G7 h0g2\n"
        "startpos moves h2e2\n"
        "startpos\n",
    )
    assert read_openings(path) == [
        Opening(f"{ENDGAME} - - 0 1"),
        Opening(ENDGAME),
        Opening(f"{ENDGAME} - - 0 1", ("a0a9",)),
        Opening(moves=("h2e2", "h9g7")),
        Opening(moves=("h2e2", "h9g7", "h0g2")),
        Opening(moves=("h2e2",)),
        START,
    ]
    assert [len(one.moves) for one in read_openings(path, plies=1)] == [0, 0, 1, 1, 1, 1, 0]
    assert read_openings(path)[2].board().fen().startswith("R3k4/")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no opening: expected a FEN"),
        ("# nothing\n", "no opening"),
        ("\nhello\n", ":2: 'hello': expected a FEN, or moves in coordinates"),
        ("h2e2 h2e2\n", ":1: move 2: 'h2e2':"),
        ("h2e2 h9\n", ":1: move 2: 'h9': expected"),
        ("4k4/9/9/9 w\n", ":1: '4k4/9/9/9 w': invalid FEN"),
        ("9/9/9/9/9/9/9/9/9/9 w\n", "red has no general"),
        ("3k5/4R4/9/9/9/9/9/9/9/3RK4 b\n", "the game is already over by 'checkmate'"),
    ],
)
def test_bad_openings_are_named(tmp_path: Path, text: str, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(RecordError) as error:
        read_openings(path)
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)


GAMES = """\
[Game "Chinese Chess"]
[Red "A"]

1. 炮二平五 马8进7 2. 马二进三 (2. 兵七进一 卒7进1) 车9平8 {a comment} 1-0

[FEN "4k4/9/9/9/9/9/9/9/9/R4K3 w - - 0 1"]

1. 车九进九 帅5进1 1-0
"""


def test_openings_from_games(tmp_path: Path) -> None:
    """The beginnings of the main lines, whatever the format."""
    path = write(tmp_path, GAMES)
    cannons = Opening(moves=("h2e2", "h9g7", "h0g2"))
    rooks = Opening(f"{ENDGAME} - - 0 1", ("a0a9", "e9e8"))
    assert read_openings(path, plies=3) == [cannons, rooks]
    assert read_openings(path, plies=3, format="pgn") == [cannons, rooks]
    lines = tmp_path / "openings.jsonl"
    lines.write_text('{"moves": ["h2e2", "h9g7", "h0g2"]}\n')
    assert read_openings(lines) == [cannons]


def test_openings_from_a_book(tmp_path: Path) -> None:
    """Its lines, the heaviest first, each end once; a line ends where the book does."""
    lines = ["h2e2 h9g7 g3g4", "h2e2 h9g7 g3g4", "g3g4 h9g7 h2e2", "c3c4 g6g5"]
    games = [Game(headers={"Result": "1/2-1/2"}) for _ in lines]
    for game, line in zip(games, lines, strict=True):
        game.add_line(map(Move.from_iccs, line.split()))
    path = write_book(tmp_path / "lines.obk", games)
    openings = read_openings(path, plies=3)
    wanted = [Opening(moves=tuple(line.split())) for line in (lines[0], lines[-1])]
    assert list(map(images, openings)) == list(map(images, wanted))
    assert openings == read_openings(path, plies=9) == read_openings(path, format="book")
    assert {len(one.moves) for one in read_openings(path, plies=2)} == {2}


def images(opening: Opening) -> frozenset[str]:
    """Last position of an opening and its mirror image."""
    board = opening.board()
    return frozenset({board.board_fen(), board.mirror().board_fen()})


def test_books_that_give_no_opening_are_named(tmp_path: Path) -> None:
    empty = write_book(tmp_path / "empty.obk", [])
    with pytest.raises(RecordError, match="no opening: expected a book with moves to play"):
        read_openings(empty)
    with pytest.raises(BookError, match="expected an OBK or PengFei book"):
        read_openings(write(tmp_path, "h2e2"), format="book")


@pytest.mark.parametrize(
    ("text", "plies", "message"),
    [
        ("1. 炮二平五 炮2平9 *\n", None, ":1: move 2: '炮2平9': "),
        (f'[FEN "{MATE_IN_1}"]\n\n1. B1-B9 *\n', None, "'b1b9': the game is already over by "),
        ('[FEN "9/9 w"]\n\n*\n', None, ":1: '9/9 w': "),
    ],
)
def test_bad_games_are_named(tmp_path: Path, text: str, plies: int | None, message: str) -> None:
    path = write(tmp_path, text)
    with pytest.raises(RecordError) as error:
        read_openings(path, plies)
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)


def test_lines_are_read_in_the_encodings_of_all_text(tmp_path: Path) -> None:
    path = tmp_path / "openings.txt"
    path.write_bytes("# 中炮\rh2e2\r炮二平五\r".encode("gb18030"))
    with pytest.raises(RecordError, match=":3: '炮二平五': expected a FEN"):
        read_openings(path, format="txt")
    path.write_bytes(b"h2e2 # \xff\nh2e2 \x0c h9g7\n")
    with pytest.raises(RecordError, match=r":1: .*'#'"):
        read_openings(path)


def test_moves_after_the_opening_may_be_faulty(tmp_path: Path) -> None:
    path = write(tmp_path, "1. 炮二平五 炮2平9 *\n")
    assert read_openings(path, plies=1) == [Opening(moves=("h2e2",))]
    with pytest.raises(RecordError, match="no opening: expected a FEN"):
        read_openings(write(tmp_path, ""), format="epd")
    with pytest.raises(RecordError, match="no opening: expected games in the format pgn"):
        read_openings(write(tmp_path, ""), format="pgn")


# The schedule


def test_pairs_exchange_colours() -> None:
    encounters = list(make_schedule(2, rounds=3, openings=[5, 7]))
    assert [encounter.opening for encounter in encounters] == [5, 7, 5]
    for encounter in encounters:
        first, second = encounter.games
        assert (first.red, first.black) == (second.black, second.red) == (0, 1)
    numbers = [game.number for encounter in encounters for game in encounter.games]
    assert numbers == [1, 2, 3, 4, 5, 6]


def test_single_games_exchange_colours_from_round_to_round() -> None:
    encounters = list(make_schedule(2, rounds=4, games=1))
    assert [game.red for encounter in encounters for game in encounter.games] == [0, 1, 0, 1]
    kept = make_schedule(2, rounds=4, swap=False)
    assert {game.red for encounter in kept for game in encounter.games} == {0}


def test_round_robin_and_gauntlet() -> None:
    met = Counter(one.engines for one in make_schedule(4, rounds=3))
    assert met == dict.fromkeys(itertools.combinations(range(4), 2), 3)
    met = Counter(one.engines for one in make_schedule(4, rounds=3, tournament="gauntlet"))
    assert met == {(0, 1): 3, (0, 2): 3, (0, 3): 3}


def test_more_rounds_only_add_to_the_end() -> None:
    short = list(make_schedule(3, rounds=2, openings=[2, 0, 1]))
    long = list(make_schedule(3, rounds=5, openings=[2, 0, 1]))
    assert long[: len(short)] == short


def test_the_seed_orders_the_openings() -> None:
    orders = {tuple(order_openings(50, "random", seed=seed)) for seed in range(5)}
    assert len(orders) == 5
    assert all(sorted(order) == list(range(50)) for order in orders)
    assert order_openings(50, "random", seed=3) == order_openings(50, "random", seed=3)
    shuffled = order_openings(50, "random", seed=3)
    assert order_openings(50, "random", start=11, seed=3) == shuffled[10:] + shuffled[:10]
    assert order_openings(3, "sequential", start=5) == [1, 2, 0]


# Standings


def test_standings_of_three() -> None:
    standings = Standings(["A", "B", "C"])
    results = {(0, 1): ("1-0", "0-1"), (0, 2): ("1/2-1/2", "0-1"), (1, 2): ("1-0", "1-0")}
    encounters: list[Encounter] = list(make_schedule(3, rounds=1))
    for encounter in encounters:
        for game, result in zip(encounter.games, results[encounter.engines], strict=True):
            standings.add_game(encounter, game.number, result)
    assert (standings.encounters, standings.games) == (3, 6)
    assert standings.between(0, 1).pairs.frequencies == (0, 0, 0, 0, 1)
    assert standings.between(1, 0).pairs.frequencies == (1, 0, 0, 0, 0)
    assert standings.between(0, 2).pairs.frequencies == (0, 0, 0, 1, 0)
    assert standings.between(1, 2).pairs.frequencies == (0, 0, 1, 0, 0)
    assert [standings.names[engine] for engine, _ in standings.ranked()] == ["A", "C", "B"]
    assert standings.of(0).points == 3.5


def test_unfinished_pair_counts_as_one_game() -> None:
    encounter = next(make_schedule(2, rounds=1))
    standings = Standings(["A", "B"])
    assert not standings.add_game(encounter, 2, "1-0")
    assert standings.between(0, 1).games.losses == 1
    assert not standings.between(0, 1).is_paired
    assert standings.add_game(encounter, 1, "1-0")
    assert standings.between(0, 1).pairs.wl == 1
    assert standings.games == 2


def test_the_usual_beginning() -> None:
    assert START.board().fen() == STARTING_FEN
