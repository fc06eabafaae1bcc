"""The clauses of the rules, as docstrings of the core and ``docs/rules.md`` have them.

A clause decides the diagrams that it names and no others: with the clause taken away from the
oracle, those are ruled otherwise, in their verdict or in what a side did.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple, TypeAlias

import pytest

from tests.oracle import judge as oracle_judge
from tests.oracle import threats
from tests.oracle.choices import Choices
from tests.oracle.game import Board, Square, can_go, colour, kind, moved, pieces_of
from xiangqi.casebook.cases import Case, load_cases
from xiangqi.referee.judging import Reason

pytestmark = pytest.mark.long

ROOT: Final = Path(__file__).parents[2]
CASES: Final = load_cases()
Ruled: TypeAlias = tuple[str, str | None, str | None]
"""A verdict, and what Red and Black did."""

NAME: Final = r"[A-Z]+(?:_[A-Z]+)*"
PARAGRAPH: Final = re.compile(
    rf"(?P<name>{NAME}) \((?P<place>(?:articles?|diagrams) [^)]+)\): (?P<words>.+?) "
    r"(?P<verb>Decides|Shown by) (?P<diagrams>[DXV0-9, ]+)\."
)


class Clause(NamedTuple):
    """A clause in its docstring."""

    place: str
    words: str
    verb: str
    diagrams: frozenset[str]


def find_clauses(paragraphs: list[str]) -> dict[str, Clause]:
    """The clauses among the paragraphs of a text, by their names."""
    found: dict[str, Clause] = {}
    for paragraph in paragraphs:
        match = PARAGRAPH.fullmatch(" ".join(paragraph.split()))
        if match:
            assert match["name"] not in found
            diagrams = frozenset(match["diagrams"].split(", "))
            found[match["name"]] = Clause(match["place"], match["words"], match["verb"], diagrams)
    return found


def paragraphs_of(source: Path) -> list[str]:
    """The paragraphs of a Cython file's docstrings."""
    docstrings = re.findall(r'"""(.*?)"""', source.read_text(encoding="utf-8"), re.DOTALL)
    return [paragraph for text in docstrings for paragraph in text.split("\n\n")]


CLAUSES: Final = find_clauses(
    [
        paragraph
        for source in sorted((ROOT / "ext/xiangqi/core/repetition").glob("*.pyx"))
        for paragraph in paragraphs_of(source)
    ]
)


# What the cases say


def diagram_of(case: Case) -> str:
    """The diagram that a case belongs to: its name without the letter."""
    return case.id.rstrip("abcdefgh")


DIAGRAMS: Final = {diagram_of(case) for case in CASES}


@lru_cache
def played(case_id: str) -> tuple[str, tuple[str, ...]]:
    case = next(case for case in CASES if case.id == case_id)
    record = case.record(rounds=2)
    return record.fen, record.moves


def judge_case(case: Case, choices: Choices) -> oracle_judge.Judgment:
    fen, moves = played(case.id)
    return oracle_judge.judge(fen, moves, choices)


def rule_on(case: Case, choices: Choices = oracle_judge.DEFAULT) -> Ruled:
    """The ruling on a case as the oracle is now."""
    found = judge_case(case, choices)
    return found.verdict, found.red, found.black


@lru_cache
def diagrams_with(reason: str) -> frozenset[str]:
    """The diagrams in whose evidence an attack has this reason."""
    return frozenset(
        diagram_of(case)
        for case in CASES
        for ply in judge_case(case, oracle_judge.DEFAULT).plies
        if any(candidate.reason == reason for candidate in ply.candidates)
    )


# The oracle without a clause


def never(*_: object, **__: object) -> bool:
    return False


def always(*_: object, **__: object) -> bool:
    return True


DEFECT: Final = threats.first_defect


def defect_but_pins(
    board: Board, attacker: Square, victim: Square, choices: Choices, waive_pin: bool = False
) -> str | None:
    return DEFECT(board, attacker, victim, choices, waive_pin=True)


def is_of_one_kind(board: Board, attacker: Square, victim: Square, choices: Choices) -> bool:
    return kind(board[attacker]) == kind(board[victim])


def roots_pinned_or_not(
    board: Board, attacker: Square, victim: Square, choices: Choices
) -> list[Square]:
    after = moved(board, attacker, victim)
    own = colour(board[victim])
    return [one for one in pieces_of(after, own) if can_go(after, one, victim)]


def roots_before_the_capture(
    board: Board, attacker: Square, victim: Square, choices: Choices
) -> list[Square]:
    """Squares as if the attacker had come from nowhere."""
    doubled = {**board, victim: board[attacker]}
    own = colour(board[victim])
    return [
        one for one in pieces_of(doubled, own) if threats.may_capture(doubled, one, victim, choices)
    ]


def level_by_one_check(
    plies: list[oracle_judge.PlyFacts], choices: Choices
) -> tuple[str, frozenset[str]]:
    if any(facts.check for facts in plies):
        return "check", frozenset()
    victims = oracle_judge.chased_throughout(plies, choices)
    return ("chase", victims) if victims else ("idle", victims)


def chased_when_chasing(plies: list[oracle_judge.PlyFacts], choices: Choices) -> frozenset[str]:
    sets = [facts.victims for facts in plies if facts.victims]
    return oracle_judge.intersection(sets) if sets else frozenset()


def chased_by_turns(plies: list[oracle_judge.PlyFacts], choices: Choices) -> frozenset[str]:
    sets = [facts.victims for facts in plies]
    return frozenset().union(*sets) if all(sets) else frozenset()


def verdict_on_any_offence(red: str, black: str) -> str:
    if (red == "idle") == (black == "idle"):
        return "draw"
    return "red_wins" if red == "idle" else "black_wins"


def verdict_against_red(red: str, black: str) -> str:
    if red == black == "idle":
        return "draw"
    severity = oracle_judge.SEVERITY
    return "black_wins" if severity[red] >= severity[black] else "red_wins"


class Without(NamedTuple):
    """Change that removes a clause from the oracle."""

    module: ModuleType = threats
    functions: Mapping[str, Callable[..., object]] = {}
    choices: Choices = oracle_judge.DEFAULT

    @contextmanager
    def taken_away(self) -> Iterator[None]:
        """The oracle's functions are others for a while."""
        with pytest.MonkeyPatch.context() as patch:
            for function, instead in self.functions.items():
                patch.setattr(self.module, function, instead)
            yield


WITHOUT: Final = {
    "UNCROSSED_PAWN": Without(functions={"is_uncrossed_pawn": never}),
    "KING_OR_PAWN": Without(functions={"is_king_or_pawn": never}),
    "PINNED": Without(functions={"first_defect": defect_but_pins}),
    "EXCHANGE": Without(functions={"is_exchange": never}),
    "UNABLE_TO_TAKE": Without(functions={"is_exchange": is_of_one_kind}),
    "CHARIOT_FOR_LESS": Without(functions={"protection_matters": always}),
    "PROTECTED": Without(functions={"is_protected": never}),
    "FALSE_ROOT": Without(functions={"recapturers": roots_pinned_or_not}),
    "AFTER_CAPTURE": Without(functions={"recapturers": roots_before_the_capture}),
    "PROTECTED_THROUGH": Without(functions={"line_exempt": never}),
    "LINE_EXEMPT": Without(functions={"line_exempt": never}),
    "STANDING": Without(functions={"stood_before": never, "is_unanswered": never}),
    "ALL_CHECKS": Without(oracle_judge, {"level_of_side": level_by_one_check}),
    "ALL_CHASES": Without(oracle_judge, {"chased_throughout": chased_when_chasing}),
    "COMMON_VICTIM": Without(oracle_judge, {"chased_throughout": chased_by_turns}),
    "CHECK_ONLY": Without(choices=Choices(checking_move="check_and_chase")),
    "WINDOW": Without(choices=Choices(occurrences=2)),
    "GRAVER_LOSES": Without(oracle_judge, {"verdict_of_levels": verdict_on_any_offence}),
    "LIKE_DRAWS": Without(oracle_judge, {"verdict_of_levels": verdict_against_red}),
}


class Right(NamedTuple):
    """The oracle's ruling on each case, and the clauses that matter for it."""

    rulings: dict[str, Ruled]
    touched: dict[str, set[str]]
    """By case: the clauses without which a function has another result on the way to the ruling."""


@pytest.fixture(scope="module")
def right() -> Right:
    """Beside each function of the oracle those are called that may take its place. A case in which
    they never differ is ruled as without the clause, for the functions depend on nothing else."""
    found = Right({}, {case.id: set() for case in CASES})
    differing: set[str] = set()
    instead: dict[tuple[ModuleType, str], list[tuple[str, Callable[..., object]]]] = {}
    for name, without in WITHOUT.items():
        for function, other in without.functions.items():
            instead.setdefault((without.module, function), []).append((name, other))

    def compared(
        own: Callable[..., object], others: list[tuple[str, Callable[..., object]]]
    ) -> Callable[..., object]:
        def call(*values: object, **options: object) -> object:
            result = own(*values, **options)
            differing.update(name for name, one in others if one(*values, **options) != result)
            return result

        return call

    with pytest.MonkeyPatch.context() as patch:
        for (module, function), others in instead.items():
            patch.setattr(module, function, compared(getattr(module, function), others))
        for case in CASES:
            differing.clear()
            found.rulings[case.id] = rule_on(case)
            found.touched[case.id] |= differing
    return found


def test_every_reason_is_reported_by_a_clause() -> None:
    """PROFIT is the core's CHASE, said of a position without a move."""
    assert {reason.name for reason in Reason} - {"PROFIT"} <= CLAUSES.keys()
    enumeration = (ROOT / "ext/xiangqi/core/repetition/facts.pxd").read_text(encoding="utf-8")
    reasons = enumeration.partition("# Reason")[2].partition("REASONS")[0]
    assert set(re.findall(rf"^ +({NAME})\b", reasons, re.MULTILINE)) <= CLAUSES.keys()


def test_a_clause_decides_or_is_shown() -> None:
    assert {name for name, clause in CLAUSES.items() if clause.verb == "Decides"} == set(WITHOUT)


@pytest.mark.parametrize("name", CLAUSES)
def test_the_diagrams_of_a_clause_are_cases(name: str) -> None:
    assert CLAUSES[name].diagrams <= DIAGRAMS


@pytest.mark.parametrize("name", CLAUSES)
def test_the_articles_of_a_clause_are_those_of_its_diagrams(name: str) -> None:
    """Each article stands in the chapter of one of the diagrams, as far as chapters have them."""
    chapters = [case.chapter for case in CASES if diagram_of(case) in CLAUSES[name].diagrams]
    own = numbers_of(CLAUSES[name].place)
    assert own
    assert own <= set[int]().union(*map(numbers_of, chapters)), chapters


def numbers_of(text: str) -> set[int]:
    """The numbers of articles, or of diagrams, that a text names: ``articles 24, 38-40``."""
    found: set[int] = set()
    for numbers in re.findall(r"(?:articles?|diagrams) ([\d, -]+)", text.replace(" and ", "-")):
        for part in numbers.split(","):
            ends = [int(number) for number in part.split("-") if number.strip()]
            found.update(range(ends[0], ends[-1] + 1))
    return found


@pytest.mark.parametrize("name", WITHOUT)
def test_a_clause_decides_what_it_says(name: str, right: Right) -> None:
    without = WITHOUT[name]
    cases = [case for case in CASES if name in right.touched[case.id] or not without.functions]
    with without.taken_away():
        found = {case: rule_on(case, without.choices) for case in cases}
    decided = {diagram_of(case) for case in cases if found[case] != right.rulings[case.id]}
    assert decided == CLAUSES[name].diagrams


@pytest.mark.parametrize("name", sorted(CLAUSES.keys() - WITHOUT.keys()))
def test_a_clause_is_shown_where_it_says(name: str) -> None:
    assert CLAUSES[name].diagrams <= diagrams_with(Reason[name].value)


# The page


def sections_of_the_page() -> dict[str, str]:
    page = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    parts = re.split(rf"^### ({NAME})$", page, flags=re.MULTILINE)
    return {name: re.split(r"^## ", text, flags=re.MULTILINE)[0] for name, text in pairwise(parts)}


@pytest.mark.parametrize("name", CLAUSES)
def test_the_page_tells_the_clause_as_the_core_does(name: str) -> None:
    section = sections_of_the_page()[name]
    found = find_clauses([f"{name} {paragraph}" for paragraph in section.split("\n\n")])
    assert found == {name: CLAUSES[name]}


@pytest.mark.parametrize("name", CLAUSES)
def test_the_page_has_examples_of_the_clause(name: str) -> None:
    examples = re.findall(r"^- ([DXV]\d+[a-h]?): ", sections_of_the_page()[name], re.MULTILINE)
    cases = {case.id: diagram_of(case) for case in CASES}
    assert examples
    assert {cases[example] for example in examples} <= CLAUSES[name].diagrams
