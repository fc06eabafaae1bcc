"""The catalogue of texts: all sentences, errors and labels of the page in every language.

``LANGUAGE.json`` has the texts of a language by section and key. That is the flat JSON of i18next,
which translators' tools edit and scripts read. Fluent and gettext were weighed: both need a library
or a build step, and parsing TOML takes forty times as long as parsing JSON, in each program's first
ruling. A language is read at first use.

A text has placeholders of :meth:`str.format`: ``{name}``; ``{name!r}`` for a quotation;
``{name:game}`` for a number with its English noun; ``{name:kind}`` for a piece without its side;
``{name:;}`` and ``{name:or}`` for a list with another separator. Values are texts, numbers, sides,
pieces, other facts, and tuples of these.

>>> say("en", "draw"), say("zh", "draw")
('draw', '和棋')
>>> say("en", "page_games_counts", games=1, different=0)
'1 game, 0 with another result'
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal, TypeAlias, get_args

from xiangqi.ground.texts.values import Count, plural, quote, quote_bytes

__all__ = [
    "LANGUAGES",
    "Count",
    "Language",
    "fill",
    "has_text",
    "list_texts",
    "name_keys",
    "plural",
    "quote",
    "quote_bytes",
    "say",
    "text_of",
    "translations",
]

Language: TypeAlias = Literal["en", "zh", "vi"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
"""Languages of the catalogue; the first is that of messages without a language."""
_SEPARATORS: Final = {"": "list_comma", ";": "list_semicolon", "or": "list_or"}


@cache
def list_texts(language: Language) -> Mapping[str, str]:
    """Texts of a language by key."""
    import json  # not in programs that say nothing
    from pathlib import Path

    path = Path(__file__).with_name(f"{language}.json")
    sections = json.loads(path.read_text(encoding="utf-8"))
    return {key: text for texts in sections.values() for key, text in texts.items()}


def has_text(key: str) -> bool:
    return key in list_texts("en")


def text_of(language: Language, key: str) -> str:
    """Text with its placeholders; KeyError for an unknown key."""
    return list_texts(language)[key]


def name_keys(key: str) -> tuple[str, ...]:
    """Keys of a text and its translations in a table, as in files of cases and rule books.

    >>> name_keys("title")[:2]
    ('title', 'title_zh')
    """
    return key, *(f"{key}_{language}" for language in LANGUAGES[1:])


def translations(key: str, table: Mapping[str, str]) -> Mapping[Language, str]:
    """Text of a table by language, in English where it has no translation.

    >>> translations("title", {"title": "Club"})["zh"]
    'Club'
    """
    keys = zip(LANGUAGES, name_keys(key), strict=True)
    return {language: table.get(name) or table[key] for language, name in keys}


def say(language: Language, key: str, **values: object) -> str:
    """Text with its values filled in; KeyError for an unknown key or a missing value."""
    return fill(language, text_of(language, key), values)


def fill(language: Language, text: str, values: Mapping[str, object]) -> str:
    return text.format_map({name: _Value(language, value) for name, value in values.items()})


class _Value:
    """Value of a placeholder in a language."""

    __slots__ = ("language", "value")

    def __init__(self, language: Language, value: Any) -> None:
        self.language = language
        self.value = value

    def __repr__(self) -> str:
        return quote(self.value)

    def __format__(self, spec: str) -> str:
        value = self.value
        if isinstance(value, str):
            return format(_say(self.language, value), spec)
        if isinstance(value, bool):
            return say(self.language, "side_in_error_red" if value else "side_in_error_black")
        if isinstance(value, int):
            return format(Count(value), spec)
        if isinstance(value, (tuple, list)):
            separator = text_of(self.language, _SEPARATORS[spec])
            return separator.join(format(_Value(self.language, one)) for one in value)
        if spec == "kind":
            return str(value.say_kind(self.language))
        return format(_say(self.language, value), spec)


def _say(language: Language, value: Any) -> Any:
    """A fact or a piece in the language; any other value as it is."""
    speak = getattr(value, "say", None)
    return value if speak is None else speak(language)
