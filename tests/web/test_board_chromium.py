"""The board of the page in headless Chromium: by mouse, by touch and by keyboard, however fast."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

from selenium.webdriver.common.keys import Keys

from tests.support.play_page import (
    Page,
    board_after,
    drag,
    has_moves,
    needs_driver,
    pieces_of,
    point_of,
)

pytestmark = needs_driver

SHUFFLE = "a0a1 a9a8 a1a0 a8a9 i0i1 i9i8 i1i0 i8i9 b2d2 b7d7 d2b2 d7b7 h2f2 h7f7 f2h2 f7h7".split()
LONG_GAME = (SHUFFLE * 7)[:100]

DEAF = """
window.fetch = ((fetch) => (path, options) =>
  /position|ruling/.test(path) ? new Promise(() => {}) : fetch(path, options)
)(window.fetch);
"""
"""The server answers no question about a position from now on."""
PRESS = """
const [keys, pause, done] = arguments;
const present = () => document.querySelector("#moves [aria-current]")?.dataset.ply ?? "0";
let next = 0;
function press() {
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: keys[next], bubbles: true }));
  const place = ++next;
  requestAnimationFrame(() => setTimeout(() => {
    if (place === keys.length) done({ ply: present() });
  }));
  if (next < keys.length) setTimeout(press, pause);
}
press();
"""
"""Press keys one after the other; which position is shown after the last one was drawn."""


def press_keys(page: Page, keys: list[str], pause_ms: int) -> dict[str, Any]:
    return dict(page.answer(PRESS, keys, pause_ms))


def test_two_hundred_keys_a_second_all_arrive_without_the_server(page: Page) -> None:
    page.paste(" ".join(LONG_GAME))
    page.wait(partial(has_moves, page, 100))
    page.run(DEAF)
    found = press_keys(page, ["ArrowLeft"] * 100, 5)
    assert found["ply"] == "0"
    assert page.pieces == pieces_of(board_after().fen())
    found = press_keys(page, ["ArrowRight"] * 67, 5)
    assert found["ply"] == "67"
    assert page.pieces == pieces_of(board_after(*LONG_GAME[:67]).fen())
    assert page.value("fen") == board_after(*LONG_GAME[:67]).fen()


def processor_ms(page: Page) -> float:
    """Milliseconds of the processor that the page's main thread has used for its tasks."""
    found = page.tools.call("Performance.getMetrics")["metrics"]
    return 1000 * float(next(one["value"] for one in found if one["name"] == "TaskDuration"))


def test_a_step_takes_less_than_50_ms_of_the_processor(page: Page) -> None:
    """Script, style, layout and painting together, so that the load of the machine does not count;
    a step to another position and the answer of the server to it.
    """
    page.paste(" ".join(LONG_GAME))
    page.wait(partial(has_moves, page, 100))
    page.tools.call("Performance.enable", timeDomain="threadTicks")
    try:
        for mode in ("play", "analyse", "referee"):
            page.click(f"#tab-{mode}")
            before = processor_ms(page)
            press_keys(page, ["ArrowLeft", "ArrowRight"] * 8, 20)
            page.settle()
            assert 0 < (processor_ms(page) - before) / 16 < 50
    finally:
        page.tools.call("Performance.disable")


def test_a_piece_is_dragged_to_its_target_and_back_from_where_it_may_not_go(page: Page) -> None:
    page.settle()
    drag(page, "h2", "g3")
    assert page.pieces == pieces_of(board_after().fen())
    assert page.all(".dragged") == []
    drag(page, "h2", "e2")
    page.wait(partial(has_moves, page, 1))
    assert page.pieces == pieces_of(board_after("h2e2").fen())
    drag(page, "h9", "g7")
    page.wait(partial(has_moves, page, 2))
    assert page.all(".dragged, .chosen") == []


def touch(page: Page, kind: str, *points: tuple[float, float]) -> None:
    data = {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]}
    page.tools.call("Input.dispatchTouchEvent", **data)


def test_a_finger_drags_and_taps(page: Page) -> None:
    page.settle()
    touch(page, "touchStart", point_of(page, "h2"))
    for file in "gfe":
        touch(page, "touchMove", point_of(page, f"{file}2"))
    touch(page, "touchEnd")
    page.wait(partial(has_moves, page, 1))
    for square in ("h9", "g7"):
        touch(page, "touchStart", point_of(page, square))
        touch(page, "touchEnd")
    page.wait(partial(has_moves, page, 2))
    assert page.pieces == pieces_of(board_after("h2e2", "h9g7").fen())


def test_keys_work_everywhere_but_in_fields(page: Page) -> None:
    page.paste("h2e2 h9g7 (b9c7 h0g2) h0g2")
    page.wait(partial(has_moves, page, 5))
    page.press("body", Keys.ARROW_LEFT)
    page.wait(lambda: page.present == ["H8+7"])
    page.press("body", Keys.ARROW_DOWN)
    page.wait(lambda: page.present == ["H2+3"])
    page.press("body", Keys.ARROW_UP)
    page.wait(lambda: page.present == ["H8+7"])
    page.press("body", "f")
    page.wait(lambda: page.find("#table [data-square=a9]").rect["y"] > 300)
    page.press("body", "z")
    page.wait(lambda: page.moves == [])
    page.press("body", "Z")
    page.wait(partial(has_moves, page, 5))
    page.press("body", Keys.CONTROL + "z")
    page.wait(lambda: page.moves == [])
    page.press("body", Keys.CONTROL + "y")
    page.wait(partial(has_moves, page, 5))
    page.press("#move", "zf")
    assert page.value("move") == "zf"
    assert len(page.moves) == 5


def labels(page: Page) -> str:
    script = "return document.querySelector('[data-layer=ground] use:last-child').href.baseVal"
    return str(page.run(script))


def test_files_are_named_as_the_notation_names_them(page: Page) -> None:
    for notation, name in (("chinese", "#labels-red-chinese"), ("iccs", "#labels-red")):
        page.choose("#notation", notation)
        page.wait(partial(lambda name: labels(page) == name, name))
        assert len(page.all(f"{name} > g > *")) in {18, 38}
    page.press("body", "f")
    page.wait(lambda: labels(page) == "#labels-black")


def test_pieces_glide_unless_the_reader_wants_no_motion(page: Page) -> None:
    script = """const key = new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true });
        document.body.dispatchEvent(key);
        return document.getElementById("table").getAnimations({ subtree: true }).length"""
    for wish, count in (("no-preference", 1), ("reduce", 0)):
        features = [{"name": "prefers-reduced-motion", "value": wish}]
        page.tools.call("Emulation.setEmulatedMedia", features=features)
        page.paste("h2e2")
        page.wait(partial(has_moves, page, 1))
        page.press("body", Keys.HOME)
        page.wait(lambda: page.present == [])
        page.settle()
        time.sleep(0.25)  # a quick step does not glide
        assert page.run(script) == count
    page.tools.call("Emulation.setEmulatedMedia", features=[])


def test_the_keys_are_listed(page: Page) -> None:
    page.press("body", "?")
    page.wait(lambda: page.find("#help").is_displayed())
    assert "Flip the board" in page.text("help")
    page.click("#help-close")
    page.wait(lambda: not page.find("#help").is_displayed())


def test_a_phone_shows_the_board_as_wide_as_it_is(page: Page) -> None:
    with page.tools.window(390, 844, scale=3, is_mobile=True):
        page.open("?lang=zh")
        page.settle()
        assert page.run("return document.documentElement.scrollWidth") == 390
        box = page.find("#table").rect
        assert box["width"] > 350
        assert page.find("#next").rect["y"] < 700, "the buttons stand below it on the first screen"
        assert page.find("#next").rect["height"] >= 40
        assert page.text("status") == "轮到红方走棋"
        for square in ("h2", "e2"):
            touch(page, "touchStart", point_of(page, square))
            touch(page, "touchEnd")
        page.wait(lambda: page.moves == ["炮二平五"])
