"""The options of a match: their values and meanings.

They are those of fastchess and cutechess-cli, with some of our own for Xiangqi. The same table
parses the options and prints the help.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from xiangqi.errors import RuleSetError
from xiangqi.match.clock import TimeControl
from xiangqi.match.config import MARGIN_MS, PATIENCE_S
from xiangqi.match.openings import OPENING_FORMATS
from xiangqi.match.pgn import DETAILS
from xiangqi.referee.rules import RuleSet, choose_rule_set

__all__ = ["OPTION_KEY", "WORDS", "Key", "Keyword", "Reader", "help_rows"]

Reader: TypeAlias = Callable[[str], Any]
"""Makes a value of text; raises ValueError with what was expected."""

OPTION_KEY: Final = "option."
"""Prefix of keys that set an engine's own options."""


def _whole(least: int, most: int) -> Reader:
    def read(text: str) -> int:
        sign, digits = (-1, text[1:]) if text.startswith("-") else (1, text)
        if digits.isascii() and digits.isdigit() and len(digits) <= len(str(most)):
            value = sign * int(digits)
            if least <= value <= most:
                return value
        raise ValueError(f"a number {least} to {most}")

    return read


def _decimal(least: float, most: float) -> Reader:
    def read(text: str) -> float:
        expected = f"a number {least:g} to {most:g}"
        try:
            value = float(text)
        except ValueError:
            raise ValueError(expected) from None
        if not math.isfinite(value) or not least <= value <= most:
            raise ValueError(expected)
        return value

    return read


def _choice(*choices: str) -> Reader:
    def read(text: str) -> str:
        if text.lower() not in choices:
            raise ValueError(f"one of {', '.join(map(repr, choices))}")
        return text.lower()

    return read


def _switch(text: str) -> bool:
    if text.lower() not in ("on", "off", "true", "false"):
        raise ValueError("'on' or 'off'")
    return text.lower() in ("on", "true")


def _text(text: str) -> str:
    if not text.strip():
        raise ValueError("some text")
    return text


def _arguments(text: str) -> tuple[str, ...]:
    try:
        return tuple(shlex.split(text))
    except ValueError as error:
        raise ValueError(f"arguments, quoted as in a shell: {error}") from error


def _path(text: str) -> Path:
    return Path(_text(text))


def _rules(text: str) -> RuleSet:
    try:
        return choose_rule_set(text)
    except RuleSetError as error:
        raise ValueError(error.expected) from error


@dataclass(frozen=True, slots=True)
class Key:
    """One ``key=value`` of a word."""

    read: Reader
    form: str
    """Form of the value after the equals sign, for the help."""
    meaning: str
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word, and what may follow it: keys, one value, or nothing."""

    meaning: str
    keys: Mapping[str, Key] = field(default_factory=dict)
    read: Reader | None = None
    form: str = ""
    repeats: bool = False
    """Does each use of the word stand for itself? Otherwise the last one counts, key by key."""


_COUNT: Final = _whole(0, 10**9)
_MILLION: Final = _whole(1, 10**6)
_SECONDS: Final = _decimal(0.001, 10**6)
_SCORE: Final = _whole(0, 100_000)
_ELO: Final = _decimal(-1000, 1000)
_SHARE: Final = _decimal(0.0001, 0.4999)
_DETAIL: Final = "write it in comments (off)"

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
    "depth": Key(_whole(1, 1000), "N", "depth for each move"),
    "nodes": Key(_whole(1, 10**15), "N", "nodes for each move"),
    "timemargin": Key(_COUNT, "MS", f"milliseconds it may exceed its time ({MARGIN_MS})"),
    "timeout": Key(_SECONDS, "SECONDS", f"longest move without tc and st ({PATIENCE_S:g})"),
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
        "Games of a pair in a round: 2 from one opening, or 1 (2).", read=_whole(1, 2), form="1|2"
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
        "Games played at the same time (half of the cores).", read=_whole(1, 1024), form="N"
    ),
    "-openings": Keyword(
        "Openings: games, a book, or a FEN or moves in coordinates on each line.",
        {
            "file": Key(_path, "FILE", "input file", needed=True),
            "format": Key(
                _choice(*OPENING_FORMATS), "epd|txt|book|pgn|...", "its format (detected)"
            ),
            "order": Key(_choice("random", "sequential"), "random|sequential", "order (random)"),
            "plies": Key(_whole(1, 1000), "N", "plies of each opening (all; of a book 8)"),
            "start": Key(_MILLION, "N", "number of the first one (1)"),
        },
    ),
    "-draw": Keyword(
        "Adjudicate a draw.",
        {
            "movenumber": Key(_COUNT, "N", "first move number (34)"),
            "movecount": Key(_MILLION, "N", "consecutive moves of both sides (8)"),
            "score": Key(_SCORE, "CP", "largest score in centipawns (20)"),
        },
    ),
    "-resign": Keyword(
        "Adjudicate a loss.",
        {
            "movecount": Key(_MILLION, "N", "consecutive moves of the loser (3)"),
            "score": Key(_SCORE, "CP", "smallest loss in centipawns (600)"),
            "twosided": Key(_switch, "on|off", "the winner's scores must agree (off)"),
        },
    ),
    "-maxmoves": Keyword("Adjudicate a draw after N moves of each side.", read=_MILLION, form="N"),
    "-tb": Keyword(
        "Adjudicate by the endgame tables of a folder, after a capture.",
        read=_path,
        form="FOLDER",
    ),
    "-rules": Keyword("Rule set (wxf); 'xiangqi rules' lists all.", read=_rules, form="NAME"),
    "-natural": Keyword(
        "Moves without a capture until a draw, 0 for no limit (from the rule set).",
        read=_whole(0, 100_000),
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
    "-srand": Keyword("Random seed (a new one each time).", read=_whole(0, 2**63 - 1), form="N"),
    "-ratinginterval": Keyword(
        "Report after every N pairs of games, 0 for never (10).", read=_COUNT, form="N"
    ),
    "-event": Keyword("Event in the records.", read=_text, form="TEXT"),
    "-site": Keyword("Site in the records.", read=_text, form="TEXT"),
    "-recover": Keyword("Go on after a crash. Always on; accepted for existing scripts."),
}


def help_rows() -> list[tuple[str, str]]:
    """Every option and key with its meaning, for the help."""
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
