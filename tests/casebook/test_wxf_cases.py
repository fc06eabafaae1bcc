"""The rule book's cases: four judges agree, in all transformations of a case.

The four are the referee on the record, the core as called by a search (unchecked moves, verdict
alone), the oracle, and the case itself.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.fuzz.agreement import differences
from tests.oracle import judge as oracle
from xiangqi import BLACK, RED, WXF, Board, Move, Referee, Status
from xiangqi.casebook.cases import Case, load_cases
from xiangqi.casebook.verify import verify_case
from xiangqi.referee.judging import Conduct, Verdict

CASES = load_cases()
PLAYED = [case for case in CASES if case.cycle]
IDS = [case.id for case in PLAYED]

VERDICTS = tuple(Verdict)
CONDUCTS = (Conduct.IDLE, Conduct.CHASE, Conduct.CHECK)


def expected(case: Case) -> tuple[Verdict, Conduct | None, Conduct | None]:
    return case.verdict, case.red, case.black


def test_all_cases_are_there() -> None:
    """D1-D106 without gaps, the illustrations 107-110 and the variations."""
    assert len(CASES) == 192
    assert {case.diagram for case in CASES if case.diagram} == set(range(1, 107))
    assert Counter(case.verdict.value for case in CASES) == {
        "black_wins": 119,
        "red_wins": 8,
        "draw": 63,
        "undecided": 2,
    }


@pytest.mark.parametrize("case", CASES, ids=[case.id for case in CASES])
def test_every_phase_and_transformation(case: Case) -> None:
    result = verify_case(case, Referee())
    assert result.passed, result.to_dict()
    phases = max(len(case.cycle), 1)
    assert result.rulings == (phases * 6 if case.cycle else 3)


@pytest.mark.parametrize("case", PLAYED, ids=IDS)
def test_four_ways_one_verdict(case: Case) -> None:
    record = case.record(rounds=2)

    ruling = record.play().judge()
    assert (ruling.verdict, ruling.conduct[RED], ruling.conduct[BLACK]) == expected(case)

    board = Board(record.fen)
    for move in record.moves:
        board.push_unchecked(Move.from_iccs(move))
    verdict, red, black = board.judge_cycle(WXF.switches)
    assert red is not None
    assert black is not None
    assert (VERDICTS[verdict], CONDUCTS[red], CONDUCTS[black]) == expected(case)

    judgment = oracle.judge(record.fen, record.moves)
    assert judgment.red is not None
    assert judgment.black is not None
    slow = Verdict(judgment.verdict), Conduct(judgment.red), Conduct(judgment.black)
    assert slow == expected(case)


@pytest.mark.parametrize("case", PLAYED, ids=IDS)
def test_facts_agree_ply_by_ply(case: Case) -> None:
    assert not differences(case.record(rounds=2))


def test_the_doubtful_positions_are_those_of_the_readme() -> None:
    impossible = {case.id: Board(case.fen).status() for case in CASES if Board(case.fen).status()}
    assert impossible == {"D71": Status.MISPLACED_PAWN}
