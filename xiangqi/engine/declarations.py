"""Declarations of the engine in each protocol: its name and its options.

Everything that is sent before the engine is needed is here and in :mod:`xiangqi.engine.options`,
which import nothing else: GUIs wait for the answer to their first line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from xiangqi.engine.options import OPTIONS, Option
from xiangqi.version import __version__

__all__ = ["CECP", "DECLARATIONS", "LOG_FILE", "UCCI", "UCI", "Declaration"]

LOG_FILE: Final = Option("debug log file", "string")
"""The file that the conversation is written to; each protocol has its own name for it."""


@dataclass(frozen=True, eq=False)
class Declaration:
    """Introduction of the engine in one protocol."""

    handshakes: frozenset[str]
    """First lines that choose this protocol."""
    message: str
    """What a line begins with that tells people something."""
    heading: tuple[str, ...]
    ending: str
    describe: Callable[[str, Option], str]
    """The line that declares an option, given its name in this protocol."""
    names: Mapping[str, str]
    """The engine's options that are declared, by their names in this protocol."""
    own: Mapping[str, Option] = field(default_factory=dict)
    """Options of the protocol alone."""
    undeclared: Mapping[str, Option] = field(default_factory=dict)
    """Options that are understood, but not declared, as that would mislead GUIs."""
    meanwhile: str = ""
    """What answers the handshake where another line asks for the declaration itself."""

    @property
    def settable(self) -> Mapping[str, Option]:
        """All options of the protocol alone."""
        return {**self.own, **self.undeclared}

    def lines(self) -> list[str]:
        """The whole declaration."""
        options = {name: OPTIONS[engine_name] for name, engine_name in self.names.items()}
        described = [self.describe(*option) for option in {**options, **self.own}.items()]
        return [*self.heading, *described, self.ending]

    def greeting(self) -> list[str]:
        """The answer to the handshake."""
        return [self.meanwhile] if self.meanwhile else self.lines()


# UCCI and UCI


def _words(option: Option) -> str:
    """Format the type, default and range of an option, alike in both protocols.

    >>> _words(OPTIONS["hash"])
    'type spin default 16 min 1 max 65536'
    """
    words = [f"type {option.kind}"]
    if option.kind != "button":
        words.append(f"default {str(option.default).lower() or '<empty>'}")
    if option.kind == "spin":
        words.append(f"min {option.least} max {option.most}")
    words += [f"var {choice}" for choice in option.choices]
    return " ".join(words)


UCCI: Final = Declaration(
    handshakes=frozenset({"ucci"}),
    message="info message",
    heading=(
        f"id name Meihua {__version__}",
        "id copyright GPL-3.0-or-later",
        "id author the Meihua project",
    ),
    ending="ucciok",
    describe=lambda name, option: f"option {name} {_words(option)}",
    names={
        "hashsize": "hash",
        "threads": "threads",
        "multipv": "multipv",
        "ponder": "ponder",
        "move_overhead": "move_overhead",
        "nodestime": "nodestime",
        "repetition": "repetition",
        "drawmoves": "no_capture_rounds",
        "evalfile": "eval_file",
        "usebook": "own_book",
        "bookfiles": "book_file",
        "bookseed": "book_seed",
        "tablepath": "table_path",
        "skill_level": "skill_level",
        "uci_limitstrength": "limit_strength",
        "uci_elo": "elo",
        "skill_seed": "skill_seed",
        "randomness": "randomness",
        "style": "style",
    },
    own={
        "usemillisec": Option("usemillisec", "check", False),
        "batch": Option("batch", "check", False),
        "debug": Option("debug", "check", False),
        "newgame": Option("newgame", "button"),
        "debug_log_file": LOG_FILE,
    },
)

UCI: Final = Declaration(
    handshakes=frozenset({"uci", "ucicyclone"}),
    message="info string",
    heading=(f"id name Meihua {__version__}", "id author the Meihua project"),
    ending="uciok",
    describe=lambda name, option: f"option name {name} {_words(option)}",
    names={
        "Hash": "hash",
        "Threads": "threads",
        "MultiPV": "multipv",
        "Ponder": "ponder",
        "Move Overhead": "move_overhead",
        "nodestime": "nodestime",
        "Repetition Rule": "repetition",
        "No Capture Rounds": "no_capture_rounds",
        "EvalFile": "eval_file",
        "OwnBook": "own_book",
        "BookFile": "book_file",
        "Book Seed": "book_seed",
        "TablePath": "table_path",
        "Skill Level": "skill_level",
        "UCI_LimitStrength": "limit_strength",
        "UCI_Elo": "elo",
        "Skill Seed": "skill_seed",
        "Randomness": "randomness",
        "Style": "style",
    },
    own={
        "Clear Hash": Option("Clear Hash", "button"),
        "UCI_ShowWDL": Option("UCI_ShowWDL", "check", False),
        "UCI_Variant": Option("UCI_Variant", "combo", "xiangqi", choices=("xiangqi",)),
        "Debug Log File": LOG_FILE,
    },
    undeclared={"UCI_Chess960": Option("UCI_Chess960", "check", False)},
)


# The XBoard protocol


def _option_feature(name: str, option: Option) -> str:
    """An option as a feature; the choice that is set has a star.

    >>> _option_feature("MultiPV", OPTIONS["multipv"])
    'feature option="MultiPV -spin 1 1 128"'
    >>> _option_feature("Side", Option("Side", "combo", "red", choices=("red", "black")))
    'feature option="Side -combo *red /// black"'
    """
    words = [name, f"-{option.kind}"]
    if option.kind == "spin":
        words.append(f"{option.default} {option.least} {option.most}")
    elif option.kind == "combo":
        starred = [("*" if one == option.default else "") + one for one in option.choices]
        words.append(" /// ".join(starred))
    elif option.kind != "button":
        words.append(str(int(option.default) if option.kind == "check" else option.default))
    return f'feature option="{" ".join(words)}"'


_BY_COMMAND: Final = frozenset({"hash", "threads", "ponder"})
"""Options that the XBoard protocol has commands for."""

CECP: Final = Declaration(
    handshakes=frozenset({"xboard"}),
    message="#",
    heading=(
        f'feature myname="Meihua {__version__}" variants="xiangqi"',
        "feature setboard=1 usermove=1 ping=1 time=1 playother=1 analyze=1 draw=1 memory=1 smp=1",
        "feature colors=0 san=0 nps=0 name=0 pause=0 sigint=0 sigterm=0 reuse=1 debug=1",
    ),
    ending="feature done=1",
    describe=_option_feature,
    names={name: option for name, option in UCI.names.items() if option not in _BY_COMMAND},
    own={name: UCI.own[name] for name in ("Clear Hash", "Debug Log File")},
    meanwhile="feature done=0",
)

DECLARATIONS: Final = (UCCI, CECP, UCI)
"""All protocols; the last takes a first line that is no handshake."""
