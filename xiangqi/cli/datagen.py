"""The command ``datagen``: self-play games to train a network."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from xiangqi.cli.base import Examples, handle_errors
from xiangqi.cli.options import (
    choose_rules,
    force_option,
    resume_option,
    rule_options,
    worker_options,
)
from xiangqi.cli.work import choose_workers
from xiangqi.engine.network import DEFAULT, HAND_MADE
from xiangqi.errors import plural
from xiangqi.exits import EXIT_INTERRUPTED
from xiangqi.match.openings import START, read_openings
from xiangqi.selfplay.generation import GenerationSettings, generate_games
from xiangqi.selfplay.samples import GameWriter
from xiangqi.workers import Workers

__all__ = ["datagen"]


@click.command(
    cls=Examples,
    epilog="""
    xiangqi datagen first.games --positions 1000000 --workers 4
    xiangqi datagen first.games --positions 2000000 --workers 4 --resume
    xiangqi datagen drawish.games --games 5000 --rules all-draws --seed 7
    """,
)
@click.argument("out", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--games", type=click.IntRange(1), help="Stop when OUT has this number of games.")
@click.option(
    "--positions",
    type=click.IntRange(1),
    help="Stop when OUT has this number of quiet positions.",
)
@click.option(
    "--nodes", type=click.IntRange(1), default=2_048, show_default=True, help="Nodes for each move."
)
@click.option(
    "--soft-nodes",
    type=click.IntRange(0),
    default=0,
    help="Stop after the iteration that exceeds this count, at the latest at --nodes; 0: off.",
)
@click.option(
    "--openings",
    type=click.Path(path_type=Path),
    help="File of openings, as for 'xiangqi match'; default: the starting position.",
)
@click.option(
    "--random-plies",
    type=click.IntRange(0, 100),
    default=8,
    show_default=True,
    help="Random plies after the opening; half of the games play one more.",
)
@click.option(
    "--eval-file",
    default=DEFAULT,
    show_default=True,
    metavar="FILE",
    help=f"Network file, or {HAND_MADE!r}.",
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the games.")
@worker_options(default="one")
@resume_option
@force_option
@rule_options()
@handle_errors
def datagen(
    out: Path,
    games: int | None,
    positions: int | None,
    nodes: int,
    soft_nodes: int,
    openings: Path | None,
    random_plies: int,
    eval_file: str,
    seed: int,
    workers: int | None,
    scheduler: str | None,
    resume: bool,
    force: bool,
    rules: Sequence[str],
    occurrences: int | None,
    changes: Sequence[str],
) -> None:
    """Generate self-play games to train a network.

    OUT gets the games with all scores. --positions counts quiet positions, which networks are
    trained on. The same options give the same file, whatever the number of workers. Ctrl-C stops
    after the last complete game, and --resume continues from there. Without --games and --positions
    the command runs until Ctrl-C.
    """
    settings = GenerationSettings(
        nodes=nodes,
        soft_nodes=soft_nodes,
        seed=seed,
        random_plies=random_plies,
        network=eval_file,
        rules=choose_rules(rules, occurrences, changes),
        openings=(START,) if openings is None else tuple(read_openings(openings)),
    )
    with (
        choose_workers(workers, scheduler, default=1) as pool,
        GameWriter(out, settings.facts(), resume=resume, replace=force) as writer,
    ):
        try:
            _generate(writer, settings, pool, games, positions)
        except KeyboardInterrupt:
            click.echo(f"{_describe(writer)} so far; continue with --resume", err=True)
            raise SystemExit(EXIT_INTERRUPTED) from None
        click.echo(_describe(writer), err=True)


def _generate(
    writer: GameWriter,
    settings: GenerationSettings,
    pool: Workers,
    games: int | None,
    positions: int | None,
) -> None:
    """Write games until a limit is reached, with a progress bar on a terminal."""
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
        closing(generate_games(settings, pool, first=writer.games)) as found,
    ):
        task = progress.add_task("Positions" if positions is not None else "Games", total=total)
        while not _is_reached(writer.games, games) and not _is_reached(writer.positions, positions):
            writer.add(next(found))
            done = writer.positions if positions is not None else writer.games
            progress.update(task, completed=done)


def _is_reached(count: int, limit: int | None) -> bool:
    return limit is not None and count >= limit


def _describe(writer: GameWriter) -> str:
    return f"{plural(writer.games, 'game')}, {plural(writer.positions, 'position')}"
