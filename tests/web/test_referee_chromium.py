"""The Referee tab: rules first, the board where the ruling fell, full sentences, and the sheet."""

from __future__ import annotations

from pathlib import Path

from tests.support.play_page import Page, needs_driver, read_log, window

pytestmark = needs_driver

EXAMPLES = Path(__file__).parents[2] / "examples/games.pgn"
GAME = EXAMPLES.read_text(encoding="utf-8").split("\n\n[Game")[0]
"""A game in which Red chases a chariot from round 9 to round 13."""
RECTANGLE = """
const box = document.querySelector(arguments[0]).getBoundingClientRect();
return [box.x, box.y, box.width];
"""


def paste_example(page: Page, further: str = "") -> None:
    page.paste(f"{GAME.removesuffix('1/2-1/2')} {further}")
    page.wait(lambda: page.find("#ruling").is_displayed())


def rectangle(page: Page, selector: str) -> tuple[float, float, float]:
    x, y, width = page.run(RECTANGLE, selector)
    return x, y, width


def test_the_rules_are_the_first_line_of_the_panel(page: Page) -> None:
    paste_example(page)
    for size in ((1440, 900), (1366, 650), (820, 1180), (390, 844)):
        with window(page, *size):
            panel, rules = rectangle(page, "#panel-referee"), rectangle(page, "#rules")
            assert rules[1] - panel[1] < 60, size
            assert rectangle(page, "#books-open")[1] < rectangle(page, "#badge")[1], size
            assert not page.is_cut("#rules"), size


def test_the_board_shows_where_the_ruling_fell(page: Page) -> None:
    paste_example(page, "车３平４ 14. 马九退七")
    page.wait(lambda: page.find("#moves [aria-current]").get_attribute("data-ply") == "25")
    page.wait(lambda: ("a2", "c3", "chase") in page.arrows)
    page.click("#last")
    page.wait(lambda: page.arrows != {("a2", "c3", "chase")})
    page.click("#to-ruling")
    page.wait(lambda: ("a2", "c3", "chase") in page.arrows)


def test_reasons_have_the_width_of_the_panel_and_equal_rounds_are_joined(page: Page) -> None:
    with window(page, 1440, 900):
        paste_example(page)
        page.wait(lambda: len(page.all("#evidence > li")) == 4)
        words = page.find("#evidence > li:nth-child(2)").text.split("\n")
        assert words[:3] == ["H9-7", "chase", "rounds 10 and 12"]
        assert next(filter(None, words[3:])).startswith("The "), "a sentence of its own"
        width = rectangle(page, "#evidence")[2]
        assert rectangle(page, "#evidence > li:nth-child(2) ul")[2] == width
        page.settle()
        page.click("#evidence > li:nth-child(2) p button")
        page.wait(lambda: page.find("#moves [aria-current]").get_attribute("data-ply") == "23")
        page.settle()
        page.click("#evidence > li:nth-child(4) ul button")
        page.wait(lambda: page.arrows == {("a2", "c3", "chase")})
        assert page.find("#moves [aria-current]").get_attribute("data-ply") == "25"


def test_the_ruling_sheet_opens_in_a_tab_with_its_style(page: Page) -> None:
    paste_example(page)
    board = page.driver.current_window_handle
    page.click("#sheet")
    page.wait(lambda: len(page.driver.window_handles) == 2)
    (tab,) = set(page.driver.window_handles) - {board}
    page.driver.look_at(tab)
    try:
        page.wait(lambda: page.all("#signers p"))
        assert page.find("h1").text == "Ruling sheet"
        assert "Plum against Bamboo" in page.find("#facts").text
        assert page.find("h1").style("font-size") != "32px", "its style is allowed"
        assert page.run("return document.scripts.length") == 0
        assert read_log(page.driver) == []
    finally:
        page.driver.close()
        page.driver.look_at(board)
