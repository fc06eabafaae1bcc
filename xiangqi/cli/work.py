"""Workers and progress bars of long commands."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final, TypeVar

import click
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn

from xiangqi.files import STANDARD
from xiangqi.games.tree import Game
from xiangqi.workers import Workers, in_processes, in_this_process, on_cluster

__all__ = ["choose_workers", "count_cores", "show_count", "show_progress"]

Step = TypeVar("Step")


def show_progress(
    games: Iterable[Game], data: IO[bytes], name: str, doing: str
) -> Generator[Game, None, None]:
    """Yield the games, with a progress bar on a terminal."""
    terminal = Console(stderr=True)
    if name == STANDARD or not terminal.is_terminal:
        yield from games
        return
    with Progress(console=terminal, transient=True) as progress:
        task = progress.add_task(doing, total=Path(name).stat().st_size)
        for game in games:
            progress.update(task, completed=data.tell())
            yield game


def show_count(steps: Iterable[Step], doing: str) -> Generator[Step, None, None]:
    """Yield the steps, with a count on a terminal; for an unknown total."""
    terminal = Console(stderr=True)
    if not terminal.is_terminal:
        yield from steps
        return
    columns = (SpinnerColumn(), TextColumn("{task.description} {task.completed:,.0f}"))
    with Progress(*columns, console=terminal, transient=True) as progress:
        task = progress.add_task(doing, total=None)
        for step in steps:
            progress.advance(task)
            yield step


PRELOAD: Final = ("xiangqi.games.archive",)
"""Modules that every worker imports when it starts."""


@contextmanager
def choose_workers(count: int | None, scheduler: str | None, default: int) -> Iterator[Workers]:
    """Workers chosen by the options; by default this number of processes."""
    if scheduler is not None:
        if count is not None:
            raise click.UsageError(
                "--scheduler and --workers exclude each other: a cluster has its own workers."
            )
        with on_cluster(scheduler) as workers:
            yield workers
        return
    count = count or default
    yield in_processes(count, PRELOAD) if count > 1 else in_this_process()


def count_cores() -> int:
    """Number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
