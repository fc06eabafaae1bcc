"""Who had to change: the offending moves are the right ones, and the way out is one."""

from __future__ import annotations

import re

import pytest

from xiangqi import ALL_DRAWS, BLACK, CHECKS_ONLY, RED, WXF, Board, RuleSet
from xiangqi.cases import Case, find_case, load_cases
from xiangqi.explain import format_ruling
from xiangqi.referee import Conduct, Referee, Ruling
from xiangqi.remedies import INDENT, format_remedies
from xiangqi.words import LANGUAGES

CASES = load_cases()


def rule(case: Case, rules: RuleSet = WXF) -> Ruling:
    return Referee(rules).judge(case.shortest_record(rules.occurrences).play())


def remedies(name: str, rules: RuleSet = WXF) -> list[str]:
    return list(format_remedies(rule(find_case(name, CASES), rules)))


def test_a_chase_is_told_move_by_move() -> None:
    assert remedies("D18a") == [
        "Red had to stop chasing the black chariot on d7. These moves chase it:",
        f"{INDENT}5, 9. f7f3: the red cannon on f3 attacks the black chariot on d3",
        f"{INDENT}7, 11. f3f7: the red cannon on f7 attacks the black chariot on d7",
        "One move in the round that neither checks nor chases would have been enough for Red: "
        "the game would have been a draw.",
        "Black did not have to change: its move 4, 8. d7d3 neither checks nor chases, "
        "and one such move in the round is enough.",
    ]


def test_checks_weigh_more_than_chases() -> None:
    assert remedies("D1") == [
        "Red had to stop checking: every move of it gives check (3, 7. h9h8; 5, 9. h8h9).",
        "One move in the round that neither checks nor chases would have been enough for Red: "
        "then Black would have had to change.",
        "Black did not have to change: the other side's checks weigh more.",
    ]


def test_rule_sets_clear_what_they_do_not_forbid() -> None:
    assert remedies("D18a", CHECKS_ONLY)[1:] == [
        "Red did not have to change: its move 5, 9. f7f3 gives no check.",
        "Black did not have to change: its move 4, 8. d7d3 gives no check.",
    ]
    assert remedies("D18a", ALL_DRAWS)[1:] == [
        f"{side} did not have to change: under these rules no repetition loses."
        for side in ("Red", "Black")
    ]


def test_nothing_is_said_of_an_undecided_position() -> None:
    assert not list(format_remedies(Board().judge()))


def by_conduct(red: Conduct, black: Conduct) -> list[Case]:
    return [case for case in CASES if (case.red, case.black) == (red, black)]


@pytest.mark.parametrize("conduct", [Conduct.CHECK, Conduct.CHASE])
def test_equal_offences_oblige_nobody_first(conduct: Conduct) -> None:
    for case in by_conduct(conduct, conduct):
        (line,) = format_remedies(rule(case))
        assert line.startswith(
            f"Neither side had to change before the other: perpetual {conduct}".replace(
                str(conduct), conduct.value
            )
        )


def test_every_case_names_offending_moves_of_the_offender_only() -> None:
    """Each of the offender's moves in the window offends, and each of them is named."""
    for case in CASES:
        ruling = rule(case)
        if ruling.offender is None:
            continue
        lines = list(format_remedies(ruling))
        offence = " ".join(line for line in lines[:1] + lines if line.startswith(INDENT))
        if ruling.conduct[ruling.offender] is Conduct.CHECK:
            offence = lines[0]
        named = {
            int(number)
            for numbers in re.findall(r"((?:\d+, )*\d+)\. \w\d\w\d", offence)
            for number in numbers.split(", ")
        }
        own = {report.ply + 1 for report in ruling.plies if report.color == ruling.offender}
        assert named == own, case.id


def test_the_move_that_clears_a_side_is_idle() -> None:
    """What is said to neither check nor chase does neither by the evidence."""
    for case in CASES:
        ruling = rule(case)
        for line in format_remedies(ruling):
            found = re.search(r"(Red|Black) .*its move ([\d, ]+)\. \w+ neither", line)
            if found:
                plies = {int(number) - 1 for number in found[2].split(", ")}
                reports = [report for report in ruling.plies if report.ply in plies]
                assert {report.color for report in reports} == {RED if found[1] == "Red" else BLACK}
                assert {report.conduct for report in reports} == {Conduct.IDLE}


@pytest.mark.parametrize("lang", LANGUAGES)
def test_the_ruling_in_words_tells_who_had_to_change(lang: str) -> None:
    ruling = rule(find_case("D18a", CASES))
    language = next(known for known in LANGUAGES if known == lang)
    text = format_ruling(ruling, language)
    assert "\n".join(format_remedies(ruling, language)) in text


def test_chinese_says_it_in_chinese() -> None:
    lines = list(format_remedies(rule(find_case("V14a", CASES)), "zh"))
    assert lines[0] == "黑方须停止捉b8的红车。捉子之着："
    assert lines[1] == f"{INDENT}4, 8. e8f9：g8的黑炮攻击b8的红车"
    assert lines[3] == "循环中黑方只要有一着非将非捉，即可作和。"
