"""Questions that hold what has changed, and answers that hold what is new."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from tests.support.play_page import Page, board_after, has_moves, needs_driver, pieces_of
from tests.support.web_server import ask, serving
from xiangqi.web.serve.server import WebServer

MOVES = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 c3c4 g6g5 b0c2 c9e7".split()


@pytest.fixture(scope="module")
def server() -> Iterator[WebServer]:
    with serving() as running:
        yield running


def test_a_line_goes_on_from_one_that_the_server_knows(server: WebServer) -> None:
    whole = ask(server, "/api/position", page="a", **{"as": "1"}, moves=MOVES).data
    assert len(whole["wxf"]) == 10
    part = {"page": "a", "of": "1", "keep": 9, "as": "2", "named": 9, "moves": ["g9e7"]}
    found = ask(server, "/api/position", **part).data
    assert found["position"] == board_after(*MOVES[:9], "g9e7").fen()
    assert (found["moves"], found["wxf"]) == (["g9e7"], ["E7+5"])
    other = ask(server, "/api/ruling", page="a", of="2", keep=10, moves=[]).data
    assert other["plies"] == 10


def test_a_line_of_another_page_or_a_forgotten_one_is_asked_for_whole(server: WebServer) -> None:
    ask(server, "/api/position", page="b", **{"as": "1"}, moves=MOVES)
    for page, name in (("c", "1"), ("b", "2")):
        reply = ask(server, "/api/position", page=page, of=name, keep=3, moves=[])
        assert reply.status == 409
        assert "send all its moves" in reply.data["error"]["message"]
    for number in range(2, 70):
        ask(server, "/api/position", page="b", **{"as": str(number)}, moves=[])
    assert ask(server, "/api/position", page="b", of="1", keep=3, moves=[]).status == 409


@pytest.mark.parametrize(
    ("changes", "wrong"), [({"keep": 11}, "keep"), ({"keep": "x"}, "keep"), ({"moves": 3}, "moves")]
)
def test_bad_parts_are_refused(server: WebServer, changes: dict[str, Any], wrong: str) -> None:
    ask(server, "/api/position", page="d", **{"as": "1"}, moves=MOVES)
    question = {"page": "d", "of": "1", "keep": 3, "moves": []}
    reply = ask(server, "/api/position", **{**question, **changes})
    assert reply.status == 400
    assert reply.data["error"]["message"].startswith(wrong)


WATCH = """
window.asked = [];
window.fetch = ((fetch) => (path, options) => {
  if (options?.body && /position/.test(path)) window.asked.push(options.body);
  return fetch(path, options);
})(window.fetch);
"""


@needs_driver
def test_the_page_sends_a_step_and_not_the_game(page: Page) -> None:
    page.paste(" ".join(MOVES))
    page.wait(partial(has_moves, page, 10))
    page.run(WATCH)
    page.move("a0a1")
    asked = json.loads(page.run("return window.asked.at(-1)"))
    assert (asked["keep"], asked["moves"], asked["named"]) == (10, ["a0a1"], 10)
    assert page.moves[-1] == "R9+1"
    page.click("#previous")
    page.settle()
    asked = json.loads(page.run("return window.asked.at(-1)"))
    assert (asked["keep"], asked["moves"]) == (10, [])
    assert page.pieces == pieces_of(board_after(*MOVES).fen())
