"""The words of a match, from the command line or a TOML file, made into a configuration.

Both become a row of :class:`Said` first, and so does what the journal keeps. A TOML file has the
same words without the dash::

    rounds = 100
    each = { tc = "10+0.1", option = { Hash = 64 } }
    openings = { file = "openings.epd", order = "random" }

    [[engine]]
    cmd = "meihua"
"""

from __future__ import annotations

import os
import re
import secrets
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

from xiangqi.counting import plural
from xiangqi.errors import reason_of
from xiangqi.files import load_toml
from xiangqi.match.adjudication import DrawRule, ResignRule
from xiangqi.match.config import (
    ConfigError,
    EngineConfig,
    MatchConfig,
    OpeningsConfig,
    PgnConfig,
)
from xiangqi.match.sprt import Sprt
from xiangqi.match.vocabulary import OPTION_KEY, WORDS, Key

__all__ = [
    "RESUME_WORDS",
    "Said",
    "build_config",
    "find_value",
    "read_toml",
    "resume_words",
    "split_words",
    "with_seed",
]

RESUME_WORDS: Final = ("-concurrency", "-rounds", "-ratinginterval", "-log", "-recover")
"""Options that may change when a match is resumed."""

_WORD: Final = re.compile(r"--?[A-Za-z]")
_LIMITS: Final = ("tc", "st", "depth", "nodes")


class Said(NamedTuple):
    """A word and what followed it."""

    word: str
    values: tuple[str, ...] = ()


# From the command line and from TOML


def split_words(arguments: Sequence[str]) -> list[Said]:
    """Group arguments by their words. Raises ConfigError for one that belongs to none.

    >>> split_words(["-rounds", "10", "-draw", "score=5", "movecount=4"])
    [Said(word='-rounds', values=('10',)), Said(word='-draw', values=('score=5', 'movecount=4'))]
    """
    said: list[Said] = []
    for argument in arguments:
        if _WORD.match(argument):
            said.append(Said(argument))
        elif said:
            said[-1] = Said(said[-1].word, (*said[-1].values, argument))
        else:
            raise ConfigError("argument", argument, "a word such as -engine before it")
    return said


def read_toml(path: Path) -> list[Said]:
    """The words of a TOML file. Raises ConfigError."""
    try:
        data = load_toml(path)
    except (OSError, ValueError) as error:
        expected = f"TOML that can be read ({reason_of(error)})"
        raise ConfigError("configuration file", str(path), expected) from error
    return [said for name, value in data.items() for said in _say_toml(f"-{name}", value)]


def _say_toml(word: str, value: object) -> Iterator[Said]:
    if isinstance(value, list):
        for item in value:
            yield from _say_toml(word, item)
    elif isinstance(value, Mapping):
        yield Said(word, tuple(_say_keys(word, value)))
    elif value is True and word in WORDS and WORDS[word].read is None:
        yield Said(word)
    elif value is not False or (word in WORDS and WORDS[word].read is not None):
        yield Said(word, (_toml_text(word, value),))


def _say_keys(word: str, table: Mapping[str, object]) -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            for name, nested in value.items():
                yield f"{key}.{name}={_toml_text(f'{word} {key}.{name}', nested)}"
        elif isinstance(value, list):
            yield f"{key}={shlex.join(_toml_text(f'{word} {key}', item) for item in value)}"
        else:
            yield f"{key}={_toml_text(f'{word} {key}', value)}"


def _toml_text(subject: str, value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str | int | float):
        return str(value)
    raise ConfigError(subject, value, "text, a number, true or false")


# To a configuration


def find_value(said: Iterable[Said], word: str, key: str) -> str | None:
    """Last value given to a key of a word, as text."""
    found = None
    for one in said:
        if one.word == word:
            for value in one.values:
                name, _, text = value.partition("=")
                found = text if name == key else found
    return found


def resume_words(said: Iterable[Said]) -> list[Said]:
    """Words given beside ``-config``. Raises ConfigError for settings that cannot change any more.

    >>> resume_words([Said("-config", ("file=match.jsonl",)), Said("-rounds", ("200",))])
    [Said(word='-rounds', values=('200',))]
    """
    changes = [one for one in said if one.word != "-config"]
    for one in changes:
        if one.word not in RESUME_WORDS:
            expected = f"only {', '.join(RESUME_WORDS)} beside -config"
            raise ConfigError("word", one.word, expected)
    return changes


def with_seed(said: Iterable[Said], config: MatchConfig) -> tuple[Said, ...]:
    """The same words, and the seed that was drawn if none was said."""
    kept = tuple(said)
    if any(one.word == "-srand" for one in kept):
        return kept
    return (*kept, Said("-srand", (str(config.srand),)))


def build_config(said: Iterable[Said]) -> MatchConfig:
    """The configuration that the words describe. Raises ConfigError.

    A seed is drawn where none is said.
    """
    engines: list[dict[str, Any]] = []
    values: dict[str, Any] = {}
    for one in said:
        if one.word not in WORDS:
            raise ConfigError("word", one.word, f"one of {', '.join(WORDS)}")
        word = WORDS[one.word]
        if word.keys:
            read: Any = _read_keys(one, word.keys)
        elif word.read is not None:
            read = _read_value(one, one.word, word.read)
        else:
            read = _read_nothing(one)
        if word.repeats:
            engines.append(read)
        elif word.keys:
            values[one.word] = _merge(values.get(one.word, {}), read)
        else:
            values[one.word] = read
    _check_needed(values)
    return _assemble(engines, values)


def _merge(first: Mapping[str, Any], then: Mapping[str, Any]) -> dict[str, Any]:
    """Merge the words: a later value of a key or an option replaces an earlier one."""
    options = {**first.get("options", {}), **then.get("options", {})}
    return {**first, **then, **({"options": options} if options else {})}


def _check_needed(values: Mapping[str, Any]) -> None:
    for word in values:
        for name, key in WORDS[word].keys.items():
            if key.needed and name not in values[word]:
                raise ConfigError(f"{word} {name}", None, f"{name}={key.form}")


def _read_nothing(said: Said) -> bool:
    if said.values:
        raise ConfigError(said.word, said.values[0], "nothing after it")
    return True


def _read_value(said: Said, subject: str, read: Any) -> Any:
    if len(said.values) != 1:
        found = " ".join(said.values) or None
        raise ConfigError(subject, found, "one value after it")
    return _read_text(subject, said.values[0], read)


def _read_text(subject: str, text: str, read: Any) -> Any:
    try:
        return read(text)
    except ValueError as error:
        raise ConfigError(subject, text, str(error)) from error


def _read_keys(said: Said, keys: Mapping[str, Key]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    takes_options = "proto" in keys
    for value in said.values:
        name, equals, text = value.partition("=")
        if takes_options and equals and name.startswith(OPTION_KEY):
            found.setdefault("options", {})[name.removeprefix(OPTION_KEY)] = text
            continue
        if not equals or name not in keys:
            names = [*keys, f"{OPTION_KEY}NAME"] if takes_options else [*keys]
            raise ConfigError(said.word, value, " or ".join(f"{name}=" for name in names))
        found[name] = _read_text(f"{said.word} {name}", text, keys[name].read)
    return found


def _assemble(engines: list[dict[str, Any]], values: dict[str, Any]) -> MatchConfig:
    simple = {name: values[word] for word, name in _SIMPLE.items() if word in values}
    config = MatchConfig(
        engines=tuple(_make_engines(engines, values.get("-each", {}))),
        swap="-noswap" not in values,
        openings=OpeningsConfig(**values["-openings"]) if "-openings" in values else None,
        draw=DrawRule(**values["-draw"]) if "-draw" in values else None,
        resign=ResignRule(**values["-resign"]) if "-resign" in values else None,
        sprt=_make_sprt(values["-sprt"]) if "-sprt" in values else None,
        pgnout=_make_pgn(values["-pgnout"]) if "-pgnout" in values else None,
        jsonout=values["-jsonout"]["file"] if "-jsonout" in values else None,
        log=values["-log"]["file"] if "-log" in values else None,
        **{"srand": secrets.randbits(32), "concurrency": _default_concurrency(), **simple},
    )
    if "-repeat" in values:
        config = replace(config, games=2)
    if "-natural" in values:
        plies = 2 * values["-natural"] or None
        config = replace(config, rules=config.rules.replace({"no_capture_limit": plies}))
    if config.tb is not None and not config.tb.is_dir():
        raise ConfigError("-tb", str(config.tb), "a folder of end-game tables")
    if config.sprt is not None and len(config.engines) != 2:
        raise ConfigError("-sprt", plural(len(config.engines), "engine"), "two engines to compare")
    return config


_SIMPLE: Final = {
    f"-{name}": name
    for name in (
        "rounds games tournament concurrency maxmoves tb rules ban srand ratinginterval event site"
    ).split()
}


def _default_concurrency() -> int:
    return max(1, (os.cpu_count() or 1) // 2)


def _make_sprt(values: Mapping[str, Any]) -> Sprt:
    if values["elo0"] >= values["elo1"]:
        raise ConfigError("-sprt elo1", values["elo1"], f"more than elo0 ({values['elo0']:g})")
    return Sprt(**{"alpha": 0.05, "beta": 0.05, "model": "normalized", **values})


def _make_pgn(values: Mapping[str, Any]) -> PgnConfig:
    details = tuple(key for key, value in values.items() if value is True)
    return PgnConfig(file=values["file"], details=details)


def _make_engines(
    engines: Sequence[dict[str, Any]], each: Mapping[str, Any]
) -> Iterator[EngineConfig]:
    if len(engines) < 2:
        raise ConfigError("-engine", plural(len(engines), "engine"), "two or more")
    names: set[str] = set()
    for number, own in enumerate(engines, start=1):
        if "cmd" not in own:
            raise ConfigError(f"-engine cmd (engine {number})", None, "cmd=PROGRAM")
        engine = EngineConfig(**_with_each({"name": _default_name(own["cmd"], names), **own}, each))
        if engine.name in names:
            raise ConfigError("-engine name", engine.name, "another name for each engine")
        names.add(engine.name)
        _check_limits(engine)
        yield engine


def _with_each(own: dict[str, Any], each: Mapping[str, Any]) -> dict[str, Any]:
    has_time = "tc" in own or "st" in own
    common = {key: value for key, value in each.items() if not (has_time and key in ("tc", "st"))}
    return _merge(common, own)


def _default_name(command: str, taken: set[str]) -> str:
    stem = Path(command.split()[0]).stem
    names = [stem, *(f"{stem}-{number}" for number in range(2, len(taken) + 2))]
    return next(name for name in names if name not in taken)


def _check_limits(engine: EngineConfig) -> None:
    if not any(getattr(engine, limit) for limit in _LIMITS):
        expected = f"one of {', '.join(f'{limit}=' for limit in _LIMITS)}"
        raise ConfigError(f"limit of engine {engine.name}", None, expected)
    if engine.tc is not None and engine.st:
        raise ConfigError(f"-engine st (engine {engine.name})", engine.st, "no tc beside it")
