"""The command ``engine``. A GUI waits for it, so nothing is imported that it does not need."""

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
    help=f"The network to evaluate with, or {HAND_MADE!r}.",
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
    """Speak UCCI, UCI or the XBoard protocol with a program; its first line decides.

    The executable meihua does the same without any argument, as GUIs want it.
    """
    speak(eval_file)
