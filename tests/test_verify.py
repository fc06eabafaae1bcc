"""Batch verification must be able to fail: cases that are wrong are found out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from xiangqi import WXF, Conduct, Referee, Verdict
from xiangqi.cases import Case, find_case, load_cases
from xiangqi.verify import RuledAs, verify_case, verify_cases

CASES = load_cases()
D2A = find_case("D2a", CASES)
REFEREE = Referee()


def test_a_right_case_passes() -> None:
    result = verify_case(D2A, REFEREE)
    assert result.passed
    assert result.ruled == RuledAs(Verdict.BLACK_WINS, Conduct.CHECK, Conduct.IDLE)
    assert result.rulings == 4 * 2 * 3


@pytest.mark.parametrize(
    "wrong",
    [
        replace(D2A, verdict=Verdict.RED_WINS),
        replace(D2A, verdict=Verdict.DRAW),
        replace(D2A, red=Conduct.CHASE),
        replace(D2A, black=Conduct.CHASE),
    ],
    ids=["winner", "draw", "red", "black"],
)
def test_a_wrong_case_differs_in_every_variant(wrong: Case) -> None:
    result = verify_case(wrong, REFEREE)
    assert not result.passed
    assert len(result.differences) == result.rulings
    variants = {difference.variant for difference in result.differences}
    assert "entered at ply 2, one more round, mirrored" in variants
    assert len(variants) == result.rulings


def test_exchanged_colours_expect_the_exchanged_ruling() -> None:
    ruled = RuledAs(Verdict.BLACK_WINS, Conduct.CHECK, Conduct.IDLE)
    assert ruled.with_colors_exchanged() == RuledAs(Verdict.RED_WINS, Conduct.IDLE, Conduct.CHECK)
    draw = RuledAs(Verdict.DRAW, Conduct.CHECK, Conduct.CHECK)
    assert draw.with_colors_exchanged() == draw


def test_a_case_that_cannot_be_played_is_an_error_not_an_end() -> None:
    broken = replace(D2A, fen="9/9/9/9/9/9/9/9/9/9 w")
    illegal = replace(D2A, cycle=("f0e0", "e8f8", "e0f0", "f8f7"))
    results = list(verify_cases([broken, illegal, D2A]))
    assert [result.passed for result in results] == [False, False, True]
    assert "red has no general" in results[0].error
    assert results[0].ruled is None
    assert results[0].to_dict()["error"] == results[0].error


def test_a_window_that_opens_too_late_would_be_found_out() -> None:
    """D80a is ruled otherwise if only the moves since the second occurrence are judged."""
    result = verify_case(find_case("D80a", CASES), Referee(WXF.replace({"occurrences": 2})))
    assert not result.passed
