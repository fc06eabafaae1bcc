"""The files of rule books: where they are, and what is in one, before it is made a rule set.

A file is TOML: titles, sources and how sure they are, what of them is not covered, and below
``[rules]`` an answer to every field of a rule set, or, where it is ``based_on`` another book, those
that differ.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeAlias, cast, get_args

from xiangqi.errors import RuleSetError, reason_of
from xiangqi.facts import Fact
from xiangqi.files import load_toml

__all__ = ["RuleBook", "list_books", "read_book"]

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
    """That of the file, without its suffix."""
    title: str
    title_zh: str
    certainty: Certainty
    """Was the text of the rules at hand, or only what others say of it?"""
    sources: tuple[str, ...]
    not_covered: tuple[str, ...]
    """Rules in the text that no field of a rule set expresses."""
    based_on: str
    """The rule set whose answers hold where this one gives none; empty if it gives all."""
    answers: Mapping[str, Any]
    """By the fields of a rule set, as they stand in the file."""

    @property
    def titles(self) -> Mapping[str, str]:
        """Titles by language."""
        return {"en": f"{self.name}: {self.title}", "zh": self.title_zh}


@cache
def list_books() -> Mapping[str, Path]:
    """The files of all books that come with the package, by name, the WXF book's first."""
    files = sorted(_FOLDER.glob("*.toml"), key=lambda path: (path.stem != _FIRST, path.stem))
    return {path.stem: path for path in files}


def read_book(path: Path) -> RuleBook:
    """Data of a file; RuleSetError tells file, key and what was expected."""
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
