"""Validation, parsing and formatting of rule set fields, and the files of rule books.

A file is TOML: titles, sources and their certainty, rules that are not covered, and in ``[rules]``
a value for every field of a rule set, or if it is ``based_on`` another book, for those that differ.
``[articles]`` has the book's articles on the parts of a ruling, as far as they are known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast, get_args

from xiangqi.ground.errors import Fact, RuleSetError, reason_of
from xiangqi.ground.files import load_toml
from xiangqi.ground.texts import Language, name_keys, translations
from xiangqi.referee.marks import ARTICLE_KEYS

__all__ = [
    "LEVELS",
    "MAX_NUMBERS",
    "RuleBook",
    "check_together",
    "check_value",
    "format_value",
    "list_books",
    "parse_value",
    "read_book",
]

WORDS: Final = tuple[str, ...]
NUMBERS: Final = tuple[int, ...]
MIN_OCCURRENCES: Final = 2
MAX_OCCURRENCES: Final = 1000
MIN_ROUNDS: Final = 2
"""Minimum of a limit of rounds: as many plies as the shortest repetition."""
MAX_ROUNDS: Final = 1000
MAX_NUMBERS: Final = 5
"""Maximum length of a tuple of limits (for one piece, for two, ...), set by the core's array."""
MAX_PLIES: Final = 1_000_000
LEVELS: Final = {"capture": ("idle", "chase", "check"), "gain": ("idle", "light", "heavy", "check")}
"""Conducts by the definition of a chase, the gravest last."""


def check_value(field: str, hint: Any, value: object) -> None:
    """Validate a value against the type hint and the bounds of its field; raises RuleSetError."""
    domain = _domain_of(field, hint)
    if not domain.holds(value):
        raise RuleSetError(Fact("rule.field", field=field), value, domain.expected)


class _Domain(NamedTuple):
    """Valid values of a field: a test, and a description for errors."""

    holds: Callable[[Any], bool]
    expected: Fact


@cache
def _domain_of(field: str, hint: Any) -> _Domain:
    choices = get_args(hint)
    if hint is str:
        return _Domain(lambda value: isinstance(value, str), Fact("a_text"))
    if hint == WORDS:
        return _Domain(lambda value: isinstance(value, tuple), Fact("rule.row_of_texts"))
    if hint == NUMBERS:
        bounds = {"least": MIN_ROUNDS, "most": MAX_ROUNDS}
        is_optional = field == "mixed_rounds"
        return _Domain(
            lambda value: (
                isinstance(value, tuple) and (_is_increasing(value) if value else is_optional)
            ),
            Fact("rule.rising", count=MAX_NUMBERS, **bounds),
        )
    if hint is int or field == "mutual_occurrences":
        is_optional = hint is not int
        bounds = {"least": MIN_OCCURRENCES, "most": MAX_OCCURRENCES}
        return _Domain(
            lambda value: (is_optional and value is None) or _is_int_in(value, **bounds),
            Fact("number", **bounds),
        )
    if choices == (int, type(None)):
        is_count = field == "free_checks"  # may be 0; limits of plies may not
        return _Domain(
            lambda value: value is None or _is_int_in(value, 0 if is_count else 1, MAX_PLIES),
            Fact("rule.checks" if is_count else "rule.plies"),
        )
    expected = Fact("one_of", choices=tuple(map(repr, choices)))
    return _Domain(lambda value: value in choices, expected)


def _is_increasing(limits: tuple[Any, ...]) -> bool:
    """Are these at most MAX_NUMBERS strictly increasing limits of rounds?"""
    are_valid = all(_is_int_in(limit, MIN_ROUNDS, MAX_ROUNDS) for limit in limits)
    return are_valid and len(limits) <= MAX_NUMBERS and list(limits) == sorted(set(limits))


def _is_int_in(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def check_together(rules: Any) -> None:
    """Validate the combination of a rule set's fields; raises RuleSetError."""
    levels = LEVELS["capture" if rules.in_search else "gain"]
    for verdict in rules.verdicts:
        loser, _, winner = verdict.partition(">") if isinstance(verdict, str) else ("", "", "")
        if loser not in levels or winner not in levels:
            wanted = Fact("rule.verdict", levels=levels)
        elif f"{winner}>{loser}" in rules.verdicts:
            wanted = Fact("rule.one_loses")
        else:
            continue
        raise RuleSetError(Fact("rule.field", field="verdicts"), verdict, wanted)
    for field, expected, is_met in _REQUIREMENTS:
        if not is_met(rules):
            value = rules.answers[field]
            raise RuleSetError(Fact("rule.field", field=field), value, Fact(expected))


_REQUIREMENTS: Final[tuple[tuple[str, str, Callable[[Any], bool]], ...]] = (
    (
        "offences",
        "rule.no_kill",
        lambda rules: not rules.in_search or rules.offences != "check_kill_and_chase",
    ),
    (
        "common_victim",
        "rule.any_victim",
        lambda rules: rules.in_search or rules.common_victim == "any",
    ),
    (
        "mixing",
        "rule.one_kind",
        lambda rules: (
            rules.mixing == "one_kind"
            or not rules.in_search
            or rules.chase.checking_move != "voids_all"
        ),
    ),
    (
        "offences",
        "rule.no_offences",
        lambda rules: rules.prohibition == "none" or rules.offences == "none",
    ),
    (
        "penalty",
        "rule.loss",
        lambda rules: rules.prohibition == "none" or rules.penalty == "loss",
    ),
    (
        "mixed_rounds",
        "rule.mixed_rounds",
        lambda rules: (
            rules.rounds is None or bool(rules.rounds.mixed_rounds) == (rules.mixing == "any")
        ),
    ),
    (
        "check_rounds",
        "rule.check_rounds",
        lambda rules: (
            rules.rounds is None
            or (
                rules.in_search
                and (rules.penalty, rules.offences, rules.chase.answered)
                == ("barred", "check_and_chase", "any")
            )
        ),
    ),
    (
        "mutual_occurrences",
        "rule.mutual",
        lambda rules: (
            rules.mutual_occurrences is None
            or (
                rules.in_search
                and rules.offences != "none"
                and rules.mutual_occurrences > rules.occurrences
            )
        ),
    ),
    (
        "free_checks",
        "rule.free_checks",
        lambda rules: rules.free_checks is None or rules.no_capture_limit is not None,
    ),
)
"""Requirements between fields: the field at fault, the key of its expected value, and the test."""


def parse_value(hint: Any, text: str) -> object:
    """Parse a value of a type: a word, a number, ``none``, or several separated by commas."""
    if hint == WORDS:
        return tuple(filter(None, text.split(",")))
    if hint == NUMBERS:
        words = [word.strip() for word in text.split(",") if word.strip()]
        return tuple(int(word) if _is_number(word) else word for word in words)
    if text == "none" and type(None) in get_args(hint):
        return None
    return int(text) if _is_number(text) and int in (hint, *get_args(hint)) else text


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def format_value(value: object) -> str:
    """Format a value as :func:`parse_value` reads it."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()


# Files of rule books

_FOLDER: Final = Path(__file__).parent / "rule_sets"
_FIRST: Final = "wxf"
Certainty: TypeAlias = Literal["first-hand", "second-hand"]
_KEYS: Final = (
    *name_keys("title"),
    "certainty",
    "sources",
    "not_covered",
    "based_on",
    "rules",
    "articles",
)
_ARTICLE: Final = r"\d+(\.\d+)*(-\d+)?|\d+:\d+"


class RuleBook(NamedTuple):
    """Content of a rule book's file."""

    name: str
    """Name of the file, without its suffix."""
    titles: Mapping[Language, str]
    """Titles by language."""
    certainty: Certainty
    """``first-hand`` if the text of the rules was available, ``second-hand`` for reports of it."""
    sources: tuple[str, ...]
    not_covered: tuple[str, ...]
    """Rules of the book that no field of a rule set expresses."""
    based_on: str
    """Rule set that supplies the missing values; empty if none is missing."""
    answers: Mapping[str, Any]
    """Values by field, as in the file."""
    articles: Mapping[str, tuple[str, ...]]
    """Articles by part of a ruling (:data:`ARTICLE_KEYS`): ``26.1.3``, ``15-16`` for a range, and
    ``7:6`` for rule 6 of chapter 7. In a file, the name of another book if its numbers apply."""


@cache
def list_books() -> Mapping[str, Path]:
    """Files of the rule books in the package, by name, WXF first."""
    files = sorted(_FOLDER.glob("*.toml"), key=lambda path: (path.stem != _FIRST, path.stem))
    return {path.stem: path for path in files}


@cache
def read_book(path: Path) -> RuleBook:
    """Read a rule book's file; RuleSetError names file, key and expected value."""
    try:
        data = load_toml(path)
    except (OSError, ValueError) as error:
        expected = Fact("rule.toml", why=reason_of(error))
        raise RuleSetError(Fact("rule.set"), str(path), expected) from error
    for key in data:
        if key not in _KEYS:
            expected = Fact("one_of", choices=_KEYS)
            raise RuleSetError(Fact("rule.unknown_key"), key, expected, str(path))
    keys = [key for key in name_keys("title") if key in data or key == "title"]
    titles = translations("title", {key: _text(path, data, key) for key in keys})
    certainty = data.get("certainty")
    if certainty not in get_args(Certainty):
        expected = Fact("one_of", choices=tuple(map(repr, get_args(Certainty))))
        raise RuleSetError(Fact("rule.key", key="certainty"), certainty, expected, str(path))
    return RuleBook(
        name=path.stem,
        titles=titles,
        certainty=cast(Certainty, certainty),
        sources=_texts(path, data, "sources"),
        not_covered=_texts(path, data, "not_covered") if "not_covered" in data else (),
        based_on=_text(path, data, "based_on") if "based_on" in data else "",
        answers=_answers(path, data),
        articles=_articles(path, data),
    )


def _text(path: Path, data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise RuleSetError(Fact("rule.key", key=key), value, Fact("a_text"), str(path))
    return value


def _texts(path: Path, data: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = data.get(key)
    if not isinstance(value, list) or not value or not all(isinstance(each, str) for each in value):
        raise RuleSetError(Fact("rule.key", key=key), value, Fact("texts"), str(path))
    return tuple(value)


def _answers(path: Path, data: Mapping[str, Any]) -> Mapping[str, Any]:
    value = data.get("rules", {})
    if not isinstance(value, dict):
        raise RuleSetError(Fact("rule.key", key="rules"), value, Fact("rule.table"), str(path))
    return {
        field: tuple(answer) if isinstance(answer, list) else answer
        for field, answer in value.items()
    }


def _articles(path: Path, data: Mapping[str, Any]) -> Mapping[str, tuple[str, ...]]:
    """Articles of a book, or those of the book whose numbers apply."""
    value = data.get("articles", {})
    if isinstance(value, str) and value in list_books():
        return read_book(list_books()[value]).articles
    if not isinstance(value, dict):
        expected = Fact("rule.articles")
        raise RuleSetError(Fact("rule.key", key="articles"), value, expected, str(path))
    for key, numbers in value.items():
        if key not in ARTICLE_KEYS:
            expected = Fact("one_of", choices=tuple(sorted(ARTICLE_KEYS)))
            raise RuleSetError(Fact("rule.unknown_key"), key, expected, str(path))
        if not isinstance(numbers, list) or not all(
            isinstance(number, str) and re.fullmatch(_ARTICLE, number) for number in numbers
        ):
            raise RuleSetError(Fact("rule.key", key=key), numbers, Fact("rule.article"), str(path))
    return {key: tuple(numbers) for key, numbers in value.items()}
