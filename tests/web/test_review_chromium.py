"""The review of a whole game on the page: at its end, in list, graph and board."""

from __future__ import annotations

from functools import partial

from selenium.webdriver.common.keys import Keys

from tests.support.play_page import Page, has_moves, needs_driver

pytestmark = needs_driver

GAME = "h2e2 h7e7 h0g2 h9g7 e2e6 e7e3 b0c2 g7e6"
LOG = """
window.calls = [];
const { fetch } = window;
window.fetch = (path, options) => {
  const isReviewing = !document.getElementById("review-progress").hidden;
  window.calls.push([String(path), isReviewing]);
  return fetch(path, options);
};
"""
"""Records the requests, and whether the game was being reviewed."""
EVALUATIONS = (
    "return Array.from(document.querySelectorAll('#moves button'), (b) => b.dataset.evaluation)"
)


def wait_for_review(page: Page) -> None:
    page.wait(lambda: page.all("#reviewed:not([hidden])"))
    page.wait(lambda: not page.find("#review-progress").is_displayed())


def test_a_game_is_reviewed_by_one_click_at_its_end(page: Page) -> None:
    page.click("#start-play")
    page.wait(lambda: page.text("status") == "Your move")
    page.move("h2e2")
    page.wait(lambda: len(page.moves) == 2 and page.text("status") == "Your move")
    page.click("#resign")
    page.click("#resign")
    page.wait(lambda: page.find("#review-now").is_displayed())
    (primary,) = [one for one in page.all("#panel-play .primary") if one.is_displayed()]
    assert primary.get_attribute("id") == "review-now"
    page.click("#review-now")
    wait_for_review(page)
    assert page.find("#panel-analyse").is_displayed()


def test_a_review_is_in_list_board_and_graph_and_outlasts_a_reload(page: Page) -> None:
    page.paste(GAME)
    page.wait(partial(has_moves, page, 8))
    page.run(LOG)
    page.click("#analyse")
    page.wait(lambda: page.all("#table [data-layer=best] *"))
    page.choose("#review-nodes", "2000")
    page.click("#review-game")
    page.click("#moves button[data-ply='3']")
    page.click("#moves button[data-ply='5']")
    wait_for_review(page)
    page.wait(lambda: page.all("#table [data-layer=best] *"))
    calls = page.run("return window.calls")
    assert ["api/analyse", True] not in calls, "the live analysis waits"
    assert calls[-1] == ["api/analyse", False], "and goes on"
    page.click("#analyse")
    for _ in range(2):
        assert all(page.run(EVALUATIONS))
        assert page.all("#graph .fault.red")
        page.click("#moves button[data-ply='5']")
        page.wait(lambda: page.all("#table [data-layer=better] .shape"))
        page.hover("#graph")
        page.wait(lambda: "2… H8+7" in page.text("graph-value"))
        assert page.find("#graph-chart").rect["height"] == 120
        accuracy = page.text("reviewed")
        page.open()
        page.settle()
        page.press("body", "2", Keys.END)
        assert page.text("reviewed") == accuracy
