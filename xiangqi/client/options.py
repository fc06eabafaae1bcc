"""Name and options of an engine, as declared in the handshake."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from chess.engine import ConfigValue, EngineError, Option, UciOptionMap

from xiangqi.errors import Fact
from xiangqi.lines import CHECK_WORDS

__all__ = ["Identity", "format_value", "parse_value", "read_option"]

OPTION_TYPES: Final = frozenset("check spin combo button string file path reset save label".split())


@dataclass
class Identity:
    """Name, author and options of an engine from the handshake."""

    id: dict[str, str] = field(default_factory=dict)
    options: UciOptionMap[Option] = field(default_factory=UciOptionMap)


def read_option(words: Sequence[str]) -> Option | None:
    """Read the words behind ``option``; None if they declare no option.

    Names may have several words, and begin with ``name`` or not. A default that does not fit
    the option counts as none.

    >>> read_option("name Clear Hash type button".split()).name
    'Clear Hash'
    >>> read_option("style type combo var solid var very risky default solid".split()).var
    ['solid', 'very risky']
    """
    places = [
        place
        for place in range(1, len(words) - 1)
        if words[place] == "type" and words[place + 1] in OPTION_TYPES
    ]
    if not places:
        return None
    name, kind = list(words[: places[0]]), words[places[0] + 1]
    if name[0] == "name" and len(name) > 1:
        name = name[1:]
    parts: dict[str, list[list[str]]] = {key: [] for key in ("default", "min", "max", "var")}
    current: list[str] = []
    for word in words[places[0] + 2 :]:
        if word in parts:
            current = []
            parts[word].append(current)
        else:
            current.append(word)
    texts = {key: [" ".join(part) for part in found] for key, found in parts.items()}
    bare = Option(
        " ".join(name),
        kind,
        None,
        _number(texts["min"]),
        _number(texts["max"]),
        texts["var"],
    )
    default = texts["default"][0] if texts["default"] else None
    return Option(bare.name, kind, _fit(bare, default), bare.min, bare.max, bare.var)


def _number(texts: Sequence[str]) -> int | None:
    try:
        return int(texts[0]) if texts else None
    except ValueError:
        return None


def _fit(option: Option, default: str | None) -> ConfigValue:
    try:
        return None if default is None else parse_value(option, default)
    except EngineError:
        return None


def parse_value(option: Option, value: ConfigValue) -> ConfigValue:
    """A value as this option wants it; raises EngineError if it cannot be had.

    >>> parse_value(Option("Ponder", "check", False, None, None, None), "true")
    True
    """
    if option.type == "check" and not isinstance(value, bool):
        if str(value).lower() not in CHECK_WORDS:
            raise EngineError(Fact("driver.option_value", name=option.name, value=value))
        return CHECK_WORDS[str(value).lower()]
    return option.parse(value)


def format_value(value: ConfigValue) -> str:
    """A value as the dialects write it; empty for a button."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
