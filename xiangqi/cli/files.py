"""``xiangqi judge`` for files of games: print the rulings, or write them to a file."""

from __future__ import annotations

import functools
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from xiangqi.board import Board
from xiangqi.cli.options import ArchiveOptions, Style
from xiangqi.cli.work import choose_workers, count_cores
from xiangqi.games.arbiter import GameRuling, format_game
from xiangqi.games.archive import (
    Archive,
    Tally,
    Unread,
    Workers,
    judge_to_file,
    rule_archive,
)
from xiangqi.games.formats import find_games, read_games
from xiangqi.games.tree import Game
from xiangqi.ground.exits import EXIT_INTERRUPTED
from xiangqi.ground.files import name_input, open_input
from xiangqi.referee.rules import RuleSet
from xiangqi.tables.probing import describe_default_tables
from xiangqi.words.voice import PLAIN_VOICE

__all__ = ["judge_files", "read_only_game"]

_LARGE: Final = 1 << 20
"""Input size in bytes above which several processes are faster than one."""


def judge_files(
    names: Sequence[str],
    rule_sets: Sequence[RuleSet],
    options: ArchiveOptions,
    style: Style,
) -> int:
    """Judge all games of the files by the first rule set, and add the verdicts of the others.

    Returns the number of files and games that could not be read. A missing file ends the command
    before any work; a file that cannot be read is reported and skipped.
    """
    if options.output is None and (options.resume or options.force):
        raise click.UsageError("--resume and --force need an output file: -o OUT.")
    if options.output is not None and (style.explain or style.as_json):
        raise click.UsageError(
            "-o always writes all evidence; it cannot be combined with --explain or --json."
        )
    archive = Archive(find_games(names, options.output))
    count = default_workers(archive)
    voice = style.voice

    def report(unread: Unread) -> None:
        click.echo(f"xiangqi: {unread.say(voice.language)}", err=True)

    try:
        with choose_workers(options.workers, count) as workers:
            if options.output is None:
                write = functools.partial(_format, style=style)  # sent to the workers
                tally = _print(archive, rule_sets, workers, write, report)
            else:
                rules, *others = rule_sets
                with _progress(archive) as on_batch:
                    tally = judge_to_file(
                        archive, options.output, rules, workers, others=others,
                        resume=options.resume, replace=options.force, on_batch=on_batch,
                        on_unread=report,
                    )  # fmt: skip
    except KeyboardInterrupt:
        interrupted = "interrupted" if options.output is None else "interrupted_resumable"
        click.echo(f"xiangqi: {voice.say(interrupted)}", err=True)
        sys.exit(EXIT_INTERRUPTED)
    click.echo(tally.describe(voice.language), err=True)
    return tally["unread"]


def read_only_game(names: Sequence[str]) -> Game:
    """Read the game of the files, which must hold just one; a usage error otherwise."""
    games: list[Game] = []
    for name in find_games(names):
        with open_input(name) as data:
            games += islice(read_games(data, source=name_input(name)), 2 - len(games))
    if len(games) != 1:
        found = "several" if games else "none"
        raise click.UsageError(
            f"--sheet needs one game; found {found} in {', '.join(names)}. "
            "'xiangqi report' writes a sheet for every game."
        )
    return games[0]


def _format(ruled: GameRuling, style: Style) -> str:
    """Ruling on a game, with the table value if the game goes on."""
    voice = PLAIN_VOICE if style.as_json else style.voice
    value = describe_default_tables(Board(ruled.end), voice) if ruled.end else ""
    if style.as_json:
        data = ruled.to_dict() | ({"tables": value} if value else {})
        return json.dumps(data, ensure_ascii=False)
    return format_game(ruled, voice, explain=style.explain) + (f"\n  {value}" if value else "")


def default_workers(archive: Archive) -> int:
    """Default number of processes: all cores for large files, otherwise one."""
    return count_cores() if archive.size > _LARGE else 1


def _print(
    archive: Archive,
    rule_sets: Sequence[RuleSet],
    workers: Workers,
    write: Callable[[GameRuling], str],
    report: Callable[[Unread], None],
) -> Tally:
    tally = Tally()
    rules, *others = rule_sets
    for batch in rule_archive(archive, rules, workers, others=others, write=write):
        for line in batch.lines:
            if isinstance(line, Unread):
                report(line)
            else:
                click.echo(line)
        tally.update(batch.tally)
    return tally


@contextmanager
def _progress(archive: Archive) -> Iterator[Callable[[Tally], None]]:
    """Progress bar: share of the input read, files, games, games per second."""
    terminal = Console(stderr=True)
    if not terminal.is_terminal:
        yield lambda _: None
        return
    columns = (
        TextColumn("Ruling"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[files]}/{task.fields[all]} files, {task.fields[games]:,} games"),
        TextColumn("{task.fields[speed]:,.0f} games/s"),
        TimeRemainingColumn(),
    )
    began = time.monotonic()
    resumed: int | None = None  # games judged by the run that is resumed
    with Progress(*columns, console=terminal, transient=True) as progress:
        task = progress.add_task(
            "", total=archive.size, files=0, all=archive.files, games=0, speed=0.0
        )

        def show(tally: Tally) -> None:
            nonlocal resumed
            games = tally["games"]
            resumed = games if resumed is None else resumed
            progress.update(
                task,
                completed=archive.position,
                files=archive.done,
                games=games,
                speed=(games - resumed) / (time.monotonic() - began),
            )

        yield show
