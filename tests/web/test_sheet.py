"""The ruling sheet: what is on it, that it needs nothing else, and that it fits on one page."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from html import unescape
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from selenium import webdriver

from tests.support.browser import count_printed_pages
from tests.support.play_page import needs_driver
from xiangqi import Move
from xiangqi.casebook.cases import find_case, load_all_cases
from xiangqi.cli.main import main
from xiangqi.games.arbiter import rule_game
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game
from xiangqi.ground.texts import LANGUAGES, Language
from xiangqi.referee.explanation import explain
from xiangqi.web.pages.sheet import RulingSheet, render_sheet
from xiangqi.words.voice import Voice

EXAMPLES = Path(__file__).parents[2] / "examples"
HOSTILE = "</style><script>alert(1)</script>\"'><img src=x>"
BOTH_SIDES = """\
[FEN "2bakab2/6c2/2C3c2/p1N1p3p/1R1P5/5r3/P2CP1n1P/4B1p2/4A4/4KAB2 w"]

1. b5b8 f9e8 2. c7c8 e8f9 3. c8c7 f9e8 4. c7c8 e8f9 5. c8c7 f9e8 *
"""
"""Case V14a of the rule book."""


def game_of_examples(number: int = 0) -> Game:
    return list(read_games(EXAMPLES / "games.pgn"))[number]


def sheet_of(game: Game, language: Language = "en") -> RulingSheet:
    return RulingSheet(game, rule_game(game), Voice(language, with_board=True))


def texts_of(html: str, tag: str) -> list[str]:
    """Texts of all elements of a kind, without markup."""
    found = re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}>", html, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", one).split()) for one in found]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["judge", *arguments])


def test_a_sheet_has_record_verdict_diagrams_and_cycle() -> None:
    html = render_sheet(sheet_of(game_of_examples()))
    facts = dict(zip(texts_of(html, "dt"), texts_of(html, "dd"), strict=True))
    assert facts == {
        "Event": "Plum against Bamboo",
        "Round": "1",
        "Date": "2026.11.21",
        "Red": "Plum",
        "Black": "Bamboo",
        "Recorded": "1/2-1/2",
    }
    assert "after round 13, Red: Black wins: Red chased" in html
    assert texts_of(html, "figcaption") == [
        "The cycle began after round 9, Red",
        "The ruling fell after round 13, Red",
    ]
    assert html.count("<svg ") == 2
    assert "chase: a2 to c3" in html, "the second diagram has the arrow of the last chase"
    assert "Rules: World Xiangqi Rules (wxf)" in html
    cells = texts_of(html, "td")
    moves = [cells[start : start + 4] for start in range(0, len(cells), 5)]
    assert moves == [
        ["9 and 11", "Black", "R3.4", "idle"],
        ["10 and 12", "Red", "H9-7", "chase"],
        ["10 and 12", "Black", "R4.3", "chase"],
        ["11 and 13", "Red", "H7+9", "chase"],
    ]
    assert re.findall(r'id="signers">.*', html, re.DOTALL)[0].count("<p>") == 3


def test_a_chinese_sheet_has_chinese_texts_and_file_numbers() -> None:
    html = render_sheet(sheet_of(game_of_examples(), "zh"))
    assert texts_of(html, "h1") == ["裁决单"]
    assert "马九退七" in texts_of(html, "td")
    assert not re.search("[a-z]{4,}", " ".join(texts_of(html, "td")))


def test_the_last_offending_move_is_drawn_if_the_last_move_is_idle() -> None:
    game = Game("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1")
    moves = "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8".split()
    game.add_line(map(Move.from_iccs, moves))
    sheet = sheet_of(game)
    assert [one.caption for one in sheet.diagrams] == [
        "The cycle began in the first position",
        "The last offending move: round 4, Red, R5.4 (check)",
    ]
    assert sheet.facts[3:] == [("Red", ""), ("Black", ""), ("Recorded", "")]


def test_equal_moves_are_joined_only_if_their_evidence_is_equal() -> None:
    ruling = rule_game(game_of_examples()).ruling
    assert ruling is not None
    joined = explain(ruling).cycle
    assert [one.plies for one in joined] == [(17, 21), (18, 22), (19, 23), (20, 24)]
    assert sum(len(one.plies) for one in joined) == len(ruling.plies)


def test_open_questions_that_decide_are_named() -> None:
    case = find_case("D16", load_all_cases())
    board = case.play_until(3)
    game = Game(board.root_fen())
    game.add_line(board.move_stack)
    sheet = RulingSheet(game, rule_game(game, "cxa1999"), Voice())
    found = sheet.explanation
    assert found is not None
    assert len(found.doubts) == len(found.ruling.questions) == 2
    assert str(found.doubts[0]) in texts_of(render_sheet(sheet), "li")


def test_a_game_without_a_cycle_has_one_diagram() -> None:
    game = Game()
    sheet = sheet_of(game)
    assert [one.caption for one in sheet.diagrams] == ["in the first position"]
    assert "<table" not in render_sheet(sheet)


def test_headers_of_a_record_are_escaped() -> None:
    game = game_of_examples()
    game.headers["Event"] = game.headers["Red"] = HOSTILE
    html = render_sheet(sheet_of(game))
    assert "<script" not in html
    assert "<img" not in html


def test_the_policy_of_the_file_allows_its_own_style_only() -> None:
    html = unescape(render_sheet(sheet_of(game_of_examples())))
    (style,) = re.findall(r"<style>(.*?)</style>", html, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in html
    assert not re.search(r"(src|href)=", html), "nothing is loaded"


def test_judge_writes_the_sheet_of_a_file_a_case_and_pasted_moves(tmp_path: Path) -> None:
    path = tmp_path / "sheet.html"
    assert run(str(EXAMPLES / "chariot.xqf"), "--sheet", str(path)).exit_code == 0
    assert "Bamboo" in path.read_text(encoding="utf-8")
    done = run("--case", "V14a", "--sheet", str(path))
    assert (done.exit_code, "use --force" in done.output) == (2, True)
    assert run("--case", "V14a", "--sheet", str(path), "--force", "--lang", "zh").exit_code == 0
    assert "裁决单" in path.read_text(encoding="utf-8")
    pasted = '[Red "Plum"]\n1. C2.5 H8+7 2. C5.2 H7-8'
    assert run(pasted, "--sheet", str(path), "--force").exit_code == 0
    assert "<bdi>Plum</bdi>" in path.read_text(encoding="utf-8")


def test_a_sheet_needs_one_game(tmp_path: Path) -> None:
    done = run(str(EXAMPLES / "games.pgn"), "--sheet", str(tmp_path / "sheet.html"))
    assert done.exit_code == 2
    assert "--sheet needs one game; found several in" in done.output
    assert list(tmp_path.iterdir()) == []


def test_a_report_has_a_sheet_for_each_game_that_a_repetition_decides(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = CliRunner().invoke(main, ["report", str(EXAMPLES / "games.pgn"), "-o", str(out)])
    assert done.exit_code == 0
    sheets = sorted(path.name for path in out.glob("*-sheet.html"))
    assert sheets == ["000001-sheet.html", "000003-sheet.html", "000004-sheet.html"]
    assert 'href="000001-sheet.html"' in (out / "000001.html").read_text(encoding="utf-8")
    assert "-sheet.html" not in (out / "000002.html").read_text(encoding="utf-8")


@needs_driver
@pytest.mark.parametrize("language", LANGUAGES)
def test_an_ordinary_case_fits_on_one_page(
    chromium: webdriver.Chrome, tmp_path: Path, language: Language
) -> None:
    path = tmp_path / "sheet.html"
    sheet = render_sheet(sheet_of(game_of_examples(), language))
    path.write_text(sheet, encoding="utf-8")
    assert count_printed_pages(chromium, path) == 1
    path.write_text(sheet.replace("</body>", "<p>1</p>" * 60 + "</body>"), encoding="utf-8")
    assert count_printed_pages(chromium, path) > 1


@needs_driver
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_case_with_reasons_of_both_sides_fits_on_one_page(
    chromium: webdriver.Chrome, tmp_path: Path, language: Language
) -> None:
    text = f'[Event "World Xiangqi Open Championship"]\n{BOTH_SIDES}'
    (game,) = read_games(io.BytesIO(text.encode()))
    path = tmp_path / "sheet.html"
    path.write_text(render_sheet(sheet_of(game, language)), encoding="utf-8")
    assert count_printed_pages(chromium, path) == 1
