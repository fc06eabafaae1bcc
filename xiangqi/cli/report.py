"""The command ``report``: HTML pages for games, or for the cases of a rule book."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import click
from rich.console import Console
from rich.progress import track

from xiangqi.casebook.cases import find_case_folder, load_cases
from xiangqi.casebook.verify import verify_cases
from xiangqi.cli.base import Examples, handle_errors
from xiangqi.cli.options import RuleOptions, rule_options, voice_options
from xiangqi.drawing.svg import Lettering
from xiangqi.games.formats import find_games
from xiangqi.ground.exits import EXIT_DIFFERENT
from xiangqi.web.pages.index_page import IndexRow
from xiangqi.web.pages.site import SiteReport
from xiangqi.words.voice import PAGE_VOICE, Voice

__all__ = ["report"]


@click.command(
    cls=Examples,
    epilog="""
    xiangqi report games.pgn more.xqf -o report
    xiangqi report games.pgn -o report --lang zh --rules checks-only
    xiangqi report games.pgn -o report --rules wxf,checks-only
    xiangqi report --cases -o cases
    """,
)
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "-o",
    "--output",
    "folder",
    required=True,
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Output folder: new, empty, or an older report.",
)
@click.option(
    "--cases",
    is_flag=True,
    help="Write the cases of the rule set's book, with expected and actual rulings.",
)
@voice_options(PAGE_VOICE)
@click.option(
    "--lettering",
    type=click.Choice(get_args(Lettering)),
    help="Letters or characters on the pieces; default: by language.",
)
@rule_options(several=True)
@handle_errors
def report(
    files: tuple[str, ...],
    folder: Path,
    cases: bool,
    voice: Voice,
    lettering: Lettering | None,
    rules: RuleOptions,
) -> None:
    """Write an HTML page for each game, readable offline.

    A folder means its files, - standard input. Each page has the board with arrows for
    checks, chases and protections, a slider through the game, the moves of the cycle with their
    attacks, the verdict, and the side that had to deviate. If --rules names several rule sets, the
    first judges, and the verdicts of the others are added. The entry page is DIR/index.html. The
    exit code is 1 if a game could not be read, or a case is judged differently.
    """
    if cases == bool(files):
        raise click.UsageError("Give files of games, or --cases.")
    names = find_games(files, output=folder)
    first, *others = rules.choose_all()
    site = SiteReport(folder, voice, first, lettering, others or None)
    if cases:
        book = load_cases([find_case_folder(first.name)])
        _write(site.write_cases(verify_cases(book, site.rules)), len(book))
    else:
        _write(site.write_games(names), None)
    for problem in site.problems:
        click.echo(f"xiangqi: {problem}", err=True)
    click.echo(f"{folder / 'index.html'}: {voice.say('pages', pages=len(site.rows))}")
    if site.problems or (cases and not all(row.agrees for row in site.rows)):
        sys.exit(EXIT_DIFFERENT)


def _write(rows: Iterator[IndexRow], total: int | None) -> None:
    """Write all pages, with a progress bar on a terminal."""
    terminal = Console(stderr=True)
    shown = track(
        rows,
        "Writing",
        total=total,
        console=terminal,
        transient=True,
        disable=not terminal.is_terminal,
    )
    for _ in shown:
        pass
