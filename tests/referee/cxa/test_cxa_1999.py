"""Edition of 1999: cases for the clauses that differ from the edition of 2020."""

from __future__ import annotations

import pytest

from tests.oracle.cxa import CXA1999, judge
from tests.support.cxa import STRIKES, game_of
from xiangqi import Referee
from xiangqi.casebook.cases import Case, find_case_folder, load_cases
from xiangqi.casebook.verify import verify_case
from xiangqi.referee.rules import find_rule_set

RULES = find_rule_set("cxa1999")
LATER = find_rule_set("cxa2020")
CASES = load_cases([find_case_folder("cxa1999")])
OF_2020 = {case.id: case for case in load_cases([find_case_folder("cxa2020")])}
ALIKE = {case.id for case in CASES if case.chapter == "Alike in both editions"}
FIELDS = {
    "A king's step out of check counts": "king_reply",
    "A root that attacks always chases": "root_attack",
    "Both sides forbidden: a draw": "verdicts",
    "Soldiers strike where both sides strike": "soldier_strikes",
    "From chase to chase is idle": "risen_threat",
}
"""Clause of each chapter."""
SECOND = {"cxa1999-c9-39": "risen_threat", "cxa1999-c9-49": "verdicts"}
"""Clauses that differ as well, of the positions that two clauses decide."""
OTHERWISE = {"cxa1999-c7-06": "risen_threat", "cxa1999-c7-15": "mate_threat"}
"""Figures of 1999 that the other answer to a question rules otherwise."""
ON_LATER = [case for case in CASES if not case.id.startswith("cxa1999-c7")]
"""Positions of 2020."""


def later(case: Case) -> Case:
    return OF_2020[case.id.replace("cxa1999", "cxa2020")]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_every_case(case: Case) -> None:
    """Rule on the case as written, by the slow twin as well; ``xiangqi verify --rules cxa1999`` has
    all ways."""
    ruling = Referee(RULES).judge(case.play_until(3))
    assert ruling.verdict is case.verdict
    slow = judge(*game_of(case), CXA1999)
    assert slow.verdict == case.verdict.value
    found = [mark.mark for mark in slow.marks[-len(case.cycle) :]]
    marks = [mark.value if mark.value in STRIKES else "idle" for mark in case.marks]
    assert marks in ([], found)


def test_in_all_ways_of_playing_them() -> None:
    for case in CASES[::4]:
        assert verify_case(case, Referee(RULES)).differences == ()


@pytest.mark.parametrize("case", ON_LATER, ids=lambda case: case.id)
def test_the_clause_makes_the_difference(case: Case) -> None:
    """The rules of 2020, and those of 1999 without the clause, rule otherwise."""
    book = later(case)
    assert (case.fen, case.lead_in, case.cycle) == (book.fen, book.lead_in, book.cycle)
    assert (case.verdict is book.verdict) == (case.id in ALIKE)
    if case.id in ALIKE:
        return
    fields = {FIELDS[case.chapter], SECOND.get(case.id, FIELDS[case.chapter])}
    board = case.play_until(3)
    without = RULES.replace({field: LATER.answers[field] for field in fields})
    for rules in (LATER, without):
        assert Referee(rules).judge_cycle(board).verdict is book.verdict


@pytest.mark.parametrize(
    "case", [case for case in CASES if case.id in OTHERWISE], ids=lambda case: case.id
)
def test_a_figure_of_the_edition_decides_a_question(case: Case) -> None:
    field = OTHERWISE[case.id]
    board = case.play_until(3)
    assert field in Referee(RULES).judge(board).questions
    without = RULES.replace({field: LATER.answers[field]})
    assert Referee(without).judge_cycle(board).verdict is not case.verdict
