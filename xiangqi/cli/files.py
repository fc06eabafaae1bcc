"""``xiangqi judge`` for files of games: print the rulings, or write them to a file."""

from __future__ import annotations

import functools
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

from xiangqi.board import Board
from xiangqi.cli.options import ArchiveOptions
from xiangqi.cli.work import choose_workers, count_cores
from xiangqi.exits import EXIT_INTERRUPTED
from xiangqi.games.arbiter import GameRuling, format_game
from xiangqi.games.archive import (
    Archive,
    Tally,
    Unread,
    Workers,
    judge_to_file,
    rule_archive,
)
from xiangqi.games.formats import find_games
from xiangqi.referee.rules import RuleSet
from xiangqi.tables.probing import tell_usual_tables
from xiangqi.words import Language
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = ["judge_files"]

_LARGE: Final = 1 << 20
"""Bytes of input from which several processes are faster than one."""


def judge_files(
    names: Sequence[str],
    books: Sequence[RuleSet],
    how: ArchiveOptions,
    voice: Voice,
    *,
    explain: bool,
    as_json: bool,
) -> int:
    """Judge every game of the files by the first rule set, with the verdicts of the others.

    Returns the number of files and games that could not be read.

    A missing file ends the command before any work; one that cannot be read is reported, and the
    next one follows.
    """
    if how.output is None and (how.resume or how.force):
        raise click.UsageError("--resume and --force need an output file: -o OUT.")
    if how.output is not None and (explain or as_json):
        raise click.UsageError(
            "-o always writes all evidence; it takes no --explain and no --json."
        )
    archive = Archive(find_games(names, how.output))
    tell = functools.partial(_tell_unread, language=voice.language)
    words = functools.partial(_words, voice=voice, explain=explain)
    try:
        with choose_workers(how.workers, how.scheduler, usual_workers(archive)) as workers:
            if how.output is None:
                tally = _print(archive, books, workers, _line_of_json if as_json else words, tell)
            else:
                tally = _write(archive, how, books, workers, tell)
    except KeyboardInterrupt:
        interrupted = "interrupted" if how.output is None else "interrupted_resumable"
        click.echo(f"xiangqi: {voice.say(interrupted)}", err=True)
        sys.exit(EXIT_INTERRUPTED)
    click.echo(tally.describe(voice.language), err=True)
    return tally["unread"]


def _words(ruled: GameRuling, voice: Voice, *, explain: bool) -> str:
    """The ruling on a game, with the table value if it goes on."""
    told = _tell_tables(ruled, voice)
    return format_game(ruled, voice, explain=explain) + (f"\n  {told}" if told else "")


def _line_of_json(ruled: GameRuling) -> str:
    """The ruling as a line of JSON, with all evidence."""
    told = _tell_tables(ruled, PLAIN_VOICE)
    return json.dumps(ruled.to_dict() | ({"tables": told} if told else {}), ensure_ascii=False)


def _tell_tables(ruled: GameRuling, voice: Voice) -> str:
    return tell_usual_tables(Board(ruled.end), voice) if ruled.end else ""


def usual_workers(archive: Archive) -> int:
    """The default number of processes: all cores for large files, otherwise one."""
    return count_cores() if archive.size > _LARGE else 1


def _print(
    archive: Archive,
    books: Sequence[RuleSet],
    workers: Workers,
    write: Callable[[GameRuling], str],
    tell: Callable[[Unread], None],
) -> Tally:
    tally = Tally()
    rules, *others = books
    for batch in rule_archive(archive, rules, workers, others=others, write=write):
        for line in batch.lines:
            if isinstance(line, Unread):
                tell(line)
            else:
                click.echo(line)
        tally.update(batch.tally)
    return tally


def _write(
    archive: Archive,
    how: ArchiveOptions,
    books: Sequence[RuleSet],
    workers: Workers,
    tell: Callable[[Unread], None],
) -> Tally:
    rules, *others = books
    assert how.output is not None
    with _progress(archive) as on_batch:
        return judge_to_file(
            archive, how.output, rules, workers, others=others,
            resume=how.resume, replace=how.force, on_batch=on_batch, on_unread=tell,
        )  # fmt: skip


def _tell_unread(unread: Unread, language: Language) -> None:
    click.echo(f"xiangqi: {unread.say(language)}", err=True)


@contextmanager
def _progress(archive: Archive) -> Iterator[Callable[[Tally], None]]:
    """A progress bar: the part read, files, games, games per second."""
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
    kept: int | None = None  # the games of a run that is resumed
    with Progress(*columns, console=terminal, transient=True) as progress:
        task = progress.add_task(
            "", total=archive.size, files=0, all=archive.files, games=0, speed=0.0
        )

        def show(tally: Tally) -> None:
            nonlocal kept
            games = tally["games"]
            kept = games if kept is None else kept
            progress.update(
                task,
                completed=archive.position,
                files=archive.done,
                games=games,
                speed=(games - kept) / (time.monotonic() - began),
            )

        yield show
