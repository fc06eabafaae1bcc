"""Trains a network further, in rounds of self-play and training.

    python -m train.rounds nets --rounds 4 --positions 1200000 --workers 4
    python -m train.rounds nets --rounds 4 --people games.jsonl.gz --people-rounds 2

Each round plays games with the network of the round before, the first one with the network of the
package, and trains it on them. The games begin with random moves. In the rounds with human games,
self-play begins with positions of these, and positions of the human games are scored by searches
and trained on as well.

Each step is one of the commands of train/README.md, and is printed. All files stay in the folder:
called again, the program continues after the last finished step, also with more rounds.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from xiangqi.engine.network import DEFAULT_PATH, unpack_payload
from xiangqi.ground.exits import EXIT_INTERRUPTED

RECENT: Final = 2
"""Number of latest rounds whose games a network is trained on, without human games."""
SOFT_NODES, HARD_NODES = 1_000, 6_000
"""Node limits of a search in the rounds with human games."""
SHAPE, _ = unpack_payload(DEFAULT_PATH.read_bytes(), DEFAULT_PATH)
LEAVE: Final = 8
"""One of this number of human games is left for evaluating networks."""

EPOCHS: Final = 3
RATE: Final = 0.0007
TD_LAMBDA: Final = 0.7
WEIGHT_DECAY: Final = 0.1
"""TD_LAMBDA and WEIGHT_DECAY apply in the rounds with human games."""


@dataclass(frozen=True)
class Step:
    """A program to be run."""

    output: Path
    """Output file; if it exists, the step is done."""
    module: str
    arguments: tuple[object, ...]

    def run(self) -> None:
        """Run the program unless its output exists. Raises CalledProcessError if it fails."""
        if self.output.exists():
            return
        command = [sys.executable, "-m", self.module, *map(str, self.arguments)]
        print(shlex.join(["python", *command[1:]]), flush=True)
        subprocess.run(command, check=True)


def steps(options: argparse.Namespace) -> Iterator[Step]:
    """All steps, in order."""
    yield from random_rounds(options)
    if options.people:
        yield from people_rounds(options)


def random_rounds(options: argparse.Namespace) -> Iterator[Step]:
    """Steps of the rounds whose games begin with random moves."""
    network = DEFAULT_PATH
    samples: list[Path] = []
    for number in range(1, options.rounds + 1):
        round_ = network_of(options, number)
        games = round_.with_suffix(".games")
        samples.append(round_.with_suffix(".samples"))
        yield self_play(samples[-1], options, number, network, "--nodes", options.nodes)
        yield Step(samples[-1], "train.extract", (games, "-o", samples[-1]))
        yield further_training(round_, samples[-RECENT:], network)
        network = round_


def people_rounds(options: argparse.Namespace) -> Iterator[Step]:
    """Steps of the rounds with human games; half of the self-play begins with sharp positions.

    Each network is trained on the samples of all these rounds.
    """
    folder: Path = options.folder
    network = network_of(options, options.rounds)
    judged = folder / "people.samples"
    people = (options.people, "--leave", LEAVE)
    judging = ("--eval-file", network, "--workers", options.workers, "-o", judged)
    yield Step(judged, "train.people", (*people, *judging))
    samples = [judged]
    limits = ("--soft-nodes", SOFT_NODES, "--nodes", HARD_NODES, "--random-plies", 2)
    for number in range(options.rounds + 1, options.rounds + options.people_rounds + 1):
        round_ = network_of(options, number)
        for kind, flags in (("middle", ()), ("sharp", ("--sharp",))):
            made = folder / f"round{number}.{kind}.samples"
            games, starts = made.with_suffix(".games"), made.with_suffix(".epd")
            arguments = (*people, "--eval-file", network, "--seed", number, *flags)
            yield Step(starts, "train.starts", (*arguments, "-o", starts))
            yield self_play(made, options, number, network, "--openings", starts, *limits)
            yield Step(made, "train.extract", (games, "-o", made, "--td-lambda", TD_LAMBDA))
            samples.append(made)
        yield further_training(round_, samples, network, "--weight-decay", WEIGHT_DECAY, "--mirror")
        network = round_


def network_of(options: argparse.Namespace, number: int) -> Path:
    """Network file of a round."""
    folder: Path = options.folder
    return folder / f"round{number}.nnue"


def self_play(
    samples: Path, options: argparse.Namespace, number: int, network: Path, *flags: object
) -> Step:
    """Step of self-play. It is done once its samples exist: its games may be incomplete."""
    return Step(
        samples,
        "train.datagen",
        (
            *(samples.with_suffix(".games"), "--resume"),
            *("--positions", options.positions, "--eval-file", network, "--seed", number),
            *("--rules", options.rules, "--workers", options.workers, *flags),
        ),
    )


def further_training(network: Path, samples: list[Path], start: Path, *flags: object) -> Step:
    """Step of training that begins with the weights of another network."""
    shape = ("--hidden", SHAPE.hidden, "--kings", SHAPE.kings)
    course = ("--start", start, "--epochs", EPOCHS, "--rate", RATE)
    arguments = (*samples, "-o", network, "--resume", *shape, *course, *flags)
    return Step(network, "train.train_network", arguments)


def parse_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Train a network in rounds of self-play.")
    parser.add_argument("folder", type=Path, help="folder of all files")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--positions", type=int, default=1_200_000, help="positions of each round")
    parser.add_argument("--nodes", type=int, default=2_048, help="nodes of each move")
    parser.add_argument("--rules", default="wxf", help="rule set of the games")
    parser.add_argument("--people", type=Path, help="file of human games")
    parser.add_argument(
        "--people-rounds", type=int, default=2, help="number of further rounds with human games"
    )
    parser.add_argument("--workers", type=int, default=1)
    return parser.parse_args()


def main() -> int:
    """Run all steps; return the exit code."""
    options = parse_options()
    options.folder.mkdir(parents=True, exist_ok=True)
    try:
        for step in steps(options):
            step.run()
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    return 0


if __name__ == "__main__":
    sys.exit(main())
