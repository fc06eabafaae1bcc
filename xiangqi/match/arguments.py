"""Arguments of ``xiangqi match``, from the command line or a TOML file.

They are those of fastchess and cutechess-cli, with additions for Xiangqi. :data:`WORDS` defines
both their parsing and their help. A command line, a TOML file and the journal all become lists of
:class:`Argument`. A TOML file has the same names without the dash::

    rounds = 100
    each = { tc = "10+0.1", option = { Hash = 64 } }
    openings = { file = "openings.epd", order = "random" }

    [[engine]]
    cmd = "meihua"
"""

from __future__ import annotations

import math
import os
import re
import secrets
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from xiangqi.errors import Fact, RuleSetError, XiangqiError, outside, plural, reason_of
from xiangqi.files import load_toml
from xiangqi.match.adjudication import DrawRule, ResignRule
from xiangqi.match.config import (
    MARGIN_MS,
    PATIENCE_S,
    ConfigError,
    EngineConfig,
    MatchConfig,
    OpeningsConfig,
    PgnConfig,
    TimeControl,
)
from xiangqi.match.openings import OPENING_FORMATS
from xiangqi.match.pgn import DETAILS
from xiangqi.match.stats import Sprt
from xiangqi.referee.rules import RuleSet, choose_rule_set

__all__ = [
    "OPTION_KEY",
    "RESUME_WORDS",
    "WORDS",
    "Argument",
    "Key",
    "Keyword",
    "Reader",
    "build_config",
    "find_value",
    "help_rows",
    "read_toml",
    "resume_words",
    "split_words",
    "with_seed",
]

Reader: TypeAlias = Callable[[str], Any]
"""Function that parses a value; raises XiangqiError with the expected input."""

OPTION_KEY: Final = "option."
"""Prefix of keys that set options of an engine."""


def _integer(least: int, most: int) -> Reader:
    def read(text: str) -> int:
        sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
        if digits.isascii() and digits.isdigit() and len(digits) <= len(str(most)):
            value = sign * int(digits)
            if least <= value <= most:
                return value
        raise XiangqiError(Fact("number", least=least, most=most))

    return read


def _decimal(least: float, most: float) -> Reader:
    def read(text: str) -> float:
        expected = Fact("number", least=f"{least:g}", most=f"{most:g}")
        try:
            value = float(text)
        except ValueError:
            raise XiangqiError(expected) from None
        if not math.isfinite(value) or not least <= value <= most:
            raise XiangqiError(expected)
        return value

    return read


def _choice(*choices: str) -> Reader:
    def read(text: str) -> str:
        if text.lower() not in choices:
            raise XiangqiError(Fact("one_of", choices=tuple(map(repr, choices))))
        return text.lower()

    return read


def _switch(text: str) -> bool:
    if text.lower() not in ("on", "off", "true", "false"):
        raise XiangqiError(Fact("match.switch"))
    return text.lower() in ("on", "true")


def _text(text: str) -> str:
    if not text.strip():
        raise XiangqiError(Fact("match.some_text"))
    return text


def _arguments(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise XiangqiError(Fact("match.shell", error=str(error))) from error


def _path(text: str) -> Path:
    return Path(_text(text))


def _rules(text: str) -> RuleSet:
    try:
        return choose_rule_set(text)
    except RuleSetError as error:
        raise XiangqiError(error.expected) from error


@dataclass(frozen=True, slots=True)
class Key:
    """A ``key=value`` of a keyword."""

    read: Reader
    form: str
    """Form of the value after the equals sign, for the help."""
    meaning: str
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword with its keys, its single value, or neither."""

    meaning: str
    keys: Mapping[str, Key] = field(default_factory=dict)
    read: Reader | None = None
    form: str = ""
    repeats: bool = False
    """Does each use add an entry? Otherwise later values replace earlier ones, key by key."""


_COUNT: Final = _integer(0, 10**9)
_MILLION: Final = _integer(1, 10**6)
_SECONDS: Final = _decimal(0.001, 10**6)
_SCORE: Final = _integer(0, 100_000)
_ELO: Final = _decimal(-1000, 1000)
_SHARE: Final = _decimal(0.0001, 0.4999)
_DETAIL: Final = "add it to the comments (off)"

_ENGINE: Final[Mapping[str, Key]] = {
    "cmd": Key(_text, "PROGRAM", "program, or a command line"),
    "name": Key(_text, "NAME", "its name (the program's name)"),
    "args": Key(_arguments, '"ARG ..."', "further arguments"),
    "dir": Key(_text, "FOLDER", "working folder"),
    "proto": Key(
        _choice("auto", "ucci", "uci", "xboard"),
        "auto|ucci|uci|xboard",
        "protocol (auto: UCCI, then UCI, then XBoard)",
    ),
    "tc": Key(TimeControl.parse, "[MOVES/][MIN:]SEC[+INC]", "time control of a game"),
    "st": Key(_SECONDS, "SECONDS", "time for each move"),
    "depth": Key(_integer(1, 1000), "N", "depth for each move"),
    "nodes": Key(_integer(1, 10**15), "N", "nodes for each move"),
    "timemargin": Key(_COUNT, "MS", f"tolerance of a move in milliseconds ({MARGIN_MS})"),
    "timeout": Key(_SECONDS, "SECONDS", f"time limit of a move without tc and st ({PATIENCE_S:g})"),
    "restart": Key(_switch, "on|off", "restart it for each game (off)"),
    "scale": Key(
        _decimal(0.001, 1000),
        "F",
        "factor that makes its scores centipawns, for -draw and -resign (1)",
    ),
}

WORDS: Final[Mapping[str, Keyword]] = {
    "-engine": Keyword("An engine; at least two.", _ENGINE, repeats=True),
    "-each": Keyword(
        "Default options for all engines.",
        {key: value for key, value in _ENGINE.items() if key not in ("cmd", "name")},
    ),
    "-rounds": Keyword("Number of rounds (2).", read=_MILLION, form="N"),
    "-games": Keyword(
        "Games of each pairing in a round: 1, or 2 from the same opening (2).",
        read=_integer(1, 2),
        form="1|2",
    ),
    "-repeat": Keyword("The same as -games 2."),
    "-noswap": Keyword("Do not exchange the colours."),
    "-tournament": Keyword(
        "Pairings of more than two engines: all pairs, or the first against the others"
        " (roundrobin).",
        read=_choice("roundrobin", "gauntlet"),
        form="roundrobin|gauntlet",
    ),
    "-concurrency": Keyword(
        "Games played at the same time (half of the cores).", read=_integer(1, 1024), form="N"
    ),
    "-openings": Keyword(
        "Openings: games, a book, or a FEN or moves in coordinates on each line.",
        {
            "file": Key(_path, "FILE", "input file", needed=True),
            "format": Key(
                _choice(*OPENING_FORMATS), "epd|txt|book|pgn|...", "its format (detected)"
            ),
            "order": Key(_choice("random", "sequential"), "random|sequential", "order (random)"),
            "plies": Key(_integer(1, 1000), "N", "maximum plies of an opening (all; 8 for a book)"),
            "start": Key(_MILLION, "N", "number of the first opening (1)"),
        },
    ),
    "-draw": Keyword(
        "Adjudicate a draw.",
        {
            "movenumber": Key(_COUNT, "N", "first move number (34)"),
            "movecount": Key(_MILLION, "N", "consecutive moves of both sides (8)"),
            "score": Key(_SCORE, "CP", "maximum score in centipawns (20)"),
        },
    ),
    "-resign": Keyword(
        "Adjudicate a loss.",
        {
            "movecount": Key(_MILLION, "N", "consecutive moves of the loser (3)"),
            "score": Key(_SCORE, "CP", "minimum deficit in centipawns (600)"),
            "twosided": Key(_switch, "on|off", "the winner's scores must agree (off)"),
        },
    ),
    "-maxmoves": Keyword("Adjudicate a draw after N moves of each side.", read=_MILLION, form="N"),
    "-tb": Keyword(
        "Adjudicate by the endgame tables of a folder, after a capture.", read=_path, form="FOLDER"
    ),
    "-rules": Keyword("Rule set (wxf); 'xiangqi rules' lists all.", read=_rules, form="NAME"),
    "-natural": Keyword(
        "Moves without a capture until a draw, 0 for no limit (from the rule set).",
        read=_integer(0, 100_000),
        form="N",
    ),
    "-ban": Keyword(
        "Send the moves that would lose by repetition: banmoves in UCCI, searchmoves in UCI (off).",
        read=_switch,
        form="on|off",
    ),
    "-sprt": Keyword(
        "Stop when one of two hypotheses is accepted.",
        {
            "elo0": Key(_ELO, "ELO", "H0: advantage of the first engine", needed=True),
            "elo1": Key(_ELO, "ELO", "H1: advantage of the first engine", needed=True),
            "alpha": Key(_SHARE, "P", "probability of accepting H1 wrongly (0.05)"),
            "beta": Key(_SHARE, "P", "probability of accepting H0 wrongly (0.05)"),
            "model": Key(
                _choice("normalized", "logistic"), "normalized|logistic", "kind of Elo (normalized)"
            ),
        },
    ),
    "-pgnout": Keyword(
        "Write the games as PGN.",
        {
            "file": Key(_path, "FILE", "output file; games are appended", needed=True),
            **{key: Key(_switch, "on|off", _DETAIL) for key in (*DETAILS, "timeleft")},
        },
    ),
    "-jsonout": Keyword(
        "Journal of the match, to resume it from (match.jsonl).",
        {"file": Key(_path, "FILE", "new file", needed=True)},
    ),
    "-config": Keyword(
        "Resume the match of a journal.", {"file": Key(_path, "FILE", "journal", needed=True)}
    ),
    "-log": Keyword(
        "Write the dialogue with the engines to a file.",
        {"file": Key(_path, "FILE", "output file; lines are appended", needed=True)},
    ),
    "-srand": Keyword("Random seed (a new one each time).", read=_integer(0, 2**63 - 1), form="N"),
    "-ratinginterval": Keyword(
        "Report after every N pairs of games, 0 for never (10).", read=_COUNT, form="N"
    ),
    "-event": Keyword("Event in the records.", read=_text, form="TEXT"),
    "-site": Keyword("Site in the records.", read=_text, form="TEXT"),
    "-recover": Keyword("Go on after an engine crash. Always on; accepted for compatibility."),
}


def help_rows() -> list[tuple[str, str]]:
    """Rows of the help: each option or key and its meaning."""
    rows: list[tuple[str, str]] = []
    for name, word in WORDS.items():
        rows.append((f"{name} {word.form}".rstrip(), word.meaning))
        if name == "-each":
            continue
        for key, entry in word.keys.items():
            rows.append((f"    {key}={entry.form}", entry.meaning))
        if name == "-engine":
            rows.append((f"    {OPTION_KEY}NAME=VALUE", "an option of the engine"))
    return rows


RESUME_WORDS: Final = ("-concurrency", "-rounds", "-ratinginterval", "-log", "-recover")
"""Options that may change when a match is resumed."""

_WORD: Final = re.compile(r"--?[A-Za-z]")
_LIMITS: Final = ("tc", "st", "depth", "nodes")


class Argument(NamedTuple):
    """A keyword and its values."""

    word: str
    values: tuple[str, ...] = ()


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
    elif value is True and word in WORDS and WORDS[word].read is None:
        yield Argument(word)
    elif value is not False or (word in WORDS and WORDS[word].read is not None):
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
        if word.keys:
            read: Any = _read_keys(one, word.keys)
        elif word.read is not None:
            read = _read_value(one, word.read)
        else:
            read = _read_flag(one)
        if word.repeats:
            engines.append(read)
        elif word.keys:
            values[one.word] = _merge(values.get(one.word, {}), read)
        else:
            values[one.word] = read
    _check_needed(values)
    return _assemble(engines, values)


def _merge(first: Mapping[str, Any], then: Mapping[str, Any]) -> dict[str, Any]:
    """Merge the values of a keyword; later values of a key or an engine option win."""
    options = {**first.get("options", {}), **then.get("options", {})}
    return {**first, **then, **({"options": options} if options else {})}


def _check_needed(values: Mapping[str, Any]) -> None:
    for word in values:
        for name, key in WORDS[word].keys.items():
            if key.needed and name not in values[word]:
                raise ConfigError(
                    f"{word} {name}", None, Fact("match.form", form=f"{name}={key.form}")
                )


def _read_flag(argument: Argument) -> bool:
    if argument.values:
        raise ConfigError(argument.word, argument.values[0], Fact("match.nothing"))
    return True


def _read_value(argument: Argument, read: Reader) -> Any:
    if len(argument.values) != 1:
        found = " ".join(argument.values) or None
        raise ConfigError(argument.word, found, Fact("match.one_value"))
    return _read_text(argument.word, argument.values[0], read)


def _read_text(subject: str, text: str, read: Reader) -> Any:
    try:
        return read(text)
    except ValueError as error:
        raise ConfigError(subject, text, outside(error)) from error


def _read_keys(argument: Argument, keys: Mapping[str, Key]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    takes_options = "proto" in keys
    for value in argument.values:
        name, equals, text = value.partition("=")
        if takes_options and equals and name.startswith(OPTION_KEY):
            found.setdefault("options", {})[name.removeprefix(OPTION_KEY)] = text
            continue
        if not equals or name not in keys:
            names = [*keys, f"{OPTION_KEY}NAME"] if takes_options else [*keys]
            expected = Fact("match.keys", keys=" or ".join(f"{name}=" for name in names))
            raise ConfigError(argument.word, value, expected)
        found[name] = _read_text(f"{argument.word} {name}", text, keys[name].read)
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


def _make_pgn(values: Mapping[str, Any]) -> PgnConfig:
    details = tuple(key for key, value in values.items() if value is True)
    return PgnConfig(file=values["file"], details=details)


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
        engine = EngineConfig(**_with_each({"name": _default_name(own["cmd"], names), **own}, each))
        if engine.name in names:
            raise ConfigError("-engine name", engine.name, Fact("match.other_name"))
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
        expected = Fact("one_of", choices=tuple(f"{limit}=" for limit in _LIMITS))
        raise ConfigError(Fact("match.limit", engine=engine.name), None, expected)
    if engine.tc is not None and engine.st:
        subject = Fact("match.of_engine", key="-engine st", engine=engine.name)
        raise ConfigError(subject, engine.st, Fact("match.no_tc"))
