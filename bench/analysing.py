"""Analysing games: two processes beside one, in games an hour and in processor time.

    python -m bench analysing
    python -m bench.analysing GAMES

The second takes games of a file instead of games of the engine with itself. Beside the ratio of the
clock, which a loaded machine spoils, stands that of the processor time a game costs: where two
processes cost no more of it than one, they do as much more as pure arithmetic does, less what they
wait for each other, which is reported as well.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from bench.measure import Result, Row, Samples, WrongResultError
from xiangqi import Board
from xiangqi.analysis.archive import AnalysisJob, analyse_archive
from xiangqi.analysis.engines import Effort, OurAnalyst
from xiangqi.analysis.game import AnalysisSettings
from xiangqi.games.archive import Archive, lent
from xiangqi.games.formats import FORMATS, read_games
from xiangqi.games.tree import Game

GAMES: Final = 12
PLIES: Final = 60
OPENING_PLIES: Final = 6
NODES: Final = 20_000
"""For each position."""
PLAYING: Final = Effort(nodes=500)
"""For each move of the games that are analysed."""
COUNTING: Final = 30_000_000
"""Steps of the loop that is the measure of pure arithmetic."""


class Cost(NamedTuple):
    """Duration of a run, in seconds."""

    wall: float
    processor: float


def measure(runs: int) -> Result:
    """Two processes beside one."""
    return measure_games(make_games(GAMES), runs)


def measure_games(games: list[Game], runs: int) -> Result:
    """The same of any games."""
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
                costs.setdefault(("analysing", count), []).append(analyse(source, out_path, count))
                costs.setdefault(("counting", count), []).append(count_up(count))
        if Path(folder, "1.pgn").read_bytes() != Path(folder, "2.pgn").read_bytes():
            raise WrongResultError("two processes write another analysis than one")
    one, two = (
        Samples(name, tuple(3600 * len(games) / cost.wall for cost in costs["analysing", count]))
        for name, count in (("one process", 1), ("two processes", 2))
    )
    result.rows.append(Row("analysing: two processes", "games/h", two, one))
    result.notes.extend(tell(costs))
    return result


def tell(costs: dict[tuple[str, int], list[Cost]]) -> list[str]:
    """Lines on the work of two processes, by the clock and by processor time."""
    counting = 2 * middle(costs["counting", 1]).wall / middle(costs["counting", 2]).wall
    by_clock = middle(costs["analysing", 1]).wall / middle(costs["analysing", 2]).wall
    by_work = middle(costs["analysing", 1]).processor / middle(costs["analysing", 2]).processor
    return [
        f"By the clock two processes of pure arithmetic do {counting:.2f} times the work of one "
        f"here, and analysing {by_clock:.2f} times: {2 * by_clock / counting:.2f} where arithmetic "
        "scales by 2.",
        f"By processor time a game costs two processes {1 / by_work:.3f} times what it costs one, "
        f"so that they would do {2 * by_work:.2f} times the work, if neither waited.",
    ]


def middle(costs: list[Cost]) -> Cost:
    """The medians."""
    return Cost(*(median(values) for values in zip(*costs, strict=True)))


def analyse(source: Path, out: Path, count: int) -> Cost:
    """Analyse with so many processes, forked so that they begin with everything loaded."""
    out.unlink(missing_ok=True)
    job = AnalysisJob(AnalysisSettings(effort=Effort(nodes=NODES)))
    wall, processor = time.perf_counter(), used()
    with ProcessPoolExecutor(count, multiprocessing.get_context("fork")) as pool:
        analyse_archive(Archive([str(source)]), out, job, lent(pool, count))
    return Cost(time.perf_counter() - wall, used() - processor)


def count_up(count: int) -> Cost:
    """Let so many processes count."""
    command = [sys.executable, "-c", f"for _ in range({COUNTING}): pass"]
    wall, processor = time.perf_counter(), used()
    for process in [subprocess.Popen(command) for _ in range(count)]:
        process.wait()
    return Cost(time.perf_counter() - wall, used() - processor)


def used() -> float:
    """The processor time of this process and of those it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def make_games(count: int) -> list[Game]:
    """Games of the engine with itself, behind some random moves."""
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
    """Measure with games of a file."""
    parser = argparse.ArgumentParser(prog="python -m bench.analysing", description=__doc__)
    parser.add_argument("collection", type=Path, metavar="GAMES", help="a file of games")
    parser.add_argument("--games", type=int, default=GAMES, help=f"how many (default: {GAMES})")
    parser.add_argument("--runs", type=int, default=3, help="runs of each side (default: 3)")
    options = parser.parse_args()
    games = list(islice(read_games(options.collection), options.games))
    result = measure_games(games, options.runs)
    print(result.title)
    for row in result.rows:
        print(f"{row.what}: {row.ratio:.2f} times the {row.unit} of one")
    print(*result.notes, sep="\n")


if __name__ == "__main__":
    main()
