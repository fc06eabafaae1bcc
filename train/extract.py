"""Extracts training positions from self-play games.

    python -m train.extract first.games second.games -o both.samples

These are the quiet positions (:mod:`train.sample_files`) with their scores in the games or,
with ``--nodes``, the scores of a new search, for example of more nodes or with a better network.
``--every 8`` takes one of eight of them. With ``--td-lambda`` the scores of the following moves
contribute to that of a position. After an interruption the same command continues.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from rich.progress import track

from train.batches import samples_in_order
from train.expected_points import expected_points, score_of
from train.game_files import GAMES, SampleError, SelfplayGame
from train.options import count, share
from train.sample_files import Sample, continue_samples, quiet_samples, read_games, shuffle_samples
from xiangqi.board import Board
from xiangqi.core.searches import SearchLimits
from xiangqi.engine import is_decided
from xiangqi.engine.network import DEFAULT, choose_network
from xiangqi.engine.searcher import make_searcher
from xiangqi.ground.errors import XiangqiError
from xiangqi.ground.exits import EXIT_INTERRUPTED
from xiangqi.referee.rules import WXF

MAX_SCORE: Final = 3_000
"""Limit of scores in centipawns, those of mates included."""


class Judge:
    """Scores positions by a new search."""

    def __init__(self, nodes: int, network: str) -> None:
        self._searcher = make_searcher(choose_network(network), hash_mb=4)
        self._limits = SearchLimits(nodes=nodes, no_capture_limit=WXF.no_capture_limit or 0)

    def judge(self, samples: Iterator[Sample]) -> Iterator[Sample]:
        """Replace the scores of samples; drop those whose new score is decided."""
        self._searcher.clear()
        for sample in samples:
            found = self._searcher.search(Board(sample.setup), self._limits, WXF.switches)
            if not is_decided(found.score):
                yield sample._replace(score=found.score)


def returns(scores: Sequence[int], decay: float) -> list[int]:
    """Lambda-returns of a game's scores: weighted means of each score and those after it.

    Weights decrease by the factor ``decay`` from move to move; the last score also has the weight
    of all that would follow it. Expected points are averaged, not centipawns. Later searches
    correct the errors of a short one, as in TD(lambda) (Sutton, "Learning to Predict by the Methods
    of Temporal Differences", 1988).

    >>> returns([0, -300, 300], 0.5)
    [141, -300, 300]
    """
    points = expected_points(np.clip(scores, -MAX_SCORE, MAX_SCORE))
    for index in range(len(scores) - 2, -1, -1):
        points[index] += decay * (1 - points[index + 1] - points[index])
    return [round(score) for score in score_of(points)]


class Choice(NamedTuple):
    """Selection of the positions of a game, and their scores."""

    every: int
    """Take one of this number of quiet positions."""
    decay: float
    """Weight of each later score relative to the one before; 0: the score of the position alone."""
    nodes: int
    """Nodes of a new search of each position; 0: keep the scores."""
    network: str
    """Network of the new searches."""

    def samples(self, game: SelfplayGame) -> Iterator[Sample]:
        """Samples of a game."""
        scores = returns(game.scores, self.decay) if self.decay else game.scores
        chosen = islice(quiet_samples(game, scores), game.number % self.every, None, self.every)
        return judge_of(self.nodes, self.network).judge(chosen) if self.nodes else chosen


@cache
def judge_of(nodes: int, network: str) -> Judge:
    """The judge of this process."""
    return Judge(nodes, network)


def samples_of(choice: Choice, games: tuple[SelfplayGame, ...]) -> list[Sample]:
    """Samples of a batch of games."""
    return [sample for game in games for sample in choice.samples(game)]


def extract(paths: list[Path], choice: Choice, workers: int, begin: int) -> Iterator[Sample]:
    """Samples of the games from number ``begin`` on, numbered across the files. Raises
    WorkersError."""
    games = enumerate(chain.from_iterable(map(read_games, paths)))
    numbered = (game._replace(number=number) for number, game in games if number >= begin)
    shown = track(numbered, "Games", total=None, transient=True)
    return samples_in_order(partial(samples_of, choice), shown, workers)


def parse_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Extract quiet positions from self-play games.")
    parser.add_argument("games", type=Path, nargs="+", help="files of train.datagen")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument(
        "--nodes",
        type=int,
        default=0,
        help="nodes of a new search of each position; 0: keep the scores",
    )
    parser.add_argument("--eval-file", default=DEFAULT, help="network of the new search")
    parser.add_argument(
        "--every", type=count, default=1, help="use one of every N quiet positions of a game"
    )
    parser.add_argument(
        "--td-lambda",
        type=share,
        default=0.0,
        metavar="SHARE",
        help="weight of each later score relative to the one before (TD lambda); 0: own score",
    )
    parser.add_argument(
        "--shuffle", type=int, metavar="SEED", help="shuffle the samples with this seed"
    )
    parser.add_argument("--workers", type=count, default=1, help="number of processes")
    options = parser.parse_args()
    if options.nodes and options.td_lambda:
        parser.error("--td-lambda needs the scores of the games, which --nodes replaces")
    return options


def describe(options: argparse.Namespace) -> dict[str, Any]:
    """Origin of the samples, for the header of the file."""
    facts: dict[str, Any] = {
        "games_of": [GAMES.read(path)[0] for path in options.games],
        "sizes": [path.stat().st_size for path in options.games],
    }
    if options.nodes:
        facts["eval_file"] = choose_network(options.eval_file).sha256
        facts["nodes"] = options.nodes
    if options.every > 1:
        facts["every"] = options.every
    if options.td_lambda:
        facts["td_lambda"] = options.td_lambda
    return facts


def main() -> None:
    """Read the games, search the positions if requested, and write the samples."""
    options = parse_options()
    choice = Choice(options.every, options.td_lambda, options.nodes, options.eval_file)
    try:
        samples = partial(extract, options.games, choice, options.workers)
        number = continue_samples(options.output, describe(options), samples)
        if options.shuffle is not None:
            shuffle_samples(options.output, options.shuffle)
    except (OSError, SampleError, XiangqiError) as error:
        sys.exit(f"extract: {error}")
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    print(f"{number} positions")


if __name__ == "__main__":
    main()
