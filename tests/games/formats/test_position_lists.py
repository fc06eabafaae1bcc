"""Lists of FEN and EPD: a position a line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from xiangqi.games.formats import guess_format, read_games
from xiangqi.games.formats.positions import read_epd
from xiangqi.games.tree import Game
from xiangqi.pieces.fen import STARTING_FEN

FEN = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
FULL = f"{FEN} - - 0 1"


def read(text: str, source: str = "a.fen") -> list[Game]:
    return list(read_games(io.BytesIO(text.encode()), source=source))


@pytest.mark.parametrize("source", ["a.fen", "a.epd", "a.txt", "standard input"])
def test_a_list_of_fen(source: str) -> None:
    games = read(f"\ufeff# our list\r\n{STARTING_FEN}\r\n\r\n{FEN}\r\n  {FULL}\r\n", source)
    assert [game.fen for game in games] == [STARTING_FEN, FULL, FULL]
    assert not any(game.errors or game.headers or game.moves() for game in games)


def test_operations_of_epd() -> None:
    (game,) = read(f'{FEN} - - bm f0e0; id "a; b"; c0 "a note"; ce -7; hmvc 3; fmvn 7;\n')
    assert game.headers == {"bm": "f0e0", "Title": "a; b", "ce": "-7"}
    assert (game.fen, game.root.comment, game.errors) == (f"{FEN} - - 3 7", "a note", [])
    assert read_epd(f'{FULL};id "x"').fen == FULL


def test_moves_may_follow() -> None:
    (game,) = read(f"{FEN} moves f0e0 e8f8\n")
    assert [move.iccs() for move in game.moves()] == ["f0e0", "e8f8"]


def test_bad_lines_are_reported_and_the_others_read() -> None:
    games = read(f"{FEN}\n{FEN[2:]}\n{FEN[:-1]}q\n{FEN} ; =x\nno position\n{FEN}\n")
    reasons = [error.reason for game in games for error in game.errors]
    assert [len(game.errors) for game in games] == [0, 1, 1, 1, 1, 0]
    assert "9 ranks, expected 10" in reasons[0]
    assert reasons[1] == reasons[2]
    assert reasons[1].startswith("after a FEN: expected 'moves ...' or operations of EPD")
    assert reasons[3].endswith("or a FEN")


def test_a_position_with_the_moves_of_its_game_is_no_list() -> None:
    (game,) = read(f"{FEN}\n1. 车四平五 将5平6\n和棋\n", "a.txt")
    assert (len(game.moves()), game.headers, game.errors) == (2, {"Result": "1/2-1/2"}, [])


def test_the_openings_of_the_examples() -> None:
    path = Path(__file__).parents[3] / "examples" / "openings.epd"
    assert guess_format(path.read_bytes()[:4096], "x").name == "positions"
    games = list(read_games(path))
    assert len(games) == 8
    assert games[0].headers == {"Title": "central cannon against screen horses"}
    assert not any(game.errors for game in games)


@pytest.mark.parametrize("tail", ["w 0 1", "red - - 0 1", "w - - 0 1"])
@pytest.mark.parametrize("form", ["{}", "\ufeff{}", '"{}"', "position fen {} moves a0a1"])
def test_a_fen_in_the_ways_of_other_programs(tail: str, form: str) -> None:
    fen = f"3k5/9/9/9/9/9/9/9/9/R3K4[] {tail}"
    (game,) = read(form.format(fen))
    assert game.fen == "3k5/9/9/9/9/9/9/9/9/R3K4 w - - 0 1"
    assert not game.errors


@pytest.mark.parametrize("separator", ["|", ",", "\t", " | ", ", "])
def test_titles_before_positions_and_moves_behind_them(separator: str) -> None:
    fen = "4k4/4N1P2/1P7/9/P7P/6p2/9/5n2B/3CNp3/3AKAB2"
    moves = "g8f8" if "," in separator else "g8f8,e9d9"
    lines = [
        f"泥马-20{separator}{fen} w{separator}{moves}",
        f"#20{separator}{fen} w",
        f"2步杀{separator}{fen} w",
    ]
    data = "\n".join(lines).encode()
    assert guess_format(data, "a.txt").name == "positions"
    games = list(read_games(io.BytesIO(data), source="a.txt"))
    assert [game.headers for game in games] == [{"Title": "泥马-20"}, {"Title": "2步杀"}]
    assert [game.fen for game in games] == [f"{fen} w - - 0 1"] * 2
    played = [move.iccs() for move in games[0].moves()]
    assert (played, games[0].errors) == (moves.split(","), [])


def test_a_title_before_a_damaged_position_is_reported_with_it() -> None:
    (game,) = read_games(io.BytesIO("甲|4k4/9/9/9/9/9/9/9/9/4K3x w".encode()), source="a.eglib")
    assert game.headers == {"Title": "甲"}
    assert any("found 'x'" in str(error) for error in game.errors), game.errors
