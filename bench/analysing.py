"""Analysing games with two processes against one: games an hour, and CPU time.

    python -m bench analysing
    python -m bench.analysing GAMES

The second command takes games of a file instead of self-play games. The ratio of wall-clock times
depends on the load of the machine, so ratios of CPU time per game, and of two processes of pure
arithmetic, are reported as well: if CPU time is equal, the rest is waiting and hardware.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from bench.measure import Result, Row, Run, Samples, WrongResultError, count_up
from xiangqi import Board
from xiangqi.analysis.archive import AnalysisJob, analyse_archive
from xiangqi.analysis.engines import Effort, OurAnalyst
from xiangqi.analysis.game import AnalysisSettings
from xiangqi.games.archive import Archive, on_executor
from xiangqi.games.formats import FORMATS, read_games
from xiangqi.games.tree import Game

GAMES: Final = 12
PLIES: Final = 60
OPENING_PLIES: Final = 6
NODES: Final = 20_000
"""Nodes for each position."""
PLAYING: Final = Effort(nodes=500)
"""Effort for each move of the self-play games."""


class Cost(NamedTuple):
    """Wall-clock and CPU time of a run, in seconds."""

    wall: float
    cpu: float


def measure(runs: int) -> Result:
    """Measure self-play games."""
    return measure_games(make_games(GAMES), runs)


def measure_games(games: list[Game], runs: int) -> Result:
    """Compare two processes with one on the given games."""
    plies = sum(len(game.moves()) for game in games)
    result = Result(f"Analysing {len(games)} games of {plies} plies, {NODES} nodes a position")
    costs: dict[tuple[str, int], list[Cost]] = {}
    with TemporaryDirectory() as folder:
        source = Path(folder, "games.jsonl")
        with source.open("wb") as out:
            FORMATS["jsonl"].write(games, out)
        for _ in range(runs):
            for count in (1, 2):
                out_path = Path(folder, f"{count}.pgn")
                for name, run in (
                    ("analysing", partial(analyse, source, out_path, count)),
                    ("counting", partial(count_up, count)),
                ):
                    costs.setdefault((name, count), []).append(cost_of(run))
        if Path(folder, "1.pgn").read_bytes() != Path(folder, "2.pgn").read_bytes():
            raise WrongResultError("two processes write a different analysis from one")
    one, two = (
        Samples(name, tuple(3600 * len(games) / cost.wall for cost in costs["analysing", count]))
        for name, count in (("one process", 1), ("two processes", 2))
    )
    result.rows.append(Row("analysing: two processes", "games/h", two, one))
    result.notes.extend(describe_costs(costs))
    return result


def describe_costs(costs: dict[tuple[str, int], list[Cost]]) -> list[str]:
    """Compare two processes with one, by wall-clock and by CPU time."""
    counting = 2 * median_cost(costs["counting", 1]).wall / median_cost(costs["counting", 2]).wall
    one, two = (median_cost(costs["analysing", count]) for count in (1, 2))
    by_wall, by_cpu = one.wall / two.wall, one.cpu / two.cpu
    return [
        f"By wall-clock time, two processes of pure arithmetic do {counting:.2f} times the work of "
        f"one here, and two that analyse {by_wall:.2f} times: {2 * by_wall / counting:.2f} times "
        "if arithmetic scaled by 2.",
        f"By CPU time, a game costs two processes {1 / by_cpu:.3f} times as much as one, so that "
        f"they would do {2 * by_cpu:.2f} times the work if neither waited.",
    ]


def median_cost(costs: list[Cost]) -> Cost:
    """Medians of both times."""
    return Cost(*(median(values) for values in zip(*costs, strict=True)))


def cost_of(run: Run) -> Cost:
    """Measure a call, including the processes that it waits for."""
    wall, cpu = time.perf_counter(), _cpu_seconds()
    run()
    return Cost(time.perf_counter() - wall, _cpu_seconds() - cpu)


def _cpu_seconds() -> float:
    return sum(os.times()[:4])  # user and system time, of this process and its children


def analyse(source: Path, out: Path, count: int) -> None:
    """Analyse with this number of processes, forked so that all modules are loaded."""
    out.unlink(missing_ok=True)
    job = AnalysisJob(AnalysisSettings(effort=Effort(nodes=NODES)))
    with ProcessPoolExecutor(count, multiprocessing.get_context("fork")) as pool:
        analyse_archive(Archive([str(source)]), out, job, on_executor(pool, count))


def make_games(count: int) -> list[Game]:
    """Make self-play games that begin with random moves."""
    rng, analyst = Random(count), OurAnalyst()
    return [_play(rng, analyst) for _ in range(count)]


def _play(rng: Random, analyst: OurAnalyst) -> Game:
    board = Board()
    for _ in range(OPENING_PLIES):
        board.push(rng.choice(board.list_moves()))
    while board.ply() < PLIES and board.outcome() is None:
        line = analyst.search(board, PLAYING)
        if line is None:
            break
        board.push(line.moves[0])
    game = Game()
    game.add_line(board.move_stack)
    return game


def main() -> None:
    """Measure games of a file."""
    parser = argparse.ArgumentParser(prog="python -m bench.analysing", description=__doc__)
    parser.add_argument("collection", type=Path, metavar="GAMES", help="file of games")
    parser.add_argument(
        "--games", type=int, default=GAMES, help=f"number of games (default: {GAMES})"
    )
    parser.add_argument("--runs", type=int, default=3, help="runs of each side (default: 3)")
    options = parser.parse_args()
    games = list(islice(read_games(options.collection), options.games))
    result = measure_games(games, options.runs)
    print(result.title)
    for row in result.rows:
        print(f"{row.what}: {row.ratio:.2f} times the {row.unit} of one process")
    print(*result.notes, sep="\n")


if __name__ == "__main__":
    main()
