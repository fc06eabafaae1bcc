"""Formats of game files, and the one door to read them all."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, cast

from xiangqi.errors import FormatError, quote
from xiangqi.formats.base import HEAD_SIZE, NOTATIONS, Format, Notation, WriteOptions
from xiangqi.formats.cbr import CBR
from xiangqi.formats.dhtmlxq import DHTMLXQ
from xiangqi.formats.jsonl import JSON_LINES
from xiangqi.formats.pgn import PGN, WHITE_PGN
from xiangqi.formats.positions import POSITIONS
from xiangqi.formats.wxf_text import WXF_TEXT
from xiangqi.formats.xqf import XQF
from xiangqi.game import Game

__all__ = [
    "FORMATS",
    "NOTATIONS",
    "CutGame",
    "Format",
    "Notation",
    "WriteOptions",
    "cut_games",
    "find_format",
    "guess_format",
    "read_games",
]

_ALL: Final[tuple[Format, ...]] = (
    XQF,
    CBR,
    JSON_LINES,
    POSITIONS,
    WXF_TEXT,
    PGN,
    WHITE_PGN,
    DHTMLXQ,
)

FORMATS: Final[dict[str, Format]] = {known.name: known for known in _ALL}
"""All formats by their names, in the order in which a file is tried."""

_GZIP: Final = b"\x1f\x8b"


def find_format(name: str) -> Format:
    """The format with this name; raises FormatError."""
    known = FORMATS.get(name)
    if known is None:
        raise FormatError(f"format {quote(name)}", "", f"expected one of {', '.join(FORMATS)}")
    return known


def guess_format(head: bytes, source: str) -> Format:
    """The format of a file, by its beginning and else by its name; raises FormatError."""
    for known in FORMATS.values():
        if known.detects(head):
            return known
    suffix = Path(source.lower().removesuffix(".gz")).suffix
    for known in FORMATS.values():
        if suffix in known.suffixes:
            return known
    shown = head[:40].decode("utf-8", "backslashreplace")
    raise FormatError(
        source, "", f"not a format of games that is known: begins with {quote(shown)}"
    )


class CutGame(NamedTuple):
    """A game that is cut out of its file, but not read yet. It can be pickled."""

    format: str
    """The name of the file's format."""
    source: str
    """The name of the file."""
    number: int
    """Its place in the file, counted from 1."""
    cut: Any
    """What the format gave out."""

    def read(self) -> Game:
        """Read the game; what is wrong within it stands in its ``errors``."""
        return FORMATS[self.format].build(self.cut, self.source, self.number)


def read_games(
    file: str | Path | IO[bytes], format: str | None = None, source: str = ""
) -> Iterator[Game]:
    """Read the games of a file one by one, whatever format it has.

    What is wrong within a game stands in its ``errors``. Otherwise as :func:`cut_games`.
    """
    for cut in cut_games(file, format, source):
        yield cut.read()


def cut_games(
    file: str | Path | IO[bytes], format: str | None = None, source: str = ""
) -> Iterator[CutGame]:
    """Cut the games out of a file one by one, whatever format it has.

    That is quick: most of the work is left to :meth:`CutGame.read`, and may be done elsewhere.

    ``file`` is a path or an open file of bytes, which is left open; it may be compressed with
    gzip. ``format`` is one of :data:`FORMATS`, and guessed if left out. ``source`` is the file's
    name in messages, taken from the file if left out.

    Raises FormatError where the file as a whole cannot be read, OSError where it cannot be opened.
    """
    if isinstance(file, (str, Path)):
        with open(file, "rb") as opened:
            yield from cut_games(opened, format, source or Path(file).name)
        return
    source = source or Path(str(getattr(file, "name", "") or "input")).name
    data = io.BufferedReader(cast(Any, file))
    try:
        yield from _cut(data, format, source)
    finally:
        data.detach()


def _cut(data: io.BufferedReader, format: str | None, source: str) -> Iterator[CutGame]:
    if data.peek(len(_GZIP)).startswith(_GZIP):
        data = io.BufferedReader(cast(Any, gzip.GzipFile(fileobj=data)))
    try:
        head = data.peek(HEAD_SIZE)[:HEAD_SIZE]
        chosen = guess_format(head, source) if format is None else find_format(format)
        for number, cut in enumerate(chosen.split(data, source), start=1):
            yield CutGame(chosen.name, source, number, cut)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise FormatError(source, "", f"the compressed file is damaged: {error}") from error
