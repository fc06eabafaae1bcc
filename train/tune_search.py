"""Tunes the numbers of the search by games of the engine with itself.

    python -m train.tune_search tuned.json RAZOR_MARGIN FUTILITY_MARGIN --pairs 8000 --workers 4

Simultaneous perturbation stochastic approximation (Spall 1992,
https://www.chessprogramming.org/SPSA): each pair of games is played between the present numbers
moved one way and the same moved the other way, every number up or down at random; then all go a
little towards the winner. Both games of a pair begin from the same random opening, with colours
changed, and have a fixed number of nodes for each move.

The file holds the numbers found so far; called again with the same words, the tuner goes on with
it. The names are those of xiangqi/params.py; without any, those that depend on the scale of the
evaluation are tuned.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from rich.progress import track

from xiangqi.datagen import RESULTS, GenerationSettings, SelfPlay, new_adjudicator
from xiangqi.network import DEFAULT
from xiangqi.params import PARAMETERS, Parameter, apply_parameters

SCALED: Final = (
    "ASPIRATION_WINDOW",
    "RAZOR_MARGIN",
    "REVERSE_FUTILITY_MARGIN",
    "NULL_MOVE_EVAL_DIVISOR",
    "PROBCUT_MARGIN",
    "FUTILITY_BASE",
    "FUTILITY_MARGIN",
    "SEE_CAPTURE_MARGIN",
    "SEE_QUIET_MARGIN",
    "SINGULAR_MARGIN",
    "REDUCTION_BASE",
    "REDUCTION_DIVISOR",
    "DELTA_MARGIN",
)
"""The parameters that depend on the scale of the evaluation, or on how well it foretells."""

BATCH: Final = 8
"""Pairs of games that are played from the same numbers."""

REACH: Final = 2.0
"""A number is moved by so many of its steps (xiangqi/params.py) in the last pairs."""

LAST_RATE: Final = 0.01
"""How far a win of both games draws the numbers in the end, as a share of that."""

# How the reach and the rate shrink: the exponents and the share of the run that the rate is held
# back are those that Spall advises ("Implementation of the simultaneous perturbation algorithm",
# 1998).
REACH_EXPONENT: Final = 0.101
RATE_EXPONENT: Final = 0.602
HELD_BACK: Final = 0.1

Numbers = Mapping[str, float]


# Games


def points_of_red(
    sides: tuple[SelfPlay, SelfPlay], numbers: tuple[Numbers, Numbers], game: int
) -> float:
    """Play a game; the points of Red, whose searches and numbers come first."""
    for side in sides[::-1]:
        board = side.begin(game)
    adjudicator = new_adjudicator()
    result = None
    while result is None:
        mover = 0 if board.turn else 1
        apply_parameters({name: round(value) for name, value in numbers[mover].items()})
        result = sides[mover].play_on(board, sides[mover].search(board), adjudicator)
    apply_parameters()
    return RESULTS[result] / 2


def play_pair(settings: GenerationSettings, pair: tuple[int, Numbers, Numbers]) -> float:
    """Two games from the opening of that number; by how much the first numbers won, -2 to 2."""
    game, one, other = pair
    sides = SelfPlay(settings), SelfPlay(settings)
    as_red = points_of_red(sides, (one, other), game)
    as_black = 1 - points_of_red(sides, (other, one), game)
    return 2 * (as_red + as_black - 1)


# Tuning


@dataclass
class Tuning:
    """The numbers, and how they are moved."""

    parameters: tuple[Parameter, ...]
    numbers: dict[str, float]
    pairs: int
    """How many there will be."""
    seed: int
    played: int = 0

    def reach(self, parameter: Parameter) -> float:
        """How far a number is moved to see what that brings."""
        shrunk = (self.pairs / (self.played + 1)) ** REACH_EXPONENT
        return REACH * parameter.step * float(shrunk)

    def rate(self) -> float:
        """By what share of its reach a number goes towards the winner."""
        held_back = HELD_BACK * self.pairs
        elapsed = (held_back + self.played + 1) / (held_back + self.pairs)
        return float(LAST_RATE * elapsed**-RATE_EXPONENT)

    def directions(self, pair: int) -> dict[str, int]:
        """Up or down for each number."""
        rng = random.Random(f"{self.seed}:{pair}")
        return {parameter.name: rng.choice((-1, 1)) for parameter in self.parameters}

    def moved(self, directions: Mapping[str, int], way: int) -> dict[str, float]:
        """The numbers moved one way (1) or the other (-1)."""
        return {
            parameter.name: _bounded(
                parameter,
                self.numbers[parameter.name]
                + way * directions[parameter.name] * self.reach(parameter),
            )
            for parameter in self.parameters
        }

    def learn(self, directions: Mapping[str, int], won: float) -> None:
        """Go towards the winner of a pair."""
        for parameter in self.parameters:
            shift = won * directions[parameter.name] * self.rate() * self.reach(parameter)
            moved = self.numbers[parameter.name] + shift
            self.numbers[parameter.name] = _bounded(parameter, moved)


def _bounded(parameter: Parameter, value: float) -> float:
    return min(max(value, parameter.least), parameter.most)


@contextmanager
def several(workers: int) -> Iterator[Any]:
    """A ``map`` whose calls are made by so many processes."""
    if workers == 1:
        yield map
        return
    with ProcessPoolExecutor(workers) as executor:
        yield executor.map


def tune(tuning: Tuning, settings: GenerationSettings, workers: int) -> Iterator[None]:
    """Play the pairs, a batch at a time; the numbers are in ``tuning`` after each."""
    with several(workers) as map_:
        while tuning.played < tuning.pairs:
            numbers = range(tuning.played, min(tuning.played + BATCH, tuning.pairs))
            chosen = [tuning.directions(number) for number in numbers]
            pairs = [
                (number, tuning.moved(directions, 1), tuning.moved(directions, -1))
                for number, directions in zip(numbers, chosen, strict=True)
            ]
            won = list(map_(partial(play_pair, settings), pairs))
            for directions, result in zip(chosen, won, strict=True):
                tuning.learn(directions, result)
            tuning.played += len(pairs)
            yield


# The command


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Tune the numbers of the search by self-play.")
    parser.add_argument("output", type=Path, help="the file of the numbers, a JSON object")
    parser.add_argument("names", nargs="*", default=SCALED, metavar="NAME")
    parser.add_argument("--pairs", type=int, default=5_000, help="of games")
    parser.add_argument("--nodes", type=int, default=5_000, help="for each move")
    parser.add_argument("--eval-file", default=DEFAULT, help="the network to play with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    known = {parameter.name for parameter in PARAMETERS}
    for name in options.names:
        if name not in known:
            parser.error(f"unknown parameter {name!r}: expected one of {', '.join(sorted(known))}")
    return options


def main() -> None:
    """Go on with the file, or begin it."""
    options = parse_options()
    chosen = tuple(parameter for parameter in PARAMETERS if parameter.name in options.names)
    tuning = Tuning(
        chosen,
        {parameter.name: float(parameter.default) for parameter in chosen},
        options.pairs,
        options.seed,
    )
    if options.output.exists():
        found = json.loads(options.output.read_text(encoding="utf-8"))
        tuning.played = found.pop("played")
        tuning.numbers = found
    settings = GenerationSettings(nodes=options.nodes, seed=options.seed, network=options.eval_file)
    left = (tuning.pairs - tuning.played + BATCH - 1) // BATCH
    for _ in track(tune(tuning, settings, options.workers), "Tuning", total=left):
        text = json.dumps({"played": tuning.played, **tuning.numbers}, indent=1)
        options.output.write_text(text + "\n", encoding="utf-8")
    for parameter in chosen:
        print(f"{parameter.name} {parameter.default} -> {tuning.numbers[parameter.name]:.1f}")


if __name__ == "__main__":
    main()
