"""The list of a file's games in headless Chromium: searched, sorted, and picked from."""

from __future__ import annotations

from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import Select, WebDriverWait

from tests.support.play_page import needs_driver, read_log
from tests.support.web_server import upload
from xiangqi.web.serve.server import WebServer

pytestmark = needs_driver

COUNT = 700
CHECKS = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
CYCLE = "1. f0e0 e8f8 2. e0f0 f8e8 3. f0e0 e8f8 4. e0f0 f8e8"
SPECIAL = f"""
[Event "Ｃup of 杭州"]
[Date "2020.01.02"]
[Red "Lü"]
[Black "Zhao"]
[ECCO "C42"]
[Opening "中炮对屏风马"]
[Result "0-1"]
[FEN "{CHECKS}"]

{CYCLE} 0-1
"""


def game(number: int) -> str:
    headers = {
        "Event": "Championship",
        "Red": f"R{number % 7}",
        "Black": "B",
        "Date": f"19{number % 90 + 10}.??.??",
    }
    lines = [f'[{name} "{value}"]' for name, value in headers.items()]
    moves = ["1. h2e2 h9g7", "2. h0g2 i9h9", "3. i0h0 b9c7"][: number % 3 + 1]
    return "\n".join([*lines, '[Result "1/2-1/2"]', "", " ".join(moves), "1/2-1/2", "", ""])


@pytest.fixture(scope="module")
def address(server: WebServer) -> str:
    content = "".join(map(game, range(COUNT))) + SPECIAL
    return f"{server.address}{upload(server, content.encode(), 'many.pgn')[1:]}"


class Index:
    """The list, and what a reader does with it."""

    def __init__(self, driver: webdriver.Chrome, address: str) -> None:
        self.driver = driver
        driver.get("about:blank")
        driver.get(address)

    def column(self, number: int) -> list[str]:
        script = "return [...document.querySelectorAll('#games tbody tr')].map(row =>"
        found: list[str] = self.driver.execute_script(
            f"{script} row.cells[{number}].textContent.trim())"
        )
        return found

    def find(self, selector: str) -> webdriver.remote.webelement.WebElement:
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    @property
    def shown(self) -> str:
        return self.find("#shown").text


@pytest.fixture
def index(chromium: webdriver.Chrome, address: str) -> Index:
    return Index(chromium, address)


def test_a_long_list_is_shown_in_parts(index: Index) -> None:
    assert index.shown == f"{COUNT + 1} / {COUNT + 1}"
    assert len(index.column(0)) == 500
    index.find("#more").click()
    assert index.column(0) == [f"many.pgn:{number}" for number in range(1, COUNT + 2)]
    assert not index.find("#more").is_displayed()


def test_games_are_searched_by_all_that_is_known_of_them(index: Index) -> None:
    for text in ("lü zhao", "cup 杭州", "2020", "屏风马", "C42", "perpetually"):
        index.find("#search").clear()
        index.find("#search").send_keys(text)
        assert index.column(0) == [f"many.pgn:{COUNT + 1}"], text
        assert index.shown == f"1 / {COUNT + 1}"
    assert index.column(5) == ["Ｃup of 杭州"]
    assert index.column(7) == ["4"]
    index.find("#search").send_keys("<nothing>")
    assert index.column(0) == []


def test_games_are_sorted_by_each_column_both_ways(index: Index) -> None:
    index.find("thead th:nth-child(8) button").click()
    rounds = index.column(7)
    assert rounds == sorted(rounds)
    assert index.find("thead th:nth-child(8)").get_attribute("aria-sort") == "ascending"
    index.find("thead th:nth-child(8) button").click()
    assert index.column(7)[:2] == ["4", "3"]
    Select(index.find("#sort")).select_by_visible_text("Date")
    assert index.column(6)[:2] == ["2020.01.02", "1999"]
    index.find("#downwards").click()
    dates = index.column(6)
    assert dates == sorted(dates)
    assert dates[0] == "1910"


def test_one_result_or_reason_is_chosen_and_kept_over_a_look_at_a_game(index: Index) -> None:
    Select(index.find("[data-column='3']")).select_by_visible_text("perpetual check")
    assert index.column(2) == ["0-1"]
    index.find("#games tbody a").click()
    WebDriverWait(index.driver, 10).until(lambda driver: "000701.html" in driver.current_url)
    index.driver.back()
    WebDriverWait(index.driver, 10).until(lambda driver: index.shown == f"1 / {COUNT + 1}")
    assert index.column(2) == ["0-1"]
    Select(index.find("[data-column='3']")).select_by_visible_text("not decided")
    Select(index.find("[data-column='2']")).select_by_visible_text("0-1")
    assert index.column(0) == []
    assert read_log(index.driver) == []


def test_words_are_not_broken_on_a_tablet(index: Index) -> None:
    index.driver.set_window_size(820, 1180)
    try:
        script = (
            "return document.querySelector('#games td:nth-child(6) bdi').getClientRects().length"
        )
        assert index.column(5)[0] == "Championship"
        assert index.driver.execute_script(script) == 1
    finally:
        index.driver.set_window_size(1200, 1000)


def test_the_list_is_read_on_a_phone(index: Index, tmp_path: Path) -> None:
    index.driver.set_window_size(400, 800)
    try:
        width = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert index.driver.execute_script(width) <= 0
        assert index.find("#search").is_displayed()
    finally:
        index.driver.set_window_size(1200, 1000)
