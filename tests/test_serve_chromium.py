"""``xiangqi serve`` as a user meets it: in headless Chromium, by mouse and by keyboard."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.web_server import serving
from xiangqi.board import Board
from xiangqi.fen import STARTING_FEN, parse_fen
from xiangqi.formats import read_games
from xiangqi.web.application import Application
from xiangqi.web.server import WebServer

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
FLAGS = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run "
    "--disable-background-networking --disable-component-update --disable-sync "
    "--window-size=1200,1000"
).split()
CHECKS = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
CYCLE = "f0e0 e8f8 e0f0 f8e8"
HOSTILE = f"""[Event "<script>document.title = 'taken'</script>"]
[Red "</script><img src=x onerror='document.title = 1'>"]
[FEN "{CHECKS}"]

1. f0e0 {{</script><script>document.title = 'taken'</script>}} e8f8 2. e0f0 f8e8 3. f0e0 e8f8 *
"""

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or DRIVER is None,
    reason="Chromium or its driver is not installed (Debian: chromium, chromium-driver)",
)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("files")


@pytest.fixture(scope="module")
def server(files: Path) -> Iterator[WebServer]:
    (files / "games.pgn").write_text(HOSTILE, encoding="utf-8")
    with serving(Application(files=[str(files / "games.pgn")])) as running:
        yield running


@pytest.fixture(scope="module")
def chromium(files: Path) -> Iterator[webdriver.Chrome]:
    options = webdriver.ChromeOptions()
    for flag in [*FLAGS, f"--user-data-dir={files / 'profile'}"]:
        options.add_argument(flag)
    options.binary_location = str(CHROMIUM)
    options.add_experimental_option("prefs", {"download.default_directory": str(files)})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, Service(DRIVER))
    yield driver
    driver.quit()


class Page:
    """The page for entering a game, and what a user does there."""

    def __init__(self, driver: webdriver.Chrome, server: WebServer) -> None:
        self.driver = driver
        self.server = server

    def open(self, query: str = "") -> None:
        self.driver.get(self.server.address + query)
        self.wait(lambda: self.text("status"))

    def find(self, selector: str) -> WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector: str) -> list[WebElement]:
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def click(self, selector: str) -> None:
        self.find(selector).click()

    def wait(self, condition: Callable[[], Any]) -> None:
        waiting = WebDriverWait(self.driver, 10, 0.02, [StaleElementReferenceException])
        waiting.until(lambda _: condition())

    def text(self, id: str) -> str:
        return self.find(f"#{id}").text

    def value(self, id: str) -> str:
        return str(self.find(f"#{id}").get_property("value"))

    @property
    def moves(self) -> list[str]:
        script = "return Array.from(document.querySelectorAll('#moves button'), (b) => b.innerText)"
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
        """Click a piece and its target, and wait until the position has changed."""
        before = self.value("fen")
        self.click(f"#table [data-square={move[:2]}]")
        self.click(f"#table .target[data-mark={move[2:]}]")
        self.wait(lambda: self.value("fen") != before)

    def paste(self, text: str) -> None:
        box = self.find("#paste")
        self.driver.execute_script("arguments[0].value = arguments[1]", box, text)
        self.click("#paste-form button")

    def press(self, selector: str, *keys: str) -> None:
        self.find(selector).send_keys(*keys)


@pytest.fixture
def page(chromium: webdriver.Chrome, server: WebServer) -> Iterator[Page]:
    """The page with a new game; afterwards the browser must have had nothing to complain of."""
    page = Page(chromium, server)
    page.open()
    chromium.execute_script("sessionStorage.clear()")
    page.open()
    read_log(chromium)
    yield page
    assert [line for line in read_log(chromium) if "status of 400" not in line] == []


def read_log(driver: webdriver.Chrome) -> list[str]:
    """What the browser complained of since the last call."""
    lines: list[dict[str, str]] = driver.get_log("browser")  # type: ignore[no-untyped-call]
    return [line["message"] for line in lines]


def has_moves(page: Page, count: int) -> bool:
    return len(page.moves) == count


def board_after(*moves: str, fen: str = STARTING_FEN) -> Board:
    board = Board(fen)
    for move in moves:
        board.push_iccs(move)
    return board


def pieces_of(fen: str) -> dict[str, str]:
    from xiangqi.pieces import square_name

    return {square_name(at): piece.symbol() for at, piece in parse_fen(fen).piece_map().items()}


# Entering a game


def test_the_pieces_stand_on_the_board_and_need_no_font(page: Page) -> None:
    assert len(page.pieces) == 32
    assert page.pieces == pieces_of(STARTING_FEN)
    assert page.text("status") == "Red to move"
    assert len(page.all("#sprite [id^=piece-]")) == 14
    assert page.all("#sprite [id^=piece-] text") == []
    assert min(piece.size["width"] for piece in page.all("#table use.piece")) > 30


def test_a_move_is_made_by_two_clicks(page: Page) -> None:
    page.click("#table [data-square=h2]")
    targets = {mark.get_attribute("data-mark") for mark in page.all("#table .target")}
    legal = {str(move) for move in Board().legal_moves}
    assert targets == {move[2:] for move in legal if move.startswith("h2")}
    page.click("#table .target[data-mark=e2]")
    page.wait(lambda: page.moves == ["C2.5"])
    assert page.text("status") == "Black to move"
    assert page.value("fen") == board_after("h2e2").fen()
    assert page.pieces == pieces_of(board_after("h2e2").fen())
    assert len(page.all("#table .last")) == 2


def test_a_piece_that_may_not_move_cannot_be_chosen(page: Page) -> None:
    page.click("#table [data-square=h9]")
    assert page.all("#table .chosen, #table .target") == []


def test_a_move_is_made_by_keyboard(page: Page) -> None:
    page.press("#table", *[Keys.ARROW_RIGHT] * 3, *[Keys.ARROW_UP] * 2, Keys.ENTER)
    page.press("#table", *[Keys.ARROW_LEFT] * 3, Keys.ENTER)
    page.wait(lambda: page.moves == ["C2.5"])


def test_a_move_is_typed_in_any_notation(page: Page) -> None:
    for text in ("炮二平五", "h9g7", "H2+3"):
        played = len(page.moves)
        page.press("#move", text, Keys.ENTER)
        page.wait(partial(has_moves, page, played + 1))
    assert page.moves == ["C2.5", "H8+7", "H2+3"]
    page.press("#move", "h2h9", Keys.ENTER)
    page.wait(lambda: "'h2h9'" in page.text("error"))
    assert len(page.moves) == 3


def test_a_game_is_stepped_through_by_buttons_keys_and_clicks_on_moves(page: Page) -> None:
    page.paste("h2e2 h9g7 h0g2 i9h9")
    page.wait(lambda: len(page.moves) == 4)

    def wait_for(ply: int) -> None:
        moves = "h2e2 h9g7 h0g2 i9h9".split()[:ply]
        page.wait(lambda: page.pieces == pieces_of(board_after(*moves).fen()))

    for button, ply in (("first", 0), ("next", 1), ("last", 4), ("previous", 3)):
        page.click(f"#{button}")
        wait_for(ply)
    for key, ply in ((Keys.ARROW_LEFT, 2), (Keys.ARROW_RIGHT, 3), (Keys.HOME, 0), (Keys.END, 4)):
        page.press("body", key)
        wait_for(ply)
    page.click("#moves button[data-ply='2']")
    wait_for(2)
    assert page.find("#moves [aria-current]").text == "H8+7"
    page.move("b2c2")
    assert page.moves == ["C2.5", "H8+7", "C8.7"]


def test_undo_new_game_and_flip(page: Page) -> None:
    page.move("h2e2")
    page.move("h9g7")
    page.click("#undo")
    page.wait(lambda: page.moves == ["C2.5"])
    above = page.find("#table [data-square=a9]").location["y"]
    page.click("#flip")
    page.wait(lambda: page.find("#table [data-square=a9]").location["y"] > above)
    page.move("b9c7")
    page.click("#new-game")
    page.wait(lambda: page.moves == [])
    assert page.pieces == pieces_of(STARTING_FEN)


def test_a_position_is_set_up_by_its_fen(page: Page) -> None:
    page.find("#fen").clear()
    page.press("#fen", CHECKS, Keys.ENTER)
    page.wait(lambda: len(page.pieces) == 6)
    page.find("#fen").clear()
    page.press("#fen", "rubbish", Keys.ENTER)
    page.wait(lambda: "'rubbish'" in page.text("error"))
    assert len(page.pieces) == 6


# Rulings


def test_a_perpetual_check_is_ruled_on_as_it_is_played(page: Page) -> None:
    page.paste(f"{CHECKS}\n{CYCLE} {CYCLE.rsplit(maxsplit=1)[0]}")
    page.wait(lambda: len(page.moves) == 7)
    assert "occurred 2 times" in page.text("warning")
    assert not page.find("#ruling").is_displayed()
    page.move("f8e8")
    page.wait(lambda: page.text("status").startswith("Black wins: Red checks perpetually"))
    assert not page.find("#warning").is_displayed()
    page.click("#case-details summary")
    assert "the red chariot on f0 gives check" in page.text("case")
    assert len(page.all("#moves .cycle")) == 8


def test_the_cycle_is_shown_with_its_arrows(page: Page) -> None:
    page.paste(f"{CHECKS}\n{CYCLE} {CYCLE} {CYCLE}")
    page.wait(lambda: len(page.moves) == 12)
    assert page.text("verdict").lower().startswith("after move 8: black wins")
    page.click("#cycle")
    page.wait(lambda: page.find("#previous").get_property("disabled"))
    page.click("#next")
    page.wait(lambda: ("e0", "e8", "check") in page.arrows)
    page.click("#arrows")
    assert page.arrows == set()


def test_other_rules_rule_otherwise(page: Page) -> None:
    page.paste(f"{CHECKS}\n{CYCLE} {CYCLE}")
    page.wait(lambda: "perpetually" in page.text("status"))
    Select(page.find("#rules")).select_by_value("all-draws")
    page.wait(lambda: page.text("status").startswith("draw"))


def test_the_page_speaks_chinese_and_keeps_the_game(page: Page) -> None:
    page.paste(f"{CHECKS}\n{CYCLE} {CYCLE}")
    page.wait(lambda: "perpetually" in page.text("status"))
    page.click("#other-language")
    page.wait(lambda: page.text("status").startswith("黑胜：红方长将"))
    assert page.moves[:2] == ["车四平五", "将５平６"]
    assert page.find("html").get_attribute("lang") == "zh"


# The engine


def test_the_engine_answers_a_move(page: Page) -> None:
    seconds = page.find("#seconds")
    seconds.clear()
    seconds.send_keys("0.2")
    Select(page.find("#engine")).select_by_value("black")
    page.move("h2e2")
    page.wait(lambda: len(page.moves) == 2)
    assert page.text("status").startswith("Red to move")
    assert page.text("thought")
    page.click("#undo")
    page.wait(lambda: page.moves == [])


def test_the_engine_moves_for_the_user_and_can_be_stopped(page: Page) -> None:
    page.find("#seconds").clear()
    page.press("#seconds", "10")
    page.click("#engine-move")
    page.wait(lambda: page.find("#stop").is_displayed())
    page.click("#stop")
    page.wait(lambda: not page.find("#stop").is_displayed())
    assert page.moves == []
    page.find("#seconds").clear()
    page.press("#seconds", "0.1")
    page.click("#engine-move")
    page.wait(lambda: len(page.moves) == 1)


# Pasting and files


def test_what_cannot_be_read_is_told_and_the_game_stays(page: Page) -> None:
    page.move("h2e2")
    page.paste("rubbish <b>")
    page.wait(lambda: "'rubbish'" in page.text("error"))
    assert page.moves == ["C2.5"]
    page.paste("h2e2 h9h5")
    page.wait(lambda: "the black horse on h9 cannot reach h5" in page.text("error"))
    assert page.moves == ["C2.5"]


def test_a_hostile_record_is_shown_as_text(page: Page) -> None:
    page.paste(HOSTILE)
    page.wait(lambda: len(page.moves) == 6)
    assert page.driver.title.startswith("Meihua")
    page.driver.get(f"{page.server.address}games/0/en/000001.html")
    page.wait(lambda: page.all("use.piece"))
    assert "<img src=x" in page.find("h1").text
    assert page.all("img") == []
    assert "taken" not in page.driver.title


def test_the_game_is_saved_as_pgn(page: Page, files: Path) -> None:
    page.move("h2e2")
    page.click("#download")
    saved = files / "game.pgn"
    page.wait(saved.exists)
    game = next(read_games(io.BytesIO(saved.read_bytes())))
    assert [str(move) for move in game.moves()] == ["h2e2"]


def test_a_file_is_opened_and_its_games_looked_at(page: Page, files: Path) -> None:
    page.press("#file", str(files / "games.pgn"))
    page.wait(lambda: page.all("#games a"))
    page.click("#games a")
    page.wait(lambda: len(page.all("use.piece")) == 6)
    page.driver.find_element(By.LINK_TEXT, "Play on from this game").click()
    page.wait(lambda: len(page.moves) == 6)
    page.move("e0f0")
    assert "occurred 2 times" in page.text("warning")


# The look


@pytest.mark.parametrize("width", [360, 800, 1600])
def test_the_page_fits_the_window(page: Page, width: int) -> None:
    page.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False},
    )
    try:
        widths = page.driver.execute_script(
            "return [document.documentElement.scrollWidth, window.innerWidth]"
        )
        assert widths[1] == width
        assert widths[0] <= width
        assert page.find("#table").size["width"] > 0.3 * width
    finally:
        page.driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
