"""Menus of the page in headless Chromium: they cover no button below the board."""

from __future__ import annotations

from functools import partial

from tests.support.play_page import Page, has_moves, needs_driver, window

pytestmark = needs_driver

SIZES = [(1440, 900), (1366, 650), (820, 1180), (390, 844)]
COVERED = """
const isTop = (button) => {
  const { left, top, width, height } = button.getBoundingClientRect();
  return button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
};
return Array.from(document.querySelectorAll(".steps button"))
  .filter((button) => button.checkVisibility() && !isTop(button))
  .map((button) => button.id);
"""
REACHED = """
const field = document.getElementById("draw-clear");
field.scrollIntoView({ block: "nearest" });
const { left, top, width, height } = field.getBoundingClientRect();
return field.contains(document.elementFromPoint(left + width / 2, top + height / 2));
"""


def step_back(page: Page) -> None:
    """Click the button below the board once."""
    before = page.present
    page.find("#previous").click()
    page.wait(lambda: page.present != before)


def test_a_menu_covers_no_button_below_the_board_and_swallows_no_click(page: Page) -> None:
    page.paste("h2e2 h9g7 h0g2")
    page.wait(partial(has_moves, page, 3))
    for size in SIZES:
        with window(page, *size):
            for opener in ("#menu-game-open", "#menu-look-open"):
                page.find(opener).click()
                menu = page.find(opener.removesuffix("-open"))
                assert menu.is_displayed()
                page.wait(lambda: page.run(COVERED) == [])
                assert page.run(REACHED) or opener == "#menu-game-open"
                step_back(page)
                assert not menu.is_displayed()
            page.click("#last")


HEIGHTS = """
const done = arguments[0];
const menu = document.getElementById("menu-game");
menu.showPopover();
const atOnce = menu.offsetHeight;
setTimeout(() => {
  done([atOnce, menu.offsetHeight]);
  menu.hidePopover();
}, 100);
"""


def test_a_menu_has_its_height_at_once(page: Page) -> None:
    with window(page, 1024, 640):
        at_once, later = page.answer(HEIGHTS)
    assert at_once == later > 300
