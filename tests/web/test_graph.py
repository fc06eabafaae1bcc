"""The evaluations of a game on its page: the curve, the numbers, the marks, the variations."""

from __future__ import annotations

import math
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from xiangqi import Move, web
from xiangqi.games.additions import seal
from xiangqi.games.arbiter import rule_game
from xiangqi.games.tree import Game
from xiangqi.referee.rules import WXF
from xiangqi.web.pages.game_page import SCALE_CP, GamePage, make_game_page, render_game
from xiangqi.words.voice import Voice

MOVES = "h2e2 h9g7 h0g2 i9h9".split()
HOSTILE = '"><script>alert(1)</script>'


def make_page(*comments: str, first: str = "", lang: str = "en") -> GamePage:
    game = Game(headers={"Red": HOSTILE})
    game.root.comment = first
    for move, comment in zip(MOVES, comments, strict=False):
        game.end().add(Move.from_iccs(move), comment)
    voice = Voice("zh") if lang == "zh" else Voice()
    return make_game_page(game, rule_game(game), WXF, voice)


def points_of(page: GamePage) -> list[tuple[float, float]]:
    path = ElementTree.fromstring(page.graph).find("path")
    assert path is not None
    found = re.findall(r"[ML](\S+) (\S+)", path.attrib["d"])
    return [(float(x), float(y)) for x, y in found][1:-1]


def test_the_curve_follows_the_evaluations() -> None:
    page = make_page("[%eval 1.00]", "[%eval -3.00]", "[%eval #-2]", "", first="[%eval 0.00]")
    xs, ys = zip(*points_of(page), strict=True)
    assert xs == (0, 1, 2, 3, 4)
    assert ys[0] == 50
    assert 35 < ys[1] < 45  # Red is better: the curve is higher
    assert 75 < ys[2] < 80
    assert ys[3] == ys[4] == 100


def test_both_sides_are_drawn_alike() -> None:
    red = points_of(make_page("[%eval 2.50]", "[%eval 0.40]"))
    black = points_of(make_page("[%eval -2.50]", "[%eval -0.40]"))
    assert [y for _, y in red] == pytest.approx([100 - y for _, y in black])


@pytest.mark.parametrize("comments", [(), ("", ""), ("[%eval 1.00]",), ("[%eval x]", "[%eval]")])
def test_without_evaluations_there_is_no_curve(comments: tuple[str, ...]) -> None:
    page = make_page(*comments)
    assert page.graph == ""
    assert 'id="graph"' not in render_game(page)


def test_every_move_is_a_link_that_tells_what_it_is() -> None:
    page = make_page("[%eval 1.00]", "[%eval 0.50]")
    tree = ElementTree.fromstring(page.graph)
    links = tree.findall("a")
    assert [link.attrib["href"] for link in links] == ["#ply=1", "#ply=2"]
    assert [title.text for title in tree.iter("title")] == ["1. h2e2 1.00", "1. h9g7 0.50"]
    assert 'id="move-2"' in render_game(page)


def test_faults_stand_in_the_curve() -> None:
    game = Game()
    for move, nag in zip(MOVES, (4, 1, 2, 6), strict=True):
        game.end().add(Move.from_iccs(move), "[%eval 1.00]", [nag])
    page = make_game_page(game, rule_game(game), WXF, Voice())
    lines = ElementTree.fromstring(page.graph).findall("line")
    assert [(line.attrib["class"], line.attrib["x1"]) for line in lines[1:]] == [
        ("fault blunder", "1"),
        ("fault mistake", "3"),
        ("fault inaccuracy", "4"),
    ]
    assert [row.marks for row in page.rows] == ["??", "!", "?", "?!"]


def test_numbers_stand_apart_from_words() -> None:
    fine = f"[%eval 0.35] {seal('a fine move')}"
    page = make_page(fine, "[%eval #-12]", "words", first="[%eval 0.10] good")
    assert [row.evaluation for row in page.rows] == ["+0.35", "#-12", ""]
    assert [row.comment for row in page.rows] == ["a fine move", "", "words"]
    assert page.intro == "good"
    text = render_game(page)
    assert "[%" not in text
    assert '<span class="eval">+0.35</span>' in text


def test_variations_have_their_numbers() -> None:
    game = Game()
    game.end().add(Move.from_iccs("h2e2"))
    game.root.add(Move.from_iccs("b2e2"), "[%eval -0.20] the other cannon")
    page = make_game_page(game, rule_game(game), WXF, Voice())
    ((words,),) = page.variations.values()
    shown = [(word.kind, word.text) for word in words if word.kind in ("eval", "comment")]
    assert shown == [("eval", "-0.20"), ("comment", "the other cannon")]
    assert "[%eval" not in render_game(page)


def test_record_text_is_escaped_in_the_graph() -> None:
    page = make_page(f"[%eval 1.00] {HOSTILE}", "[%eval 0.50]")
    assert "script" not in page.graph
    text = render_game(page)
    assert "<script>alert" not in text
    assert 'style="' not in page.graph  # the page's policy would refuse it
    assert "全局形势" in make_page("[%eval 1.00]", "[%eval 0.50]", lang="zh").graph


def test_the_bar_in_the_browser_has_the_scale_of_the_curve() -> None:
    script = (Path(web.__file__).parent / "serve/static/evaluations.js").read_text("utf-8")
    assert re.findall(r"^const SCALE_CP = (\d+);$", script, re.MULTILINE) == [str(SCALE_CP)]
    assert "return (1 + Math.tanh(red / SCALE_CP)) / 2;" in script
    (height,) = {y for _, y in points_of(make_page("[%eval 2.50]", "[%eval 2.50]"))}
    assert height == pytest.approx(100 * (1 - (1 + math.tanh(250 / SCALE_CP)) / 2), abs=0.05)
