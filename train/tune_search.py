"""Tunes the numbers of the search by games of the engine with itself.

    python -m train.tune_search tuned.json SINGULAR_MARGIN FUTILITY_MARGIN --pairs 8000 --workers 4

Simultaneous perturbation stochastic approximation (Spall 1992,
https://www.chessprogramming.org/SPSA): each pair of games is played between the present numbers
moved one way and the same moved the other way, every number up or down at random; then all go a
little towards the winner. Both games of a pair begin from the same random opening, with colours
changed, and have a fixed number of nodes for each move.

What is found in the end is the mean of the numbers over the last half of the run (Polyak and
Juditsky, "Acceleration of stochastic approximation by averaging", 1992). The file holds all that
is needed to go on: called again with the same words, the tuner does so. The names are those of
``xiangqi.engine.searcher``; without any, those that depend on the scale of the evaluation are
tuned.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from rich.progress import track

from train.options import count
from train.pairs import Side, choose_openings, play_pair, several
from xiangqi.engine.network import DEFAULT
from xiangqi.engine.searcher import PARAMETERS, Parameter
from xiangqi.errors import XiangqiError
from xiangqi.selfplay.generation import GenerationSettings

SCALED: Final = (
    "ASPIRATION_WINDOW",
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

REACH: Final = 2.0
"""A number is moved by so many of its steps (xiangqi/engine/searcher.py) in the last pairs."""

LAST_RATE: Final = 0.01
"""Final step of the parameters after a win of both games, as a share of their range."""

# How the reach and the rate shrink: the exponents and the share of the run that the rate is held
# back are those that Spall advises ("Implementation of the simultaneous perturbation algorithm",
# 1998).
REACH_EXPONENT: Final = 0.101
RATE_EXPONENT: Final = 0.602
HELD_BACK: Final = 0.1


# Tuning


@dataclass
class Tuning:
    """The numbers, and how they are moved."""

    parameters: tuple[Parameter, ...]
    pairs: int
    """Number expected."""
    seed: int
    batch: int = 8
    """Pairs of games played from the same numbers."""
    numbers: dict[str, float] = field(default_factory=dict)
    sums: dict[str, float] = field(default_factory=dict)
    """The numbers after each pair of the last half of the run, added up."""
    played: int = 0

    def __post_init__(self) -> None:
        for parameter in self.parameters:
            self.numbers.setdefault(parameter.name, float(parameter.default))
            self.sums.setdefault(parameter.name, 0.0)

    def reach(self, parameter: Parameter) -> float:
        """Step by which a parameter is changed to see the effect."""
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

    def side(self, network: str, directions: Mapping[str, int], way: int) -> Side:
        """Player with these parameters."""
        return Side(network, self.moved(directions, way))

    def learn(self, results: Iterable[tuple[Mapping[str, int], float]]) -> None:
        """Go towards the winner of each pair of a batch."""
        played = self.played
        for directions, won in results:
            for parameter in self.parameters:
                shift = won * directions[parameter.name] * self.rate() * self.reach(parameter)
                moved = _bounded(parameter, self.numbers[parameter.name] + shift)
                self.numbers[parameter.name] = moved
                if 2 * played >= self.pairs:
                    self.sums[parameter.name] += moved
            played += 1
        self.played = played

    def found(self) -> dict[str, float]:
        """The mean of the last half of the run; before that, the present numbers."""
        averaged = self.played - (self.pairs + 1) // 2
        if averaged <= 0:
            return self.numbers
        return {name: total / averaged for name, total in self.sums.items()}


def _bounded(parameter: Parameter, value: float) -> float:
    return min(max(value, parameter.least), parameter.most)


def tune(tuning: Tuning, settings: GenerationSettings, workers: int) -> Iterator[None]:
    """Play the pairs, a batch at a time; the numbers are in ``tuning`` after each."""
    with several(workers) as map_:
        while tuning.played < tuning.pairs:
            numbers = range(tuning.played, min(tuning.played + tuning.batch, tuning.pairs))
            chosen = [tuning.directions(number) for number in numbers]
            pairs = [
                (
                    number,
                    tuning.side(settings.network, directions, 1),
                    tuning.side(settings.network, directions, -1),
                )
                for number, directions in zip(numbers, chosen, strict=True)
            ]
            points = map_(partial(play_pair, settings), pairs)
            won = [2 * (as_red + as_black - 1) for as_red, as_black in points]
            tuning.learn(zip(chosen, won, strict=True))
            yield


# The command


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Tune search parameters by self-play (SPSA).")
    parser.add_argument("output", type=Path, help="file for the parameters, a JSON object")
    parser.add_argument(
        "names", nargs="*", default=SCALED, metavar="NAME", help="parameters to tune"
    )
    parser.add_argument("--pairs", type=count, default=5_000, help="number of pairs of games")
    parser.add_argument(
        "--batch",
        type=count,
        default=8,
        help="pairs played from the same parameters; several times the workers",
    )
    parser.add_argument("--nodes", type=count, default=5_000, help="nodes of each move")
    parser.add_argument("--eval-file", default=DEFAULT, help="network of both sides")
    parser.add_argument("--openings", type=Path, help="file of openings, as for 'xiangqi match'")
    parser.add_argument(
        "--random-plies", type=int, default=8, help="random plies after each opening"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=count, default=1)
    options = parser.parse_args()
    known = {parameter.name for parameter in PARAMETERS}
    for name in options.names:
        if name not in known:
            parser.error(f"unknown parameter {name!r}: expected one of {', '.join(sorted(known))}")
    return options


def take_up(tuning: Tuning, path: Path, asked: Mapping[str, Any]) -> None:
    """Go on with a file; ValueError if it was made by other words."""
    there = json.loads(path.read_text(encoding="utf-8"))
    if there["asked"] != asked:
        raise ValueError(f"{path} was made by {there['asked']}, expected {asked}")
    tuning.played, tuning.numbers, tuning.sums = (
        there[name] for name in ("played", "numbers", "sums")
    )


def main() -> None:
    """Go on with the file, or begin it."""
    options = parse_options()
    chosen = tuple(parameter for parameter in PARAMETERS if parameter.name in options.names)
    tuning = Tuning(chosen, options.pairs, options.seed, options.batch)
    try:
        openings = choose_openings(options.openings)
    except (OSError, XiangqiError) as refused:
        sys.exit(f"tune_search: {refused}")
    settings = GenerationSettings(
        nodes=options.nodes,
        seed=options.seed,
        network=options.eval_file,
        openings=openings,
        random_plies=options.random_plies,
    )
    asked = {
        "names": sorted(tuning.numbers),
        "pairs": options.pairs,
        "batch": options.batch,
        **settings.facts(),
    }
    if options.output.exists():
        try:
            take_up(tuning, options.output, json.loads(json.dumps(asked)))
        except (KeyError, TypeError, ValueError) as refused:
            sys.exit(f"tune_search: {refused}")
    left = (tuning.pairs - tuning.played + tuning.batch - 1) // tuning.batch
    for _ in track(tune(tuning, settings, options.workers), "Tuning", total=left):
        state = {"played": tuning.played, "numbers": tuning.numbers, "sums": tuning.sums}
        text = json.dumps({"asked": asked, **state}, indent=1)
        options.output.write_text(text + "\n", encoding="utf-8")
    for name, value in tuning.found().items():
        print(f"{name} {value:.1f}")


if __name__ == "__main__":
    main()
