"""Generates self-play games to train a network.

    python -m train.datagen first.games --positions 1000000 --workers 4
    python -m train.datagen first.games --positions 2000000 --workers 4 --resume
    python -m train.datagen drawish.games --games 5000 --rules all-draws --seed 7

The file gets the games with all scores. ``--positions`` counts quiet positions, which networks are
trained on. The same options make the same file, whatever the number of workers. Ctrl-C stops after
the last complete game, and ``--resume`` continues from there. Without ``--games`` and
``--positions`` the program runs until Ctrl-C.
"""

from __future__ import annotations

import argparse
import sys
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path

from train.game_files import SampleError
from train.generation import GenerationSettings, generate_games
from train.options import count, natural
from train.sample_files import GameWriter
from xiangqi.engine.network import DEFAULT
from xiangqi.ground.errors import XiangqiError, plural
from xiangqi.ground.exits import EXIT_INTERRUPTED
from xiangqi.ground.progress import counting_bar
from xiangqi.ground.workers import Workers, in_processes, in_this_process, on_cluster
from xiangqi.match.openings import START, read_openings
from xiangqi.referee.rules import find_rule_set


def parse_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description="Generate self-play games to train a network.")
    parser.add_argument("output", type=Path, help="file of the games")
    parser.add_argument("--games", type=count, help="stop when the file has this number of games")
    parser.add_argument(
        "--positions", type=count, help="stop when it has this number of quiet positions"
    )
    parser.add_argument("--nodes", type=count, default=2_048, help="nodes of each move")
    parser.add_argument(
        "--soft-nodes",
        type=natural,
        default=0,
        help="stop after the iteration that exceeds this count, at the latest at --nodes; 0: off",
    )
    parser.add_argument(
        "--openings", type=Path, help="file of openings, as for xiangqi match; default: the start"
    )
    parser.add_argument(
        "--random-plies",
        type=natural,
        default=8,
        help="random plies after the opening; half of the games play one more",
    )
    parser.add_argument("--eval-file", default=DEFAULT, help="network of the searches")
    parser.add_argument("--rules", default="wxf", help="rule set of the games")
    parser.add_argument("--seed", type=int, default=1, help="seed of the games")
    parser.add_argument("--resume", action="store_true", help="continue an interrupted file")
    parser.add_argument("--force", action="store_true", help="replace an existing file")
    places = parser.add_mutually_exclusive_group()
    places.add_argument("--workers", type=count, default=1, help="number of processes")
    places.add_argument("--scheduler", help="address of a Dask scheduler, tcp://HOST:8786")
    return parser.parse_args()


def choose_workers(options: argparse.Namespace) -> AbstractContextManager[Workers]:
    """Workers of a cluster, processes, or this process."""
    if options.scheduler is not None:
        return on_cluster(options.scheduler)
    return nullcontext(in_processes(options.workers) if options.workers > 1 else in_this_process())


def generate(
    writer: GameWriter,
    settings: GenerationSettings,
    workers: Workers,
    games: int | None,
    positions: int | None,
) -> None:
    """Write games until a limit is reached, with a progress bar on a terminal."""
    total = positions if positions is not None else games
    with (
        counting_bar(transient=False) as progress,
        closing(generate_games(settings, workers, first=writer.games)) as found,
    ):
        task = progress.add_task("Positions" if positions is not None else "Games", total=total)
        while not is_reached(writer.games, games) and not is_reached(writer.positions, positions):
            writer.add(next(found))
            done = writer.positions if positions is not None else writer.games
            progress.update(task, completed=done)


def is_reached(number: int, limit: int | None) -> bool:
    """Is a limit set and reached?"""
    return limit is not None and number >= limit


def describe(writer: GameWriter) -> str:
    """Numbers of games and quiet positions of the file."""
    return f"{plural(writer.games, 'game')}, {plural(writer.positions, 'position')}"


def run(options: argparse.Namespace) -> int:
    """Generate the games; return the exit code."""
    settings = GenerationSettings(
        nodes=options.nodes,
        soft_nodes=options.soft_nodes,
        seed=options.seed,
        random_plies=options.random_plies,
        network=options.eval_file,
        rules=find_rule_set(options.rules),
        openings=tuple(read_openings(options.openings)) if options.openings else (START,),
    )
    flags = {"resume": options.resume, "replace": options.force}
    with (
        choose_workers(options) as workers,
        GameWriter(options.output, settings.facts(), **flags) as writer,
    ):
        try:
            generate(writer, settings, workers, options.games, options.positions)
        except KeyboardInterrupt:
            print(f"{describe(writer)} so far; continue with --resume", file=sys.stderr)
            return EXIT_INTERRUPTED
        print(describe(writer))
    return 0


def main() -> int:
    """Parse the options and generate the games; return the exit code."""
    options = parse_options()
    try:
        return run(options)
    except (OSError, SampleError, XiangqiError) as error:
        print(f"datagen: {error}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
