"""The results of a match so far, for any number of engines."""

from __future__ import annotations

from collections.abc import Sequence

from xiangqi.games.record import POINTS
from xiangqi.match.schedule import Encounter
from xiangqi.match.stats import Stats

__all__ = ["Standings"]


class Standings:
    """Counts games as they are finished, in any order; two of an encounter make a pair.

    >>> from xiangqi.match.schedule import make_schedule
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
        """Count the game of this number; True if its encounter is complete by it."""
        first, _ = encounter.engines
        game = next(game for game in encounter.games if game.number == number)
        points = POINTS[result]
        found = self._open.setdefault(encounter, {})
        found[number] = points if game.red == first else 1 - points
        if len(found) < len(encounter.games):
            return False
        stats = self._complete.setdefault(encounter.engines, Stats())
        _count(stats, list(self._open.pop(encounter).values()))
        self.encounters += 1
        return True

    def between(self, first: int, second: int) -> Stats:
        """The results of two engines, from the first one's side; half a pair is a single game."""
        if first > second:
            return self.between(second, first).swapped()
        stats = self._complete.get((first, second), Stats()) + Stats()
        for encounter, points in self._open.items():
            if encounter.engines == (first, second):
                for one in points.values():
                    stats.add_game(one)
        return stats

    def of(self, engine: int) -> Stats:
        """The results of one engine against all others."""
        stats = Stats()
        for other in range(len(self.names)):
            if other != engine:
                stats += self.between(engine, other)
        return stats

    @property
    def games(self) -> int:
        """Number of finished games."""
        complete = sum(stats.games.total for stats in self._complete.values())
        return complete + sum(map(len, self._open.values()))

    def ranked(self) -> list[tuple[int, Stats]]:
        """The engines with their results, the best first."""
        found = [(engine, self.of(engine)) for engine in range(len(self.names))]
        return sorted(found, key=lambda one: (-one[1].score, one[0]))


def _count(stats: Stats, points: Sequence[float]) -> None:
    if len(points) == 2:
        stats.add_pair(*points)
    else:
        for one in points:
            stats.add_game(one)
