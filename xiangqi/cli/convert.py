"""The command ``convert``: convert game files into another format."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from typing import IO, Final, NamedTuple

import click

from xiangqi.cli.base import Examples, handle_errors
from xiangqi.cli.options import force_option, gathered
from xiangqi.games.convert import ConversionReport, convert_games, convert_to_folder
from xiangqi.games.formats import (
    FORMATS,
    NOTATIONS,
    Format,
    Notation,
    WriteOptions,
    find_format,
    find_games,
    read_games,
)
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact, FormatError, plural
from xiangqi.ground.exits import EXIT_DIFFERENT
from xiangqi.ground.files import STANDARD, name_input, new_file, open_input
from xiangqi.ground.progress import show_progress
from xiangqi.ground.texts import LANGUAGES, Language

__all__ = ["convert"]

_ENCODINGS: Final = ("utf-8", "gb18030")
_SOURCE_ENCODINGS: Final = (*_ENCODINGS, "big5", "utf-16", "cp1258")
_WRITABLE: Final = {name: known for name, known in FORMATS.items() if known.can_write}
_IN_TEXT: Final = "; ".join(
    f"{name}: {', '.join(known.notations)}" for name, known in _WRITABLE.items() if known.notations
)


class ConvertOptions(NamedTuple):
    """Values of the options of the command."""

    source_format: str | None
    target_format: str | None
    notation: Notation | None
    encoding_in: str | None
    encoding: str
    openings: Language | None
    """Language in which openings are named; None to leave the headers as they are."""
    lossy: bool
    force: bool


class _Work(NamedTuple):
    """A conversion."""

    names: Sequence[str]
    """Files to read."""
    target: Format
    """Format to write."""
    options: ConvertOptions

    def write_options(self) -> WriteOptions:
        return WriteOptions(self.options.notation, self.options.encoding, self.options.lossy)


@click.command(
    cls=Examples,
    epilog="""
    xiangqi convert game.xqf game.pgn
    xiangqi convert library.cbl games.jsonl
    xiangqi convert --notation wxf games.jsonl games.pgn
    xiangqi convert --openings en games.jsonl games.pgn
    xiangqi convert --to xqf games.pgn folder/
    """,
)
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(allow_dash=True))
@click.option(
    "--from",
    "source_format",
    type=click.Choice(list(FORMATS)),
    help="Format of IN (cbr also reads .cbl).",
)
@click.option("--to", "target_format", type=click.Choice(list(_WRITABLE)), help="Format of OUT.")
@click.option(
    "--notation",
    type=click.Choice(NOTATIONS),
    help=f"Notation of moves, the default of each format first: {_IN_TEXT}.",
)
@click.option(
    "--encoding-in",
    type=click.Choice(_SOURCE_ENCODINGS),
    help="Encoding of IN, if text or XQF; by default detected.",
)
@click.option(
    "--encoding",
    type=click.Choice(_ENCODINGS),
    default=_ENCODINGS[0],
    show_default=True,
    help="Encoding of OUT if it is text.",
)
@click.option(
    "--openings",
    type=click.Choice(LANGUAGES),
    help="Add the headers ECCO and Opening, in this language, to games that have neither.",
)
@click.option("--lossy", is_flag=True, help="Drop what the format of OUT cannot hold.")
@force_option
@gathered("options", ConvertOptions)
@handle_errors
def convert(
    source: str,
    target: str,
    options: ConvertOptions,
) -> None:
    """Convert game files into another format.

    IN is a file, a folder of files, or - for standard input; its format is detected from the
    content. OUT is a file, - for standard output, or a folder (an existing one, or a name that ends
    with a slash), which gets a file for each game; an XQF file holds a single game. The suffix and
    the notation determine the format of OUT; the suffix .gz means compression.

    At the end errors are listed by file, game and ply, and games that OUT cannot hold without loss
    with what would be lost; the exit code is then 1. OUT is written only if at least one game was
    converted.
    """
    work = _Work(
        find_games([source], output=Path(target)),
        _find_target(target, options.target_format, options.notation),
        options,
    )
    path = Path(target)
    if target != STANDARD and (target.endswith(("/", "\\")) or path.is_dir()):
        report = _write_folder(work, path)
    else:
        report = _write_file(work, target)
    for problem in report.problems:
        click.echo(problem, err=True)
    unchanged = "" if report.written else ", which is unchanged"
    read = plural(report.read, "game")
    click.echo(f"{report.written} of {read} written to {target}{unchanged}", err=True)
    if report.unwritten and not options.lossy:
        them = "it is" if report.unwritten == 1 else "they are"
        count = plural(report.unwritten, "game")
        click.echo(
            f"{count} left out: with --lossy {them} written, without what {work.target.name} "
            "cannot hold",
            err=True,
        )
    sys.exit(EXIT_DIFFERENT if report.problems or not report.written else 0)


def _find_target(target: str, name: str | None, notation: Notation | None) -> Format:
    """Find the format to write, by its name or the file's suffix.

    If several have the suffix, it is the first that has the notation.
    """
    suffix = Path(target.lower().removesuffix(".gz")).suffix
    if name is not None:
        found = [find_format(name)]
    else:
        found = [known for known in FORMATS.values() if suffix in known.suffixes]
    formats = ", ".join(_WRITABLE)
    if not found:
        raise click.UsageError(
            f"{target!r}: no format has this suffix; give --to, one of {formats}."
        )
    if not found[0].can_write:
        raise click.UsageError(
            f"{target!r}: {suffix} files can be read, but not written; expected one of {formats}."
        )
    for known in found:
        if notation is None or notation in known.notations:
            return known
    suitable = ", ".join(known.name for known in _WRITABLE.values() if notation in known.notations)
    raise click.UsageError(
        f"The format {found[0].name} does not support the notation {notation}; give --to, one of "
        f"{suitable}, or another --notation."
    )


def _write_folder(work: _Work, folder: Path) -> ConversionReport:
    """Write a file for each game."""

    def convert_file(games: Iterator[Game], name: str, before: int) -> ConversionReport:
        return convert_to_folder(
            games,
            name,
            work.target,
            folder,
            work.write_options(),
            replace=work.options.force,
            before=before,
        )

    return _convert_all(work, convert_file)


def _write_file(work: _Work, target: str) -> ConversionReport:
    """Write one file with all games."""
    if work.target.single and len(work.names) > 1:
        raise FormatError(work.target.name, "", Fact("write.one_game"))
    output: AbstractContextManager[IO[bytes]] = (
        nullcontext(sys.stdout.buffer)
        if target == STANDARD
        else new_file(Path(target), replace=work.options.force)
    )
    with output as out:
        report = _convert_all(
            work,
            lambda games, name, _: convert_games(
                games, name, work.target, out, work.write_options()
            ),
        )
        out.flush()  # report a full disk, not games as written
    return report


def _convert_all(
    work: _Work, convert_file: Callable[[Iterator[Game], str, int], ConversionReport]
) -> ConversionReport:
    """Convert all files; if there are several, an unreadable one is reported and skipped.

    ``convert_file`` gets the games of a file, its name, and the number of games before it.
    """
    report, options = ConversionReport(), work.options
    is_one = len(work.names) == 1
    for name in work.names:
        shown = Path(name_input(name)).name if is_one else name
        try:
            with open_input(name) as data:
                games = read_games(data, options.source_format, shown, options.encoding_in)
                with closing(show_progress(games, data, name, "Converting")) as progress:
                    named = _name_openings(progress, options.openings)
                    report.add(convert_file(named, shown, report.read))
        except FormatError as error:
            if is_one or error.subject != shown:
                raise
            report.problems.append(str(error))
    return report


def _name_openings(games: Iterator[Game], language: Language | None) -> Iterator[Game]:
    """Add the names of openings to the headers, if a language is given."""
    from xiangqi.books.names import add_opening_headers

    for game in games:
        if language is not None:
            add_opening_headers(game, language)
        yield game
