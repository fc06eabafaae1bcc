"""Formats of game files, their detection, and reading games of any of them."""

from __future__ import annotations

import codecs
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Final, NamedTuple, cast

from xiangqi.games.formats.base import HEAD_SIZE, NOTATIONS, Format, Notation, WriteOptions
from xiangqi.games.formats.cbf import CBF
from xiangqi.games.formats.cbr import CBR
from xiangqi.games.formats.che import CHE
from xiangqi.games.formats.dhtmlxq import DHTMLXQ
from xiangqi.games.formats.jsonl import JSON_LINES
from xiangqi.games.formats.pfc import PFC
from xiangqi.games.formats.pgn import PGN, WHITE_PGN
from xiangqi.games.formats.pgn_reader import is_other_game
from xiangqi.games.formats.positions import POSITIONS
from xiangqi.games.formats.text import TEXT
from xiangqi.games.formats.wxf_text import WXF_TEXT
from xiangqi.games.formats.xqf import XQF
from xiangqi.games.tree import Game, GameError
from xiangqi.ground.errors import Fact, FormatError, quote_bytes
from xiangqi.ground.files import find_inputs, open_input, unzipped
from xiangqi.ground.lines import is_text
from xiangqi.pieces.fen import STARTING_FEN

__all__ = [
    "FORMATS",
    "NOTATIONS",
    "CutGame",
    "Format",
    "Notation",
    "WriteOptions",
    "cut_games",
    "find_format",
    "find_games",
    "guess_format",
    "read_games",
]

_ALL: Final[tuple[Format, ...]] = (
    XQF, CBR, CBF, PFC, CHE, JSON_LINES, POSITIONS, WXF_TEXT, PGN, WHITE_PGN, DHTMLXQ, TEXT,
)  # fmt: skip

FORMATS: Final[dict[str, Format]] = {known.name: known for known in _ALL}
"""All formats by name, in the order of detection."""

_SUFFIXES: Final = tuple(dict.fromkeys(suffix for known in _ALL for suffix in known.suffixes))
_CHUNK: Final = 1 << 14
_MAX_CONVERTED: Final = 1 << 26
"""Maximum size of a text that is converted to UTF-8 as a whole, in bytes."""
_FEW_ERRORS: Final = 3
"""Maximum number of errors with which a text may still be a faulty game."""
_MAX_UNREADABLE: Final = 1_000
"""Number of unreadable games after which a text is refused."""


def find_format(name: str) -> Format:
    """Return the format with this name; raises FormatError."""
    known = FORMATS.get(name)
    if known is None:
        expected = Fact("file.one_of", names=tuple(FORMATS))
        raise FormatError(Fact("place.format", name=name), "", expected)
    return known


def guess_format(head: bytes, source: str) -> Format:
    """Guess the format of a file from its beginning, or else its name; raises FormatError."""
    for known in FORMATS.values():
        if known.detects(head):
            return known
    suffix = Path(source.lower().removesuffix(".gz")).suffix
    for known in FORMATS.values():
        if suffix in known.suffixes:
            if known.is_text and not is_text(head):
                why = Fact("file.no_text", name=known.name, why=_begins(head))
                raise FormatError(source, Fact("place.line", line=1), why)
            return known
    raise FormatError(source, "", Fact("file.format", why=_begins(head)))


def _begins(head: bytes) -> Fact:
    return Fact("file.begins", found=quote_bytes(head[:40])) if head else Fact("file.empty")


def find_games(names: Iterable[str], output: Path | None = None) -> list[str]:
    """List the game files for names of files and folders.

    They are found as by :func:`~xiangqi.ground.files.find_inputs`.

    In a folder these are also files with another suffix, or none, whose beginning shows a format;
    text without headers counts only in a file without suffix. Raises FormatError for a missing one.
    """
    return find_inputs(names, _SUFFIXES, output, _is_game_file)


def _is_game_file(path: str) -> bool:
    """Does the beginning of a file show a format of games? False for an unreadable one."""
    try:
        if not Path(path).is_file():
            return False
        with open_input(path) as file, unzipped(file, path) as plain:
            head = plain.peek(HEAD_SIZE)[:HEAD_SIZE]
    except (OSError, FormatError):
        return False
    has_suffix = bool(Path(path.lower().removesuffix(".gz")).suffix)
    return any(
        known.detects(head) for known in FORMATS.values() if known is not TEXT or not has_suffix
    )


class CutGame(NamedTuple):
    """A game cut out of its file, but not read yet; it can be pickled."""

    format: str
    """Name of the file's format."""
    source: str
    """Name of the file."""
    number: int
    """Number of the game in the file, from 1."""
    cut: Any
    """Data from the format's ``split``."""

    def read(self) -> Game:
        """Read the game; its faults are in its ``errors``."""
        return FORMATS[self.format].build(self.cut, self.source, self.number)


def read_games(
    file: str | Path | IO[bytes] | IO[str],
    format: str | None = None,
    source: str = "",
    encoding: str | None = None,
) -> Iterator[Game]:
    """Read the games of a file in any format, one by one.

    Faults within a game are in its ``errors``. Otherwise as :func:`cut_games`.
    """
    for cut in cut_games(file, format, source, encoding):
        yield cut.read()


def cut_games(
    file: str | Path | IO[bytes] | IO[str],
    format: str | None = None,
    source: str = "",
    encoding: str | None = None,
) -> Iterator[CutGame]:
    """Cut the games out of a file in any format, one by one.

    That is quick: most of the work is in :meth:`CutGame.read`, which another process may call.

    ``file`` is a path or an open file of bytes or text, which is left open; bytes may be
    compressed with gzip. ``format`` is one of :data:`FORMATS`; if left out, it is guessed, and a
    text without any game raises FormatError. ``source`` is the file's name in messages, by default
    that of the file. ``encoding`` is that of a text or of the strings of an XQF file, one of
    Python's names; if left out, it is guessed.

    Raises FormatError if the file as a whole cannot be read or holds no game of Xiangqi, also if it
    is not in the encoding, LookupError for an unknown encoding, OSError if it cannot be opened.
    """
    if isinstance(file, (str, Path)):
        with open(file, "rb") as opened:
            yield from cut_games(opened, format, source or Path(file).name, encoding)
        return
    if not hasattr(file, "read"):
        raise TypeError(f"file {file!r}: expected a path or an open file")
    source = source or Path(str(getattr(file, "name", "") or "input")).name
    data = _Encoded(file) if isinstance(file, io.TextIOBase) else file
    with unzipped(cast("IO[bytes]", data), source) as unpacked:
        plain = unpacked
        is_utf_16 = plain.peek(2)[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
        if encoding is None and is_utf_16:  # the "Unicode" of Windows
            plain = _encoded(_read_limited(plain, source).decode("utf-16", "backslashreplace"))
        head = plain.peek(HEAD_SIZE)[:HEAD_SIZE]
        if format is not None:
            known: Format | None = find_format(format)
        else:
            binary = (one for one in FORMATS.values() if not one.is_text and one.detects(head))
            known = next(binary, None)
        is_xqf = known is XQF
        if encoding is not None and not is_xqf:
            if known is not None and not known.is_text:
                raise FormatError(source, "", Fact("file.own_encoding", name=known.name))
            plain = _to_utf_8(plain, source, encoding)
            head = plain.peek(HEAD_SIZE)[:HEAD_SIZE]
        chosen = known or guess_format(head, source)
        parts = XQF.split(plain, source, encoding) if is_xqf else chosen.split(plain, source)
        games = (CutGame(chosen.name, source, number, cut) for number, cut in enumerate(parts, 1))
        if format is None and chosen.is_text:
            max_errors = _FEW_ERRORS if chosen.detects(head) else 0
            yield from _require_games(games, source, max_errors)
        else:
            yield from games


def _require_games(cuts: Iterator[CutGame], source: str, max_errors: int) -> Iterator[CutGame]:
    """Iterate over the games of a text, one of which must be readable.

    Otherwise each line of a licence would be a game with an error. Raises FormatError if none of
    the first thousand games is readable, and they have more than ``max_errors`` errors or are all
    of another game than Xiangqi.
    """
    held: list[CutGame] = []
    errors: list[GameError] = []
    has_game = False
    for cut in cuts:
        held.append(cut)
        game = cut.read()
        is_empty = not game.root.variations and game.fen == STARTING_FEN
        has_headers = bool(game.headers) and len(game.errors) <= _FEW_ERRORS
        has_move = any(error.is_illegal for error in game.errors)
        is_nothing = any(is_other_game(error.reason) for error in game.errors) or (
            is_empty and not has_headers and not has_move
        )
        found = game.errors if is_nothing else []
        errors += found
        has_game = not found
        if has_game or len(held) == _MAX_UNREADABLE:
            break
    is_other = bool(errors) and all(is_other_game(one.reason) for one in errors)
    if not has_game and errors and (len(errors) > max_errors or is_other):
        first = errors[0]
        no_game = Fact("file.no_game_but", found=first.text, why=first.reason)
        raise FormatError(source, "", first.reason if is_other else no_game)
    yield from held
    yield from cuts


def _to_utf_8(plain: io.BufferedReader, source: str, encoding: str) -> io.BufferedReader:
    """Convert a text in an encoding to UTF-8.

    Raises FormatError if it is too long or not in the encoding.
    """
    content = _read_limited(plain, source)
    try:
        return _encoded(content.decode(encoding))
    except UnicodeDecodeError as error:
        place = Fact("place.line", line=content.count(b"\n", 0, error.start) + 1)
        found = quote_bytes(content[error.start : error.start + 8])
        raise FormatError(
            source, place, Fact("file.not_encoded", found=found, encoding=encoding)
        ) from error


def _read_limited(plain: io.BufferedReader, source: str) -> bytes:
    """Read a whole text; raises FormatError if it is too long."""
    content = plain.read(_MAX_CONVERTED + 1)
    if len(content) > _MAX_CONVERTED:
        raise FormatError(source, "", Fact("file.bytes", most=_MAX_CONVERTED))
    return content


def _encoded(text: str) -> io.BufferedReader:
    return io.BufferedReader(cast(Any, io.BytesIO(text.encode("utf-8", "surrogatepass"))))


class _Encoded(io.RawIOBase):
    """Open text file read as bytes in UTF-8."""

    def __init__(self, text: io.TextIOBase) -> None:
        self._text = text
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if not self._rest:  # lone surrogates pass; the reader reports them
            self._rest = self._text.read(_CHUNK).encode("utf-8", "surrogatepass")
        taken, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)
