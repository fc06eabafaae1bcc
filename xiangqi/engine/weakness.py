"""Play below full strength: the levels, and the choice among the lines of a search.

Below full strength, a search finds several lines and ends at a depth or a number of nodes, so that
neither the machine nor the clock decides its strength. Then one of the lines is chosen at random,
with probabilities that grow exponentially with the scores (Boltzmann distribution). Decided
scores are too far from all others to be chosen by chance: the engine never allows a mate or a loss
by the repetition rules that it sees, and plays a win that it sees.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.core.searches import SearchInfo
from xiangqi.engine.levels import (
    FULL_SKILL,
    Handicap,
    Mixture,
    elo_of_skill,
    find_level,
    handicap_of_randomness,
    mix_levels,
)
from xiangqi.engine.options import OptionValue
from xiangqi.engine.searcher import is_decided
from xiangqi.engine.timing import Limits

__all__ = [
    "Iterations",
    "Weakness",
    "choose_line",
    "choose_safely",
    "choose_strength",
    "weaken",
]


class Weakness(NamedTuple):
    """Weakening of one move: handicap and random number generator."""

    handicap: Handicap
    random: Random


def choose_strength(limits: Limits, options: Mapping[str, OptionValue]) -> Mixture | None:
    """Levels to play at, by the limits or else the options; None for full strength.

    Analysis is never weakened.
    """
    if limits.is_analysis:
        return None
    if limits.level:
        return mix_levels(find_level(limits.level).elo)
    if options["limit_strength"]:
        return mix_levels(int(options["elo"]))
    skill = int(options["skill_level"])
    return None if skill == FULL_SKILL else mix_levels(elo_of_skill(skill))


def weaken(limits: Limits, options: Mapping[str, OptionValue], board: Board) -> Weakness | None:
    """Weakening of the move in this position, or None.

    The option ``skill_seed`` makes it repeatable for a position at the same move number.
    """
    strength = choose_strength(limits, options)
    seed = int(options["skill_seed"])
    random = Random(f"{seed} {board.fen()}" if seed else None)
    if strength is not None:
        return Weakness(strength.choose(random.random()).handicap, random)
    handicap = handicap_of_randomness(str(options["randomness"]))
    return None if handicap is None or limits.is_analysis else Weakness(handicap, random)


def choose_line(lines: Sequence[SearchInfo], temperature: float, random: Random) -> SearchInfo:
    """Choose one of the lines, which are sorted best first.

    A line is e times less likely for each ``temperature`` centipawns that its score is lower; 0
    always gives the best one.
    """
    best = lines[0].score
    if temperature <= 0 or (best > 0 and is_decided(best)):
        return lines[0]
    weights = [math.exp((line.score - best) / temperature) for line in lines]
    (chosen,) = random.choices(lines, weights)
    return chosen


def choose_safely(
    lines: Sequence[SearchInfo], weakness: Weakness, is_trap: Callable[[Move], bool]
) -> SearchInfo:
    """Choose a line that does not begin with a trap, or the best one if all do."""
    candidates = list(lines)
    while candidates:
        chosen = choose_line(candidates, weakness.handicap.temperature, weakness.random)
        if not is_trap(chosen.pv[0]):
            return chosen
        candidates.remove(chosen)
    return lines[0]


class Iterations:
    """Collects the ``count`` lines of the last complete iteration."""

    def __init__(self, count: int) -> None:
        self.complete: list[SearchInfo] = []
        self._count = count
        self._current: list[SearchInfo] = []

    def add(self, info: SearchInfo) -> None:
        """Add a line. Line 1 begins an iteration; an interrupted one lacks lines."""
        if info.multipv == 1:
            self._current = []
        depth = self._current[0].depth if self._current else info.depth
        is_next = info.multipv == len(self._current) + 1 and info.depth == depth
        if is_next and info.bound == "exact":
            self._current.append(info)
            if len(self._current) == self._count:
                self.complete = self._current
