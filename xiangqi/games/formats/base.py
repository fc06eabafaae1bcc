"""Interface of the formats of game files: detection, reading and writing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Any, Final, Protocol

from xiangqi.games.pgn import NOTATIONS, Notation, WriteOptions
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact, FormatError

__all__ = [
    "DEFAULT_OPTIONS",
    "HEAD_SIZE",
    "MAX_GAME_SIZE",
    "NOTATIONS",
    "Format",
    "Notation",
    "OneGameFormat",
    "ReadOnlyFormat",
    "WriteOptions",
    "choose_notation",
    "read_whole",
]

HEAD_SIZE: Final = 4096
"""Number of bytes of a file that :meth:`Format.detects` is given, at most."""

MAX_GAME_SIZE: Final = 1 << 24
"""Maximum size of a game in a binary format, in bytes."""

DEFAULT_OPTIONS: Final = WriteOptions()
"""Default options of all formats, with nothing left out."""


class Format(Protocol):
    """A format of game files."""

    @property
    def name(self) -> str:
        """Name on the command line, such as ``pgn``."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """File suffixes with the dot, the default first."""

    @property
    def can_write(self) -> bool:
        """Can the format be written?"""

    @property
    def notations(self) -> tuple[Notation, ...]:
        """Notations in which moves can be written, the default first; empty if the format has its
        own form of moves."""

    @property
    def is_text(self) -> bool:
        """Is the format text, made of lines?"""

    @property
    def single(self) -> bool:
        """Does a file hold only one game?"""

    def detects(self, head: bytes) -> bool:
        """Does the beginning of a file have this format?"""

    def split(self, data: IO[bytes], source: str) -> Iterator[Any]:
        """Cut a file into its games one by one, without reading them.

        The type of a game's data depends on the format; it can be pickled, so that another process
        may call :meth:`build`. ``source`` is the file's name in messages. Raises FormatError if the
        file as a whole cannot be read.
        """

    def build(self, cut: Any, source: str, number: int) -> Game:
        """Read the data from :meth:`split` of game ``number`` of the file, from 1.

        Unreadable parts are in its :attr:`~xiangqi.games.tree.Game.errors`.
        """

    def write(
        self, games: Iterable[Game], out: IO[bytes], options: WriteOptions = DEFAULT_OPTIONS
    ) -> None:
        """Write games one by one.

        Raises FormatError for a notation that is not in :attr:`notations`, before anything is
        written, and for a game with parts that the format cannot express, which it names, after
        earlier games have been written.
        """


class ReadOnlyFormat:
    """Base of the formats that cannot be written."""

    name: str
    can_write = False
    notations: tuple[Notation, ...] = ()

    def write(
        self, games: Iterable[Game], out: IO[bytes], options: WriteOptions = DEFAULT_OPTIONS
    ) -> None:
        raise FormatError(self.name, "", Fact("write.read_only"))


class OneGameFormat(ReadOnlyFormat):
    """Base of those whose files are one game each, and no text for people."""

    is_text = False
    single = True

    def split(self, data: IO[bytes], source: str) -> Iterator[bytes]:
        """Return the whole file as one game; raises FormatError if it is too long."""
        yield read_whole(data, source)


def read_whole(data: IO[bytes], source: str) -> bytes:
    """Read the rest of a file with one game; raises FormatError if it is too long."""
    content = data.read(MAX_GAME_SIZE + 1)
    if len(content) > MAX_GAME_SIZE:
        raise FormatError(source, "", Fact("file.bytes", most=MAX_GAME_SIZE))
    return content


def choose_notation(format: Format, options: WriteOptions) -> Notation | None:
    """Choose the notation to write; None if the format has its own form of moves.

    Raises FormatError for a notation that the format does not have.
    """
    known, wanted = format.notations, options.notation
    if wanted is None:
        return known[0] if known else None
    if wanted not in known:
        code = "write.notations" if len(known) > 1 else "write.one_notation"
        expected = Fact(code, names=known) if known else Fact("write.own_form")
        raise FormatError(format.name, Fact("place.notation", name=wanted), expected)
    return wanted
