"""The command ``convert``: files of games from one format into another."""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Final

import click
from rich.console import Console
from rich.progress import Progress

from xiangqi.cli_base import EXIT_DIFFERENT, Examples, refusing
from xiangqi.convert import ConversionReport, convert_games, convert_to_folder, new_file
from xiangqi.errors import FormatError
from xiangqi.formats import (
    FORMATS,
    NOTATIONS,
    Format,
    Notation,
    WriteOptions,
    find_format,
    read_games,
)
from xiangqi.game import Game

__all__ = ["convert"]

_STANDARD: Final = "-"
_ENCODINGS: Final = ("utf-8", "gb18030")
_WRITABLE: Final = [name for name, known in FORMATS.items() if known.can_write]


@click.command(
    cls=Examples,
    epilog="""
    xiangqi convert game.xqf game.pgn
    xiangqi convert library.cbl games.jsonl
    xiangqi convert --notation wxf games.jsonl games.pgn
    xiangqi convert --to xqf games.pgn folder/
    """,
)
@click.argument("source", metavar="IN", type=click.Path(dir_okay=False, allow_dash=True))
@click.argument("target", metavar="OUT", type=click.Path(allow_dash=True))
@click.option("--from", "source_format", type=click.Choice(list(FORMATS)), help="Format of IN.")
@click.option("--to", "target_format", type=click.Choice(_WRITABLE), help="Format of OUT.")
@click.option("--notation", type=click.Choice(NOTATIONS), help="How moves are written, in PGN.")
@click.option(
    "--encoding",
    type=click.Choice(_ENCODINGS),
    default=_ENCODINGS[0],
    show_default=True,
    help="Encoding of OUT, where it is text.",
)
@click.option("--lossy", is_flag=True, help="Leave out what the format of OUT has no place for.")
@click.option("--force", is_flag=True, help="Replace OUT if it is there.")
@refusing
def convert(
    source: str,
    target: str,
    source_format: str | None,
    target_format: str | None,
    notation: Notation | None,
    encoding: str,
    lossy: bool,
    force: bool,
) -> None:
    """Convert the games of the file IN into another format.

    The format of IN is guessed from its content, that of OUT from its name. If OUT is a folder
    (one that is there, or a name ending with a slash) each game gets a file of its own there; an
    XQF file holds only one. - stands for standard input or output. A name that ends with .gz is
    compressed.

    What could not be read is listed at the end by file, game and ply, and so is each game that
    the format cannot express, with what would be lost; then the exit code is 1.
    """
    path = Path(target)
    to_folder = target != _STANDARD and (target.endswith(("/", "\\")) or path.is_dir())
    known = _find_target(target, target_format)
    options = WriteOptions(notation, encoding, lossy)
    name = "input" if source == _STANDARD else Path(source).name
    try:
        with (
            click.open_file(source, "rb") as data,
            closing(_show_progress(read_games(data, source_format, name), data, source)) as games,
        ):
            if to_folder:
                report = convert_to_folder(games, name, known, path, options, replace=force)
            elif target == _STANDARD:
                report = convert_games(games, name, known, sys.stdout.buffer, options)
            else:
                with new_file(path, replace=force) as out:
                    report = convert_games(games, name, known, out, options)
    except OSError as error:
        raise FormatError(str(error.filename or source), "", error.strerror or "") from error
    _print_report(report, target)
    sys.exit(EXIT_DIFFERENT if report.problems else 0)


def _find_target(target: str, name: str | None) -> Format:
    """The format to write, by its name or by that of the file."""
    if name is not None:
        return find_format(name)
    suffix = Path(target.lower().removesuffix(".gz")).suffix
    for known in FORMATS.values():
        if suffix in known.suffixes:
            if known.can_write:
                return known
            raise click.UsageError(f"The format {known.name} can be read, but not written.")
    formats = ", ".join(_WRITABLE)
    raise click.UsageError(f"The name {target!r} tells no format; give --to, one of {formats}.")


def _show_progress(
    games: Iterator[Game], data: IO[bytes], source: str
) -> Generator[Game, None, None]:
    """The games, with a bar on a terminal that shows how much of the file is read."""
    terminal = Console(stderr=True)
    if source == _STANDARD or not terminal.is_terminal:
        yield from games
        return
    with Progress(console=terminal, transient=True) as progress:
        task = progress.add_task("Converting", total=Path(source).stat().st_size)
        for game in games:
            progress.update(task, completed=data.tell())
            yield game


def _print_report(report: ConversionReport, target: str) -> None:
    for problem in report.problems:
        click.echo(problem, err=True)
    click.echo(f"{report.written} of {report.read} games written to {target}", err=True)
