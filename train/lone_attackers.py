"""Counts in solved tables what endings with one attacker come to, beside what the engine holds.

    xiangqi tables make KNAABBvKAABB --rules wxf --folder tables
    python -m train.lone_attackers tables

Of random positions of each class those are counted that are quiet: the defender is to move, nobody
is in check or can take anything, and no mate is nearer than ``NEAR`` plies. A class is won if the
attacker wins the share ``WON`` of them, and drawn if it wins less than ``DRAWN``. The exit code is
1 where a class is neither, or the engine's evaluation (``lone.pyx`` of the core) holds otherwise.
Soldiers on the last rank are counted by themselves. The one class between all and nearly nothing
is the chariot against all guards: some 45 % of its random positions are won, before the guards have
come together, and 26 of a sample of 48 were. ``DRAWN`` lies above that, as theory calls it drawn.
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
from xiangqi.errors import PositionError
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
"""Random positions tried for one that counts."""


class Share(NamedTuple):
    """The quiet positions of a class."""

    name: str
    won: int
    counted: int
    held_for_won: bool

    @property
    def is_right(self) -> bool:
        """Does the engine hold the class for what it is?"""
        return self.held_for_won == (self.won >= WON * self.counted) and (
            self.held_for_won or self.won < DRAWN * self.counted
        )


def is_quiet(board: Board) -> bool:
    """Is nobody in check, and nothing to be taken, with either side to move?"""
    if board.is_check():
        return False
    setup = board.setup()
    try:
        other = Board(Setup(setup.board, not setup.turn, 0, 1))
    except PositionError:
        return False
    return not any(side.is_capture(move) for side in (board, other) for move in side.legal_moves)


def quiet_positions(material: MaterialClass, rng: random.Random, count: int) -> Iterator[Board]:
    """Positions of a class with the defender, who is Black, to move; as many as are found."""
    tried = islice(random_positions(material, rng), TRIES * count)
    boards = (Board(board.setup()) for board in tried if board.turn != RED)
    yield from islice(filter(is_quiet, boards), count)


def count_won(
    tables: Tablebase, material: MaterialClass, count: int, seed: int = 1
) -> Iterator[Share]:
    """Share of a class that is won; of soldiers those that are old come second."""
    found: dict[str, list[tuple[bool, bool]]] = {}
    for board in quiet_positions(material, random.Random(seed), count):
        value = tables.probe(board, RULES)
        assert value is not None  # the class is there
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
        held = {held for _, held in cases}
        assert len(held) == 1  # pieces and age are all that the engine looks at
        yield Share(name, sum(won for won, _ in cases), len(cases), held.pop())


def main() -> int:
    """Count in all tables of a folder; the exit code."""
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
            verdict = "won" if share.held_for_won else "drawn"
            remark = "" if share.is_right else "  WRONG"
            print(f"{share.name:18}{share.won:5} of {share.counted:5} won: {verdict}{remark}")
            counted += 1
            wrong += not share.is_right
    if not counted:
        sys.exit(f"lone_attackers: no table of one attacker in {str(options.folder)!r}")
    print(f"{wrong} classes are held for what they are not")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
