"""Remedies: the listed offending moves offend, and the listed changes suffice."""

from __future__ import annotations

import re

import pytest

from xiangqi import ALL_DRAWS, BLACK, CHECKS_ONLY, RED, WXF, Board, RuleSet
from xiangqi.casebook.cases import Case, find_case, load_cases
from xiangqi.ground.texts import LANGUAGES, Language
from xiangqi.referee.explanation import explain, format_ruling
from xiangqi.referee.judging import Conduct, Referee, Ruling
from xiangqi.words.phrases import Rounds
from xiangqi.words.voice import MOVE_NOTATIONS, PLAIN_VOICE, MoveNotation, Voice

CASES = load_cases()
INDENT = " " * 8


def rule(case: Case, rules: RuleSet = WXF) -> Ruling:
    return Referee(rules).judge(case.play_until(rules.occurrences))


def list_remedies(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> list[str]:
    lines = explain(ruling).remedies
    return [(INDENT if line.is_move else "") + line.text.say(voice) for line in lines]


def remedies(name: str, rules: RuleSet = WXF) -> list[str]:
    return list_remedies(rule(find_case(name, CASES), rules))


def test_a_chase_is_reported_move_by_move() -> None:
    assert remedies("D18a") == [
        "Red had to stop chasing the black chariot on d7. These are the chases:",
        f"{INDENT}f7f3 (rounds 3 and 5): the red cannon on f3 attacks the black chariot on d3",
        f"{INDENT}f3f7 (rounds 4 and 6): the red cannon on f7 attacks the black chariot on d7",
        "One move in the cycle that neither checks nor chases would have been enough for Red: "
        "the game would have been a draw.",
        "Black did not have to change: its move d7d3 (rounds 2 and 4) neither checks nor chases, "
        "and one such move in the cycle is enough.",
    ]


def test_checks_weigh_more_than_chases() -> None:
    assert remedies("D1") == [
        "Red had to stop checking; each of its moves gives check: h9h8 (rounds 2 and 4); "
        "h8h9 (rounds 3 and 5).",
        "One move in the cycle that neither checks nor chases would have been enough for Red: "
        "then Black would have had to change.",
        "Black did not have to change: the other side's checks weigh more.",
    ]


def test_rule_sets_clear_what_they_do_not_forbid() -> None:
    assert remedies("D18a", CHECKS_ONLY)[1:] == [
        "Red did not have to change: its move f7f3 (rounds 3 and 5) gives no check.",
        "Black did not have to change: its move d7d3 (rounds 2 and 4) gives no check.",
    ]
    assert remedies("D18a", ALL_DRAWS)[1:] == [
        f"{side} did not have to change: under these rules no repetition loses."
        for side in ("Red", "Black")
    ]


def test_undecided_position_has_no_remedies() -> None:
    assert not list_remedies(Board().judge())


def by_conduct(red: Conduct, black: Conduct) -> list[Case]:
    return [case for case in CASES if (case.red, case.black) == (red, black)]


@pytest.mark.parametrize("conduct", [Conduct.CHECK, Conduct.CHASE])
def test_equal_offences_oblige_nobody_first(conduct: Conduct) -> None:
    for case in by_conduct(conduct, conduct):
        (line,) = list_remedies(rule(case))
        assert line.startswith(
            f"Neither side had to change before the other: perpetual {conduct}".replace(
                str(conduct), conduct.value
            )
        )


def test_every_case_names_offending_moves_of_the_offender_only() -> None:
    """All moves of the offender in the window, and no others, are listed."""
    for case in CASES:
        ruling = rule(case)
        if ruling.offender is None:
            continue
        lines = list_remedies(ruling)
        offence = " ".join(line for line in lines[:1] + lines if line.startswith(INDENT))
        if ruling.conduct[ruling.offender] is Conduct.CHECK:
            offence = lines[0]
        named = {
            (move, int(number))
            for move, numbers in re.findall(r"(\w\d\w\d) \(rounds? ([\d, and]+)\)", offence)
            for number in re.findall(r"\d+", numbers)
        }
        rounds = Rounds.from_fen(ruling.fen)
        own = {
            (report.move.iccs(), rounds.number(report.ply))
            for report in ruling.plies
            if report.color == ruling.offender
        }
        assert named == own, case.id


def test_the_move_that_clears_a_side_is_idle() -> None:
    """A move described as neither check nor chase is neither by the evidence."""
    for case in CASES:
        ruling = rule(case)
        for line in list_remedies(ruling):
            found = re.search(r"(Red|Black) .*its move (\w+) \(rounds? (.*?)\) neither", line)
            if found:
                side, rounds = RED if found[1] == "Red" else BLACK, Rounds.from_fen(ruling.fen)
                reports = [
                    report
                    for report in ruling.plies
                    if report.color == side
                    and str(rounds.number(report.ply)) in re.findall(r"\d+", found[3])
                ]
                assert {report.move.iccs() for report in reports} == {found[2]}
                assert {report.conduct for report in reports} == {Conduct.IDLE}


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("notation", MOVE_NOTATIONS)
def test_the_ruling_in_words_tells_who_had_to_change(
    lang: Language, notation: MoveNotation
) -> None:
    ruling = rule(find_case("D18a", CASES))
    voice = Voice(lang, notation)
    text = format_ruling(ruling, voice)
    assert "\n".join(list_remedies(ruling, voice)) in text


def test_chinese_says_it_in_chinese() -> None:
    lines = list_remedies(rule(find_case("V14a", CASES)), Voice("zh"))
    assert lines[0] == "黑方须停止捉红方八路车。捉子之着："
    assert lines[1] == f"{INDENT}士５退６（第2、4回合）：黑方７路后炮攻击红方八路车"
    assert lines[3] == "循环中黑方只要有一着非将非捉，即可作和。"
