"""Shared code of the fuzz programs: how long they run, how they report."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

_Item = TypeVar("_Item")
_REPORT_EVERY = 5.0  # seconds


def make_parser(description: str | None, count: int) -> argparse.ArgumentParser:
    """The options of every fuzz program."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=count, help="cases (default: %(default)s)")
    parser.add_argument("--seconds", type=float, help="stop after this time, whatever the count")
    parser.add_argument("--seed", type=int, default=1, help="the same cases for the same seed")
    return parser


def limited(cases: Iterable[_Item], options: argparse.Namespace) -> Iterator[_Item]:
    """Cases within the limits of the options, with a progress line now and then."""
    began = reported = time.monotonic()
    for number, case in enumerate(cases):
        now = time.monotonic()
        late = options.seconds is not None and now - began >= options.seconds
        if late or number >= options.count:
            report(f"{number} cases in {now - began:.0f} s, seed {options.seed}")
            return
        if now - reported >= _REPORT_EVERY:
            reported = now
            report(f"{number} of {options.count} cases, {number / (now - began):.0f} a second")
        yield case


def report(line: str) -> None:
    """Print a line of progress, aside from the results."""
    print(line, file=sys.stderr, flush=True)
