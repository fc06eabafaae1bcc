"""The report in headless Chromium, opened from the folder as a reader does."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver

from tests.support.browser import dump_dom, take_picture, text_of
from tests.support.play_page import needs_driver
from xiangqi import STARTING_FEN, Move, parse_fen
from xiangqi.casebook.cases import Case, find_case, load_cases
from xiangqi.casebook.verify import verify_cases
from xiangqi.drawing.svg import CELL, View, board_svg
from xiangqi.games.arbiter import rule_game
from xiangqi.games.tree import Game
from xiangqi.ground.texts import Language
from xiangqi.pieces import square_file, square_rank
from xiangqi.referee.rules import WXF
from xiangqi.web.pages.game_page import make_game_page, render_game
from xiangqi.web.pages.render import static_files
from xiangqi.web.pages.site import SiteReport
from xiangqi.words.voice import Voice

pytestmark = needs_driver

CASES = [find_case(name, load_cases()) for name in ("D18a", "D1a")]


def write_cases(folder: Path, lang: Language = "en") -> Path:
    list(SiteReport(folder, Voice(lang)).write_cases(verify_cases(CASES)))
    return folder


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_cases(tmp_path_factory.mktemp("report") / "out")


def pieces_of(dom: str) -> dict[str, str]:
    """The pieces on the board by their squares."""
    found = re.findall(r'<use [^>]*class="piece" data-square="(\w\d)" data-piece="(\w)"', dom)
    assert len(found) == dom.count('class="piece"')
    return dict(found)


def arrows_of(dom: str) -> set[tuple[str, str, str]]:
    pattern = r'<g class="arrow"[^>]*data-kind="(\w+)" data-from="(\w\d)" data-to="(\w\d)"'
    return set(re.findall(pattern, dom))


def pieces_after(case: Case, plies: int) -> dict[str, str]:
    from xiangqi.pieces import square_name

    board = case.play_until(3)
    while board.ply() > plies:
        board.pop()
    return {square_name(square): piece.symbol() for square, piece in board.piece_map().items()}


def test_a_page_shows_the_ply_of_its_address(chromium: webdriver.Chrome, report: Path) -> None:
    dom = dump_dom(chromium, report / "D18a.html", "#ply=5")
    assert pieces_of(dom) == pieces_after(CASES[0], 5)
    assert len(pieces_of(dom)) == 31
    assert arrows_of(dom) == {
        ("chase", "f3", "d3"),
        ("attack", "c6", "c7"),
        ("protection", "h7", "c7"),
    }
    assert text_of(dom, "where") == "5 / 11"
    assert "Black wins: Red chased the black chariot on d7" in text_of(dom, "verdict")
    assert re.search(r'<td id="move-5"[^>]*aria-current="true"', dom)
    assert "<title>chase: f3-d3</title>" in dom


def test_a_page_begins_with_the_cycle(chromium: webdriver.Chrome, report: Path) -> None:
    dom = dump_dom(chromium, report / "D1a.html")
    first = int(re.search(r'id="to-cycle" data-ply="(\d+)"', dom)[1])  # type: ignore[index]
    assert text_of(dom, "where").startswith(f"{first} / ")
    assert pieces_of(dom) == pieces_after(CASES[1], first)
    assert {kind for kind, _, _ in arrows_of(dom)} >= {"check"}


PROBE = """
const log = {};
const note = (name) => {
  log[name] = document.querySelector("svg.board").dataset.ply;
};
const press = (key) => document.dispatchEvent(new KeyboardEvent("keydown", { key }));
const click = (selector) => document.querySelector(selector).click();
addEventListener("load", () => {
  note("start");
  click("#first"); note("first");
  click("#on"); note("on");
  press("ArrowRight"); note("right");
  press("ArrowLeft"); note("left");
  press("End"); note("end");
  click("#back"); note("back");
  press("Home"); note("home");
  click("#last"); note("last");
  click("#move-7"); note("row");
  const slider = document.querySelector("#slider");
  slider.value = 3;
  slider.dispatchEvent(new Event("input")); note("slider");
  log.hash = location.hash;
  click("#to-cycle"); note("cycle");
  const box = (selector) => {
    const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
    return [x, y, width, height];
  };
  click("#move-5");
  log.piece = box('[data-square="e0"]');
  log.board = box("svg.board");
  log.tail = box('[data-square="f3"]');
  log.head = box('[data-square="d3"]');
  log.arrow = box('.arrow[data-from="f3"][data-to="d3"]');
  const uses = [...document.querySelectorAll("svg.board use")];
  log.unseen = uses.filter((use) => !use.getBoundingClientRect().width).length;
  log.ground = box('svg.board use[href="#empty-board"]');
  click("#flip");
  log.flipped = box('[data-square="e0"]');
  const { scrollWidth, clientWidth } = document.documentElement;
  log.sideways = scrollWidth - clientWidth;
  const result = document.createElement("pre");
  result.id = "probe";
  result.textContent = JSON.stringify(log);
  document.body.append(result);
});
"""


@pytest.fixture(scope="module")
def log(chromium: webdriver.Chrome, report: Path) -> dict[str, Any]:
    """Facts that a script finds which uses every control of the page as a reader does.

    It is a file of the folder, since the page runs no script that stands in the page itself.
    """
    page = report / "D18a.html"
    (report / "probe.js").write_text(PROBE, encoding="utf-8")
    text = page.read_text(encoding="utf-8")
    probed = page.with_name("probed.html")
    probed.write_text(
        text.replace("</head>", '<script src="probe.js" defer></script></head>'), "utf-8"
    )
    found: dict[str, Any] = json.loads(text_of(dump_dom(chromium, probed), "probe"))
    return found


def test_all_controls_step_through_the_game(log: dict[str, Any]) -> None:
    expected = {
        "start": 4, "first": 0, "on": 1, "right": 2, "left": 1, "end": 11, "back": 10,
        "home": 0, "last": 11, "row": 7, "slider": 3, "cycle": 4,
    }  # fmt: skip
    assert {name: int(log[name]) for name in expected} == expected
    assert log["hash"] == "#ply=3"
    assert log["sideways"] == 0


def test_pieces_are_seen_where_they_stand(log: dict[str, Any]) -> None:
    left, top, width, height = log["board"]
    assert width > 200
    for name, row in (("piece", 0.9), ("flipped", 0.1)):
        x, y, piece_width, piece_height = log[name]
        assert 0.07 * width < piece_width < 0.12 * width
        assert abs(x + piece_width / 2 - left - width / 2) < 2, "in the middle file"
        assert abs(y + piece_height / 2 - top - row * height) < 0.02 * height
    assert log["unseen"] == 0
    assert log["ground"] == pytest.approx(log["board"], abs=2)


def test_an_arrow_lies_between_its_squares(log: dict[str, Any]) -> None:

    def middle(name: str) -> tuple[float, float]:
        x, y, width, height = log[name]
        return x + width / 2, y + height / 2

    x, y, width, height = log["arrow"]
    assert middle("head")[0] < x < x + width < middle("tail")[0]
    assert width > 0.6 * (middle("tail")[0] - middle("head")[0])
    assert y < middle("head")[1] < y + height
    assert height < log["tail"][3]


def test_the_page_runs_no_script_of_a_record(chromium: webdriver.Chrome, tmp_path: Path) -> None:
    alarm = (
        "<script>document.title='caught'</script><img src=x onerror=\"document.title='caught'\">"
    )
    game = Game(headers={"Red": alarm, "Black": "</title>" + alarm})
    game.root.comment = "</script>" + alarm
    game.add_line([Move.from_iccs("h2e2")]).comment = "--></p>" + alarm
    page = tmp_path / "page.html"
    text = render_game(make_game_page(game, rule_game(game), WXF, Voice()))
    page.write_text(text, encoding="utf-8")
    for name, content in static_files():
        (tmp_path / name).write_bytes(content)
    dom = dump_dom(chromium, page, "#ply=1")
    assert "<title>caught</title>" not in dom
    assert "<img" not in dom
    assert unescape(dom).count(alarm) >= 5
    assert len(pieces_of(dom)) == 32


def test_a_page_in_chinese(chromium: webdriver.Chrome, tmp_path: Path) -> None:
    dom = dump_dom(chromium, write_cases(tmp_path / "out", "zh") / "D18a.html", "#ply=7")
    assert '<html lang="zh">' in dom
    assert text_of(dom, "verdict") == "黑胜：红方长捉黑方４路前车，黑方闲，红方不变判负"
    assert "红方须停止捉黑方４路前车" in dom
    assert "<title>捉</title>" in dom
    assert text_of(dom, "now").startswith("4 红方 炮四进四")


def test_pieces_show_without_any_font(tmp_path: Path) -> None:
    """With no font at all the names of files and ranks are gone, the characters are there."""
    fonts = tmp_path / "fonts.conf"
    fonts.write_text("<?xml version='1.0'?><fontconfig></fontconfig>", encoding="utf-8")
    setup = parse_fen(STARTING_FEN)
    view = View.with_labels(True)
    size = int(view.width), int(view.height)
    page = tmp_path / "board.html"
    drawing = board_svg(setup, size=size[0])
    page.write_text(f"<!doctype html><body style='margin:0'>{drawing}", encoding="utf-8")
    variables = {"FONTCONFIG_FILE": str(fonts)}
    picture = take_picture(page, tmp_path / "profile", (size[0], size[1] + 100), variables)

    def darkness(x: float, y: float, radius: int) -> float:
        """Share of dark or red pixels around a point."""
        left, top, side = int(x) - radius, int(y) - radius, 2 * radius + 1
        green = picture.getchannel("G").crop((left, top, left + side, top + side)).tobytes()
        return sum(value < 110 for value in green) / len(green)

    for square, piece in setup.piece_map().items():
        x, y = view.centre(square)
        assert darkness(x, y, 14) > 0.15, (square_file(square), square_rank(square), piece)
    assert darkness(view.margin, view.margin - CELL * 0.7, 8) == 0, "no name of the file a"
