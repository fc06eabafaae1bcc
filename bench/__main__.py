"""The command ``python -m bench``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from rich.console import Console

from bench import (
    analysing,
    archives,
    detecting,
    judging,
    legal_moves,
    perft,
    profiling,
    searching,
    starting,
)
from bench.measure import Result, WrongResultError
from bench.plot import plot_curves
from bench.report import LEGEND, Machine, print_result, to_json, to_markdown

BENCHES: Final[dict[str, Callable[[int], Result]]] = {
    "perft": perft.measure,
    "legal_moves": legal_moves.measure,
    "judging": judging.measure,
    "archives": archives.measure,
    "analysing": analysing.measure,
    "searching": searching.measure,
    "detecting": detecting.measure,
    "starting": starting.measure,
    "profiling": profiling.measure,
}
RESULTS: Final = Path(__file__).parent / "RESULTS.md"
PLOT: Final = RESULTS.with_name("RESULTS.svg")

WIDTH: Final = 130
"""Width of the output if it is not a terminal."""


def main() -> int:
    """Run the chosen benchmarks; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m bench", description="Measure Meihua's speed.")
    parser.add_argument(
        "names",
        nargs="*",
        metavar="NAME",
        help=f"benchmarks to run, of {', '.join(BENCHES)} (default: all)",
    )
    parser.add_argument("--runs", type=int, default=7, help="runs of each side (default: 7)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write every run to a file")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    parser.add_argument(
        "--mates", type=Path, metavar="FILE", help="mates for 'searching' instead of its own"
    )
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in BENCHES]
    if unknown:
        parser.error(f"unknown bench {unknown[0]!r}: expected one of {', '.join(BENCHES)}")
    if options.write and options.names:
        parser.error("--write writes the whole report: expected no names")
    if options.runs < 1:
        parser.error(f"invalid number of runs {options.runs}: expected 1 or more")

    benches = dict(BENCHES)
    if options.mates is not None:
        try:
            mates = searching.read_mates(options.mates)
        except (OSError, ValueError) as error:
            parser.error(f"--mates: {error}")
        benches["searching"] = partial(searching.measure, mates=mates)

    console = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    machine = Machine.here()
    console.print(str(machine), highlight=False)
    results = {}
    for name in options.names or benches:
        try:
            results[name] = benches[name](options.runs)
        except WrongResultError as error:
            console.print(f"{name}: {error}", style="bold red", highlight=False)
            return 1
        print_result(results[name], console)
    console.print(LEGEND, highlight=False)
    if options.json is not None:
        options.json.write_text(to_json(machine, results), encoding="utf-8")
    if options.write:
        RESULTS.write_text(to_markdown(machine, results), encoding="utf-8")
        plot_curves([curve for result in results.values() for curve in result.curves], PLOT)
    return 0


if __name__ == "__main__":
    sys.exit(main())
