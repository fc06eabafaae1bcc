"""CBF, the records of CCBridge in XML: read, and safe against what XML allows."""

from __future__ import annotations

import io
from collections.abc import Sequence

import pytest

from xiangqi.games.formats import guess_format, read_games
from xiangqi.games.pasting import read_pasted
from xiangqi.games.tree import Game
from xiangqi.pieces.fen import STARTING_FEN

OPENING = ["00-00", "77-47", "70-62", "79-67"]
MOVES = ["h2e2", "h9g7", "h0g2"]


def record(
    values: Sequence[str] = OPENING, head: str = "", begin: str = "", end: str = "</MoveList>"
) -> str:
    lines = [f'  <Move value="{value}" />' for value in values[:-1]]
    last = f'  <Move value="{values[-1]}" end="1" />'
    moves = "\n".join([*lines, last])
    return (
        f'{begin}<ChineseChessRecord Version="1.0">\n <Head>{head}</Head>\n <MoveList>\n'
        f"{moves}\n {end}\n</ChineseChessRecord>\n"
    )


def read(text: str | bytes) -> Game:
    data = text if isinstance(text, bytes) else text.encode()
    (game,) = read_games(io.BytesIO(data), source="a.cbf")
    return game


def moves_of(game: Game) -> list[str]:
    return [move.iccs() for move in game.moves()]


HEAD = (
    "<Name>开局 &amp; 中局</Name><URL /><Contest>全国赛</Contest><Red>许甲</Red><Black>吕乙</Black>"
    f"<RecordResult>1</RecordResult><Own>x</Own><FEN>{STARTING_FEN}</FEN>"
)
HEADERS = {
    "Title": "开局 & 中局", "Event": "全国赛", "Red": "许甲", "Black": "吕乙", "Own": "x",
    "Result": "1-0",
}  # fmt: skip


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
@pytest.mark.parametrize("declared", ["UTF-8", "GB2312", ""])
def test_a_record_in_any_encoding_whatever_it_says_of_it(encoding: str, declared: str) -> None:
    begin = f'<?xml version="1.0" encoding="{declared}"?>\n' if declared else ""
    game = read(record(head=HEAD, begin=begin).encode(encoding))
    assert (moves_of(game), game.headers, game.errors) == (MOVES, HEADERS, [])
    assert game.fen == STARTING_FEN


def test_the_content_tells_the_format_also_to_the_paste_box() -> None:
    assert guess_format(record().encode(), "a.xml").name == "cbf"
    assert moves_of(read_pasted(record()).game) == MOVES


@pytest.mark.parametrize(
    ("code", "result"), [("0", "*"), ("1", "1-0"), ("2", "0-1"), ("3", "1/2-1/2"), ("x", "*")]
)
def test_results(code: str, result: str) -> None:
    game = read(record(head=f"<RecordResult>{code}</RecordResult>"))
    assert game.headers == {"Result": result}


def test_another_position() -> None:
    fen = "4k4/9/9/9/9/9/9/4P4/9/3K5 b - - 0 1"
    game = read(record(["00-00", "40-50"], head=f"<FEN>{fen}</FEN>"))
    assert (game.fen, moves_of(game), game.errors) == (fen, ["e9f9"], [])


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (record(["00-00", "77-47", "70-61", "79-67"]), "a.cbf:1:2: 'h9g8': the black horse"),
        (record(["00-00", "77-47", "95-12"]), "a.cbf:1:2: '95-12': expected a move between two"),
        (record(["00-00", "77-47", "h9g7"]), "a.cbf:1:2: 'h9g7': expected a move between two"),
        (record().replace('77-47"', '77-47" end="1"'), "'70-62': moves after the end of the line"),
        (record(head="<FEN>9/9 w</FEN>"), "'9/9 w': piece placement"),
        (record(end="</Moves>"), "'</Moves>': line 8, column 4: not XML: mismatched tag"),
        (record()[:-30], "not XML"),
        ("<a/>\n<!-- <ChineseChessRecord -->", "'<a': expected the element <ChineseChessRecord>"),
        (f"<ChineseChessRecord>{'<a>' * 100_000}", "elements nested more than 8 deep"),
    ],
)
def test_faults_are_reported(text: str, complaint: str) -> None:
    assert any(complaint in str(error) for error in read(text).errors)


ENTITIES = (
    '<!ENTITY a "ha">', '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">',
    '<!ENTITY a SYSTEM "file:///etc/passwd">', '<!ENTITY % a SYSTEM "file:///etc/passwd"> %a;',
)  # fmt: skip


@pytest.mark.parametrize("entity", ENTITIES)
def test_a_document_type_is_refused_and_no_entity_grows(entity: str) -> None:
    begin = f"<!DOCTYPE x [{entity}]>\n"
    game = read(record(head="<Name>&a;</Name>", begin=begin))
    (error,) = game.errors
    assert (error.text, error.reason) == (
        "<!DOCTYPE x",
        "document type declarations are not supported",
    )
    assert game.headers == {"Result": "*"}
