"""Times in the comments of moves, as chess programs write them.

``[%clk 0:09:58.5]`` is what is left on the mover's clock, ``[%emt 0:00:03]`` what the move took.

>>> read_time("[%clk 1:02:03.5] a slip", "clk")
3723.5
>>> put_time("a slip", "emt", 3)
'[%emt 0:00:03] a slip'
"""

from __future__ import annotations

import re
from typing import Final, Literal, TypeAlias

from xiangqi.lines import BLANKS_BEFORE

__all__ = ["TimeKind", "put_time", "read_time"]

TimeKind: TypeAlias = Literal["clk", "emt"]

_COMMANDS: Final = {
    kind: re.compile(
        rf"{BLANKS_BEFORE}\[%{kind}\s+(\d{{1,6}}):(\d{{1,2}}):(\d{{1,2}}(?:\.\d{{0,6}})?)\s*\]\s*"
    )
    for kind in ("clk", "emt")
}


def read_time(comment: str, kind: TimeKind) -> float | None:
    """The first time of this kind in a comment, in seconds; None if it has none."""
    found = _COMMANDS[kind].search(comment)
    if found is None:
        return None
    return 3600 * int(found[1]) + 60 * int(found[2]) + float(found[3])


def put_time(comment: str, kind: TimeKind, seconds: float | None) -> str:
    """Put a time before a comment, in place of those of its kind; None takes them away.

    Raises ValueError for a time below 0.
    """
    rest = _COMMANDS[kind].sub(" ", comment).strip()
    if seconds is None:
        return rest
    if not 0 <= seconds < 3.6e9:
        raise ValueError(f"invalid time {seconds!r}: expected 0 or more seconds")
    whole = round(1000 * seconds)
    hours, minutes = whole // 3_600_000, whole // 60_000 % 60
    parts = f"{whole // 1000 % 60:02}.{whole % 1000:03}".rstrip("0").rstrip(".")
    parts = parts if whole % 60_000 else "00"
    return f"[%{kind} {hours}:{minutes:02}:{parts}] {rest}".rstrip()
