"""Tests changes by games of the changed engine against the current one.

    python -m train.trial REDUCTION_BASE=60 --journal base.jsonl
    python -m train.trial SINGULAR_DEPTH=6 HISTORY_SLOPE=220,HISTORY_MOST=1900 --each
    python -m train.trial --eval-file new.nnue --elo1 30

Plays pairs of games at fixed nodes, until the SPRT of :mod:`xiangqi.match.stats` accepts a
hypothesis or the maximum number of pairs is reached. The same arguments give the same games, with
any number of workers; with a journal the same command resumes an interrupted trial. Changes that
affect speed, such as the size of a network, and other builds of the engine need ``xiangqi match``.

With ``--each`` every change is tested separately, by the same games: in each pair one side gets a
random half of the changes and the other side the rest. A change is rated by the results of the side
that has it; the effects of the others average out. N pairs thus say almost as much about each of
ten changes as about one (a two-level factorial design: Box, Hunter and Hunter, "Statistics for
Experimenters", 2005, chapter 5).
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import ChainMap
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from rich.progress import Progress

from train.generation import GenerationSettings
from train.options import count
from train.pairs import Side, choose_openings, parallel_map, play_pair
from xiangqi.engine.network import DEFAULT
from xiangqi.engine.searcher import make_parameters
from xiangqi.games.record import parse_json_line
from xiangqi.ground.errors import XiangqiError
from xiangqi.ground.exits import EXIT_INTERRUPTED
from xiangqi.ground.files import Journal, find_change
from xiangqi.match.stats import Sprt, Stats

BATCH: Final = 8
"""Number of pairs of games between two evaluations of the test."""
OPENINGS: Final = Path(__file__).parents[1] / "bench" / "openings.txt"
TOGETHER: Final = "the changes"
"""Name under which changes are reported if they are tested together."""


@dataclass
class Trial:
    """Changes tested against a base, and the results so far."""

    settings: GenerationSettings
    """Settings of the games, with the network of the current engine."""
    network: str
    """Network of the changed engine."""
    changes: Mapping[str, Mapping[str, int]]
    """Changed search parameters, one group for each argument."""
    base: Mapping[str, int]
    """Search parameters of both sides that replace the defaults; changes override them."""
    each: bool = False
    """Is each change tested separately?"""
    results: dict[str, Stats] = field(default_factory=dict)
    """Results of each change, or of all together, from the side that has it."""
    played: int = 0

    def __post_init__(self) -> None:
        self.results = {name: Stats() for name in (self.changes if self.each else (TOGETHER,))}

    def has_change(self, pair: int) -> dict[str, bool]:
        """Does the first side of a pair have each change? If not, the second side does."""
        if not self.each:
            return {TOGETHER: True}
        rng = random.Random(f"{self.settings.seed}:{pair}:sides")
        return {name: rng.random() < 0.5 for name in self.changes}

    def sides(self, pair: int) -> tuple[int, Side, Side]:
        """Sides of a pair, preceded by its number."""
        has = self.has_change(pair)
        first, second = dict(self.base), dict(self.base)
        for name, parameters in self.changes.items():
            (first if has.get(name, True) else second).update(parameters)
        return pair, Side(self.network, first), Side(self.settings.network, second)

    def add(self, points: tuple[float, float]) -> None:
        """Count the next pair, by the points of its first side."""
        as_red, as_black = points
        for name, is_first in self.has_change(self.played).items():
            pair = (as_red, as_black) if is_first else (1 - as_red, 1 - as_black)
            self.results[name].add_pair(*pair)
        self.played += 1

    def play(
        self, pairs: int, workers: int, test: Sprt | None = None
    ) -> Iterator[list[tuple[float, float]]]:
        """Play up to this number of pairs, or until the test decides.

        Counts the results and yields the points of each batch.
        """
        with parallel_map(workers) as map_:
            while self.played < pairs and not (test and self.is_decided(test)):
                numbers = range(self.played, min(self.played + BATCH, pairs))
                pairs_to_play = [self.sides(number) for number in numbers]
                batch = list(map_(partial(play_pair, self.settings), pairs_to_play))
                for points in batch:
                    self.add(points)
                yield batch

    def is_decided(self, test: Sprt) -> bool:
        """Has the test accepted a hypothesis for every change?"""
        return all(test.decision(stats) is not None for stats in self.results.values())

    def facts(self) -> dict[str, Any]:
        """Settings that determine the games, as JSON data."""
        changed = GenerationSettings(network=self.network).facts()["network"]
        trial = {"changes": self.changes, "base": self.base, "each": self.each}
        facts = {**trial, "changed_network": changed, **self.settings.facts()}
        return dict(json.loads(json.dumps(facts)))


def resume(trial: Trial, journal: Journal) -> None:
    """Count the pairs of a journal, or begin a new one. Raises ValueError for another trial's."""
    lines = (parse_json_line(line.data) for line in journal.lines())
    facts = trial.facts()
    made_by = next(lines, None)
    if made_by is None:
        journal.append(facts)
        return
    if (name := find_change(made_by, facts)) is not None:
        raise ValueError(f"{journal.path} belongs to another trial: {name!r} differs")
    for line in lines:
        trial.add(tuple(line["points"]))


def report(trial: Trial, test: Sprt) -> Iterator[str]:
    """Format a line for each change: Elo with its 95 % interval, the counts, the test."""
    for name, stats in trial.results.items():
        games = stats.games
        yield (
            f"{name}: {stats.elo:+.1f} +- {stats.elo_error:.1f} Elo, "
            f"{games.wins} won, {games.draws} drawn, {games.losses} lost, "
            f"{list(stats.pairs.frequencies)}; {test.report(stats)}"
            f"{': ' + decision if (decision := test.decision(stats)) else ''}"
        )


def read_changes(arguments: list[str]) -> dict[str, dict[str, int]]:
    """Parse groups of NAME=VALUE,NAME=VALUE.

    Raises ValueError for an unknown parameter, or one that occurs twice.
    """
    groups: dict[str, dict[str, int]] = {}
    changes: dict[str, int] = {}
    for argument in arguments:
        groups[argument] = {}
        for part in argument.split(","):
            name, _, value = part.partition("=")
            if not value.lstrip("-").isdecimal() or name in changes:
                raise ValueError(f"{part!r}: expected NAME=VALUE, each name once")
            groups[argument][name] = changes[name] = int(value)
    make_parameters(changes)
    return groups


def parse_options() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description="Test changed search parameters, or a network, against the current ones."
    )
    parser.add_argument(
        "changes",
        nargs="*",
        metavar="NAME=VALUE[,...]",
        help="changed search parameters, one group an argument",
    )
    parser.add_argument(
        "--each", action="store_true", help="test each group separately, in the same games"
    )
    parser.add_argument(
        "--base",
        nargs="*",
        default=[],
        metavar="NAME=VALUE",
        help="search parameters of both sides",
    )
    parser.add_argument("--eval-file", default=DEFAULT, help="network of the changed side")
    parser.add_argument("--against-eval-file", default=DEFAULT, help="network of the other side")
    parser.add_argument("--nodes", type=count, default=10_000, help="nodes of each move")
    parser.add_argument(
        "--openings", type=Path, default=OPENINGS, help="file of openings, as for 'xiangqi match'"
    )
    parser.add_argument(
        "--random-plies", type=int, default=2, help="random plies after each opening"
    )
    parser.add_argument(
        "--pairs", type=count, default=20_000, help="maximum number of pairs of games"
    )
    parser.add_argument("--elo0", type=float, default=0.0, help="H0 of the SPRT, in normalized Elo")
    parser.add_argument("--elo1", type=float, default=4.0, help="H1, likewise")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=count, default=1)
    parser.add_argument(
        "--journal",
        type=Path,
        help="journal of the results; a trial with the same arguments resumes it",
    )
    return parser.parse_args()


def make_trial(options: argparse.Namespace) -> Trial:
    """Make the trial of a command line. Raises OSError, ValueError, XiangqiError."""
    if options.each and (not options.changes or options.eval_file != options.against_eval_file):
        raise ValueError("--each needs changed parameters, and the same network on both sides")
    settings = GenerationSettings(
        nodes=options.nodes,
        seed=options.seed,
        random_plies=options.random_plies,
        openings=choose_openings(options.openings),
        network=options.against_eval_file,
    )
    changes = read_changes(options.changes)
    base = dict(ChainMap(*read_changes(options.base).values()))
    return Trial(settings, options.eval_file, changes, base, options.each)


def main() -> int:
    """Play until the test decides; return the exit code."""
    options = parse_options()
    with ExitStack() as opened:
        try:
            test = Sprt(options.elo0, options.elo1)
            trial = make_trial(options)
            trial.facts()  # reads both networks
            journal = None
            if options.journal is not None:
                journal = opened.enter_context(Journal(options.journal, resume=True))
                resume(trial, journal)
        except (OSError, ValueError, XiangqiError) as error:
            sys.exit(f"trial: {error}")
        progress = opened.enter_context(Progress(transient=True))
        task = progress.add_task("Pairs", total=options.pairs, completed=trial.played)
        code = 0
        try:
            for batch in trial.play(options.pairs, options.workers, test):
                for points in batch:
                    if journal is not None:
                        journal.append({"points": points})
                progress.update(task, completed=trial.played)
                if not trial.each:
                    progress.update(task, description=next(report(trial, test)))
        except KeyboardInterrupt:
            code = EXIT_INTERRUPTED
    print(*report(trial, test), sep="\n")
    return code


if __name__ == "__main__":
    sys.exit(main())
