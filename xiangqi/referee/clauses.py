"""Clauses of a rule set, one sentence for each field."""

from __future__ import annotations

from xiangqi.referee.rules import RuleSet, find_rule_book
from xiangqi.words import SENTENCES, enumerate_words
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = ["format_clause"]


def format_clause(rules: RuleSet, field: str, voice: Voice = PLAIN_VOICE) -> str:
    """Sentence on one field of a rule set.

    >>> from xiangqi.referee.rules import WXF
    >>> format_clause(WXF, "no_capture_limit")
    'a game is drawn after 120 plies without a capture'
    """
    value = getattr(rules, field)
    key = f"clause_{field}_{value}".lower()
    if key in SENTENCES:
        return voice.say(key)
    if field == "search_as":
        value = find_rule_book(value).titles[voice.language]
    if field == "verdicts":
        value = enumerate_words(voice.language, [_tell_verdict(one, voice) for one in value])
    if isinstance(value, tuple):  # numbers of rounds
        value = enumerate_words(voice.language, list(map(str, value)))
    return voice.say(f"clause_{field}", value=value)


def _tell_verdict(verdict: str, voice: Voice) -> str:
    """Sentence on a conduct that loses against another, from ``A>B``."""
    loser, _, winner = verdict.partition(">")
    return voice.say(
        "loses_against",
        loser=voice.say(f"perpetual_{loser}"),
        winner=voice.say(f"perpetual_{winner}"),
    )
