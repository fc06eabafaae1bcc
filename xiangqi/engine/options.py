"""The engine's options: their types, defaults and ranges, whatever a protocol calls them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from xiangqi.engine.levels import FULL_SKILL, LEAST_ELO, MOST_ELO, RANDOMNESS
from xiangqi.errors import XiangqiError, quote
from xiangqi.switches import CHECK_WORDS, REPETITION_RULES

__all__ = [
    "DEFAULT",
    "HAND_MADE",
    "OPTIONS",
    "REPETITION_RULES",
    "STYLES",
    "Option",
    "OptionError",
    "OptionValue",
]

OptionValue: TypeAlias = bool | int | str


class OptionError(XiangqiError):
    """An option is not known or cannot have this value.

    >>> OPTIONS["hash"].parse("lots")
    Traceback (most recent call last):
    xiangqi.engine.options.OptionError: invalid option hash 'lots': expected a number 1 to 65536
    """

    def __init__(self, name: str, value: object, expected: str) -> None:
        super().__init__(name, value, expected)
        self.name = name
        self.value = value
        self.expected = expected

    def __str__(self) -> str:
        return f"invalid option {self.name} {quote(self.value)}: expected {self.expected}"


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
        """The value, or what its text stands for; raises OptionError."""
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

    def _expected(self) -> str:
        if self.kind == "check":
            return "true or false"
        if self.kind == "combo":
            return f"one of {', '.join(self.choices)}"
        return f"a number {self.least} to {self.most}"


DEFAULT: Final = "meihua.nnue"
"""The network that comes with the package, or the hand-made evaluation if none does.

A plain word, as GUIs cut it out of the line that declares the option, and send it back."""
HAND_MADE: Final = "hand-made"
"""The hand-made evaluation."""

STYLES: Final[Mapping[str, int]] = {"solid": -20, "normal": 0, "risky": 40}
"""The words of UCCI's option, and how many centipawns less a draw is worth to the engine."""

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
        Option("elo", "spin", LEAST_ELO, LEAST_ELO, MOST_ELO),
        Option("skill_seed", "spin", 0, 0, 2**31 - 1),
        Option("randomness", "combo", "none", choices=tuple(RANDOMNESS)),
        Option("style", "combo", "normal", choices=tuple(STYLES)),
    )
}
"""``hash`` in megabytes; ``ponder`` only tells that time may be spent a little faster;
``move_overhead`` in milliseconds; ``nodestime`` makes so many nodes a millisecond of the clock,
0 leaves it to time; ``no_capture_rounds`` without a capture draw, 0 for never,
and at its default as many as the rule set says; ``eval_file``
is a network's path, or ``hand-made``; ``own_book`` lets the engine play from the books of
``book_file``, paths with ``;`` between them; ``book_seed`` makes its choice among their moves
repeatable, 0 lets it differ; ``table_path`` is a folder of end-game tables.
``limit_strength`` plays as strong as ``elo`` says and goes before ``skill_level``, which at its
most weakens nothing; ``randomness`` varies the moves at full strength; ``skill_seed`` makes all
three repeatable, 0 lets them differ; ``style`` welcomes draws or avoids them."""
