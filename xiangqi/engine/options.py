"""The engine's options, with types, defaults and ranges, and their declarations in each protocol.

The declarations are the complete answers to a handshake. This module imports little, since GUIs
wait for that answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from xiangqi.engine.levels import FULL_SKILL, MAX_ELO, MIN_ELO, RANDOMNESS
from xiangqi.ground.errors import Fact, NamedValueError
from xiangqi.ground.installed import __version__
from xiangqi.ground.lines import CHECK_WORDS, REPETITION_RULES

__all__ = [
    "CECP",
    "DECLARATIONS",
    "DEFAULT",
    "LOG_FILE",
    "OPTIONS",
    "REPETITION_RULES",
    "STYLES",
    "UCCI",
    "UCI",
    "Declaration",
    "Option",
    "OptionError",
    "OptionValue",
]

OptionValue: TypeAlias = bool | int | str


class OptionError(NamedValueError):
    """An option is unknown or cannot have this value.

    >>> OPTIONS["hash"].parse("lots")
    Traceback (most recent call last):
    xiangqi.engine.options.OptionError: invalid option hash 'lots': expected a number 1 to 65536
    """

    _CODE = "bad_option"

    @property
    def fact(self) -> Fact:
        subject = Fact("rule.option", option=self.name)
        return Fact("error.rules", subject=subject, value=self.value, expected=self.expected)


@dataclass(frozen=True, slots=True)
class Option:
    """An option: its type, default and range."""

    name: str
    kind: Literal["check", "spin", "combo", "button", "string"]
    default: OptionValue = ""
    least: int = 0
    most: int = 0
    choices: tuple[str, ...] = ()

    def parse(self, value: OptionValue) -> OptionValue:
        """Parse a value or its text; raises OptionError."""
        if self.kind == "string":
            text = str(value).strip()
            return self.default if text in ("", "<empty>") else text  # UCI's empty string
        text = str(value).strip().lower()
        if self.kind == "button":
            return ""
        if self.kind == "check":
            if text in CHECK_WORDS:
                return CHECK_WORDS[text]
            expected = Fact("true_or_false")
        elif self.kind == "combo":
            if text in self.choices:
                return text
            expected = Fact("one_of", choices=self.choices)
        else:
            digits = text.lstrip("0") or "0"
            is_number = text.isascii() and text.isdigit() and len(digits) <= len(str(self.most))
            if is_number and self.least <= int(digits) <= self.most:
                return int(digits)
            expected = Fact("number", least=self.least, most=self.most)
        raise OptionError(self.name, value, expected)


DEFAULT: Final = "meihua.nnue"
"""Option value for the network of the package.

It has no blanks, because GUIs parse it from the declaration and send it back."""

STYLES: Final[Mapping[str, int]] = {"solid": -20, "normal": 0, "risky": 40}
"""Contempt in centipawns for each value of UCCI's option ``style``."""

OPTIONS: Final[Mapping[str, Option]] = {
    option.name: option
    for option in (
        Option("hash", "spin", 16, 1, 65_536),
        Option("threads", "spin", 1, 1, 256),
        Option("multipv", "spin", 1, 1, 128),
        Option("ponder", "check", False),
        Option("move_overhead", "spin", 10, 0, 5000),
        Option("nodestime", "spin", 0, 0, 10_000),
        Option("repetition", "combo", "wxf", choices=tuple(REPETITION_RULES)),
        Option("no_capture_rounds", "spin", 60, 0, 10_000),
        Option("eval_file", "string", DEFAULT),
        Option("own_book", "check", True),
        Option("book_file", "string"),
        Option("book_seed", "spin", 0, 0, 2**31 - 1),
        Option("table_path", "string"),
        Option("skill_level", "spin", FULL_SKILL, 0, FULL_SKILL),
        Option("limit_strength", "check", False),
        Option("elo", "spin", MIN_ELO, MIN_ELO, MAX_ELO),
        Option("skill_seed", "spin", 0, 0, 2**31 - 1),
        Option("randomness", "combo", "none", choices=tuple(RANDOMNESS)),
        Option("style", "combo", "normal", choices=tuple(STYLES)),
    )
}
"""The engine's options by name.

* ``hash``: megabytes; ``move_overhead``: milliseconds;
* ``ponder``: pondering is on, so that a move may take a little more time;
* ``nodestime``: nodes that count as a millisecond of the clock; 0 for real time;
* ``no_capture_rounds``: rounds without a capture until a draw; 0 for no limit, and the default for
  the rule set's own;
* ``eval_file``: path of a network, or DEFAULT;
* ``own_book``: play from the books of ``book_file``, paths separated by ``;``;
* ``book_seed``: seed of the choice among book moves; 0 for a random one;
* ``table_path``: folder of endgame tables;
* ``limit_strength``: play at ``elo``, whatever ``skill_level`` is; FULL_SKILL is full strength;
* ``randomness``: vary the moves at full strength;
* ``skill_seed``: seed of the weakened or varied moves; 0 for a random one;
* ``style``: contempt, see STYLES."""

LOG_FILE: Final = Option("debug log file", "string")
"""Path of the dialogue log; each protocol has its own name for the option."""


@dataclass(frozen=True, eq=False)
class Declaration:
    """Declaration of the engine and its options in one protocol."""

    handshakes: frozenset[str]
    """Commands that select this protocol."""
    message: str
    """Prefix of messages for the user."""
    heading: tuple[str, ...]
    ending: str
    describe: Callable[[str, Option], str]
    """Format the declaration of an option, given its name in this protocol."""
    names: Mapping[str, str]
    """Keys of OPTIONS by their names in this protocol."""
    own: Mapping[str, Option] = field(default_factory=dict)
    """Options of the protocol itself."""
    undeclared: Mapping[str, Option] = field(default_factory=dict)
    """Options that are accepted but not declared, since that would mislead GUIs."""
    handshake_answer: str = ""
    """Answer to the handshake if another command requests the declaration."""

    @property
    def settable(self) -> Mapping[str, Option]:
        """All options of the protocol itself."""
        return {**self.own, **self.undeclared}

    def lines(self) -> list[str]:
        """Lines of the declaration."""
        options = {name: OPTIONS[engine_name] for name, engine_name in self.names.items()}
        described = [self.describe(*option) for option in {**options, **self.own}.items()]
        return [*self.heading, *described, self.ending]

    def greeting(self) -> list[str]:
        """The answer to the handshake."""
        return [self.handshake_answer] if self.handshake_answer else self.lines()


# UCCI and UCI


def _format_type(option: Option) -> str:
    """Format the type, default and range of an option.

    >>> _format_type(OPTIONS["hash"])
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
    describe=lambda name, option: f"option {name} {_format_type(option)}",
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
    describe=lambda name, option: f"option name {name} {_format_type(option)}",
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
    """Format an option as a feature; the selected choice has a star.

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
"""Options for which the XBoard protocol has commands."""

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
    handshake_answer="feature done=0",
)

DECLARATIONS: Final = (UCCI, CECP, UCI)
"""All protocols; the last one also executes commands without a handshake."""
