"""Schedule and standings of a match.

A match is a sequence of encounters. An encounter is one opening played by two engines, usually
twice with the colours exchanged, and is the unit of statistics. The schedule depends only on the
arguments of :func:`make_schedule`, so that an interrupted match can be resumed; further rounds are
appended to it.

>>> for encounter in make_schedule(2, rounds=2):
...     print(encounter.opening, [(game.number, game.red, game.black) for game in encounter.games])
0 [(1, 0, 1), (2, 1, 0)]
0 [(3, 0, 1), (4, 1, 0)]
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from typing import Literal, TypeAlias

from xiangqi.games.record import POINTS
from xiangqi.match.stats import Stats

__all__ = [
    "Encounter",
    "ScheduledGame",
    "Standings",
    "Tournament",
    "make_schedule",
    "order_openings",
]

Tournament: TypeAlias = Literal["roundrobin", "gauntlet"]


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """One game: its number, from 1, and the indices of the engines in the configuration."""

    number: int
    red: int
    black: int


@dataclass(frozen=True, slots=True)
class Encounter:
    """The games of two engines from one opening, played one after another by one worker."""

    round: int
    """Round of the encounter, from 1."""
    opening: int
    """Index of the opening in the file."""
    games: tuple[ScheduledGame, ...]

    @property
    def engines(self) -> tuple[int, int]:
        """Indices of the two engines, the smaller one first."""
        red, black = self.games[0].red, self.games[0].black
        return min(red, black), max(red, black)


def make_schedule(
    engines: int,
    rounds: int,
    *,
    games: int = 2,
    swap: bool = True,
    tournament: Tournament = "roundrobin",
    openings: list[int] | None = None,
) -> Iterator[Encounter]:
    """Encounters of a match, in the order in which they start.

    In each round every engine meets every other; in a gauntlet only the first one does. Each
    encounter takes the next of ``openings``, in a cycle. With ``swap`` the colours are exchanged
    after each game, or after each round if an encounter has only one game.
    """
    order = openings or [0]
    numbers = count(1)
    encounters = count()
    pairings = list(combinations(range(engines), 2))
    if tournament == "gauntlet":
        pairings = [(first, second) for first, second in pairings if first == 0]
    for played in range(rounds):
        for first, second in pairings:
            encounter = next(encounters)
            scheduled = []
            for game in range(games):
                is_swapped = swap and (game + played * games) % 2 == 1
                red, black = (second, first) if is_swapped else (first, second)
                scheduled.append(ScheduledGame(next(numbers), red, black))
            yield Encounter(played + 1, order[encounter % len(order)], tuple(scheduled))


def order_openings(
    number: int, order: Literal["random", "sequential"], *, start: int = 1, seed: int = 0
) -> list[int]:
    """Indices of the openings in the order of play.

    ``start`` is the number of the first one, from 1, after shuffling.

    >>> order_openings(4, "sequential", start=3)
    [2, 3, 0, 1]
    >>> order_openings(4, "random", seed=1) == order_openings(4, "random", seed=1)
    True
    """
    indices = list(range(number))
    if order == "random":
        random.Random(seed).shuffle(indices)
    first = (start - 1) % number
    return indices[first:] + indices[:first]


class Standings:
    """Results of finished games, added in any order; both games of an encounter make a pair.

    >>> encounter, *_ = make_schedule(2, rounds=1)
    >>> standings = Standings(["A", "B"])
    >>> standings.add_game(encounter, 1, "1-0"), standings.add_game(encounter, 2, "1/2-1/2")
    (False, True)
    >>> standings.between(0, 1).pairs.frequencies
    (0, 0, 0, 1, 0)
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.names = tuple(names)
        self._complete: dict[tuple[int, int], Stats] = {}
        self._open: dict[Encounter, dict[int, float]] = {}
        self.encounters = 0
        """Number of complete encounters."""

    def add_game(self, encounter: Encounter, number: int, result: str) -> bool:
        """Count a game; return whether that completes its encounter."""
        first, _ = encounter.engines
        game = next(game for game in encounter.games if game.number == number)
        points = POINTS[result]
        found = self._open.setdefault(encounter, {})
        found[number] = points if game.red == first else 1 - points
        if len(found) < len(encounter.games):
            return False
        stats = self._complete.setdefault(encounter.engines, Stats())
        results = self._open.pop(encounter).values()
        if len(results) == 2:
            stats.add_pair(*results)
        else:
            for result_points in results:
                stats.add_game(result_points)
        self.encounters += 1
        return True

    def between(self, first: int, second: int) -> Stats:
        """Results of two engines, from the first one's side, including incomplete encounters."""
        if first > second:
            return self.between(second, first).swapped()
        stats = self._complete.get((first, second), Stats()) + Stats()
        for encounter, points in self._open.items():
            if encounter.engines == (first, second):
                for one in points.values():
                    stats.add_game(one)
        return stats

    def of(self, engine: int) -> Stats:
        """Results of one engine against all others."""
        stats = Stats()
        for other in range(len(self.names)):
            if other != engine:
                stats += self.between(engine, other)
        return stats

    @property
    def games(self) -> int:
        complete = sum(stats.games.total for stats in self._complete.values())
        return complete + sum(map(len, self._open.values()))

    def ranked(self) -> list[tuple[int, Stats]]:
        """Engines with their results, the best first."""
        found = [(engine, self.of(engine)) for engine in range(len(self.names))]
        return sorted(found, key=lambda one: (-one[1].score, one[0]))
