"""Keywords of ``xiangqi match``: their meanings, and the reading of their values.

:data:`WORDS` defines both the parsing of the arguments and their help.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeAlias

from xiangqi.ground.errors import Fact, RuleSetError, XiangqiError, outside
from xiangqi.match.config import MARGIN_MS, PATIENCE_S, ConfigError, TimeControl
from xiangqi.match.openings import OPENING_FORMATS
from xiangqi.match.pgn import DETAILS
from xiangqi.referee.rules import RuleSet, choose_rule_set

__all__ = [
    "OPTION_KEY",
    "WORDS",
    "Argument",
    "Flag",
    "Key",
    "Keys",
    "Keyword",
    "Reader",
    "RepeatedKeys",
    "Single",
    "help_rows",
]

Reader: TypeAlias = Callable[[str], Any]
"""Function that parses a value; raises XiangqiError with the expected input."""

OPTION_KEY: Final = "option."
"""Prefix of keys that set options of an engine."""


class Argument(NamedTuple):
    """A keyword and its values."""

    word: str
    values: tuple[str, ...] = ()


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
class Flag:
    """A keyword without a value."""

    meaning: str

    def read(self, argument: Argument) -> bool:
        """Read the argument. Raises ConfigError for a value."""
        if argument.values:
            raise ConfigError(argument.word, argument.values[0], Fact("match.nothing"))
        return True


@dataclass(frozen=True, slots=True)
class Single:
    """A keyword with one value; the last use counts."""

    meaning: str
    reader: Reader
    form: str
    """Form of the value, for the help."""

    def read(self, argument: Argument) -> Any:
        """Read the value. Raises ConfigError."""
        if len(argument.values) != 1:
            found = " ".join(argument.values) or None
            raise ConfigError(argument.word, found, Fact("match.one_value"))
        return _read_text(argument.word, argument.values[0], self.reader)


@dataclass(frozen=True, slots=True)
class Keys:
    """A keyword with values by key; later values replace earlier ones, key by key."""

    meaning: str
    keys: Mapping[str, Key]

    def read(self, argument: Argument) -> dict[str, Any]:
        """Read the values by key. Raises ConfigError."""
        found: dict[str, Any] = {}
        takes_options = "proto" in self.keys
        for value in argument.values:
            name, equals, text = value.partition("=")
            if takes_options and equals and name.startswith(OPTION_KEY):
                found.setdefault("options", {})[name.removeprefix(OPTION_KEY)] = text
                continue
            if not equals or name not in self.keys:
                names = [*self.keys, f"{OPTION_KEY}NAME"] if takes_options else [*self.keys]
                expected = Fact("match.keys", keys=" or ".join(f"{name}=" for name in names))
                raise ConfigError(argument.word, value, expected)
            found[name] = _read_text(f"{argument.word} {name}", text, self.keys[name].read)
        return found

    def require_needed(self, word: str, values: Mapping[str, Any]) -> None:
        """Raise ConfigError if a value that is needed is missing."""
        for name, key in self.keys.items():
            if key.needed and name not in values:
                form = Fact("match.form", form=f"{name}={key.form}")
                raise ConfigError(f"{word} {name}", None, form)


@dataclass(frozen=True, slots=True)
class RepeatedKeys(Keys):
    """A keyword with values by key, of which each use adds an entry."""


Keyword: TypeAlias = Flag | Single | Keys


def _read_text(subject: str, text: str, read: Reader) -> Any:
    try:
        return read(text)
    except ValueError as error:
        raise ConfigError(subject, text, outside(error)) from error


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
    "-engine": RepeatedKeys("An engine; at least two.", _ENGINE),
    "-each": Keys(
        "Default options for all engines.",
        {key: value for key, value in _ENGINE.items() if key not in ("cmd", "name")},
    ),
    "-rounds": Single("Number of rounds (2).", _MILLION, "N"),
    "-games": Single(
        "Games of each pairing in a round: 1, or 2 from the same opening (2).",
        _integer(1, 2),
        "1|2",
    ),
    "-repeat": Flag("The same as -games 2."),
    "-noswap": Flag("Do not exchange the colours."),
    "-tournament": Single(
        "Pairings of more than two engines: all pairs, or the first against the others"
        " (roundrobin).",
        _choice("roundrobin", "gauntlet"),
        "roundrobin|gauntlet",
    ),
    "-concurrency": Single(
        "Games played at the same time (half of the cores).", _integer(1, 1024), "N"
    ),
    "-openings": Keys(
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
    "-draw": Keys(
        "Adjudicate a draw.",
        {
            "movenumber": Key(_COUNT, "N", "first move number (34)"),
            "movecount": Key(_MILLION, "N", "consecutive moves of both sides (8)"),
            "score": Key(_SCORE, "CP", "maximum score in centipawns (20)"),
        },
    ),
    "-resign": Keys(
        "Adjudicate a loss.",
        {
            "movecount": Key(_MILLION, "N", "consecutive moves of the loser (3)"),
            "score": Key(_SCORE, "CP", "minimum deficit in centipawns (600)"),
            "twosided": Key(_switch, "on|off", "the winner's scores must agree (off)"),
        },
    ),
    "-maxmoves": Single("Adjudicate a draw after N moves of each side.", _MILLION, "N"),
    "-tb": Single(
        "Adjudicate by the endgame tables of a folder, after a capture.", _path, "FOLDER"
    ),
    "-rules": Single("Rule set (wxf); 'xiangqi rules' lists all.", _rules, "NAME"),
    "-natural": Single(
        "Moves without a capture until a draw, 0 for no limit (from the rule set).",
        _integer(0, 100_000),
        "N",
    ),
    "-ban": Single(
        "Send the moves that would lose by repetition: banmoves in UCCI, searchmoves in UCI (off).",
        _switch,
        "on|off",
    ),
    "-sprt": Keys(
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
    "-pgnout": Keys(
        "Write the games as PGN.",
        {
            "file": Key(_path, "FILE", "output file; games are appended", needed=True),
            **{key: Key(_switch, "on|off", _DETAIL) for key in (*DETAILS, "timeleft")},
        },
    ),
    "-jsonout": Keys(
        "Journal of the match, to resume it from (match.jsonl).",
        {"file": Key(_path, "FILE", "new file", needed=True)},
    ),
    "-config": Keys(
        "Resume the match of a journal.", {"file": Key(_path, "FILE", "journal", needed=True)}
    ),
    "-log": Keys(
        "Write the dialogue with the engines to a file.",
        {"file": Key(_path, "FILE", "output file; lines are appended", needed=True)},
    ),
    "-srand": Single("Random seed (a new one each time).", _integer(0, 2**63 - 1), "N"),
    "-ratinginterval": Single(
        "Report after every N pairs of games, 0 for never (10).", _COUNT, "N"
    ),
    "-event": Single("Event in the records.", _text, "TEXT"),
    "-site": Single("Site in the records.", _text, "TEXT"),
    "-recover": Flag("Go on after an engine crash. Always on; accepted for compatibility."),
}


def help_rows() -> list[tuple[str, str]]:
    """Rows of the help: each option or key and its meaning."""
    rows: list[tuple[str, str]] = []
    for name, word in WORDS.items():
        form = f" {word.form}" if isinstance(word, Single) else ""
        rows.append((f"{name}{form}", word.meaning))
        if isinstance(word, Keys) and name != "-each":
            rows += [(f"    {key}={one.form}", one.meaning) for key, one in word.keys.items()]
        if name == "-engine":
            rows.append((f"    {OPTION_KEY}NAME=VALUE", "an option of the engine"))
    return rows
