"""Maximum length of a line of a game, and depth of its variations."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from tests.support.format_encoders import encode_cbl, encode_cbr, encode_xqf, line
from xiangqi.core.move import Move
from xiangqi.games.formats import FORMATS, read_games
from xiangqi.games.formats.base import MAX_GAME_SIZE
from xiangqi.games.pgn import MAX_NESTED, MAX_PLIES
from xiangqi.games.tree import Game
from xiangqi.ground.errors import FormatError

SHUTTLE = ["h2e2", "h9g7", "e2h2", "g7h9"]
MOVES = SHUTTLE * (MAX_PLIES // 4 + 1)
DIGITS = "7747706247776270" * (len(MOVES) // 4)


def lengthen(data: bytes, size: int) -> bytes:
    """A file that ends with two shuttles, with many of them; a move takes so many bytes."""
    shuttle = data[-8 * size : -4 * size]
    return data[: -8 * size] + shuttle * (MAX_PLIES // 4) + data[-4 * size :]


def read(data: bytes, format: str) -> Game:
    (game,) = read_games(io.BytesIO(data), format, "long")
    return game


@pytest.mark.parametrize(
    ("format", "data"),
    [
        ("pgn", f'[Red "A"]\n\n{" ".join(MOVES)} *\n'.encode()),
        ("positions", f"position startpos moves {' '.join(MOVES)}\n".encode()),
        ("jsonl", json.dumps({"moves": MOVES}).encode() + b"\n"),
        ("xqf", lengthen(encode_xqf(line(*SHUTTLE * 2)), 8)),
        ("cbr", lengthen(encode_cbr(line(*SHUTTLE * 2)), 4)),
        ("dhtmlxq", f"[DhtmlXQ_movelist]{DIGITS}[/DhtmlXQ_movelist]".encode()),
    ],
    ids=["pgn", "positions", "jsonl", "xqf", "cbr", "dhtmlxq"],
)
def test_a_line_has_so_many_moves_at_most(format: str, data: bytes) -> None:
    game = read(data, format)
    assert len(game.moves()) == MAX_PLIES
    (error,) = game.errors
    assert error.ply == MAX_PLIES + 1
    assert error.reason == f"expected at most {MAX_PLIES} moves in a line"
    assert not error.is_illegal
    assert error.reason.say("zh") == f"一条变化最多{MAX_PLIES}着"


def nested(depth: int) -> bytes:
    return b'[Red "A"]\n\n1. h2e2 h9g7 ' + b"(h9g7 " * depth + b") " * depth + b"2. h0g2 *\n"


def test_variations_stand_within_each_other_so_deep_at_most() -> None:
    assert read(nested(1000), "pgn").errors == []
    game = read(nested(200_000), "pgn")
    (error,) = game.errors
    assert error.reason == "expected variations nested at most 1000 deep"
    assert error.reason.say("zh") == "变着最多嵌套1000层"
    assert [move.iccs() for move in game.moves()] == ["h2e2", "h9g7", "h0g2"]


@pytest.mark.parametrize(
    "begin",
    [encode_xqf(line("h2e2")), encode_cbr(line("h2e2")), encode_cbl([encode_cbr(line("h2e2"))])],
    ids=["xqf", "cbr", "cbl"],
)
def test_a_binary_file_that_does_not_end_is_given_up(begin: bytes) -> None:
    """A compressed file of a few kilobytes may unpack to such a file."""
    endless = Endless(begin)
    with pytest.raises(FormatError, match="longer than 16777216 bytes"):
        list(read_games(io.BufferedReader(endless), source="endless"))
    assert endless.given < 2 * MAX_GAME_SIZE


class Endless(io.RawIOBase):
    """A file that goes on with zeros."""

    def __init__(self, begin: bytes) -> None:
        self.begin = begin
        self.given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        size = len(buffer)
        data = self.begin[self.given : self.given + size]
        buffer[:] = data.ljust(size, b"\0")
        self.given += size
        return size


def test_the_writer_of_pgn_refuses_what_its_reader_refuses() -> None:
    long, deep = Game(), Game()
    node = long.root
    for place in range(MAX_PLIES + 1):
        node = node.add_variation(Move.from_iccs(SHUTTLE[place % 4]))
    node = deep.root
    for place in range(MAX_NESTED + 1):
        node.add_variation(Move.from_iccs("a9a8" if place % 2 else "a0a1"))
        node = node.add_variation(Move.from_iccs(SHUTTLE[place % 4]))
    for game, why in ((long, f"at most {MAX_PLIES} moves"), (deep, f"at most {MAX_NESTED} deep")):
        with pytest.raises(FormatError, match=why):
            FORMATS["pgn"].write([game], io.BytesIO())
