"""Progress bars."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from pathlib import Path
from typing import IO, TypeVar

from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn

from xiangqi.files import STANDARD
from xiangqi.games.tree import Game

__all__ = ["show_count", "show_progress"]

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
    """Yield the steps and count them on a terminal; their total is unknown."""
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
