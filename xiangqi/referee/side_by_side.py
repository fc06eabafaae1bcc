"""Rulings of several rule sets on one position, in words and as JSON data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from xiangqi.pieces import BLACK, RED
from xiangqi.referee.clauses import format_clause
from xiangqi.referee.comparison import Comparison, Difference, marked_otherwise
from xiangqi.referee.explanation import (
    format_evidence,
    format_sentence,
    name_rules,
    ruling_to_dict,
)
from xiangqi.referee.reasons import name_conduct, name_verdict
from xiangqi.referee.ruling import Mark, PlyReport, Ruling
from xiangqi.words.voice import PLAIN_VOICE, ScoreSheet, Voice

__all__ = [
    "comparison_to_dict",
    "difference_to_dict",
    "format_clauses",
    "format_difference",
    "format_differences",
    "format_other_marks",
    "head_of_table",
    "row_of_ruling",
    "tell_ruling",
]


def head_of_table(voice: Voice = PLAIN_VOICE) -> tuple[str, ...]:
    """Heads of the columns of :func:`row_of_ruling`."""
    sides = (voice.side(color) for color in (RED, BLACK))
    return voice.say("books_rules"), *sides, voice.say("books_verdict")


def row_of_ruling(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> tuple[str, ...]:
    """The rule set, what each side did by it, and the verdict."""
    told = (name_conduct(ruling, color, voice) for color in (RED, BLACK))
    return name_rules(ruling.rules, voice), *told, name_verdict(ruling, voice)


def tell_ruling(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """The rule set and what it says, in one sentence."""
    name = name_rules(ruling.rules, voice)
    return voice.say("pair", name=name, value=format_sentence(ruling, voice))


def format_differences(comparison: Comparison, voice: Voice = PLAIN_VOICE) -> Iterator[str]:
    """List the rule sets that differ from the first, and the reasons: line by line.

    What makes a difference stands below it, indented.
    """
    if not comparison.differences:
        yield voice.say("books_agree")
    rulings = {ruling.rules: ruling for ruling in comparison.rulings}
    for difference in comparison.differences:
        first, second = rulings[difference.first], rulings[difference.second]
        yield voice.say(
            "books_differ",
            first=name_rules(first.rules, voice),
            ours=name_verdict(first, voice),
            second=name_rules(second.rules, voice),
            theirs=name_verdict(second, voice),
        )
        for line in format_difference(difference, first, second, voice):
            yield f"    {line}"


def format_difference(
    difference: Difference, first: Ruling | None, second: Ruling | None, voice: Voice = PLAIN_VOICE
) -> Iterator[str]:
    """Reasons for a difference, line by line: the clauses; and the moves that both rulings mark
    otherwise, where the rule sets go by other facts."""
    yield from format_clauses(difference, voice)
    is_of_facts = difference.first.chase != difference.second.chase
    is_of_facts &= difference.clauses != (("penalty",),)
    if is_of_facts and first is not None and second is not None:
        yield from format_other_marks(first, second, voice)


def format_other_marks(first: Ruling, second: Ruling, voice: Voice = PLAIN_VOICE) -> Iterator[str]:
    """The moves that two rulings on one cycle mark otherwise, each with why, by the second and by
    the first."""
    sheet = ScoreSheet(first.fen, first.moves, voice)
    same: dict[tuple[str, Mark, Mark], list[tuple[PlyReport, PlyReport]]] = {}
    for ours, theirs in marked_otherwise(first, second):
        same.setdefault((sheet.move(ours.ply), ours.mark, theirs.mark), []).append((ours, theirs))
    for pairs in same.values():
        ours, theirs = pairs[0]
        cells = sheet.cells(ours.ply + 1)
        yield voice.say(
            "books_mark",
            move=sheet.repeated([report.ply for report, _ in pairs]),
            theirs=_tell_mark(theirs, cells, voice),
            first=name_rules(first.rules, voice),
            ours=_tell_mark(ours, cells, voice),
        )


def _tell_mark(report: PlyReport, cells: bytes, voice: Voice) -> str:
    """The mark of a move, with the first line of the evidence for it."""
    mark = voice.say(f"mark_{report.mark.value}")
    evidence = format_evidence(report, cells, voice)
    why = [line for line, weighs in evidence if weighs == report.mark.is_strike]
    return voice.say("books_why", mark=mark, why=why[0]) if why else mark


def format_clauses(difference: Difference, voice: Voice = PLAIN_VOICE) -> Iterator[str]:
    """The clauses that make a difference, each on a line with what either rule set has there.

    Sets of clauses of which each is enough stand below one another, with a word between.
    """
    for number, fields in enumerate(difference.clauses):
        if number:
            yield voice.say("books_or")
        lines = [_compare_clause(difference, field, voice) for field in fields]
        yield from (voice.say("books_and", clause=line) for line in lines[:-1])
        yield lines[-1]


def _compare_clause(difference: Difference, field: str, voice: Voice) -> str:
    return voice.say(
        "books_clause",
        first=name_rules(difference.first, voice),
        ours=format_clause(difference.first, field, voice),
        theirs=format_clause(difference.second, field, voice),
    )


def comparison_to_dict(comparison: Comparison, *, evidence: bool = True) -> dict[str, Any]:
    """The rulings by the names of their rule sets, and the differences, as JSON data."""
    rulings = {ruling.rules: ruling for ruling in comparison.rulings}
    return {
        "rulings": {
            ruling.rules.describe(): ruling_to_dict(ruling, evidence=evidence)
            for ruling in comparison.rulings
        },
        "differences": [
            difference_to_dict(one, rulings[one.first], rulings[one.second])
            for one in comparison.differences
        ],
    }


def _marks_to_data(first: Ruling | None, second: Ruling | None) -> list[dict[str, Any]]:
    """The moves that two rulings on one cycle mark otherwise, as JSON data."""
    if first is None or second is None:
        return []
    return [
        {
            "ply": ours.ply,
            "move": ours.move.iccs(),
            "first": ours.mark.value,
            "second": theirs.mark.value,
        }
        for ours, theirs in marked_otherwise(first, second)
    ]


def difference_to_dict(
    difference: Difference, first: Ruling | None, second: Ruling | None
) -> dict[str, Any]:
    """A difference as JSON data, with the clauses of both rule sets in English, and the moves that
    both rulings mark otherwise."""
    return {
        "first": difference.first.describe(),
        "second": difference.second.describe(),
        "clauses": [_set_to_data(difference, fields) for fields in difference.clauses],
        "marks": _marks_to_data(first, second),
    }


def _set_to_data(difference: Difference, fields: Sequence[str]) -> list[dict[str, Any]]:
    return [
        {
            "field": field,
            "first": getattr(difference.first, field),
            "second": getattr(difference.second, field),
            "first_says": format_clause(difference.first, field),
            "second_says": format_clause(difference.second, field),
        }
        for field in fields
    ]
