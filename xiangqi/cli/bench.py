"""The commands that look at the engine: ``bench`` and ``eval``."""

from __future__ import annotations

import click

from xiangqi.board import Board
from xiangqi.cli.base import Examples, position_options, refusing
from xiangqi.cli.engine import eval_file_option
from xiangqi.engine.bench import BENCH_DEPTH, bench_lines
from xiangqi.engine.network import choose_network
from xiangqi.engine.trace import format_trace

__all__ = ["bench", "evaluate"]


@click.command(
    cls=Examples,
    epilog="""
    xiangqi bench
    xiangqi bench 6
    xiangqi bench --eval-file hand-made
    """,
)
@click.argument("depth", type=click.IntRange(1, 100), default=BENCH_DEPTH)
@eval_file_option
@refusing
def bench(depth: int, eval_file: str) -> None:
    """Search fixed positions to DEPTH; the node count is the engine's signature."""
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
@refusing
def evaluate(fen: str, eval_file: str) -> None:
    """Print the static evaluation of the position FEN: term by term, and the network's."""
    click.echo(format_trace(Board(fen), choose_network(eval_file)))
