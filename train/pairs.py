"""Pairs of games between two configurations of the engine, in one process with fixed nodes.

The games of a pair have the same opening and exchanged colours. They depend only on the settings
and the number of the pair, not on the number of processes or the load of the machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from train.generation import GenerationSettings, SelfPlay, new_adjudicator
from xiangqi.board import Board
from xiangqi.games.record import POINTS
from xiangqi.match.openings import START, Opening, read_openings

NODES_PER_MEGABYTE: Final = 2_500
"""Nodes for each megabyte of hash, so that a search does not fill it."""


def choose_openings(path: Path | None) -> tuple[Opening, ...]:
    """Openings of a file, or the starting position alone. Raises like :func:`read_openings`."""
    return (START,) if path is None else tuple(read_openings(path))


@dataclass(frozen=True)
class Side:
    """Configuration of one side."""

    network: str
    changes: Mapping[str, float]
    """Search parameters that replace the defaults; they are rounded."""

    def make(self, settings: GenerationSettings) -> SelfPlay:
        """Make the engine of this side."""
        parameters = {name: round(value) for name, value in self.changes.items()}
        hash_mb = max(1, settings.nodes // NODES_PER_MEGABYTE)
        return SelfPlay(replace(settings, network=self.network), parameters, hash_mb=hash_mb)


def points_of_red(red: SelfPlay, black: SelfPlay, board: Board) -> float:
    """Play a game; return the points of Red."""
    red.clear()
    black.clear()
    adjudicator = new_adjudicator()
    result = None
    while result is None:
        mover = red if board.turn else black
        result = mover.play_on(board, mover.search(board), adjudicator)
    return POINTS[result]


def play_pair(settings: GenerationSettings, pair: tuple[int, Side, Side]) -> tuple[float, float]:
    """Play a pair, given as its number and the two sides; return the first side's points with Red
    and with Black."""
    number, *sides = pair
    first, second = (side.make(settings) for side in sides)
    opener = SelfPlay(settings)
    as_red = points_of_red(first, second, opener.begin(number))
    return as_red, 1 - points_of_red(second, first, opener.begin(number))


@contextmanager
def parallel_map(workers: int) -> Iterator[Any]:
    """A ``map`` function that runs calls in this number of processes."""
    if workers == 1:
        yield map
        return
    with ProcessPoolExecutor(workers) as executor:
        yield executor.map
