"""Files of self-play: whole games, each move with the score of the search that chose it.

A game costs about five bytes a position, a seventh of what its samples do, and can be scored and
filtered anew. A file is a header (:mod:`xiangqi.selfplay.header`, the magic is ``MEIHUAGM``) and
then games until its end, each packed, little-endian:

====== ===== ==========================================================================
offset bytes
====== ===== ==========================================================================
0      4     the number of the game
4      2     how many moves it has
6      2     how many of these were played before the engine was asked
8      2     how many of its positions are quiet (:mod:`xiangqi.selfplay.quiet`)
10     1     the result: 2 Red has won, 1 a draw, 0 Black has won
11     29    where it begins, as in a sample: occupancy, pieces, side to move
40     2 n   the moves: from-square * 128 + to-square
..     2 m   the scores, signed centipawns of the side to move: one for each move of the engine
====== ===== ==========================================================================

Games stand in the order of their numbers, so that a file can be gone on with.
"""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.errors import SampleError, XiangqiError, reason_of
from xiangqi.fen import Setup
from xiangqi.files import exists_error
from xiangqi.selfplay.header import FileKind, check_same
from xiangqi.selfplay.samples import SETUP_SIZE, pack_setup, unpack_setup

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["GAMES", "GameWriter", "PlayedGame", "read_games"]

GAMES: Final = FileKind(b"MEIHUAGM", 1)

_HEAD: Final = struct.Struct(f"<IHHHB{SETUP_SIZE}s")


class PlayedGame(NamedTuple):
    """A game of the engine with itself."""

    number: int
    start: Setup
    """Placement and side to move; the counters are not kept."""
    moves: Sequence[Move]
    scores: Sequence[int]
    """Of the last moves, in centipawns of the side to move; those before were not searched."""
    result: int
    """2 Red has won, 1 a draw, 0 Black has won."""
    quiet: int
    """How many of its positions are quiet."""

    def pack(self) -> bytes:
        """The game as it stands in a file."""
        unsearched = len(self.moves) - len(self.scores)
        head = _HEAD.pack(
            self.number,
            len(self.moves),
            unsearched,
            self.quiet,
            self.result,
            pack_setup(self.start),
        )
        moves = (move.from_square << 7 | move.to_square for move in self.moves)
        return head + _pack_numbers("H", moves) + _pack_numbers("h", self.scores)

    def boards(self) -> Iterator[tuple[Board, Move, int]]:
        """Each position that was searched, the move played there, and its score.

        The board is one and the same, moved on.
        """
        board = Board(self.start)
        unsearched = len(self.moves) - len(self.scores)
        for move in self.moves[:unsearched]:
            board.push(move)
        for move, score in zip(self.moves[unsearched:], self.scores, strict=True):
            yield board, move, score
            board.push(move)


def _pack_numbers(kind: str, numbers: Any) -> bytes:
    packed = array(kind, numbers)
    return struct.pack(f"<{len(packed)}{kind}", *packed)


def _read_game(file: IO[bytes]) -> PlayedGame | None:
    """The next game of a file; None at its end or where the rest is no whole game."""
    head = file.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    number, moves, unsearched, quiet, result, start = _HEAD.unpack(head)
    if unsearched > moves or result > 2:
        raise ValueError(f"result {result}, {unsearched} of {moves} moves not searched")
    layout = struct.Struct(f"<{moves}H{moves - unsearched}h")
    data = file.read(layout.size)
    if len(data) < layout.size:
        return None
    numbers = layout.unpack(data)
    played = [Move(code >> 7, code & 127) for code in numbers[:moves]]
    return PlayedGame(number, unpack_setup(start), played, numbers[moves:], result, quiet)


def read_games(path: Path) -> Iterator[PlayedGame]:
    """The games of a file; what stands of a last one that is incomplete is passed over.

    Raises as :meth:`FileKind.read` does, and SampleError for a game that cannot be one.
    """
    for game, _ in _read_with_ends(path):
        yield game


def _read_with_ends(path: Path) -> Iterator[tuple[PlayedGame, int]]:
    """Each game, and at which byte it ends."""
    _, place = GAMES.read(path)
    with path.open("rb") as file:
        file.seek(place)
        while True:
            try:
                game = _read_game(file)
            except (ValueError, XiangqiError) as error:
                raise SampleError(str(path), f"game at byte {place}: {error}") from error
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
        """How many quiet ones the file holds."""
        is_continued = resume and path.exists()
        if path.exists() and not (resume or replace):
            raise exists_error(path, resumable=True)
        end = self._count(path, facts) if is_continued else 0
        try:
            self._file = path.open("r+b" if is_continued else "w+b" if replace else "x+b")
        except OSError as error:
            raise SampleError(str(path), reason_of(error)) from error
        self._file.truncate(end)
        self._file.seek(end)
        if not is_continued:
            self._file.write(GAMES.pack(facts))
            self._file.flush()

    def _count(self, path: Path, facts: Mapping[str, Any]) -> int:
        """Take up what a file holds; where its last whole game ends."""
        found, end = GAMES.read(path)
        check_same(path, found, facts)
        for game, place in _read_with_ends(path):
            self.games = game.number + 1
            self.positions += game.quiet
            end = place
        return end

    def add(self, game: PlayedGame) -> None:
        """Write the next game, which must bear its number."""
        self._file.write(game.pack())
        self._file.flush()
        self.games += 1
        self.positions += game.quiet

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
