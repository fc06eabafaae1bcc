"""What several rule sets make of one position, in words and as JSON data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from xiangqi.pieces import BLACK, RED
from xiangqi.referee.clauses import format_clause
from xiangqi.referee.comparison import Comparison, Difference
from xiangqi.referee.explanation import format_rules, format_sentence, ruling_to_dict
from xiangqi.referee.reasons import name_verdict
from xiangqi.referee.ruling import Ruling
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = [
    "comparison_to_dict",
    "difference_to_dict",
    "format_clauses",
    "format_differences",
    "head_of_table",
    "row_of_ruling",
    "tell_ruling",
]


def head_of_table(voice: Voice = PLAIN_VOICE) -> tuple[str, ...]:
    """What stands above the columns of :func:`row_of_ruling`."""
    sides = (voice.side(color) for color in (RED, BLACK))
    return voice.say("books_rules"), *sides, voice.say("books_verdict")


def row_of_ruling(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> tuple[str, ...]:
    """The rule set, what each side did by it, and the verdict."""
    conducts = (ruling.conduct[color] for color in (RED, BLACK))
    told = ("-" if one is None else voice.say(f"perpetual_{one.value}") for one in conducts)
    return format_rules(ruling.rules, voice), *told, name_verdict(ruling, voice)


def tell_ruling(ruling: Ruling, voice: Voice = PLAIN_VOICE) -> str:
    """The rule set and what it says, in one sentence."""
    name = format_rules(ruling.rules, voice)
    return voice.say("pair", name=name, value=format_sentence(ruling, voice))


def format_differences(comparison: Comparison, voice: Voice = PLAIN_VOICE) -> Iterator[str]:
    """Which rule sets rule otherwise than the first, and why: line by line.

    What makes a difference stands below it, indented.
    """
    if not comparison.differences:
        yield voice.say("books_agree")
    told = {ruling.rules: name_verdict(ruling, voice) for ruling in comparison.rulings}
    for difference in comparison.differences:
        yield voice.say(
            "books_differ",
            first=format_rules(difference.first, voice),
            ours=told[difference.first],
            second=format_rules(difference.second, voice),
            theirs=told[difference.second],
        )
        yield from (f"    {line}" for line in format_clauses(difference, voice))


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
        first=format_rules(difference.first, voice),
        ours=format_clause(difference.first, field, voice),
        theirs=format_clause(difference.second, field, voice),
    )


def comparison_to_dict(comparison: Comparison, *, evidence: bool = True) -> dict[str, Any]:
    """The rulings by the names of their rule sets, and the differences, as JSON data."""
    return {
        "rulings": {
            ruling.rules.describe(): ruling_to_dict(ruling, evidence=evidence)
            for ruling in comparison.rulings
        },
        "differences": [difference_to_dict(one) for one in comparison.differences],
    }


def difference_to_dict(difference: Difference) -> dict[str, Any]:
    """A difference as JSON data, with the clauses of both rule sets in English."""
    return {
        "first": difference.first.describe(),
        "second": difference.second.describe(),
        "clauses": [_set_to_data(difference, fields) for fields in difference.clauses],
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
