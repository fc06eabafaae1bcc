"""Takes positions that no network learns from out of games of people, and judges them long.

    python -m train.held_out games.jsonl.gz -o held.samples --count 2000
    python -m train.compare held.samples new.nnue meihua.nnue hand-made

While it trains, a network is held to short searches in games of its own kind. Here the positions
are those of people, one of a game at most, and the search has a hundred times the nodes.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Final

from rich.progress import track

from xiangqi.board import Board
from xiangqi.core.searcher import SearchLimits
from xiangqi.engine.network import DEFAULT, choose_network
from xiangqi.engine.searching import make_searcher
from xiangqi.errors import XiangqiError
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game
from xiangqi.referee.rules import WXF
from xiangqi.selfplay.quiet import is_quiet
from xiangqi.selfplay.samples import Sample, write_samples

EARLIEST: Final = 20
"""Plies: before them games are alike, and like the openings that self-play begins with."""
SELF_PLAY_NODES: Final = 2_048
HUNDREDFOLD: Final = 100 * SELF_PLAY_NODES
HASH_MB: Final = 16
UNKNOWN: Final = 1
"""People resign, and lose on time: how their games end is not asked, a draw is noted."""


class Judge:
    """Takes a quiet position of each game, and searches it long."""

    def __init__(self, network: str, nodes: int, seed: int) -> None:
        self._searcher = make_searcher(choose_network(network), hash_mb=HASH_MB)
        self._nodes = nodes
        self._rng = random.Random(seed)

    def judge(self, game: Game, number: int) -> Sample | None:
        """A position drawn at random, if it is quiet by the long search as by a short one."""
        moves = list(game.moves())
        if len(moves) <= EARLIEST:
            return None
        board = Board(game.fen)
        for move in moves[: self._rng.randrange(EARLIEST, len(moves))]:
            board.push(move)
        if board.is_game_over():
            return None
        self._searcher.clear()
        for nodes in (SELF_PLAY_NODES, self._nodes):
            limits = SearchLimits(nodes=nodes, no_capture_limit=WXF.no_capture_limit or 0)
            found = self._searcher.search(board, limits, WXF.switches)
            if found.best is None or not is_quiet(board, found.best, found.score):
                return None
        return Sample(board.setup(), UNKNOWN, found.score, board.ply(), number)


def samples(games: Iterator[Game], judge: Judge) -> Iterator[Sample]:
    """The samples of the games that have one; games that cannot be played are passed over."""
    for number, game in enumerate(games):
        try:
            sample = judge.judge(game, number)
        except XiangqiError:
            continue
        if sample is not None:
            yield sample


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Judge positions of real games by long searches.")
    parser.add_argument("games", type=Path, nargs="+", help="files of games, in any format")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--count", type=int, default=2_000, help="of positions")
    parser.add_argument("--nodes", type=int, default=HUNDREDFOLD, help="of the search")
    parser.add_argument("--every", type=int, default=1, help="ask one of so many games")
    parser.add_argument("--eval-file", default=DEFAULT, help="the network of the search")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Read, judge, write."""
    options = parse_options()
    judge = Judge(options.eval_file, options.nodes, options.seed)
    games = islice(chain.from_iterable(map(read_games, options.games)), 0, None, options.every)
    found = islice(samples(games, judge), options.count)
    facts = {"eval_file": options.eval_file, "nodes": options.nodes, "seed": options.seed}
    tracked = track(found, "Judging", total=options.count, transient=True)
    count = write_samples(options.output, facts, tracked)
    print(f"{count} positions")


if __name__ == "__main__":
    main()
