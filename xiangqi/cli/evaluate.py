"""The command ``eval``: the static evaluation of a position."""

from __future__ import annotations

import click

from xiangqi.board import Board
from xiangqi.cli.base import Examples, refusing
from xiangqi.cli.engine import eval_file_option
from xiangqi.cli.options import position_options
from xiangqi.engine.network import choose_network, format_trace

__all__ = ["evaluate"]


@click.command(
    "eval",
    cls=Examples,
    epilog="""
    xiangqi eval
    xiangqi eval "4k4/4a4/9/9/9/9/9/9/4R4/3K5 w"
    """,
)
@position_options
@eval_file_option
@refusing
def evaluate(fen: str, eval_file: str) -> None:
    """Print the static evaluation of a position.

    Two evaluations are printed: the hand-made terms one by one, and the network's.

    A FILE, or - for standard input, stands for the last position of each of its games, such as
    each line of a list of FEN.
    """
    click.echo(format_trace(Board(fen), choose_network(eval_file)))
