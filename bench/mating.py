"""Extracts the mates of ``bench/mates.jsonl`` from self-play games.

    python -m train.datagen mates.games --games 200 --seed 60
    python -m bench.mating mates.games -o bench/mates.jsonl

The longest mate found by going back from the end of each won game is taken, if it has at least
``MIN_MOVES`` moves; of these a random sample is written. Mates are found by a search with at most
``NODES`` nodes, whether by checks alone or not. They are thus not selected for being easy, but
Meihua can find all of them.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich.progress import track

from train.game_files import SelfplayGame
from train.sample_files import read_games
from xiangqi.board import Board
from xiangqi.core.searches import SearchLimits
from xiangqi.engine.searcher import make_searcher, moves_to_mate
from xiangqi.referee.rules import WXF

MIN_MOVES: Final = 5
MAX_MOVES: Final = 10
NODES: Final = 300_000


class Finder:
    """Searches for mates with an empty hash, so that results do not depend on earlier searches."""

    def __init__(self) -> None:
        self._searcher = make_searcher()

    def mate_in(self, board: Board) -> int | None:
        """Minimum number of moves in which a mate is found; None without one."""
        best = None
        while best != 1:
            self._searcher.clear()
            limit = MAX_MOVES if best is None else best - 1
            limits = SearchLimits(mate=limit, nodes=NODES)
            moves = moves_to_mate(self._searcher.search(board, limits, WXF.switches).score)
            if moves is None or not 0 < moves <= limit:
                break
            best = moves
        return best

    def choose(self, game: SelfplayGame) -> tuple[str, int] | None:
        """FEN and number of moves of the longest mate at the end of a game; None if too short."""
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
    """JSON rows of the mates of games, without duplicates."""
    finder = Finder()
    seen = set()
    for game in track(read_games(path), path.name, total=None, transient=True):
        found = finder.choose(game)
        if found is not None and found[0] not in seen:
            seen.add(found[0])
            yield {"game": game.number, "fen": found[0], "mate_in": found[1]}


def main() -> None:
    """Find mates, draw a sample and write it."""
    parser = argparse.ArgumentParser(prog="python -m bench.mating", description=__doc__)
    parser.add_argument("games", type=Path, help="file of train.datagen")
    parser.add_argument("-o", "--output", type=Path, required=True, help="file of JSON lines")
    parser.add_argument("--count", type=int, default=60, help="maximum number (default: 60)")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (default: 1)")
    options = parser.parse_args()
    found = list(find_mates(options.games))
    chosen = random.Random(options.seed).sample(found, min(options.count, len(found)))
    chosen.sort(key=lambda row: int(str(row["game"])))
    options.output.write_text("".join(f"{json.dumps(row)}\n" for row in chosen), encoding="utf-8")
    print(f"{len(chosen)} of {len(found)} mates")


if __name__ == "__main__":
    main()
