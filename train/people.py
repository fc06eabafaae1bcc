"""Makes samples of human games: quiet positions with the scores of searches.

    python -m train.people games.jsonl.gz -o people.samples --leave 8

Human games reach positions that self-play never does. With ``--leave 8`` every eighth game is left
for :mod:`train.held_out`.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterable, Iterator
from itertools import chain, dropwhile, takewhile
from pathlib import Path
from typing import Final

from rich.progress import track

from xiangqi.board import Board
from xiangqi.core.searches import SearchLimits
from xiangqi.engine.network import DEFAULT, HAND_MADE, choose_network
from xiangqi.engine.searcher import make_searcher
from xiangqi.errors import XiangqiError
from xiangqi.games.formats import read_games
from xiangqi.games.tree import Game
from xiangqi.referee.rules import WXF
from xiangqi.selfplay.samples import Sample, is_quiet, write_samples

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

    def facts(self) -> dict[str, str]:
        """Network of the searches, for the header of a file."""
        return {"eval_file": HAND_MADE if self._network is None else self._network.sha256}

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


def samples(games: Iterator[tuple[int, Game]], judge: Judge, nodes: int) -> Iterator[Sample]:
    """Samples of the quiet positions of games, each up to its first invalid move."""
    for number, game in games:
        judge.clear()
        try:
            board = Board(game.fen)
            for move in game.moves():
                board.push(move)
                if board.is_game_over():
                    break
                if board.ply() >= MIN_PLY:
                    sample = judge.judge(board, number, nodes)
                    if sample is not None:
                        yield sample
        except XiangqiError:
            continue


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
    return parser.parse_args()


def main() -> None:
    """Read the games, search positions and write the samples."""
    options = parse_options()
    every = numbered_games(options.games, options.leave)
    late = dropwhile(lambda numbered: numbered[0] < options.begin, every)
    games = takewhile(lambda numbered: numbered[0] < options.end, late)
    tracked = iter(track(games, "Judging", total=None, transient=True))
    try:
        judge = Judge(options.eval_file)
        facts = {**judge.facts(), "nodes": options.nodes, "leave": options.leave}
        found = samples(tracked, judge, options.nodes)
        count = write_samples(options.output, facts, found)
    except (OSError, XiangqiError) as error:
        sys.exit(f"people: {error}")
    print(f"{count} positions")


if __name__ == "__main__":
    main()
