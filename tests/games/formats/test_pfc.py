"""PFC, the records of Peng Fei in XML: read, and safe against what XML allows."""

from __future__ import annotations

import io

import pytest

from tests.support.format_encoders import TREE_SHAPE, Ply, encode_pfc, line, tree
from tests.support.game_trees import shape
from xiangqi.games.formats import guess_format, read_games
from xiangqi.games.pasting import read_pasted
from xiangqi.games.tree import Game

FEN = "4k4/9/9/9/9/9/9/4P4/9/3K5 b - - 0 1"


def read(text: str | bytes) -> Game:
    data = text if isinstance(text, bytes) else text.encode()
    (game,) = read_games(io.BytesIO(data), source="a.pfc")
    return game


def moves_of(game: Game) -> list[str]:
    return [move.iccs() for move in game.moves()]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("main", [0, 1])
def test_a_tree_with_comments(encoding: str, main: int) -> None:
    game = read(encode_pfc(tree(), comment="开局注解", main=main).encode(encoding))
    assert shape(game) == TREE_SHAPE
    assert (game.errors, game.headers) == ([], {"Result": "*"})


def test_headers_and_another_position() -> None:
    fields = {
        "title": "残局",
        "red": "许甲",
        "redteam": "上海",
        "create-time": "20200102",
        "own": "x",
    }
    game = read(encode_pfc(line("e9f9"), fields=fields, fen=FEN, result="0-1"))
    assert game.headers == {
        "Title": "残局", "Red": "许甲", "RedTeam": "上海", "Date": "20200102", "own": "x",
        "Result": "0-1",
    }  # fmt: skip
    assert (game.fen, moves_of(game), game.errors) == (FEN, ["e9f9"], [])


def test_the_result_may_be_a_header() -> None:
    assert read(encode_pfc([], fields={"result": "红胜"})).headers == {"Result": "1-0"}


def test_the_content_shows_the_format_also_to_the_paste_box() -> None:
    text = encode_pfc(line("h2e2", "h9g7"))
    assert guess_format(text.encode(), "a.xml").name == "pfc"
    assert moves_of(read_pasted(text).game) == ["h2e2", "h9g7"]
    assert guess_format(text.replace('"', "'").encode(), "a.xml").name == "pfc"


def test_characters_that_the_writer_does_not_escape() -> None:
    comment = 'a & b < c > d &amp; &#65; "e"\nf'
    text = encode_pfc([Ply("h2e2", "X")]).replace('"X"', f'"{comment}"'.replace('\\"', "&quot;"))
    text = text.replace('d &amp; &#65; "e"', "d &amp; &#65; &quot;e&quot;")
    assert read(text).root.variations[0].comment == 'a & b < c > d & A "e"\nf'


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (encode_pfc(line("h2e2", "h9g8", "h0g2")), "a.pfc:1:2: 'h9g8': the black horse"),
        (encode_pfc(line("h2e2", "7062")), "a.pfc:1:2: '7062': expected a move between two"),
        (encode_pfc(line("h2e2", "h2h2")), "a.pfc:1:2: 'h2h2': expected a move between two"),
        (encode_pfc([], fen="9/9 w"), "'9/9 w': piece placement"),
        (encode_pfc([], result="maybe"), "'maybe': not a result"),
        (encode_pfc(line("h2e2"))[:-4], "not XML: no element found"),
        (
            '<n version="2" c="a\nb"\n>\n<n m="h2e2">\n</m></n>',
            "'</m></n>': line 5, column 3: not XML",
        ),
        (encode_pfc(line("h2e2")).replace("</n>", "</m>"), "not XML: mismatched tag"),
        ('<n version="2">' + "<n>" * 200_000, "elements nested more than 10001 deep"),
        ('<n version="2" m="">' + '<n m="h2e2"', "not XML"),
    ],
)
def test_faults_are_reported(text: str, complaint: str) -> None:
    assert any(complaint in str(error) for error in read(text).errors), read(text).errors


def test_a_document_type_is_refused() -> None:
    text = '<n version="2" m="" c="&a;"><n m="h2e2" /></n>'
    games = read_games(
        io.BytesIO(f'<!DOCTYPE n [<!ENTITY a "ha">]>{text}'.encode()), "pfc", "a.pfc"
    )
    (error,) = next(games).errors
    assert error.reason == "document type declarations are not supported"


def test_a_long_game() -> None:
    moves = [["h2e2", "h9g7", "e2h2", "g7h9"][place % 4] for place in range(400)]
    assert moves_of(read(encode_pfc(line(*moves)))) == moves
