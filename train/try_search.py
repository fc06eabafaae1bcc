"""Tries other numbers of the search, or another network, against the present ones.

    python -m train.try_search REDUCTION_BASE=60 --nodes 40000 --openings openings.epd
    python -m train.try_search --eval-file new.nnue --nodes 10000 --elo1 30

Pairs of games at fixed nodes, until the sequential test of :mod:`xiangqi.match.stats` accepts one
of its hypotheses or the pairs are played. The same words play the same games. What depends on
time, as the size of a network, is for ``xiangqi match``.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from train.pairs import Side, choose_openings, play_pair, several
from xiangqi.engine.network import DEFAULT, choose_network
from xiangqi.engine.searcher import make_parameters
from xiangqi.errors import XiangqiError
from xiangqi.match.stats import Sprt, Stats
from xiangqi.selfplay.generation import GenerationSettings

BATCH: Final = 8
"""Pairs between two looks at the test."""


def matches(
    settings: GenerationSettings, first: Side, second: Side, pairs: int, workers: int
) -> Iterator[Stats]:
    """The results so far, after each batch of pairs."""
    stats = Stats()
    with several(workers) as map_:
        for begin in range(0, pairs, BATCH):
            numbers = range(begin, min(begin + BATCH, pairs))
            asked = [(number, first, second) for number in numbers]
            for points in map_(partial(play_pair, settings), asked):
                stats.add_pair(*points)
            yield stats


def read_changes(words: list[str]) -> Mapping[str, float]:
    """NAME=VALUE, each once; ValueError if the search has no such number."""
    changes = {}
    for word in words:
        name, _, value = word.partition("=")
        if not value.lstrip("-").isdecimal() or name in changes:
            raise ValueError(f"{word!r}: expected NAME=VALUE, each name once")
        changes[name] = int(value)
    make_parameters(changes)
    return changes


def parse_options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Try numbers of the search or a network.")
    parser.add_argument("changes", nargs="*", metavar="NAME=VALUE", help="of the first side")
    parser.add_argument("--against", nargs="*", default=[], metavar="NAME=VALUE")
    parser.add_argument("--eval-file", default=DEFAULT, help="the network of the first side")
    parser.add_argument("--against-eval-file", default=DEFAULT, help="of the other")
    parser.add_argument("--nodes", type=int, default=40_000, help="for each move")
    parser.add_argument("--openings", type=Path, help="as for 'xiangqi match'")
    parser.add_argument("--random-plies", type=int, default=2, help="that follow an opening")
    parser.add_argument("--pairs", type=int, default=2_000, help="of games, at most")
    parser.add_argument("--elo0", type=float, default=0.0, help="of the test, normalised")
    parser.add_argument("--elo1", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Play until something is known."""
    options = parse_options()
    try:
        first = Side(options.eval_file, read_changes(options.changes))
        second = Side(options.against_eval_file, read_changes(options.against))
        for side in (first, second):
            choose_network(side.network)
        openings = choose_openings(options.openings)
        test = Sprt(options.elo0, options.elo1)
    except (OSError, ValueError, XiangqiError) as refused:
        sys.exit(f"try_search: {refused}")
    settings = GenerationSettings(
        nodes=options.nodes,
        seed=options.seed,
        random_plies=options.random_plies,
        openings=openings,
    )
    for stats in matches(settings, first, second, options.pairs, options.workers):
        print(*stats.report(), test.report(stats), sep="\n", flush=True)
        if (decision := test.decision(stats)) is not None:
            print(f"{decision} is accepted")
            return


if __name__ == "__main__":
    main()
