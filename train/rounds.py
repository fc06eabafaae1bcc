"""Makes a network from nothing: rounds of self-play and training, the hand-made evaluation first.

    python -m train.rounds nets --rounds 4 --positions 1200000 --workers 4

Each step is one of the commands that train/README.md tells, and is printed. All files stay in the
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
"""A network learns from the games of so many rounds, its own the last."""

STATIC_EPOCHS: Final = 12
STATIC_RATE: Final = 0.002
EPOCHS: Final = 3
RATE: Final = 0.0007


@dataclass(frozen=True)
class Step:
    """A program to be run."""

    output: Path
    """Where this file is, the step is done."""
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
    """What has to be done, in order."""
    folder: Path = options.folder
    static = folder / "static.nnue"
    distilled = static.with_suffix(".samples")
    network: str | Path = HAND_MADE
    samples: list[Path] = []
    for number in range(1, options.rounds + 1):
        round_ = folder / f"round{number}.nnue"
        games = round_.with_suffix(".games")
        samples.append(round_.with_suffix(".samples"))
        yield Step(  # until there are samples, for games may be too few
            samples[-1],
            "xiangqi",
            (
                *("datagen", games, "--resume", "--positions", options.positions),
                *("--eval-file", network, "--seed", number, "--nodes", options.nodes),
                *("--rules", options.rules, "--workers", options.workers),
            ),
        )
        yield Step(samples[-1], "train.extract", (games, "-o", samples[-1]))
        if number == 1:
            yield Step(distilled, "train.distil", (games, "-o", distilled))
            yield training(static, [distilled], "--epochs", STATIC_EPOCHS, "--rate", STATIC_RATE)
            network = static
        start = Path(network).with_suffix(".checkpoint")
        learned = ("--start", start, "--epochs", EPOCHS, "--rate", RATE)
        yield training(round_, samples[-RECENT:], *learned)
        network = round_


def training(network: Path, samples: list[Path], *words: object) -> Step:
    """The step that trains a network."""
    return Step(network, "train.train_network", (*samples, "-o", network, "--resume", *words))


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Make a network in rounds of self-play.")
    parser.add_argument("folder", type=Path, help="of all files")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--positions", type=int, default=1_200_000, help="of each round's games")
    parser.add_argument("--nodes", type=int, default=2_048, help="for each move")
    parser.add_argument("--rules", default="wxf", help="of the games")
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
