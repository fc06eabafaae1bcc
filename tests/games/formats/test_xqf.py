"""XQF: read in all versions, written in version 1.0."""

from __future__ import annotations

import io
from dataclasses import replace
from random import Random

import pytest

from tests.support.format_encoders import TREE_SHAPE, Ply, XqfKeys, encode_xqf, line, tree
from tests.support.game_trees import random_game, real_games, shape
from xiangqi import STARTING_FEN, Move
from xiangqi.games.formats import WriteOptions, read_games
from xiangqi.games.formats.base import DEFAULT_OPTIONS
from xiangqi.games.formats.xqf import XQF
from xiangqi.games.tree import Game
from xiangqi.ground.errors import FormatError

KEYS = XqfKeys(mask=0x5A, ors=(1, 0xF2, 0x83, 0x44), sums=(17, 35, 201, 3))


def read(data: bytes) -> Game:
    (game,) = read_games(io.BytesIO(data), source="a.xqf")
    return game


def write(game: Game, options: WriteOptions = DEFAULT_OPTIONS) -> bytes:
    out = io.BytesIO()
    XQF.write([game], out, options)
    return out.getvalue()


@pytest.mark.parametrize("version", range(10, 19))
def test_every_version_is_read(version: int) -> None:
    fields = {
        "title": "五七炮对屏风马", "event": "1980年全国赛", "red": "胡荣华", "black": "柳大华",
        "date": "19800901", "site": "乐山", "time rule": "90分", "annotator": "言穆江",
    }  # fmt: skip
    data = encode_xqf(
        tree(), version=version, keys=KEYS, fields=fields, result=1, kind=1, comment="开局注解"
    )
    game = read(data)
    assert game.errors == []
    assert shape(game) == TREE_SHAPE
    assert game.fen == STARTING_FEN
    assert game.headers == {
        "Title": "五七炮对屏风马", "Event": "1980年全国赛", "Date": "19800901", "Site": "乐山",
        "Red": "胡荣华", "Black": "柳大华", "TimeRule": "90分", "Annotator": "言穆江",
        "Result": "1-0", "Type": "布局",
    }  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_any_keys(seed: int) -> None:
    rng = Random(seed)
    ors, sums = ([rng.randrange(256) for _ in range(4)] for _ in range(2))
    keys = XqfKeys(rng.randrange(256), tuple(ors), tuple(sums))  # type: ignore[arg-type]
    rows = "4k4/9/9/9/9/2p6/9/9/R8/3K5"
    data = encode_xqf(
        [Ply("c4c3", "黑先")], version=rng.randint(11, 18), keys=keys, rows=rows, comment="残局"
    )
    game = read(data)
    assert game.errors == []
    assert game.fen == f"{rows} b - - 0 1"  # whose piece moves first is to move
    assert [ply[1:3] for ply in shape(game)] == [("None", "残局"), ("c4c3", "黑先")]


def test_side_to_move_without_moves_is_the_stated_one() -> None:
    assert " b " in read(encode_xqf([], black_first=True)).fen
    assert " w " in read(encode_xqf([])).fen


def test_the_stated_length_of_a_text_is_not_trusted() -> None:
    data = bytearray(encode_xqf([], fields={"red": "胡荣华"}))
    data[0x130] = 255
    red = read(bytes(data)).headers["Red"]
    assert red == "胡荣华"


def test_an_illegal_move_ends_its_line_and_is_kept() -> None:
    plies = [Ply("h2e2", next=[Ply("h9h5", "错", line("h0g2")), *line("b9c7", "b0c2")])]
    game = read(encode_xqf(plies))
    assert [move.iccs() for move in game.moves()] == ["h2e2"]
    (error,) = game.errors
    assert str(error).startswith("a.xqf:1:2: 'h9h5': the black horse on h9 cannot reach h5")
    assert error.rest == "h9h5 {错} (b9c7 b0c2) h0g2"


def test_an_illegal_variation_leaves_the_rest_alone() -> None:
    plies = [Ply("h2e2", next=[*line("h9g7"), *line("h9h5", "h0g2"), *line("b9c7")])]
    game = read(encode_xqf(plies))
    assert [node.move.iccs() for node in game.nodes() if node.move] == ["h2e2", "h9g7", "b9c7"]
    assert [error.rest for error in game.errors] == ["h9h5 h0g2"]


@pytest.mark.parametrize("version", [10, 18])
def test_a_file_that_breaks_off(version: int) -> None:
    data = encode_xqf(line("h2e2", "h9g7", "h0g2"), version=version, keys=KEYS)
    game = read(data[:-2])
    assert len(game.moves()) == 2
    assert [str(error).split(":")[:3] for error in game.errors] == [["a.xqf", "1", "3"]]
    with pytest.raises(FormatError, match=r"a.xqf: the header is cut off: 1000 bytes"):
        read(data[:1000])


def test_bytes_behind_the_end_are_reported() -> None:
    data = encode_xqf(line("h2e2"))
    assert read(data + bytes(100)).errors == []
    (error,) = read(data + b"more").errors
    assert "4 bytes after the end of the moves" in str(error)


def test_a_comment_longer_than_the_file() -> None:
    data = bytearray(encode_xqf(line("h2e2", "h9g7")))
    data[-4:] = (1_000_000).to_bytes(4, "little")
    game = read(bytes(data))
    assert len(game.moves()) == 1
    assert "a comment of 1000000 bytes, but only 0 are left" in str(game.errors[0])


def test_an_impossible_position_is_reported() -> None:
    game = read(encode_xqf(line("e0e1"), rows="9/9/9/9/9/9/9/9/9/4K4"))
    assert "black has no general" in str(game.errors[0])
    assert game.errors[1].rest == "e0e1"
    assert game.moves() == ()


@pytest.mark.parametrize("version", [19, 255])
def test_later_versions_are_refused(version: int) -> None:
    with pytest.raises(FormatError, match=f"version {version}, expected at most 18"):
        list(XQF.split(io.BytesIO(encode_xqf([], version=18)[:2] + bytes([version]) * 1022), "a"))


def test_one_game_only() -> None:
    with pytest.raises(FormatError, match="game 2: an XQF file holds one game"):
        XQF.write([Game(), Game()], io.BytesIO())


def test_lone_surrogates_are_refused_or_replaced() -> None:
    game = Game(headers={"Red": "\ud800"})
    with pytest.raises(FormatError, match="header Red"):
        write(game)
    assert read(write(game, WriteOptions(lossy=True))).headers["Red"] == "?"


def test_a_layout_that_others_read() -> None:
    """Version 1.0 to the byte, as the independent encoder writes it."""
    game = read(encode_xqf(tree(), fields={"red": "胡荣华"}, result=2, comment="开局注解"))
    own, other = (
        write(game),
        bytearray(encode_xqf(tree(), fields={"red": "胡荣华"}, result=2, comment="开局注解")),
    )
    other[0x400:0x402] = own[0x400:0x402]  # squares of no move
    assert own == other


@pytest.mark.parametrize("seed", range(60))
def test_random_games_are_read_back_equal(seed: int) -> None:
    game = random_game(seed)
    back = read(write(game))
    assert back.errors == []
    assert shape(back) == shape(game)
    assert back.headers == game.headers
    assert back.fen == game.fen


def test_real_games_there_and_back() -> None:
    for game in real_games(400, step=80):
        back = read(write(game))
        assert back.errors == []
        assert (back.fen, back.moves(), back.headers) == (game.fen, game.moves(), game.headers)


@pytest.mark.parametrize("version", [10, 18])
@pytest.mark.parametrize(
    ("encoding", "comment"),
    [
        ("big5", "紅方先手的好棋，黑方應對不當"),
        ("utf-8", "Nguyễn Thành Bảo đi nước hay"),
        ("utf-8", "红方好棋"),
        ("gb18030", "一"),  # also a letter in UTF-8
    ],
)
def test_comments_show_the_encoding_where_headers_are_in_ascii(
    version: int, encoding: str, comment: str
) -> None:
    keys = replace(KEYS if version > 10 else XqfKeys(), encoding=encoding)
    plies = [Ply("h2e2", comment)]
    game = read(encode_xqf(plies, version=version, keys=keys, fields={"red": "Bao"}))
    assert game.headers["Red"] == "Bao"
    assert game.end().comment == comment


def test_text_that_would_be_read_as_big5_is_written_in_utf_8() -> None:
    game = Game()
    game.root.add_variation(Move.from_iccs("h2e2"))
    for comment, encoding in (("いいえ", "utf-8"), ("红方好棋", "gb18030")):
        game.end().comment = comment
        data = write(game)
        assert comment.encode(encoding) in data
        assert read(data).end().comment == comment
