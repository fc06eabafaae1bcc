"""Checks the engine's rule for endings with a single attacking piece against solved tables.

    xiangqi tables make KNAABBvKAABB --rules wxf --folder tables
    python -m train.lone_attackers tables

Of each class, random quiet positions are counted: the defender is to move, neither side is in check
or has a capture, and mate is more than ``NEAR`` plies away. A class is won if the attacker wins at
least the share ``WON`` of them, and drawn if it wins less than ``DRAWN``. The exit code is 1 if a
class is neither, or if the engine's evaluation (``lone.pyx`` of the core) disagrees. Soldiers on
the last rank are counted separately. Only the chariot against all advisors and elephants is far
from both: theory calls it drawn, but some 45 % of its random positions are won, since the defenders
are scattered. ``DRAWN`` is set above that, for samples vary (26 won of 48 in one).
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from xiangqi.board import Board
from xiangqi.core.evaluator import wins_alone
from xiangqi.ground.errors import PositionError
from xiangqi.pieces import PAWN, RED, square_rank
from xiangqi.pieces.fen import Setup
from xiangqi.tables import Tablebase
from xiangqi.tables.classes import ATTACKERS, MaterialClass, parse_class
from xiangqi.tables.files import SUFFIX
from xiangqi.tables.making import random_positions

RULES: Final = "wxf"
NEAR: Final = 8
WON: Final = 0.95
DRAWN: Final = 0.6
LAST_RANK: Final = 9
TRIES: Final = 100
"""Maximum number of random positions for each one that counts."""


class Share(NamedTuple):
    """Results of the quiet positions of a class."""

    name: str
    won: int
    counted: int
    is_evaluated_as_won: bool

    @property
    def is_right(self) -> bool:
        """Does the evaluation agree with the tables?"""
        if self.is_evaluated_as_won:
            return self.won >= WON * self.counted
        return self.won < DRAWN * self.counted


def is_quiet(board: Board) -> bool:
    """Is there no check and no capture, whichever side is to move?"""
    if board.is_check():
        return False
    setup = board.setup()
    try:
        other = Board(Setup(setup.board, not setup.turn, 0, 1))
    except PositionError:
        return False
    return not any(side.is_capture(move) for side in (board, other) for move in side.legal_moves)


def quiet_positions(material: MaterialClass, rng: random.Random, count: int) -> Iterator[Board]:
    """Up to ``count`` quiet positions of a class with the defender, Black, to move."""
    tried = islice(random_positions(material, rng), TRIES * count)
    boards = (Board(board.setup()) for board in tried if board.turn != RED)
    yield from islice(filter(is_quiet, boards), count)


def count_won(
    tables: Tablebase, material: MaterialClass, count: int, seed: int = 1
) -> Iterator[Share]:
    """Count the won positions of a class, separately for soldiers on the last rank ("old")."""
    found: dict[str, list[tuple[bool, bool]]] = {}
    for board in quiet_positions(material, random.Random(seed), count):
        value = tables.probe(board, RULES)
        assert value is not None  # the class has a table
        if value.value and value.distance <= NEAR:
            continue
        ranks = [
            square_rank(square)
            for square, piece in board.piece_map().items()
            if piece.piece_type == PAWN
        ]
        name = f"{material.name}, old" if LAST_RANK in ranks else material.name
        found.setdefault(name, []).append((value.value < 0, bool(wins_alone(board))))
    for name, cases in sorted(found.items()):
        (is_evaluated_as_won,) = {evaluated for _, evaluated in cases}  # depends on the name alone
        yield Share(name, sum(won for won, _ in cases), len(cases), is_evaluated_as_won)


def main() -> int:
    """Check all tables of a folder; return the exit code."""
    parser = argparse.ArgumentParser(description="Count wins of single attackers in solved tables.")
    parser.add_argument("folder", type=Path, help="folder of tables under WXF rules")
    parser.add_argument(
        "--count", type=int, default=300, help="maximum number of positions of a class"
    )
    options = parser.parse_args()
    tables = Tablebase(options.folder)
    counted = wrong = 0
    for path in sorted(options.folder.glob(f"*.{RULES}{SUFFIX}")):
        material = parse_class(path.name.partition(".")[0])
        if material.strong[:1] not in tuple(ATTACKERS) or set(material.weak) & set(ATTACKERS):
            continue
        if set(material.strong[1:]) & set(ATTACKERS):
            continue
        for share in count_won(tables, material, options.count):
            verdict = "won" if share.is_evaluated_as_won else "drawn"
            remark = "" if share.is_right else "  WRONG"
            counts = f"{share.won:5} of {share.counted:5} won"
            print(f"{share.name:18}{counts}, evaluated as {verdict}{remark}")
            counted += 1
            wrong += not share.is_right
    if not counted:
        sys.exit(f"lone_attackers: no table with a single attacker in {str(options.folder)!r}")
    print(f"{wrong} of {counted} classes are evaluated wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
