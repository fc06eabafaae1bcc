"""Evaluations in the comments of moves, as chess programs write them: ``[%eval 0.35]``.

The number is what the position after the move is worth to Red, in soldiers; ``[%eval #3]`` says
that Red mates in three moves, ``[%eval #-3]`` that Black does. A depth may follow (``0.35,18``). So
it is written by python-chess and Lichess
(https://python-chess.readthedocs.io/en/latest/pgn.html), where it is White's point of view.

>>> read_eval("[%eval -0.35,18] a slip")
Eval(cp=-35, mate=None)
>>> put_eval("a slip", Eval(mate=-3))
'[%eval #-3] a slip'
>>> without_eval("[%eval #-3] a slip")
'a slip'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from xiangqi.lines import BLANKS_BEFORE

__all__ = ["Eval", "put_eval", "read_eval", "without_eval"]

_COMMAND: Final = re.compile(
    BLANKS_BEFORE
    + r"\[%eval\s+(?:\#([+-]?\d{1,6})|([+-]?(?:\d{1,10}(?:\.\d{0,6})?|\.\d{1,6})))(?:,\d+)?\s*\]\s*"
)


@dataclass(frozen=True, slots=True)
class Eval:
    """What a position is worth to Red: one of the two is there."""

    cp: int | None = None
    """In hundredths of a soldier."""
    mate: int | None = None
    """The moves to a mate by Red; negative if Black mates."""

    def __str__(self) -> str:
        if self.mate is not None:
            return f"#{self.mate}"
        return f"{(self.cp or 0) / 100:.2f}"


def read_eval(comment: str) -> Eval | None:
    """The first evaluation in a comment; None if it has none."""
    found = _COMMAND.search(comment)
    if found is None:
        return None
    if found[1] is not None:
        return Eval(mate=int(found[1]))
    return Eval(cp=round(float(found[2]) * 100))


def without_eval(comment: str) -> str:
    """A comment without its evaluations, for people."""
    return _COMMAND.sub(" ", comment).strip() if "[%eval" in comment else comment


def put_eval(comment: str, value: Eval) -> str:
    """Put an evaluation before a comment, in place of those that it has."""
    return f"[%eval {value}] {without_eval(comment)}".rstrip()
