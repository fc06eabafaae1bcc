"""Answers of the server on a position that is set up by hand."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.web_server import ask, serving
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.web.serve.server import WebServer


@pytest.fixture(scope="module")
def server() -> Iterator[WebServer]:
    with serving() as server:
        yield server


@pytest.mark.parametrize(
    ("fen", "english", "chinese"),
    [
        ("9/9/9/9/9/9/9/9/9/9 w", ["red has no general", "black has no general"],
         ["红方没有帅", "黑方没有将"]),
        ("3k5/9/9/9/9/9/9/9/A8/3RRRK2 w",
         ["red has 3 chariots (d0, e0, f0), expected at most 2",
          "red general on g0 stands outside the palace",
          "red advisor on a1 stands outside the palace's five advisor points",
          "red is to move, but the black general on d9 is in check"],
         ["红方有3个车（d0、e0、f0），至多2个", "g0的红帅在九宫之外",
          "a1的红仕不在九宫内士可到的五点上", "轮到红方走棋，而d9的黑将正被将军"]),
        ("4k4/9/9/9/9/9/9/9/9/P3K4 w",
         ["red soldier on a0 stands behind its starting rank",
          "the generals on e0 and e9 face each other on an open file"],
         ["a0的红兵在其起始横线之后", "e0、e9的将帅照面"]),
        ("3k4b/9/9/9/9/4p4/9/9/9/4K4 b", ["black elephant on i9 stands outside the seven elephant "
          "points of its half"], ["i9的黑象不在己方象可到的七点上"]),
        ("4k4/9/9/9/9/9/9/9/9/4K4 x", ["side to move: found 'x', expected 'w' or 'b'"],
         ["走棋方：此处为'x'，应为“w”或“b”"]),
    ],
)  # fmt: skip
def test_all_problems_are_reported_at_once(
    server: WebServer, fen: str, english: list[str], chinese: list[str]
) -> None:
    for lang, expected in (("en", english), ("zh", chinese)):
        found = ask(server, "/api/problems", fen=fen, lang=lang).data
        assert (found["problems"], found["playable"]) == (expected, False)


def test_a_position_without_problems_can_be_played(server: WebServer) -> None:
    found = ask(server, "/api/problems", fen=STARTING_FEN[:-10]).data
    assert found == {"fen": STARTING_FEN, "problems": [], "playable": True, "status": ""}
    mated = ask(server, "/api/problems", fen="3kR4/4R4/9/9/9/9/9/9/9/4K4 b").data
    assert (mated["playable"], mated["status"]) == (True, "Red wins: checkmate")


def test_a_soldier_where_none_can_come_is_reported_and_tolerated(server: WebServer) -> None:
    found = ask(server, "/api/problems", fen="3k5/9/9/9/9/9/9/P8/9/4K4 w").data
    assert found["problems"] == ["red soldier on a2 stands behind its starting rank"]
    assert found["playable"]


def test_more_pieces_than_there_are_do_no_harm(server: WebServer) -> None:
    found = ask(server, "/api/problems", fen="/".join(["kkkkkkkkk"] + ["RRRRRRRRR"] * 9)).data
    assert any("81 chariots" in problem for problem in found["problems"])
