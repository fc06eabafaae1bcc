"""Timing: alternating runs and what is made of them."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import TypeVar

Run = Callable[[], object]
Item = TypeVar("Item")


class WrongResultError(Exception):
    """The two sides of a bench do not compute the same: there is nothing to compare."""


def require_equal(what: str, ours: object, theirs: object) -> None:
    """Raise WrongResultError unless both sides have the same result."""
    if ours != theirs:
        raise WrongResultError(f"{what}: Meihua has {ours!r}, the peer {theirs!r}")


@dataclass(frozen=True)
class Samples:
    """Measurements of one side in each of its runs."""

    name: str
    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle one."""
        return median(self.values)

    @property
    def least(self) -> float:
        """The lower end of the spread."""
        return min(self.values)

    @property
    def most(self) -> float:
        """The upper end of the spread."""
        return max(self.values)


@dataclass(frozen=True)
class Row:
    """One measurement: Meihua's and, where there is one, a peer's."""

    what: str
    unit: str
    ours: Samples
    theirs: Samples | None = None
    more_is_better: bool = True

    @property
    def ratio(self) -> float | None:
        """Speed of Meihua in multiples of the other program, by the medians."""
        if self.theirs is None:
            return None
        return self._speedup(self.ours.median, self.theirs.median)

    @property
    def pairwise_ratio(self) -> float | None:
        """Speed of Meihua in multiples of the other program, the median of neighbouring runs."""
        if self.theirs is None:
            return None
        pairs = zip(self.ours.values, self.theirs.values, strict=True)
        return median(self._speedup(ours, theirs) for ours, theirs in pairs)

    def _speedup(self, ours: float, theirs: float) -> float:
        return ours / theirs if self.more_is_better else theirs / ours


@dataclass(frozen=True)
class Curve:
    """Growth of a cost with a size: one line for each side, the medians over the sizes."""

    title: str
    size: str
    """Quantity that grows, for the axis."""
    unit: str
    """Unit of the cost."""
    lines: dict[str, list[tuple[int, float]]]
    """By the name of a side: pairs of a size and the cost at it."""

    @classmethod
    def of_rows(cls, title: str, size: str, rows: Mapping[int, Row]) -> Curve:
        """The curve that measurements at several sizes make."""
        lines: dict[str, list[tuple[int, float]]] = {}
        for at, row in rows.items():
            for samples in (row.ours, row.theirs):
                if samples is not None:
                    lines.setdefault(samples.name, []).append((at, samples.median))
        (unit,) = {row.unit for row in rows.values()}
        return cls(title, size, unit, lines)


@dataclass(frozen=True)
class Result:
    """Result of a bench."""

    title: str
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)


@dataclass(frozen=True)
class Scale:
    """From the seconds of a run to a figure: work per second, or time per piece of work."""

    unit: str
    amount: float
    """Pieces of work in a run; for a rate, in what the unit counts."""
    per_second: bool = True

    def value(self, seconds: float) -> float:
        """The figure of a run that took so long."""
        return self.amount / seconds if self.per_second else seconds / self.amount


def microseconds_each(count: int) -> Scale:
    """The scale of a run that does a thing so many times."""
    return Scale("µs", count / 1e6, per_second=False)


def seconds_of(run: Run) -> float:
    """Duration of a call."""
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def repeated(rounds: int, call: Callable[[Item], object], items: Sequence[Item]) -> Run:
    """A run that does the call for each of the items, several rounds of them."""

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
    """Time both sides by turns, ours, theirs, ours, theirs; without a peer ours alone.

    ``their_scale`` is given where a run of the peer does less of the same work.
    """
    our_values, their_values = [], []
    collecting = gc.isenabled()
    gc.disable()
    try:
        for _ in range(runs):
            our_values.append(scale.value(seconds_of(ours)))
            if theirs is not None:
                their_values.append((their_scale or scale).value(seconds_of(theirs)))
            gc.collect()
    finally:
        if collecting:
            gc.enable()
    return Row(
        what,
        scale.unit,
        Samples("Meihua", tuple(our_values)),
        Samples(peer, tuple(their_values)) if their_values else None,
        more_is_better=scale.per_second,
    )
