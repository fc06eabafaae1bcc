"""Fits the weights of the hand-made evaluation to game results and updates their source file.

    python -m train.tune_weights games.jsonl.gz self_play.jsonl.gz

Texel's tuning method (https://www.chessprogramming.org/Texel%27s_Tuning_Method): logistic
regression on quiet positions of games, by Adam (https://arxiv.org/abs/1412.6980). The weights are
the tables in xiangqi/engine/weights.py. See train/README.md.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from xiangqi import Board
from xiangqi.core.evaluator import LIMITS, trace_board
from xiangqi.engine import weights
from xiangqi.engine.weights import make_terms
from xiangqi.games.record import POINTS

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int32]

TRUST = {"tournament": 1.0, "online": 0.5, "unknown": 0.5, "self-play": 1.0}
"""Weight of a position by the kind of its game."""

RESULT_SHARE = 0.3
"""Share of the game's result in the target of a position with a score; the score has the rest."""

FIRST_PLIES = 12
"""Plies at the beginning of a game that are skipped as book moves."""

LAST_PLIES = 6
"""Plies at the end of a game that are skipped: players resign for what is not yet on the board."""

NO_SCORE = float("nan")
MIN_GAME_PLIES = 24
PER_GAME = 30
VALIDATION_SHARE = 0.1
LOGISTIC_BASE = 10.0
WIDTH = 400.0
BETAS = (0.9, 0.999)
TINY = 1e-8
BEGIN, END = "# Tables begin\n", "# Tables end\n"


@dataclass
class Positions:
    """Concatenated coefficients of many positions, and their targets."""

    first: Ints
    """Offset of each position's coefficients."""
    index: Ints
    count: Floats
    phase: Floats
    """Phase: 1 in the middlegame, 0 in the endgame."""
    scale: Floats
    points: Floats
    """Result for the side to move."""
    score: Floats
    """Score of a search, for the side to move; NaN without one."""
    trust: Floats

    def __len__(self) -> int:
        return len(self.phase)

    def part(self, chosen: npt.NDArray[np.int64]) -> Positions:
        """Select positions by index."""
        ends = np.append(self.first, len(self.index))
        sizes = np.diff(ends)[chosen]
        first = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        inside = np.arange(sizes.sum()) - np.repeat(first, sizes)
        where = np.repeat(ends[chosen], sizes) + inside
        return Positions(
            first.astype(np.int32),
            self.index[where],
            self.count[where],
            *(field[chosen] for field in self.fields()),
        )

    def fields(self) -> tuple[Floats, ...]:
        """Arrays with one element for each position."""
        return self.phase, self.scale, self.points, self.score, self.trust

    def rows(self) -> Ints:
        """Index of the position that each coefficient belongs to."""
        sizes = np.diff(np.append(self.first, len(self.index)))
        return np.repeat(np.arange(len(self), dtype=np.int32), sizes)


class Sampler:
    """Collects the coefficients of positions."""

    def __init__(self) -> None:
        self.first: list[int] = []
        self.indices: list[int] = []
        self.counts: list[int] = []
        self.fields: list[tuple[float, ...]] = []

    def add(self, board: Board, red_points: float, score: float, trust: float) -> None:
        """Add the coefficients of a position."""
        phase, scale, coefficients = trace_board(board, make_terms())
        self.first.append(len(self.indices))
        for index, count in coefficients:
            self.indices.append(index)
            self.counts.append(count)
        points = red_points if board.turn else 1 - red_points
        shares = phase / LIMITS["phase"], scale / LIMITS["scale"]
        self.fields.append((*shares, points, score, trust))

    def positions(self) -> Positions:
        """All collected positions."""
        return Positions(
            np.array(self.first, dtype=np.int32),
            np.array(self.indices, dtype=np.int32),
            np.array(self.counts, dtype=np.float64),
            *np.array(self.fields, dtype=np.float64).T,
        )


# Positions


def read_games(paths: Iterable[Path]) -> Iterator[dict[str, Any]]:
    """Read the games with a result that are long enough or consist of selected positions."""
    for path in paths:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            for game in map(json.loads, lines):
                is_usable = "positions" in game or len(game["moves"]) >= MIN_GAME_PLIES
                if game["result"] in POINTS and is_usable:
                    yield game


def is_quiet(board: Board) -> bool:
    """Is there neither a check nor a capture that wins material?"""
    return not board.is_check() and not any(
        board.see_ge(move, 1) for move in board.list_moves("captures")
    )


def quiet_boards(game: dict[str, Any], rng: random.Random) -> Iterator[Board]:
    """Visit random quiet positions of a game; yields the same board each time."""
    moves = game["moves"]
    plies = range(FIRST_PLIES, len(moves) - LAST_PLIES)
    chosen = set(rng.sample(plies, min(PER_GAME, len(plies))))
    board = Board(game["start_fen"])
    seen = set()
    for ply, move in enumerate(moves):
        if ply in chosen and board.key not in seen and is_quiet(board):
            seen.add(board.key)
            yield board
        board.push_iccs(move)


def sample(games: Iterable[dict[str, Any]], rng: random.Random) -> Positions:
    """Collect positions of all games."""
    sampler = Sampler()
    for game in games:
        points, trust = POINTS[game["result"]], TRUST[game["kind"]]
        if "positions" in game:
            for fen, score in game["positions"]:
                sampler.add(Board(fen), points, score, trust)
        else:
            for board in quiet_boards(game, rng):
                sampler.add(board, points, NO_SCORE, trust)
    return sampler.positions()


# The model


def evaluate(positions: Positions, values: Floats) -> Floats:
    """Value of each position by the evaluation; ``values`` has a row for each phase."""
    products = values[:, positions.index] * positions.count
    middle_game, end_game = np.add.reduceat(products, positions.first, axis=1)
    value: Floats = middle_game * positions.phase + end_game * (1 - positions.phase)
    return value * positions.scale


def expected_points(value: Floats, k: float) -> Floats:
    """Expected points of values, by the logistic curve of steepness ``k``."""
    points: Floats = 1 / (1 + LOGISTIC_BASE ** (-k * value / WIDTH))
    return points


def target(positions: Positions, k: float) -> Floats:
    """Targets: the result, mixed with the expected points of the score if there is one."""
    searched = expected_points(positions.score, k)
    mixed = RESULT_SHARE * positions.points + (1 - RESULT_SHARE) * searched
    return np.where(np.isnan(searched), positions.points, mixed)


def loss(positions: Positions, values: Floats, k: float) -> float:
    """Weighted mean squared error of the expected points."""
    errors = expected_points(evaluate(positions, values), k) - target(positions, k)
    return float(np.average(errors**2, weights=positions.trust))


def gradient(positions: Positions, values: Floats, k: float) -> Floats:
    """Derivative of :func:`loss` by the weights."""
    points = expected_points(evaluate(positions, values), k)
    slope = 2 * (points - target(positions, k)) * points * (1 - points)
    slope *= np.log(LOGISTIC_BASE) * k / WIDTH * positions.scale * positions.trust
    slope /= positions.trust.sum()
    rows = positions.rows()
    halves = (slope * positions.phase, slope * (1 - positions.phase))
    return np.array(
        [
            np.bincount(positions.index, half[rows] * positions.count, values.shape[1])
            for half in halves
        ]
    )


def result_error(positions: Positions, value: Floats, k: float) -> float:
    """Weighted mean squared error of the expected points against the results alone."""
    errors = expected_points(value, k) - positions.points
    return float(np.average(errors**2, weights=positions.trust))


def fit_k(positions: Positions, values: Floats) -> float:
    """Fit the steepness k of the logistic curve to the results, by golden-section search."""
    value = evaluate(positions, values)

    def error(k: float) -> float:
        return result_error(positions, value, k)

    low, high = 0.05, 4.0
    golden = (np.sqrt(5) - 1) / 2
    while high - low > 1e-3:
        left, right = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, right) if error(left) < error(right) else (left, high)
    return (low + high) / 2


def fit(
    training: Positions, validation: Positions, start: Floats, k: float, options: argparse.Namespace
) -> Floats:
    """Fit by Adam on mini-batches, with a pull to the start; return the best by validation loss."""
    rng = np.random.default_rng(options.seed)
    values, best = start.copy(), start.copy()
    min_loss = loss(validation, start, k)
    mean, square = np.zeros_like(start), np.zeros_like(start)
    step = 0
    for epoch in range(1, options.epochs + 1):
        rate = options.rate * (1 - (epoch - 1) / options.epochs)
        for batch in np.array_split(rng.permutation(len(training)), len(training) // options.batch):
            step += 1
            slope = gradient(training.part(batch), values, k)
            slope += options.pull / len(training) * (values - start)
            mean = BETAS[0] * mean + (1 - BETAS[0]) * slope
            square = BETAS[1] * square + (1 - BETAS[1]) * slope**2
            unbiased = mean / (1 - BETAS[0] ** step), square / (1 - BETAS[1] ** step)
            values = values - rate * unbiased[0] / (np.sqrt(unbiased[1]) + TINY)
        now = loss(validation, values, k)
        print(f"epoch {epoch}: training {loss(training, values, k):.6f} validation {now:.6f}")
        if now < min_loss:
            min_loss, best = now, values.copy()
    return best


# The command


def write_weights(values: Floats) -> None:
    """Replace the tables in xiangqi/engine/weights.py."""
    path = Path(weights.__file__)
    source = path.read_text(encoding="utf-8")
    head, rest = source.split(BEGIN)
    _, tail = rest.split(END)
    rounded = [(round(middle_game), round(end_game)) for middle_game, end_game in values.T]
    path.write_text(head + BEGIN + weights.dump(rounded) + "\n" + END + tail, encoding="utf-8")


def parse_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Fit the evaluation's weights to game results.")
    parser.add_argument("games", type=Path, nargs="+", help="gzipped JSON lines, one game each")
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch", type=int, default=8192)
    parser.add_argument("--rate", type=float, default=2.0, help="initial step size in centipawns")
    parser.add_argument(
        "--pull", type=float, default=2e-4, help="strength of the pull towards the initial values"
    )
    parser.add_argument(
        "--k", type=float, help="steepness of the sigmoid; default: fitted to the results"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--dry-run", action="store_true", help="print losses and write nothing")
    return parser.parse_args()


def main() -> None:
    """Collect positions, fit, print the losses and write the weights."""
    options = parse_options()
    rng = random.Random(options.seed)
    games = list(read_games(options.games))
    rng.shuffle(games)
    held = int(len(games) * VALIDATION_SHARE)
    validation, training = sample(games[:held], rng), sample(games[held:], rng)
    print(f"{len(training)} positions for training, {len(validation)} for validation")
    start = np.array(weights.flatten(), dtype=np.float64).T
    k = options.k or fit_k(training, start)
    print(f"K = {k:.3f}")
    tuned = fit(training, validation, start, k, options)
    for name, values in (("before", start), ("after", tuned)):
        losses = [f"{loss(part, values, k):.6f}" for part in (training, validation)]
        print(f"{name}: training {losses[0]} validation {losses[1]}")
    if not options.dry_run:
        write_weights(tuned)


if __name__ == "__main__":
    main()
