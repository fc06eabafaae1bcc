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
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.support.browser import CHROMIUM, FLAGS, browser_variables
from tests.support.devtools import Chromium, DevTools, ScriptError
from tests.support.elements import CHOOSE, FOCUS, REACH, Element, press_keys
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
IS_CUT = f"{_IS_CUT} return isCut(document.querySelector(arguments[0]))"
CUT_OPTIONS = f"""{_IS_CUT}
const list = document.querySelector(arguments[0]);
const {{ value }} = list;
const cut = [...list.options].filter((option) => {{
  option.selected = true;
  return isCut(list);
}});
list.value = value;
return cut.map((option) => option.text);
"""
PAUSE_S, LONG_PAUSE_S = 0.01, 0.1
"""Pauses between two looks at a page: each is longer than the last, as looking takes some of the
processor, which the page waits for where all cores are busy."""

needs_driver = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="Chromium or its driver is not installed (Debian: chromium, chromium-driver)",
)


@contextmanager
def running_chromium(files: Path) -> Iterator[Chromium]:
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
    driver = Chromium(options, Service(DRIVER, env=browser_variables()))
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

    def __init__(self, driver: Chromium, server: Serving, patience: float = PATIENCE_S) -> None:
        self.driver = driver
        self.server = server
        self.patience = patience

    def open(self, query: str = "") -> None:
        self.driver.get(self.server.address + query)
        self.wait(lambda: self.text("status"))

    @property
    def tools(self) -> DevTools:
        """The DevTools of the window that the driver looks at."""
        return self.driver.tools

    def run(self, script: str, *arguments: object) -> Any:
        """Run the body of a function; its result, as JSON."""
        return self.tools.run(script, *arguments)

    def answer(self, script: str, *arguments: object) -> Any:
        """Run a script; the value with which it calls its last argument, as JSON.

        It is run again if another page takes the place of this one.
        """
        end = time.monotonic() + self.patience
        while True:
            try:
                return self.tools.answer(script, *arguments)
            except ScriptError as error:
                if not error.is_leaving or time.monotonic() > end:
                    raise

    def settle(self, before: str | None = None) -> str:
        """Wait until the server has described the present position, not the one before; its FEN."""
        return str(self.answer(SETTLED, before))

    def is_settled(self) -> bool:
        return bool(self.run("return document.getElementById('table').ariaBusy === 'false'"))

    def find(self, selector: str) -> Element:
        return Element(self, selector)

    def all(self, selector: str) -> list[Element]:
        count = self.run("return document.querySelectorAll(arguments[0]).length", selector)
        return [Element(self, selector, place) for place in range(count)]

    def click(self, selector: str, place: int = 0) -> None:
        """Click what is there, or will be with the next picture, after its tab or menu, and wait
        for the picture that follows."""
        point = self._reach(selector, place, is_clicked=True)
        if point:
            x, y = point
            click_point(self, x, y)
            self.answer("requestAnimationFrame(arguments[0])")
        else:
            self.driver.find_elements(By.CSS_SELECTOR, selector)[place].click()

    def reveal(self, selector: str, place: int = 0) -> Element:
        """Open the tab, the menu, the dialog or the details in which an element is, as a user does,
        and close a dialog before it; a field that is in sight stays so.
        """
        self._reach(selector, place, is_clicked=False)
        return Element(self, selector, place)

    def _reach(self, selector: str, place: int, *, is_clicked: bool) -> list[float] | None:
        """Open what an element is in; its point if it is to be clicked, but None for a link."""
        is_first = True
        while (found := self.answer(REACH, selector, place, is_clicked, is_first))["isOpener"]:
            click_point(self, *found["point"])
            is_first = False
        point: list[float] | None = found["point"]
        return point

    def hover(self, selector: str) -> None:
        """Move the pointer to an element other than a link."""
        point = self._reach(selector, 0, is_clicked=True)
        assert point, f"{selector} is a link"
        x, y = point
        press_point(self, "mouseMoved", x, y, "none")

    def choose(self, selector: str, name: str) -> None:
        """Choose an option of a list by its value or its text."""
        self.reveal(selector)
        self.run(CHOOSE, selector, name)

    def wait(self, condition: Callable[[], Any]) -> None:
        end, pause = time.monotonic() + self.patience, PAUSE_S
        while not self.holds(condition):
            assert time.monotonic() < end, "the condition does not hold in time"
            time.sleep(pause)
            pause = min(1.5 * pause, LONG_PAUSE_S)

    def holds(self, condition: Callable[[], Any]) -> bool:
        """Does a condition hold? Not while one of its elements is missing, or the page is left."""
        try:
            return bool(condition())
        except ScriptError as error:
            if not error.is_leaving and "nothing has the selector" not in str(error):
                raise
            return False

    def text(self, id: str) -> str:
        return str(self.run(SHOWN, id))

    def value(self, id: str) -> str:
        script = "return document.getElementById(arguments[0]).value"
        return str(self.run(script, id))

    def is_cut(self, selector: str) -> bool:
        """Is there no room for the chosen name of a list, or the placeholder of an empty field?"""
        return bool(self.run(IS_CUT, selector))

    def cut_options(self, selector: str) -> list[str]:
        """Names in a list for which there is no room when they are chosen."""
        return list(self.run(CUT_OPTIONS, selector))

    @property
    def moves(self) -> list[str]:
        script = "return Array.from(document.querySelectorAll('#moves button'), (b) => b.innerText)"
        return list(self.run(script))

    @property
    def present(self) -> list[str]:
        """The move that is marked in the list as the present one, if there is one."""
        script = """return Array.from(document.querySelectorAll("#moves [aria-current]"),
            (move) => move.innerText.trim())"""
        return list(self.run(script))

    @property
    def pieces(self) -> dict[str, str]:
        script = """return Array.from(document.querySelectorAll("#table use.piece"),
            (use) => [use.dataset.square, use.dataset.piece])"""
        return dict(self.run(script))

    @property
    def arrows(self) -> set[tuple[str, str, str]]:
        script = """return Array.from(document.querySelectorAll("#table .arrow"),
            ({dataset}) => [dataset.from, dataset.to, dataset.kind])"""
        return {tuple(arrow) for arrow in self.run(script)}

    def move(self, move: str) -> None:
        """Click a piece and its target, and wait until the server has described the position."""
        before = self.settle()
        self.click(f"#table [data-square={move[:2]}]")
        self.click(f"#table .target[data-mark={move[2:]}]")
        self.settle(before)

    def paste(self, text: str) -> None:
        """Paste a text as a game, and wait until its dialog is closed, or shows an error."""
        self.reveal("#paste")
        self.run("document.getElementById('paste').value = arguments[0]", text)
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

    def press(self, selector: str, *keys: str, place: int = 0) -> None:
        """Press keys in a field, or elsewhere on the page."""
        self.reveal(selector, place)
        self.run(FOCUS, selector, place)
        self.type(*keys)

    def insert(self, text: str) -> None:
        """Put a text where the focus is, as if it were pasted."""
        self.tools.call("Input.insertText", text=text)

    def type(self, *keys: str) -> None:
        """Press keys where the focus is."""
        for key in keys:
            press_keys(self.tools, key)

    def load(self, selector: str, file: Path) -> None:
        """Choose a file in a field for files."""
        self.driver.find_element(By.CSS_SELECTOR, selector).send_keys(str(file))


def point_of(page: Page, square: str, board: str = "table") -> tuple[float, float]:
    """Point of a square of a board, by its id, in the window."""
    script = """const [square, board, done] = arguments;
        import(new URL("board.js", document.scripts[0].src)).then(({ squareCentre }) => {
          const at = squareCentre(square, false);
          const toWindow = document.getElementById(board).getScreenCTM();
          const { x, y } = new DOMPoint(at.x, at.y).matrixTransform(toWindow);
          done([x, y]);
        })"""
    x, y = page.answer(script, square, board)
    return x, y


def press_mouse(page: Page, kind: str, square: str, button: str = "left") -> None:
    press_point(page, kind, *point_of(page, square), button)


def press_point(page: Page, kind: str, x: float, y: float, button: str = "left") -> None:
    data: dict[str, Any] = {"type": kind, "x": x, "y": y, "button": button, "clickCount": 1}
    page.tools.call("Input.dispatchMouseEvent", **data)


def click_point(page: Page, x: float, y: float, button: str = "left") -> None:
    for kind in ("mousePressed", "mouseReleased"):
        press_point(page, kind, x, y, button)


def drag(page: Page, tail: str, head: str, button: str = "left") -> None:
    press_mouse(page, "mousePressed", tail, button)
    press_mouse(page, "mouseMoved", head, button)
    press_mouse(page, "mouseReleased", head, button)


@contextmanager
def running_first(driver: Chromium, script: str) -> Iterator[None]:
    """A script runs in each page that is opened meanwhile, before the page's own."""
    added = driver.tools.call("Page.addScriptToEvaluateOnNewDocument", source=script)
    yield
    driver.tools.call("Page.removeScriptToEvaluateOnNewDocument", **added)


@contextmanager
def forgetting(driver: Chromium) -> Iterator[None]:
    """A page that is opened meanwhile has kept no game and no setting; nobody has learnt there."""
    clearing = "sessionStorage.clear(); localStorage.clear();"
    with running_first(driver, f"{clearing} indexedDB.deleteDatabase('meihua-learning')"):
        yield


@contextmanager
def window(page: Page, width: int, height: int, **features: str) -> Iterator[None]:
    """A window of this size, and media features such as ``prefers_color_scheme``, meanwhile."""
    wishes = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
    with page.tools.window(width, height):
        page.tools.call("Emulation.setEmulatedMedia", features=wishes)
        try:
            yield
        finally:
            page.tools.call("Emulation.setEmulatedMedia", features=[])


@contextmanager
def without_connection(page: Page) -> Iterator[None]:
    """The page reaches no server meanwhile."""
    page.run("""window.fetchOnline = window.fetch;
        window.fetch = () => Promise.reject(new TypeError("offline"));""")
    yield
    page.run("window.fetch = window.fetchOnline")


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
