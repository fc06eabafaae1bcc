"""The commands around the engine: ``engine``, ``bench`` and ``eval``."""

from __future__ import annotations

import click

from xiangqi.bench import BENCH_DEPTH
from xiangqi.board import Board
from xiangqi.cli_base import Examples, refusing
from xiangqi.fen import STARTING_FEN
from xiangqi.meihua import bench_lines
from xiangqi.meihua import main as speak
from xiangqi.trace import format_trace

__all__ = ["bench", "engine", "evaluate"]


@click.command(
    cls=Examples,
    epilog="""
    xiangqi engine
    """,
)
def engine() -> None:
    """Speak UCCI or UCI with a program on the other end; the first line decides.

    The executable meihua does the same without any argument, as GUIs want it.
    """
    speak()


@click.command(
    cls=Examples,
    epilog="""
    xiangqi bench
    xiangqi bench 6
    """,
)
@click.argument("depth", type=click.IntRange(1, 100), default=BENCH_DEPTH)
def bench(depth: int) -> None:
    """Search fixed positions to DEPTH; the node count is the engine's signature."""
    for line in bench_lines([str(depth)]):
        click.echo(line)


@click.command(
    "eval",
    cls=Examples,
    epilog="""
    xiangqi eval
    xiangqi eval --fen "4k4/4a4/9/9/9/9/9/9/4R4/3K5 w"
    """,
)
@click.option("--fen", default=STARTING_FEN, help="The position; the usual beginning if left out.")
@refusing
def evaluate(fen: str) -> None:
    """Print the static evaluation of a position, term by term."""
    click.echo(format_trace(Board(fen)))
