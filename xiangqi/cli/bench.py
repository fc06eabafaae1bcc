"""The commands ``bench``, ``eval`` and ``perft``: search, evaluation and move generation."""

from __future__ import annotations

import time

import click

from xiangqi.board import Board
from xiangqi.cli.base import Examples, handle_errors
from xiangqi.cli.engine import eval_file_option
from xiangqi.cli.options import position_options
from xiangqi.engine.bench import BENCH_DEPTH, bench_lines
from xiangqi.engine.network import choose_network, format_evaluation

__all__ = ["bench", "evaluate", "perft"]


@click.command(
    cls=Examples,
    epilog="""
    xiangqi bench
    xiangqi bench 6
    xiangqi bench --eval-file new.nnue
    """,
)
@click.argument("depth", type=click.IntRange(1, 100), default=BENCH_DEPTH)
@eval_file_option
@handle_errors
def bench(depth: int, eval_file: str) -> None:
    """Search fixed positions; the node count is the engine's signature.

    Each position is searched to DEPTH. The same program gives the same count on every machine.
    """
    for line in bench_lines([str(depth)], choose_network(eval_file)):
        click.echo(line)


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
@handle_errors
def evaluate(fen: str, eval_file: str) -> None:
    """Print the static evaluation of a position.

    The network's value is printed, with the contribution of each piece: how much the value falls
    when that piece is taken off the board.

    A FILE, or - for standard input, gives the last position of each of its games, such as each line
    of a list of FENs.
    """
    click.echo(format_evaluation(Board(fen), choose_network(eval_file)))


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
@handle_errors
def perft(depth: int, fen: str, divide: bool) -> None:
    """Count the leaf nodes of the legal move tree at DEPTH, and measure the speed.

    Transpositions are counted each time.
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
