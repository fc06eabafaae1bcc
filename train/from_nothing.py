"""Trains networks from nothing on positions of the present engine, and plays them against it.

    python -m train.from_nothing positions nets --positions 200000000 --workers 64
    python -m train.from_nothing train nets --workers 16
    python -m train.from_nothing play nets

``positions`` makes files of self-play games of at most 16 MiB, ``train`` a network of each width
from the positions of all these files, and ``play`` matches of each network against the shipped one,
which moves in the same time. The commands that they run are printed. All files stay in the folder,
and called again after an interruption each continues.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from train.options import count
from train.rounds import TD_LAMBDA, WEIGHT_DECAY, Step
from xiangqi.core.network import WIDTHS
from xiangqi.ground.exits import EXIT_INTERRUPTED

MAX_BYTES: Final = 16 << 20
"""Largest file of games."""
POSITION_BYTES: Final = 20
"""Most bytes of a quiet position in a file of games; whole games take some six."""
FILE_POSITIONS: Final = MAX_BYTES // POSITION_BYTES
"""Quiet positions of a file of games."""
SOFT_NODES, HARD_NODES = 500, 3_000
"""Node limits of a search in self-play."""
TRAINED: Final = (256, 384)
"""Neurons of the networks: those of the shipped one, and more."""
EPOCHS: Final = 8
RATE: Final = 0.001
OPENINGS: Final = Path(__file__).parents[1] / "bench" / "openings.txt"


def run(module: str, *arguments: object) -> None:
    """Print and run a program. Raises CalledProcessError if it fails."""
    command = [sys.executable, "-m", module, *map(str, arguments)]
    print(shlex.join(["python", *command[1:]]), flush=True)
    subprocess.run(command, check=True)


def make_positions(options: argparse.Namespace) -> None:
    """Make the files of games that are missing, after completing the last one.

    Raises ValueError for a file that is too large to be kept.
    """
    full, rest = divmod(options.positions, FILE_POSITIONS)
    sizes = [FILE_POSITIONS] * full + [rest] * (rest > 0)
    for number in range(max(1, len(game_files(options.folder))), len(sizes) + 1):
        path = options.folder / f"{number:04}.games"
        limits = ("--soft-nodes", SOFT_NODES, "--nodes", HARD_NODES, "--openings", options.openings)
        wanted = ("--positions", sizes[number - 1], "--seed", number, "--workers", options.workers)
        run("train.datagen", path, "--resume", *wanted, *limits)
        if (size := path.stat().st_size) > MAX_BYTES:
            raise ValueError(f"{path}: {size} bytes, expected at most {MAX_BYTES}")


def game_files(folder: Path) -> list[Path]:
    """Files of games of a folder, in order."""
    return sorted(folder.glob("[0-9][0-9][0-9][0-9].games"))


def training_steps(options: argparse.Namespace) -> Iterator[Step]:
    """Extract the positions of all games, then train a network of each width on all of them."""
    games = game_files(options.folder)
    samples = [path.with_suffix(".samples") for path in games]
    for path, made in zip(games, samples, strict=True):
        lambda_returns = ("--td-lambda", TD_LAMBDA, "--workers", options.workers)
        yield Step(made, "train.extract", (path, "-o", made, *lambda_returns))
    for width in options.hidden:
        network = options.folder / f"{width}.nnue"
        shape = ("--hidden", width, "--kings", "chariots")
        course = ("--epochs", options.epochs, "--rate", RATE, "--weight-decay", WEIGHT_DECAY)
        arguments = (*samples, "-o", network, "--resume", *shape, *course, "--mirror")
        yield Step(network, "train.train_network", arguments)


def train(options: argparse.Namespace) -> None:
    """Train the networks. Raises ValueError if there are no games."""
    if not game_files(options.folder):
        raise ValueError(f"{options.folder}: no files of games, expected those of 'positions'")
    for step in training_steps(options):
        step.run()


def play(options: argparse.Namespace) -> None:
    """Play each network against the shipped one. Raises ValueError if there are none."""
    networks = sorted(options.folder.glob("*.nnue"))
    if not networks:
        raise ValueError(f"{options.folder}: no networks, expected those of 'train'")
    for network in networks:
        for seconds, games in (("0.1", options.fast), ("1", options.slow)):
            if games:
                play_match(network, seconds, games // 2)


def play_match(network: Path, seconds: str, pairs: int) -> None:
    """Play pairs of games with this time for each move, or those left of an interrupted match."""
    journal = network.with_suffix(f".{seconds}s.jsonl")
    if journal.exists():
        run("xiangqi", "match", "-config", f"file={journal}")
        return
    program = (f"cmd={Path(sys.executable).with_name('meihua')}", "proto=uci")
    new = ("-engine", *program, f"name={network.stem}", f"option.EvalFile={network.resolve()}")
    shipped = ("-engine", *program, "name=shipped")
    openings = ("-openings", f"file={OPENINGS}", "order=random", "-repeat", "-rounds", pairs)
    run("xiangqi", "match", *new, *shipped, "-each", f"st={seconds}", *openings,
        "-jsonout", f"file={journal}")  # fmt: skip


def even(word: str) -> int:
    """Parse an even number of games, 0 for none. Raises ArgumentTypeError."""
    if not word.isdecimal() or int(word) % 2:
        raise argparse.ArgumentTypeError(f"{word!r} is not an even number of games")
    return int(word)


def parse_options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Train networks from nothing and play them.")
    commands = parser.add_subparsers(required=True)
    folder = argparse.ArgumentParser(add_help=False)
    folder.add_argument("folder", type=Path, help="folder of all files")
    workers = argparse.ArgumentParser(add_help=False)
    workers.add_argument("--workers", type=count, default=1, help="number of processes")
    making = commands.add_parser("positions", parents=[folder, workers])
    making.set_defaults(command=make_positions)
    making.add_argument("--positions", type=count, required=True, help="of all files together")
    making.add_argument("--openings", type=Path, default=OPENINGS, help="as for xiangqi match")
    training = commands.add_parser("train", parents=[folder, workers])
    training.set_defaults(command=train)
    training.add_argument("--hidden", type=int, choices=WIDTHS, nargs="+", default=TRAINED)
    training.add_argument("--epochs", type=count, default=EPOCHS)
    playing = commands.add_parser("play", parents=[folder])
    playing.set_defaults(command=play)
    playing.add_argument("--fast", type=even, default=600, help="games at 100 ms a move; 0: none")
    playing.add_argument("--slow", type=even, default=100, help="games at 1 s a move; 0: none")
    return parser.parse_args(words)


def main() -> int:
    """Run a command; return the exit code."""
    options = parse_options()
    options.folder.mkdir(parents=True, exist_ok=True)
    try:
        options.command(options)
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except subprocess.CalledProcessError as error:
        return int(error.returncode)
    except ValueError as error:
        print(f"from_nothing: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
