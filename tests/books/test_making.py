"""Books made from games hold what was played, whichever way it was mirrored; merging adds up."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from tests.support import books as support
from tests.support.helpers import data_file
from xiangqi import Board, Move
from xiangqi.books import open_book
from xiangqi.books.base import Row
from xiangqi.books.keys import Keys, canonical_move, is_canonical, mirror_board, obk_table
from xiangqi.books.making import BookMaker, BookMerger, Recipe
from xiangqi.books.tables import ObkBook
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game

Figures = tuple[int, int, int, int]


def game_of(line: str, **headers: str) -> Game:
    game = Game(headers=headers)
    game.add_line(map(Move.from_iccs, line.split()))
    return game


def rows_of(games: list[Game], recipe: Recipe) -> list[Row]:
    maker = BookMaker(recipe)
    for game in games:
        maker.add(game)
    return list(maker.rows())


def weights(games: list[Game], recipe: Recipe, line: str = "h2e2") -> int:
    """The weight of the first move of a line."""
    found = [row.found for row in rows_of(games, recipe) if row.found.move.iccs() == line]
    return found[0].weight if found else 0


def count_plainly(games: list[Game], plies: int) -> dict[tuple[str, str], Figures]:
    """Weight, wins, draws and losses of each move, mirror images together, counted one by one."""
    counts: dict[str, Counter[tuple[str, str]]] = {
        name: Counter() for name in "games win draw".split()
    }
    points = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}
    for game in games:
        board = Board(game.fen)
        for move in game.moves()[:plies]:
            image, mirrored = board.fen().split()[0], board.mirror().fen().split()[0]
            keep = min((image, move.iccs()), (mirrored, move.mirror().iccs()))
            place = f"{keep[0]} {board.turn}", keep[1]
            counts["games"][place] += 1
            result = game.headers["Result"]
            if result in points:
                own = points[result] if board.turn else 2 - points[result]
                counts["win"][place] += own == 2
                counts["draw"][place] += own == 1
            else:
                counts["games"][place] -= 1
                counts.setdefault("open", Counter())[place] += 1
            board.push(move)
    found = {}
    for place in {*counts["games"], *counts["open"]}:
        wins, draws = counts["win"][place], counts["draw"][place]
        weight = 2 * wins + draws + counts["open"][place]
        found[place] = weight, wins, draws, counts["games"][place] - wins - draws
    return found


@pytest.mark.parametrize("suffix", [".obk", ".pfBook"])
def test_counts_are_those_of_the_games(suffix: str, tmp_path: Path) -> None:
    games = support.random_games(11, 60)
    games += [mirror_game(game) for game in support.random_games(12, 60)]
    plain = count_plainly(games, 8)
    path = support.write_book(tmp_path / f"a{suffix}", games, Recipe(plies=8, min_games=1))
    asked = set()
    with open_book(path) as book:
        for game in games:
            board = Board()
            for move in game.moves()[:8]:
                image, mirrored = board.fen().split()[0], board.mirror().fen().split()[0]
                for found in book.find(board):
                    keep = min((image, found.move.iccs()), (mirrored, found.move.mirror().iccs()))
                    place = f"{keep[0]} {board.turn}", keep[1]
                    figures = found.weight, found.wins, found.draws, found.losses
                    assert plain[place] == figures
                    asked.add(place)
                board.push(move)
    assert asked == set(plain)
    assert len(asked) > 200


def mirror_game(game: Game) -> Game:
    other = Game(headers=game.headers)
    other.add_line(move.mirror() for move in game.moves())
    return other


def test_the_same_games_give_the_same_bytes(tmp_path: Path) -> None:
    games = support.random_games(13, 100)
    first = support.write_book(tmp_path / "a.obk", games).read_bytes()
    random.Random(1).shuffle(games)
    mirrored = [mirror_game(game) for game in games]
    assert support.write_book(tmp_path / "b.obk", games).read_bytes() == first
    assert support.write_book(tmp_path / "c.obk", mirrored).read_bytes() == first


def test_which_image_is_canonical() -> None:
    board = Board()
    for text in "h2e2 h9g7 h0g2".split():
        board.push_iccs(text)
        cells = board.cells()
        mirrored = mirror_board(cells)
        keys = obk_table().keys_of(board.setup())
        assert is_canonical(cells, mirrored, keys)
        assert not is_canonical(mirrored, cells, Keys(*keys[::-1]))
        assert mirrored == board.mirror().cells()
    assert canonical_move(Move.from_iccs("b2e2")).iccs() == "h2e2"
    assert canonical_move(Move.from_iccs("e0d0")).iccs() == "e0f0"


def test_the_canonical_image_has_a_key_that_all_programs_can_read() -> None:
    board = Board("1r1akabnr/9/1cn1b2c1/p1p1p3p/6p2/2P6/P3P1P1P/2NC3C1/9/1RBAKABNR w").mirror()
    keys = obk_table().keys_of(board.setup())
    assert isinstance(ObkBook.write_key(keys.key), bytes)
    for one in (board, board.mirror()):
        game = Game(one.fen())
        game.add_line([one.list_moves()[0]])
        (row,) = rows_of([game], Recipe(min_games=1))
        assert row.key == keys.mirrored


def test_a_game_from_any_position() -> None:
    fen = "3k5/9/9/9/9/9/9/9/4K4/R8 b - - 0 1"
    game = Game(fen, {"Result": "0-1"})
    game.add_line([Move.from_iccs("d9d8")])
    (row,) = rows_of([game], Recipe(min_games=1))
    assert row.found.wins == 1
    images = {support.key_of(board) for board in (Board(fen), Board(fen).mirror())}
    assert row.key in images
    assert rows_of([Game()], Recipe(min_games=1)) == []


# Weights


def test_results_weigh_two_one_and_nothing() -> None:
    games = [game_of("h2e2 h9g7", Result=result) for result in ("1-0", "1/2-1/2", "0-1", "*")]
    assert [weights([game], Recipe(min_games=1)) for game in games] == [2, 1, 0, 1]
    assert weights(games, Recipe(min_games=4)) == 4
    assert weights(games, Recipe(min_games=5)) == 0
    counts = {row.found.move.iccs(): row.found for row in rows_of(games, Recipe(min_games=1))}
    assert (counts["h9g7"].wins, counts["h9g7"].draws, counts["h9g7"].losses) == (1, 1, 1)
    assert counts["h9g7"].weight == 4


def test_moves_of_the_strong_weigh_more() -> None:
    def game(**elo: str) -> Game:
        return game_of("h2e2", Result="1-0", **elo)

    recipe = Recipe(min_games=1)
    for elo, expected in [("2400", 4), ("2000", 2), ("1600", 1), ("9999", 8), ("0", 2), ("x", 2)]:
        assert weights([game(RedElo=elo)], recipe) == expected
    assert weights([game(BlackElo="2800")], recipe) == 2


def test_old_games_weigh_less() -> None:
    def games(*dates: str) -> list[Game]:
        return [game_of("h2e2", Result="1-0", Date=date) for date in dates]

    recipe = Recipe(min_games=1, half_life=10)
    assert weights(games("2020.01.01", "2010.??.??"), recipe) == 3
    assert weights(games("2020.01.01", "2002年11月9日"), Recipe(min_games=1)) == 4
    assert weights(games(*["1990"] * 8, "2020.02.03"), recipe) == 4
    assert weights(games("", "2010.05.05", "2020.01.01"), recipe) == 4  # as old as the oldest
    assert weights(games("", "????.??.??"), recipe) == 4


# Names


def test_a_move_has_the_opening_that_most_games_with_it_came_to() -> None:
    games = [
        game_of("h2e2 h9g7 h0g2", Result="*", ECCO="C44", Opening="中炮", Variation="屏风马"),
        game_of("h2e2 h9g7 b0c2", Result="*", ECCO="C44"),
        game_of("h2e2 h7e7", Result="*", ECCO="D00"),
        game_of("c3c4", Result="*", Opening="Soldier"),
    ]
    notes = {
        row.found.move.iccs(): row.found.note
        for row in rows_of(games, Recipe(min_games=1, names={"D00": "顺炮", "C44": "other"}))
    }
    assert notes["h2e2"] == notes["h9g7"] == "C44 中炮 屏风马"
    assert notes["h7e7"] == "D00 顺炮"
    assert notes["g3g4"] == "Soldier"


# Merging


def test_a_book_merged_with_itself_weighs_twice(tmp_path: Path) -> None:
    games = support.random_games(15, 60)
    path = support.write_book(tmp_path / "a.obk", games)
    with open_book(path) as one, open_book(path) as other:
        merger = BookMerger([one, other])
        assert list(merger.walk())
        alone = {(row.key, row.found.move): row.found for row in one.rows()}
    assert len(merger.rows) == len(alone)
    for key, found in merger.rows:
        before = alone[key, found.move]
        assert (found.weight, found.games) == (2 * before.weight, 2 * before.games)


def test_books_of_parts_merge_into_the_book_of_the_whole(tmp_path: Path) -> None:
    games = support.random_games(16, 80)
    halves = [
        support.write_book(tmp_path / "a.obk", games[:40]),
        support.write_book(tmp_path / "b.pfBook", games[40:]),
    ]
    whole = support.write_book(tmp_path / "c.obk", games)
    with open_book(halves[0]) as one, open_book(halves[1]) as other, open_book(whole) as both:
        merger = BookMerger([one, other])
        for _ in merger.walk():
            pass
        assert sorted(merger.rows, key=str) == sorted(both.rows(), key=str)


def test_both_images_of_other_programs_become_one_and_the_rest_stays(tmp_path: Path) -> None:
    board = Board()
    board.push_iccs("h2e2")
    lone = Board("3k5/9/9/9/9/9/9/9/4K4/R8 w - - 0 1")
    rows = [
        (key if key < 2**63 else support.as_number(key), support.code_of(text), 5, 1, 0, 0, 1, "")
        for one, text in [
            (Board(), "h2e2"),
            (board, "h9g7"),
            (board.mirror(), "b9c7"),
            (lone, "a0a5"),
        ]
        for key in (support.key_of(one),)
    ]
    dat = support.write_eleeye(
        tmp_path / "BOOK.DAT", [(Board(), "b2e2", 7), (board, "b9c7", 2), (lone, "a0a5", 1)]
    )
    with open_book(support.write_table(tmp_path / "a.obk", rows)) as one, open_book(dat) as other:
        merger = BookMerger([one, other])
        for _ in merger.walk():
            pass
    merged = {(row.key, row.found.move.iccs()): row.found.weight for row in merger.rows}
    assert merged == {
        (support.key_of(Board()), "h2e2"): 12,
        (support.key_of(board), "h9g7"): 5,
        (support.key_of(board), "b9c7"): 2,
        (support.key_of(lone), "a0a5"): 5,
    }
    assert merger.left_out == 1


# Real games


def test_a_book_of_real_games_is_read_move_for_move(tmp_path: Path) -> None:
    """By the independent reader; the games lie beside the project."""
    from tests.books.test_books import NUMBERS, found
    from tests.oracle import book as oracle
    from tests.oracle.game import read_fen

    games = []
    for game in read_games(data_file("games.jsonl.gz")):
        games.append(game)
        if len(games) == 1500:
            break
    path = support.write_book(tmp_path / "a.obk", games, Recipe(plies=20, min_games=3))
    asked = 0
    with open_book(path) as book:
        for game in games[::20]:
            board = Board(game.fen)
            for move in game.moves()[:20]:
                moves = oracle.find_moves(path, "bhobk", read_fen(board.fen()), NUMBERS)
                assert found(book, board) == moves
                asked += len(moves)
                board.push(move)
    assert asked > 1000
