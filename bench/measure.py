"""Timing: alternating runs, and their medians and ratios."""

from __future__ import annotations

import gc
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TypeVar

Run = Callable[[], object]
Item = TypeVar("Item")

COUNTING_STEPS = 30_000_000
"""Steps of the loop of :func:`count_up`: a second or so."""


class WrongResultError(Exception):
    """The results of two programs differ, so that their times cannot be compared."""


def require_equal(what: str, ours: object, theirs: object) -> None:
    """Raise WrongResultError if the results differ."""
    if ours != theirs:
        raise WrongResultError(f"{what}: Meihua has {ours!r}, the peer {theirs!r}")


@dataclass(frozen=True)
class Samples:
    """Measurements of one program, one for each run."""

    name: str
    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """Median of the measurements."""
        return median(self.values)

    @property
    def least(self) -> float:
        """Smallest measurement."""
        return min(self.values)

    @property
    def most(self) -> float:
        """Largest measurement."""
        return max(self.values)


@dataclass(frozen=True)
class Row:
    """A measurement of Meihua and, if available, of another program."""

    what: str
    unit: str
    ours: Samples
    theirs: Samples | None = None
    more_is_better: bool = True

    @property
    def ratio(self) -> float | None:
        """Speed of Meihua relative to the other program, by the medians."""
        if self.theirs is None:
            return None
        return self._speedup(self.ours.median, self.theirs.median)

    @property
    def pairwise_ratio(self) -> float | None:
        """Speed of Meihua relative to the other program, as the median over pairs of runs."""
        if self.theirs is None:
            return None
        pairs = zip(self.ours.values, self.theirs.values, strict=True)
        return median(self._speedup(ours, theirs) for ours, theirs in pairs)

    def _speedup(self, ours: float, theirs: float) -> float:
        return ours / theirs if self.more_is_better else theirs / ours


@dataclass(frozen=True)
class Curve:
    """Medians of a cost by size, with a line for each program."""

    title: str
    size: str
    """Quantity on the x-axis."""
    unit: str
    """Unit of the cost."""
    lines: dict[str, list[tuple[int, float]]]
    """Pairs of size and cost, by the name of the program."""

    @classmethod
    def of_rows(cls, title: str, size: str, rows: Mapping[int, Row]) -> Curve:
        """Make a curve from measurements by size."""
        lines: dict[str, list[tuple[int, float]]] = {}
        for at, row in rows.items():
            for samples in (row.ours, row.theirs):
                if samples is not None:
                    lines.setdefault(samples.name, []).append((at, samples.median))
        (unit,) = {row.unit for row in rows.values()}
        return cls(title, size, unit, lines)


@dataclass(frozen=True)
class Result:
    """Result of a benchmark."""

    title: str
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)


@dataclass(frozen=True)
class Scale:
    """Conversion of the seconds of a run to work per second, or to time per unit of work."""

    unit: str
    amount: float
    """Amount of work in a run, in the unit of the result."""
    per_second: bool = True

    def value(self, seconds: float) -> float:
        """Convert the duration of a run."""
        return self.amount / seconds if self.per_second else seconds / self.amount


def microseconds_each(count: int) -> Scale:
    """Scale for a run that repeats something this number of times."""
    return Scale("µs", count / 1e6, per_second=False)


def seconds_of(run: Run) -> float:
    """Measure the duration of a call."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def count_up(processes: int) -> None:
    """Run pure arithmetic in parallel processes, to measure how the machine scales."""
    command = [sys.executable, "-c", f"for _ in range({COUNTING_STEPS}): pass"]
    for process in [subprocess.Popen(command) for _ in range(processes)]:
        process.wait()


def repeated(rounds: int, call: Callable[[Item], object], items: Sequence[Item]) -> Run:
    """Make a run that calls a function for each item, for a number of rounds."""

    def run() -> None:
        for _ in range(rounds):
            for item in items:
                call(item)

    return run


def compare(
    what: str,
    scale: Scale,
    runs: int,
    ours: Run,
    theirs: Run | None,
    peer: str,
    their_scale: Scale | None = None,
) -> Row:
    """Time Meihua and the peer in alternating runs; Meihua alone if ``theirs`` is None.

    ``their_scale`` is for a run of the peer that does a different amount of work.
    """
    our_values, their_values = [], []
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        for _ in range(runs):
            our_values.append(scale.value(seconds_of(ours)))
            if theirs is not None:
                their_values.append((their_scale or scale).value(seconds_of(theirs)))
            gc.collect()
    finally:
        if was_enabled:
            gc.enable()
    return Row(
        what,
        scale.unit,
        Samples("Meihua", tuple(our_values)),
        Samples(peer, tuple(their_values)) if their_values else None,
        more_is_better=scale.per_second,
    )
