"""Endgame tables that commands make at first use."""

from __future__ import annotations

from pathlib import Path

import click

from xiangqi.core.board import CoreBoard
from xiangqi.counting import plural
from xiangqi.errors import XiangqiError
from xiangqi.tables.classes import class_of
from xiangqi.tables.making import make_small
from xiangqi.tables.probing import default_folder

__all__ = ["make_first"]


def make_first(board: CoreBoard, folder: Path | None = None) -> None:
    """Make missing tables of a small class, and print a note.

    ``folder`` defaults to the usual one. If they cannot be written, warn and go on.
    """
    place = folder or default_folder()
    material = class_of(board)
    try:
        made = make_small(place, material)
    except (OSError, XiangqiError) as error:
        click.echo(f"no tables of {material.name} made: {error}", err=True)
        return
    if made:
        click.echo(f"{plural(made, 'table')} made in {place}, for {material.name}", err=True)
