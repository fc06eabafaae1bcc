"""The engine's options, with types, defaults and ranges, and their declarations in each protocol.

It contains the complete answer to the first line of a GUI, and imports little, since GUIs wait for
that answer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from xiangqi.engine.levels import FULL_SKILL, MAX_ELO, MIN_ELO, RANDOMNESS
from xiangqi.errors import Fact, XiangqiError
from xiangqi.installed import __version__
from xiangqi.lines import CHECK_WORDS, REPETITION_RULES

__all__ = [
    "CECP",
    "DECLARATIONS",
    "DEFAULT",
    "HAND_MADE",
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


class OptionError(XiangqiError):
    """An option is unknown or cannot have this value.

    >>> OPTIONS["hash"].parse("lots")
    Traceback (most recent call last):
    xiangqi.engine.options.OptionError: invalid option hash 'lots': expected a number 1 to 65536
    """

    _CODE = "bad_option"
    _QUOTED = "value"
    _PLACED = "name"

    def __init__(self, name: str, value: object, expected: Fact) -> None:
        super().__init__(name, value, expected)
        self.name = name
        self.value = value
        self.expected = expected

    def _state(self) -> Fact:
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
        """Parse a value given as such or as text; raises OptionError."""
        if self.kind == "string":
            text = str(value).strip()
            return self.default if text in ("", "<empty>") else text  # the latter is UCI's word
        text = str(value).strip().lower()
        if self.kind == "button":
            return ""
        if self.kind == "check" and text in CHECK_WORDS:
            return CHECK_WORDS[text]
        if self.kind == "combo" and text in self.choices:
            return text
        digits = text.lstrip("0") or "0"
        is_number = text.isascii() and text.isdigit() and len(digits) <= len(str(self.most))
        if self.kind == "spin" and is_number and self.least <= int(digits) <= self.most:
            return int(digits)
        raise OptionError(self.name, value, self._expected())

    def _expected(self) -> Fact:
        if self.kind == "check":
            return Fact("true_or_false")
        if self.kind == "combo":
            return Fact("one_of", choices=self.choices)
        return Fact("number", least=self.least, most=self.most)


DEFAULT: Final = "meihua.nnue"
"""The network that comes with the package, or the hand-made evaluation if none does.

It is a plain word because GUIs parse it from the declaration and send it back."""
HAND_MADE: Final = "hand-made"
"""The hand-made evaluation."""

STYLES: Final[Mapping[str, int]] = {"solid": -20, "normal": 0, "risky": 40}
"""Values of UCCI's option, with the contempt in centipawns."""

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
"""``hash`` in megabytes; ``ponder`` lets the engine spend time a little faster; ``move_overhead``
in milliseconds; ``nodestime`` counts this number of nodes as a millisecond of the clock, 0 for real
time; ``no_capture_rounds`` without a capture are a draw, 0 for never, by default as in the rule
set; ``eval_file`` is a network's path, or ``hand-made``; ``own_book`` lets the engine play from the
books of ``book_file``, paths with ``;`` between them; ``book_seed`` makes its choice among their
moves repeatable, 0 lets it differ; ``table_path`` is a folder of end-game tables.
``limit_strength`` plays as strong as ``elo`` says and goes before ``skill_level``, which at its
most weakens nothing; ``randomness`` varies the moves at full strength; ``skill_seed`` makes all
three repeatable, 0 lets them differ; ``style`` welcomes draws or avoids them."""


LOG_FILE: Final = Option("debug log file", "string")
"""File of the dialogue log; each protocol has its own name for the option."""


@dataclass(frozen=True, eq=False)
class Declaration:
    """Introduction of the engine in one protocol."""

    handshakes: frozenset[str]
    """First lines that choose this protocol."""
    message: str
    """Prefix of lines with information for people."""
    heading: tuple[str, ...]
    ending: str
    describe: Callable[[str, Option], str]
    """Function that formats the declaration of an option, given its name in this protocol."""
    names: Mapping[str, str]
    """Declared options of the engine, by their names in this protocol."""
    own: Mapping[str, Option] = field(default_factory=dict)
    """Options of the protocol alone."""
    undeclared: Mapping[str, Option] = field(default_factory=dict)
    """Options that are accepted but not declared, as that would mislead GUIs."""
    meanwhile: str = ""
    """Line that answers the handshake when another line requests the declaration."""

    @property
    def settable(self) -> Mapping[str, Option]:
        """All options of the protocol alone."""
        return {**self.own, **self.undeclared}

    def lines(self) -> list[str]:
        """Lines of the whole declaration."""
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
