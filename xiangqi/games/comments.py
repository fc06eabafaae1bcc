"""Evaluations and times in the comments of moves, as chess programs write them.

``[%eval 0.35]`` is the evaluation after the move from Red's point of view, in pawns; ``[%eval #3]``
is a mate by Red in three moves, ``[%eval #-3]`` one by Black. A depth may follow (``0.35,18``).
python-chess and Lichess use the same form from White's point of view
(https://python-chess.readthedocs.io/en/latest/pgn.html). ``[%clk 0:09:58.5]`` is the mover's clock
after the move, ``[%emt 0:00:03]`` the time spent on the move.

>>> read_eval("[%eval -0.35,18] a slip")
Eval(cp=-35, mate=None)
>>> put_eval("a slip", Eval(mate=-3))
'[%eval #-3] a slip'
>>> without_eval("[%eval #-3] a slip")
'a slip'
>>> read_time("[%clk 1:02:03.5] a slip", "clk")
3723.5
>>> put_time("a slip", "emt", 3)
'[%emt 0:00:03] a slip'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from xiangqi.lines import BLANKS_BEFORE

__all__ = [
    "Eval",
    "TimeKind",
    "put_eval",
    "put_time",
    "read_eval",
    "read_time",
    "without_eval",
]

_EVAL: Final = re.compile(
    BLANKS_BEFORE
    + r"\[%eval\s+(?:\#([+-]?\d{1,6})|([+-]?(?:\d{1,10}(?:\.\d{0,6})?|\.\d{1,6})))(?:,\d+)?\s*\]\s*"
)


@dataclass(frozen=True, slots=True)
class Eval:
    """Evaluation from Red's point of view; one of the two fields is set."""

    cp: int | None = None
    """Centipawns."""
    mate: int | None = None
    """Number of moves to a mate by Red; negative for one by Black."""

    def __str__(self) -> str:
        if self.mate is not None:
            return f"#{self.mate}"
        return f"{(self.cp or 0) / 100:.2f}"


def read_eval(comment: str) -> Eval | None:
    """Return the first evaluation in a comment; None if it has none."""
    found = _EVAL.search(comment)
    if found is None:
        return None
    if found[1] is not None:
        return Eval(mate=int(found[1]))
    return Eval(cp=round(float(found[2]) * 100))


def without_eval(comment: str) -> str:
    """Return a comment without its evaluations."""
    return _EVAL.sub(" ", comment).strip() if "[%eval" in comment else comment


def put_eval(comment: str, value: Eval) -> str:
    """Put an evaluation before a comment, replacing those that it has."""
    return f"[%eval {value}] {without_eval(comment)}".rstrip()


TimeKind: TypeAlias = Literal["clk", "emt"]

_TIMES: Final = {
    kind: re.compile(
        rf"{BLANKS_BEFORE}\[%{kind}\s+(\d{{1,6}}):(\d{{1,2}}):(\d{{1,2}}(?:\.\d{{0,6}})?)\s*\]\s*"
    )
    for kind in ("clk", "emt")
}


def read_time(comment: str, kind: TimeKind) -> float | None:
    """Return the first time of this kind in a comment, in seconds; None if it has none."""
    found = _TIMES[kind].search(comment)
    if found is None:
        return None
    return 3600 * int(found[1]) + 60 * int(found[2]) + float(found[3])


def put_time(comment: str, kind: TimeKind, seconds: float | None) -> str:
    """Put a time before a comment, replacing those of its kind; None only removes them.

    Raises ValueError for a negative or infinite time.
    """
    rest = _TIMES[kind].sub(" ", comment).strip()
    if seconds is None:
        return rest
    if not 0 <= seconds < 3.6e9:
        raise ValueError(f"invalid time {seconds!r}: expected 0 or more seconds")
    ms = round(1000 * seconds)
    hours, minutes = ms // 3_600_000, ms // 60_000 % 60
    last = f"{ms // 1000 % 60:02}.{ms % 1000:03}".rstrip("0").rstrip(".") if ms % 60_000 else "00"
    return f"[%{kind} {hours}:{minutes:02}:{last}] {rest}".rstrip()
