"""The command ``analyse``: annotate games with evaluations, better lines and marks."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from xiangqi.analysis.archive import AnalysisJob, Done, analyse_archive, format_of
from xiangqi.analysis.engines import Effort, EngineAnalyst
from xiangqi.analysis.game import QUICK, AnalysisSettings
from xiangqi.board import Board
from xiangqi.books import open_book
from xiangqi.cli.base import Examples, handle_errors
from xiangqi.cli.options import (
    RuleOptions,
    WorkerOptions,
    force_option,
    gathered,
    resume_option,
    rule_options,
    voice_options,
    worker_options,
)
from xiangqi.cli.work import choose_workers, count_cores
from xiangqi.games.archive import Archive
from xiangqi.games.formats import find_games
from xiangqi.ground.exits import EXIT_DIFFERENT, EXIT_INTERRUPTED, EXIT_WRONG_INPUT
from xiangqi.ground.files import STANDARD
from xiangqi.tables import default_folder
from xiangqi.words.voice import PAGE_VOICE, Voice

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["analyse"]


class AnalyseOptions(NamedTuple):
    """Values of the options of the command, except for the language and notation."""

    output: Path
    nodes: int | None
    seconds: float | None
    depth: int | None
    engine: str
    """Command of an engine; empty for Meihua."""
    options: Sequence[str]
    """Options of that engine, NAME=VALUE."""
    book: str
    tables: Path | None
    puzzles: Path | None
    """File of the puzzles."""
    workers: WorkerOptions
    resume: bool
    force: bool
    rules: RuleOptions

    def settings(self) -> AnalysisSettings:
        """Settings of the analysis; raises UsageError or RuleSetError."""
        effort = Effort(self.nodes or 0, self.seconds or 0.0, self.depth or 0)
        return AnalysisSettings(
            effort=AnalysisSettings().effort if effort == Effort(0, 0.0, 0) else effort,
            engine=self.engine,
            options=tuple(map(_split_option, self.options)),
            rules=self.rules.choose(),
            book=self.book,
            tables=self.tables or default_folder(),
        )


def _split_option(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        raise click.UsageError(f"--option {text!r}: expected NAME=VALUE.")
    return name.strip(), value.strip()


@click.command(
    cls=Examples,
    epilog="""
    xiangqi analyse game.xqf -o game.pgn
    xiangqi analyse games.pgn more.jsonl -o analysed.pgn --nodes 20000 --lang zh
    xiangqi analyse archive/ -o analysed.jsonl --workers 8 --resume
    xiangqi analyse games.pgn -o analysed.pgn --engine pikafish --time 1
    xiangqi analyse games.pgn -o analysed.pgn --book examples/opening.obk
    xiangqi analyse games.pgn -o analysed.pgn --puzzles puzzles.jsonl
    """,
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "-o",
    "--output",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="OUT",
    help="Output file: OUT.pgn, or OUT.jsonl with all numbers.",
)
@click.option("--nodes", type=click.IntRange(1), help="Nodes for each position; default: 100000.")
@click.option("--time", "seconds", type=click.FloatRange(0.001), help="Seconds for each position.")
@click.option("--depth", type=click.IntRange(1, 100), help="Depth for each position.")
@click.option(
    "--engine",
    default="",
    metavar="CMD",
    help="Command of a UCI, UCCI or XBoard engine; default: Meihua.",
)
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="Set an option of that engine."
)
@click.option(
    "--book",
    default="",
    metavar="BOOK",
    help="Opening book; its counts, moves and opening names are added.",
)
@click.option(
    "--tables",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Folder of endgame tables; default: that of 'xiangqi tables'.",
)
@click.option(
    "--puzzles",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the positions with a single winning line to FILE, as JSON lines.",
)
@worker_options(default="all cores")
@resume_option
@force_option
@voice_options(PAGE_VOICE)
@rule_options()
@gathered("options", AnalyseOptions)
@handle_errors
def analyse(
    files: tuple[str, ...],
    options: AnalyseOptions,
    voice: Voice,
) -> None:
    """Annotate games with an engine's evaluations, as PGN or JSON lines.

    Each move of the games in FILEs gets a comment with its evaluation from Red's side, [%eval 0.35]
    or [%eval #3]. Inaccuracies, mistakes and blunders are marked (?!, ?, ??) and get the better
    line as a variation; an only good move is marked !. Comments also report missed mates and table
    wins, moves of a side that had to deviate, and available draws or wins by the repetition rules.
    The headers get average losses and accuracies. docs/analysis.md defines all numbers.

    With --nodes the output does not depend on the number of workers. OUT.part holds the finished
    games until all are done; --resume continues from it. The exit code is 1 if a game could not be
    read or analysed.
    """
    output, puzzles = options.output, options.puzzles
    job = AnalysisJob(options.settings(), voice, format_of(output), puzzles is not None)
    names = find_games(files, output)
    _check_settings(job.settings)
    games = None if STANDARD in names else sum(1 for _ in Archive(names))
    default = max(1, min(count_cores(), games or 1))
    try:
        with choose_workers(options.workers, default) as pool, _Display(games) as display:
            report = analyse_archive(
                Archive(names),
                output,
                job,
                pool,
                resume=options.resume,
                replace=options.force,
                puzzles=puzzles,
                on_done=display.show_done,
                on_position=display.show_part,
                on_wait=lambda: display.print(voice.say("analysis_interrupted")),
            )
    except KeyboardInterrupt:
        click.echo(f"xiangqi: {voice.say('interrupted_resumable')}", err=True)
        sys.exit(EXIT_INTERRUPTED)
    for problem in report.problems:
        click.echo(problem, err=True)
    counts = {"games": report.games, "plies": report.plies, "problems": len(report.problems)}
    click.echo(f"{output}: {voice.say('analysis_counted', **counts)}", err=True)
    if puzzles is not None:
        click.echo(f"{puzzles}: {voice.say('analysis_puzzles', count=report.puzzles)}", err=True)
    sys.exit(EXIT_DIFFERENT if report.problems else 0)


def _check_settings(settings: AnalysisSettings) -> None:
    """Check that the book can be read and the engine answers, before any work begins."""
    if settings.book:
        open_book(settings.book).close()
    if settings.options and not settings.engine:
        raise click.UsageError("--option needs --engine.")
    if settings.engine:
        from xiangqi.board.scores import EngineError

        try:
            with closing(EngineAnalyst.popen(settings.engine, settings.options)) as analyst:
                analyst.search(Board(), settings.effort.times(QUICK))
        except EngineError as error:
            click.echo(f"xiangqi: {error}", err=True)
            sys.exit(EXIT_WRONG_INPUT)


class _Display:
    """Progress bar: games done, and the time left."""

    def __init__(self, games: int | None) -> None:
        terminal = Console(stderr=True)
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[done]}/{task.fields[all]}"),
            TimeRemainingColumn(),
        )
        self._progress = Progress(
            *columns, console=terminal, transient=True, disable=not terminal.is_terminal
        )
        shown = "?" if games is None else games
        self._task = self._progress.add_task("", total=games, done=0, all=shown)
        self._done = 0
        self._part = 0.0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show_done(self, _: Done) -> None:
        self._done, self._part = self._done + 1, 0.0
        self._progress.update(self._task, completed=self._done, done=self._done)

    def show_part(self, share: float) -> None:
        """Add a share of the current game."""
        self._part += share
        self._progress.update(self._task, completed=self._done + min(self._part, 1.0))

    def print(self, text: str) -> None:
        self._progress.console.print(text)
