"""Looks for mates in crowded positions, and plays each claim out against every defence.

    python -m tests.fuzz.mates --count 1000

Where ``go mate`` says that it is mate in so many moves, its move is played, and after every reply
it has to find a mate in one move less, down to a side without a legal move. So a claim that passes
is proved by the moves alone, whatever the search believes. The exit code is 1 if one does not.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import Final

from tests.fuzz.run import limited, make_parser, report
from tests.support.helpers import wild_boards
from xiangqi import Board
from xiangqi.engine import Engine, Limits, moves_to_mate

MOVES: Final = 6
CLAIM_NODES: Final = 30_000
PROOF_NODES: Final = 3_000_000


class Prover:
    """Claims mates, and proves them."""

    def __init__(self) -> None:
        self._engine = Engine()
        self._proved: dict[str, int] = {}  # by position: mate in so many moves at most

    def claim(self, board: Board, moves: int = MOVES, nodes: int = CLAIM_NODES) -> int | None:
        """The moves of the mate that the engine sees."""
        result = self._engine.play(board, Limits(mate=moves, nodes=nodes))
        found = moves_to_mate(result.score)
        return found if found is not None and 0 < found <= moves else None

    def flaw(self, board: Board, moves: int) -> Board | None:
        """Position on the way in which the engine misses the mate in the moves left; None if it is
        one.

        All searches begin with an empty table, so that none leans on the claim.
        """
        key = " ".join(board.fen().split()[:2])
        if self._proved.get(key, moves + 1) <= moves:
            return None
        self._engine.new_game()
        result = self._engine.play(board, Limits(mate=moves, nodes=PROOF_NODES))
        found = moves_to_mate(result.score)
        if found is None or not 0 < found <= moves or result.best is None:
            return board.copy()
        board.push(result.best)
        flaw = self._flaw_of_reply(board, found - 1)
        board.pop()
        if flaw is None:
            self._proved[key] = found
        return flaw

    def _flaw_of_reply(self, board: Board, moves: int) -> Board | None:
        for reply in board.legal_moves:
            if moves == 0:
                return board.copy()
            board.push(reply)
            flaw = self.flaw(board, moves)
            board.pop()
            if flaw is not None:
                return flaw
        return None


def claims(seed: int) -> Iterator[tuple[Board, int, Board | None]]:
    """Mates without end that are claimed: the position, the moves, and where it is none."""
    prover = Prover()
    for board in wild_boards(random.Random(seed)):
        moves = prover.claim(board)
        if moves is not None and moves > 1:
            yield board, moves, prover.flaw(board.copy(), moves)


def main() -> int:
    """The program; the exit code."""
    parser = make_parser(__doc__, count=1000)
    options = parser.parse_args()
    by_moves: dict[int, int] = {}
    wrong = 0
    for board, moves, flaw in limited(claims(options.seed), options):
        by_moves[moves] = by_moves.get(moves, 0) + 1
        if flaw is not None:
            wrong += 1
            report(f"no mate in {moves}: {board.fen()}, by {flaw.fen()}")
    numbers = ", ".join(f"{count} in {moves}" for moves, count in sorted(by_moves.items()))
    print(f"{sum(by_moves.values())} mates ({numbers}), {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
