"""Lessons on the page in headless Chromium: puzzles, repetitions, own mistakes, a game analysed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from tests.support.play_page import Page, forgetting, has_moves, is_saved, needs_driver, window
from tests.support.soak import SOAK
from xiangqi import WXF
from xiangqi.analysis.puzzles import load_cycles
from xiangqi.games.record import GameRecord
from xiangqi.ground.texts import LANGUAGES
from xiangqi.pieces.fen import STARTING_FEN

pytestmark = needs_driver

TWO_MOVES: tuple[str, list[str]] = (
    "2n2P3/3ck4/N8/8C/6r2/9/9/9/5K3/3R5 w - - 0 1",
    "d0e0 g5e5 e0e5".split(),
)
CHECKS = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1"
CYCLE = "f0e0 e8f8 e0f0 f8e8".split()
OFFER = """
window.fetch = ((fetch) => (path, options) => {
  const answers = %s;
  const name = Object.keys(answers).find((one) => path.endsWith(one));
  return name ? Promise.resolve(Response.json(answers[name])) : fetch(path, options);
})(window.fetch);
"""
"""Few puzzles in the place of all, so that it is known which one comes."""
READ = """
const [name, done] = arguments;
const { readAll } = await import(new URL("database.js", document.scripts[0].src));
done([...await readAll(name)]);
"""


def offer(
    page: Page, puzzles: list[Any], cycles: dict[str, Any] | None = None, lines: Sequence[Any] = ()
) -> None:
    page.settle()
    answers = {
        "api/puzzles": {"puzzles": puzzles},
        "api/cycles": cycles or {"who": [], "find": []},
        "api/lines": {"lines": lines},
    }
    page.run(OFFER % json.dumps(answers))


def kept(page: Page, store: str) -> dict[str, Any]:
    return dict(page.answer(READ, store))


def play(page: Page, move: str) -> None:
    """Enter a move as a user does who types it."""
    field = page.find("#move")
    field.clear()
    field.send_keys(move, Keys.ENTER)


def puzzle(rating: int = 1500, *themes: str) -> list[Any]:
    fen, moves = TWO_MOVES
    return [fen, moves, "mate", 2, rating, ["endgame", *themes]]


# Puzzles


def test_a_puzzle_is_solved_at_the_board(page: Page) -> None:
    offer(page, [puzzle()])
    page.click("#puzzle-begin")
    page.wait(lambda: "mate in 2" in page.text("task-text"))
    page.settle()
    play(page, "d0e0")
    page.wait(lambda: page.find("#task-said").get_attribute("data-is") == "right")
    page.wait(lambda: len(page.all("#moves button")) == 2)  # the reply has been made
    page.settle()
    play(page, "e0e5")
    page.wait(lambda: "Solved." in page.text("task-said"))
    (card,) = kept(page, "cards").values()
    assert card["stability"] == pytest.approx(3.7145)
    assert card["due"] > card["seen"] + 86_400_000
    assert kept(page, "solver")["rating"]["rating"] > 1200
    assert "New: 0" in str(page.find("#learn-state").get_property("textContent"))


PUT = """
const [store, key, value, done] = arguments;
const { put } = await import(new URL("database.js", document.scripts[0].src));
done(await put(store, key, value));
"""
TODAY = "return Math.floor((Date.now() / 60_000 - new Date().getTimezoneOffset()) / 1440)"


def test_days_in_a_row_with_the_puzzle_of_the_day_are_counted(page: Page) -> None:
    today = page.run(TODAY)
    page.answer(PUT, "solver", "days", {"last": today - 1, "row": 2})
    page.open()
    page.wait(lambda: page.text("daily-state") == "Days in a row: 2.")
    offer(page, [puzzle(1200)])
    page.click("#daily-begin")
    page.wait(lambda: page.text("task-aside") == "rated 1200")
    page.settle()
    play(page, "d0e0")
    page.wait(lambda: len(page.all("#moves button")) == 2)
    page.settle()
    play(page, "e0e5")
    page.wait(lambda: "Solved. Days in a row: 3." in page.text("task-said"))
    page.click("#task-end")
    page.wait(lambda: page.text("daily-state") == "\u2713 Days in a row: 3.")
    assert kept(page, "solver")["days"] == {"last": today, "row": 3}


CLICK_TWICE = "for (const _ of [1, 2]) document.getElementById('task-end').click()"


def test_puzzles_are_chosen_by_theme(page: Page) -> None:
    """A mate by cannon and horse is a mate by a horse; the nearest rating has no say before."""
    fen, moves = TWO_MOVES
    other = [fen.replace("w", "b", 1), moves, "save", 0, 1200, ["middlegame", "mate-chariot"]]
    offer(page, [puzzle(2500, "mate-cannon-horse"), other])
    for theme in ("endgame", "mate-horse", "mate-cannon"):
        page.choose("#puzzle-theme", theme)
        page.click("#puzzle-begin")
        page.wait(lambda: "rated 2500" in page.text("task-aside"))
        page.run(CLICK_TWICE)
    page.choose("#puzzle-theme", "sacrifice")
    page.click("#puzzle-begin")
    page.wait(lambda: "Nothing is due." in page.text("learn-error"))


def test_a_wrong_move_is_taken_back_and_may_be_tried_again(page: Page) -> None:
    offer(page, [puzzle()])
    page.click("#puzzle-begin")
    page.wait(lambda: page.text("task-text"))
    page.settle()
    play(page, "d0d1")
    page.wait(lambda: page.find("#task-said").get_attribute("data-is") == "wrong")
    page.wait(lambda: not page.all("#moves button"))
    assert [card["stability"] for card in kept(page, "cards").values()] == [pytest.approx(0.4872)]
    assert kept(page, "solver")["rating"]["rating"] < 1200
    page.settle()
    play(page, "d0e0")
    page.wait(lambda: page.find("#task-said").get_attribute("data-is") == "right")
    assert len(kept(page, "cards")) == 1


def test_hint_and_solution(page: Page) -> None:
    offer(page, [puzzle()])
    page.click("#puzzle-begin")
    page.wait(lambda: page.text("task-text"))
    page.click("#task-hint")
    page.wait(lambda: "Move the marked piece." in page.text("task-said"))
    page.wait(lambda: page.all("#table .shape[data-from=d0][data-to=d0]"))
    page.click("#task-solution")
    page.wait(lambda: "R6.5" in page.text("task-said"))
    page.wait(lambda: len(page.all("#moves button")) == 3)


def test_a_puzzle_near_the_own_rating_comes_first(page: Page) -> None:
    """A beginner has 1200; of many puzzles one of the nearest twelve is chosen."""
    near = ["4k4/R8/9/9/9/9/9/1R7/9/3K5 w - - 0 1", ["b2b9"], "mate", 1, 1210, []]
    rows = [[f"4k4/R8/9/9/9/9/9/1R7/9/{file}K{8 - file} w - - 0 1", *near[1:]] for file in (3, 5)]
    far = []
    for place in range(1, 8):
        far += [[f"4k4/R8/9/9/9/9/{place}P{8 - place}/{rook}R{8 - rook}/9/3K5 w - - 0 1",
                 ["b2b9"], "mate", 1, 2900, []] for rook in range(1, 4)]  # fmt: skip
    offer(page, [*far, *rows])
    page.run("Math.random = () => 0")
    page.click("#puzzle-begin")
    page.wait(lambda: "1210" in page.text("task-aside"))


def test_learning_state_is_saved_and_loaded(page: Page, files: Path) -> None:
    offer(page, [puzzle()])
    page.click("#puzzle-begin")
    page.wait(lambda: page.text("task-text"))
    page.click("#task-solution")
    page.wait(lambda: kept(page, "cards"))
    before = kept(page, "cards")
    page.click("#task-end")
    page.run("document.querySelector('#learn-home details').open = true")
    page.click("#learn-export")
    saved = files / "meihua-learning.json"
    page.wait(lambda: is_saved(saved))
    with forgetting(page.driver):
        page.open()
    offer(page, [puzzle()])
    assert kept(page, "cards") == {}
    page.load("#learn-file", saved)
    page.wait(lambda: kept(page, "cards") == before)
    bad = files / "bad.json"
    bad.write_text('{"format": "other"}', "utf-8")
    page.load("#learn-file", bad)
    page.wait(lambda: "not a file of learning data" in page.text("learn-error"))


# Openings


ARROWS = "[data-layer=task-hint] .shape"
LINE = "h2e2 h9g7 h0g2".split()
KNOWN = {"stability": 9, "difficulty": 5, "seen": 0, "due": 1e15}
"""The card of a task that is not due."""
OPENING = {"code": "C00", "name": "Central cannon", "moves": [LINE, ["b2e2", "b9c7", "b0c2"]]}


def begin_opening(page: Page, side: str) -> None:
    """Begin the one opening with this side; the other one is known already."""
    other = {"Red": "black", "Black": "red"}[side]
    page.answer(PUT, "cards", f"opening {other} C00", KNOWN)
    offer(page, [], lines=[OPENING])
    page.click("#opening-begin")
    page.wait(lambda: page.text("task-text") == f"Central cannon: play {side}.")
    page.settle()


def test_a_new_opening_is_played_along_arrows_and_comes_again(page: Page) -> None:
    begin_opening(page, "Red")
    (arrow,) = page.all(ARROWS)
    first = f"{arrow.get_attribute('data-from')}{arrow.get_attribute('data-to')}"
    line = next(line for line in OPENING["moves"] if line[0] == first)
    play(page, line[0])
    page.wait(lambda: len(page.all("#moves button")) == 2)
    page.settle()
    play(page, line[2])
    page.wait(lambda: page.text("task-said") == "Right. It comes again without arrows.")
    card = kept(page, "cards")["opening red C00"]
    assert card["due"] == card["seen"] + 1_800_000


def test_a_known_opening_has_arrows_after_a_move_of_another(page: Page) -> None:
    page.answer(PUT, "cards", "opening red C00", {**KNOWN, "due": 1})
    begin_opening(page, "Red")
    assert page.all(ARROWS) == []
    play(page, "g3g4")
    page.wait(lambda: "is not in this opening" in page.text("task-said"))
    page.wait(lambda: page.all(ARROWS))
    page.settle()
    play(page, "b2e2")  # the mirror image
    page.wait(lambda: page.present == ["H2+3"])
    assert page.text("task-said") == "Right."


def test_an_opening_is_played_with_black(page: Page) -> None:
    begin_opening(page, "Black")
    page.wait(lambda: len(page.moves) == 1)
    play(page, {"C2.5": "h9g7", "C8.5": "b9c7"}[page.moves[0]])
    page.wait(lambda: "Right." in page.text("task-said"))


# Repetitions


def test_question_who_must_change_is_answered_and_explained(page: Page) -> None:
    moves = CYCLE * 2
    assert GameRecord(CHECKS, tuple(moves)).play().judge(WXF).verdict.loser is not None
    row = {"fen": CHECKS, "moves": moves, "shown": 3, "answer": "red", "title": "A: b"}
    offer(page, [], {"who": [row], "find": []})
    page.click("#cycle-begin")
    page.wait(lambda: "who must change" in page.text("task-text"))
    page.settle()
    assert "wins" not in page.text("status")
    page.wait(lambda: page.moves == ["R4.5", "K5.6", "R5.4"])
    page.click("[data-answer='nobody']")
    page.wait(lambda: "No. Black wins: Red checked perpetually" in page.text("task-said"))
    assert page.text("task-aside") == "case A of the rule book"
    page.click("#task-why")
    page.wait(lambda: page.find("#panel-referee").is_displayed())
    assert "Red must change" in page.find("#panel-referee").text
    assert "gives check" in page.find("#panel-referee").text


BEGIN_ANOTHER = """
const [pressed, done] = arguments;
const button = document.querySelector(pressed);
button.click();
button.click();
document.getElementById("new-game").click();
setTimeout(done, 300);
"""
"""Press a button twice and begin another game before the result is kept."""


@pytest.mark.parametrize("pressed", ["[data-answer='nobody']", "[data-answer='red']"])
def test_an_answer_changes_no_other_game_that_is_begun_meanwhile(page: Page, pressed: str) -> None:
    row = {"fen": CHECKS, "moves": CYCLE * 2, "shown": 3, "answer": "red", "title": "A: b"}
    offer(page, [], {"who": [row], "find": []})
    page.click("#cycle-begin")
    page.wait(lambda: page.moves == ["R4.5", "K5.6", "R5.4"])
    page.answer(BEGIN_ANOTHER, pressed)
    page.settle()
    assert page.moves == []
    assert page.run("return document.getElementById('learn-error').innerText") == ""


def test_a_solution_is_not_played_in_another_game_that_is_begun_meanwhile(page: Page) -> None:
    offer(page, [puzzle()])
    page.click("#puzzle-begin")
    page.wait(lambda: "mate in 2" in page.text("task-text"))
    page.settle()
    page.answer(BEGIN_ANOTHER, "#task-solution")
    page.settle()
    assert page.moves == []
    assert page.run("return document.getElementById('learn-error').innerText") == ""


def test_the_move_that_does_not_lose_by_the_rules(page: Page) -> None:
    puzzle = next(one for one in load_cycles() if one.holding)
    board = GameRecord(puzzle.fen, puzzle.moves).play()
    side, losing = board.turn, []
    for move in board.list_moves():
        board.push(move)
        outcome = board.outcome(WXF)
        if outcome is not None and outcome.winner == (not side):
            losing.append(move.iccs())
        board.pop()
    row = {"fen": puzzle.fen, "moves": puzzle.moves, "holding": puzzle.holding}
    offer(page, [], {"who": [], "find": [row]})
    page.click("#cycle-begin")
    page.wait(lambda: "loses by the rules" in page.text("task-text"))
    page.settle()
    play(page, losing[0])
    page.wait(lambda: page.find("#task-said").get_attribute("data-is") == "wrong")
    assert "perpetually" in page.text("task-said"), "the ruling is shown"
    page.settle()
    play(page, puzzle.holding[0])
    page.wait(lambda: "holds" in page.text("task-said"))


# A game analysed


def review(page: Page, fen: str, moves: list[str]) -> None:
    """Set a position up with moves, and have the game analysed."""
    page.paste(f"position fen {fen} moves {' '.join(moves)}")
    page.wait(partial(has_moves, page, len(moves)))
    page.click("#tab-analyse")
    page.run("document.getElementById('review-nodes').value = '2000'")
    page.click("#review-game")
    page.wait(lambda: page.find("#reviewed").is_displayed())


def test_a_reviewed_game_has_accuracy_and_what_the_rules_demanded(page: Page) -> None:
    review(page, CHECKS, [*CYCLE, *CYCLE[:2]])
    columns = {
        key: [cell.text for cell in page.all(f"[data-row] [data-column={key}]")]
        for key in ("accuracy", "rule_faults", "mates_missed")
    }
    assert columns["rule_faults"] == ["1", "0"]
    assert columns["accuracy"][0].endswith("%")
    assert columns["mates_missed"] == ["", ""], "a column of zeros is left out"
    assert page.find("#graph").is_displayed()
    page.click("#moves button[data-ply='5']")
    page.wait(lambda: "only Red has to change" in page.text("review-notes"))


ROOM = """
const done = arguments[0];
requestAnimationFrame(() => requestAnimationFrame(() => {
  const { bottom, top } = document.getElementById("moves").getBoundingClientRect();
  const row = document.querySelector("#moves button").offsetHeight;
  const places = ["#review-notes", "#lines", "#graph"].map((name) => document.querySelector(name));
  const end = document.getElementById("panel-analyse").getBoundingClientRect().bottom;
  const areInSight = places.every((one) => one.getBoundingClientRect().bottom <= end + 1);
  done([(bottom - top) / row, areInSight]);
}));
"""
"""Rows that fit into the list of moves, and whether what the engine says is all in sight, when the
window has its size."""


@pytest.mark.parametrize("language", LANGUAGES if SOAK else ["vi"])  # the longest words
def test_the_moves_of_a_reviewed_game_have_room(page: Page) -> None:
    review(page, STARTING_FEN, "h2e2 h7e7 h0g2 h9g7 e2e6 e7e3 b0c2 g7e6".split())
    for size in ((1440, 900), (1366, 650), (1280, 600), (1024, 500), (390, 844)):
        with window(page, *size):
            rows, is_in_sight = page.answer(ROOM)
        assert rows >= 3, size
        assert is_in_sight or size[1] < 650 or size[0] < size[1], size


def test_a_longer_game_is_reviewed_as_a_whole(page: Page) -> None:
    """The page names the beginning of a game that the server knows."""
    moves = "h2e2 h7e7 h0g2 h9g7 i0h0 i9i8 e2e6 e7e3 b0c2 g7e6".split()
    review(page, STARTING_FEN, moves)
    marks = [button.text[-2:] for button in page.all("#moves button")]
    assert "??" in marks, "a cannon is lost"
    page.click("#moves button[data-ply='7']")
    page.wait(lambda: page.text("review-notes"))


def test_the_better_line_is_shown_for_the_move_under_the_pointer(page: Page) -> None:
    """Its remarks, and its first move on the board, if the position before it is shown."""
    review(page, TWO_MOVES[0], ["d0d1", "g5d5"])
    page.click("#previous")
    page.click("#previous")
    page.settle()
    assert not page.find("#review-notes").text
    page.hover("#moves [data-ply='1']")
    page.wait(lambda: page.text("review-notes").startswith("R6+1??"))
    assert page.find("#review-notes button").text == "R6.5"
    shapes = page.all("#table .shape[data-color=best]")
    assert [shape.get_attribute("data-from") for shape in shapes] == ["d0"]
    page.hover("#moves [data-ply='2']")
    page.wait(lambda: not page.text("review-notes").startswith("R6+1"))
    assert not page.all("#table .shape[data-color=best]")
    page.hover("#status")
    page.wait(lambda: not page.text("review-notes"))


def test_mistakes_are_tried_again(page: Page) -> None:
    review(page, TWO_MOVES[0], ["d0d1", "g5d5"])
    assert page.find("#moves button").text == "R6+1??"
    page.click("#train-red")
    page.wait(lambda: "Find a better move" in page.text("task-text"))
    assert page.find("#panel-play").is_displayed()
    own = kept(page, "own")
    (fault, *_) = own.values()
    page.settle()
    play(page, fault["played"])
    page.wait(lambda: page.find("#task-said").get_attribute("data-is") == "wrong")
    page.settle()
    play(page, fault["better"]["iccs"][0])
    page.wait(lambda: page.find("#task-said").get_attribute("data-is") == "right")
    (card,) = kept(page, "cards").values()
    assert card["stability"] == pytest.approx(0.4872)
