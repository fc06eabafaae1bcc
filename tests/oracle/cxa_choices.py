"""The editions of the Chinese rules, and the numbers that their text leaves open."""

from dataclasses import dataclass
from typing import Literal

VALUES = {"R": 20, "N": 10, "C": 10, "A": 5, "B": 5, "K": 0, ".": 0}
"""25.3 and 26.7: a chariot is worth two horses or cannons.  That an advisor or an elephant is half
of those is a choice; soldiers are counted apart."""

KILL_CHECKS = 7
"""24.2 sets no limit to a series of checks; the book's longest has seven."""

GAIN_PLIES = 8
"""24.3 sets no limit to the captures and checks that win something."""

GAIN_CHECKS = 3
"""How many of them may be checks that capture nothing."""

COUNTER_CHECKS = 2
"""How many checks that capture nothing the defender may put in between."""

RETURN_CHECKS = 3
"""24.3 "and is not mated in return": by how many checks at most."""


@dataclass(frozen=True)
class Edition:
    """What differs between the editions.  The defaults are those of 2020."""

    both_forbidden: Literal["weight", "draw"] = "weight"
    """26.9: only heavy moves against some light ones must be changed.  In 1999 both draw."""

    roots: Literal["weighed", "always"] = "weighed"
    """26.5: a capture that gives up something else is weighed.  In 1999 it is always a chase."""

    soldiers: Literal["idle", "mutual"] = "idle"
    """26.1: what a soldier attacks alone is idle.  In 1999 it counts where both sides strike."""

    king_reply: Literal["idle", "counts"] = "idle"
    """26.1.3: what a king's way out of check threatens is idle.  In 1999 it counts."""

    nine_rounds: bool = True
    """Reference figure 8: nine rounds of forbidden moves must be changed.  1999 does not say so."""


CXA2020 = Edition()
CXA1999 = Edition(
    both_forbidden="draw",
    roots="always",
    soldiers="mutual",
    king_reply="counts",
    nine_rounds=False,
)
