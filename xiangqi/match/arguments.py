"""Arguments of ``xiangqi match``, from the command line or a TOML file.

They are those of fastchess and cutechess-cli, with additions for Xiangqi; :mod:`.keywords` defines
them. A command line, a TOML file and the journal all become lists of :class:`Argument`. A TOML file
has the same names without the dash::

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
from typing import Any, Final

from xiangqi.ground.errors import Fact, plural, reason_of
from xiangqi.ground.files import load_toml
from xiangqi.match.adjudication import DrawRule, ResignRule
from xiangqi.match.config import (
    ConfigError,
    EngineConfig,
    MatchConfig,
    OpeningsConfig,
    PgnConfig,
)
from xiangqi.match.keywords import WORDS, Argument, Flag, Keys, RepeatedKeys, Single
from xiangqi.match.stats import Sprt

__all__ = [
    "RESUME_WORDS",
    "Argument",
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


# From the command line and from TOML


def split_words(arguments: Sequence[str]) -> list[Argument]:
    """Group arguments by keyword. Raises ConfigError if the first one is not a keyword.

    >>> [tuple(one) for one in split_words(["-rounds", "10", "-draw", "score=5", "movecount=4"])]
    [('-rounds', ('10',)), ('-draw', ('score=5', 'movecount=4'))]
    """
    grouped: list[Argument] = []
    for argument in arguments:
        if _WORD.match(argument):
            grouped.append(Argument(argument))
        elif grouped:
            grouped[-1] = Argument(grouped[-1].word, (*grouped[-1].values, argument))
        else:
            raise ConfigError(Fact("match.argument"), argument, Fact("match.a_word"))
    return grouped


def read_toml(path: Path) -> list[Argument]:
    """Read the arguments of a TOML file. Raises ConfigError."""
    try:
        data = load_toml(path)
    except (OSError, ValueError) as error:
        expected = Fact("match.toml", why=reason_of(error))
        raise ConfigError(Fact("match.file"), str(path), expected) from error
    return [one for name, value in data.items() for one in _toml_arguments(f"-{name}", value)]


def _toml_arguments(word: str, value: object) -> Iterator[Argument]:
    if isinstance(value, list):
        for item in value:
            yield from _toml_arguments(word, item)
    elif isinstance(value, Mapping):
        yield Argument(word, tuple(_toml_keys(word, value)))
    elif value is True and isinstance(WORDS.get(word), Flag | Keys):
        yield Argument(word)
    elif value is not False or isinstance(WORDS.get(word), Single):
        yield Argument(word, (_toml_text(word, value),))


def _toml_keys(word: str, table: Mapping[str, object]) -> Iterator[str]:
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
    raise ConfigError(subject, value, Fact("match.value"))


# To a configuration


def find_value(arguments: Iterable[Argument], word: str, key: str) -> str | None:
    """Last value of a key of a keyword, as text; None without one."""
    found = None
    for one in arguments:
        if one.word == word:
            for value in one.values:
                name, _, text = value.partition("=")
                found = text if name == key else found
    return found


def resume_words(arguments: Iterable[Argument]) -> list[Argument]:
    """Arguments given with ``-config``. Raises ConfigError for settings that must not change.

    >>> resume_words([Argument("-config", ("file=match.jsonl",)), Argument("-rounds", ("200",))])
    [Argument(word='-rounds', values=('200',))]
    """
    changes = [one for one in arguments if one.word != "-config"]
    for one in changes:
        if one.word not in RESUME_WORDS:
            expected = Fact("match.resume_words", words=tuple(RESUME_WORDS))
            raise ConfigError(Fact("match.word"), one.word, expected)
    return changes


def with_seed(arguments: Iterable[Argument], config: MatchConfig) -> tuple[Argument, ...]:
    """Append the seed of the configuration to arguments that have none."""
    given = tuple(arguments)
    if any(one.word == "-srand" for one in given):
        return given
    return (*given, Argument("-srand", (str(config.srand),)))


def build_config(arguments: Iterable[Argument]) -> MatchConfig:
    """Build the configuration from arguments, with a random seed if none is given.

    Raises ConfigError.
    """
    engines: list[dict[str, Any]] = []
    values: dict[str, Any] = {}
    for one in arguments:
        if one.word not in WORDS:
            raise ConfigError(Fact("match.word"), one.word, Fact("one_of", choices=tuple(WORDS)))
        word = WORDS[one.word]
        if isinstance(word, RepeatedKeys):
            engines.append(word.read(one))
        elif isinstance(word, Keys):
            values[one.word] = _merge(values.get(one.word, {}), word.read(one))
        else:
            values[one.word] = word.read(one)
    for name, value in values.items():
        word = WORDS[name]
        if isinstance(word, Keys):
            word.require_needed(name, value)
    return _assemble(engines, values)


def _merge(first: Mapping[str, Any], then: Mapping[str, Any]) -> dict[str, Any]:
    """Merge the values of a keyword; later values of a key or an engine option win."""
    options = {**first.get("options", {}), **then.get("options", {})}
    return {**first, **then, **({"options": options} if options else {})}


def _assemble(engines: list[dict[str, Any]], values: dict[str, Any]) -> MatchConfig:
    simple = {name: values[word] for word, name in _SIMPLE.items() if word in values}
    pgn = None
    if "-pgnout" in values:
        given = values["-pgnout"]
        details = tuple(key for key, value in given.items() if value is True)
        pgn = PgnConfig(file=given["file"], details=details)
    config = MatchConfig(
        engines=tuple(_make_engines(engines, values.get("-each", {}))),
        swap="-noswap" not in values,
        openings=OpeningsConfig(**values["-openings"]) if "-openings" in values else None,
        draw=DrawRule(**values["-draw"]) if "-draw" in values else None,
        resign=ResignRule(**values["-resign"]) if "-resign" in values else None,
        sprt=_make_sprt(values["-sprt"]) if "-sprt" in values else None,
        pgnout=pgn,
        jsonout=values["-jsonout"]["file"] if "-jsonout" in values else None,
        log=values["-log"]["file"] if "-log" in values else None,
        **{
            "srand": secrets.randbits(32),
            "concurrency": max(1, (os.cpu_count() or 1) // 2),
            **simple,
        },
    )
    if "-repeat" in values:
        config = replace(config, games=2)
    if "-natural" in values:
        plies = 2 * values["-natural"] or None
        config = replace(config, rules=config.rules.replace({"no_capture_limit": plies}))
    if config.tb is not None and not config.tb.is_dir():
        raise ConfigError("-tb", str(config.tb), Fact("match.tables"))
    if config.sprt is not None and len(config.engines) != 2:
        found = plural(len(config.engines), "engine")
        raise ConfigError("-sprt", found, Fact("match.two_engines"))
    return config


_SIMPLE: Final = {
    f"-{name}": name
    for name in (
        "rounds games tournament concurrency maxmoves tb rules ban srand ratinginterval event site"
    ).split()
}


def _make_sprt(values: Mapping[str, Any]) -> Sprt:
    if values["elo0"] >= values["elo1"]:
        expected = Fact("match.above_elo0", elo=f"{values['elo0']:g}")
        raise ConfigError("-sprt elo1", values["elo1"], expected)
    return Sprt(**{"alpha": 0.05, "beta": 0.05, "model": "normalized", **values})


def _make_engines(
    engines: Sequence[dict[str, Any]], each: Mapping[str, Any]
) -> Iterator[EngineConfig]:
    if len(engines) < 2:
        raise ConfigError("-engine", plural(len(engines), "engine"), Fact("match.two_or_more"))
    names: set[str] = set()
    for number, own in enumerate(engines, start=1):
        if "cmd" not in own:
            subject = Fact("match.of_engine", key="-engine cmd", engine=number)
            raise ConfigError(subject, None, Fact("match.form", form="cmd=PROGRAM"))
        has_time = "tc" in own or "st" in own
        left_out = ("tc", "st") if has_time else ()
        common = {key: value for key, value in each.items() if key not in left_out}
        engine = EngineConfig(**_merge(common, {"name": _default_name(own["cmd"], names), **own}))
        if engine.name in names:
            raise ConfigError("-engine name", engine.name, Fact("match.other_name"))
        names.add(engine.name)
        if not any(getattr(engine, limit) for limit in _LIMITS):
            expected = Fact("one_of", choices=tuple(f"{limit}=" for limit in _LIMITS))
            raise ConfigError(Fact("match.limit", engine=engine.name), None, expected)
        if engine.tc is not None and engine.st:
            subject = Fact("match.of_engine", key="-engine st", engine=engine.name)
            raise ConfigError(subject, engine.st, Fact("match.no_tc"))
        yield engine


def _default_name(command: str, taken: set[str]) -> str:
    stem = Path(command.split()[0]).stem
    names = [stem, *(f"{stem}-{number}" for number in range(2, len(taken) + 2))]
    return next(name for name in names if name not in taken)
