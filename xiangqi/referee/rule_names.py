"""Names of rule sets, their clauses, and the articles of their books, as phrases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from xiangqi.ground.texts import Language, has_text, text_of
from xiangqi.referee.rules import RULE_SETS, RuleSet, find_rule_book, find_rule_set
from xiangqi.words.phrases import Listing, Text, Translated
from xiangqi.words.voice import PLAIN_VOICE, Phrase, Voice

__all__ = [
    "cite",
    "describe_clause",
    "full_name",
    "short_name",
    "title_rules",
    "with_articles",
]


@dataclass(frozen=True, slots=True)
class _RulesName(Phrase):
    rules: RuleSet
    is_short: bool = False

    def _say(self, voice: Voice) -> str:
        if self.is_short and self.rules.name not in RULE_SETS:
            return self.rules.name
        if _has_titles(voice.language):
            return title_rules(self.rules, voice)[0]
        return self.rules.describe()


def full_name(rules: RuleSet | str) -> Phrase:
    """Name of a rule set, with its changes in the syntax of ``--set``; its title in a language that
    names rule sets by titles.

    >>> print(full_name(RULE_SETS["checks-only"].replace({"occurrences": 2})))
    checks-only occurrences=2
    """
    return _RulesName(find_rule_set(rules))


def short_name(rules: RuleSet | str) -> Phrase:
    """Short name of a rule set, for comparisons: that of a user's file without its changes."""
    return _RulesName(find_rule_set(rules), is_short=True)


def title_rules(rules: RuleSet | str, voice: Voice = PLAIN_VOICE) -> tuple[str, str]:
    """Title of a rule set, with its changes, and its name.

    The name is empty in a language that names rule sets by titles, and for a user's rule set, whose
    name serves as the title.

    >>> title_rules("cxa2020")
    ('Chinese Xiangqi Association, 2020', 'cxa2020')
    """
    rules = find_rule_set(rules)
    name, _, changes = rules.describe().partition(" ")
    is_known = name in RULE_SETS
    title = find_rule_book(name).titles[voice.language] if is_known else name
    if changes:
        title = voice.say("rules_changed", rules=title, changes=changes)
    return title, name if is_known and not _has_titles(voice.language) else ""


def _has_titles(language: Language) -> bool:
    return text_of(language, "language.rules") == "title"


def describe_clause(rules: RuleSet | str, field: str) -> Text:
    """Clause on one field of a rule set.

    >>> print(describe_clause("wxf", "no_capture_limit"))
    a game is drawn after 120 plies without a capture
    """
    rules = find_rule_set(rules)
    value: Any = rules.answers.get(field, ())  # () for a field of rounds that are not counted
    key = f"clause_{field}_{value}".lower()
    if has_text(key):
        return Text(key)
    if field not in rules.answers:
        return describe_clause(rules, "check_rounds")
    if field == "search_as":
        value = Translated(find_rule_book(value).titles)
    elif field == "verdicts":
        pairs = ([Text(f"perpetual_{one}") for one in verdict.split(">")] for verdict in value)
        defeats = (Text("loses_against", loser=one, winner=other) for one, other in pairs)
        value = Listing(tuple(defeats))
    elif isinstance(value, tuple):  # limits of rounds
        value = Listing(tuple(map(str, value)))
    return Text(f"clause_{field}", value=value)


def cite(numbers: Sequence[str]) -> Listing | None:
    """Articles of a book as a phrase; None if there are none.

    >>> print(cite(["15-16", "34"]), "-", cite(["26.1.3"]))
    articles 15-16 and 34 - article 26.1.3
    >>> cite(["29", "7:6"]).say(Voice("zh"))
    '第29条；第7章规则6'
    """
    plain: list[Text | str] = []
    cited: list[Text] = []
    for number in numbers:
        chapter, _, rule = number.rpartition(":")
        first, _, last = number.partition("-")
        if chapter:
            cited.append(Text("article_in_chapter", chapter=chapter, number=rule))
        else:
            plain.append(Text("article_range", first=first, last=last) if last else number)
    if plain:
        are_many = len(plain) > 1 or isinstance(plain[0], Text)
        key = "articles_many" if are_many else "articles_one"
        cited.insert(0, Text(key, numbers=Listing(tuple(plain))))
    return Listing(tuple(cited), "semicolon") if cited else None


def with_articles(text: Text, numbers: Sequence[str]) -> Text:
    """Add articles, if any, to a text."""
    articles = cite(numbers)
    return Text("with_articles", text=text, articles=articles) if articles else text
