"""The command ``engine``, with few imports, since GUIs wait for its start."""

from __future__ import annotations

import click

from xiangqi.cli.base import Examples, handle_errors
from xiangqi.engine.meihua import main as run_engine
from xiangqi.engine.options import DEFAULT

__all__ = ["engine", "eval_file_option"]

eval_file_option = click.option(
    "--eval-file",
    metavar="FILE",
    default=DEFAULT,
    show_default=True,
    help="Network file.",
)


@click.command(
    cls=Examples,
    epilog="""
    xiangqi engine
    xiangqi engine --eval-file new.nnue
    """,
)
@eval_file_option
@handle_errors
def engine(eval_file: str) -> None:
    """Run the engine: UCCI, UCI or XBoard on standard input.

    The first line determines the protocol. For GUIs there is the program meihua, which needs no
    arguments.
    """
    run_engine(eval_file)
