"""Tunes search parameters by self-play (SPSA).

    python -m train.tune_search tuned.json SINGULAR_MARGIN FUTILITY_MARGIN --pairs 8000 --workers 4

Simultaneous perturbation stochastic approximation (Spall 1992,
https://www.chessprogramming.org/SPSA): in each pair of games one side adds a random perturbation to
the current parameters, the other side subtracts it, and the parameters then move a little towards
the winner. Both games of a pair have the same random opening, exchanged colours and a fixed number
of nodes for each move.

The result is the mean of the parameters over the last half of the run (Polyak and Juditsky,
"Acceleration of stochastic approximation by averaging", 1992). The output file holds the state of
the run: called again with the same arguments, the tuner continues. Names of parameters are those of
``xiangqi.engine.searcher``; the default are those that depend on the scale of the evaluation.
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

from train.generation import GenerationSettings
from train.options import count
from train.pairs import Side, choose_openings, parallel_map, play_pair
from xiangqi.engine.network import DEFAULT
from xiangqi.engine.searcher import PARAMETERS, Parameter
from xiangqi.ground.errors import XiangqiError

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
"""Parameters that depend on the scale or the accuracy of the evaluation."""

PERTURBATION: Final = 2.0
"""Final perturbation, in multiples of the parameter's step (xiangqi/engine/searcher.py)."""

LAST_RATE: Final = 0.01
"""Final change of a parameter for each point by which a side wins a pair, as a share of the
perturbation."""

# Decay of the perturbation and of the rate: exponents, and stabilising offset as a share of the
# run, as recommended by Spall ("Implementation of the simultaneous perturbation algorithm", 1998).
PERTURBATION_EXPONENT: Final = 0.101
RATE_EXPONENT: Final = 0.602
OFFSET: Final = 0.1


# Tuning


@dataclass
class Tuning:
    """State of a tuning run."""

    parameters: tuple[Parameter, ...]
    pairs: int
    """Planned number of pairs."""
    seed: int
    batch: int = 8
    """Number of pairs played with the same parameters."""
    numbers: dict[str, float] = field(default_factory=dict)
    """Current parameters."""
    sums: dict[str, float] = field(default_factory=dict)
    """Sums of the parameters after each pair of the last half of the run."""
    played: int = 0

    def __post_init__(self) -> None:
        for parameter in self.parameters:
            self.numbers.setdefault(parameter.name, float(parameter.default))
            self.sums.setdefault(parameter.name, 0.0)

    def perturbation(self, parameter: Parameter) -> float:
        """Current size of a parameter's perturbation."""
        factor = (self.pairs / (self.played + 1)) ** PERTURBATION_EXPONENT
        return PERTURBATION * parameter.step * float(factor)

    def rate(self) -> float:
        """Current value of the rate that ends at :data:`LAST_RATE`."""
        offset = OFFSET * self.pairs
        elapsed = (offset + self.played + 1) / (offset + self.pairs)
        return float(LAST_RATE * elapsed**-RATE_EXPONENT)

    def directions(self, pair: int) -> dict[str, int]:
        """Random sign of each parameter's perturbation in a pair."""
        rng = random.Random(f"{self.seed}:{pair}")
        return {parameter.name: rng.choice((-1, 1)) for parameter in self.parameters}

    def perturbed(self, directions: Mapping[str, int], sign: int) -> dict[str, float]:
        """Parameters with the perturbation added (``sign`` 1) or subtracted (-1)."""
        return {
            parameter.name: _bounded(
                parameter,
                self.numbers[parameter.name]
                + sign * directions[parameter.name] * self.perturbation(parameter),
            )
            for parameter in self.parameters
        }

    def learn(self, results: Iterable[tuple[Mapping[str, int], float]]) -> None:
        """Move the parameters towards the winner of each pair of a batch."""
        played = self.played
        for directions, won in results:
            for parameter in self.parameters:
                step = self.rate() * self.perturbation(parameter)
                shift = won * directions[parameter.name] * step
                moved = _bounded(parameter, self.numbers[parameter.name] + shift)
                self.numbers[parameter.name] = moved
                if 2 * played >= self.pairs:
                    self.sums[parameter.name] += moved
            played += 1
        self.played = played

    def found(self) -> dict[str, float]:
        """Mean over the last half of the run so far; before that, the current parameters."""
        averaged = self.played - (self.pairs + 1) // 2
        if averaged <= 0:
            return self.numbers
        return {name: total / averaged for name, total in self.sums.items()}


def _bounded(parameter: Parameter, value: float) -> float:
    return min(max(value, parameter.least), parameter.most)


def tune(tuning: Tuning, settings: GenerationSettings, workers: int) -> Iterator[None]:
    """Play the remaining pairs; yield after each batch, with ``tuning`` updated."""
    with parallel_map(workers) as map_:
        while tuning.played < tuning.pairs:
            numbers = range(tuning.played, min(tuning.played + tuning.batch, tuning.pairs))
            chosen = [tuning.directions(number) for number in numbers]
            pairs = [
                (
                    number,
                    Side(settings.network, tuning.perturbed(directions, 1)),
                    Side(settings.network, tuning.perturbed(directions, -1)),
                )
                for number, directions in zip(numbers, chosen, strict=True)
            ]
            points = map_(partial(play_pair, settings), pairs)
            won = [2 * (as_red + as_black - 1) for as_red, as_black in points]
            tuning.learn(zip(chosen, won, strict=True))
            yield


# The command


def parse_options() -> argparse.Namespace:
    """Parse the command line."""
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


def resume(tuning: Tuning, path: Path, request: Mapping[str, Any]) -> None:
    """Load the state of a file. Raises ValueError if it was made by another request."""
    state = json.loads(path.read_text(encoding="utf-8"))
    if state["request"] != request:
        raise ValueError(f"{path} was made by {state['request']}, expected {request}")
    tuning.played, tuning.numbers, tuning.sums = state["played"], state["numbers"], state["sums"]


def main() -> None:
    """Tune, continuing the output file if it exists."""
    options = parse_options()
    chosen = tuple(parameter for parameter in PARAMETERS if parameter.name in options.names)
    tuning = Tuning(chosen, options.pairs, options.seed, options.batch)
    try:
        openings = choose_openings(options.openings)
    except (OSError, XiangqiError) as error:
        sys.exit(f"tune_search: {error}")
    settings = GenerationSettings(
        nodes=options.nodes,
        seed=options.seed,
        network=options.eval_file,
        openings=openings,
        random_plies=options.random_plies,
    )
    request = {
        "names": sorted(tuning.numbers),
        "pairs": options.pairs,
        "batch": options.batch,
        **settings.facts(),
    }
    if options.output.exists():
        try:
            resume(tuning, options.output, json.loads(json.dumps(request)))
        except (KeyError, TypeError, ValueError) as error:
            sys.exit(f"tune_search: {error}")
    left = (tuning.pairs - tuning.played + tuning.batch - 1) // tuning.batch
    for _ in track(tune(tuning, settings, options.workers), "Tuning", total=left):
        state = {"played": tuning.played, "numbers": tuning.numbers, "sums": tuning.sums}
        text = json.dumps({"request": request, **state}, indent=1)
        options.output.write_text(text + "\n", encoding="utf-8")
    for name, value in tuning.found().items():
        print(f"{name} {value:.1f}")


if __name__ == "__main__":
    main()
