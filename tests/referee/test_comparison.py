"""Rulings of several rule sets, and the clauses that make them differ."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tests.support.languages import stray
from xiangqi import (
    ALL_DRAWS,
    CHECKS_ONLY,
    RED,
    RULE_SETS,
    WXF,
    Board,
    Referee,
    RuleSet,
    RuleSetError,
)
from xiangqi.casebook.cases import find_case, load_all_cases, load_cases
from xiangqi.cli.main import main
from xiangqi.contract.rulings import difference_to_dict
from xiangqi.ground.errors import outside
from xiangqi.ground.texts import LANGUAGES, has_text
from xiangqi.referee.comparison import (
    Difference,
    compare,
    find_clauses,
    find_difference,
    format_difference,
    format_differences,
    marked_otherwise,
)
from xiangqi.referee.explanation import explain, format_ruling, format_sentence
from xiangqi.referee.rule_names import describe_clause
from xiangqi.referee.rule_parts import CaptureChase
from xiangqi.referee.rules import RULE_FIELDS, find_rule_set, rule_choices
from xiangqi.referee.ruling import Mark, Verdict
from xiangqi.words.voice import Voice

CASES = load_cases()
LOOSE = RuleSet(
    "loose",
    chase=CaptureChase(checking_move="check_and_chase", minor_attackers="profit"),
    occurrences=2,
)


def board_of(case_id: str) -> Board:
    return find_case(case_id, CASES).play_until(3)


def run(*arguments: str, text: str = "") -> Result:
    return CliRunner().invoke(main, list(arguments), input=text, catch_exceptions=False)


# The clause that makes the difference


@pytest.mark.parametrize(
    ("case_id", "changes"),
    [
        ("D13", {"checking_move": "check_and_chase"}),
        ("V3", {"answered": "victim"}),
        ("D83a", {"legality": "pseudo"}),
        ("D32a", {"offences": "check"}),
    ],
)
def test_the_clause_is_found_among_others(case_id: str, changes: dict[str, object]) -> None:
    """The other book also differs in fields that do not matter."""
    board = board_of(case_id)
    other = RuleSet("other", no_capture_limit=80).replace({"minor_attackers": "profit", **changes})
    difference = find_difference(board, WXF, other)
    assert difference is not None
    assert difference.clauses == ((*changes,),)


def test_each_difference_is_made_by_its_clauses_and_by_no_fewer() -> None:
    """On many cases, these fields of the other book suffice, and no smaller set does."""
    books = (
        WXF,
        CHECKS_ONLY,
        ALL_DRAWS,
        RuleSet("a", chase=CaptureChase(new_threat="victim")),
        LOOSE,
    )
    seen = set()
    cases = [*CASES[::4], *(find_case(name, CASES) for name in ("D13", "D95", "V3"))]
    for case, (first, second) in product(cases, product(books, books)):
        board = case.play_until(3)
        difference = find_difference(board, first, second)
        verdicts = [Referee(rules).judge_cycle(board).verdict for rules in (first, second)]
        assert (difference is None) == (verdicts[0] is verdicts[1])
        for fields in difference.clauses if difference else ():
            seen.add(fields)
            for kept in range(1 << len(fields)):
                some = [field for bit, field in enumerate(fields) if kept >> bit & 1]
                mixed = first.replace({field: second.answers[field] for field in some})
                found = Referee(mixed).judge_cycle(board).verdict
                assert (found is verdicts[1]) == (len(some) == len(fields)), (case.id, some)
    assert {("offences",), ("checking_move",), ("new_threat",)} <= seen
    assert any(len(fields) == 2 for fields in seen), seen


def test_clauses_that_only_make_it_together() -> None:
    """Synthetic decisions: two fields together, either of two, four of which three suffice."""
    fields = ("new_threat", "answered", "check_escape", "identity")
    values = dict(zip(fields, ("victim", "victim", "new", "square"), strict=True))
    other = WXF.replace(values)

    def changed(rules: RuleSet) -> set[str]:
        return {field for field in fields if rules.answers[field] != WXF.answers[field]}

    def clauses(*sets: set[str]) -> tuple[tuple[str, ...], ...]:
        return find_clauses(
            WXF, other, lambda rules: any(needed <= changed(rules) for needed in sets)
        )

    assert clauses({"new_threat", "answered"}) == (("new_threat", "answered"),)
    assert clauses({"answered"}, {"new_threat"}) == (("new_threat",), ("answered",))
    assert clauses({"answered"}, {"new_threat", "identity"}) == (("answered",),)
    assert clauses(set(fields)) == (fields,)
    assert find_clauses(WXF, WXF.replace({}), lambda rules: id(rules)) == ()


def test_sets_that_no_book_may_have_are_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    other = WXF.replace({"new_threat": "victim", "answered": "victim"})
    whole = RuleSet.replace

    def refuse(self: RuleSet, changes: dict[str, object]) -> RuleSet:
        if set(changes) == {"answered"}:
            raise RuleSetError(outside("rule"), "answered", outside("new_threat beside it"))
        return whole(self, changes)

    monkeypatch.setattr(RuleSet, "replace", refuse)
    found = find_clauses(WXF, other, lambda rules: rules.answers["answered"])
    assert found == (("new_threat", "answered"),)


def test_the_rulings_are_those_of_each_book() -> None:
    board = board_of("D32a")
    comparison = compare(board, [WXF, CHECKS_ONLY, ALL_DRAWS])
    assert list(comparison.rulings) == [
        Referee(rules).judge(board) for rules in (WXF, CHECKS_ONLY, ALL_DRAWS)
    ]
    assert [difference.second for difference in comparison.differences] == [CHECKS_ONLY, ALL_DRAWS]
    assert not compare(board_of("D12"), [WXF, CHECKS_ONLY]).differences


# Explanations


def test_every_clause_has_a_sentence() -> None:
    """For every value in a book, and every choice of a field."""
    for field in RULE_FIELDS:
        for value in rule_choices(field):
            assert has_text(f"clause_{field}_{value}")
    for rules in RULE_SETS.values():
        for field in rules.answers:
            for language in LANGUAGES:
                assert describe_clause(rules, field).say(Voice(language))


def test_differences_in_words() -> None:
    comparison = compare(board_of("D32a"), [WXF, CHECKS_ONLY, ALL_DRAWS])
    english = list(format_differences(comparison))
    assert english[0] == ("checks-only: draw; by wxf: Black wins. Reasons for the difference:")
    assert english[1].startswith("    only perpetual check loses; ")
    assert len(english) == 4
    for line in format_differences(comparison, Voice("zh")):
        assert not re.search(r"[A-Za-z]{2}", line)
    alike = compare(board_of("D12"), [WXF, CHECKS_ONLY])
    assert list(format_differences(alike)) == ["All of them rule alike."]


def test_sets_of_clauses_stand_below_one_another() -> None:
    """D1a is ruled on at the second occurrence, by checks alone, or not at all."""
    other = RuleSet("other", offences="none", occurrences=4)
    lines = list(format_differences(compare(board_of("D2a"), [WXF, other])))
    assert [line.strip().split("; ")[0] for line in lines[1:]] == [
        "a position is ruled on when it has occurred 4 times"
    ]
    other = RuleSet("other", chase=CaptureChase(new_threat="victim", answered="victim"))
    lines = list(format_differences(compare(board_of("V3"), [WXF, other])))
    assert len(lines) > 1


# The command


def test_the_command_shows_a_table() -> None:
    output = run("judge", "--case", "D32a", "--rules", "all").output
    head, *rows = output.split("\n\n")[0].splitlines()
    assert head.split() == ["Rules", "Red", "Black", "Verdict"]
    assert [row.split()[0] for row in rows] == list(RULE_SETS)
    assert rows[0].endswith("Black wins")
    assert "Reasons for the difference" in output
    two = run("judge", "--case", "D32a", "--rules", "checks-only,WXF", "--explain").output
    assert two.index("Rules: checks-only") < two.index("Rules: wxf")


def test_the_command_gives_data() -> None:
    arguments = ("judge", "--case", "D32a", "--rules", "wxf,checks-only", "--json")
    data = json.loads(run(*arguments).output)
    assert [ruling["verdict"] for ruling in data["rulings"].values()] == ["black_wins", "draw"]
    (difference,) = data["differences"]
    ((clause,),) = difference["clauses"]
    assert (clause["field"], clause["first"], clause["second"]) == (
        "offences", "check_and_chase", "check",
    )  # fmt: skip
    board = board_of("D32a")
    moves = [move.iccs() for move in board.move_stack]
    line = json.dumps({"id": 1, "fen": board.root_fen(), "moves": moves})
    answer = json.loads(run("judge", "--jsonl", "--rules", "wxf,checks-only", text=line).output)
    assert answer["differences"] == data["differences"]


@pytest.mark.parametrize("names", ["wxf,fide", "all,wxf", "", "wxf,"])
def test_unknown_book_is_named(names: str) -> None:
    result = run("judge", "--case", "D32a", "--rules", names)
    assert result.exit_code == 2
    assert f"{names.replace('wxf,', '').split(',')[0]!r} is not one of 'wxf'" in result.output


def test_commands_for_one_book_take_one() -> None:
    result = run("verify", "--rules", "wxf,checks-only")
    assert result.exit_code == 2
    assert "'wxf,checks-only' is not one of" in result.output


# Files of games


@pytest.fixture
def games(tmp_path: Path) -> Path:
    path = tmp_path / "games.pgn"
    moves = "1. R4.5 K5.6 2. R5.4 K6.5 3. R4.5 K5.6 4. R5.4 K6.5"
    path.write_text(
        '[Result "1-0"]\n[FEN "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1"]\n\n'
        f'{moves} 1-0\n\n[Red "C"]\n\n1. C2.5 H8+7 *\n',
        encoding="utf-8",
    )
    return path


def test_games_by_several_books(games: Path) -> None:
    lines = run("judge", str(games), "--rules", "all").output.splitlines()
    assert "Black wins" in lines[0]
    text = "\n".join(lines[1:])
    assert re.search(r"likewise by .*checks-only", text)
    assert "  all-draws: after round 4, Black: draw" in text
    assert "no repetition loses; by wxf" in text
    chinese = run("judge", str(games), "--rules", "all", "--lang", "zh").stdout
    assert not stray("zh", chinese, str(games))


def test_archives_by_several_books(games: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    arguments = ("judge", str(games), "-o", str(out), "--rules", "wxf,all-draws")
    run(*arguments)
    first, second = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert first["rules"] == "wxf, all-draws"
    assert first["termination"] == "perpetual_check"
    (other,) = first["others"]
    assert (other["rules"], other["termination"]) == ("all-draws", "repetition")
    assert first["differences"][0]["clauses"][0][0]["field"] == "offences"
    assert second["differences"] == []
    assert run(*arguments, "--resume").exit_code == 0
    wrong = run("judge", str(games), "-o", str(out), "--rules", "wxf", "--resume")
    assert "by the rules wxf, all-draws, expected" in wrong.output


# Books that bar moves


def test_a_book_that_bars_rules_on_the_first_barred_move() -> None:
    """Round 3 repeats the position after round 1; its third occurrence is in round 5."""
    board = board_of("D32a")
    comparison = compare(board, [WXF, find_rule_set("superko-situational")])
    first, second = comparison.rulings
    assert len(second.moves) < len(first.moves) == board.ply()
    assert second.moves == first.moves[: len(second.moves)]
    barred = second.moves[-1]
    before = Board(second.fen)
    for move in second.moves[:-1]:
        assert not before.barred_moves(second.rules).count(move)
        before.push(move)
    assert barred in before.barred_moves(second.rules)
    (difference,) = comparison.differences
    assert difference.clauses == (("offences", "prohibition"),)
    assert any("is barred (round 3, Red)" in line for line in format_differences(comparison))


def test_comparison_without_barred_moves() -> None:
    board = Board()
    board.push_iccs("h2e2")
    comparison = compare(board, [WXF, find_rule_set("superko-positional")])
    assert [str(explain(one).verdict) for one in comparison.rulings] == [
        "undecided",
        "nothing is barred",
    ]
    assert not comparison.differences


def test_another_penalty_is_a_difference() -> None:
    comparison = compare(board_of("D32a"), [WXF, WXF.replace({"penalty": "must_change"})])
    assert comparison.differences[0].clauses == (("penalty",),)
    assert str(explain(comparison.rulings[1]).verdict) == "Red must change, or loses"


# Books that use other facts


def test_moves_that_are_marked_otherwise() -> None:
    """One book's chases are the other's kills; all marks of allowed moves are equal."""
    board = board_of("D32a")
    first = Referee(WXF).judge(board)
    assert not marked_otherwise(first, first)
    plies = [
        replace(report, mark=Mark.KILL if report.mark is Mark.CHASE else Mark.BLOCK)
        for report in first.plies
    ]
    gain = WXF.replace(
        {
            "chase": "gain",
            "common_victim": "any",
            "offences": "check_kill_and_chase",
            "verdicts": ("heavy>idle", "light>idle"),
            "search_as": "wxf",
        }
    )
    second = replace(first, plies=tuple(plies), rules=gain, verdict=Verdict.DRAW)
    marked = marked_otherwise(first, second)
    assert {report.color for report, _ in marked} == {RED}
    assert {(ours.mark, theirs.mark) for ours, theirs in marked} == {(Mark.CHASE, Mark.KILL)}
    difference = Difference(WXF, gain, ())
    lines = list(format_difference(difference, first, second))
    assert len(lines) == 2, "moves that are played again are reported once"
    assert all(" (rounds " in line for line in lines)
    assert ": threat of mate" in lines[0]
    assert "; by wxf chase (the red chariot on a4 attacks the black cannon on " in lines[0]
    data = difference_to_dict(difference, first, second)
    assert {mark["second"] for mark in data["marks"]} == {"kill"}
    assert not marked_otherwise(first, replace(second, window=(0, 3)))


def test_a_book_in_a_file_is_called_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "club.toml"
    facts = 'title = "Club"\ntitle_zh = "我会"\ncertainty = "first-hand"\nsources = ["ours"]\n'
    path.write_text(f'{facts}based_on = "computer"\n\n[rules]\noffences = "none"\n', "utf-8")
    output = run("judge", "--case", "D32a", "--rules", f"wxf,{path}").output
    assert output.splitlines()[2].split() == ["club", "chases", "idle", "moves", "draw"]
    assert "club: draw; by wxf: Black wins" in output


def test_checks_and_chases_by_turns_are_reported_together() -> None:
    """Under a book that forbids both and bars the offender, which is to move."""
    rules = find_rule_set("xiangqi.com").replace({"mixing": "any"})
    ruling = Referee(rules).judge(find_case("D13", CASES).play_until(3))
    text = format_ruling(ruling)
    assert text.startswith(
        "Ruling: Red may not go on: Red made only forbidden moves, one check, one chase by turns"
    )
    assert "\nRed: one check, one chase by turns\n" in text
    assert "Red had to stop; all of its moves are forbidden:\n        e5f5" in text
    assert not re.findall(r"[A-Za-z]{2}", format_sentence(ruling, Voice("zh")))


def test_the_chinese_rules_beside_those_of_the_wxf() -> None:
    """Figure 10: single chases, heavy, against joint ones, which no capture alone shows."""
    board = find_case("cxa2020-c8-10", load_all_cases()).play_until(3)
    comparison = compare(board, [WXF, find_rule_set("cxa2020")])
    text = "\n".join(format_differences(comparison, Voice("en", "wxf")))
    assert "cxa2020: Red must change, or loses; by wxf: draw." in text
    assert re.search(r"chase \(wins the black chariot on file 3 by .*\); by wxf idle \(", text)
    chinese = "\n".join(format_differences(comparison, Voice("zh")))
    assert "中国象棋协会竞赛规则" in chinese
    assert not re.findall(r"[A-Za-z]{2}", chinese)


def test_unsettled_plies_are_reported_by_round() -> None:
    ruling = replace(Referee(WXF).judge(board_of("D32a")), unsettled=(2,))
    assert "before it found all threats of these moves: " in format_ruling(ruling)
    assert "(round 2)" in format_ruling(ruling)


@pytest.mark.parametrize("others", ["wxf", "wxf,tiantian", "tiantian"])
def test_a_case_is_ruled_alike_whatever_book_stands_beside(others: str) -> None:
    """The case is played for each rule set until that one rules."""
    output = run("judge", "--case", "D32", "--rules", f"{others},cxa2020").output
    (row,) = [line for line in output.splitlines() if line.startswith("cxa2020  ")]
    assert row.endswith("Red must change, or loses")
