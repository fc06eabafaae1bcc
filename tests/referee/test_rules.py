"""Rule sets: defaults, errors, and a changed ruling for each open question."""

from __future__ import annotations

import pickle
from dataclasses import MISSING, fields, replace
from itertools import pairwise
from pathlib import Path
from typing import get_type_hints

import pytest

from xiangqi import ALL_DRAWS, BLACK, CHECKS_ONLY, RED, RULE_SETS, WXF, Conduct, Referee, RuleSet
from xiangqi.games.record import GameRecord
from xiangqi.ground.errors import RuleSetError
from xiangqi.ground.texts import LANGUAGES
from xiangqi.referee.judging import Ruling
from xiangqi.referee.rule_checks import check_value, list_books
from xiangqi.referee.rule_parts import CaptureChase, GainChase, Rounds
from xiangqi.referee.rules import (
    RULE_FIELDS,
    choose_rule_set,
    find_rule_book,
    find_rule_set,
    load_rule_set,
    parse_rule,
)


def test_wxf_is_the_default_reading() -> None:
    assert RuleSet("wxf") == WXF
    assert WXF.occurrences == 3
    assert WXF.no_capture_limit == 120


def test_sets_are_found_by_name() -> None:
    assert [find_rule_set(name.upper()) for name in RULE_SETS] == list(RULE_SETS.values())
    with pytest.raises(RuleSetError, match=r"'wfx': expected one of 'wxf'"):
        find_rule_set("wfx")


def test_a_rule_set_is_a_value() -> None:
    assert pickle.loads(pickle.dumps(WXF)) == WXF
    assert len({WXF, RuleSet("wxf"), CHECKS_ONLY}) == 2
    assert WXF.switches is RuleSet("wxf").switches


def test_taiwan_rules_at_the_fourth_occurrence() -> None:
    rules = find_rule_set("taiwan2024")
    board = GameRecord("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", tuple("f0e0 e8f8 e0f0 f8e8".split()) * 2)
    assert board.play().outcome(rules) is None
    longer = GameRecord(board.fen, board.moves + board.moves[:4]).play()
    outcome = longer.outcome(rules)
    assert outcome is not None
    assert outcome.winner == BLACK
    assert rules.no_capture_limit == 100


@pytest.mark.parametrize(
    ("name", "base"),
    [("vietnam2021", "wxf"), ("vietnam2004", "wxf"), ("axf", "wxf"), ("cxa2011", "cxa2020")],
)
def test_books_that_are_not_known_to_differ(name: str, base: str) -> None:
    assert replace(find_rule_set(name), name=base) == find_rule_set(base)
    assert find_rule_book(name).certainty == "second-hand"


@pytest.mark.parametrize("field", RULE_FIELDS)
def test_every_rule_refuses_nonsense_and_says_what_it_expects(field: str) -> None:
    with pytest.raises(RuleSetError, match=rf"rule {field} 'nonsense': expected"):
        WXF.replace({field: "nonsense"})


@pytest.mark.parametrize("occurrences", [1, 0, -3, 1001, True, 2.0, None, 10**30])
def test_occurrences_must_be_a_number_from_two(occurrences: object) -> None:
    with pytest.raises(RuleSetError, match="rule occurrences"):
        WXF.replace({"occurrences": occurrences})


def test_the_defaults_are_valid() -> None:
    """A rule set does not validate default values itself."""
    for kind in (RuleSet, CaptureChase, GainChase, Rounds):
        for field in fields(kind):
            if field.name in RULE_FIELDS and field.default not in (MISSING, ()):
                check_value(field.name, get_type_hints(kind)[field.name], field.default)
    assert (
        WXF.replace({"chase": "gain", "common_victim": "any", "verdicts": ()}).chase == GainChase()
    )


def test_an_unknown_rule_is_named() -> None:
    with pytest.raises(RuleSetError, match=r"rule 'ocurrences': expected one of occurrences, "):
        WXF.replace({"ocurrences": 3})
    with pytest.raises(RuleSetError, match="rule 'name'"):
        WXF.replace({"name": "other"})


def test_every_rule_is_documented() -> None:
    """Each field of the class is followed by its own docstring."""
    import ast
    import inspect

    from xiangqi.referee import rule_parts, rules

    classes = {
        node.name: node.body
        for module in (rules, rule_parts)
        for node in ast.parse(inspect.getsource(module)).body
        if isinstance(node, ast.ClassDef)
    }
    for kind in (RuleSet, CaptureChase, GainChase, Rounds):
        body = classes[kind.__name__]
        for statement, following in pairwise(body):
            if isinstance(statement, ast.AnnAssign):
                assert isinstance(following, ast.Expr), ast.unparse(statement)
        assert len([node for node in body if isinstance(node, ast.AnnAssign)]) == len(fields(kind))


def rule(rules: RuleSet, fen: str, cycle: str, times: int = 2) -> Ruling:
    record = GameRecord(fen, tuple(cycle.split()) * times)
    return Referee(rules).judge(record.play())


CHECKER = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "f0e0 e8f8 e0f0 f8e8"
CHASER = "2bk1a3/4a4/4b4/9/c8/1R7/3r5/4B4/4A4/4KAB2 w", "b4a4 a5b5 a4b4 b5a5"


def test_offences() -> None:
    """Conduct that is no offence is idle, for either side."""
    assert rule(WXF, *CHECKER).conduct[RED] is Conduct.CHECK
    assert rule(CHECKS_ONLY, *CHECKER).conduct[RED] is Conduct.CHECK
    assert rule(ALL_DRAWS, *CHECKER).conduct[RED] is Conduct.IDLE
    assert rule(WXF, *CHASER).conduct[RED] is Conduct.CHASE
    assert rule(CHECKS_ONLY, *CHASER).conduct[RED] is Conduct.IDLE
    assert rule(ALL_DRAWS, *CHASER).conduct[RED] is Conduct.IDLE


def test_occurrences_decides_when_to_rule() -> None:
    assert rule(WXF, *CHECKER, times=1).verdict.value == "undecided"
    twice = WXF.replace({"occurrences": 2})
    ruling = rule(twice, *CHECKER, times=1)
    assert ruling.verdict.value == "black_wins"
    assert ruling.window == (0, 3)
    assert rule(WXF.replace({"occurrences": 5}), *CHECKER, times=4).window == (0, 15)
    assert rule(WXF, *CHECKER, times=4).window == (8, 15)


# One position for each open question, on which the other answer changes the ruling.
TWINS = [
    (
        # A horse joins an elephant in attacking the soldier.
        {"new_threat": "victim"},
        "4k4/4a4/9/9/9/9/9/4B4/4N4/3K2p2 b",
        "g0f0 e1g2 f0g0 g2e1",
        ("chase", "idle"),
        ("idle", "idle"),
    ),
    (
        # The soldier leaves the horse for the elephant.
        {"answered": "victim"},
        "4k4/4a4/9/9/9/9/9/4B4/4N4/3K2p2 b",
        "g0f0 e1g2 f0g0 g2e1",
        ("chase", "idle"),
        ("idle", "idle"),
    ),
    (
        # One of the chasing moves checks as well.
        {"checking_move": "check_and_chase"},
        "5k3/3cc2n1/4P2P1/2p6/3r5/9/1n7/4B4/9/1pBAK2R1 b",
        "d5e5 e7d7 e5d5 d7e7",
        ("idle", "idle"),
        ("idle", "chase"),
    ),
    (
        # The king steps out of check, and the chariot may capture the horse again.
        {"check_escape": "new"},
        "4k4/7n1/4rN3/9/9/9/9/3KB4/9/9 b",
        "e9e8 f7g9 e8e9 g9f7",
        ("check", "idle"),
        ("check", "chase"),
    ),
    (
        # The elephant's recapture would open the file between the generals.
        {"legality": "pseudo"},
        "6b1c/9/5k3/9/4R4/9/9/8n/9/4K1p2 w",
        "e5g5 g9e7 g5e5 e7g9",
        ("chase", "idle"),
        ("idle", "idle"),
    ),
    (
        # An advisor strikes at a protected horse all the time, so nothing it does is new.
        {"minor_attackers": "profit"},
        "9/9/3k4r/7P1/9/9/9/B4K3/9/2nA2r2 b",
        "c0d2 d0e1 d2c0 e1d0",
        ("chase", "idle"),
        ("idle", "idle"),
    ),
    (
        # Two chariots are chased by turns, both at once in between.
        {"common_victim": "successive"},
        "9/4k4/4b4/9/9/9/9/4B4/C2r1r2C/3AKAB2 b",
        "d1d3 d0e1 d3d1 e1d0 f1f3 f0e1 f3f1 e1f0",
        ("idle", "idle"),
        ("chase", "idle"),
    ),
]


@pytest.mark.parametrize(("change", "fen", "cycle", "default", "other"), TWINS, ids=str)
def test_open_questions(
    change: dict[str, object],
    fen: str,
    cycle: str,
    default: tuple[str, str],
    other: tuple[str, str],
) -> None:
    assert conducts(rule(WXF, fen, cycle)) == default
    assert conducts(rule(WXF.replace(change), fen, cycle)) == other


def conducts(ruling: Ruling) -> tuple[str, str]:
    red, black = ruling.conduct[RED], ruling.conduct[BLACK]
    assert red is not None
    assert black is not None
    return red.value, black.value


# Books


def test_the_files_say_what_the_rule_sets_are() -> None:
    assert load_rule_set(list_books()["wxf"]) == WXF
    for name, path in list_books().items():
        book = find_rule_book(name.upper())
        assert load_rule_set(path) == RULE_SETS[name]
        assert RULE_SETS[name].name == name == book.name
        assert len(set(book.titles.values())) == len(LANGUAGES), "a title in each language"
        assert book.sources
        assert set(book.answers) <= set(RULE_FIELDS)
    assert next(iter(RULE_SETS)) == "wxf"
    assert (CHECKS_ONLY.offences, ALL_DRAWS.offences) == ("check", "none")


BOOK = """
title = "Our club"
title_zh = "我会"
certainty = "first-hand"
sources = ["our club"]
based_on = "checks-only"
[rules]
occurrences = 2
no_capture_limit = "none"
verdicts = ["check>idle"]
"""


def load(folder: Path, text: str) -> RuleSet:
    path = folder / f"club{len(list(folder.iterdir()))}.toml"  # a name is read once
    path.write_text(text, encoding="utf-8")
    return choose_rule_set(str(path))


def test_a_file_changes_the_book_that_it_is_based_on(tmp_path: Path) -> None:
    club = load(tmp_path, BOOK)
    assert club.name == "club0"
    changes = {"occurrences": 2, "no_capture_limit": None, "verdicts": ("check>idle",)}
    assert club == replace(CHECKS_ONLY, name="club0", **changes)  # type: ignore[arg-type]
    described = "club0 occurrences=2 offences=check verdicts=check>idle no_capture_limit=none"
    assert club.describe() == described
    words = [word.partition("=") for word in described.split()[1:]]
    again = WXF.replace({field: parse_rule(field, value) for field, _, value in words})
    assert replace(again, name="club0") == club


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('title = "Our club"', "", r"invalid key title None: expected text"),
        ('certainty = "first-hand"', 'certainty = "sure"', "key certainty 'sure': expected one of"),
        ('["our club"]', '"our club"', "key sources 'our club': expected a list"),
        ("[rules]", "not_covered = []\n[rules]", r"key not_covered \[\]: expected a list"),
        ("occurrences = 2", 'prohibition = "positional"', "offences 'check': expected 'none'"),
        ("[rules]", "colour = 1\n[rules]", "invalid key 'colour': expected one of title"),
        ('"checks-only"', '"chekcs-only"', "rule set 'chekcs-only': expected one of 'wxf'"),
        ('based_on = "checks-only"', "", r"rule \w+ None: expected an answer, or the name"),
        (BOOK[BOOK.index("[rules]") :], "rules = 3", "key rules 3: expected a table"),
        ("occurrences = 2", "ocurrences = 2", "invalid rule 'ocurrences': expected one of"),
        ("occurrences = 2", 'occurrences = "2x"', "rule occurrences '2x': expected a number"),
        ("occurrences = 2", "occurrences = [", "expected a TOML file that can be read"),
        ('"check>idle"', '"check>mate"', "rule verdicts 'check>mate': expected A>B with two of"),
        ('"check>idle"', "3", "rule verdicts 3: expected A>B"),
        ('"check>idle"', '"check>idle", "idle>check"', "each pair of conducts once"),
        ('"check>idle"', '"idle>idle"', "each pair of conducts once"),
    ],
)
def test_faults_of_a_rule_file_are_reported(tmp_path: Path, old: str, new: str, why: str) -> None:
    assert old in BOOK
    with pytest.raises(RuleSetError, match=why) as caught:
        load(tmp_path, BOOK.replace(old, new))
    assert str(tmp_path / "club0.toml") in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(
        RuleSetError, match=r"nowhere\.toml': expected a TOML file that can be read"
    ):
        choose_rule_set(str(tmp_path / "nowhere.toml"))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"offences": "check_kill_and_chase"}, "rule offences .* no kill if a chase is"),
        ({"search_as": "wxf"}, "rule search_as 'wxf': expected no answer if chase is 'capture'"),
        ({"chase": "gain", "verdicts": ()}, "common_victim 'window': expected 'any' if chase is"),
        ({"key_point": "idle"}, "rule key_point 'idle': expected no answer if chase is 'capture'"),
        (
            {"chase": "gain", "legality": "full", "verdicts": ()},
            "rule legality 'full': expected no answer if chase is 'gain'",
        ),
        ({"both_full": "first"}, "rule both_full 'first': expected no answer if check_rounds has"),
        ({"chase": "gain"}, "rule verdicts 'check>chase'"),
        ({"checking_move": "voids_all", "mixing": "any"}, "rule mixing 'any': expected 'one_kind'"),
        ({"no_capture_limit": None, "free_checks": 10}, "rule free_checks 10: expected None"),
        ({"verdicts": ("heavy>idle",)}, "rule verdicts 'heavy>idle': .* idle, chase, check"),
    ],
)
def test_fields_that_do_not_go_together(changes: dict[str, object], why: str) -> None:
    with pytest.raises(RuleSetError, match=why):
        WXF.replace(changes)
