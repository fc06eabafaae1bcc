"""Takes mates out of games of self-play, which are ``bench/mates.jsonl``.

    xiangqi datagen mates.games --games 200 --seed 60
    python -m bench.mating mates.games -o bench/mates.jsonl

Of each game that was won one mate in ``MIN_MOVES`` and more is taken at most, the longest found
going back from its end; of all those as many as are wanted, by lot. They are what ``go mate`` of
Meihua finds with ``NODES`` at most, by checks alone or not: none is there for being found quickly,
but none that it does not find.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich.progress import track

from xiangqi.board import Board
from xiangqi.core.searches import SearchLimits
from xiangqi.engine.network import DEFAULT, choose_network
from xiangqi.engine.searcher import make_searcher, moves_to_mate
from xiangqi.referee.rules import WXF
from xiangqi.selfplay.samples import SelfplayGame, read_games

MIN_MOVES: Final = 5
MAX_MOVES: Final = 10
NODES: Final = 300_000


class Finder:
    """Looks for mates with an empty hash, so that each is found whatever was found before."""

    def __init__(self) -> None:
        self._searcher = make_searcher(choose_network(DEFAULT))

    def mate_in(self, board: Board) -> int | None:
        """The fewest moves in which a mate is found; None without one."""
        least = None
        while least != 1:
            self._searcher.clear()
            most = MAX_MOVES if least is None else least - 1
            found = self._searcher.search(board, SearchLimits(mate=most, nodes=NODES), WXF.switches)
            moves = moves_to_mate(found.score)
            if moves is None or not 0 < moves <= most:
                break
            least = moves
        return least

    def choose(self, game: SelfplayGame) -> tuple[str, int] | None:
        """The longest mate of a game's end and in how many moves, if that is long enough."""
        if game.result == 1:
            return None
        board = Board(game.start)
        for move in game.moves:
            board.push(move)
        longest = None
        while True:
            if board.turn == (game.result == 2):
                fen = " ".join(board.fen().split()[:2]) + " - - 0 1"
                moves = self.mate_in(Board(fen))
                if moves is None:
                    return longest
                if moves >= max(MIN_MOVES, longest[1] if longest else 0):
                    longest = fen, moves
            if not board.move_stack:
                return longest
            board.pop()


def find_mates(path: Path) -> Iterator[dict[str, object]]:
    """A row for each game that has such a mate."""
    finder = Finder()
    seen = set()
    for game in track(read_games(path), path.name, total=None, transient=True):
        found = finder.choose(game)
        if found is not None and found[0] not in seen:
            seen.add(found[0])
            yield {"game": game.number, "fen": found[0], "mate_in": found[1]}


def main() -> None:
    """Read, choose, write."""
    parser = argparse.ArgumentParser(prog="python -m bench.mating", description=__doc__)
    parser.add_argument("games", type=Path, help="a file of 'xiangqi datagen'")
    parser.add_argument("-o", "--output", type=Path, required=True, help="a file of JSON lines")
    parser.add_argument("--count", type=int, default=60, help="mates at most (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="of the lot (default: 1)")
    options = parser.parse_args()
    found = list(find_mates(options.games))
    chosen = random.Random(options.seed).sample(found, min(options.count, len(found)))
    chosen.sort(key=lambda row: int(str(row["game"])))
    options.output.write_text("".join(f"{json.dumps(row)}\n" for row in chosen), encoding="utf-8")
    print(f"{len(chosen)} of {len(found)} mates")


if __name__ == "__main__":
    main()
