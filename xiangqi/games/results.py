"""The results of games, as records write them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal, TypeAlias

__all__ = ["POINTS", "RESULTS", "Result"]

Result: TypeAlias = Literal["1-0", "0-1", "1/2-1/2", "*"]
"""The last one is that of a game without an end."""

POINTS: Final[Mapping[str, float]] = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
"""What Red gets for the result of a finished game."""
RESULTS: Final = frozenset((*POINTS, "*"))
