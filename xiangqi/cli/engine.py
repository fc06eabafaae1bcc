"""The command ``engine``. A GUI waits for it, so that only what it needs is imported."""

from __future__ import annotations

import click

from xiangqi.cli.base import Examples, refusing
from xiangqi.engine.meihua import main as speak
from xiangqi.engine.options import DEFAULT, HAND_MADE

__all__ = ["engine", "eval_file_option"]

eval_file_option = click.option(
    "--eval-file",
    metavar="FILE",
    default=DEFAULT,
    show_default=True,
    help=f"Network file, or {HAND_MADE!r}.",
)


@click.command(
    cls=Examples,
    epilog="""
    xiangqi engine
    xiangqi engine --eval-file hand-made
    """,
)
@eval_file_option
@refusing
def engine(eval_file: str) -> None:
    """Run the engine: UCCI, UCI or XBoard on standard input.

    The first line decides the protocol. For GUIs there is the program meihua, without arguments.
    """
    speak(eval_file)
