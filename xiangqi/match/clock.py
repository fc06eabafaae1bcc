"""Clocks of a match: what an engine is given for a game, and what it has left of it.

A time control is written as in other match runners, ``[moves/][minutes:]seconds[+increment]``:

>>> TimeControl.parse("40/1:30+0.5")
TimeControl(seconds=90.0, increment=0.5, moves=40)
>>> str(TimeControl.parse("10+0.1"))
'10+0.1'

The runner measures a move from the line ``go`` to the line that answers it. It forgives an engine
that oversteps by no more than a margin; the clock then stands at nothing, not below.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["MARGIN_S", "GameClock", "TimeControl"]

MARGIN_S: Final = 0.1
"""By how much a move may overstep its time, in seconds, if nothing else is said: lines travel and
machines are busy."""

TIME_CONTROL: Final = "[moves/][minutes:]seconds[+increment], as in 40/1:30+0.5 or 10+0.1"
_NUMBER: Final = r"[0-9]{1,9}(?:\.[0-9]{0,9})?"
_FORM: Final = re.compile(
    rf"(?:(?P<moves>[0-9]{{1,4}})/)?(?:(?P<minutes>[0-9]{{1,6}}):)?(?P<seconds>{_NUMBER})"
    rf"(?:\+(?P<increment>{_NUMBER}))?"
)


@dataclass(frozen=True, slots=True)
class TimeControl:
    """Time for a game, or for each so many moves of it."""

    seconds: float
    increment: float = 0.0
    """Seconds that are added after each move."""
    moves: int = 0
    """After so many moves ``seconds`` are added again; 0 if they are for the whole game."""

    @classmethod
    def parse(cls, text: str) -> TimeControl:
        """Read a time control. Raises ValueError, which says what was expected."""
        found = _FORM.fullmatch(text)
        if found is None:
            raise ValueError(TIME_CONTROL)
        seconds = 60 * int(found["minutes"] or 0) + float(found["seconds"])
        control = cls(seconds, float(found["increment"] or 0), int(found["moves"] or 0))
        if control.seconds <= 0:
            raise ValueError(f"{TIME_CONTROL}, of more than no time")
        return control

    def __str__(self) -> str:
        moves = f"{self.moves}/" if self.moves else ""
        increment = f"+{self.increment:g}" if self.increment else ""
        return f"{moves}{self.seconds:g}{increment}"


class GameClock:
    """One side's clock in one game. It runs only in :meth:`spend`.

    >>> clock = GameClock(TimeControl(1.0, increment=0.5), margin=0.1)
    >>> clock.spend(0.75), clock.remaining
    (True, 0.75)
    >>> clock.spend(0.8), clock.remaining
    (True, 0.5)
    >>> clock.spend(0.7)
    False
    """

    def __init__(self, control: TimeControl, margin: float = 0.0) -> None:
        self.control = control
        self.margin = margin
        """Seconds by which a move may overstep the clock."""
        self.remaining = control.seconds
        """Seconds left."""
        self.moves_to_go = control.moves
        """Moves until time is added; 0 if none will be."""

    def spend(self, seconds: float) -> bool:
        """Take the seconds of one move off; False if the flag has fallen."""
        if seconds > self.remaining + self.margin:
            self.remaining = 0.0
            return False
        self.remaining = max(0.0, self.remaining - seconds) + self.control.increment
        if self.moves_to_go:
            self.moves_to_go -= 1
            if not self.moves_to_go:
                self.moves_to_go = self.control.moves
                self.remaining += self.control.seconds
        return True
