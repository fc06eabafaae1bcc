"""The engine against itself on very short clocks: is every move legal, in time, and every end of
a game ruled alike by the core and the oracle?

    python -m tests.fuzz.selfplay --count 1000

Each game begins with some random moves; the size of the hash table, the number of threads and the
rule set of the search are drawn by lot. On a build with assertions a broken one ends the process.
A clock that ran out while the process did not have the processor is the machine's fault, not the
engine's; it is counted, and the game goes on. The exit code is 1 if anything was found.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.fuzz.agreement import differences
from tests.fuzz.cycles import position_line
from tests.fuzz.run import limited, make_parser
from xiangqi import BLACK, RED, Board, Outcome
from xiangqi.casebook.random_cycles import record_of_board
from xiangqi.engine import Clock, Engine, Limits

TIME_MS = 100
INCREMENT_MS = 8
OVERHEAD_MS = 1
RANDOM_PLIES = 12  # at most, before the engine takes over
MAX_PLIES = 400


class GameFailure(Exception):
    """Failure in a game."""


@dataclass
class SelfPlay:
    """Games of the engine against itself."""

    seed: int
    stolen: int = 0
    """Moves that were late because the machine was busy."""

    def __iter__(self) -> Iterator[tuple[Board, Outcome | None, str]]:
        """Games without end: the last position, the outcome, and what was wrong or nothing."""
        rng = Random(self.seed)
        engine = Engine()
        engine.set_option("move_overhead", OVERHEAD_MS)
        while True:
            engine.set_option("hash", rng.choice((1, 2, 16)))
            engine.set_option("threads", rng.choice((1, 1, 2)))
            engine.set_option("repetition", rng.choice(("wxf", "wxf", "checks-only", "all-draws")))
            board = _random_opening(rng)
            try:
                yield board, self._play(engine, board), ""
            except GameFailure as failure:
                yield board, None, str(failure)

    def _play(self, engine: Engine, board: Board) -> Outcome | None:
        """Play on to the end; raises GameFailure."""
        left = {RED: float(TIME_MS), BLACK: float(TIME_MS)}
        while (outcome := board.outcome()) is None and board.ply() < MAX_PLIES:
            clock = Clock(max(1, int(left[board.turn])), INCREMENT_MS)
            began, began_working = time.perf_counter(), time.process_time()
            move = engine.play(board, Limits(clock=clock)).best
            spent = (time.perf_counter() - began) * 1000
            worked = (time.process_time() - began_working) * 1000 / int(engine.options["threads"])
            if spent > left[board.turn]:
                if worked > left[board.turn]:
                    late = spent - left[board.turn]
                    raise GameFailure(f"late by {late:.1f} ms on ply {board.ply()}")
                self.stolen += 1
                spent = left[board.turn]
            left[board.turn] += INCREMENT_MS - spent
            if move is None or not board.is_legal(move):
                raise GameFailure(f"plays {move} on ply {board.ply()}")
            board.push(move)
        found = differences(record_of_board(board))
        if found:
            raise GameFailure("\n  ".join(found))
        return outcome


def _random_opening(rng: Random) -> Board:
    board = Board()
    for _ in range(rng.randrange(RANDOM_PLIES + 1)):
        if board.outcome() is None:
            board.push(rng.choice(board.list_moves()))
    return board


def main() -> int:
    """The program; the exit code."""
    parser = make_parser(__doc__, count=100)
    options = parser.parse_args()
    seen: Counter[str] = Counter()
    failures = 0
    games = SelfPlay(options.seed)
    for board, outcome, failure in limited(games, options):
        if failure:
            failures += 1
            print(f"{position_line(record_of_board(board))}\n  {failure}", flush=True)
        elif outcome is None:
            seen[f"broken off after {MAX_PLIES} plies"] += 1
        else:
            winner = {None: "drawn", RED: "Red wins"}.get(outcome.winner, "Black wins")
            seen[f"{outcome.termination.name.lower()}, {winner}"] += 1
    for what, number in seen.most_common():
        print(f"{number:9} {what}")
    print(f"{games.stolen:9} moves late because the machine was busy")
    print(f"{failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
