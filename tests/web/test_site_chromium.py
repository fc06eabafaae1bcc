"""The site in headless Chromium: the package itself runs there, and no server answers."""

from __future__ import annotations

import functools
import json
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.support.devtools import Chromium
from tests.support.play_page import Page, needs_driver, read_log
from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.referee.rules import RULE_SETS
from xiangqi.web.serve.messages import voice_of
from xiangqi.web.serve.positions import describe_ruling
from xiangqi.words.voice import PAGE_VOICE

ROOT = Path(__file__).parents[2]
HAS_PARTS = bool(find_spec("ziglang")) and (ROOT / "build/npm/node_modules/pyodide").exists()
CYCLE = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
SIGNATURE = 147846
LONG = 100

pytestmark = [
    pytest.mark.long,
    needs_driver,
    pytest.mark.skipif(
        not HAS_PARTS, reason="zig (PyPI) or Pyodide (npm, fetched by dev.py) is not there"
    ),
]


ASKED: list[str] = []
"""All paths that the browser requested."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        ASKED.append(self.path)


class _Files(ThreadingHTTPServer):
    """Plain web server for static files."""

    daemon_threads = True
    folder: Path

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Files]:
    from tools.site import make_site

    site = tmp_path_factory.mktemp("site")
    make_site(site)
    handler = functools.partial(_Quiet, directory=str(site))
    with _Files(("127.0.0.1", 0), handler) as running:
        running.folder = site
        threading.Thread(target=running.serve_forever, args=(0.01,)).start()
        yield running
        running.shutdown()


@pytest.fixture
def page(chromium: Chromium, server: _Files) -> Page:
    """The board with a new game. The referee takes its seconds to load, once for all tests."""
    page = Page(chromium, server, patience=60)
    if chromium.current_url != f"{server.address}index.html":
        page.open("index.html")
    page.choose("#engine", "nobody")
    page.choose("#rules", "wxf")
    page.click("#new-game")
    page.wait(lambda: page.text("status") == "Red to move" and page.is_settled())
    return page


def test_the_site_is_light(server: _Files) -> None:
    """Without any compression by the web server."""
    sizes = [path.stat().st_size for path in server.folder.rglob("*.*")]
    assert 5_000_000 < sum(sizes) < 12_000_000


def test_every_case_is_ruled_and_the_bench_has_its_signature(
    chromium: Chromium, server: _Files
) -> None:
    read_log(chromium)
    page = Page(chromium, server, patience=120)
    chromium.get(f"{server.address}check-index.html")
    page.wait(lambda: page.find("#found").get_attribute("data-result"))
    found = json.loads(str(page.find("#found").get_attribute("data-result")))
    assert (found["passed"], found["cases"], found["rulings"]) == (192, 192, 6750)
    assert found["nodes"] == SIGNATURE
    assert str(SIGNATURE) in page.text("found")


def test_a_pasted_game_is_ruled_and_explained(page: Page) -> None:
    moves = "f0e0 e8f8 e0f0 f8e8 " * 2
    page.paste(f"position fen {CYCLE} - - 0 1 moves {moves}")
    page.wait(lambda: "Black wins" in page.text("status"))
    assert "checked perpetually" in page.text("status")
    assert "check" in str(page.find("#case").get_property("textContent"))
    page.choose("#rules", "all-draws")
    page.wait(lambda: "draw" in page.text("status").lower())


def test_the_engine_answers_a_move(page: Page) -> None:
    page.set_seconds("1.5")
    page.choose("#engine", "black")
    page.move("h2e2")
    page.wait(lambda: len(page.moves) == 2)
    depth = page.text("thought").partition("(")[2].partition(")")[0]
    assert int(depth) >= 8
    board = Board()
    for move in page.moves:
        board.push(board.parse_move(move))


def test_an_analysis_grows_while_one_steps_and_ends_when_it_is_switched_off(page: Page) -> None:
    """The worker has one thread: it answers other questions only if the search lets it."""
    page.click("#analyse")
    page.wait(lambda: page.all("#lines li"))
    first = page.text("depth")
    page.wait(lambda: page.text("depth") != first)
    page.move("h2e2")
    page.wait(lambda: page.is_settled() and page.all("#lines li"))
    assert page.text("analysis-note") == ""
    page.click("#analyse")
    page.wait(lambda: not page.find("#analysis").is_displayed())
    page.move("h9g7")
    page.wait(lambda: page.text("status") == "Red to move" and page.is_settled())


def test_a_game_is_reviewed_and_its_mistakes_are_tried_again(page: Page) -> None:
    page.paste("h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 e2e6 e7e3 b0c2 g7e6")
    page.wait(lambda: len(page.moves) == 10 and page.is_settled())
    page.choose("#review-nodes", "2000")
    page.click("#review-game")
    page.wait(lambda: page.all("#reviewed:not([hidden])"))
    assert page.text("train-red") == "Try 2 again"
    blunders = [move for move in page.moves if move.endswith("??")]
    assert blunders == ["C5+4??", "C5+4??", "H8+7??", "H7+5??"]
    page.click("#train-red")
    page.wait(lambda: "Find a better move" in page.text("task-text"))
    page.click("#task-solution")
    page.wait(lambda: page.text("task-said"))
    page.click("#task-end")


def test_puzzles_and_repetitions_are_there(page: Page) -> None:
    page.click("#puzzle-begin")
    page.wait(lambda: page.text("task-aside").startswith("rated"))
    page.wait(page.is_settled)
    page.click("#task-solution")
    page.wait(lambda: "The solution" in page.text("task-said"))
    page.click("#task-end")
    page.click("#cycle-begin")
    page.wait(lambda: page.all("#task-answers:not([hidden])") or page.text("task-text"))
    assert page.text("learn-error") == ""
    page.click("#task-end")


FOLLOW = """
const report = document.querySelector("iframe.report")?.contentDocument;
const link = report?.querySelector(arguments[0]);
link?.click();
return Boolean(link);
"""
"""Follow a link of the page of a file, which is in a frame, if it is there."""


def test_a_file_of_games_is_read_and_played_on_from(page: Page, files: Path) -> None:
    games = files / "games.pgn"
    games.write_text(f'[FEN "{CYCLE}"]\n\n1. f0e0 e8f8 2. e0f0 f8e8 3. f0e0 e8f8 *\n' * 2)
    page.load("#file", games)
    page.wait(lambda: len(page.all("#chapters button")) == 2)
    page.find("#chapters-pages").click()
    page.wait(lambda: page.all("iframe.report"))

    for link in ("table a", "a[href*='&game=']"):
        page.wait(functools.partial(page.run, FOLLOW, link))
    page.wait(lambda: len(page.moves) == 6)
    assert page.all("iframe.report") == []
    listed = str(page.find("#files").get_property("textContent"))
    assert listed.strip().startswith("games.pgn")


def test_site_requests_only_files_and_logs_nothing(page: Page) -> None:
    page.move("h2e2")
    assert "/worker.js" in ASKED
    assert not [path for path in ASKED if "/api" in path or "/games/" in path]
    assert [line for line in read_log(page.driver) if "favicon" not in line] == []


ASK = """
const [path, data, done] = arguments;
const { reach } = await import("./reach.js");
const begun = performance.now();
const answer = await reach(path, { method: "POST", body: JSON.stringify(data) });
const lines = (await answer.text()).trim().split("\\n");
done([performance.now() - begun, JSON.parse(lines.at(-1))]);
"""
"""Queries the application in the browser, past the page: the milliseconds, and the last word."""


def ask(page: Page, path: str, data: dict[str, Any], tries: int) -> tuple[float, dict[str, Any]]:
    """The quickest of some tries, as other work goes on here."""
    found = [page.answer(ASK, path, data) for _ in range(tries)]
    return min(((milliseconds, answer) for milliseconds, answer in found), key=lambda one: one[0])


def long_game() -> Board:
    """Random moves, and at the end pieces that go to and fro."""
    generator = Random(7)
    board = Board()
    while board.ply() < LONG - 12:
        board.push(generator.choice(list(board.legal_moves)))
    reds = list(board.legal_moves)
    board.push(reds[0])
    blacks = list(board.legal_moves)
    board.pop()
    backs = {move: Move(move.to_square, move.from_square) for move in (*reds, *blacks)}
    cycles = ((red, black, backs[red], backs[black]) for red, black in product(reds, blacks))
    for cycle in cycles:
        copy = board.copy()
        for move in cycle * 3:
            if move not in copy.legal_moves or copy.is_capture(move):
                break
            copy.push(move)
        else:
            return copy
    raise AssertionError("no piece can go to and fro")


@pytest.mark.parametrize("rules", ["wxf", "cxa2020"])
def test_a_long_game_is_ruled_as_elsewhere(page: Page, rules: str) -> None:
    """Print the duration under ``pytest -s``."""
    board = long_game()
    data = {"moves": [move.iccs() for move in board.move_stack], "rules": rules, "language": "en"}
    milliseconds, answer = ask(page, "api/ruling", data, 5)
    expected = describe_ruling(data, RULE_SETS[rules], voice_of(data, PAGE_VOICE))
    assert answer == json.loads(json.dumps(expected))
    assert answer["ruling"] is not None
    print(f"{board.ply()} plies ruled by {rules} in {milliseconds:.0f} ms")


def test_a_search_of_eight_plies(page: Page) -> None:
    """Print the duration under ``pytest -s``."""
    data = {"moves": ["h2e2", "h9g7", "h0g2"], "depth": 8}
    milliseconds, answer = ask(page, "api/analyse", data, 1)
    assert answer["depth"] >= 8
    assert answer["lines"]
    print(f"depth {answer['depth']} in {milliseconds:.0f} ms, {answer['nodes']} nodes")


def test_each_language_is_a_page_of_its_own(page: Page) -> None:
    page.click("#menu-language-open")
    page.click("#menu-language a[lang=zh]")
    page.wait(lambda: page.text("status") == "轮到红方走棋")


def test_a_second_visit_plays_without_a_network(page: Page, server: _Files) -> None:
    """The server is shut down, for this is the last test."""
    ready = "const [done] = arguments; navigator.serviceWorker.ready.then(() => done(true));"
    assert page.answer(ready)
    server.shutdown()
    server.server_close()
    page.open("index.html")
    page.wait(lambda: page.text("status") == "Red to move" and page.is_settled())
    page.paste(f"position fen {CYCLE} - - 0 1 moves {'f0e0 e8f8 e0f0 f8e8 ' * 2}")
    page.wait(lambda: "Black wins" in page.text("status"))
