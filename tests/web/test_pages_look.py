"""The pages of a report as a reader sees them: variations, a narrow window, Chinese."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.support.devtools import Chromium
from tests.support.play_page import board_after, needs_driver, pieces_of
from tests.support.web_server import get, serving, upload
from xiangqi.casebook.cases import find_case, load_cases
from xiangqi.casebook.verify import verify_cases
from xiangqi.drawing.arrows import glyph_path
from xiangqi.games.arbiter import rule_game
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game
from xiangqi.ground.texts import Language
from xiangqi.referee.rules import WXF
from xiangqi.web.pages.game_page import make_game_page, render_game
from xiangqi.web.pages.site import SiteReport
from xiangqi.words.voice import PAGE_VOICE, Voice

ANNOTATED = """[Red "A"]
[Black "B"]

1. h2e2 h9g7 (1... b9c7 {<b>aside} 2. h0g2 (2. b0c2 $2 h9g7) 2... a9a8) (1... g6g5)
2. h0g2 i9h9 *
"""
SIMPLIFIED, TRADITIONAL = "帅仕相马车炮兵将士象卒", "帥傌俥將馬車砲"


def read() -> Game:
    (game,) = read_games(io.BytesIO(ANNOTATED.encode()))
    return game


def render(lang: Language = "en") -> str:
    return render_game(
        make_game_page(read(), rule_game(read()), WXF, replace(PAGE_VOICE, language=lang))
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report with an annotated game, and one with a case of the rule book."""
    folder = tmp_path_factory.mktemp("report")
    pgn = folder / "games.pgn"
    pgn.write_text(ANNOTATED, encoding="utf-8")
    list(SiteReport(folder / "games").write_games([str(pgn)]))
    list(
        SiteReport(folder / "cases", Voice("zh")).write_cases(
            verify_cases([find_case("D18a", load_cases())])
        )
    )
    return folder


@pytest.fixture
def phone(chromium: Chromium) -> Iterator[Chromium]:
    """A window of 360 pixels."""
    with chromium.tools.window(360, 800):
        yield chromium


def texts(driver: Chromium, selector: str) -> list[str]:
    return [element.text for element in driver.find_elements(By.CSS_SELECTOR, selector)]


# Variations


def test_variations_stand_below_the_moves_that_they_replace() -> None:
    page = make_game_page(read(), rule_game(read()), WXF, PAGE_VOICE)
    lines = {ply: ["".join(word.text for word in line) for line in lines]
             for ply, lines in page.variations.items()}  # fmt: skip
    assert lines == {
        2: ["(1... H2+3 <b>aside 2. H2+3 (2. H8+7? H8+7) 2... R1+1)", "(1... P7+1)"],
    }
    assert "&lt;b&gt;aside" in render()
    assert "(1... " in render("zh")
    assert "卒７进１" in render("zh")


def test_every_position_of_a_variation_has_its_frame() -> None:
    page = make_game_page(read(), rule_game(read()), WXF, PAGE_VOICE)
    game = read()
    assert len(page.frames) == len(list(game.nodes()))
    lines = [page.frames[0]["fen"]]
    for line in (["h2e2", "b9c7", "b0c2", "h9g7"], ["h2e2", "g6g5"]):
        lines += [board_after(*line[:count]).fen() for count in range(1, len(line) + 1)]
    assert {frame["fen"] for frame in page.frames} >= set(lines)


@needs_driver
def test_a_variation_is_stepped_through(chromium: Chromium, folder: Path) -> None:
    chromium.get((folder / "games" / "000001.html").as_uri())

    def pieces() -> dict[str, str]:
        script = """return Array.from(document.querySelectorAll("#board use.piece"),
            (use) => [use.dataset.square, use.dataset.piece])"""
        return dict(chromium.tools.run(script))

    def after(*moves: str) -> dict[str, str]:
        return pieces_of(board_after(*moves).fen())

    chromium.find_element(By.LINK_TEXT, "H8+7?").click()
    assert pieces() == after("h2e2", "b9c7", "b0c2")
    assert texts(chromium, "#moves [aria-current]") == ["H8+7?"]
    assert texts(chromium, "#where") == ["3 / 4"]
    body = chromium.find_element(By.TAG_NAME, "body")
    body.send_keys(Keys.ARROW_RIGHT)
    assert pieces() == after("h2e2", "b9c7", "b0c2", "h9g7")
    body.send_keys(Keys.ARROW_RIGHT)
    assert pieces() == after("h2e2", "b9c7", "b0c2", "h9g7"), "the variation ends there"
    body.send_keys(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_RIGHT)
    assert pieces() == after("h2e2", "b9c7", "h0g2"), "the first variation goes on"
    body.send_keys(*[Keys.ARROW_LEFT] * 2)
    assert pieces() == after("h2e2")
    body.send_keys(Keys.END)
    assert pieces() == after("h2e2", "h9g7", "h0g2", "i9h9")
    chromium.get((folder / "games" / "000001.html").as_uri() + "#frame=5")
    assert pieces() == after("h2e2", "b9c7"), "it has an address"


# A narrow window


@needs_driver
@pytest.mark.parametrize("name", ["games", "cases"])
def test_the_index_is_a_readable_list_on_a_phone(phone: Chromium, folder: Path, name: str) -> None:
    phone.get((folder / name / "index.html").as_uri())
    script = "return [document.documentElement.scrollWidth, innerWidth]"
    assert phone.tools.run(script) == [360, 360]
    assert phone.tools.run(
        "const list = document.querySelector('.scroll'); return list.scrollWidth - list.clientWidth"
    ) == 0, "nothing is hidden at its side"  # fmt: skip
    cells = phone.find_elements(By.CSS_SELECTOR, "#games tbody tr:first-child td")
    assert len(cells) == (9 if name == "games" else 5)
    tops = [cell.rect["y"] for cell in cells]
    assert tops == sorted(set(tops)), "one below the other"
    assert min(cell.rect["width"] for cell in cells) > 300
    label = "return getComputedStyle(arguments[0], '::before').content"
    labels = [phone.execute_script(label, cell) for cell in cells[2:]]
    assert labels[1] == ('"Ruled: "' if name == "games" else '"裁决："')


@needs_driver
@pytest.mark.parametrize("name", ["games/000001.html", "cases/D18a.html"])
def test_no_move_is_broken_in_the_middle(phone: Chromium, folder: Path, name: str) -> None:
    phone.get((folder / name).as_uri())
    phone.find_element(By.ID, "names").click()
    script = """return Array.from(document.querySelectorAll("#moves .move"),
        (move) => [move.textContent, move.getClientRects().length])"""
    moves = dict(phone.tools.run(script))
    assert len(moves) > 10
    assert set(moves.values()) == {1}


LOOK = """
const sizes = (one) => one.getBoundingClientRect();
const board = sizes(document.querySelector("svg.board"));
const moves = sizes(document.getElementById("moves"));
return {board: [board.top, board.right, board.bottom], moves: [moves.left, moves.top],
        page: [document.documentElement.scrollWidth, innerWidth, innerHeight]};
"""


@needs_driver
def test_the_moves_are_beside_the_board_on_a_wide_screen(chromium: Chromium, folder: Path) -> None:
    with chromium.tools.window(1440, 900):
        chromium.get((folder / "cases" / "D18a.html").as_uri())
        look = chromium.tools.run(LOOK)
        chromium.tools.run("document.querySelector('#moves tr:last-child').scrollIntoView()")
        below = chromium.tools.run(LOOK)
    assert look["board"][1] < look["moves"][0]
    assert look["board"][2] < look["page"][2], "the whole board is in the window"
    assert below["board"][0] >= 0, "and stays there while the moves scroll"
    assert below["board"][2] < below["page"][2]


PAPER = """
const sizes = (one) => one.getBoundingClientRect();
const view = document.querySelector(".view");
const margin = parseFloat(getComputedStyle(view).marginBottom);
const rows = [...document.querySelectorAll("#moves tr")].map(sizes);
const isShown = (one) => getComputedStyle(one).display !== "none";
return {view: [sizes(view).left, sizes(view).bottom + margin],
        rows: rows.map(({ right, top }) => [right, top]),
        shown: [...document.querySelectorAll("nav, .controls")].filter(isShown).length,
        ground: getComputedStyle(document.body).backgroundColor};
"""


@needs_driver
def test_on_paper_the_moves_are_beside_the_board_and_below_it(
    chromium: Chromium, folder: Path
) -> None:
    with chromium.tools.window(690, 1000):
        chromium.tools.call("Emulation.setEmulatedMedia", media="print")
        try:
            chromium.get((folder / "cases" / "D18a.html").as_uri())
            paper = chromium.tools.run(PAPER)
            chromium.get((folder / "games" / "index.html").as_uri())
            excess = chromium.tools.run("return document.documentElement.scrollWidth - innerWidth")
        finally:
            chromium.tools.call("Emulation.setEmulatedMedia", media="")
    left, bottom = paper["view"]  # with some fonts a row begins just above the bottom
    beside = [right for right, top in paper["rows"] if top < bottom - 1]
    below = [right for right, top in paper["rows"] if top > bottom + 1]
    assert max(beside) <= left < min(below), "rows below the board are as wide as the paper"
    assert (paper["shown"], paper["ground"]) == (0, "rgb(255, 255, 255)")
    assert excess <= 0, "no column of the list of games is cut"


@needs_driver
def test_the_board_stays_in_sight_on_a_phone(phone: Chromium, folder: Path) -> None:
    phone.get((folder / "games" / "000001.html").as_uri())
    phone.find_element(By.ID, "last").click()
    look = phone.tools.run(LOOK)
    assert look["page"][0] <= look["page"][1], "nothing is hidden at its side"
    assert 0 <= look["board"][0] < look["board"][2] < look["page"][2]
    cell = phone.tools.run(
        "const {top, bottom} = document.querySelector('#moves [aria-current]')"
        ".getBoundingClientRect(); return [top, bottom]"
    )
    assert look["board"][2] <= cell[0] < cell[1] <= look["page"][2], "and so does the move"


@needs_driver
def test_the_files_of_the_board_have_the_names_that_the_moves_use(
    chromium: Chromium, folder: Path
) -> None:
    """WXF counts the files from the right of each side; squares are named by letters."""
    labels = "return document.querySelector('#board use:nth-of-type(2)').getAttribute('href')"
    chromium.get((folder / "games" / "000001.html").as_uri())
    assert chromium.find_element(By.ID, "move-1").text.startswith("C2.5")
    assert chromium.tools.run(labels) == "#labels-red-wxf"
    chromium.find_element(By.ID, "flip").click()
    assert chromium.tools.run(labels) == "#labels-black-wxf"
    page = folder / "games" / "squares.html"
    page.write_text(render_game(make_game_page(read(), rule_game(read()), WXF, Voice())), "utf-8")
    chromium.get(page.as_uri())
    assert chromium.find_element(By.ID, "move-1").text.startswith("h2e2")
    assert chromium.tools.run(labels) == "#labels-red"


# Chinese


def drawn(page: str, characters: str) -> set[str]:
    return {character for character in characters if glyph_path(character) in page}


def test_chinese_words_and_pieces_have_the_same_characters(folder: Path) -> None:
    case = (folder / "cases" / "D18a.html").read_text(encoding="utf-8")
    with serving() as server:
        location = upload(server, ANNOTATED.encode(), lang="zh")
        game = get(server, location.replace("index", "000001")).text
        board = get(server, "/?lang=zh").text
    board = re.sub(r'<g id="traditional-\w">.*?</g>', "", board)  # pieces to choose instead
    for page in (case, game, board, render("zh")):
        assert drawn(page, SIMPLIFIED) == set(SIMPLIFIED)
        assert drawn(page, TRADITIONAL) == set()
        assert not set("俥傌車馬砲帥將") & set(page)


def test_the_pieces_of_a_report_can_be_chosen() -> None:
    page = make_game_page(read(), rule_game(read()), WXF, Voice("zh"))
    assert drawn(render_game(page, lettering="traditional"), TRADITIONAL) == set(TRADITIONAL)
    assert drawn(render("en"), TRADITIONAL) == set(TRADITIONAL)
