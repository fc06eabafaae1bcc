"""The list of a file's games in headless Chromium: searched, sorted, and picked from."""

from __future__ import annotations

import pytest

from tests.support.devtools import Chromium
from tests.support.play_page import Page, needs_driver, read_log, window
from tests.support.web_server import upload
from xiangqi.web.serve.server import WebServer

pytestmark = needs_driver

COUNT, MANY = 90, 700
"""Games of most lists, and of one that is shown in parts."""
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


def open_list(server: WebServer, count: int) -> str:
    """Open a file of so many games and a special one; the address of its list."""
    content = "".join(map(game, range(count))) + SPECIAL
    return f"{server.address}{upload(server, content.encode(), 'many.pgn')[1:]}"


@pytest.fixture(scope="module")
def address(server: WebServer) -> str:
    return open_list(server, COUNT)


class Index(Page):
    """The list, and what a reader does with it."""

    def column(self, number: int) -> list[str]:
        script = """return [...document.querySelectorAll("#games tbody tr")]
            .map((row) => row.cells[arguments[0]].textContent.trim())"""
        return list(self.run(script, number))

    @property
    def shown(self) -> str:
        return self.find("#shown").text


@pytest.fixture
def index(chromium: Chromium, server: WebServer, address: str) -> Index:
    chromium.get("about:blank")
    chromium.get(address)
    return Index(chromium, server)


def test_a_long_list_is_shown_in_parts(chromium: Chromium, server: WebServer) -> None:
    chromium.get(open_list(server, MANY))
    index = Index(chromium, server)
    assert index.shown == f"{MANY + 1} / {MANY + 1}"
    assert len(index.column(0)) == 500
    index.find("#more").click()
    assert index.column(0) == [f"many.pgn:{number}" for number in range(1, MANY + 2)]
    assert not index.find("#more").is_displayed()


def test_games_are_searched_by_all_that_is_known_of_them(index: Index) -> None:
    for text in ("lü zhao", "cup 杭州", "2020", "屏风马", "C42", "perpetually"):
        index.find("#search").fill(text)
        assert index.column(0) == [f"many.pgn:{COUNT + 1}"], text
        assert index.shown == f"1 / {COUNT + 1}"
    assert index.column(5) == ["Ｃup of 杭州"]
    assert index.column(7) == ["4"]
    index.find("#search").fill("<nothing>")
    assert index.column(0) == []


def test_games_are_sorted_by_each_column_both_ways(index: Index) -> None:
    index.find("thead th:nth-child(8) button").click()
    rounds = index.column(7)
    assert rounds == sorted(rounds)
    assert index.find("thead th:nth-child(8)").get_attribute("aria-sort") == "ascending"
    index.find("thead th:nth-child(8) button").click()
    assert index.column(7)[:2] == ["4", "3"]
    index.choose("#sort", "Date")
    assert index.column(6)[:2] == ["2020.01.02", "1999"]
    index.find("#downwards").click()
    dates = index.column(6)
    assert dates == sorted(dates)
    assert dates[0] == "1910"


def test_one_result_or_reason_is_chosen_and_kept_over_a_look_at_a_game(index: Index) -> None:
    index.choose("[data-column='3']", "perpetual check")
    assert index.column(2) == ["0-1"]
    index.find("#games tbody a").click()
    index.wait(lambda: f"{COUNT + 1:06}.html" in index.driver.current_url)
    index.driver.back()
    index.wait(lambda: index.shown == f"1 / {COUNT + 1}")
    assert index.column(2) == ["0-1"]
    index.choose("[data-column='3']", "not decided")
    index.choose("[data-column='2']", "0-1")
    assert index.column(0) == []
    assert read_log(index.driver) == []


def test_words_are_not_broken_on_a_tablet(index: Index) -> None:
    lines = "return document.querySelector('#games td:nth-child(6) bdi').getClientRects().length"
    with window(index, 820, 1180):
        assert index.column(5)[0] == "Championship"
        assert index.run(lines) == 1


def test_the_list_is_read_on_a_phone(index: Index) -> None:
    excess = "return document.documentElement.scrollWidth - document.documentElement.clientWidth"
    with window(index, 400, 800):
        assert index.run(excess) <= 0
        assert index.find("#search").is_displayed()
