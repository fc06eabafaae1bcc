"""Articles of rule books, and the grounds of attacks: shown where the manuals have them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from xiangqi import RED, Board, Move, Piece, Referee, parse_square
from xiangqi.casebook.cases import load_all_cases, load_cases
from xiangqi.contract.rulings import ruling_to_dict
from xiangqi.core.board import CoreBoard
from xiangqi.ground.errors import RuleSetError
from xiangqi.pieces.fen import Setup
from xiangqi.referee.evidence import ThreatEvidence, describe_threat
from xiangqi.referee.explanation import format_ruling
from xiangqi.referee.grounds import find_grounds, list_false_roots
from xiangqi.referee.judging import Ruling, Victim
from xiangqi.referee.marks import ARTICLE_KEYS, Clause, GroundKind, Reason
from xiangqi.referee.rules import RULE_SETS, WXF, load_rule_set
from xiangqi.words.voice import Voice

CASES = {case.id: case for case in (*load_cases(), *load_all_cases())}


def rule(name: str, rules: str = "wxf") -> Ruling:
    return Referee(rules).judge(CASES[name].play_until(3))


def articles_in(data: Any) -> Iterator[str]:
    """All articles in the JSON data of a ruling."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield from value if key == "articles" else articles_in(value)
    elif isinstance(data, list):
        for value in data:
            yield from articles_in(value)


BY_DIAGRAM = {
    "D1a": "6", "D4a": "7", "D11": "11-14", "D15": "14", "D18a": "15-16", "D22": "15-16",
    "D26": "16", "D29": "17", "D32a": "18", "D36a": "18", "D39a": "19", "D40a": "19",
    "D42": "20-21", "D45a": "20-21", "D48": "22", "D51a": "24", "D53": "24", "D55": "24",
    "D56a": "25-26", "D57a": "25-26", "D60a": "25", "D61a": "25-26", "D63b": "27", "D64a": "27",
    "D65a": "27", "D67": "28-29", "D69": "28-29", "D71": "30-31", "D72": "30-31", "D76": "32",
    "D83a": "34", "D84a": "34", "D85": "34", "D86": "35", "D101": "40", "D103a": "40",
}  # fmt: skip
"""Diagrams of the WXF manual with the article in whose section they stand."""


@pytest.mark.parametrize("name", BY_DIAGRAM)
@pytest.mark.parametrize("rules", ["wxf", "axf"])
def test_a_diagram_is_ruled_by_its_article(name: str, rules: str) -> None:
    assert BY_DIAGRAM[name] in set(articles_in(ruling_to_dict(rule(name, rules))))


BY_FIGURE = {
    "cxa2020-c8-06": "25.1", "cxa2020-c8-10": "26.9", "cxa2020-c8-14": "26.1",
    "cxa2020-c8-16": "26.1.3", "cxa2020-c8-17": "26.1.3", "cxa2020-c8-18": "26.2",
    "cxa2020-c8-22": "26.5", "cxa2020-c8-23": "26.5", "cxa2020-c8-29": "24.2",
    "cxa2020-c9-05": "25.2", "cxa2020-c9-27": "26.5", "cxa2020-c9-39": "26.9",
    "cxa1999-c7-01": "7:1", "cxa1999-c7-03": "7:3", "cxa1999-c7-06": "7:6",
    "cxa1999-c7-09": "7:7", "cxa1999-c7-11": "7:9", "cxa1999-c7-15": "7:13",
}  # fmt: skip
"""Figures of the Chinese rules with the article that they explain."""


@pytest.mark.parametrize("name", BY_FIGURE)
def test_a_figure_is_ruled_by_its_article(name: str) -> None:
    found = set(articles_in(ruling_to_dict(rule(name, name.partition("-")[0]))))
    assert BY_FIGURE[name] in found


@pytest.mark.parametrize("name", ["taiwan2024", "vietnam2004", "computer", "xiangqi.com"])
def test_a_book_with_unknown_articles_names_none(name: str) -> None:
    ruling = Referee(name).judge(CASES["D18a"].play_until(RULE_SETS[name].occurrences))
    assert list(articles_in(ruling_to_dict(ruling))) == []
    assert "article" not in format_ruling(ruling)


def chases_in_words(name: str, language: str = "en") -> set[str]:
    """Lines on the chases of a case."""
    text = format_ruling(rule(name), Voice(language, "iccs"))  # type: ignore[arg-type]
    mark = {"en": ": a chase, ", "zh": "：捉，"}[language]
    return {line.strip() for line in text.splitlines() if mark in line}


GROUNDS = {
    "D18a": "(articles 15-16: a cannon gains by taking a protected chariot)",
    "D45a": "(articles 20-21: a horse gains by taking a protected chariot)",
    "D53": "(article 24: the black cannon on b9 cannot take back, pinned by the red cannon on a9)",
    "D55": "(article 24: the black horse on g7 cannot take back, its leg is blocked by the black "
    "soldier on g6)",
    "D56a": "(articles 25-26: the move of the red soldier on g5 makes the cannon attack)",
    "D64a": "(article 27: the black chariot on e4 cannot take back, pinned by the red cannon "
    "on e2)",
    "D71": "(articles 30-31: the move of the red general on e1 uncovers the attack)",
    "D84a": "(article 18; article 34: the black horse on f9 may not recapture, pinned by the red "
    "cannon on i9)",
    "D105a": "(the move of the red soldier on b6 takes the protection away)",
}


@pytest.mark.parametrize("name", GROUNDS)
def test_the_ground_of_a_chase_is_said(name: str) -> None:
    lines = chases_in_words(name)
    assert any(line.endswith(GROUNDS[name]) for line in lines), lines


def test_the_grounds_are_said_in_chinese() -> None:
    assert any("（第15至16条：炮捉有根车亦算捉）" in one for one in chases_in_words("D18a", "zh"))
    assert any("第30至31条：e1的红帅移动，露捉" in one for one in chases_in_words("D71", "zh"))


def test_the_chinese_rules_name_what_a_general_uncovers() -> None:
    """Figure 15: the general's step lets a horse attack (26.1.1)."""
    ruling = rule("cxa2020-c8-15", "cxa2020")
    text = format_ruling(ruling, Voice("zh"))
    assert "捉黑方５路卒：马六退五；红方帅移动，露捉（第24.3条）" in text
    proofs = [proof for ply in ruling_to_dict(ruling)["plies"] for proof in ply["proofs"]]
    grounds = [ground for proof in proofs for ground in proof["grounds"]]
    assert {ground["ground"] for ground in grounds} == {"uncovered"}
    assert {ground["piece"]["piece"] for ground in grounds if ground["piece"]} == {"K"}


@pytest.mark.parametrize("target", "c5 c3 g5 g3 d6 f6 d2 f2".split())
def test_a_blocked_leg_is_found_in_every_direction(target: str) -> None:
    """A horse attacks a horse whose leg towards it is blocked, while its own is free."""
    victim = parse_square("e4")
    square = parse_square(target)
    files, ranks = square % 9 - victim % 9, square // 9 - victim // 9
    leg = victim + (files // 2 if abs(files) == 2 else 9 * (ranks // 2))
    pieces = {victim: "n", square: "N", leg: "P", parse_square("d9"): "k", parse_square("f0"): "K"}
    placed = {at: Piece.from_symbol(symbol) for at, symbol in pieces.items()}
    board = CoreBoard(Setup.from_piece_map(placed, turn=RED))
    (threat,) = [one for one in Referee().find_threats(board, RED) if one.attacker == square]
    (ground,) = find_grounds(threat, board.cells())
    assert ground.kind is GroundKind.BLOCKED_LEG
    assert ground.by is not None
    assert ground.by.square == leg


def test_a_general_that_may_not_recapture_is_a_false_root() -> None:
    """The chariot's line covers the square on which the general would recapture."""
    board = Board("3knRC2/9/9/9/9/9/9/9/9/4K4 w")
    (false,) = list_false_roots(board, Move.from_iccs("g9e9"))
    assert (false.root.piece, false.pinner) == (
        Piece.from_symbol("k"),
        Victim(Piece.from_symbol("R"), parse_square("f9")),
    )


def test_a_check_has_no_grounds() -> None:
    """An attack of the side that gives check is not its next move."""
    board = Board("4k4/9/4r4/9/9/9/4C4/9/4C4/3K5 b")
    threats = Referee().find_threats(board, RED)
    assert all(find_grounds(threat, board.cells()) == () for threat in threats)


def write_rules(folder: Path, articles: str) -> Path:
    path = folder / "club.toml"
    head = 'title = "Club"\ntitle_zh = "俱乐部"\ncertainty = "first-hand"\nsources = ["rules"]\n'
    path.write_text(f'{head}based_on = "wxf"\n{articles}', encoding="utf-8")
    return path


def test_a_file_has_its_own_articles_or_those_of_another_book(tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    own = load_rule_set(write_rules(tmp_path, '[articles]\nchariot_by_cannon = ["3.2"]\n'))
    same = load_rule_set(write_rules(tmp_path / "other", 'articles = "wxf"\n'))
    game = CASES["D18a"].play_until(3)
    assert "(article 3.2: a cannon gains" in format_ruling(Referee(own).judge(game))
    assert "(articles 15-16: a cannon gains" in format_ruling(Referee(same).judge(game))
    changed = own.replace({"occurrences": 2})
    assert "(article 3.2: a cannon gains" in format_ruling(Referee(changed).judge(game))


@pytest.mark.parametrize(
    ("articles", "message"),
    [
        ('[articles]\nrook_by_cannon = ["3"]\n', "'rook_by_cannon'"),
        ('[articles]\ncheck = "3"\n', "key check '3'"),
        ('[articles]\ncheck = ["iii"]\n', "such as '26.1.3', '15-16' or '7:6'"),
        ('articles = "wfx"\n', "a rule set with the same numbers"),
    ],
)
def test_invalid_articles_are_refused(articles: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(RuleSetError, match=message):
        load_rule_set(write_rules(tmp_path, articles))


def test_every_reason_can_have_articles() -> None:
    for kind in (Reason, Clause, GroundKind):
        assert {one.value for one in kind} <= ARTICLE_KEYS


def test_an_attack_in_a_position_has_its_ground() -> None:
    board = Board("4k4/9/2r1r4/9/9/2P6/2C6/9/9/5K3 w")
    cells, rook = board.cells(), Piece.from_symbol("r")
    (threat,) = [one for one in Referee().find_threats(board, RED) if one.victim_piece == rook]
    found = ThreatEvidence.of(threat, find_grounds(threat, cells), WXF)
    assert str(describe_threat(found, WXF, cells)) == (
        "the red cannon on c3 attacks the black chariot on c7: at a profit "
        "(articles 15-16: a cannon gains by taking a protected chariot)"
    )
