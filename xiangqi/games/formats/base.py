"""Interface of all formats of game files: detection, reading and writing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Any, Final, Protocol

from xiangqi.errors import Fact, FormatError
from xiangqi.games.pgn import NOTATIONS, Notation, WriteOptions
from xiangqi.games.tree import Game

__all__ = [
    "DEFAULT_OPTIONS",
    "HEAD_SIZE",
    "MAX_GAME_SIZE",
    "NOTATIONS",
    "Format",
    "Notation",
    "WriteOptions",
    "choose_notation",
    "read_whole",
]

HEAD_SIZE: Final = 4096
"""Maximum size of the beginning of a file given to :meth:`Format.detects`."""

MAX_GAME_SIZE: Final = 1 << 24
"""Maximum size of a game in a binary format, in bytes."""

DEFAULT_OPTIONS: Final = WriteOptions()
"""Default options of each format, with nothing left out."""


class Format(Protocol):
    """A format of game files."""

    @property
    def name(self) -> str:
        """Name on the command line: ``pgn``."""

    @property
    def suffixes(self) -> tuple[str, ...]:
        """Endings of file names, with the dot; the usual one first."""

    @property
    def can_write(self) -> bool:
        """Can the format be written?"""

    @property
    def notations(self) -> tuple[Notation, ...]:
        """Notations of moves that it can write, the default first; empty if it has a form of its
        own."""

    @property
    def is_text(self) -> bool:
        """Is the format text, line by line?"""

    @property
    def single(self) -> bool:
        """Does a file hold one game only?"""

    def detects(self, head: bytes) -> bool:
        """Does a file that begins like this have the format?"""

    def split(self, data: IO[bytes], source: str) -> Iterator[Any]:
        """Cut a file into its games without reading them, one by one.

        The type of a game's data is the format's own. It can be pickled, so that
        :meth:`build` may read it in another process. ``source`` is the file's name, for messages.
        Raises FormatError where the file as a whole cannot be read.
        """

    def build(self, cut: Any, source: str, number: int) -> Game:
        """Read the game that :meth:`split` cut out as the file's ``number``-th, from 1.

        Unreadable parts are in its :attr:`~xiangqi.games.tree.Game.errors`.
        """

    def write(
        self, games: Iterable[Game], out: IO[bytes], options: WriteOptions = DEFAULT_OPTIONS
    ) -> None:
        """Write games one by one.

        Raises FormatError for a notation that is none of :attr:`notations`, before anything is
        written, and for a game with parts that the format cannot express, which it names; earlier
        games have been written by then.
        """


def read_whole(data: IO[bytes], source: str) -> bytes:
    """Rest of a file that holds one game; raises FormatError if it is too long."""
    content = data.read(MAX_GAME_SIZE + 1)
    if len(content) > MAX_GAME_SIZE:
        raise FormatError(source, "", Fact("file.bytes", most=MAX_GAME_SIZE))
    return content


def choose_notation(format: Format, options: WriteOptions) -> Notation | None:
    """Choose the notation to write in; None where a format has only a form of its own.

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
