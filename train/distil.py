"""Makes samples labelled by a static evaluation, without a search.

    python -m train.distil first.games -o static.samples --variants 6

From each position of the games, one to three random legal moves are played, several times; the
score is the evaluation of the resulting position (knowledge distillation:
https://arxiv.org/abs/1503.02531). Such samples cost a thirtieth of those of self-play and contain
positions that are rare in games but common in searches, such as those with hanging pieces. A
network trained on them needs far fewer searched positions to surpass its teacher.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from rich.progress import track

from xiangqi.board import Board
from xiangqi.core.evaluator import Terms, evaluate_board
from xiangqi.core.network import Network
from xiangqi.engine.network import HAND_MADE, choose_network, evaluation_of
from xiangqi.selfplay.samples import GAMES, Sample, quiet_samples, read_games, write_samples

MAX_MOVES: Final = 3
CAPTURE_SHARE: Final = 0.25
"""Probability of choosing a capture, if there is one."""


def wander(board: Board, rng: random.Random) -> None:
    """Play one to :data:`MAX_MOVES` random legal moves; fewer if the game ends."""
    for _ in range(rng.randint(1, MAX_MOVES)):
        captures = board.list_moves("captures") if rng.random() < CAPTURE_SHARE else []
        moves = captures or board.list_moves()
        if moves:
            board.push_unchecked(rng.choice(moves))


def variants(
    sample: Sample, count: int, rng: random.Random, evaluation: Network | Terms
) -> Iterator[Sample]:
    """Samples of positions a few moves from a sample's, not in check, with static values."""
    board = Board(sample.setup)
    for _ in range(count):
        wander(board, rng)
        if board.ply() and not board.is_check():
            yield sample._replace(setup=board.setup(), score=evaluate_board(board, evaluation))
        board.go_to_start()


def parse_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Make samples labelled by an evaluation.")
    parser.add_argument("games", type=Path, help="file of xiangqi datagen")
    parser.add_argument("-o", "--output", type=Path, required=True)
    parser.add_argument(
        "--variants", type=int, default=6, help="number of variants of each position"
    )
    parser.add_argument("--eval-file", default=HAND_MADE, help="evaluation that labels the samples")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Read the games and write the samples."""
    options = parse_options()
    teacher = choose_network(options.eval_file)
    rng = random.Random(options.seed)
    facts = {
        "eval_file": HAND_MADE if teacher is None else teacher.sha256,
        "games_of": GAMES.read(options.games)[0],
        "seed": options.seed,
        "variants": options.variants,
    }
    games = track(read_games(options.games), "Distilling", total=None, transient=True)
    count = write_samples(
        options.output,
        facts,
        (
            variant
            for game in games
            for sample in quiet_samples(game)
            for variant in variants(sample, options.variants, rng, evaluation_of(teacher))
        ),
    )
    print(f"{count} positions")


if __name__ == "__main__":
    main()
