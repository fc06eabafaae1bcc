"""Playing below full strength, as people do: little is seen, and not always the best is chosen.

A search with a handicap looks at several lines and ends at a depth or a number of nodes, so that
neither the machine nor the clock decides how strong it is. Then it draws lots: the more a line
falls short of the best one, the less likely it is (Boltzmann's distribution). Scores of what is
decided are beyond all temperatures, so that a mate that is seen is not allowed, nor a loss by the
repetition rules; and a win that is seen is played.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import NamedTuple

from xiangqi.board import Board
from xiangqi.core.board import RuleSwitches
from xiangqi.core.move import Move
from xiangqi.core.searches import SearchInfo, SearchLimits, SearchResult
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
from xiangqi.engine.scores import is_decided
from xiangqi.engine.searching import SearcherLike
from xiangqi.engine.timing import Limits

__all__ = ["Weakness", "choose_line", "choose_strength", "search_weakly", "weaken"]


class Weakness(NamedTuple):
    """Weakening of one move: the level and the random choice."""

    handicap: Handicap
    lots: Random


def choose_strength(limits: Limits, options: Mapping[str, OptionValue]) -> Mixture | None:
    """Levels in force, by the limits before the options; None for full strength.

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

    The choice is random or, with a seed, repeatable for a position at the same move number.
    """
    strength = choose_strength(limits, options)
    seed = int(options["skill_seed"])
    lots = Random(f"{seed} {board.fen()}" if seed else None)
    if strength is not None:
        return Weakness(strength.choose(lots.random()).handicap, lots)
    handicap = handicap_of_randomness(str(options["randomness"]))
    return None if handicap is None or limits.is_analysis else Weakness(handicap, lots)


def choose_line(lines: Sequence[SearchInfo], temperature: float, lots: Random) -> SearchInfo:
    """One of the lines, of which the best is the first.

    ``temperature`` centipawns less make a line e times less likely; at 0 it is the best one.
    """
    best = lines[0].score
    if temperature <= 0 or (best > 0 and is_decided(best)):
        return lines[0]
    weights = [math.exp((line.score - best) / temperature) for line in lines]
    (chosen,) = lots.choices(lines, weights)
    return chosen


def _choose_safely(
    lines: Sequence[SearchInfo], weakness: Weakness, is_trap: Callable[[Move], bool]
) -> SearchInfo:
    """A line that does not begin with a trap, or any if all do."""
    left = list(lines)
    while left:
        chosen = choose_line(left, weakness.handicap.temperature, weakness.lots)
        if not is_trap(chosen.pv[0]):
            return chosen
        left.remove(chosen)
    return lines[0]


class _Iterations:
    """The lines of the last iteration that came to its end."""

    def __init__(self, count: int) -> None:
        self.finished: list[SearchInfo] = []
        self._count = count
        self._growing: list[SearchInfo] = []

    def add(self, info: SearchInfo) -> None:
        """The next line; iterations begin with the first, and those that break off have gaps."""
        if info.multipv == 1:
            self._growing = []
        depth = self._growing[0].depth if self._growing else info.depth
        is_next = info.multipv == len(self._growing) + 1 and info.depth == depth
        if is_next and info.bound == "exact":
            self._growing.append(info)
            if len(self._growing) == self._count:
                self.finished = self._growing


def search_weakly(
    searcher: SearcherLike,
    board: Board,
    limits: SearchLimits,
    switches: RuleSwitches,
    on_info: Callable[[SearchInfo], None],
    weakness: Weakness,
    is_trap: Callable[[Move], bool],
) -> SearchResult:
    """Search as many lines as ``limits`` has, and choose one of them.

    A move that ``is_trap`` is played only if all of them are: a short search does not see the
    effect of the reply. The best lines are reported as they are found, the chosen one last.
    """
    iterations = _Iterations(limits.multipv)

    def hear(info: SearchInfo) -> None:
        iterations.add(info)
        if info.multipv == 1:
            on_info(info)

    result = searcher.search(board, limits, switches, hear)
    if not iterations.finished:
        return result
    chosen = _choose_safely(iterations.finished, weakness, is_trap)
    if chosen.pv[0] != result.best:
        on_info(_as_first(chosen, result))
    return SearchResult(
        chosen.pv[0],
        chosen.pv[1] if len(chosen.pv) > 1 else None,
        chosen.score,
        chosen.depth,
        result.nodes,
        result.milliseconds,
        result.repetition_stages,
    )


def _as_first(line: SearchInfo, result: SearchResult) -> SearchInfo:
    return SearchInfo(
        line.depth,
        line.seldepth,
        1,
        line.score,
        line.bound,
        result.nodes,
        result.milliseconds,
        line.hashfull,
        line.pv,
    )
