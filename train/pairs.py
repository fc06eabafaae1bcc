"""Pairs of games between two settings of the engine, in one process and at fixed nodes.

Both games of a pair begin with the same opening, with colours changed. They depend on the settings
and the number of the pair alone, so that any number of processes plays the same ones, and load on
the machine changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from xiangqi.board import Board
from xiangqi.games.record import POINTS
from xiangqi.match.openings import START, Opening, read_openings
from xiangqi.selfplay.generation import GenerationSettings, SelfPlay, new_adjudicator

NODES_PER_MEGABYTE: Final = 2_500
"""Nodes for each megabyte of hash, so that a search does not fill it."""


def choose_openings(path: Path | None) -> tuple[Opening, ...]:
    """Those of a file, or the usual beginning; raises as :func:`read_openings` does."""
    return (START,) if path is None else tuple(read_openings(path))


@dataclass(frozen=True)
class Side:
    """Settings of one side of the games."""

    network: str
    changes: Mapping[str, float]
    """Numbers of the search that have not their defaults; they are rounded."""

    def make(self, settings: GenerationSettings) -> SelfPlay:
        """The engine of this side."""
        numbers = {name: round(value) for name, value in self.changes.items()}
        hash_mb = max(1, settings.nodes // NODES_PER_MEGABYTE)
        return SelfPlay(replace(settings, network=self.network), numbers, hash_mb=hash_mb)


def points_of_red(red: SelfPlay, black: SelfPlay, board: Board) -> float:
    """Play a game; the points of Red."""
    red.clear()
    black.clear()
    adjudicator = new_adjudicator()
    result = None
    while result is None:
        mover = red if board.turn else black
        result = mover.play_on(board, mover.search(board), adjudicator)
    return POINTS[result]


def play_pair(settings: GenerationSettings, pair: tuple[int, Side, Side]) -> tuple[float, float]:
    """The first side's points with Red and with Black, in the opening of that number."""
    number, *sides = pair
    first, second = (side.make(settings) for side in sides)
    opener = SelfPlay(settings)
    as_red = points_of_red(first, second, opener.begin(number))
    return as_red, 1 - points_of_red(second, first, opener.begin(number))


@contextmanager
def several(workers: int) -> Iterator[Any]:
    """A ``map`` whose calls are made by so many processes."""
    if workers == 1:
        yield map
        return
    with ProcessPoolExecutor(workers) as executor:
        yield executor.map
