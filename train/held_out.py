"""Samples positions of human games, scored by long searches, for evaluating networks.

    python -m train.held_out games.jsonl.gz -o held.samples --count 2000
    python -m train.compare held.samples new.nnue meihua.nnue

The validation loss of training is measured against short searches of self-play games. Here the
positions are from human games, at most one of each, and searches have a hundred times the nodes.
Networks must not be trained on these games. After an interruption the same command continues.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Final

from rich.progress import track

from train.game_files import SampleError
from train.people import Judge, draw_position
from train.sample_files import Sample, continue_samples
from xiangqi.engine.network import DEFAULT
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game
from xiangqi.ground.errors import XiangqiError
from xiangqi.ground.exits import EXIT_INTERRUPTED

PLIES: Final = range(20, sys.maxsize)
"""Plies of a game to choose from. Earlier positions are too similar, also to self-play openings."""
SELF_PLAY_NODES: Final = 2_048
DEFAULT_NODES: Final = 100 * SELF_PLAY_NODES


def samples(
    games: Iterable[Game], judge: Judge, nodes: int, seed: int, begin: int = 0
) -> Iterator[Sample]:
    """Sample a position of each game from number ``begin`` on, if it is quiet by a short and a long
    search; skip invalid games."""
    rng = random.Random(seed)
    for number, game in enumerate(games):
        try:
            board = draw_position(game, rng, PLIES)
        except XiangqiError:
            continue
        if board is None or number < begin:  # earlier games only advance the random numbers
            continue
        judge.clear()
        sample = judge.judge(board, number, SELF_PLAY_NODES, nodes)
        if sample is not None:
            yield sample


def parse_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Label positions of real games by long searches.")
    parser.add_argument("games", type=Path, nargs="+", help="files of games, in any format")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--count", type=int, default=2_000, help="number of positions")
    parser.add_argument("--nodes", type=int, default=DEFAULT_NODES, help="nodes of each search")
    parser.add_argument("--every", type=int, default=1, help="use one of every N games")
    parser.add_argument("--eval-file", default=DEFAULT, help="network of the searches")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def label(options: argparse.Namespace, judge: Judge, begin: int) -> Iterator[Sample]:
    """Samples of the chosen games from number ``begin`` on, with a progress bar."""
    games = islice(chain.from_iterable(map(read_games, options.games)), 0, None, options.every)
    shown = track(games, "Games", total=None, transient=True)
    return samples(shown, judge, options.nodes, options.seed, begin)


def main() -> None:
    """Read the games, search positions and write the samples."""
    options = parse_options()
    try:
        judge = Judge(options.eval_file)
        facts = {
            **judge.facts(options.games),
            "nodes": options.nodes,
            "count": options.count,
            "every": options.every,
            "seed": options.seed,
        }
        found = partial(label, options, judge)
        count = continue_samples(options.output, facts, found, options.count)
    except (OSError, SampleError, XiangqiError) as error:
        sys.exit(f"held_out: {error}")
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    print(f"{count} positions")


if __name__ == "__main__":
    main()
