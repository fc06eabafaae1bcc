"""Samples of many games, made in several processes and returned in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import Final, TypeVar

from train.sample_files import Sample
from xiangqi.ground.workers import in_processes, in_this_process, run_in_order

Item = TypeVar("Item")

BATCH: Final = 16
"""Number of games that a worker gets at a time."""


def batches(games: Iterable[Item]) -> Iterator[tuple[Item, ...]]:
    """Split games into batches."""
    left = iter(games)
    while batch := tuple(islice(left, BATCH)):
        yield batch


def no_samples(_: object) -> list[Sample]:
    """Samples of a game that crashes its workers."""
    return []


def samples_in_order(
    work: Callable[[tuple[Item, ...]], list[Sample]], games: Iterable[Item], workers: int
) -> Iterator[Sample]:
    """Samples of all games, in their order; ``work`` makes those of a batch in one of ``workers``
    processes. Raises WorkersError."""
    runner = in_this_process() if workers == 1 else in_processes(workers)
    return chain.from_iterable(run_in_order(work, batches(games), runner, no_samples))
