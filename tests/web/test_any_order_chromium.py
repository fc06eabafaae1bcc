"""Presses in any order, on slow lines, too: no script fails, and the page goes on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest
from selenium.webdriver.common.keys import Keys

from tests.support.play_page import Page, click_point, has_moves, needs_driver, window
from tests.support.soak import SOAK

pytestmark = needs_driver

SEEDS, PRESSES = (100, 200) if SOAK else (3, 60)
LATENCIES_MS = (0, 250, 700)
SIZES = ((1440, 900), (820, 1180), (390, 844))
KEYS = [
    *"atfzZp 123?dc", Keys.ARROW_LEFT, Keys.ARROW_RIGHT, Keys.ARROW_UP, Keys.HOME, Keys.END,
    Keys.ENTER, Keys.ESCAPE,
]  # fmt: skip
GAMES = (
    "h2e2 h9g7 h0g2 i9h9",
    "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w\nf0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8",
    "4k4/9/9/9/9/9/9/3R5/9/R2K5 w\na0a8 e9f9 d2d9",
    "not a game",
)
CHOOSE = """
const [chance, option] = arguments;
const leaves = /save|download|export|import|file|copy|link|sheet/;
const isUsable = (one) => one.checkVisibility({ visibilityProperty: true })
  && !one.disabled && !leaves.test(one.id);
const top = [...document.querySelectorAll("dialog[open], :popover-open")].at(-1) ?? document;
const found = [...top.querySelectorAll("button, summary, select, [type=checkbox], .piece, .target")]
  .filter(isUsable);
const one = found[Math.floor(chance * found.length)];
if (!one) return null;
const name = one.id || one.dataset.square || one.textContent.trim() || one.getAttribute("class");
if (one.options) {
  one.selectedIndex = Math.floor(option * one.options.length);
  one.dispatchEvent(new Event("change", { bubbles: true }));
  return { name: `${name}: ${one.value}` };
}
one.scrollIntoView({ block: "nearest" });
const { left, top: edge, width, height } = one.getBoundingClientRect();
return { name, point: [left + width / 2, edge + height / 2] };
"""
"""Choose an option of a list, or else a button or a piece: its name, and where to press it."""
PASTE = """
const data = new DataTransfer();
data.setData("text/plain", arguments[0]);
document.body.dispatchEvent(
  new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
"""
LISTEN = """
window.faults = [];
addEventListener("error", ({ error, message }) => window.faults.push(error?.stack ?? message));
addEventListener("unhandledrejection",
  ({ reason }) => window.faults.push(reason?.stack ?? String(reason)));
"""
ODD = """
return [...window.faults, ...document.body.innerText.split("\\n")
  .filter((text) => /undefined|NaN|Cannot read|is not a function|\\[object/.test(text))];
"""
"""Errors of scripts, also those that are shown as if they were the user's."""


@contextmanager
def slow_line(page: Page, latency_ms: int) -> Iterator[None]:
    """Answers of the server take so much longer meanwhile."""
    page.tools.call("Network.enable")
    wishes = {"offline": False, "downloadThroughput": -1, "uploadThroughput": -1}
    page.tools.call("Network.emulateNetworkConditions", latency=latency_ms, **wishes)
    try:
        yield
    finally:
        page.tools.call("Network.disable")


def press(page: Page, rng: random.Random) -> str:
    """Do what a user may do next; its name."""
    kind = rng.random()
    if kind < 0.1:
        key = rng.choice(KEYS)
        page.type(key)
        return f"key {key!r}"
    if kind < 0.15:
        game = rng.choice(GAMES)
        page.run(PASTE, game)
        return f"paste {game[:20]!r}"
    found = page.run(CHOOSE, rng.random(), rng.random())
    if found is None:
        return "nothing"
    for _ in range(rng.choice((1, 1, 2)) if "point" in found else 0):
        click_point(page, *found["point"])
    return str(found["name"])


@pytest.mark.parametrize("seed", range(SEEDS))
def test_no_order_of_presses_breaks_the_page(page: Page, seed: int) -> None:
    rng = random.Random(seed)
    page.run(LISTEN)
    pressed = []
    with slow_line(page, rng.choice(LATENCIES_MS)), window(page, *rng.choice(SIZES)):
        for _ in range(PRESSES):
            pressed.append(press(page, rng))
            assert page.run(ODD) == [], pressed
    page.driver.refresh()
    page.settle()
    page.paste("h2e2 h9g7")
    page.wait(partial(has_moves, page, 2))
