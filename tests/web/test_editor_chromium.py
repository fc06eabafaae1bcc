"""The board editor in headless Chromium: pieces by hand, and remarks on the position."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from tests.support.devtools import Chromium
from tests.support.play_page import (
    Page,
    click_point,
    forgetting,
    needs_driver,
    pieces_of,
    point_of,
    press_point,
    read_log,
    window,
    without_connection,
)
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.web.serve.server import WebServer

pytestmark = needs_driver

START = pieces_of(STARTING_FEN)


@pytest.fixture(scope="module")
def page(chromium: Chromium, server: WebServer) -> Iterator[Page]:
    page = Page(chromium, server)
    with forgetting(chromium):
        page.open()
    read_log(chromium)
    yield page
    assert read_log(chromium) == []


def open_editor(page: Page, clears: bool = True) -> None:
    page.open()
    page.click("#edit-position")
    page.wait(lambda: page.value("editor-fen"))
    if clears:
        page.click("#editor-clear")


def square_at(page: Page, square: str) -> tuple[float, float]:
    return point_of(page, square, "editor-board")


def middle(page: Page, selector: str) -> tuple[float, float]:
    """The middle of an element in the window."""
    box = page.find(selector).rect
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click_square(page: Page, square: str, *, right: bool = False) -> None:
    click_point(page, *square_at(page, square), "right" if right else "left")


def drag(page: Page, origin: tuple[float, float], target: tuple[float, float]) -> None:
    """Drag a piece from a point of the window to another."""
    x, y = origin
    press_point(page, "mousePressed", x, y)
    press_point(page, "mouseMoved", x + 8, y + 8)
    press_point(page, "mouseMoved", *target)
    press_point(page, "mouseReleased", *target)


def placement(page: Page) -> str:
    return page.value("editor-fen").split()[0]


def problems(page: Page) -> list[str]:
    return [item.text for item in page.all("#problems li")]


def test_pieces_are_dragged_clicked_and_taken_away(page: Page) -> None:
    open_editor(page)
    drag(page, middle(page, '[data-letter="K"]'), square_at(page, "e0"))
    assert pieces_of(page.value("editor-fen")) == {"e0": "K"}
    page.click('[data-letter="k"]')
    click_square(page, "d9")
    page.click('[data-letter="R"]')
    click_square(page, "a0")
    click_square(page, "b0")
    page.click('[data-letter="R"]')  # no piece is in hand
    drag(page, square_at(page, "b0"), square_at(page, "d1"))
    drag(page, square_at(page, "a0"), middle(page, "#editor-title"))
    assert pieces_of(page.value("editor-fen")) == {"e0": "K", "d9": "k", "d1": "R"}
    click_square(page, "d1", right=True)
    assert placement(page) == "3k5/9/9/9/9/9/9/9/9/4K4"


def test_all_problems_are_reported_at_once_and_none_of_a_good_position(page: Page) -> None:
    open_editor(page)
    page.wait(lambda: len(problems(page)) == 2)
    assert page.find("#editor-play").get_property("disabled")
    with window(page, 390, 844):
        remarks, buttons = page.find("#problems").rect, page.find("#editor .actions").rect
        assert remarks["y"] + remarks["height"] <= buttons["y"] < 844
        page.click("#editor-start")
        page.wait(lambda: problems(page) == [])
        assert page.find("#problems").rect["height"] == 0, "nothing covers the FEN"
        page.click("#editor-clear")
        page.wait(lambda: len(problems(page)) == 2)
    field = page.find("#editor-fen")
    field.clear()
    field.send_keys("3k5/9/9/9/9/9/9/9/A8/3RRR1K1 w")
    page.wait(lambda: len(problems(page)) == 4)
    assert problems(page) == [
        "red has 3 chariots (d0, e0, f0), expected at most 2",
        "red general on h0 stands outside the palace",
        "red advisor on a1 stands outside the palace's five advisor points",
        "red is to move, but the black general on d9 is in check",
    ]
    page.click("#editor-start")
    page.wait(lambda: problems(page) == [])
    assert page.value("editor-fen") == STARTING_FEN
    page.click("#editor-close")


def test_the_whole_board_is_changed_and_played_from(page: Page) -> None:
    open_editor(page)
    field = page.find("#editor-fen")
    field.clear()
    field.send_keys("3k5/9/9/9/9/9/9/9/9/R3K4 w")
    page.click("#editor-mirror")
    assert placement(page) == "5k3/9/9/9/9/9/9/9/9/4K3R"
    page.click("#editor-swap")
    assert page.value("editor-fen").split()[:2] == ["r3k4/9/9/9/9/9/9/9/9/3K5", "b"]
    page.find("#editor-board").send_keys(Keys.ARROW_UP, "P", Keys.ARROW_UP, "h", Keys.DELETE)
    page.wait(lambda: not page.find("#editor-play").get_property("disabled"))
    page.click("#editor-play")
    page.wait(lambda: page.pieces == {"a9": "r", "e9": "k", "d0": "K", "e1": "P"})
    page.settle()
    assert "Black" in page.text("status")


HELD = """
window.fetchNow = window.fetch;
const opened = new Promise((done) => { window.sendChecks = done; });
window.fetch = (path, options) => String(path).endsWith("problems")
  ? opened.then(() => window.fetchNow(path, options))
  : window.fetchNow(path, options);
"""
"""Holds back checks of a position until ``sendChecks`` is called."""


def test_the_position_that_is_shown_is_played_however_slow_its_check(page: Page) -> None:
    open_editor(page, clears=False)
    page.click("#editor-start")
    page.wait(lambda: page.find("#editor-play").is_enabled())
    page.run(HELD)
    page.press("#editor-board", *[Keys.ARROW_UP] * 3, Keys.DELETE)
    page.click("#editor-play")
    assert page.find("#editor").is_displayed()
    page.run("sendChecks()")
    page.wait(lambda: not page.find("#editor").is_displayed())
    without_pawn = {square: piece for square, piece in START.items() if square != "e3"}
    page.wait(lambda: page.pieces == without_pawn)


def test_an_editor_closed_while_a_check_goes_on_begins_no_game(page: Page) -> None:
    open_editor(page)
    page.click("#editor-start")
    page.wait(lambda: page.find("#editor-play").is_enabled())
    before = page.pieces
    page.run(HELD)
    page.press("#editor-board", *[Keys.ARROW_UP] * 6, Keys.DELETE)
    page.click("#editor-play")
    page.click("#editor-close")
    page.answer("sendChecks(); setTimeout(arguments[0], 200)")
    assert page.pieces == before


def test_no_position_is_played_whose_check_was_lost(page: Page) -> None:
    open_editor(page, clears=False)
    page.click("#editor-start")
    page.wait(lambda: page.find("#editor-play").is_enabled())
    with without_connection(page):
        page.press("#editor-board", Keys.DELETE)
        page.click("#editor-play")
        page.wait(lambda: page.text("editor-status") == "The server does not answer.")
        assert page.find("#editor").is_displayed()
    page.click("#editor-start")
    page.wait(lambda: page.text("editor-status") == "")
    page.click("#editor-play")
    page.wait(lambda: page.pieces == START)


def test_pieces_have_characters_or_letters_and_the_choice_stays(page: Page) -> None:
    script = "return document.getElementById('piece-R').innerHTML"
    page.open()
    before = page.run(script)
    page.choose("#pieces", "letters")
    letters = page.run(script)
    assert ">R<" in letters
    assert letters != before
    page.open()
    assert page.value("pieces") == "letters"
    assert page.run(script) == letters
    page.choose("#pieces", "traditional")
    assert page.run(script) == before


def test_squares_that_problems_name_are_ringed(page: Page) -> None:
    open_editor(page)
    page.click("#editor-fen")
    field = page.find("#editor-fen")
    field.clear()
    field.send_keys("4k4/9/4A4/9/9/9/9/P8/9/3KR4 w")
    ringed = "return Array.from(document.querySelectorAll('#editor .wrong'), (c) => c.dataset.mark)"
    page.wait(lambda: page.run(ringed) == ["e7", "a2"])
    page.click("#editor-start")
    page.wait(lambda: page.run(ringed) == [])


def test_the_labels_of_the_board_are_those_of_the_notation(page: Page) -> None:
    labels = "return document.querySelector('#editor-board use[href^=\"#labels\"]').href.baseVal"
    for notation, expected in (("wxf", "#labels-red-wxf"), ("iccs", "#labels-red")):
        page.open()
        page.choose("#notation", notation)
        page.click("#edit-position")
        page.wait(lambda: page.value("editor-fen"))
        assert page.run(labels) == expected
    page.open()
    page.choose("#notation", "wxf")
