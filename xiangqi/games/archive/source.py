"""The games of many files in one row, unread, and in batches for the workers."""

from __future__ import annotations

import os
from collections.abc import Generator, Iterator, Sequence
from typing import IO, Final, NamedTuple, TypeAlias

from xiangqi.errors import XiangqiError
from xiangqi.files import STANDARD, name_input, open_input
from xiangqi.games.formats import CutGame, cut_games
from xiangqi.words import Language
from xiangqi.words.faults import say_error

__all__ = ["Archive", "Item", "Unread", "make_batches"]

BATCH_GAMES: Final = 128
"""Games in a batch, at most: some dozen milliseconds of work."""
BATCH_BYTES: Final = 1 << 18
"""How much of the files a batch may take up before it is full, where games are long."""


class Unread(NamedTuple):
    """What could not be ruled on at all: a file, the rest of one, or a game."""

    source: str
    number: int | None
    """The game's place in the file; None for the file."""
    why: str
    error: XiangqiError | None = None

    def say(self, language: Language) -> str:
        """Why, in a language, as far as it is known there."""
        return self.why if self.error is None else say_error(language, self.error)


Item: TypeAlias = CutGame | Unread


class Archive:
    """The games of some files, in the order of the files; an iterator, to be used once.

    The name ``-`` stands for standard input. A file that cannot be read, or not to its end, is
    one :class:`Unread` among them.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self.size = sum(map(_size, names))
        """Bytes of all files."""
        self.files = len(names)
        """How many files there are."""
        self.done = 0
        """How many of them have been read to their end."""
        self._behind = 0
        self._file: IO[bytes] | None = None
        self._items = self._read(names)

    def __iter__(self) -> Iterator[Item]:
        return self

    def __next__(self) -> Item:
        return next(self._items)

    def close(self) -> None:
        """Close the file that is being read; nothing comes any more."""
        self._items.close()

    @property
    def position(self) -> int:
        """How many bytes of the files have been read; a pipe does not tell, and counts as none."""
        file = self._file
        return self._behind + (file.tell() if file is not None and file.seekable() else 0)

    def _read(self, names: Sequence[str]) -> Generator[Item, None, None]:
        for name in names:
            unread, source = None, name_input(name)
            try:
                with open_input(name) as self._file:
                    yield from cut_games(self._file, source=source)
            except XiangqiError as error:
                unread = Unread(source, None, str(error), error)
            except OSError as error:
                unread = Unread(source, None, str(error))
            self._file = None
            self._behind += _size(name)
            self.done += 1
            if unread is not None:
                yield unread


def _size(name: str) -> int:
    try:
        return 0 if name == STANDARD else os.stat(name).st_size
    except OSError:
        return 0


def make_batches(archive: Archive, most: int = BATCH_GAMES) -> Iterator[tuple[Item, ...]]:
    """Put the games of an archive into batches of so many, fewer where they are long."""
    batch: list[Item] = []
    start = archive.position
    for item in archive:
        batch.append(item)
        if len(batch) >= most or archive.position - start >= BATCH_BYTES:
            yield tuple(batch)
            batch, start = [], archive.position
    if batch:
        yield tuple(batch)
