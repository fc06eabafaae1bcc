"""The editions of the Chinese rules, and the numbers that their text leaves open."""

from dataclasses import dataclass
from typing import Literal

KILL_CHECKS = 12
"""24.2 sets no limit to a series of checks; the book's longest has seven."""

GAIN_PLIES = 16
"""24.3 sets no limit to the captures and checks that win something."""

CHECK_PLIES = 8
"""Among how many of them checks stand that capture nothing, of either side."""

RISE = 100
"""By so much a threat must win more than before to be another one: by half a horse."""


@dataclass(frozen=True)
class Edition:
    """Differences between the editions. The defaults are those of 2020."""

    both_forbidden: Literal["weight", "draw"] = "weight"
    """26.9: only heavy moves against some light ones must be changed.  In 1999 both draw."""

    roots: Literal["weighed", "always"] = "weighed"
    """26.5: a capture that gives up something else is weighed.  In 1999 it is always a chase."""

    soldiers: Literal["idle", "mutual"] = "idle"
    """26.1: what a soldier attacks alone is idle.  In 1999 it counts where both sides strike."""

    king_reply: Literal["idle", "counts"] = "idle"
    """26.1.3: what a king's way out of check threatens is idle.  In 1999 it counts."""

    risen: Literal["new", "stood"] = "new"
    """24.3: what wins half a horse more than before, or gains where it was even, is new (figure
    27).  In 1999, from chase to chase, it is idle."""

    kills: Literal["any", "king_steps", "new"] = "any"
    """24.2: whether a threat of mate must be made by the move: never (figure 19), if a king steps
    out of check (figure 15 of 1999), or always."""

    first_rounds: bool = False
    """Red must change what both sides may repeat in the first 25 rounds of a game."""

    nine_rounds: bool = True
    """Reference figure 8: nine rounds of forbidden moves must be changed.  1999 does not say so."""


CXA2020 = Edition()
CXA1999 = Edition(
    both_forbidden="draw",
    roots="always",
    soldiers="mutual",
    king_reply="counts",
    risen="stood",
    kills="king_steps",
    nine_rounds=False,
)
