"""Rulings of several rule sets on one position, and the fields that make them differ.

>>> from xiangqi.referee.rules import ALL_DRAWS, CHECKS_ONLY, WXF
>>> board = CoreBoard("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w")
>>> for move in "f0e0 e8f8 e0f0 f8e8".split() * 2:
...     _ = board.push_iccs(move)
>>> found = compare(board, [WXF, CHECKS_ONLY, ALL_DRAWS])
>>> [verdict.value for verdict in found.verdicts]
['black_wins', 'black_wins', 'draw']
>>> [(difference.second.name, difference.clauses) for difference in found.differences]
[('all-draws', (('offences',),))]
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from typing import Final, TypeAlias, TypeVar

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.ground.errors import RuleSetError
from xiangqi.pieces import BLACK, RED
from xiangqi.referee.evidence import explain_move
from xiangqi.referee.explanation import explain
from xiangqi.referee.judging import Referee
from xiangqi.referee.outcome import last_move_was_barred
from xiangqi.referee.reasons import describe_conduct, describe_verdict
from xiangqi.referee.rule_names import describe_clause, short_name
from xiangqi.referee.rules import PART_FIELDS, RULE_FIELDS, RuleSet, find_rule_set
from xiangqi.referee.ruling import Conduct, Mark, PlyReport, Ruling, Verdict
from xiangqi.referee.scoresheet import ScoreSheet
from xiangqi.words.phrases import Text
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = [
    "Comparison",
    "Difference",
    "cells_of_ruling",
    "compare",
    "find_clauses",
    "find_difference",
    "format_clauses",
    "format_difference",
    "format_differences",
    "format_labelled_ruling",
    "format_other_marks",
    "marked_otherwise",
    "table_header",
]

Decision = TypeVar("Decision")

Game: TypeAlias = CoreBoard | Callable[[RuleSet], CoreBoard]
"""Board with its moves, or a function from rule set to board, which may return more moves of the
same game for a rule set that rules later."""

_MAX_TOGETHER: Final = 3
"""Maximum size of field sets of which all are tried; a larger one is found by removing fields."""

_UNWEIGHED: Final = (None, Conduct.IDLE, Conduct.CHECK)
"""Conducts that are the same under all rule books; the others compare as CHASE."""

_CHASE_FIELDS: Final = ("offences", "verdicts", *PART_FIELDS["chase"])
"""Fields that belong to the definition of a chase, and are not compared across definitions."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two rule sets whose rulings differ, and the fields that make the difference."""

    first: RuleSet
    second: RuleSet
    clauses: tuple[tuple[str, ...], ...]
    """Smallest sets of fields that make the difference: the first rule set with their values from
    the second decides as the second does. Empty if only the facts differ (gains instead of
    captures), in which case the marks of the moves differ."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Rulings of several rule sets on one position, with the differences."""

    rulings: tuple[Ruling, ...]
    """Ruling of each rule set."""
    differences: tuple[Difference, ...]
    """Differences from the first rule set."""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """Verdict of each ruling."""
        return tuple(ruling.verdict for ruling in self.rulings)


def compare(game: Game, books: Sequence[RuleSet | str]) -> Comparison:
    """Rule on the last position of a game under each rule set, with evidence.

    A rule set that bars moves rules at the first barred move of the game, if any.
    """
    first, *others = sets = [find_rule_set(book) for book in books]
    found = (find_difference(game, first, other) for other in others)
    return Comparison(
        rulings=tuple(
            Referee(rules).judge(_until_barred(_play(game, rules), rules)) for rules in sets
        ),
        differences=tuple(difference for difference in found if difference is not None),
    )


def find_difference(
    game: Game,
    first: RuleSet | str,
    second: RuleSet | str,
    *,
    penalties: bool = True,
    conducts: bool = False,
) -> Difference | None:
    """Difference of two rule sets on the last position of a game; None if they agree.

    With ``penalties``, equal verdicts with different penalties are a difference as well; with
    ``conducts``, so are equal verdicts with a different conduct of a side (idle, forbidden, or only
    checks).
    """
    first, second = find_rule_set(first), find_rule_set(second)
    criteria: list[Callable[[Game, RuleSet], tuple[object, ...]]] = [_find_verdict]
    criteria += [_find_penalty] if penalties else []
    criteria += [_find_conducts] if conducts else []
    for decide in criteria:
        if decide(game, first) != decide(game, second):
            return Difference(first, second, find_clauses(first, second, partial(decide, game)))
    return None


def marked_otherwise(first: Ruling, second: Ruling) -> list[tuple[PlyReport, PlyReport]]:
    """Moves of a cycle that two rulings mark differently; all marks of allowed moves are equal."""
    if first.window is None or second.window is None or first.window[0] != second.window[0]:
        return []
    reports = zip(first.plies, second.plies, strict=False)
    return [(ours, theirs) for ours, theirs in reports if _strike(ours) is not _strike(theirs)]


def _strike(report: PlyReport) -> Mark | None:
    return report.mark if report.mark.is_strike else None


def _find_verdict(game: Game, rules: RuleSet) -> tuple[Verdict, int | None]:
    """Verdict, and the number of plies if a barred move ended the game early, else None."""
    full = _play(game, rules)
    board = _until_barred(full, rules)
    end = board.ply() if board.ply() < full.ply() else None
    return Referee(rules).judge_cycle(board).verdict, end


def _find_conducts(game: Game, rules: RuleSet) -> tuple[object, ...]:
    """Verdict with each side's conduct, ignoring weights."""
    conduct = Referee(rules).judge_cycle(_until_barred(_play(game, rules), rules)).conduct
    sides = (conduct[color] for color in (RED, BLACK))
    kinds = (one if one in _UNWEIGHED else Conduct.CHASE for one in sides)
    return *_find_verdict(game, rules), *kinds


def _find_penalty(game: Game, rules: RuleSet) -> tuple[object, ...]:
    """Verdict with the penalty of the offender."""
    verdict, end = _find_verdict(game, rules)
    return verdict, end, rules.penalty if verdict.loser is not None else None


def _play(game: Game, rules: RuleSet) -> CoreBoard:
    return game if isinstance(game, CoreBoard) else game(rules)


def _until_barred(board: CoreBoard, rules: RuleSet) -> CoreBoard:
    """Board after the first barred move of its game; the board itself if none was barred."""
    if not rules.bars_moves:
        return board
    played = CoreBoard(board.root_fen())
    for move in board.move_stack:
        played.push_unchecked(move)
        if last_move_was_barred(played, rules):
            break
    return played


def find_clauses(
    first: RuleSet | str, second: RuleSet | str, decide: Callable[[RuleSet], Decision]
) -> tuple[tuple[str, ...], ...]:
    """Find the smallest sets of fields that make two rule sets differ under ``decide``.

    Invalid combinations are skipped. If more than three fields are needed, one minimal set is
    returned; none if only the names or only the facts differ.
    """
    first, second = find_rule_set(first), find_rule_set(second)
    are_alike = first.in_search == second.in_search
    is_slow = not (first.in_search or second.in_search)
    if not (are_alike or first.in_search):
        return ()
    wanted = decide(second)

    def is_enough(fields: Sequence[str]) -> bool:
        mixed = _mix(first, second, tuple(fields))
        return mixed is not None and decide(mixed) == wanted

    differing = [
        field
        for field in RULE_FIELDS
        if field in second.answers
        and first.answers.get(field) != second.answers[field]
        and (are_alike or field not in _CHASE_FIELDS)
    ]
    for size in range(1, (1 if is_slow else _MAX_TOGETHER) + 1):
        found = tuple(fields for fields in combinations(differing, size) if is_enough(fields))
        if found:
            return found
    if not is_enough(differing):
        return ()
    for field in tuple(differing):
        fewer = [other for other in differing if other != field]
        if is_enough(fewer):
            differing = fewer
    return (tuple(differing),)


@lru_cache(maxsize=8192)
def _mix(first: RuleSet, second: RuleSet, fields: tuple[str, ...]) -> RuleSet | None:
    """First rule set with some fields of the second; None if the combination is invalid."""
    try:
        return first.replace({field: second.answers[field] for field in fields})
    except RuleSetError:
        return None


# Formatting, as text and as JSON data


def table_header(voice: Voice = PLAIN_VOICE) -> tuple[str, ...]:
    """Column headings: the rule set, and those of :func:`cells_of_ruling`."""
    sides = (voice.side(color) for color in (RED, BLACK))
    return voice.say("books_rules"), *sides, voice.say("books_verdict")


def cells_of_ruling(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> tuple[str, ...]:
    """Conduct of each side, and the verdict."""
    conducts = (describe_conduct(ruling, color) for color in (RED, BLACK))
    return tuple(text.say(voice) for text in (*conducts, describe_verdict(ruling)))


def format_labelled_ruling(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """Format a ruling in one sentence, with the name of its rule set."""
    return voice.say("pair", name=short_name(ruling.rules), value=explain(ruling).sentence)


def format_differences(comparison: Comparison, voice: Voice = PLAIN_VOICE) -> Iterator[str]:
    """Lines on the rule sets that differ from the first, each followed by indented reasons."""
    if not comparison.differences:
        yield voice.say("books_agree")
    rulings = {ruling.rules: ruling for ruling in comparison.rulings}
    for difference in comparison.differences:
        first, second = rulings[difference.first], rulings[difference.second]
        yield voice.say(
            "books_differ",
            first=short_name(first.rules),
            ours=describe_verdict(first),
            second=short_name(second.rules),
            theirs=describe_verdict(second),
        )
        for line in format_difference(difference, first, second, voice):
            yield f"    {line}"


def format_difference(
    difference: Difference, first: Ruling | None, second: Ruling | None, voice: Voice = PLAIN_VOICE
) -> Iterator[str]:
    """Lines on the reasons for a difference: the clauses, and if the rule sets define a chase
    differently, the moves that their rulings mark differently."""
    yield from format_clauses(difference, voice)
    has_other_facts = difference.first.in_search != difference.second.in_search
    has_other_facts &= difference.clauses != (("penalty",),)
    if has_other_facts and first is not None and second is not None:
        yield from format_other_marks(first, second, voice)


def format_other_marks(first: Ruling, second: Ruling, voice: Voice = PLAIN_VOICE) -> Iterator[str]:
    """Lines on the moves of a cycle that two rulings mark differently, with both reasons."""
    sheet = ScoreSheet(first)
    groups: dict[tuple[Move, Mark, Mark], list[tuple[PlyReport, PlyReport]]] = {}
    for ours, theirs in marked_otherwise(first, second):
        groups.setdefault((ours.move, ours.mark, theirs.mark), []).append((ours, theirs))
    for pairs in groups.values():
        ours, theirs = pairs[0]
        yield voice.say(
            "books_mark",
            move=sheet.repeated([report.ply for report, _ in pairs]),
            theirs=_describe_mark(second, theirs),
            first=short_name(first.rules),
            ours=_describe_mark(first, ours),
        )


def _describe_mark(ruling: Ruling, report: PlyReport) -> Text:
    """Mark of a move, with the first sentence of its evidence."""
    mark, sentences = Text(f"mark_{report.mark.value}"), explain_move(ruling, report).sentences
    why = [one.text for one in sentences if one.weighs == report.mark.is_strike]
    return Text("books_why", mark=mark, why=why[0]) if why else mark


def format_clauses(difference: Difference, voice: Voice = PLAIN_VOICE) -> Iterator[str]:
    """Lines on the clauses that make a difference, with the values of both rule sets.

    A line "or" separates alternative sets of clauses.
    """
    for number, fields in enumerate(difference.clauses):
        if number:
            yield voice.say("books_or")
        lines = [
            voice.say(
                "books_clause",
                first=short_name(difference.first),
                ours=describe_clause(difference.first, field),
                theirs=describe_clause(difference.second, field),
            )
            for field in fields
        ]
        yield from (voice.say("books_and", clause=line) for line in lines[:-1])
        yield lines[-1]
