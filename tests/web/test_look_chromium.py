"""Sizes and places of the page's parts in headless Chromium, as docs/design.md states them."""

from __future__ import annotations

from functools import partial

import pytest

from tests.support.play_page import Page, has_moves, needs_driver, read_log, window
from tests.support.soak import SOAK
from tests.support.web_server import upload
from tests.web.test_design_chromium import AXE, findings
from tests.web.test_referee_chromium import EXAMPLES, paste_example
from xiangqi.ground.texts import LANGUAGES, Language
from xiangqi.web.serve.server import WebServer

pytestmark = needs_driver

BOX = """
const { left, top, width, height } = document.querySelector(arguments[0]).getBoundingClientRect();
return [left, top, width, height].map(Math.round);
"""
LABEL = """
const table = document.getElementById("table");
const text = document.querySelector("#labels-red-wxf text");
return parseFloat(getComputedStyle(text).fontSize) * table.getScreenCTM().a;
"""


def box(page: Page, selector: str) -> tuple[int, int, int, int]:
    """Left, top, width and height of an element in the window."""
    left, top, width, height = page.run(BOX, selector)
    return left, top, width, height


PRINTED = """
const shown = [...document.querySelectorAll(".panel :is(button, select, input)")].filter((one) =>
  one.checkVisibility({ visibilityProperty: true }) && !one.closest("#moves, #evidence"));
const { backgroundColor } = getComputedStyle(document.getElementById("rules"));
return [shown.map(({ id }) => id), backgroundColor];
"""
"""Controls of the panel beside its moves, and the ground of the rule set's name."""


SCROLLS = """
const panel = document.querySelector(".panel");
return panel.scrollHeight > panel.clientHeight;
"""


def test_the_panel_keeps_its_width_when_it_scrolls(page: Page) -> None:
    with window(page, 820, 1180):
        page.click("#start-more")
        page.choose("#match-kind", "people")
        page.click("#match-begin")
        page.move("h2e2")
        before = box(page, "#match")
        for move in ("h9g7", "h0g2", "i9h9", "i0h0", "b9c7"):
            page.move(move)
        assert page.run(SCROLLS), "the moves have no room"
        assert box(page, "#match") == before


def test_a_board_is_printed_on_white_without_buttons(page: Page) -> None:
    paste_example(page)
    dark = [{"name": "prefers-color-scheme", "value": "dark"}]
    media = {"media": "print", "features": dark}
    page.tools.call("Emulation.setEmulatedMedia", **media)
    try:
        assert page.run(PRINTED) == [["rules"], "rgb(255, 255, 255)"]
    finally:
        page.tools.call("Emulation.setEmulatedMedia", media="", features=[])


def test_a_narrow_board_has_small_margins_and_names_that_can_be_read(page: Page) -> None:
    page.choose("#notation", "wxf")
    with window(page, 390, 844):
        left, _, width, _ = box(page, ".wood")
        piece, _, disc, _ = box(page, "#table [data-square=a0]")
        assert piece + disc / 2 - left <= 27
        assert width == 374
        assert page.run(LABEL) >= 11
        page.choose("#notation", "iccs")
        page.wait(lambda: box(page, "#table [data-square=a0]")[0] > piece)
    page.choose("#notation", "wxf")


def test_controls_of_a_match_are_one_row_of_icons_in_narrow_windows(page: Page) -> None:
    with window(page, 390, 844):
        page.click("#start-play")
        page.wait(lambda: page.text("status") == "Your move")
        ids = ("take-back", "hint", "offer-draw", "match-hurry", "resign", "match-open")
        assert len({box(page, f"#{id}")[1] for id in ids}) == 1
        assert all(page.find(f"#{id} svg").is_displayed() for id in ids)
        assert page.driver.find_element("id", "hint").accessible_name == "Hint"
        page.click("#match-abandon")
        page.wait(lambda: page.find("#rematch").is_displayed())
        assert not page.find("#resign").is_displayed()


def test_moves_are_beside_the_panel_from_1280_pixels_on(page: Page) -> None:
    page.paste("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7")
    page.wait(partial(has_moves, page, 6))
    for size in ((1280, 800), (1280, 1024), (1440, 900)):
        with window(page, *size):
            assert box(page, "#panel")[2] >= 519, size
            tab, record = box(page, "#panel-analyse"), box(page, ".record")
            assert record[0] >= tab[0] + tab[2], size


def test_attacks_are_drawn_in_the_referee_tab_alone(page: Page) -> None:
    paste_example(page)
    page.wait(lambda: "chase" in {kind for _, _, kind in page.arrows})
    page.click("#tab-analyse")
    page.wait(lambda: page.arrows == set())


def test_five_lines_of_the_analysis_leave_both_sides_of_the_review_in_sight(page: Page) -> None:
    with window(page, 1366, 650):
        page.paste("h2e2 h7e7 h0g2 h9g7 e2e6 e7e3")
        page.wait(partial(has_moves, page, 6))
        page.choose("#review-nodes", "2000")
        page.click("#review-game")
        page.wait(lambda: page.all("#reviewed:not([hidden])"))
        page.click("#analyse")
        page.wait(lambda: page.all("#lines li"))
        page.choose("#lines-wanted", "5")
        page.wait(lambda: len(page.all("#lines li")) == 5)
        _, top, _, height = box(page, "[data-row=black]")
        _, panel, _, shown = box(page, "#panel-analyse")
        assert top + height <= panel + shown
        page.choose("#lines-wanted", "3")
        page.click("#analyse")


def test_the_score_is_at_the_end_of_red_of_the_evaluation_bar(page: Page) -> None:
    with window(page, 1366, 650):
        page.click("#analyse")
        page.wait(lambda: page.text("bar-score"))
        left, top, width, height = box(page, "#bar")
        place = box(page, "#bar-score")
        assert left <= place[0] + place[2] <= left + width
        assert top + height - 30 < place[1] < top + height
        page.click("#flip")
        page.wait(lambda: box(page, "#bar-score")[1] < top + 30)
        page.click("#flip")
        page.click("#analyse")


LONGEST = "h2e2 h9g7 h0g2 b9c7 i0h0 i9h9 h0h6 g6g5 c3c4 g7f5"
IS_WHOLE = """
const { scrollWidth, clientWidth, scrollHeight, clientHeight } =
  document.getElementById("opening-name");
return scrollWidth <= clientWidth && scrollHeight <= clientHeight;
"""
"""Is the name of the opening shown to its end?"""


@pytest.mark.parametrize("language", ["en", "vi"])
def test_names_of_openings_have_two_lines_on_phones(page: Page) -> None:
    with window(page, 390, 844):
        height = box(page, ".upper")[3]
        page.paste(LONGEST.rsplit(" ", 3)[0])
        page.wait(lambda: page.text("opening").startswith("C17 "))
        assert page.run(IS_WHOLE)
        page.paste(LONGEST)
        page.wait(lambda: page.text("opening").startswith("C35 "))
        assert box(page, ".upper")[3] == height, "the board does not move"
        page.click("#opening")
        page.wait(lambda: page.text("board-note") == page.text("opening"))


@pytest.mark.parametrize("language", ["zh"])
def test_chinese_names_engine_and_result(page: Page) -> None:
    page.click("#start-play")
    page.wait(lambda: page.text("upper-name") == "梅花谱（3级）")
    page.click("#resign")
    page.click("#resign")
    page.wait(lambda: page.text("status") == "黑胜：认输")


def test_lists_reports_and_errors_have_the_head_of_the_page(page: Page, server: WebServer) -> None:
    head = box(page, ".top")
    name = page.find(".brand").text
    games = '[Result "*"]\n\n1. h2e2 *\n\n' * 2
    location = upload(server, games.encode(), "two.pgn")
    places = [location[1:], location[1:].replace("index", "two.pgn-1"), "nothing"]
    for place in places:
        page.driver.get(server.address + place)
        assert box(page, ".top")[3] == head[3], place
        assert page.find(".brand").text == name
        assert page.find(".top nav a").is_displayed()
    read_log(page.driver)  # the last page does not exist


COLUMN = """
const { scrollWidth, clientWidth } = document.querySelector("main > .scroll");
return [document.querySelector("#games td:nth-child(4)").clientWidth, scrollWidth - clientWidth];
"""
"""Width of the column of rulings, and by how much the table is wider than its place."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_rulings_have_room_in_lists_on_tablets(
    page: Page, server: WebServer, language: Language
) -> None:
    with window(page, 820, 1180):
        page.driver.get(server.address + upload(server, EXAMPLES.read_bytes(), lang=language)[1:])
        width, excess = page.run(COLUMN)
    assert width >= 160
    assert excess == 0


@pytest.mark.skipif(not AXE.exists(), reason="axe-core (npm, fetched by dev.py) is not there")
@pytest.mark.parametrize("scheme", ["light", "dark"] if SOAK else ["dark"])
def test_axe_finds_nothing_in_lists_reports_and_sheets(
    page: Page, server: WebServer, scheme: str
) -> None:
    location = upload(server, EXAMPLES.read_bytes(), lang="vi")
    with window(page, 1440, 900, prefers_color_scheme=scheme):
        paste_example(page)
        board = page.driver.current_window_handle
        page.click("#sheet")
        page.wait(lambda: len(page.driver.window_handles) == 2)
        page.driver.look_at(page.driver.window_handles[-1])
        with window(page, 1440, 900, prefers_color_scheme=scheme):
            page.wait(lambda: page.all("#signers"))
            found = {"sheet": findings(page)}
        page.driver.close()
        page.driver.look_at(board)
        page.driver.get(server.address + location[1:])
        found["list"] = findings(page)
        page.find("#games a").click()
        page.wait(lambda: page.all("#verdict"))
        found["report"] = findings(page)
    assert {place: wrong for place, wrong in found.items() if wrong} == {}
