"""Takes positions that no network learns from out of games of people, and judges them long.

    python -m train.held_out games.jsonl.gz -o held.samples --count 2000
    python -m train.compare held.samples new.nnue meihua.nnue hand-made

While it trains, a network is held to short searches in games of its own kind. Here the positions
are those of people, one of a game at most, and the search has a hundred times the nodes.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Final

from rich.progress import track

from train.people import Judge, draw_position
from xiangqi.engine.network import DEFAULT
from xiangqi.errors import XiangqiError
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game
from xiangqi.selfplay.samples import Sample, write_samples

PLIES: Final = range(20, sys.maxsize)
"""Before them games are alike, and like the openings that self-play begins with."""
SELF_PLAY_NODES: Final = 2_048
HUNDREDFOLD: Final = 100 * SELF_PLAY_NODES


def samples(games: Iterator[Game], judge: Judge, nodes: int, seed: int) -> Iterator[Sample]:
    """A position of each game that has one which is quiet by a short search as by a long one;
    games that cannot be played are passed over."""
    rng = random.Random(seed)
    for number, game in enumerate(games):
        judge.clear()
        try:
            board = draw_position(game, rng, PLIES)
        except XiangqiError:
            continue
        if board is None:
            continue
        sample = judge.judge(board, number, SELF_PLAY_NODES, nodes)
        if sample is not None:
            yield sample


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Label positions of real games by long searches.")
    parser.add_argument("games", type=Path, nargs="+", help="files of games, in any format")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--count", type=int, default=2_000, help="number of positions")
    parser.add_argument("--nodes", type=int, default=HUNDREDFOLD, help="nodes of each search")
    parser.add_argument("--every", type=int, default=1, help="use one of every N games")
    parser.add_argument("--eval-file", default=DEFAULT, help="network of the searches")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Read, judge, write."""
    options = parse_options()
    games = islice(chain.from_iterable(map(read_games, options.games)), 0, None, options.every)
    try:
        judge = Judge(options.eval_file)
        found = islice(samples(games, judge, options.nodes, options.seed), options.count)
        facts = {**judge.facts(), "nodes": options.nodes, "seed": options.seed}
        tracked = track(found, "Judging", total=options.count, transient=True)
        count = write_samples(options.output, facts, tracked)
    except (OSError, XiangqiError) as refused:
        sys.exit(f"held_out: {refused}")
    print(f"{count} positions")


if __name__ == "__main__":
    main()
