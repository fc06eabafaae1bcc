"""Makes a network from nothing: rounds of self-play and training, the hand-made evaluation first.

    python -m train.rounds nets --rounds 4 --positions 1200000 --workers 4
    python -m train.rounds nets --rounds 4 --people games.jsonl.gz --people-rounds 2

The games of the first rounds begin with random moves. Those of the rounds after them begin with
positions of people's games, and these games themselves, judged by searches, are learned from too.

Each step is one of the commands in train/README.md, and is printed. All files stay in the
folder; called again after an interruption it goes on where it was, and with more rounds it goes on
with these.
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

from xiangqi.engine.network import HAND_MADE
from xiangqi.exits import EXIT_INTERRUPTED

RECENT: Final = 2
"""In the first rounds a network learns from the games of so many, its own the last."""
SOFT_NODES, HARD_NODES = 1_000, 6_000
"""Node limits of a search in the rounds with people's games: more where the score swings."""
LEAVE: Final = 8
"""Every eighth of people's games is left, to hold networks to."""

STATIC_EPOCHS: Final = 12
STATIC_RATE: Final = 0.002
EPOCHS: Final = 3
RATE: Final = 0.0007
TD_LAMBDA: Final = 0.7
WEIGHT_DECAY: Final = 0.1
"""Both in the rounds with people's games."""


@dataclass(frozen=True)
class Step:
    """A program to be run."""

    output: Path
    """Output file; if it exists, the step is done."""
    module: str
    words: tuple[object, ...]

    def run(self) -> None:
        """Run it unless its file is there; CalledProcessError if it fails."""
        if self.output.exists():
            return
        command = [sys.executable, "-m", self.module, *map(str, self.words)]
        print(shlex.join(["python", *command[1:]]), flush=True)
        subprocess.run(command, check=True)


def steps(options: argparse.Namespace) -> Iterator[Step]:
    """Steps to be done, in order."""
    yield from random_rounds(options)
    if options.people:
        yield from people_rounds(options)


def random_rounds(options: argparse.Namespace) -> Iterator[Step]:
    """The rounds whose games begin with random moves."""
    folder: Path = options.folder
    static = folder / "static.nnue"
    distilled = static.with_suffix(".samples")
    network: str | Path = HAND_MADE
    samples: list[Path] = []
    for number in range(1, options.rounds + 1):
        round_ = network_of(options, number)
        games = round_.with_suffix(".games")
        samples.append(round_.with_suffix(".samples"))
        yield self_play(samples[-1], options, number, network, "--nodes", options.nodes)
        yield Step(samples[-1], "train.extract", (games, "-o", samples[-1]))
        if number == 1:
            yield Step(distilled, "train.distil", (games, "-o", distilled))
            yield training(static, [distilled], "--epochs", STATIC_EPOCHS, "--rate", STATIC_RATE)
            network = static
        yield learning(round_, samples[-RECENT:], Path(network).with_suffix(".checkpoint"))
        network = round_


def people_rounds(options: argparse.Namespace) -> Iterator[Step]:
    """The rounds with people's games, half of whose own begin sharply; nothing is forgotten."""
    folder: Path = options.folder
    network = network_of(options, options.rounds)
    judged = folder / "people.samples"
    people = (options.people, "--leave", LEAVE)
    yield Step(judged, "train.people", (*people, "--eval-file", network, "-o", judged))
    samples = [judged]
    limits = ("--soft-nodes", SOFT_NODES, "--nodes", HARD_NODES, "--random-plies", 2)
    for number in range(options.rounds + 1, options.rounds + options.people_rounds + 1):
        round_ = network_of(options, number)
        for kind, words in (("middle", ()), ("sharp", ("--sharp",))):
            made = folder / f"round{number}.{kind}.samples"
            games, starts = made.with_suffix(".games"), made.with_suffix(".epd")
            asked = (*people, "--eval-file", network, "--seed", number, *words)
            yield Step(starts, "train.starts", (*asked, "-o", starts))
            yield self_play(made, options, number, network, "--openings", starts, *limits)
            yield Step(made, "train.extract", (games, "-o", made, "--td-lambda", TD_LAMBDA))
            samples.append(made)
        yield learning(round_, samples, network, "--weight-decay", WEIGHT_DECAY, "--mirror")
        network = round_


def network_of(options: argparse.Namespace, number: int) -> Path:
    """The file of a round's network."""
    folder: Path = options.folder
    return folder / f"round{number}.nnue"


def self_play(
    samples: Path, options: argparse.Namespace, number: int, network: str | Path, *words: object
) -> Step:
    """The step that plays games; done when there are samples, for games may be too few."""
    return Step(
        samples,
        "xiangqi",
        (
            *("datagen", samples.with_suffix(".games"), "--resume"),
            *("--positions", options.positions, "--eval-file", network, "--seed", number),
            *("--rules", options.rules, "--workers", options.workers, *words),
        ),
    )


def learning(network: Path, samples: list[Path], start: Path, *words: object) -> Step:
    """The step that learns from a round, beginning with what another network knows."""
    return training(network, samples, "--start", start, "--epochs", EPOCHS, "--rate", RATE, *words)


def training(network: Path, samples: list[Path], *words: object) -> Step:
    """The step that trains a network."""
    return Step(network, "train.train_network", (*samples, "-o", network, "--resume", *words))


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Train a network in rounds of self-play.")
    parser.add_argument("folder", type=Path, help="folder of all files")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--positions", type=int, default=1_200_000, help="positions of each round")
    parser.add_argument("--nodes", type=int, default=2_048, help="nodes of each move")
    parser.add_argument("--rules", default="wxf", help="rule set of the games")
    parser.add_argument("--people", type=Path, help="file of samples from people's games")
    parser.add_argument(
        "--people-rounds", type=int, default=2, help="number of further rounds with people's games"
    )
    parser.add_argument("--workers", type=int, default=1)
    return parser.parse_args()


def main() -> int:
    """Take one step after the other."""
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
