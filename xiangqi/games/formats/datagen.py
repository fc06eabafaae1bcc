"""Self-play files: their header, packed positions, and the games of ``xiangqi datagen``.

A header is a magic of eight bytes, the version and the length of the rest (two unsigned 32-bit
numbers, little-endian), and a JSON object with the settings of the run. A position is 29 bytes, see
:mod:`xiangqi.selfplay.samples`.

A file of games, written by :mod:`xiangqi.selfplay.samples`, has each move with the score of the
search that chose it. A game takes about five bytes a position, a seventh of the size of its
samples, and can be scored and filtered again. The file is a header (with the magic ``MEIHUAGM``)
and packed games, little-endian:

====== ===== ==========================================================================
offset bytes
====== ===== ==========================================================================
0      4     number of the game
4      2     number of moves
6      2     number of moves before the engine's first one
8      2     number of quiet positions (:mod:`xiangqi.selfplay.samples`)
10     1     result: 2 Red has won, 1 a draw, 0 Black has won
11     29    starting position, as in a sample: occupancy, pieces, side to move
40     2 n   moves: from-square * 128 + to-square
..     2 m   scores, signed centipawns of the side to move, one for each move of the engine
====== ===== ==========================================================================

Games are in the order of their numbers, so that a run can be resumed.
"""

from __future__ import annotations

import json
import struct
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.errors import Fact, FormatError, SampleError, XiangqiError, outside
from xiangqi.games.comments import Eval, put_eval
from xiangqi.games.formats.base import ReadOnlyFormat
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.tree import Game
from xiangqi.pieces import RED, SQUARES
from xiangqi.pieces.fen import Setup, format_fen

__all__ = [
    "DATAGEN",
    "GAMES",
    "SETUP_SIZE",
    "FileKind",
    "SelfplayGame",
    "pack_setup",
    "read_game",
    "unpack_setup",
]

_PROLOGUE: Final = struct.Struct("<8sII")
_MAX_HEADER: Final = 1 << 20
_SETUP: Final = struct.Struct("<12s16sB")
SETUP_SIZE: Final = _SETUP.size
"""Size of a packed position in bytes."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """Magic and version of a kind of file."""

    magic: bytes
    version: int

    def pack(self, settings: Mapping[str, Any]) -> bytes:
        """Make the header of a file."""
        header = json.dumps(settings, ensure_ascii=False, sort_keys=True).encode()
        return _PROLOGUE.pack(self.magic, self.version, len(header)) + header

    def read(self, path: Path) -> tuple[dict[str, Any], int]:
        """Read the settings in the header of a file, and the offset of the data after it.

        Raises SampleError if the file is of another kind, OSError if it cannot be read.
        """
        with path.open("rb") as file:
            return self.read_from(file, str(path))

    def read_from(self, file: IO[bytes], name: str) -> tuple[dict[str, Any], int]:
        """Read the header of an open file, as :meth:`read` does."""
        prologue = file.read(_PROLOGUE.size)
        if not prologue.startswith(self.magic) or len(prologue) < _PROLOGUE.size:
            raise SampleError(name, Fact("sample.begins", found=prologue[:8], magic=self.magic))
        _, version, length = _PROLOGUE.unpack(prologue)
        if version != self.version:
            raise SampleError(name, Fact("sample.version", found=version, known=self.version))
        text = file.read(min(length, _MAX_HEADER))
        try:
            header = json.loads(text)
        except (ValueError, RecursionError) as error:
            why = Fact("sample.no_json", header=text, error=str(error))
            raise SampleError(name, why) from error
        if len(text) < length or not isinstance(header, dict):
            raise SampleError(name, Fact("sample.header", header=text, size=length))
        return header, _PROLOGUE.size + length


def pack_setup(setup: Setup) -> bytes:
    """Pack the pieces and the side to move."""
    board = setup.board
    occupancy = sum(1 << square for square, code in enumerate(board) if code)
    pieces = sum(code << 4 * place for place, code in enumerate(filter(None, board)))
    return _SETUP.pack(occupancy.to_bytes(12, "little"), pieces.to_bytes(16, "little"), setup.turn)


def unpack_setup(data: bytes) -> Setup:
    """Inverse of :func:`pack_setup`; ValueError for invalid bytes."""
    occupied, codes, turn = _SETUP.unpack(data)
    if turn > 1:
        raise XiangqiError(Fact("text.bad_turn", turn=turn))
    occupancy = int.from_bytes(occupied, "little")
    pieces = int.from_bytes(codes, "little")
    board = bytearray(len(SQUARES))
    for square in SQUARES:
        if occupancy >> square & 1:
            board[square] = pieces & 15
            pieces >>= 4
    return Setup(bytes(board), bool(turn))


GAMES: Final = FileKind(b"MEIHUAGM", 1)

_RESULTS: Final = ("0-1", "1/2-1/2", "1-0")
_HEAD: Final = struct.Struct(f"<IHHHB{SETUP_SIZE}s")


class SelfplayGame(NamedTuple):
    """A game of self-play."""

    number: int
    start: Setup
    """Pieces and side to move; counters are not stored."""
    moves: Sequence[Move]
    scores: Sequence[int]
    """Scores of the engine's moves, which are the last ones, in centipawns of the side to move."""
    result: int
    """Result: 2 Red has won, 1 a draw, 0 Black has won."""
    quiet: int
    """Number of quiet positions."""

    def pack(self) -> bytes:
        """Pack the game."""
        unsearched = len(self.moves) - len(self.scores)
        counts = (self.number, len(self.moves), unsearched, self.quiet)
        head = _HEAD.pack(*counts, self.result, pack_setup(self.start))
        moves = (move.from_square << 7 | move.to_square for move in self.moves)
        return head + _pack_numbers("H", moves) + _pack_numbers("h", self.scores)

    def boards(self) -> Iterator[tuple[Board, Move, int]]:
        """Iterate over the searched positions with the move played and its score.

        The board is always the same object.
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


def read_game(file: IO[bytes]) -> SelfplayGame | None:
    """Read the next game of a file; None at its end or if the rest is incomplete.

    Raises ValueError, the base of all errors of the package, for an invalid game.
    """
    return _read_after(file.read(_HEAD.size), file)


def _read_after(head: bytes, file: IO[bytes]) -> SelfplayGame | None:
    """Read the rest of a game after its head."""
    if len(head) < _HEAD.size:
        return None
    number, moves, unsearched, quiet, result, start = _HEAD.unpack(head)
    if unsearched > moves or result > 2:
        counts = {"result": result, "unsearched": unsearched, "moves": moves}
        raise XiangqiError(Fact("text.bad_count", **counts))
    layout = struct.Struct(f"<{moves}H{moves - unsearched}h")
    data = file.read(layout.size)
    if len(data) < layout.size:
        return None
    numbers = layout.unpack(data)
    played = [Move(code >> 7, code & 127) for code in numbers[:moves]]
    return SelfplayGame(number, unpack_setup(start), played, numbers[moves:], result, quiet)


class _Cut(NamedTuple):
    """Game cut out of a file."""

    played: SelfplayGame | None
    """The game; None if the file breaks off within it."""
    player: str


class DatagenFormat(ReadOnlyFormat):
    """The format of self-play games; see the module."""

    name = "datagen"
    suffixes = (".games",)
    is_text = False
    single = False

    def detects(self, head: bytes) -> bool:
        """Does the file begin with the magic?"""
        return head.startswith(GAMES.magic)

    def split(self, data: IO[bytes], source: str) -> Iterator[_Cut]:
        """Cut a file into its games; see :class:`~xiangqi.games.formats.base.Format`."""
        try:
            settings, _ = GAMES.read_from(data, source)
        except SampleError as error:
            raise FormatError(source, "", error.why) from error
        player = f"Meihua {settings.get('version', '')}".strip()
        number = 0
        while head := data.read(_HEAD.size):
            number += 1
            try:
                yield _Cut(_read_after(head, data), player)
            except ValueError as error:
                place = Fact("place.game", number=number)
                raise FormatError(source, place, outside(error)) from error

    def build(self, cut: _Cut, source: str, number: int) -> Game:
        """Read a game; see :class:`~xiangqi.games.formats.base.Format`."""
        builder = GameBuilder(source, number)
        if cut.played is None:
            builder.add_error("", Fact("text.breaks_off"))
        else:
            _build(cut.played, cut.player, builder)
        return builder.game


DATAGEN: Final = DatagenFormat()
"""The format of self-play games, as in :data:`xiangqi.games.formats.FORMATS`."""


def _build(played: SelfplayGame, player: str, builder: GameBuilder) -> None:
    """Build the moves, with the scores as evaluations from Red's point of view."""
    builder.set_start(format_fen(played.start))
    headers = {"Round": str(played.number), "Red": player, "Black": player}
    builder.game.headers.update(headers, Result=_RESULTS[played.result])
    unsearched = len(played.moves) - len(played.scores)
    for ply, move in enumerate(played.moves):
        mover = None if builder.board is None else builder.board.turn
        rest = " ".join(one.iccs() for one in played.moves[ply:])
        if not builder.add_move(move, rest=rest, following=len(played.moves) - ply - 1):
            return
        if ply >= unsearched:
            score = played.scores[ply - unsearched]
            builder.node.comment = put_eval("", Eval(score if mover == RED else -score))
