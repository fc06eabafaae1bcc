"""The command ``datagen``: self-play that makes samples to train a network with."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from xiangqi.cli.base import Examples, refusing
from xiangqi.cli.options import choose_rules, rule_options, worker_options
from xiangqi.cli.workers import choose_workers
from xiangqi.counting import plural
from xiangqi.engine.network import DEFAULT, HAND_MADE
from xiangqi.exits import EXIT_INTERRUPTED
from xiangqi.match.openings import START, read_openings
from xiangqi.selfplay.generation import GenerationSettings, generate_games
from xiangqi.selfplay.samples import SampleWriter, shuffle_samples
from xiangqi.workers import Workers

__all__ = ["datagen"]


@click.command(
    cls=Examples,
    epilog="""
    xiangqi datagen first.samples --positions 1000000 --workers 4
    xiangqi datagen first.samples --positions 2000000 --workers 4 --resume
    xiangqi datagen drawish.samples --games 5000 --rules all-draws --seed 7
    """,
)
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--games", type=click.IntRange(1), help="End when the file holds so many games.")
@click.option("--positions", type=click.IntRange(1), help="End when it holds so many positions.")
@click.option(
    "--nodes", type=click.IntRange(1), default=2_048, show_default=True, help="For each move."
)
@click.option(
    "--openings",
    type=click.Path(path_type=Path),
    help="A file as for 'xiangqi match'; the usual beginning if left out.",
)
@click.option(
    "--random-plies",
    type=click.IntRange(0, 100),
    default=8,
    show_default=True,
    help="So many random moves, or one more, follow the opening.",
)
@click.option(
    "--eval-file",
    default=DEFAULT,
    show_default=True,
    metavar="FILE",
    help=f"The network to play with, or {HAND_MADE!r}.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Other games with another.")
@worker_options(usual="one")
@click.option("--resume", is_flag=True, help="Go on with OUT if it is there.")
@click.option(
    "--shuffle",
    is_flag=True,
    help="Put the positions into random order when all are there, for programs that learn from "
    "them as they come. Such a file is not gone on with.",
)
@rule_options
@refusing
def datagen(
    out: Path,
    games: int | None,
    positions: int | None,
    nodes: int,
    openings: Path | None,
    random_plies: int,
    eval_file: str,
    seed: int,
    workers: int | None,
    scheduler: str | None,
    resume: bool,
    shuffle: bool,
    rules: Sequence[str],
    occurrences: int | None,
    changes: Sequence[str],
) -> None:
    """Let the engine play itself and write quiet positions, their scores and results to OUT.

    The same options make the same file, whatever the number of workers. Ctrl-C ends it after
    the last game that is complete, and --resume goes on from there. Without --games and
    --positions it goes on until then.
    """
    settings = GenerationSettings(
        nodes=nodes,
        seed=seed,
        random_plies=random_plies,
        network=eval_file,
        rules=choose_rules(rules, occurrences, changes),
        openings=(START,) if openings is None else tuple(read_openings(openings)),
    )
    with (
        choose_workers(workers, scheduler, usual=1) as working,
        SampleWriter(out, settings.facts(), resume=resume) as writer,
    ):
        try:
            _generate(writer, settings, working, games, positions)
        except KeyboardInterrupt:
            click.echo(f"{_told(writer)} so far; go on with --resume", err=True)
            raise SystemExit(EXIT_INTERRUPTED) from None
        click.echo(_told(writer), err=True)
    if shuffle:
        shuffle_samples(out, seed)


def _generate(
    writer: SampleWriter,
    settings: GenerationSettings,
    workers: Workers,
    games: int | None,
    positions: int | None,
) -> None:
    """Write game after game until there are enough, with a bar on a terminal."""
    terminal = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    total = positions if positions is not None else games
    with (
        Progress(*columns, console=terminal, disable=not terminal.is_terminal) as progress,
        closing(generate_games(settings, workers, first=writer.games)) as found,
    ):
        task = progress.add_task("Positions" if positions is not None else "Games", total=total)
        while not _is_enough(writer.games, games) and not _is_enough(writer.samples, positions):
            writer.add(next(found))
            done = writer.samples if positions is not None else writer.games
            progress.update(task, completed=done)


def _is_enough(there: int, wanted: int | None) -> bool:
    return wanted is not None and there >= wanted


def _told(writer: SampleWriter) -> str:
    return f"{plural(writer.games, 'game')}, {plural(writer.samples, 'position')}"
