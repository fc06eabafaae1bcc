"""The words of a match configuration: what each takes, and what it means.

They are those of fastchess and cutechess-cli, with some of our own for Xiangqi. The same table
reads the words and prints the help.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, TypeAlias

from xiangqi.errors import RuleSetError
from xiangqi.match.clock import TimeControl
from xiangqi.match.config import MARGIN_MS, PATIENCE_S
from xiangqi.match.openings import OPENING_FORMATS
from xiangqi.match.pgn import DETAILS
from xiangqi.referee.rules import RULE_SETS, RuleSet, choose_rule_set

__all__ = ["OPTION_KEY", "WORDS", "Key", "Reader", "Word", "help_lines"]

Reader: TypeAlias = Callable[[str], Any]
"""Makes a value of text; raises ValueError with what was expected."""

OPTION_KEY: Final = "option."
"""How the keys begin that set an engine's own options."""


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
    """What stands after the equals sign, for the help."""
    meaning: str
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Word:
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
_DETAIL: Final = "whether comments tell it (off)"

_ENGINE: Final[Mapping[str, Key]] = {
    "cmd": Key(_text, "PROGRAM", "the program, or a command line"),
    "name": Key(_text, "NAME", "what it is called (the name of the program)"),
    "args": Key(_arguments, '"ARG ..."', "further arguments"),
    "dir": Key(_text, "FOLDER", "the folder to start it in"),
    "proto": Key(
        _choice("auto", "ucci", "uci", "xboard"),
        "auto|ucci|uci|xboard",
        "its protocol (auto: UCCI, then UCI, then XBoard)",
    ),
    "tc": Key(TimeControl.parse, "[MOVES/][MIN:]SEC[+INC]", "its clock for a game"),
    "st": Key(_SECONDS, "SECONDS", "time for each move"),
    "depth": Key(_whole(1, 1000), "N", "plies for each move"),
    "nodes": Key(_whole(1, 10**15), "N", "positions for each move"),
    "timemargin": Key(_COUNT, "MS", f"how far it may overstep the time ({MARGIN_MS})"),
    "timeout": Key(_SECONDS, "SECONDS", f"without tc and st: when it hangs ({PATIENCE_S:g})"),
    "restart": Key(_switch, "on|off", "start it anew for each game (off)"),
    "scale": Key(
        _decimal(0.001, 1000),
        "F",
        "what makes its scores centipawns, for -draw and -resign (1)",
    ),
}

WORDS: Final[Mapping[str, Word]] = {
    "-engine": Word("An engine; at least two.", _ENGINE, repeats=True),
    "-each": Word(
        "The same keys for every engine that does not give them itself.",
        {key: value for key, value in _ENGINE.items() if key not in ("cmd", "name")},
    ),
    "-rounds": Word("How often the engines meet (2).", read=_MILLION, form="N"),
    "-games": Word("Games each time: 2 from one opening, or 1 (2).", read=_whole(1, 2), form="1|2"),
    "-repeat": Word("The same as -games 2."),
    "-noswap": Word("Do not exchange the colours."),
    "-tournament": Word(
        "Of more than two engines: all meet, or the first meets the others (roundrobin).",
        read=_choice("roundrobin", "gauntlet"),
        form="roundrobin|gauntlet",
    ),
    "-concurrency": Word(
        "Games at a time (half of the processor's cores).", read=_whole(1, 1024), form="N"
    ),
    "-openings": Word(
        "Openings: games, a book, or one on each line as a FEN or moves in coordinates.",
        {
            "file": Key(_path, "FILE", "the file", needed=True),
            "format": Key(
                _choice(*OPENING_FORMATS), "|".join(OPENING_FORMATS), "what it holds (found out)"
            ),
            "order": Key(
                _choice("random", "sequential"), "random|sequential", "the order (random)"
            ),
            "plies": Key(_whole(1, 1000), "N", "play so many moves of each (all; of a book 8)"),
            "start": Key(_MILLION, "N", "the one to begin with (1)"),
        },
    ),
    "-draw": Word(
        "Adjudicate a draw.",
        {
            "movenumber": Key(_COUNT, "N", "not before so many moves (34)"),
            "movecount": Key(_MILLION, "N", "after so many moves of both sides (8)"),
            "score": Key(_SCORE, "CP", "with scores within so many centipawns (20)"),
        },
    ),
    "-resign": Word(
        "Adjudicate a loss.",
        {
            "movecount": Key(_MILLION, "N", "after so many moves of the loser (3)"),
            "score": Key(_SCORE, "CP", "behind by so many centipawns (600)"),
            "twosided": Key(_switch, "on|off", "only if the winner agrees (off)"),
        },
    ),
    "-maxmoves": Word("Adjudicate a draw after N moves of each side.", read=_MILLION, form="N"),
    "-tb": Word(
        "Adjudicate by the end-game tables of a folder, once a capture leads to one of their"
        " positions.",
        read=_path,
        form="FOLDER",
    ),
    "-rules": Word("The rule set (wxf).", read=_rules, form="|".join(RULE_SETS)),
    "-natural": Word(
        "Rounds without a capture until a draw, 0 for any number (as the rule set says).",
        read=_whole(0, 100_000),
        form="N",
    ),
    "-ban": Word(
        "Tell the engines which moves would lose by a repetition: by banmoves in UCCI, by"
        " searchmoves in UCI (off).",
        read=_switch,
        form="on|off",
    ),
    "-sprt": Word(
        "Stop when it is clear which of two hypotheses holds.",
        {
            "elo0": Key(_ELO, "ELO", "the first engine is stronger by this: H0", needed=True),
            "elo1": Key(_ELO, "ELO", "or by this: H1", needed=True),
            "alpha": Key(_SHARE, "P", "how likely H1 is accepted wrongly (0.05)"),
            "beta": Key(_SHARE, "P", "how likely H0 is accepted wrongly (0.05)"),
            "model": Key(
                _choice("normalized", "logistic"), "normalized|logistic", "Elo (normalized)"
            ),
        },
    ),
    "-pgnout": Word(
        "Write the games.",
        {
            "file": Key(_path, "FILE", "the file, which is added to", needed=True),
            **{key: Key(_switch, "on|off", _DETAIL) for key in (*DETAILS, "timeleft")},
        },
    ),
    "-jsonout": Word(
        "The journal of the match, from which it can be resumed (match.jsonl).",
        {"file": Key(_path, "FILE", "a new file", needed=True)},
    ),
    "-config": Word(
        "Resume the match of a journal.", {"file": Key(_path, "FILE", "the journal", needed=True)}
    ),
    "-log": Word(
        "Write the dialogue with the engines.",
        {"file": Key(_path, "FILE", "the file, which is added to", needed=True)},
    ),
    "-srand": Word("The seed (another one each time).", read=_whole(0, 2**63 - 1), form="N"),
    "-ratinginterval": Word(
        "Report after so many encounters, 0 for never (10).", read=_COUNT, form="N"
    ),
    "-event": Word("The event, for the records.", read=_text, form="TEXT"),
    "-site": Word("The site, for the records.", read=_text, form="TEXT"),
    "-recover": Word(
        "Go on after a crash. This is always done; the word is for scripts that have it."
    ),
}


def help_lines(width: int = 32) -> list[str]:
    """Every word and key with its meaning, for the help."""
    lines: list[str] = []
    for name, word in WORDS.items():
        lines += _aligned(f"{name} {word.form}".rstrip(), word.meaning, width)
        if name == "-each":
            continue
        for key, entry in word.keys.items():
            lines += _aligned(f"    {key}={entry.form}", entry.meaning, width)
        if name == "-engine":
            lines += _aligned(f"    {OPTION_KEY}NAME=VALUE", "an option of the engine", width)
    return lines


def _aligned(left: str, right: str, width: int) -> Sequence[str]:
    if len(left) < width:
        return [f"{left:{width}}{right}"]
    return [left, " " * width + right]
