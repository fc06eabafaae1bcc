"""Worker processes of long commands."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from xiangqi.cli.options import WorkerOptions
from xiangqi.ground.workers import Workers, in_processes, in_this_process, on_cluster

__all__ = ["choose_workers", "count_cores"]

PRELOAD: Final = ("xiangqi.games.archive",)
"""Modules that every worker imports when it starts."""


@contextmanager
def choose_workers(options: WorkerOptions, default: int) -> Iterator[Workers]:
    """Workers chosen by the options; by default this number of processes."""
    if options.scheduler is not None:
        if options.workers is not None:
            raise click.UsageError(
                "--scheduler and --workers exclude each other: a cluster has its own workers."
            )
        with on_cluster(options.scheduler) as workers:
            yield workers
        return
    count = options.workers or default
    yield in_processes(count, PRELOAD) if count > 1 else in_this_process()


def count_cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
