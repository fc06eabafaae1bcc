"""Answers of the server on a game on the page: levels, clocks, odds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.support.web_server import ask, serving
from xiangqi.board import Board
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.web.serve.openings import HANDICAPS
from xiangqi.web.serve.server import WebServer


@pytest.fixture(scope="module")
def server() -> Iterator[WebServer]:
    with serving() as server:
        yield server


def test_a_level_sees_less_than_the_engine_does(server: WebServer) -> None:
    clocks = {"red_ms": 600_000, "black_ms": 600_000}
    weak = ask(server, "/api/engine", level=1, **clocks).data
    assert Board().is_legal(Board().parse_iccs(weak["move"]))
    assert weak["depth"] <= 1
    strong = ask(server, "/api/engine", seconds=0.3).data
    assert strong["depth"] > 3, "the level was that of one question"


@pytest.mark.parametrize("level", [-1, 11, "5", None])
def test_levels_that_there_are_not_are_refused(server: WebServer, level: object) -> None:
    reply = ask(server, "/api/engine", level=level)
    assert reply.status == 400
    assert "expected a number 0 to 10" in reply.data["error"]["message"]


def test_odds_take_pieces_from_red_alone() -> None:
    given = {name: 32 - len(Board(fen).piece_map()) for name, fen in HANDICAPS.items()}
    assert given == {
        "none": 0, "move": 0, "horse": 1, "horses": 2, "cannon": 1, "chariot": 1,
        "chariot_horse": 2, "nine": 9,
    }  # fmt: skip
    assert HANDICAPS["none"] == STARTING_FEN
    for name, fen in HANDICAPS.items():
        board = Board(fen)
        assert sum(not piece.color for piece in board.piece_map().values()) == 16
        assert board.turn == (name != "move")
