"""Answers of the server for lessons: puzzles, repetitions to be ruled, whole games analysed."""

from __future__ import annotations

import json
import math
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.web_server import ask, serving
from xiangqi import WXF, Board, web
from xiangqi.analysis import AnalysisSettings, Effort, OurAnalyst, analyse_moves, sum_up
from xiangqi.analysis.puzzles import PUZZLE_THEMES, load_puzzles
from xiangqi.casebook.cases import load_cases
from xiangqi.games.record import GameRecord
from xiangqi.pieces import COLOR_NAMES, RED
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.server import WebServer

CHECKS = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1"
CYCLE = "f0e0 e8f8 e0f0 f8e8".split()
SCHEDULE = Path(web.__file__).parent / "serve" / "static" / "progress.js"


@pytest.fixture(scope="module")
def server() -> Iterator[WebServer]:
    with serving(Application()) as running:
        yield running


# Puzzles


@pytest.mark.parametrize("theme", PUZZLE_THEMES)
def test_each_theme_has_puzzles(theme: str) -> None:
    """A piece may mate together with another: mate-cannon-horse."""
    piece = theme.removeprefix("mate-")
    found = [
        one
        for one in load_puzzles()
        if theme in (one.goal.value, *one.themes)
        or (theme != piece and any(piece in name.split("-")[1:] for name in one.themes))
    ]
    assert len(found) > 30


def test_all_puzzles_of_the_package_are_reported(server: WebServer) -> None:
    rows = ask(server, "/api/puzzles").data["puzzles"]
    assert [(row[0], row[4]) for row in rows] == [(one.fen, one.rating) for one in load_puzzles()]
    for fen, moves, goal, mate, rating, _ in rows:
        assert len(moves) % 2 == 1
        assert goal in ("win", "save", "mate")
        assert (mate is not None) or goal != "mate"
        assert 500 < rating < 3200
        board = Board(fen)
        for move in moves:
            board.push_iccs(move)  # raises for a move that is not legal


# Repetitions


@pytest.fixture(scope="module")
def cycles(server: WebServer) -> dict[str, Any]:
    data: dict[str, Any] = ask(server, "/api/cycles", lang="en").data
    return data


def test_answers_of_cycles_are_rulings_of_the_judge(cycles: dict[str, Any]) -> None:
    rows = cycles["who"]
    titles = [row["title"] for row in rows if row["title"]]
    assert titles == [f"{case.id}: {case.title}" for case in load_cases() if case.cycle]
    assert len(rows) > len(titles), "and games of the engine"
    for row in rows:
        loser = GameRecord(row["fen"], row["moves"]).play().judge(WXF).verdict.loser
        assert row["answer"] == ("nobody" if loser is None else COLOR_NAMES[loser])
    assert {row["answer"] for row in rows} == {"red", "black", "nobody"}


def test_plies_shown_first_have_no_ruling(cycles: dict[str, Any]) -> None:
    for row in cycles["who"]:
        board = Board(row["fen"])
        for move in row["moves"][: row["shown"]]:
            board.push_iccs(move)
            assert board.repetitions() == 1
        board.push_iccs(row["moves"][row["shown"]])
        assert board.repetitions() == 2


def test_moves_that_hold_do_not_lose_by_rule_and_another_one_does(cycles: dict[str, Any]) -> None:
    assert cycles["find"]
    for row in cycles["find"]:
        board = GameRecord(row["fen"], row["moves"]).play()
        side = board.turn
        lost = set()
        for move in board.list_moves():
            board.push(move)
            outcome = board.outcome(WXF)
            if outcome is not None and outcome.winner == (not side):
                lost.add(move.iccs())
            board.pop()
        assert lost
        assert lost.isdisjoint(row["holding"])


# A game analysed


def review(server: WebServer, **question: Any) -> list[dict[str, Any]]:
    reply = ask(server, "/api/review", **question)
    assert reply.headers["Content-Type"] == "application/x-ndjson"
    return [json.loads(line) for line in reply.text.splitlines()]


def test_a_review_of_a_line_that_continues_an_earlier_one_is_of_the_whole_game(
    server: WebServer,
) -> None:
    """The page sends of a long game only what the server lacks."""
    moves = [*CYCLE, *CYCLE, "f0e0"]
    named = {"fen": CHECKS, "page": "p", "nodes": 300}
    ask(server, "/api/position", fen=CHECKS, page="p", moves=moves[:8], **{"as": "1"})
    rest = {"of": "1", "keep": 8, "as": "2"}
    partial = review(server, **named, moves=moves[8:], **rest)[-1]["review"]
    assert [ply["move"] for ply in partial["plies"]] == moves
    assert partial == review(server, **named, moves=moves)[-1]["review"]


def test_a_review_is_the_analysis_with_words(server: WebServer) -> None:
    lines = review(server, fen=CHECKS, moves=[*CYCLE, *CYCLE, "f0e0"], nodes=500, notation="wxf")
    searched = [line["searched"] for line in lines if "searched" in line]
    assert searched == sorted(set(searched))
    assert searched[-1] == lines[0]["positions"] == 10
    (found,) = (line["review"] for line in lines if "review" in line)
    board = GameRecord(CHECKS, (*CYCLE, *CYCLE, "f0e0")).play()
    settings = AnalysisSettings(effort=Effort(nodes=500), rules=WXF)
    expected = analyse_moves(board.root_fen(), tuple(board.move_stack), OurAnalyst(WXF), settings)
    assert found["red"] == sum_up(expected.plies, RED).to_dict()
    assert [ply["loss_cp"] for ply in found["plies"]] == [ply.loss_cp for ply in expected.plies]
    for row, ply in zip(found["plies"], expected.plies, strict=True):
        assert (row["better"] is None) == (ply.loss == 0 or ply.best is None)
    repeated = found["plies"][4]
    assert any("only Red has to change" in note for note in repeated["notes"])
    assert [one["kind"] for one in repeated["demands"]] == ["must_change"]


def test_review_is_in_the_language_of_the_page(server: WebServer) -> None:
    *_, last = review(server, fen=CHECKS, moves=[*CYCLE, "f0e0"], nodes=300, lang="zh")
    assert any("红方" in note for note in last["review"]["plies"][4]["notes"])


@pytest.mark.parametrize("question", [{"nodes": 0}, {"nodes": "x"}, {"moves": ["a0a5"]}])
def test_a_review_of_bad_input_is_refused(server: WebServer, question: dict[str, Any]) -> None:
    reply = ask(server, "/api/review", **{"fen": CHECKS, "moves": [], "nodes": 500, **question})
    assert reply.status == 400
    assert reply.data["error"]["message"]


# The schedule: a slow twin of progress.js, from the published formulas

W = [0.4872, 1.4003, 3.7145, 13.8206, 5.1618, 1.2298, 0.8975, 0.031, 1.6474, 0.1367, 1.0461]
W += [2.1072, 0.0793, 0.3246, 1.587, 0.2272, 2.8755]


def remember(before: tuple[float, float] | None, grade: int, days: float) -> tuple[float, float]:
    """FSRS 4.5: stability and difficulty after a try."""
    if before is None:
        return W[grade - 1], min(max(W[4] - (grade - 3) * W[5], 1), 10)
    stability, difficulty = before
    chance = (1 + 19 / 81 * days / stability) ** -0.5
    if grade == 1:
        forgotten = W[11] * difficulty ** -W[12] * ((stability + 1) ** W[13] - 1)
        stability = min(stability, forgotten * math.exp(W[14] * (1 - chance)))
    else:
        growth = math.exp(W[8]) * (11 - difficulty) * stability ** -W[9]
        growth *= math.exp(W[10] * (1 - chance)) - 1
        stability *= 1 + growth * (W[15] if grade == 2 else 1)
    difficulty = W[7] * W[4] + (1 - W[7]) * (difficulty - W[6] * (grade - 3))
    return max(stability, 0.1), min(max(difficulty, 1), 10)


def glicko(rating: float, deviation: float, puzzle: float, score: int) -> tuple[float, float]:
    """Glickman's formulas for one opponent with a deviation of 100."""
    q = math.log(10) / 400
    g = 1 / math.sqrt(1 + 3 * q**2 * 100**2 / math.pi**2)
    expected = 1 / (1 + 10 ** (-g * (rating - puzzle) / 400))
    d2 = 1 / (q**2 * g**2 * expected * (1 - expected))
    change = q / (1 / deviation**2 + 1 / d2) * g * (score - expected)
    return rating + change, max(50, math.sqrt(1 / (1 / deviation**2 + 1 / d2)))


def run_script(calls: list[list[Any]]) -> list[Any]:
    """Results of functions of progress.js."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("Node.js is not installed")
    script = (
        f"import * as schedule from {json.dumps(SCHEDULE.as_uri())};"
        "const calls = JSON.parse(process.argv[1]);"
        "console.log(JSON.stringify(calls.map(([name, ...given]) => schedule[name](...given))));"
    )
    command = [node, "--input-type=module", "-e", script, json.dumps(calls)]
    done = subprocess.run(command, capture_output=True, check=True, timeout=60)
    results: list[Any] = json.loads(done.stdout)
    return results


def test_memories_are_those_of_the_published_formulas() -> None:
    lots = random.Random(1)
    calls, expected = [], []
    for _ in range(300):
        before = None
        if lots.random() < 0.8:
            before = (lots.uniform(0.1, 300), lots.uniform(1, 10))
        grade, days = lots.choice([1, 2, 3]), lots.uniform(0, 400)
        memory = before and {"stability": before[0], "difficulty": before[1]}
        calls.append(["remember", memory, grade, days])
        expected.append(remember(before, grade, days))
    for found, (stability, difficulty) in zip(run_script(calls), expected, strict=True):
        assert found["stability"] == pytest.approx(stability)
        assert found["difficulty"] == pytest.approx(difficulty)


def test_a_card_is_due_when_its_recall_falls_to_nine_of_ten() -> None:
    day, now = 86_400_000, 1_000_000_000_000
    card, failed = run_script([["review", None, 3, now], ["review", None, 1, now]])
    assert card["due"] == now + 4 * day  # a stability of 3.7145 days
    assert failed["due"] == now + day // 48
    later = card | {"seen": card["seen"]}
    (again, chance) = run_script(
        [["review", later, 3, card["due"]], ["recall", 3.7145, card["stability"]]]
    )
    assert chance == pytest.approx(0.9)
    assert again["due"] - card["due"] > card["due"] - now, "intervals grow"


def test_ratings_are_those_of_glicko() -> None:
    lots = random.Random(2)
    rows = [
        (
            lots.uniform(500, 2500),
            lots.uniform(50, 350),
            lots.uniform(500, 2800),
            lots.choice([0, 1]),
        )
        for _ in range(100)
    ]
    calls = [["rate", {"rating": r, "deviation": d}, p, bool(s)] for r, d, p, s in rows]
    for found, row in zip(run_script(calls), rows, strict=True):
        assert (found["rating"], found["deviation"]) == pytest.approx(glicko(*row))


def test_everybody_has_the_same_puzzle_on_a_day_and_each_comes_once() -> None:
    puzzles = [[str(number), {"rating": 800 + 50 * number}] for number in range(20)]
    found = run_script([["puzzleOfDay", puzzles, day] for day in range(20_000, 20_012)])
    assert {one["rating"] for _, one in found} == set(range(900, 1500, 50))
    hard = [["a", {"rating": 2000}]]
    assert run_script([["puzzleOfDay", hard, 20_000]]) == hard, "where no puzzle is easy"


def test_a_day_without_its_puzzle_begins_the_row_again() -> None:
    days = {"last": 20_000, "row": 4}
    calls: list[list[Any]] = [["countDay", days, day] for day in (20_000, 20_001, 20_002)]
    rows = [one["row"] for one in run_script(calls)]
    assert rows == [4, 5, 1]
    shown = run_script([["daysInRow", days, day] for day in (20_000, 20_001, 20_002)])
    assert shown == [4, 4, 0]
