"""Makes samples of human games: quiet positions with the scores of searches.

    python -m train.people games.jsonl.gz -o people.samples --leave 8

Human games reach positions that self-play never does. With ``--leave 8`` every eighth game is left
for :mod:`train.held_out`. After an interruption the same command continues.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain, dropwhile, takewhile
from pathlib import Path
from typing import Any, Final

from rich.progress import track

from train.batches import samples_in_order
from train.game_files import SampleError
from train.options import count
from train.sample_files import Sample, continue_samples, is_quiet
from xiangqi.board import Board
from xiangqi.core.searches import SearchLimits
from xiangqi.engine.network import DEFAULT, choose_network
from xiangqi.engine.searcher import make_searcher
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game
from xiangqi.ground.errors import XiangqiError
from xiangqi.ground.exits import EXIT_INTERRUPTED
from xiangqi.referee.rules import WXF

MIN_PLY: Final = 8
"""First ply with samples: earlier positions hardly differ."""
HASH_MB: Final = 16
UNKNOWN: Final = 1
"""Result written to all samples, a draw: human games end by resignation or on time."""


def numbered_games(paths: Iterable[Path], leave: int) -> Iterator[tuple[int, Game]]:
    """Number the games of all files, leaving out every ``leave``-th one; 0 leaves out none."""
    for number, game in enumerate(chain.from_iterable(map(read_games, paths))):
        if not leave or number % leave:
            yield number, game


def draw_position(game: Game, rng: random.Random, plies: range) -> Board | None:
    """Choose a random position of the game in a range of plies, before its last position.

    None if the game is too short or is over there. Raises XiangqiError for an invalid game.
    """
    moves = list(game.moves())
    end = min(plies.stop, len(moves))
    if end <= plies.start:
        return None
    board = Board(game.fen)
    for move in moves[: rng.randrange(plies.start, end)]:
        board.push(move)
    return None if board.is_game_over() else board


class Judge:
    """Scores quiet positions by searches."""

    def __init__(self, network: str) -> None:
        self._network = choose_network(network)
        self._searcher = make_searcher(self._network, hash_mb=HASH_MB)

    def facts(self, games: Sequence[Path]) -> dict[str, Any]:
        """Network of the searches and files of games, for the header of a file."""
        return {
            "eval_file": self._network.sha256,
            "games": [path.name for path in games],
            "sizes": [path.stat().st_size for path in games],
        }

    def clear(self) -> None:
        """Clear the search's state of earlier games."""
        self._searcher.clear()

    def judge(self, board: Board, game: int, *nodes: int) -> Sample | None:
        """Sample of a position, with the score of the last search, if it is quiet by all of them.

        Each of ``nodes`` is the node limit of a search.
        """
        score = 0
        for limit in nodes:
            limits = SearchLimits(nodes=limit, no_capture_limit=WXF.no_capture_limit or 0)
            found = self._searcher.search(board, limits, WXF.switches)
            if found.best is None or not is_quiet(board, found.best, found.score):
                return None
            score = found.score
        return Sample(board.setup(), UNKNOWN, score, board.ply(), game)


@cache
def judge_of(network: str) -> Judge:
    """The judge of this process."""
    return Judge(network)


def samples(game: Game, number: int, judge: Judge, nodes: int) -> Iterator[Sample]:
    """Samples of the quiet positions of a game, up to its first invalid move."""
    judge.clear()
    with suppress(XiangqiError):
        board = Board(game.fen)
        for move in game.moves():
            board.push(move)
            if board.is_game_over():
                break
            if board.ply() >= MIN_PLY:
                sample = judge.judge(board, number, nodes)
                if sample is not None:
                    yield sample


def samples_of(network: str, nodes: int, games: Iterable[tuple[int, Game]]) -> list[Sample]:
    """Samples of a batch of numbered games."""
    judge = judge_of(network)
    return [sample for number, game in games for sample in samples(game, number, judge, nodes)]


def label(options: argparse.Namespace, begin: int) -> Iterator[Sample]:
    """Samples of the games from number ``begin`` on. Raises WorkersError."""
    every = numbered_games(options.games, options.leave)
    late = dropwhile(lambda numbered: numbered[0] < max(begin, options.begin), every)
    games = takewhile(lambda numbered: numbered[0] < options.end, late)
    shown = track(games, "Games", total=None, transient=True)
    work = partial(samples_of, options.eval_file, options.nodes)
    return samples_in_order(work, shown, options.workers)


def parse_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Label positions of human games by searches.")
    parser.add_argument("games", type=Path, nargs="+", help="files of games, in any format")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument("--nodes", type=int, default=4_096, help="nodes of each search")
    parser.add_argument("--leave", type=int, default=0, help="leave out one of every N games")
    parser.add_argument("--begin", type=int, default=0, help="number of the first game")
    parser.add_argument("--end", type=int, default=sys.maxsize, help="number after the last game")
    parser.add_argument("--eval-file", default=DEFAULT, help="network of the searches")
    parser.add_argument("--workers", type=count, default=1, help="number of processes")
    return parser.parse_args()


def main() -> None:
    """Read the games, search positions and write the samples."""
    options = parse_options()
    try:
        facts = {
            **judge_of(options.eval_file).facts(options.games),
            "nodes": options.nodes,
            "leave": options.leave,
            "begin": options.begin,
        }
        number = continue_samples(options.output, facts, partial(label, options))
    except (OSError, SampleError, XiangqiError) as error:
        sys.exit(f"people: {error}")
    except KeyboardInterrupt:
        sys.exit(EXIT_INTERRUPTED)
    print(f"{number} positions")


if __name__ == "__main__":
    main()
