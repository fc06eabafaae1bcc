"""CHE, records of QQ's Xiangqi (QQ 象棋): numbers with blanks between; read only.

    1 2 26 32 1 2 1 2 4 0 1 0 6 32 0 9 7 7 6 0 2 0

The second number is that of the moves, and ten numbers follow for each: the number of the piece,
32, the side (1 for Red), rank and file of both squares with a 0 behind them, the number of the move
from 1, and 0. Ranks are counted from 0 at Red's side, files from 0 at Red's right. A record begins
in the starting position of Xiangqi and has neither names nor a result.

The layout is that of vschess (``moveListToData_QQ``, ``dataToNode_QQNew``), whose numbers of Red's
pieces differ from those of the program; they are not needed. A record does not show at which side
files begin, since a game from the starting position can be reflected.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Final

from xiangqi.core.move import Move
from xiangqi.games.formats.base import OneGameFormat
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact
from xiangqi.ground.lines import decode_line
from xiangqi.pieces import square

__all__ = ["CHE"]

_BEGINNING: Final = re.compile(rb"\s*\d+\s+\d+\s+\d+\s+32\s+[01](?:\s+\d){4}\s+0\s+1\s+0(?:\s|\Z)")
_SIZE: Final = 10
"""Number of numbers of a move."""
_MOVE: Final = re.compile(r"\d{1,2} 32 [01] (\d) ([0-8]) (\d) ([0-8]) 0 \d{1,9} 0", re.ASCII)


class CheFormat(OneGameFormat):
    """The format CHE; see the module."""

    name = "che"
    suffixes = (".che",)

    def detects(self, head: bytes) -> bool:
        return _BEGINNING.match(head) is not None

    def build(self, cut: bytes, source: str, number: int) -> Game:
        builder = GameBuilder(source, number)
        builder.game.headers["Result"] = "*"
        words = decode_line(cut).split()
        stated, words = words[1:2], words[2:]
        moves = [" ".join(words[place : place + _SIZE]) for place in range(0, len(words), _SIZE)]
        if not _play(builder, moves):
            return builder.game
        if stated != [str(len(moves))]:
            text = stated[0] if stated else ""
            builder.add_error(text, Fact("che.moves", found=len(moves)))
        return builder.game


CHE: Final = CheFormat()
"""The format of CHE, as in :data:`xiangqi.games.formats.FORMATS`."""


def _play(builder: GameBuilder, moves: Sequence[str]) -> bool:
    """Play the moves of a record; return whether all could be played."""
    for place, text in enumerate(moves):
        found = _MOVE.fullmatch(text)
        rank, file, to_rank, to_file = map(int, found.groups()) if found else (0, 0, 0, 0)
        rest = partial(" ".join, moves[place:])
        if (rank, file) == (to_rank, to_file):
            builder.add_error(text, Fact("che.move"), place + 1, rest())
            return False
        move = Move(square(8 - file, rank), square(8 - to_file, to_rank))
        if not builder.add_move(move, "", rest, len(moves) - place - 1):
            return False
    return True
