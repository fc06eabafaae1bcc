"""The command ``perft``: count the leaves of the tree of legal moves."""

from __future__ import annotations

import time

import click

from xiangqi.board import Board
from xiangqi.cli.base import Examples, refusing
from xiangqi.cli.options import position_options

__all__ = ["perft"]


@click.command(
    cls=Examples,
    epilog="""
    xiangqi perft 5
    xiangqi perft 3 --divide "4k4/4a4/9/9/9/9/9/9/4R4/3K5 w"
    """,
)
@click.argument("depth", type=click.IntRange(1, 30))
@position_options
@click.option("--divide", is_flag=True, help="Print the count of each first move.")
@refusing
def perft(depth: int, fen: str, divide: bool) -> None:
    """Count the positions after DEPTH legal moves, and measure the speed.

    Positions reached by several move orders are counted several times.
    """
    board = Board(fen)
    start = time.perf_counter()
    nodes = 0
    for move, count in board.iter_divide(depth):
        nodes += count
        if divide:
            click.echo(f"{move}: {count}")
    seconds = time.perf_counter() - start
    click.echo(f"depth {depth}: {nodes:,} nodes, {seconds:.3f} s, {nodes / seconds:,.0f} nodes/s")
