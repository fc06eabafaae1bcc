"""The games of a file beside the board: the list, its search, and opening one of them."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.support.play_page import Page, has_moves, needs_driver, window
from tests.support.web_server import ask, get, serving, upload
from xiangqi.ground.texts import LANGUAGES
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.server import WebServer

EXAMPLES = Path(__file__).parents[2] / "examples/games.pgn"
MANY = "".join(f'[Red "A{i}"]\n[Black "B{i % 7}"]\n\n1. h2e2 *\n\n' for i in range(450))


def test_the_list_of_a_file_names_players_results_and_repetitions() -> None:
    with serving(Application(files=[str(EXAMPLES)])) as server:
        data = get(server, "/games/0/en/index.json").data
        assert (data["isRead"], data["problems"]) == (True, [])
        games = data["games"]
        assert games[0] == {
            "red": "Plum",
            "black": "Bamboo",
            "event": "Plum against Bamboo",
            "date": "2026.11.21",
            "result": "1/2-1/2",
            "rounds": 13,
            "repetition": True,
            "reason": "perpetual chase",
        }
        assert [one["repetition"] for one in games] == [True, False, True, True]


def test_unreadable_games_are_named_in_the_list(server: WebServer) -> None:
    body = b'[Red "A"]\n\n1. h2e2 h9h5 *\n\n[Red "B"]\n\n1. h2e2 *\n'
    place = upload(server, body)
    data = get(server, place.replace("index.html", "index.json")).data
    assert len(data["games"]) == 2
    assert "h5" in data["problems"][0]
    for language, words in (("zh", "走不到"), ("vi", "không thể đi đến"), ("en", "cannot reach")):
        found = get(server, place.replace("en/index.html", f"{language}/index.json")).data
        assert words in found["problems"][0]
    ask(server, "/api/close", file=int(place.split("/")[2]))


def shown(page: Page) -> list[str]:
    script = "return Array.from(document.querySelectorAll('#chapters b'), (b) => b.textContent)"
    return list(page.run(script))


def open_file(page: Page, path: Path) -> None:
    page.load("#file", path)
    page.wait(lambda: page.find("#chapters-dialog").is_displayed() and shown(page))


HAS_ROOM = """
const field = document.getElementById("chapters-search");
field.value = field.placeholder;
const hasRoom = field.scrollWidth <= field.clientWidth;
field.value = "";
return hasRoom;
"""
"""Is the field of the search wide enough for its placeholder?"""


@needs_driver
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_placeholder_of_the_search_is_not_cut_on_phones(page: Page) -> None:
    open_file(page, EXAMPLES)
    for width in (390, 360):
        with window(page, width, 844):
            assert page.run(HAS_ROOM), width


@needs_driver
@pytest.mark.parametrize("size", [(1440, 900), (1366, 650), (820, 1180), (390, 844)])
def test_a_file_of_games_is_a_list_beside_the_board(page: Page, size: tuple[int, int]) -> None:
    with window(page, *size):
        open_file(page, EXAMPLES)
        assert page.text("chapters-title") == "games.pgn"
        assert page.text("chapters-count") == "4 / 4"
        for part in ("#table", "#chapters button", "#chapters-search", "#chapters-close"):
            box = page.find(part).rect
            assert box["y"] >= 0, part
            assert box["y"] + min(box["height"], 40) <= size[1], part
        page.find("#chapters-repetition").click()
        page.wait(lambda: page.text("chapters-count") == "3 / 4")
        page.find("#chapters-repetition").click()
        page.find("#chapters-search").send_keys("bamboo 2026.11.22")
        page.wait(lambda: page.text("chapters-count") != "4 / 4")
        page.find("#chapters-search").fill("nobody")
        page.wait(lambda: page.text("chapters-count") == "0 / 4")


FAULTY = "".join(f'[Red "A{i}"]\n\n1. h2e2 h9h5 *\n\n' for i in range(5))
FIRST_IN_SIGHT = """
const list = document.querySelector("#chapters-dialog");
list.scrollTop = arguments[0];
const box = document.querySelector("#chapters li").getBoundingClientRect();
const at = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
return document.querySelector("#chapters li").contains(at);
"""
"""Can the first game of the list be pressed, after the dialog was scrolled?"""


@needs_driver
@pytest.mark.parametrize("size", [(360, 640), (844, 390), (390, 844)])
def test_games_of_a_faulty_file_are_in_reach_in_low_windows(
    page: Page, files: Path, size: tuple[int, int]
) -> None:
    faulty = files / "faulty.pgn"
    faulty.write_text(FAULTY, encoding="utf-8")
    with window(page, *size):
        open_file(page, faulty)
        page.wait(lambda: page.text("chapters-error"))
        height = page.run(
            "return document.querySelector('#chapters').getBoundingClientRect().height"
        )
        assert height > 100, "five games"
        assert page.run(FIRST_IN_SIGHT, 130)
        box = page.find("#chapters-close").rect
        assert box["y"] + box["height"] <= size[1]


@needs_driver
def test_a_game_of_the_list_opens_on_the_board_where_its_ruling_fell(page: Page) -> None:
    open_file(page, EXAMPLES)
    page.find("#chapters button").click()
    page.wait(partial(has_moves, page, 25))
    page.wait(lambda: page.find("#ruling").is_displayed())
    assert not page.find("#chapters-dialog").is_displayed()
    assert page.text("lower-name") == "Plum"
    page.find("#source").click()
    page.wait(lambda: page.find("#chapters-dialog").is_displayed())
    assert page.find("#chapters [aria-current]").text.startswith("1. Plum")


@needs_driver
def test_long_lists_are_drawn_in_parts_and_searched_as_a_whole(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "many.pgn"
    path.write_text(MANY)
    open_file(page, path)
    page.wait(lambda: page.text("chapters-count") == "450 / 450")
    assert len(shown(page)) == 200
    page.find("#chapters-more").click()
    page.wait(lambda: len(shown(page)) == 400)
    page.find("#chapters-search").send_keys("a449")
    page.wait(lambda: len(shown(page)) == 1)
    assert shown(page) == ["450. A449 \u2013 B1"]
    page.find("#chapters-search").clear()
    page.find("#chapters-result").send_keys("1-0")
    page.wait(lambda: page.text("chapters-count") == "0 / 450")


@needs_driver
def test_many_faults_leave_the_games_in_sight(page: Page, tmp_path: Path) -> None:
    path = tmp_path / "faults.pgn"
    path.write_text(MANY.replace("1. h2e2", "1. h2e2 h9h5"))
    open_file(page, path)
    page.wait(lambda: page.text("chapters-count") == "450 / 450")
    assert page.text("chapters-error").count("\n") == 449
    faults, games = page.find("#chapters-error").rect, page.find("#chapters").rect
    assert faults["height"] < games["height"] / 2


@needs_driver
def test_the_rulings_of_all_games_are_a_page_too(page: Page) -> None:
    open_file(page, EXAMPLES)
    page.find("#chapters-pages").click()
    page.wait(lambda: page.all("#games tbody tr"))
    assert len(page.all("#games tbody tr")) == 4
