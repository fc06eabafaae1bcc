"""Converting games from one format to another, one by one, so that files may have any size.

>>> import io
>>> from xiangqi.games.formats import find_format, read_games
>>> ubb = io.BytesIO(b"[DhtmlXQ_red]A[/DhtmlXQ_red][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]")
>>> out = io.BytesIO()
>>> report = convert_games(read_games(ubb), "a.ubb", find_format("xqf"), out)
>>> report.read, report.written, report.problems
(1, 1, [])
>>> next(read_games(io.BytesIO(out.getvalue()))).headers["Red"]
'A'
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import IO

from xiangqi.games.formats import Format, WriteOptions
from xiangqi.games.formats.base import DEFAULT_OPTIONS, choose_notation
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact, FormatError, quote
from xiangqi.ground.files import new_file

__all__ = ["ConversionReport", "convert_games", "convert_to_folder"]

_OWN_NUMBER = re.compile(r"game \d+(, )?")


@dataclass(slots=True)
class ConversionReport:
    """Counts and problems of a conversion."""

    read: int = 0
    """Number of games read."""
    written: int = 0
    """Number of games written, some maybe without unreadable parts."""
    unwritten: int = 0
    """Number of games that the format cannot express."""
    problems: list[str] = field(default_factory=list)
    """Unreadable inputs and unwritable games, each with its place: ``file:game:ply: ...``."""

    def add(self, other: ConversionReport) -> None:
        """Add the report of another file."""
        self.read += other.read
        self.written += other.written
        self.unwritten += other.unwritten
        self.problems += other.problems

    def add_unwritten(self, source: str, error: FormatError) -> None:
        """Report that the last game read could not be written.

        The game number in the error is dropped, since the writer's count restarts after each such
        game.
        """
        self.unwritten += 1
        place = _OWN_NUMBER.sub("", error.place, count=1)
        why = ": ".join(part for part in (place, error.why) if part)
        self.problems.append(f"{source}:{self.read}: not written as {error.subject}: {why}")


def convert_games(
    games: Iterable[Game],
    source: str,
    target: Format,
    out: IO[bytes],
    options: WriteOptions = DEFAULT_OPTIONS,
) -> ConversionReport:
    """Write games in another format.

    ``source`` is the file's name in the report. A game that the format cannot express is left out,
    and the report names the parts that would be lost. Raises FormatError if no game can be read or
    written.
    """
    report = ConversionReport()
    pending = _count_read(games, report)
    if target.single:
        first = list(islice(pending, 2))
        if len(first) > 1:
            raise FormatError(target.name, "", Fact("write.one_game"))
        pending = iter(first)
    pending = _count_written(pending, report)
    while True:
        before = report.written
        try:
            target.write(pending, out, options)
        except FormatError as error:
            if report.written == before:
                raise
            report.add_unwritten(source, error)
            report.written -= 1
        else:
            return report


def convert_to_folder(
    games: Iterable[Game],
    source: str,
    target: Format,
    folder: Path,
    options: WriteOptions = DEFAULT_OPTIONS,
    *,
    replace: bool = False,
    before: int = 0,
) -> ConversionReport:
    """Write each game to its own file, ``000001.xqf`` and so on, in a folder, which is created.

    The numbers begin after ``before``. Otherwise as :func:`convert_games`; also raises FormatError
    if a file exists and ``replace`` is false, and OSError if the folder cannot be created.
    """
    report = ConversionReport()
    choose_notation(target, options)
    for game in _count_read(games, report):
        content = io.BytesIO()
        try:
            target.write([game], content, options)
        except FormatError as error:
            report.add_unwritten(source, error)
            continue
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{before + report.read:06}{target.suffixes[0]}"
        with new_file(path, replace=replace) as out:
            out.write(content.getvalue())
        report.written += 1
    return report


def _count_read(games: Iterable[Game], report: ConversionReport) -> Iterator[Game]:
    """Count the games and report their errors; an unreadable rest of the file ends them."""
    try:
        for game in games:
            report.read += 1
            for error in game.errors:
                has_rest = error.rest not in ("", error.text)
                left_out = f"; left out: {quote(error.rest)}" if has_rest else ""
                report.problems.append(f"{error}{left_out}")
            yield game
    except FormatError as error:
        if report.read == 0:
            raise
        report.problems.append(str(error))


def _count_written(games: Iterable[Game], report: ConversionReport) -> Iterator[Game]:
    for game in games:
        report.written += 1
        yield game
