"""Moves in advance, captured pieces, playing through, and the board of a line under the pointer."""

from __future__ import annotations

from functools import partial

from selenium.webdriver.common.keys import Keys

from tests.support.play_page import Page, drag, has_moves, needs_driver, window

pytestmark = needs_driver

ENDLESS = """
const { setTimeout: later } = window;
window.setTimeout = (action, delay, ...rest) =>
  delay >= 350 && delay <= 1300 ? 0 : later(action, delay, ...rest);
"""
"""Lets the pauses of a level's moves never end, until the engine is to move now."""


def begin_waiting(page: Page) -> None:
    """Begin a game and move; the engine waits until it is to move now."""
    page.run(ENDLESS)
    page.click("#start-play")
    page.wait(lambda: page.text("status") == "Your move")
    page.click("#table [data-square=h2]")
    page.click("#table .target[data-mark=e2]")
    page.wait(lambda: page.find("#match-hurry").is_enabled() and len(page.moves) == 1)


def planned(page: Page) -> set[str | None]:
    return {mark.get_attribute("data-mark") for mark in page.all("#table .premove")}


def test_a_move_in_advance_is_played_after_the_engines(page: Page) -> None:
    begin_waiting(page)
    page.click("#table [data-square=b0]")
    page.click("#table [data-square=a0]")
    page.click("#table [data-square=i0]")
    assert page.all("#table .target") == []
    drag(page, "h0", "g2")
    page.wait(lambda: planned(page) == {"h0", "g2"})
    assert len(page.moves) == 1
    page.click("#match-hurry")
    page.wait(lambda: len(page.moves) == 3 and page.moves[2] == "H2+3")
    page.wait(lambda: planned(page) == set())


def test_a_move_in_advance_is_dropped_or_reported(page: Page) -> None:
    begin_waiting(page)
    drag(page, "h0", "g2")
    page.wait(lambda: planned(page) == {"h0", "g2"})
    page.press("#table", Keys.ESCAPE)
    page.wait(lambda: planned(page) == set())
    drag(page, "a0", "a9")
    page.wait(lambda: planned(page) == {"a0", "a9"})
    page.click("#match-hurry")
    page.wait(lambda: len(page.moves) == 2 and page.text("board-note"))
    assert page.text("status") == "Your move"
    assert planned(page) == set()


def test_captured_pieces_are_beside_the_side_that_took_them(page: Page) -> None:
    page.paste("h2e2 h7e7 e2e6 e7e3")
    page.wait(partial(has_moves, page, 4))
    hrefs = {
        side: [use.get_attribute("href") for use in page.all(f"#{side}-taken use")]
        for side in ("upper", "lower")
    }
    assert hrefs == {"upper": ["#piece-P"], "lower": ["#piece-p"]}
    page.click("#first")
    page.wait(lambda: not page.all("#upper-taken use"))


def test_a_game_is_played_through(page: Page) -> None:
    page.paste("h2e2 h9g7 h0g2")
    page.wait(partial(has_moves, page, 3))
    page.click("#autoplay")
    page.wait(lambda: page.present == [])
    page.wait(lambda: page.present == ["C2.5"])
    page.wait(lambda: page.present == ["H2+3"])
    page.wait(lambda: page.find("#autoplay").get_attribute("aria-pressed") == "false")


def test_a_phone_has_autoplay_unless_moves_can_be_put_back(page: Page) -> None:
    page.paste("h2e2 h9g7 h0g2")
    page.wait(partial(has_moves, page, 3))
    autoplay, redo = page.find("#autoplay"), page.find("#redo")
    with window(page, 390, 844):
        assert (autoplay.is_displayed(), redo.is_displayed()) == (True, False)
        page.click("#undo")
        page.wait(redo.is_displayed)
        assert not autoplay.is_displayed()
        page.click("#redo")
        page.wait(autoplay.is_displayed)
        assert not redo.is_displayed()


def shows_preview(page: Page) -> bool:
    """Point at a line's move, which the analysis may replace meanwhile."""
    page.hover("#lines button")
    return page.find("#preview").is_displayed()


def test_the_board_of_a_line_is_shown_under_the_pointer(page: Page) -> None:
    page.paste("h2e2")
    page.wait(partial(has_moves, page, 1))
    page.click("#analyse")
    page.wait(lambda: page.all("#lines button"))
    page.click("#analyse")
    page.click("#analyse")
    page.wait(lambda: page.all("#lines button:nth-of-type(2)"))
    page.wait(partial(shows_preview, page))
    assert len(page.all("#preview use.piece")) == 32
    page.hover("#status")
    page.wait(lambda: not page.find("#preview").is_displayed())
    page.click("#analyse")
