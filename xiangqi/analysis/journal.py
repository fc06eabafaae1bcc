"""Journal of a run, from which an interrupted run continues.

A journal is a file of JSON lines beside the output, ``OUT.part``: first the request, then a line
for each game as soon as it is done, in any order. In the end the output is made from it, in the
order of the games, and the journal is deleted.
"""

from __future__ import annotations

import io
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from xiangqi.errors import FormatError, reason_of
from xiangqi.facts import Fact
from xiangqi.files import exists_error, lock_file, open_output

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["AnalysisJournal", "Done"]


class Done(NamedTuple):
    """Result of a game."""

    place: int
    """Its place among all games of the archive, from 0."""
    source: str
    game: int | None
    """Its number in its file; None for a file that cannot be read."""
    text: str
    """Text for the output; nothing for what is no game."""
    problems: list[str]
    puzzles: list[dict[str, Any]]
    plies: int


class AnalysisJournal:
    """The journal of one run. Any thread may write into it.

    ``resume`` continues an existing journal, otherwise ``replace`` starts it anew. Raises
    FormatError if it exists and neither is given, if it belongs to another run, or if none can be
    made.
    """

    def __init__(
        self, path: Path, asked: dict[str, Any], *, resume: bool = False, replace: bool = False
    ) -> None:
        self.path = path
        self._turn = threading.Lock()
        self._places: dict[int, int] = {}  # where the lines of the games begin
        self._names: dict[int, str] = {}
        is_there = path.exists()
        if is_there and not (resume or replace):
            raise exists_error(path, resumable=True)
        try:
            self._file: IO[bytes] = io.BufferedRandom(open_output(path, "r+" if is_there else "x+"))
        except OSError as error:
            raise FormatError(str(path), "", reason_of(error)) from error
        if not lock_file(self._file):
            self._file.close()
            raise FormatError(str(path), "", Fact("file.writing"))
        try:
            if not resume:
                self._file.truncate()
            self._begin(asked)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, asked: dict[str, Any]) -> None:
        """Read what is there; a last line that is not complete is cut off."""
        length = 0
        for number, line in enumerate(self._file, start=1):
            if not line.endswith(b"\n"):
                break
            try:
                data = json.loads(line)
                if number > 1:
                    done = Done(**data)
                    self._places[done.place] = length
                    self._names[done.place] = _name(done.source, done.game)
            except (ValueError, TypeError) as error:
                why = Fact("file.no_journal_line", error=str(error))
                raise FormatError(str(self.path), Fact("place.line", line=number), why) from error
            if number == 1 and data != asked:
                why = Fact("file.other_run", found=str(data), asked=str(asked))
                raise FormatError(str(self.path), "", why)
            length += len(line)
        self._file.truncate(length)
        self._file.seek(length)
        if not length:
            self._write(asked)

    def _write(self, data: dict[str, Any]) -> None:
        self._file.write(json.dumps(data).encode() + b"\n")
        self._file.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._places)

    def has(self, place: int, source: str, game: int | None) -> bool:
        """Is this game done? Raises FormatError where another one was at its place."""
        name = self._names.get(place)
        if name is not None and name != _name(source, game):
            now = _name(source, game)
            why = Fact("file.other_game", found=name, place=place + 1, now=now)
            raise FormatError(str(self.path), "", why)
        return place in self._places

    def add(self, done: Done) -> bool:
        """Keep what became of a game; False if that is kept already. Raises OSError."""
        with self._turn:
            if done.place in self._places:
                return False
            start = self._file.seek(0, 2)
            self._write(done._asdict())
            self._places[done.place] = start
            return True

    def read(self) -> Iterator[Done]:
        """The games that are done by now, in their order. Others may be added meanwhile."""
        with self._turn:
            starts = [start for _, start in sorted(self._places.items())]
        for start in starts:
            with self._turn:
                self._file.seek(start)
                line = self._file.readline()
            yield Done(**json.loads(line))


def _name(source: str, game: int | None) -> str:
    return source if game is None else f"{source}:{game}"
