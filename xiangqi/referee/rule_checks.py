"""Validation and text of the fields of a rule set, and the files of rule books.

A file is TOML: titles, sources and their certainty, rules that are not covered, and below
``[rules]`` a value for every field of a rule set, or, if it is ``based_on`` another book, for those
that differ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast, get_args

from xiangqi.errors import Fact, RuleSetError, reason_of
from xiangqi.files import load_toml

__all__ = [
    "LEVELS",
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
"""Minimum number of rounds; they take no fewer plies than a repetition."""
MAX_ROUNDS: Final = 1000
MAX_NUMBERS: Final = 5
"""Maximum length of a row of numbers, for one piece, for two and so on; the core stores as many."""
MAX_PLIES: Final = 1_000_000
LEVELS: Final = {
    "capture": ("idle", "chase", "check"),
    "gain": ("idle", "light", "heavy", "check"),
}
"""Conducts over a cycle, by the definition of a chase; graver last."""


def check_value(field: str, hint: Any, value: object) -> None:
    """Validate the value of a field: one of its words, or a number in its bounds. Raises
    RuleSetError."""
    domain = _domain_of(field, hint)
    if not domain.holds(value):
        raise RuleSetError(Fact("rule.field", field=field), value, domain.describe())


class _Domain(NamedTuple):
    """Values of a field, with a description of them."""

    holds: Callable[[Any], bool]
    describe: Callable[[], Fact]


@cache
def _domain_of(field: str, hint: Any) -> _Domain:
    choices = get_args(hint)
    if hint is str:
        return _Domain(lambda value: isinstance(value, str), partial(Fact, "a_text"))
    if hint == WORDS:
        return _Domain(lambda value: isinstance(value, tuple), partial(Fact, "rule.row_of_texts"))
    if hint == NUMBERS:
        bounds = {"least": MIN_ROUNDS, "most": MAX_ROUNDS}
        return _Domain(
            lambda value: isinstance(value, tuple) and _rises(value),
            partial(Fact, "rule.rising", count=MAX_NUMBERS, **bounds),
        )
    if hint is int or field == "mutual_occurrences":
        is_optional = hint is not int
        bounds = {"least": MIN_OCCURRENCES, "most": MAX_OCCURRENCES}
        return _Domain(
            lambda value: (is_optional and value is None) or _is_whole(value, **bounds),
            partial(Fact, "number", **bounds),
        )
    if choices == (int, type(None)):
        is_count = field == "free_checks"  # none at all may be free; a game has a ply at least
        return _Domain(
            lambda value: value is None or _is_whole(value, 0 if is_count else 1, MAX_PLIES),
            partial(Fact, "rule.checks" if is_count else "rule.plies"),
        )
    return _Domain(
        lambda value: value in choices, partial(Fact, "one_of", choices=tuple(map(repr, choices)))
    )


def _rises(numbers: tuple[object, ...]) -> bool:
    """Are these whole numbers of rounds, each larger than the one before?"""
    whole = [
        one for one in numbers if isinstance(one, int) and _is_whole(one, MIN_ROUNDS, MAX_ROUNDS)
    ]
    return len(whole) == len(numbers) <= MAX_NUMBERS and whole == sorted(set(whole))


def _is_whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def check_together(rules: Any) -> None:
    """Validate the fields of a rule set together. Raises RuleSetError."""
    _check_verdicts(rules.verdicts, LEVELS[rules.chase])
    for field, code, value, fits in _NEEDS:
        if not fits(rules):
            expected = Fact(code, value=value) if value else Fact(code)
            raise RuleSetError(Fact("rule.field", field=field), getattr(rules, field), expected)


def _check_verdicts(verdicts: tuple[object, ...], levels: tuple[str, ...]) -> None:
    """Validate the verdicts: each names two conducts of the rule set, and no pair occurs in both
    orders."""
    for verdict in verdicts:
        loser, _, winner = verdict.partition(">") if isinstance(verdict, str) else ("", "", "")
        if loser not in levels or winner not in levels:
            expected = Fact("rule.verdict", levels=levels)
        elif f"{winner}>{loser}" in verdicts:
            expected = Fact("rule.one_loses")
        else:
            continue
        raise RuleSetError(Fact("rule.field", field="verdicts"), verdict, expected)


_NEEDS: Final = (
    (
        "offences",
        "rule.no_kill",
        "",
        lambda rules: rules.chase == "gain" or rules.offences != "check_kill_and_chase",
    ),
    (
        "search_as",
        "rule.search_needed",
        "",
        lambda rules: rules.in_search or rules.search_as,
    ),
    (
        "search_as",
        "rule.search_not_needed",
        "",
        lambda rules: not (rules.in_search and rules.search_as),
    ),
    (
        "mixing",
        "rule.one_kind",
        "",
        lambda rules: rules.mixing == "one_kind" or rules.checking_move != "voids_all",
    ),
    (
        "offences",
        "rule.no_offences",
        "",
        lambda rules: rules.prohibition == "none" or rules.offences == "none",
    ),
    (
        "penalty",
        "rule.loss",
        "",
        lambda rules: rules.prohibition == "none" or rules.penalty == "loss",
    ),
    (
        "chase_rounds",
        "rule.chase_rounds",
        "",
        lambda rules: bool(rules.chase_rounds) == rules.counts_rounds,
    ),
    (
        "mixed_rounds",
        "rule.mixed_rounds",
        "",
        lambda rules: bool(rules.mixed_rounds) == (rules.counts_rounds and rules.mixing == "any"),
    ),
    (
        "check_rounds",
        "rule.check_rounds",
        "",
        lambda rules: (
            not rules.counts_rounds
            or (rules.penalty, rules.offences, rules.chase, rules.answered)
            == ("barred", "check_and_chase", "capture", "any")
        ),
    ),
    (
        "check_reply",
        "rule.without_rounds",
        "counts",
        lambda rules: rules.counts_rounds or rules.check_reply == "counts",
    ),
    (
        "double_check",
        "rule.without_rounds",
        "one",
        lambda rules: rules.counts_rounds or rules.double_check == "one",
    ),
    (
        "both_full",
        "rule.without_rounds",
        "first",
        lambda rules: rules.counts_rounds or rules.both_full == "first",
    ),
    (
        "mating_move",
        "rule.without_rounds",
        "allowed",
        lambda rules: rules.counts_rounds or rules.mating_move == "allowed",
    ),
    (
        "mutual_occurrences",
        "rule.mutual",
        "",
        lambda rules: (
            rules.mutual_occurrences is None
            or (
                rules.chase == "capture"
                and rules.offences != "none"
                and rules.mutual_occurrences > rules.occurrences
            )
        ),
    ),
    (
        "free_checks",
        "rule.free_checks",
        "",
        lambda rules: rules.free_checks is None or rules.no_capture_limit is not None,
    ),
)
"""Fields that depend on others: the field, the code of what is expected of it with its value, and
the test that it passes."""


def parse_value(hint: Any, text: str) -> object:
    """Parse a value of this type: a word, a number, ``none``, or several separated by commas."""
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
    """Text of a value."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()


# Files of rule books

_FOLDER: Final = Path(__file__).parent / "rule_sets"
_FIRST: Final = "wxf"
Certainty: TypeAlias = Literal["first-hand", "second-hand"]
_KEYS: Final = (
    "title",
    "title_zh",
    "certainty",
    "sources",
    "not_covered",
    "based_on",
    "rules",
)


class RuleBook(NamedTuple):
    """Data of a rule set's file."""

    name: str
    """Name of the file, without its suffix."""
    title: str
    title_zh: str
    certainty: Certainty
    """Was the text of the rules available, or only reports of it?"""
    sources: tuple[str, ...]
    not_covered: tuple[str, ...]
    """Rules in the text that no field of a rule set expresses."""
    based_on: str
    """Rule set whose values hold where this one gives none; empty if it gives all."""
    answers: Mapping[str, Any]
    """Values by field, as in the file."""

    @property
    def titles(self) -> Mapping[str, str]:
        """Titles by language."""
        return {"en": self.title, "zh": self.title_zh}


@cache
def list_books() -> Mapping[str, Path]:
    """Files of all books of the package, by name, the WXF book's first."""
    files = sorted(_FOLDER.glob("*.toml"), key=lambda path: (path.stem != _FIRST, path.stem))
    return {path.stem: path for path in files}


def read_book(path: Path) -> RuleBook:
    """Data of a file; RuleSetError names file, key and expected value."""
    try:
        data = load_toml(path)
    except (OSError, ValueError) as error:
        expected = Fact("rule.toml", why=reason_of(error))
        raise RuleSetError(Fact("rule.set"), str(path), expected) from error
    for key in data:
        if key not in _KEYS:
            expected = Fact("one_of", choices=_KEYS)
            raise RuleSetError(Fact("rule.unknown_key"), key, expected, str(path))
    return RuleBook(
        name=path.stem,
        title=_text(path, data, "title"),
        title_zh=_text(path, data, "title_zh"),
        certainty=_certainty(path, data),
        sources=_texts(path, data, "sources"),
        not_covered=_texts(path, data, "not_covered") if "not_covered" in data else (),
        based_on=_text(path, data, "based_on") if "based_on" in data else "",
        answers=_answers(path, data),
    )


def _text(path: Path, data: Mapping[str, Any], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise RuleSetError(Fact("rule.key", key=key), value, Fact("a_text"), str(path))
    return value


def _certainty(path: Path, data: Mapping[str, Any]) -> Certainty:
    value = data.get("certainty")
    if value not in get_args(Certainty):
        expected = Fact("one_of", choices=tuple(map(repr, get_args(Certainty))))
        raise RuleSetError(Fact("rule.key", key="certainty"), value, expected, str(path))
    return cast(Certainty, value)


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
