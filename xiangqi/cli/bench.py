"""The command ``bench``: node count and speed of fixed searches."""

from __future__ import annotations

import click

from xiangqi.cli.base import Examples, refusing
from xiangqi.cli.engine import eval_file_option
from xiangqi.engine.bench import BENCH_DEPTH, bench_lines
from xiangqi.engine.network import choose_network

__all__ = ["bench"]


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
    """Search fixed positions; the node count is the engine's signature.

    Each position is searched to DEPTH. Equal programs have equal node counts on every machine.
    """
    for line in bench_lines([str(depth)], choose_network(eval_file)):
        click.echo(line)
