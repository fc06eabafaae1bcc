"""Files of ``xiangqi datagen``: games of self-play, each move with the score of the search that
chose it; written by :mod:`xiangqi.selfplay.games`.

A game costs about five bytes a position, a seventh of what its samples do, and can be scored and
filtered anew. A file is a header (:mod:`xiangqi.games.formats.packing`, the magic is
``MEIHUAGM``) and then games until its end, each packed, little-endian:

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
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any, Final, NamedTuple

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.errors import FormatError, SampleError
from xiangqi.fen import Setup, format_fen
from xiangqi.games.evals import Eval, put_eval
from xiangqi.games.formats.base import DEFAULT_OPTIONS, Notation, WriteOptions
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.packing import SETUP_SIZE, FileKind, pack_setup, unpack_setup
from xiangqi.games.tree import Game
from xiangqi.pieces import RED

__all__ = ["DATAGEN", "GAMES", "PlayedGame", "read_game"]

GAMES: Final = FileKind(b"MEIHUAGM", 1)

_RESULTS: Final = ("0-1", "1/2-1/2", "1-0")
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


def read_game(file: IO[bytes]) -> PlayedGame | None:
    """The next game of a file; None at its end or where the rest is no whole game.

    Raises ValueError, which all errors of the package are, for what cannot be a game.
    """
    return _read_behind(file.read(_HEAD.size), file)


def _read_behind(head: bytes, file: IO[bytes]) -> PlayedGame | None:
    """The game whose first bytes have been read."""
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


class _Cut(NamedTuple):
    """A game, unread."""

    played: PlayedGame | None
    """None where the file breaks off within it."""
    player: str


class DatagenFormat:
    """Files of games of self-play; see the module."""

    name = "datagen"
    suffixes = (".games",)
    can_write = False
    notations: tuple[Notation, ...] = ()
    is_text = False
    single = False

    def detects(self, head: bytes) -> bool:
        """Does it begin with the magic?"""
        return head.startswith(GAMES.magic)

    def split(self, data: IO[bytes], source: str) -> Iterator[_Cut]:
        """Cut a file into its games; see :class:`~xiangqi.games.formats.base.Format`."""
        try:
            facts, _ = GAMES.read_from(data, source)
        except SampleError as error:
            raise FormatError(source, "", error.why) from error
        player = f"Meihua {facts.get('version', '')}".strip()
        number = 0
        while head := data.read(_HEAD.size):
            number += 1
            try:
                yield _Cut(_read_behind(head, data), player)
            except ValueError as error:
                raise FormatError(source, f"game {number}", str(error)) from error

    def build(self, cut: _Cut, source: str, number: int) -> Game:
        """Read a game; see :class:`~xiangqi.games.formats.base.Format`."""
        builder = GameBuilder(source, number)
        if cut.played is None:
            builder.add_error("", "the file breaks off within the game")
        else:
            _build(cut.played, cut.player, builder)
        return builder.game

    def write(
        self, games: Iterable[Game], out: IO[bytes], options: WriteOptions = DEFAULT_OPTIONS
    ) -> None:
        """Raise FormatError: the format is only read."""
        raise FormatError(self.name, "", "this format can be read, but not written")


DATAGEN: Final = DatagenFormat()
"""The format."""


def _build(played: PlayedGame, player: str, builder: GameBuilder) -> None:
    """The moves with the scores as evaluations, from Red's side as comments have them."""
    builder.set_start(format_fen(played.start))
    builder.game.headers.update(
        {
            "Round": str(played.number),
            "Red": player,
            "Black": player,
            "Result": _RESULTS[played.result],
        }
    )
    unsearched = len(played.moves) - len(played.scores)
    for ply, move in enumerate(played.moves):
        mover = None if builder.board is None else builder.board.turn
        rest = " ".join(one.iccs() for one in played.moves[ply:])
        if not builder.add_move(move, rest=rest, following=len(played.moves) - ply - 1):
            return
        if ply >= unsearched:
            score = played.scores[ply - unsearched]
            builder.node.comment = put_eval("", Eval(score if mover == RED else -score))
