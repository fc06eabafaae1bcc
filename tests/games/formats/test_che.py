"""CHE, the records of QQ's Xiangqi: read, with faults reported."""

from __future__ import annotations

import io

import pytest

from tests.support.format_encoders import encode_che
from xiangqi.games.formats import guess_format, read_games
from xiangqi.games.pasting import read_pasted
from xiangqi.games.tree import Game

MOVES = ["h2e2", "h9g7", "h0g2", "i9h9"]
TEXT = "1 2 26 32 1 2 1 2 4 0 1 0 6 32 0 9 1 7 2 0 2 0"


def read(text: str, format: str | None = None) -> Game:
    (game,) = read_games(io.BytesIO(text.encode()), format, source="a.che")
    return game


def moves_of(game: Game) -> list[str]:
    return [move.iccs() for move in game.moves()]


def test_files_are_counted_from_the_right_of_red() -> None:
    game = read(TEXT)
    assert (moves_of(game), game.errors, game.headers) == (MOVES[:2], [], {"Result": "*"})


@pytest.mark.parametrize("blank", [" ", "\n", "\r\n", " \t"])
def test_numbers_may_be_on_lines_of_their_own(blank: str) -> None:
    game = read(encode_che(MOVES).replace(" ", blank))
    assert (moves_of(game), game.errors) == (MOVES, [])


def test_the_content_shows_the_format_also_to_the_paste_box() -> None:
    assert guess_format(TEXT.encode(), "a.txt").name == "che"
    assert moves_of(read_pasted(TEXT).game) == MOVES[:2]
    assert guess_format(b"1 2 3 4", "a.txt").name == "text"


@pytest.mark.parametrize(
    ("text", "complaint", "kept"),
    [
        (encode_che([*MOVES[:3], "h9g7"]), "a.che:1:4: 'h9g7': there is no piece on h9", 3),
        (encode_che(MOVES, stated=5), "'5': the file has 4 moves, expected their number", 4),
        (encode_che(MOVES)[:-4], "a.che:1:4: '0 32 0 9 0 9 1 0': expected the ten numbers", 3),
        (encode_che(MOVES).replace(" 9 0 9 1", " 9 9 9 1"), "expected the ten numbers", 3),
        (encode_che(MOVES).replace("0 32 0 9 0", "0 31 0 9 0"), "expected the ten numbers", 3),
        (encode_che(["h2h2"]), "expected the ten numbers", 0),
        ("1", "'': the file has 0 moves", 0),
    ],
)
def test_faults_are_reported(text: str, complaint: str, kept: int) -> None:
    game = read(text, "che")
    assert len(game.moves()) == kept
    assert any(complaint in str(error) for error in game.errors), game.errors
