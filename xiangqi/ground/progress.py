"""Progress bars of long work, shown only on a terminal, on standard error."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import IO, TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeRemainingColumn,
)

from xiangqi.ground.files import STANDARD

__all__ = ["counting_bar", "show_count", "show_progress"]

Step = TypeVar("Step")


def counting_bar(*, clock: ProgressColumn | None = None, transient: bool = True) -> Progress:
    """Bar with the number of steps done and of all.

    ``clock`` is its last column, by default the time left; a ``transient`` bar is erased at its
    end.
    """
    terminal = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        clock or TimeRemainingColumn(),
        console=terminal,
        transient=transient,
        disable=not terminal.is_terminal,
    )


def show_progress(
    games: Iterable[Step], data: IO[bytes], name: str, doing: str
) -> Generator[Step, None, None]:
    """Yield the games that are read from a file, with a bar of the share that has been read."""
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
    """Yield the steps, with their count; for an unknown total."""
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
