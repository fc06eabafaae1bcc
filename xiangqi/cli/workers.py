"""The workers of a command: processes of this machine, or a cluster."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from xiangqi.workers import Workers, in_processes, in_this_process, on_cluster

__all__ = ["choose_workers", "count_cores"]

PRELOAD: Final = ("xiangqi.games.archive",)
"""Modules that every worker imports when it starts."""


@contextmanager
def choose_workers(count: int | None, scheduler: str | None, usual: int) -> Iterator[Workers]:
    """The workers that the options name, by default ``usual`` processes."""
    if scheduler is not None:
        if count is not None:
            raise click.UsageError(
                "--scheduler and --workers exclude each other: a cluster has its own workers."
            )
        with on_cluster(scheduler) as workers:
            yield workers
        return
    count = count or usual
    yield in_processes(count, PRELOAD) if count > 1 else in_this_process()


def count_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
