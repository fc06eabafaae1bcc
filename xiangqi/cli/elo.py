"""The command ``elo``: ratings of many players from PGN files."""

from __future__ import annotations

import json
import math
import sys
from typing import Final

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from xiangqi.cli.base import Examples, refusing
from xiangqi.counting import plural
from xiangqi.errors import RecordError, quote
from xiangqi.exits import EXIT_WRONG_INPUT
from xiangqi.files import find_inputs, name_input, open_input, unzipped
from xiangqi.games.formats.pgn import PGN
from xiangqi.games.formats.pgn_reader import read_headers
from xiangqi.match.elo import PRIOR, LeftOut, Ratings, Results, rate

__all__ = ["elo"]

NAMED: Final = 10
"""Number of games or headers left out that are listed; the others are only counted."""


def _parse_anchor(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[str, float] | None:
    """NAME=ELO, split at the last equals sign; names may have others."""
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
    help="Fix the rating of a player; default: the mean of all is 0.",
)
@click.option(
    "--prior",
    type=click.FloatRange(min=0, min_open=True, max=1000),
    default=PRIOR,
    show_default=True,
    help="Virtual games of each player, half of them won and half lost.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
@refusing
def elo(
    files: tuple[str, ...], anchor: tuple[str, float] | None, prior: float, as_json: bool
) -> None:
    """Rate all players of the games in PGN files.

    A folder stands for all PGN files in it, - for standard input. Players are identified by name.

    The model is that of Bradley and Terry with draws and an advantage for the first move, fitted by
    maximum likelihood. Errors are 95 % intervals of the difference from the mean of all players, or
    from the anchor. Games without a result are listed and not rated. SciPy is required.
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
    for item in items[:NAMED]:
        click.echo(f"  {item}", err=True)
    if len(items) > NAMED:
        click.echo(f"  and {len(items) - NAMED} more", err=True)


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
