"""Levels of play: ten measured levels, and mixtures of neighbouring ones.

``levels.txt`` is their table; ``python -m bench.levels`` makes it, and docs/levels.md explains its
Elo. This module imports little, since GUIs wait for it before the first answer.

>>> [level.number for level in LEVELS]
[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
>>> MIN_ELO == LEVELS[0].elo < LEVELS[-1].elo == MAX_ELO
True
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple

__all__ = [
    "FULL_SKILL",
    "LEVELS",
    "MAX_ELO",
    "MIN_ELO",
    "NO_HANDICAP",
    "RANDOMNESS",
    "Handicap",
    "Level",
    "Mixture",
    "elo_of_skill",
    "find_level",
    "handicap_of_randomness",
    "mix_levels",
]

_TABLE: Final = os.path.join(os.path.dirname(__file__), "levels.txt")

FULL_SKILL: Final = 20
"""The ``Skill Level`` of full strength."""


class Handicap(NamedTuple):
    """Weakening of play: a limited search, and a random choice among its best lines."""

    depth: int
    """Depth limit in plies; 0 for none."""
    nodes: int
    """Node limit; 0 for none."""
    lines: int
    """Number of best lines from which the move is chosen; 0 for the value of ``multipv``."""
    temperature: int
    """Centipawns that make a move e times less likely; 0 plays the best move."""

    @property
    def limits_search(self) -> bool:
        return self.depth > 0 or self.nodes > 0

    def shorten(self, depth: int, nodes: int) -> tuple[int, int]:
        """Tighten limits of depth and nodes by those of this handicap; 0 is no limit.

        >>> Handicap(3, 0, 5, 20).shorten(0, 1000), Handicap(3, 0, 5, 20).shorten(2, 0)
        ((3, 1000), (2, 0))
        """
        return _tighter(depth, self.depth), _tighter(nodes, self.nodes)


def _tighter(*limits: int) -> int:
    return min(filter(None, limits), default=0)


NO_HANDICAP: Final = Handicap(0, 0, 0, 0)
"""Full strength."""


@dataclass(frozen=True, slots=True)
class Level:
    """One of the ten levels."""

    number: int
    """Number of the level, from 1, the weakest."""
    elo: int
    error: int
    """Half of the 95 % interval of ``elo``."""
    handicap: Handicap


class Mixture(NamedTuple):
    """Strength between two levels: each move is played at one of them."""

    lower: Level
    upper: Level
    share: float
    """Probability that a move is of the upper level, 0 to 1."""

    def choose(self, number: float) -> Level:
        """Level of one move, given a random number from 0 to 1."""
        return self.upper if number < self.share else self.lower


def _read_levels() -> Iterator[Level]:
    with open(_TABLE, encoding="ascii") as file:
        rows = [line.split() for line in file if line.strip() and line[0] != "#"]
    for number, elo, error, *handicap in ([int(word) for word in row] for row in rows):
        yield Level(number, elo, error, Handicap(*handicap))


LEVELS: Final = tuple(_read_levels())
"""All levels, the weakest first; level N is ``LEVELS[N - 1]``."""
MIN_ELO: Final = LEVELS[0].elo
MAX_ELO: Final = LEVELS[-1].elo


def find_level(number: int) -> Level:
    """Level with this number; raises ValueError for an unknown one.

    >>> find_level(11)
    Traceback (most recent call last):
    ValueError: invalid level 11: expected 1 to 10
    """
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"invalid level {number}: expected 1 to {len(LEVELS)}")
    return LEVELS[number - 1]


def mix_levels(elo: float) -> Mixture:
    """Mixture of neighbouring levels with this Elo, which is clamped to MIN_ELO and MAX_ELO.

    >>> mixture = mix_levels((LEVELS[3].elo + LEVELS[4].elo) / 2)
    >>> mixture.lower.number, mixture.upper.number, mixture.share
    (4, 5, 0.5)
    """
    elo = min(max(elo, MIN_ELO), MAX_ELO)
    upper = next(level for level in LEVELS[1:] if elo <= level.elo)
    lower = LEVELS[upper.number - 2]
    return Mixture(lower, upper, (elo - lower.elo) / (upper.elo - lower.elo))


def elo_of_skill(skill: int) -> float:
    """Elo of a ``Skill Level`` below FULL_SKILL, in equal steps from MIN_ELO (0) to MAX_ELO (19).

    >>> elo_of_skill(0) == MIN_ELO, elo_of_skill(19) == MAX_ELO
    (True, True)
    """
    return MIN_ELO + (MAX_ELO - MIN_ELO) * skill / (FULL_SKILL - 1)


RANDOMNESS: Final[Mapping[str, int]] = MappingProxyType(
    {"none": 0, "tiny": 5, "small": 10, "medium": 20, "large": 40, "huge": 80}
)
"""Temperatures of the values of UCCI's option ``randomness``; ``tiny`` and ``huge`` are
ElephantEye's."""
_RANDOM_LINES: Final = 4


def handicap_of_randomness(word: str) -> Handicap | None:
    """Handicap for a key of RANDOMNESS: a full search, but a random choice of the move."""
    temperature = RANDOMNESS[word]
    return Handicap(0, 0, _RANDOM_LINES, temperature) if temperature else None
