"""Engines' scores of who loses the cases of rule books."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from xiangqi import BLACK, RED, RULE_SETS, Verdict
from xiangqi.board.scores import Cp, Mate, PovScore, Score
from xiangqi.casebook.cases import find_case, load_cases
from xiangqi.cli.main import main
from xiangqi.client import SimpleEngine
from xiangqi.compliance.repetitions import benchmark_book, can_be_scored, verdict_of_score

OURS = shlex.join([sys.executable, "-m", "xiangqi", "engine"])
MOCK = shlex.join([sys.executable, str(Path(__file__).parents[1] / "engines" / "mock_engine.py")])


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["benchmark", *arguments], catch_exceptions=False)


@pytest.mark.parametrize(
    ("score", "verdict"),
    [
        (Cp(0), Verdict.DRAW),
        (Cp(-20), Verdict.DRAW),
        (Cp(21), None),
        (Cp(-1200), None),
        (Cp(5000), Verdict.BLACK_WINS),
        (Cp(-28999), Verdict.RED_WINS),
        (Mate(3), Verdict.BLACK_WINS),
        (Mate(-1), Verdict.RED_WINS),
    ],
)
def test_score_gives_a_verdict(score: Score, verdict: Verdict | None) -> None:
    """A score of Black's."""
    assert verdict_of_score(PovScore(score, BLACK)) is verdict
    assert verdict_of_score(PovScore(-score, RED)) is verdict


@pytest.mark.parametrize("protocol", ["uci", "ucci"])
def test_our_engine_rules_as_the_book(protocol: str) -> None:
    done = run(OURS, "--rules", "computer", "--protocol", protocol)
    assert done.exit_code == 0, done.output
    lines = done.output.splitlines()
    assert lines[0].startswith("Meihua")
    assert lines[2].split() == ["computer", "yes", "20", "20"]


def test_a_book_is_chosen_by_an_option() -> None:
    """D13 is a draw by WXF, and lost where a check counts among the chases."""
    cases = [find_case("D13", load_cases()), find_case("D1a", load_cases())]
    with SimpleEngine.popen(OURS) as engine:
        results = [benchmark_book(engine, RULE_SETS[name], cases) for name in ("wxf", "fairy-axf")]
    assert [result.rules_by_option for result in results] == [True, True]
    assert [answer.claimed for answer in results[0].answers] == [Verdict.DRAW, Verdict.BLACK_WINS]
    assert [answer.case.id for answer in results[1].missed] == ["D13"]


def test_an_engine_that_knows_nothing_is_found_out() -> None:
    done = run(MOCK, "--rules", "computer", "--json")
    assert done.exit_code == 1
    (book,) = json.loads(done.output)["books"]
    assert (book["rules_by_option"], book["cases"]) == (False, 20)
    assert book["right"] < 20
    assert {answer["claimed"] for answer in book["answers"]} <= {None, "draw"}
    result = run(MOCK, "--rules", "computer", "--lang", "zh")
    assert result.exit_code == 1
    assert "与computer不符者" in result.output


def test_an_engine_without_scores_has_no_verdicts() -> None:
    done = run(f"{MOCK} --behaviour mute", "--rules", "computer", "--json")
    (book,) = json.loads(done.output)["books"]
    assert {(answer["claimed"], answer["score"]) for answer in book["answers"]} == {
        (None, "no score")
    }


def test_an_engine_that_dies_is_reported() -> None:
    done = run(f"{MOCK} --behaviour crash --after 2", "--rules", "computer")
    assert done.exit_code == 2
    assert "xiangqi: " in done.output
    missing = run("no-such-engine")
    assert missing.exit_code == 2
    assert "no-such-engine" in missing.output


def test_books_that_bar_moves_cannot_be_asked() -> None:
    assert not can_be_scored(RULE_SETS["tiantian"])
    done = run(OURS, "--rules", "tiantian")
    assert done.exit_code == 2
    assert "expected books that bar no moves" in done.output
