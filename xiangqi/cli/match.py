"""The commands ``match`` and ``elo``: play engines against each other, and rate players."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from xiangqi.cli.base import Examples, format_os_error, handle_errors
from xiangqi.games.formats.pgn import PGN
from xiangqi.games.formats.pgn_reader import read_headers
from xiangqi.ground.errors import RecordError, XiangqiError, plural, quote
from xiangqi.ground.exits import EXIT_WRONG_INPUT
from xiangqi.ground.files import find_inputs, name_input, open_input, unzipped
from xiangqi.match.elo import PRIOR, LeftOut, Ratings, Results, rate
from xiangqi.match.keywords import help_rows

__all__ = ["elo", "match"]


class _MatchCommand(Examples):
    """Command whose help lists the options of a match."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options of a match before click's own."""
        with formatter.section("Match options, with their default in brackets"):
            formatter.write_dl(help_rows(), col_max=34)
        super().format_options(ctx, formatter)


@click.command(
    cls=_MatchCommand,
    # If -h were an option, click would find it in -each.
    context_settings={"ignore_unknown_options": True, "help_option_names": ["--help"]},
    epilog="""
    xiangqi match -engine cmd=meihua name=new -engine cmd=./old -each tc=10+0.1 -rounds 100
    xiangqi match -engine cmd=meihua proto=ucci -engine cmd=fairy-stockfish proto=uci -each st=0.2
    xiangqi match -engine cmd=./new -engine cmd=./old -each tc=10+0.1 option.hashsize=64 \\
        -openings file=openings.epd order=random -repeat -rounds 5000 -concurrency 4 \\
        -draw movenumber=40 movecount=8 score=20 -resign movecount=3 score=800 \\
        -sprt elo0=0 elo1=5 alpha=0.05 beta=0.05 -pgnout file=games.pgn
    xiangqi match match.toml -concurrency 2
    xiangqi match -config file=match.jsonl
    """,
)
@click.argument("words", nargs=-1, type=click.UNPROCESSED, metavar="[FILE.toml] OPTION...")
@click.pass_context
def match(context: click.Context, words: Sequence[str]) -> None:
    """Play engines against each other under the rules of Xiangqi.

    The options are those of fastchess and cutechess-cli. FILE.toml holds the same options without
    the dash; options on the command line add to it or override it. Each finished game is written at
    once to a journal, from which an interrupted match is resumed, and to the PGN file if given.

    Exit codes: 0 match complete, or H1 accepted; 3 H0 accepted; 1 an engine or a file failed; 2
    invalid usage; 130 Ctrl-C.
    """
    from xiangqi.match.player import StartError
    from xiangqi.match.runner import EXIT_FAILED

    if not words:
        raise click.exceptions.NoArgsIsHelpError(context)
    if words[0] in ("-h", "-help"):
        click.echo(context.get_help())
        return
    try:
        code = _run(words)
    except (XiangqiError, StartError, OSError) as error:
        message = format_os_error(error) if isinstance(error, OSError) else str(error)
        click.echo(f"xiangqi: {message}", err=True)
        code = EXIT_WRONG_INPUT if isinstance(error, XiangqiError) else EXIT_FAILED
    sys.exit(code)


def _run(words: Sequence[str]) -> int:
    from xiangqi.match.arguments import (
        build_config,
        find_value,
        read_toml,
        resume_words,
        split_words,
    )
    from xiangqi.match.journal import MatchJournal
    from xiangqi.match.runner import run_match

    has_file = not words[0].startswith("-")
    options = [*(read_toml(Path(words[0])) if has_file else ()), *split_words(words[has_file:])]
    path = find_value(options, "-config", "file")
    if path is None:
        return run_match(build_config(options), options)
    changes = resume_words(options)
    with closing(MatchJournal.resume(Path(path))) as journal:
        options = [*journal.arguments, *changes]
        return run_match(build_config(options), options, journal)


MAX_LISTED: Final = 10
"""Maximum number of omitted games or headers that are listed; the others are counted."""


def _parse_anchor(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[str, float] | None:
    """Parse NAME=ELO; NAME may contain equals signs."""
    if value is None:
        return None
    name, _, rating = value.rpartition("=")
    try:
        number = float(rating)
    except ValueError:
        number = math.nan
    if not name or not math.isfinite(number):
        raise click.BadParameter(f"{quote(value)}: expected NAME=ELO, as in Meihua=2000")
    return name, number


@click.command(
    cls=Examples,
    epilog="""
    xiangqi elo match.pgn
    xiangqi elo *.pgn --anchor Fairy-Stockfish=2800
    xiangqi elo league.pgn --json > ratings.json
    """,
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--anchor",
    metavar="NAME=ELO",
    callback=_parse_anchor,
    help="Fix the rating of a player; default: the mean rating is 0.",
)
@click.option(
    "--prior",
    type=click.FloatRange(min=0, min_open=True, max=1000),
    default=PRIOR,
    show_default=True,
    help="Virtual games of each player, half of them won and half lost.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@handle_errors
def elo(
    files: tuple[str, ...], anchor: tuple[str, float] | None, prior: float, as_json: bool
) -> None:
    """Rate all players of the games in PGN files.

    A folder means its PGN files, - standard input. Players are identified by name.

    The model is Bradley-Terry with draws and a first-move advantage, fitted by maximum likelihood.
    Errors are 95 % confidence intervals of the difference from the mean of all players, or from the
    anchor. Games without a result are listed and not rated. SciPy is required.
    """
    results = Results()
    broken: list[RecordError] = []
    for file in find_inputs(files, PGN.suffixes):
        name = name_input(file)
        with open_input(file) as opened, unzipped(opened, name) as plain:
            for number, headers in enumerate(read_headers(plain, name, broken.append), start=1):
                results.add_headers(headers, f"{name}: game {number}")
    _warn("broken headers left out", broken)
    _warn("games left out", results.left_out)
    try:
        ratings = rate(results, anchor, prior=prior)
    except ImportError as error:
        click.echo(f"xiangqi: {error}", err=True)
        sys.exit(EXIT_WRONG_INPUT)
    if as_json:
        left_out = [game.to_dict() for game in results.left_out]
        data = {**ratings.to_dict(), "left_out": left_out}
        click.echo(json.dumps(data, ensure_ascii=False, indent=1))
    else:
        _print_ratings(ratings)


def _warn(what: str, items: list[RecordError] | list[LeftOut]) -> None:
    if not items:
        return
    click.echo(f"xiangqi: {what}: {len(items)}", err=True)
    for item in items[:MAX_LISTED]:
        click.echo(f"  {item}", err=True)
    if len(items) > MAX_LISTED:
        click.echo(f"  and {len(items) - MAX_LISTED} more", err=True)


def _print_ratings(ratings: Ratings) -> None:
    console = Console(width=None if sys.stdout.isatty() else 120, highlight=False)
    table = Table(header_style="bold")
    for heading in ("rank", "name", "Elo", "+/-", "games", "score", "draws"):
        table.add_column(heading, justify="left" if heading == "name" else "right")
    for rank, player in enumerate(ratings.players, start=1):
        table.add_row(
            str(rank),
            escape(player.name),
            f"{player.elo:.1f}",
            f"{player.error:.1f}",
            str(player.games),
            f"{player.score:.1%}",
            f"{player.draws:.1%}",
        )
    console.print(table)
    console.print(
        f"{plural(ratings.games, 'game')}. Moving first is worth {ratings.red_advantage:.1f} +/- "
        f"{ratings.red_advantage_error:.1f} Elo; {ratings.draw_rate:.1%} of the games between "
        "equals are drawn."
    )
