"""The analysis on the page in headless Chromium: what streams in is drawn, and ends in time."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.support.play_page import Page, has_moves, needs_driver

pytestmark = needs_driver

ENGINE = """
window.searches = [];
window.fetch = ((fetch) => (path, options) => {
  if (path.includes("engines")) {
    return Promise.resolve(Response.json({ engines: ["Meihua", "Other <b>"] }));
  }
  if (!path.includes("analyse")) return fetch(path, options);
  const search = { question: JSON.parse(options.body), isOver: false };
  const start = (controller) => {
    search.end = () => controller.close();
    search.send = (text) => controller.enqueue(new TextEncoder().encode(text));
    options.signal.addEventListener("abort", () => {
      search.isOver = true;
      controller.error(new DOMException("", "AbortError"));
    });
  };
  window.searches.push(search);
  return Promise.resolve(new Response(new ReadableStream({ start })));
})(window.fetch);
"""
"""An engine with a test's answers, in the place of the server's."""
FIRST: dict[str, Any] = {
    "depth": 7, "seldepth": 9, "nodes": 12000, "nps": 400000, "final": False,
    "lines": [
        {"score": {"cp": 31}, "red": 31, "words": "Red is better", "wdl": None,
         "iccs": ["h2e2", "h9g7", "h0g2"], "chinese": ["炮二平五", "马８进７", "马二进三"],
         "wxf": ["C2.5", "H8+7", "H2+3"]},
        {"score": {"mate": 3}, "red": -29997, "words": "Black mates", "wdl": None,
         "iccs": ["b2e2"], "chinese": ["炮八平五"], "wxf": ["C8.5"]},
    ],
}  # fmt: skip


@pytest.fixture
def analysing(page: Page) -> Page:
    page.settle()
    page.run(ENGINE)
    page.press("body", "a")
    wait_for_search(page, 1)
    return page


def searches(page: Page) -> list[dict[str, Any]]:
    return list(page.run("return window.searches"))


def wait_for_search(page: Page, count: int) -> None:
    page.wait(lambda: len(searches(page)) == count)


def send(page: Page, *found: dict[str, Any]) -> None:
    """Send info of the last search; its lines come in two pieces each."""
    for one in found:
        text = json.dumps(one, ensure_ascii=False) + "\n"
        for piece in (text[:40], text[40:]):
            page.run("window.searches.at(-1).send(arguments[0])", piece)


def lines(page: Page) -> list[str]:
    return [item.text for item in page.all("#lines li")]


def best_arrows(page: Page) -> set[str]:
    script = """return Array.from(document.querySelectorAll("[data-layer=best] .shape"),
        ({dataset}) => dataset.from + dataset.to)"""
    return set(page.run(script))


def test_lines_bar_and_arrows_follow_the_engine(analysing: Page) -> None:
    page = analysing
    (search,) = searches(page)
    asked = search["question"]
    assert (asked["lines"], asked["endless"], asked["threats"]) == (3, True, False)
    assert (asked["moves"], asked["rules"], asked["engine"]) == ([], "wxf", "Meihua")
    send(page, FIRST)
    page.wait(lambda: lines(page) == ["+0.31 C2.5 H8+7 H2+3", "−#3 C8.5"])
    assert "7/9" in page.text("depth")
    assert best_arrows(page) == {"h2e2", "b2e2"}
    assert page.text("bar-score") == "+0.3"
    assert page.find("#bar").get_attribute("aria-label") == "Red is better"
    assert page.find("#bar-red").rect["height"] > page.find("#bar").rect["height"] / 2
    deeper = {**FIRST, "depth": 8, "lines": FIRST["lines"][1:]}
    send(page, deeper)
    page.wait(lambda: lines(page) == ["−#3 C8.5"])
    assert page.find("#bar-red").rect["height"] == 0
    ruled = {"score": {"rule": "black"}, "red": -29900, "words": "Black wins by a rule"}
    send(page, {**FIRST, "depth": 9, "lines": [{**FIRST["lines"][1], **ruled}]})
    page.wait(lambda: lines(page) == ["−rule C8.5"])
    assert page.text("bar-score") == "−rule"
    score = {"score": {"cp": 379}, "red": -379, "words": "Black is winning"}
    send(page, {**FIRST, "depth": 10, "lines": [{**FIRST["lines"][1], **score}]})
    page.wait(lambda: lines(page) == ["−3.79 C8.5"])
    assert page.text("bar-score") == "−3.8"
    page.choose("#notation", "chinese")
    send(page, FIRST)
    page.wait(lambda: lines(page)[:1] == ["+0.31 炮二平五 马８进７ 马二进三"])


def test_evaluations_are_saved_unless_switched_off(analysing: Page, files: Path) -> None:
    """In PGN, as the comments of ``xiangqi analyse`` have it; a win by rule is the most."""
    page = analysing
    send(page, FIRST)
    page.wait(lambda: len(lines(page)) == 2)
    scores = (
        ({"cp": -42}, 42),
        ({"mate": -3}, -29994),
        ({"rule": "red"}, 29000),
        ({"mate": 0}, 30000),
    )
    for count, (move, (score, red)) in enumerate(
        zip(("h2e2", "h9g7", "h0g2", "i9h9"), scores, strict=True), start=2
    ):
        page.move(move)
        wait_for_search(page, count)
        send(page, {**FIRST, "lines": [{**FIRST["lines"][0], "score": score, "red": red}]})
        page.wait(lambda: len(lines(page)) == 1)
    page.press("#comment", "a slip", Keys.TAB)
    game = page.save(files)
    comments = [node.comment for node in (game.root, *game.mainline())]
    assert comments == ["[%eval 0.31]", "[%eval 0.42]", "[%eval #-3]", "[%eval 99.99]", "a slip"]
    page.click("#save-evaluations")
    comments = [node.comment for node in page.save(files).nodes()]
    assert comments == ["", "", "", "", "a slip"]
    page.click("#save-evaluations")


def test_analysis_restarts_at_every_step_and_ends_with_the_switch(analysing: Page) -> None:
    page = analysing
    send(page, FIRST)
    page.wait(lambda: len(lines(page)) == 2)
    page.click("#lines li button:nth-of-type(2)")
    page.wait(partial(has_moves, page, 2))
    wait_for_search(page, 2)
    first, second = searches(page)
    assert first["isOver"]
    assert second["question"]["moves"] == ["h2e2", "h9g7"]
    assert lines(page) == []
    for _ in range(2):
        page.press("body", Keys.ARROW_LEFT)
    page.wait(lambda: searches(page)[-1]["question"]["moves"] == [])
    assert page.text("bar-score") == "+0.3", "what was found is kept with its position"
    page.choose("#lines-wanted", "5")
    page.wait(lambda: searches(page)[-1]["question"]["lines"] == 5)
    page.choose("#engines", "Other <b>")
    page.wait(lambda: searches(page)[-1]["question"]["engine"] == "Other <b>")
    page.press("body", "a")
    page.wait(lambda: all(search["isOver"] for search in searches(page)))
    assert not page.find("#analysis").is_displayed()


def test_threats_are_asked_for_and_are_no_moves_to_play(analysing: Page) -> None:
    page = analysing
    page.press("body", "t")
    wait_for_search(page, 2)
    assert searches(page)[-1]["question"]["threats"]
    send(page, FIRST)
    page.wait(lambda: len(lines(page)) == 2)
    assert page.all("#lines button") == []
    assert page.text("bar-score") == "", "what is found is not about this position"


def test_space_plays_the_best_move(analysing: Page) -> None:
    page = analysing
    send(page, FIRST)
    page.wait(lambda: lines(page))
    page.press("body", Keys.SPACE)
    page.wait(lambda: page.moves == ["C2.5"])


def test_engine_error_is_shown(analysing: Page) -> None:
    send(analysing, {"error": {"code": "engine_failed", "message": "the engine 'x' has gone"}})
    analysing.wait(lambda: analysing.text("analysis-note") == "the engine 'x' has gone")


def test_a_look_at_every_position_makes_the_graph(page: Page) -> None:
    page.paste("h2e2 h9g7 {[%eval 0.1]} h0g2")
    page.wait(partial(has_moves, page, 3))
    page.run(ENGINE)
    page.click("#survey")
    for count, moves in enumerate(([], ["h2e2"], ["h2e2", "h9g7", "h0g2"]), start=1):
        wait_for_search(page, count)
        asked = searches(page)[-1]["question"]
        assert (asked["moves"], asked["lines"], "endless" in asked) == (moves, 1, False)
        send(page, FIRST)
        page.run("window.searches.at(-1).end()")
    page.wait(lambda: page.find("#survey").get_attribute("aria-pressed") == "false")
    curve = page.find("#graph .curve")
    page.wait(lambda: str(curve.get_attribute("d")).count("L") == 3)  # four positions
    assert page.text("bar-score") == "+0.3"
    page.click("#first")
    page.click("#analyse")
    wait_for_search(page, 4)
    page.click("#survey")
    page.wait(lambda: not page.find("#analysis").is_displayed())


def test_evaluations_of_a_file_are_a_graph_to_click_on(page: Page) -> None:
    page.paste(
        "1. h2e2 {[%eval 0.3]} h9g7 {[%eval 0.1] <b>} 2. h0g2 {[%eval -4.5,12]} i9h9 {[%eval #3]} *"
    )
    page.wait(partial(has_moves, page, 4))
    assert page.find("#graph").is_displayed()
    assert page.text("bar-score") == "+#3"
    assert [item.text for item in page.all("#moves .comment")] == ["<b>"]
    page.click("#graph")
    page.wait(lambda: page.present == ["H8+7"])
    assert page.text("bar-score") == "+0.1"


def test_the_engine_of_the_server_looks_at_every_position_that_is_shown(page: Page) -> None:
    page.paste("4k4/9/9/9/9/9/9/3R5/9/R2K5 w\na0a8 e9f9")
    page.wait(partial(has_moves, page, 2))
    page.click("#analyse")
    page.wait(lambda: page.text("analysis-note") or (lines(page) and "#" in lines(page)[0]))
    assert page.text("analysis-note") == ""
    assert page.text("bar-score").startswith("+#")
    page.press("body", Keys.ARROW_LEFT)
    page.press("body", Keys.ARROW_LEFT)
    page.wait(lambda: page.present == [] and lines(page) and "#" in lines(page)[0])
    page.wait(lambda: page.find("#graph").is_displayed())
    page.press("body", Keys.SPACE)  # a quiet move mates; at first the engine gives a useless check
    page.wait(lambda: page.present != [] and best_arrows(page))
    page.click("#threats")
    page.wait(lambda: lines(page) and not page.all("#lines button"))
    page.click("#analyse")
    page.wait(lambda: not page.find("#analysis").is_displayed())
    assert page.text("error") == ""


def test_a_mate_on_the_board_has_no_number(page: Page) -> None:
    page.paste("3k5/4R4/9/9/9/9/9/9/9/3RK4 b")
    page.press("body", "a")
    page.wait(lambda: page.text("lines") == "#")
    assert page.text("bar-score") == "#"
