"""The page with an opening book."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support import books as support
from tests.support.devtools import Chromium
from tests.support.play_page import Page, forgetting, has_moves, needs_driver, press_point
from tests.support.web_server import ask, get, serving, serving_pages
from xiangqi import Board, Move
from xiangqi.books import open_book
from xiangqi.books.making import Recipe
from xiangqi.cli.main import main
from xiangqi.games.tree import Game
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.server import WebServer

ROUND = "h0g2 h9g7 g2h0 g7h9".split()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    games = []
    for result, line in [("1-0", "h2e2 h9g7"), ("1/2-1/2", "h2e2"), ("0-1", " ".join(ROUND * 2))]:
        game = Game(headers={"Result": result, "ECCO": "C00", "Opening": "<b>中炮</b>"})
        game.add_line(map(Move.from_iccs, line.split()))
        games.append(game)
    return support.write_book(tmp_path / "a.obk", games, Recipe(min_games=1))


def test_a_position_has_the_moves_of_the_book(path: Path) -> None:
    with open_book(path) as book, serving(Application(book=book)) as server:
        found = ask(server, "/api/position", notation="chinese").data["book"]
        assert found["error"] is None
        assert found["moves"][1] == {
            "move": "h2e2",
            "name": "炮二平五",
            "weight": 3,
            "counts": [1, 1, 0],
            "note": "C00 <b>中炮</b>",
            "playable": True,
        }
        assert ask(server, "/api/position", moves=["a0a1"]).data["book"]["moves"] == []
        again = ask(server, "/api/position", moves=ROUND).data["book"]["moves"]
        assert {one["move"]: one["playable"] for one in again} == {
            "b2e2": True,
            "h2e2": True,
            "b0c2": True,
            "h0g2": False,
        }
        assert "Opening book" in get(server, "/").text


def test_damage_is_reported_and_the_page_lives_on(tmp_path: Path) -> None:
    path = support.write_book(tmp_path / "a.obk", support.random_games(41, 300))
    data = path.read_bytes()
    with open_book(path) as book, serving(Application(book=book)) as server:
        path.write_bytes(data[:4096] + b"\xa5" * (len(data) - 4096))
        answer = ask(server, "/api/position").data
        assert "found damage" in answer["book"]["error"]["message"]
        assert answer["position"] == Board().fen()


def test_without_a_book_there_is_none() -> None:
    with serving(Application()) as server:
        assert ask(server, "/api/position").data["book"] is None
        assert "Opening book" not in get(server, "/").text


def test_a_book_that_is_none_is_refused() -> None:
    result = CliRunner().invoke(main, ["serve", "--book", "none.obk", "--no-open"])
    assert result.exit_code == 2
    assert "cannot use the book 'none.obk': found no file" in result.stderr


def test_no_book_loads_no_sqlite() -> None:
    program = "import sys, xiangqi.cli.serve; print('sqlite3' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n"


@needs_driver
def test_a_move_of_the_book_is_played_by_a_click(path: Path, chromium: Chromium) -> None:
    with open_book(path) as book, serving_pages(book=book) as server:
        page = Page(chromium, server)
        with forgetting(chromium):
            page.open()
        page.click("#tab-analyse")
        page.wait(lambda: len(page.all("#book tbody tr")) == 4)
        rows = [row.text for row in page.all("#book tbody tr")]
        assert rows[1].split() == ["C2.5", "3", "1", "1", "0", "C00", "<b>中炮</b>"]
        page.all("#book button")[1].click()
        page.wait(lambda: page.moves == ["C2.5"])
        page.settle()
        assert [row.text.split()[0] for row in page.all("#book tbody tr")] == ["H8+7"]
        page.move("h9i7")
        assert page.text("no-book-moves") == "No book move for this position."
        assert not page.find("#book").is_displayed()
        page.open("?lang=zh")
        assert "开局库" in page.find("body").text


def test_an_opening_is_named_and_the_own_games_of_the_package_go_on(server: WebServer) -> None:
    found = ask(server, "/api/opening", moves=["g0e2"], lang="zh").data
    assert found["opening"] == "A10 飞相局"
    best = found["book"]["moves"][0]
    assert best["weight"] == sum(best["counts"]) > 5
    assert best["note"].startswith("A")
    away = ask(server, "/api/opening", fen="4k4/9/9/9/9/9/9/9/9/R4K3 w").data
    assert away == {"opening": "", "book": {"moves": [], "error": None}}


@needs_driver
def test_the_page_names_the_opening_and_plays_moves_of_the_own_games(page: Page) -> None:
    page.move("h2e2")
    page.wait(lambda: page.text("opening") == "B00 Central cannon")
    page.reveal("#book")
    page.wait(lambda: "B05" in page.text("book"))
    page.click("#book tbody button")
    page.wait(lambda: len(page.moves) == 2)
    page.click("#first")
    page.wait(lambda: page.text("opening") == "")


@needs_driver
def test_a_book_move_pressed_twice_is_played_once(page: Page) -> None:
    page.reveal("#book")
    page.wait(lambda: page.all("#book tbody button"))
    page.run("""const button = document.querySelector("#book tbody button");
        button.click();
        button.click();""")
    page.settle()
    assert len(page.moves) == 1
    assert page.text("error") == ""


@needs_driver
def test_a_book_move_is_played_in_another_game_with_the_same_position(page: Page) -> None:
    page.reveal("#book")
    page.wait(lambda: page.all("#book tbody button"))
    page.run("document.getElementById('new-game').click()")
    page.settle()
    page.click("#book tbody button")
    page.wait(partial(has_moves, page, 1))


@needs_driver
def test_a_book_move_is_played_though_the_page_is_drawn_while_it_is_pressed(page: Page) -> None:
    page.reveal("#book")
    page.wait(lambda: page.all("#book tbody button"))
    box = page.find("#book tbody button").rect
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    press_point(page, "mousePressed", x, y)
    page.type("f")
    page.answer("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    press_point(page, "mouseReleased", x, y)
    page.wait(partial(has_moves, page, 1))
