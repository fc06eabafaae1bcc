"""JSON lines, position lines and WXF text: files by hand, round trips, what is wrong in them."""

from __future__ import annotations

import io
from collections.abc import Iterable

import pytest

from tests.game_trees import random_game
from xiangqi.errors import FormatError
from xiangqi.fen import STARTING_FEN
from xiangqi.formats import FORMATS, guess_format, read_games
from xiangqi.formats.base import WriteOptions
from xiangqi.game import Game

PLAYOK = """\
FORMAT\tWXF
GAME\tplayok.com
RED\tanna;1500;;
BLACK\tboris;1480;;
RESULT\t1-0
DATE\t2008-05-01
EVENT\tа cup

START{
  1. C2.5  h8+7
  2. H2+3  r9.8
}END
"""


def read(text: str, name: str = "games") -> list[Game]:
    return list(read_games(io.BytesIO(text.encode()), source=name))


def written(games: Iterable[Game], name: str, *, lossy: bool = False) -> str:
    out = io.BytesIO()
    FORMATS[name].write(games, out, WriteOptions(lossy=lossy))
    return out.getvalue().decode()


def line(game: Game) -> str:
    return " ".join(str(move) for move in game.moves())


def test_wxf_text() -> None:
    (game,) = read(PLAYOK)
    assert not game.errors
    assert line(game) == "h2e2 h9g7 h0g2 i9h9"
    assert game.headers["Title"] == "playok.com"
    assert (game.headers["Red"], game.headers["RedElo"]) == ("anna", "1500")
    assert (game.headers["Black"], game.headers["Result"]) == ("boris", "1-0")
    (again,) = read(written([game], "wxf"))
    assert again == game


def test_wxf_text_with_an_illegal_move_keeps_the_rest() -> None:
    (game,) = read(PLAYOK.replace("H2+3  r9.8", "H2+5  r9.8"))
    assert line(game) == "h2e2 h9g7"
    (error,) = game.errors
    assert (error.game, error.ply, error.text) == (1, 3, "H2+5")
    assert "r9.8" in error.rest
    assert str(error).startswith("games:1:3: 'H2+5'")


def test_position_lines() -> None:
    text = (
        "position startpos moves h2e2 h9g7\n"
        "\n"
        "position fen 3k5/9/9/9/9/9/9/4P4/9/4K4 b - - 0 40 moves d9d8\n"
    )
    first, second = read(text)
    assert (first.fen, line(first)) == (STARTING_FEN, "h2e2 h9g7")
    assert (second.fen, line(second)) == ("3k5/9/9/9/9/9/9/4P4/9/4K4 b - - 0 40", "d9d8")
    assert read(written([first, second], "positions")) == [first, second]


def test_position_lines_tell_what_they_would_lose() -> None:
    game = Game(STARTING_FEN, {"Red": "A"})
    with pytest.raises(FormatError, match="Red"):
        written([game], "positions")
    assert written([game], "positions", lossy=True).startswith("position startpos")


def test_a_broken_position_line_is_an_error_of_its_game() -> None:
    good, bad, after = read(
        "position startpos moves h2e2\nposition startpos moves h2e2 h9h9 i9h9\n"
        "position startpos moves b2e2\n"
    )
    assert (line(good), line(bad), line(after)) == ("h2e2", "h2e2", "b2e2")
    (error,) = bad.errors
    assert (error.game, error.ply, error.text) == (2, 2, "h9h9")
    assert "i9h9" in error.rest


@pytest.mark.parametrize("seed", range(40))
def test_json_lines_keep_everything(seed: int) -> None:
    games = [random_game(seed), random_game(seed + 1000)]
    text = written(games, "jsonl")
    assert len(text.splitlines()) == 2
    assert read(text) == games


def test_a_broken_json_line_does_not_end_the_file() -> None:
    games = read('{"fen": 3}\n{"moves": ["h2e2"]}\n{"moves": ["h2\n{"moves": ["b2e2"]}\n')
    assert [line(game) for game in games] == ["", "h2e2", "", "b2e2"]
    assert [bool(game.errors) for game in games] == [True, False, True, False]
    assert str(games[2].errors[0]).startswith("games:3:")


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ('{"moves": []}', "jsonl"),
        ("position startpos moves h2e2", "positions"),
        (PLAYOK, "wxf"),
        ('[Game "Chinese Chess"]\n', "pgn"),
        ('[Variant "xiangqi"]\n[White "A"]\n', "pgn"),
    ],
)
def test_formats_are_known_by_their_content(head: str, name: str) -> None:
    assert guess_format(head.encode(), "whatever.xqf").name == name


def test_what_is_no_format_is_told() -> None:
    with pytest.raises(FormatError, match="begins with"):
        read("once upon a time", "story.doc")
