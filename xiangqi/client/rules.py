"""Rule options of other engines: one names the rule book, another the no-capture limit."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from chess.engine import ConfigValue

from xiangqi.referee.rules import RULE_SETS, RuleSet, find_rule_set
from xiangqi.scores import EngineError, Option
from xiangqi.switches import REPETITION_RULES

__all__ = ["rule_options"]

_REPETITION: Final = ("Repetition Rule", "repetition")
"""What UCI and UCCI call the option for the rule set."""
_NO_CAPTURE: Final = ("No Capture Rounds", "drawmoves")
"""What they call that for the rounds without a capture after which a game is drawn."""


def rule_options(rules: RuleSet | str, known: Mapping[str, Option]) -> dict[str, ConfigValue]:
    """The options with which an engine that has the ``known`` ones plays by a rule set.

    Raises EngineError where it has no word for it.
    """

    rules = find_rule_set(rules)

    def refuse(why: str) -> EngineError:
        return EngineError(f"it cannot be told to play by the rules {rules.describe()}: {why}")

    option = _find(_REPETITION, known)
    if option is None:
        raise refuse(f"it has no option {_REPETITION[0]}")
    choices = option.var or []
    word, book = _choose_word(rules, choices)
    if book is None:
        raise refuse(f"its option {option.name} is one of {', '.join(choices)}")
    limit = _find(_NO_CAPTURE, known)
    if limit is None and rules.no_capture_limit == book.no_capture_limit:
        return {option.name: word}
    if limit is None:
        raise refuse(f"it has no option {_NO_CAPTURE[0]}")
    rounds, rest = divmod(rules.no_capture_limit or 0, 2)
    if rest:
        raise refuse(f"its option {limit.name} counts rounds of two plies")
    return {option.name: word, limit.name: rounds}


def _find(names: Iterable[str], known: Mapping[str, Option]) -> Option | None:
    return next((known[name] for name in names if name in known), None)


def _choose_word(rules: RuleSet, words: Iterable[str]) -> tuple[str, RuleSet | None]:
    """The word for these rules but for their limit, and the book that it means; the book's own name
    before other words for it."""
    for word in sorted(words, key=lambda word: word.lower() != rules.name):
        book = RULE_SETS.get(REPETITION_RULES.get(word.lower(), ""))
        if book is not None and _differ_by_limit(book, rules):
            return word, book
    return "", None


def _differ_by_limit(book: RuleSet, rules: RuleSet) -> bool:
    """Are they the same but for their names and the limit without a capture?"""
    limit = rules.no_capture_limit
    free_checks = None if limit is None else book.free_checks
    alike = replace(book, name=rules.name, no_capture_limit=limit, free_checks=free_checks)
    return alike == rules
