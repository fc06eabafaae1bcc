"""Files of games of self-play, written game by game.

:mod:`xiangqi.games.formats.datagen` has their layout. Games stand in the order of their numbers, so
that a file can be gone on with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from xiangqi.errors import Fact, SampleError, outside
from xiangqi.files import find_change, open_to_append, write_all
from xiangqi.games.formats.datagen import GAMES, SelfplayGame, read_game

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["GAMES", "GameWriter", "SelfplayGame", "read_games"]


def read_games(path: Path) -> Iterator[SelfplayGame]:
    """The games of a file; what stands of a last one that is incomplete is passed over.

    Raises as :meth:`FileKind.read` does, and SampleError for a game that cannot be one.
    """
    for game, _ in _read_with_ends(path):
        yield game


def _read_with_ends(path: Path) -> Iterator[tuple[SelfplayGame, int]]:
    """Each game, and at which byte it ends."""
    _, place = GAMES.read(path)
    with path.open("rb") as file:
        file.seek(place)
        while True:
            try:
                game = read_game(file)
            except ValueError as error:
                why = Fact("sample.bad_game", place=place, error=outside(error))
                raise SampleError(str(path), why) from error
            if game is None:
                return
            place = file.tell()
            yield game, place


class GameWriter:
    """A file of games that is written game by game; a context manager.

    ``resume`` continues an existing file, without an incomplete last game; otherwise ``replace``
    overwrites it. Raises SampleError if a file to continue holds no games or was made with other
    settings, and FormatError if the file exists and neither is given.
    """

    def __init__(
        self,
        path: Path,
        facts: Mapping[str, Any],
        *,
        resume: bool = False,
        replace: bool = False,
    ) -> None:
        self.games = 0
        """The number of the game that comes next."""
        self.positions = 0
        """Number of quiet positions in the file."""
        is_continued = resume and path.exists()
        self._file = open_to_append(path, resume=resume, replace=replace)
        try:
            end = self._count(path, facts) if is_continued else 0
        except BaseException:
            self._file.close()
            raise
        self._file.truncate(end)
        self._file.seek(end)
        if not is_continued:
            write_all(self._file, GAMES.pack(facts))

    def _count(self, path: Path, facts: Mapping[str, Any]) -> int:
        """Take up what a file holds; where its last whole game ends."""
        found, end = GAMES.read(path)
        _check_same(path, found, facts)
        for game, place in _read_with_ends(path):
            self.games = game.number + 1
            self.positions += game.quiet
            end = place
        return end

    def add(self, game: SelfplayGame) -> None:
        """Write the next game, which must bear its number."""
        write_all(self._file, game.pack())
        self.games += 1
        self.positions += game.quiet

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _check_same(path: Path, found: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
    """Raise SampleError unless a file was made with the same settings."""
    name = find_change(found, facts)
    if name is not None:
        values = {"name": name, "was": found.get(name), "now": facts.get(name)}
        raise SampleError(str(path), Fact("sample.changed", **values))
