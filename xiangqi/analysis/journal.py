"""Journal of a run, from which an interrupted run continues.

A journal is a file of JSON lines beside the output, ``OUT.part``: first the request, then a line
for each game as soon as it is done, in any order. In the end the output is made from it, in the
order of the games, and the journal is deleted.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from xiangqi.errors import Fact, FormatError
from xiangqi.files import Journal

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
    """The journal of one run. Any thread may write to it.

    ``resume`` continues an existing journal, otherwise ``replace`` empties it. Raises FormatError
    if it exists and neither is given, if it belongs to another run, and if it cannot be opened.
    """

    def __init__(
        self, path: Path, request: dict[str, Any], *, resume: bool = False, replace: bool = False
    ) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._starts: dict[int, int] = {}  # offsets of the lines of the games
        self._names: dict[int, str] = {}
        self._file = Journal(path, resume=resume, replace=replace)
        try:
            self._begin(request)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, request: dict[str, Any]) -> None:
        is_empty = True
        for number, start, line in self._file.lines():
            is_empty = False
            try:
                data = json.loads(line)
                if number > 1:
                    done = Done(**data)
                    self._starts[done.place] = start
                    self._names[done.place] = _name(done.source, done.game)
            except (ValueError, TypeError) as error:
                why = Fact("file.no_journal_line", error=str(error))
                raise FormatError(str(self.path), Fact("place.line", line=number), why) from error
            if number == 1 and data != request:
                why = Fact("file.other_run", found=str(data), asked=str(request))
                raise FormatError(str(self.path), "", why)
        if is_empty:
            self._write(request)

    def _write(self, data: dict[str, Any]) -> int:
        return self._file.append_text(f"{json.dumps(data)}\n")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._starts)

    def has(self, place: int, source: str, game: int | None) -> bool:
        """Is this game done? Raises FormatError if another one was at its place."""
        name = self._names.get(place)
        if name is not None and name != _name(source, game):
            now = _name(source, game)
            why = Fact("file.other_game", found=name, place=place + 1, now=now)
            raise FormatError(str(self.path), "", why)
        return place in self._starts

    def add(self, done: Done) -> bool:
        """Keep the result of a game; False if there is one already. Raises OSError."""
        with self._lock:
            if done.place in self._starts:
                return False
            self._starts[done.place] = self._write(done._asdict())
            return True

    def read(self) -> Iterator[Done]:
        """Iterate over the finished games in order. Others may be added meanwhile."""
        with self._lock:
            starts = [start for _, start in sorted(self._starts.items())]
        for start in starts:
            with self._lock:
                data = self._file.read_at(start)
            yield Done(**data)


def _name(source: str, game: int | None) -> str:
    return source if game is None else f"{source}:{game}"
