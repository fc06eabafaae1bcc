"""CBR and CBL, the records and libraries of CCBridge: read."""

from __future__ import annotations

import io

import pytest

from tests.support.format_encoders import TREE_SHAPE, Ply, encode_cbl, encode_cbr, line, tree
from tests.support.game_trees import shape
from xiangqi import STARTING_FEN
from xiangqi.games.formats import read_games
from xiangqi.games.formats.cbr import CBR
from xiangqi.games.tree import Game
from xiangqi.ground.errors import FormatError

FIELDS = {
    "title": "五七炮对屏风马",
    "event": "1980年全国象棋个人赛",
    "round": "第8轮",
    "date": "1980-09-01",
    "site": "乐山",
    "red": "胡荣华",
    "red team": "上海",
    "black": "柳大华",
    "black team": "湖北",
}
HEADERS = {
    "Title": "五七炮对屏风马", "Event": "1980年全国象棋个人赛", "Round": "第8轮",
    "Date": "1980-09-01", "Site": "乐山", "Red": "胡荣华", "RedTeam": "上海",
    "Black": "柳大华", "BlackTeam": "湖北", "Result": "1/2-1/2",
}  # fmt: skip


def read_all(data: bytes) -> list[Game]:
    return list(read_games(io.BytesIO(data), source="a.cbr"))


def read(data: bytes) -> Game:
    (game,) = read_all(data)
    return game


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("padding", [0, 100])
def test_a_record(version: int, padding: int) -> None:
    data = encode_cbr(tree(), version=version, fields=FIELDS, result=3, comment="开局注解")
    game = read(data + b"\x99" * padding)
    assert game.errors == []
    assert game.fen == STARTING_FEN
    assert game.headers == HEADERS
    assert shape(game) == TREE_SHAPE


@pytest.mark.parametrize("version", [1, 2])
def test_other_positions(version: int) -> None:
    rows = "4k4/9/9/9/9/2p6/9/9/R8/3K5"
    assert read(encode_cbr([], version=version, rows=rows)).fen == f"{rows} w - - 0 1"
    data = encode_cbr([], version=version, rows=rows, black_first=True)
    assert read(data).fen == f"{rows} b - - 0 1"
    game = read(encode_cbr(line("c4c3", "a1a9"), version=version, rows=rows))
    assert game.fen == f"{rows} b - - 0 1"
    assert len(game.moves()) == 2


def test_a_line_may_end_with_zeros() -> None:
    data = bytearray(encode_cbr(line("h2e2", "h9g7")))
    data[-4] = 0  # no end mark
    assert len(read(bytes(data) + bytes(8)).moves()) == 2
    assert read(bytes(data) + bytes(8)).errors == []


@pytest.mark.parametrize(
    ("cut", "complaint"),
    [
        (2, "a.cbr:1:3: '00 00': expected a mark"),
        (4, "a.cbr:1:3: '': expected a mark"),
        (200, "a.cbr:1: '2026 bytes': the record is cut off, expected at least 2214 bytes"),
    ],
)
def test_a_record_that_breaks_off(cut: int, complaint: str) -> None:
    data = encode_cbr(line("h2e2", "h9g7", "h0g2"))
    assert len(data) == 2230
    if cut == 2:
        data = data[:-4] + bytes(2)
    elif cut == 4:
        data = data[:-4]
    else:
        data = data[:2026]
    (error,) = read(data).errors
    assert complaint in str(error)


def test_a_comment_longer_than_the_file() -> None:
    data = bytearray(encode_cbr([Ply("h2e2", "x")]))
    data[-6:-2] = (-7).to_bytes(4, "little", signed=True)
    (error,) = read(bytes(data)).errors
    assert "a comment of -7 bytes, but only 2 are left" in str(error)


def test_illegal_moves_and_strange_pieces() -> None:
    data = bytearray(encode_cbr([Ply("h2e2", next=line("h9h5", "h0g2"))]))
    data[2120 + 13] = 0x77
    errors = read(bytes(data)).errors
    assert "piece 0x77" in str(errors[0])
    assert str(errors[1]).startswith("a.cbr:1:2: 'h9h5'")
    assert errors[1].rest == "h9h5 h0g2"


def test_another_version() -> None:
    data = bytearray(encode_cbr([]))
    data[19] = 3
    (error,) = read(bytes(data)).errors
    assert "'version 3': expected version 1 or 2" in str(error)


@pytest.mark.parametrize("slots", [128, 140])
def test_a_library(slots: int) -> None:
    records = [
        encode_cbr(line("h2e2"), fields={"title": f"第{number}局"}, comment="长" * size)
        for number, size in enumerate((0, 5000, 1, 900), start=1)
    ]
    games = read_all(encode_cbl(records, name="古谱", slots=slots))
    assert [game.headers["Title"] for game in games] == ["第1局", "第2局", "第3局", "第4局"]
    assert {game.headers["Library"] for game in games} == {"古谱"}
    assert [len(game.root.comment) for game in games] == [0, 5000, 1, 900]
    assert all(len(game.moves()) == 1 and not game.errors for game in games)


def test_a_library_is_read_record_by_record() -> None:
    data = io.BytesIO(encode_cbl([encode_cbr(line("h2e2"))] * 1000))
    games = CBR.split(data, "a.cbl")
    next(games)
    assert data.tell() < 120_000


@pytest.mark.parametrize("shift", [*range(-20, 20), 4095])
def test_records_that_begin_somewhere_else(shift: int) -> None:
    data = encode_cbl([encode_cbr(line("h2e2")), encode_cbr(line("b2e2"), comment="长" * 3000)])
    start = data.index(b"CCBridge Record")
    moved = data[: min(start, start + shift)] + bytes(max(0, shift)) + data[start:]
    assert [game.moves()[0].iccs() for game in read_all(moved)] == ["h2e2", "b2e2"]


def test_a_damaged_record_leaves_the_others_alone() -> None:
    bad = bytearray(encode_cbr(line("h2e2")))
    bad[19] = 9
    good = encode_cbr(line("h2e2"))
    games = read_all(encode_cbl([good, bytes(bad), good]))
    assert [len(game.errors) for game in games] == [0, 1, 0]
    assert str(games[1].errors[0]).startswith("a.cbr:2: ")


def test_a_library_without_records() -> None:
    with pytest.raises(FormatError, match="without any record"):
        read_all(encode_cbl([]))
    with pytest.raises(FormatError, match="without any record"):
        read_all(b"CCBridgeLibrary\0")


def test_not_written() -> None:
    with pytest.raises(FormatError, match="can be read, but not written"):
        CBR.write([Game()], io.BytesIO())
