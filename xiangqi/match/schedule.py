"""Schedule of a match: players, openings and colours, fixed before the match begins.

A match is a row of encounters. An encounter is one opening played by two engines, as a rule twice
with the colours exchanged, and is the unit of statistics. The row depends on nothing but the
arguments here, so an interrupted match finds its place again; more rounds only add to its end.

>>> for encounter in make_schedule(2, rounds=2):
...     print(encounter.opening, [(game.number, game.red, game.black) for game in encounter.games])
0 [(1, 0, 1), (2, 1, 0)]
0 [(3, 0, 1), (4, 1, 0)]
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, count
from typing import Literal, TypeAlias

__all__ = ["Encounter", "ScheduledGame", "Tournament", "make_schedule", "order_openings"]

Tournament: TypeAlias = Literal["roundrobin", "gauntlet"]


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """One game: its number, from 1, and the engines by their place in the configuration."""

    number: int
    red: int
    black: int


@dataclass(frozen=True, slots=True)
class Encounter:
    """The games of two engines from one opening, played by one worker one after the other."""

    round: int
    """Counted from 1."""
    opening: int
    """The place of the opening among those of the file."""
    games: tuple[ScheduledGame, ...]

    @property
    def engines(self) -> tuple[int, int]:
        """The two engines, the one that stands earlier in the configuration first."""
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
    """The encounters of a match, in the order in which they are to be begun.

    In each round every two engines meet, or in a gauntlet the first one meets every other. Each
    encounter takes the next of ``openings``, which begin again after the last one. With ``swap``
    the colours are exchanged after each game, and with one game to an encounter after each round.
    """
    places = openings or [0]
    numbers = count(1)
    encounters = count()
    for played in range(rounds):
        for first, second in _pairings(engines, tournament):
            yield Encounter(
                played + 1,
                places[next(encounters) % len(places)],
                tuple(
                    _game(next(numbers), first, second, swap and (game + played * games) % 2 == 1)
                    for game in range(games)
                ),
            )


def _pairings(engines: int, tournament: Tournament) -> Iterator[tuple[int, int]]:
    if tournament == "gauntlet":
        return ((0, other) for other in range(1, engines))
    return combinations(range(engines), 2)


def _game(number: int, first: int, second: int, swapped: bool) -> ScheduledGame:
    return ScheduledGame(number, second, first) if swapped else ScheduledGame(number, first, second)


def order_openings(
    number: int, order: Literal["random", "sequential"], *, start: int = 1, seed: int = 0
) -> list[int]:
    """The places of so many openings in the order in which they are to be played.

    ``start`` is the place to begin at, from 1, after the shuffling if there is any.

    >>> order_openings(4, "sequential", start=3)
    [2, 3, 0, 1]
    >>> order_openings(4, "random", seed=1) == order_openings(4, "random", seed=1)
    True
    """
    places = list(range(number))
    if order == "random":
        random.Random(seed).shuffle(places)
    first = (start - 1) % number
    return places[first:] + places[:first]
