"""Lines of engine protocols, one game each: ``position fen F moves ...``.

They hold a starting position and moves in coordinates, nothing else. Ranks may count from 0 (UCCI)
or from 1 (UCI of Fairy-Stockfish), the same on all of a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import IO, Final

from xiangqi.errors import FormatError
from xiangqi.fen import STARTING_FEN
from xiangqi.games.formats.base import DEFAULT_OPTIONS, Notation, WriteOptions, choose_notation
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.line import build_line, find_losses, play_line, split_lines
from xiangqi.games.record import parse_position
from xiangqi.games.tree import Game
from xiangqi.lines import FaultyText
from xiangqi.notation import RankBase, format_coordinates

__all__ = ["POSITIONS", "PositionsFormat"]

_BEGINNING: Final = re.compile(rb"\s*(?:position\s+)?(?:startpos\b|fen\s)")


class PositionsFormat:
    """Position lines of UCCI and UCI."""

    name = "positions"
    suffixes = (".ucci", ".uci")
    can_write = True
    notations: tuple[Notation, ...] = ("iccs", "uci")
    is_text = True
    single = False

    def detects(self, head: bytes) -> bool:
        """Does it begin like such a line?"""
        return _BEGINNING.match(head.removeprefix(b"\xef\xbb\xbf")) is not None

    def split(self, data: IO[bytes], source: str) -> Iterator[FaultyText]:
        """Each line is a game; see :func:`~xiangqi.games.formats.line.split_lines`."""
        return split_lines(data, source)

    def build(self, cut: FaultyText, source: str, number: int) -> Game:
        """Read a line; see :class:`~xiangqi.games.formats.base.Format`."""
        return build_line(cut, source, number, _read_line)

    def write(
        self, games: Iterable[Game], out: IO[bytes], options: WriteOptions = DEFAULT_OPTIONS
    ) -> None:
        """Write games one by one, in coordinates as UCCI's or, on request, UCI's.

        Raises FormatError for a game with headers, comments, marks or variations.
        """
        base: RankBase = 1 if choose_notation(self, options) == "uci" else 0
        for game in games:
            losses = find_losses(game, headers=True)
            if losses and not options.lossy:
                raise FormatError(self.name, "", f"it would lose {losses}")
            moves = [format_coordinates(move, base) for move in game.moves()]
            start = "startpos" if game.fen == STARTING_FEN else f"fen {game.fen}"
            line = " ".join(["position", start, *(["moves"] if moves else []), *moves])
            out.write(f"{line}\n".encode(options.encoding))


def _read_line(builder: GameBuilder, line: str) -> None:
    record = parse_position(line)
    if record.fen != STARTING_FEN:
        builder.set_start(record.fen)
    play_line(builder, record.moves)


POSITIONS: Final = PositionsFormat()
