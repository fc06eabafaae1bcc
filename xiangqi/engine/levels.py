"""Levels of play: a measured table of ten, and mixtures between them.

``levels.txt`` beside this file is the table; ``python -m bench.levels`` makes it, and
docs/levels.md explains its Elo. Nothing is imported here that a GUI would have to wait for before
its first answer.

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
    """Weakening of a move: a shallow search, and a random choice among its lines."""

    depth: int
    """Depth limit in plies; 0 for none."""
    nodes: int
    """Node limit; 0 for none."""
    lines: int
    """Number of best lines from which the move is chosen; 0 leaves that open."""
    temperature: int
    """Centipawns that make a move e times less likely; 0 plays the best move."""

    @property
    def sees_less(self) -> bool:
        """Does the search end early?"""
        return self.depth > 0 or self.nodes > 0

    def shorten(self, depth: int, nodes: int) -> tuple[int, int]:
        """Combine with other limits of depth and nodes.

        >>> Handicap(3, 0, 5, 20).shorten(0, 1000), Handicap(3, 0, 5, 20).shorten(2, 0)
        ((3, 1000), (2, 0))
        """
        return _least(depth, self.depth), _least(nodes, self.nodes)


def _least(*limits: int) -> int:
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

    def choose(self, lot: float) -> Level:
        """Level of one move, by a random number from 0 to 1."""
        return self.upper if lot < self.share else self.lower


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
    """Level by its number. Raises ValueError for an unknown one.

    >>> find_level(11)
    Traceback (most recent call last):
    ValueError: invalid level 11: expected 1 to 10
    """
    if not 1 <= number <= len(LEVELS):
        raise ValueError(f"invalid level {number}: expected 1 to {len(LEVELS)}")
    return LEVELS[number - 1]


def mix_levels(elo: float) -> Mixture:
    """Mixture of neighbouring levels with this Elo; beyond the ends, the end level.

    >>> mixture = mix_levels((LEVELS[3].elo + LEVELS[4].elo) / 2)
    >>> mixture.lower.number, mixture.upper.number, mixture.share
    (4, 5, 0.5)
    """
    elo = min(max(elo, MIN_ELO), MAX_ELO)
    upper = next(level for level in LEVELS[1:] if elo <= level.elo)
    lower = LEVELS[upper.number - 2]
    return Mixture(lower, upper, (elo - lower.elo) / (upper.elo - lower.elo))


def elo_of_skill(skill: int) -> float:
    """Elo of a ``Skill Level`` below FULL_SKILL: equal steps from the weakest level, 0, to the
    strongest, 19.

    >>> elo_of_skill(0) == MIN_ELO, elo_of_skill(19) == MAX_ELO
    (True, True)
    """
    return MIN_ELO + (MAX_ELO - MIN_ELO) * skill / (FULL_SKILL - 1)


RANDOMNESS: Final[Mapping[str, int]] = MappingProxyType(
    {"none": 0, "tiny": 5, "small": 10, "medium": 20, "large": 40, "huge": 80}
)
"""The words of UCCI's option, and ElephantEye's two, as temperatures."""
_RANDOM_LINES: Final = 4


def handicap_of_randomness(word: str) -> Handicap | None:
    """Handicap for one of the words of RANDOMNESS: a full search, but a random choice of the
    move."""
    temperature = RANDOMNESS[word]
    return Handicap(0, 0, _RANDOM_LINES, temperature) if temperature else None
