"""The page of ``xiangqi serve`` in headless Chromium, and what a user does there."""

from __future__ import annotations

import io
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

import pytest
from selenium import webdriver
from selenium.common.exceptions import JavascriptException, StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select

from tests.support.browser import CHROMIUM, FLAGS, browser_variables
from tests.support.patience import PATIENCE_S
from xiangqi.board import Board
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game
from xiangqi.pieces import square_name
from xiangqi.pieces.fen import STARTING_FEN, parse_fen

DRIVER = shutil.which("chromedriver")
WINDOW_FLAGS = (
    "--window-size=1200,1000 --force-prefers-reduced-motion "
    "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup"
).split()

REVEAL = """
const [selector, done] = arguments;
(function look() {
  const element = document.querySelector(selector);
  if (element) done([element, openersOf(element), pointOf(element)]);
  else setTimeout(look, 10);
})();
function openersOf(element) {
  const byId = (id) => document.getElementById(id);
  const open = document.querySelector("dialog:modal");
  const openers = [];
  if (open && !open.contains(element)) openers.push(open.querySelector("[id$=-close]"));
  const dialog = element.closest("dialog:not([open])");
  const dialogs = {
    "open-dialog": "open-game", "books-dialog": "books-open", headers: "headers-open",
  };
  let at = dialog ? byId(dialogs[dialog.id]) : element;
  if (dialog && !at) return openers;
  const menu = at.closest("[popover]:not(:popover-open)");
  if (menu) openers.push(document.querySelector(`[popovertarget=${menu.id}]`));
  const tab = at.closest("[role=tabpanel][hidden]");
  if (tab) openers.push(byId(tab.getAttribute("aria-labelledby")));
  const mode = byId("game")?.dataset.mode;
  if (at.closest("#notes") && mode !== "analyse") openers.push(byId("tab-analyse"));
  const details = at.closest("details:not([open])");
  if (details && !at.closest("summary")) openers.push(details.querySelector("summary"));
  if (dialog) openers.push(at);
  return openers;
}
function pointOf(element) {
  if (!element.checkVisibility() || element.closest("a, option")) return null;
  element.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const box = element.getClientRects()[0];
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return element.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
}
"""
"""An element, when it is there; the elements that a user clicks on, in order, to see it; and the
point of the window to click on, if the element itself is there now and is not a link, whose page
the driver waits for."""
SETTLED = """
const [before, done] = arguments;
(function look() {
  const fen = document.getElementById("fen")?.value;
  const isBusy = document.getElementById("table")?.ariaBusy !== "false";
  if (isBusy || fen === before) setTimeout(look, 10);
  else done(fen);
})();
"""
"""The position's FEN, when the server has described it and it is another than before."""
PASTED = """
const done = arguments[0];
(function look() {
  const isOpen = document.getElementById("open-dialog").open;
  if (!isOpen || document.getElementById("paste-error").innerText) done();
  else setTimeout(look, 10);
})();
"""
SHOWN = """
const element = document.getElementById(arguments[0]);
return element.checkVisibility({ visibilityProperty: true }) ? element.innerText.trim() : "";
"""
"""The text of an element that a user sees."""
_IS_CUT = """
function isCut(element) {
  const whole = element.cloneNode(true);
  whole.value = element.value;
  whole.style.cssText = "position: absolute; width: auto; max-width: none; field-sizing: content";
  element.after(whole);
  const width = whole.offsetWidth;
  whole.remove();
  return width > element.offsetWidth;
}
"""
IS_CUT = f"{_IS_CUT} return isCut(arguments[0])"
CUT_OPTIONS = f"""{_IS_CUT}
const [list] = arguments;
const {{ value }} = list;
const cut = [...list.options].filter((option) => {{
  option.selected = true;
  return isCut(list);
}});
list.value = value;
return cut.map((option) => option.text);
"""
PAUSE_S, LONG_PAUSE_S = 0.02, 0.2
"""Pauses between two looks at a page: each is longer than the last, as looking takes 20 ms of the
processor, which the page waits for where all cores are busy."""

needs_driver = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="Chromium or its driver is not installed (Debian: chromium, chromium-driver)",
)


@contextmanager
def running_chromium(files: Path) -> Iterator[webdriver.Chrome]:
    """A browser that puts what it loads down into a folder.

    Its driver names no page to begin with, without which Chromium's headless shell opens no window,
    and sets the folder of the shell only when another window opens.
    """
    program = files / "browser"
    program.write_text(f'#!/bin/sh\nexec {CHROMIUM} "$@" about:blank\n', encoding="utf-8")
    program.chmod(0o700)
    options = webdriver.ChromeOptions()
    for flag in [*FLAGS, *WINDOW_FLAGS, f"--user-data-dir={files / 'profile'}"]:
        options.add_argument(flag)
    options.binary_location = str(program)
    options.add_experimental_option("prefs", {"download.default_directory": str(files)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, Service(DRIVER, env=browser_variables()))
    driver.set_script_timeout(PATIENCE_S)
    saving = {"behavior": "allow", "downloadPath": str(files)}
    driver.execute_cdp_cmd("Browser.setDownloadBehavior", saving)
    try:
        yield driver
    finally:
        driver.quit()


class Serving(Protocol):
    """Interface of a server of the page."""

    @property
    def address(self) -> str:
        """The page's address."""


def is_saved(path: Path) -> bool:
    """Has the browser written a file? It is there, and empty, before."""
    return path.exists() and path.stat().st_size > 0


class Page:
    """The page for entering a game, and what a user does there."""

    def __init__(
        self, driver: webdriver.Chrome, server: Serving, patience: float = PATIENCE_S
    ) -> None:
        self.driver = driver
        self.server = server
        self.patience = patience

    def open(self, query: str = "") -> None:
        self.driver.get(self.server.address + query)
        self.wait(lambda: self.text("status"))

    def settle(self, before: str | None = None) -> str:
        """Wait until the server has described the present position, not the one before; its FEN."""
        return str(self.answer(SETTLED, before))

    def is_settled(self) -> bool:
        script = "return document.getElementById('table').ariaBusy === 'false'"
        return bool(self.driver.execute_script(script))

    def answer(self, script: str, *arguments: object) -> Any:
        """Result of an asynchronous script, begun again on a page that takes the place of this."""
        end = time.monotonic() + self.patience
        while True:
            try:
                return self.driver.execute_async_script(script, *arguments)
            except JavascriptException as error:
                if "unloaded" not in str(error.msg) or time.monotonic() > end:
                    raise

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def click(self, selector: str) -> None:
        """Click what is there, or will be with the next picture, after its tab or menu."""
        element, point = self._reveal(selector)
        if point is None:
            element.click()
            return
        for kind in ("mousePressed", "mouseReleased"):
            press_point(self, kind, *point)

    def reveal(self, selector: str) -> WebElement:
        """Open the tab, the menu, the dialog or the details in which an element is, as a user does,
        and close a dialog before it; a field that is in sight stays so.
        """
        return self._reveal(selector)[0]

    def _reveal(self, selector: str) -> tuple[WebElement, tuple[float, float] | None]:
        element, openers, point = self.answer(REVEAL, selector)
        for opener in openers:
            opener.click()
        return (self.find(selector), None) if openers else (element, point)

    def choose(self, selector: str, value: str) -> None:
        """Choose an option of a list by its value."""
        Select(self.reveal(selector)).select_by_value(value)

    def wait(self, condition: Callable[[], Any]) -> None:
        end, pause = time.monotonic() + self.patience, PAUSE_S
        while not self.holds(condition):
            assert time.monotonic() < end, "the condition does not hold in time"
            time.sleep(pause)
            pause = min(1.5 * pause, LONG_PAUSE_S)

    def holds(self, condition: Callable[[], Any]) -> bool:
        """Does a condition hold? Not while one of its elements is replaced."""
        try:
            return bool(condition())
        except StaleElementReferenceException:
            return False

    def text(self, id: str) -> str:
        return str(self.driver.execute_script(SHOWN, id))

    def value(self, id: str) -> str:
        script = "return document.getElementById(arguments[0]).value"
        return str(self.driver.execute_script(script, id))

    def is_cut(self, selector: str) -> bool:
        """Is there no room for the chosen name of a list, or the placeholder of an empty field?"""
        return bool(self.driver.execute_script(IS_CUT, self.find(selector)))

    def cut_options(self, selector: str) -> list[str]:
        """Names in a list for which there is no room when they are chosen."""
        return list(self.driver.execute_script(CUT_OPTIONS, self.find(selector)))

    @property
    def moves(self) -> list[str]:
        script = "return Array.from(document.querySelectorAll('#moves button'), (b) => b.innerText)"
        return list(self.driver.execute_script(script))

    @property
    def present(self) -> list[str]:
        """The move that is marked in the list as the present one, if there is one."""
        script = """return Array.from(document.querySelectorAll("#moves [aria-current]"),
            (move) => move.innerText.trim())"""
        return list(self.driver.execute_script(script))

    @property
    def pieces(self) -> dict[str, str]:
        script = """return Array.from(document.querySelectorAll("#table use.piece"),
            (use) => [use.dataset.square, use.dataset.piece])"""
        return dict(self.driver.execute_script(script))

    @property
    def arrows(self) -> set[tuple[str, str, str]]:
        script = """return Array.from(document.querySelectorAll("#table .arrow"),
            ({dataset}) => [dataset.from, dataset.to, dataset.kind])"""
        return {tuple(arrow) for arrow in self.driver.execute_script(script)}

    def move(self, move: str) -> None:
        """Click a piece and its target, and wait until the server has described the position."""
        before = self.settle()
        self.click(f"#table [data-square={move[:2]}]")
        self.click(f"#table .target[data-mark={move[2:]}]")
        self.settle(before)

    def paste(self, text: str) -> None:
        """Paste a text as a game, and wait until its dialog is closed, or shows an error."""
        box = self.reveal("#paste")
        self.driver.execute_script("arguments[0].value = arguments[1]", box, text)
        self.click("#paste-form button")
        self.answer(PASTED)

    def save(self, files: Path) -> Game:
        """Save the game, and read it back."""
        saved = files / "game.pgn"
        saved.unlink(missing_ok=True)
        self.click("#download")
        self.wait(lambda: is_saved(saved))
        (game,) = read_games(io.BytesIO(saved.read_bytes()))
        return game

    def set_seconds(self, text: str) -> None:
        """Type how long the engine shall think, and leave the field."""
        self.press("#seconds", Keys.CONTROL + "a")
        self.press("#seconds", Keys.BACKSPACE, text, Keys.TAB)

    def press(self, selector: str, *keys: str) -> None:
        self.reveal(selector).send_keys(*keys)


def point_of(page: Page, square: str) -> tuple[float, float]:
    """Point of a square in the window."""
    script = """const [square, done] = arguments;
        import(new URL("board.js", document.baseURI)).then(({ squareCentre }) => {
          const at = squareCentre(square, false);
          const table = document.getElementById("table");
          const { x, y } = new DOMPoint(at.x, at.y).matrixTransform(table.getScreenCTM());
          done([x, y]);
        })"""
    x, y = page.driver.execute_async_script(script, square)
    return x, y


def press_mouse(page: Page, kind: str, square: str, button: str = "left") -> None:
    press_point(page, kind, *point_of(page, square), button)


def press_point(page: Page, kind: str, x: float, y: float, button: str = "left") -> None:
    data = {"type": kind, "x": x, "y": y, "button": button, "clickCount": 1}
    page.driver.execute_cdp_cmd("Input.dispatchMouseEvent", data)


def drag(page: Page, tail: str, head: str, button: str = "left") -> None:
    press_mouse(page, "mousePressed", tail, button)
    press_mouse(page, "mouseMoved", head, button)
    press_mouse(page, "mouseReleased", head, button)


@contextmanager
def forgetting(driver: webdriver.Chrome) -> Iterator[None]:
    """A page that is opened meanwhile has kept no game and no setting; nobody has learnt there."""
    clearing = "sessionStorage.clear(); localStorage.clear();"
    script = {"source": f"{clearing} indexedDB.deleteDatabase('meihua-learning')"}
    added = driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", script)
    yield
    driver.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", added)


@contextmanager
def window(page: Page, width: int, height: int, **features: str) -> Iterator[None]:
    """A window of this size, and media features such as ``prefers_color_scheme``, meanwhile."""
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    wishes = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
    page.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": wishes})
    try:
        yield
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def read_log(driver: webdriver.Chrome) -> list[str]:
    """Complaints of the browser since the last call."""
    lines: list[dict[str, str]] = driver.get_log("browser")  # type: ignore[no-untyped-call]
    return [line["message"] for line in lines]


def has_moves(page: Page, count: int) -> bool:
    """Are so many moves in the list, and has the server described the position?"""
    return len(page.moves) == count and page.is_settled()


def board_after(*moves: str, fen: str = STARTING_FEN) -> Board:
    board = Board(fen)
    for move in moves:
        board.push_iccs(move)
    return board


def pieces_of(fen: str) -> dict[str, str]:
    return {square_name(at): piece.symbol() for at, piece in parse_fen(fen).piece_map().items()}
