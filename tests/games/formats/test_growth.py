"""The work on a file grows with its size, not with the square of it: steps are counted.

Every place is tried with one of 45 pieces, another one for each; MEIHUA_SOAK=1 tries all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.fuzz.growth import growth as growth_of_time
from tests.support.growing_files import PIECES, PLACES, Place, repeat, use
from tests.support.soak import SOAK
from tests.support.steps import Steps, count_steps, counting_patterns

SIZE = 60
"""Characters of the smaller file."""
MAX_GROWTH = 2.6
"""Twice the file takes twice the steps, and not four times; some are the same for any file."""
CHECKED_AGAIN = 6
"""A sudden change, as where errors quote longer texts shortly, is gone in files of this size."""

SHARES = 1 if SOAK else 45

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def steps() -> Iterator[Steps]:
    with counting_patterns("xiangqi.") as counted:
        yield counted


def growth(steps: Steps, place: Place, piece: str, size: int) -> float:
    """Ratio of steps for a file of twice this size."""
    small, large = (place.fill(repeat(piece, characters)) for characters in (size, 2 * size))
    base = count_steps(steps, lambda: use(place, small))
    return count_steps(steps, lambda: use(place, large)) / base


@pytest.mark.parametrize("place", PLACES, ids=lambda place: f"{place.format} {place.name}")
def test_the_work_grows_with_the_size(steps: Steps, place: Place) -> None:
    pieces = PIECES[PLACES.index(place) % SHARES :: SHARES]
    found = {piece: growth(steps, place, piece, SIZE) for piece in pieces}
    for piece in [piece for piece, times in found.items() if times > MAX_GROWTH]:
        found[piece] = growth(steps, place, piece, SIZE * CHECKED_AGAIN)
    assert {piece: times for piece, times in found.items() if times > MAX_GROWTH} == {}


@pytest.mark.parametrize(("power", "expected"), [(1, 4.0), (2, 16.0)])
def test_growth_of_time_is_measured(power: int, expected: float) -> None:
    now = 0.0

    def work(size: int) -> None:
        nonlocal now
        now += float(size**power)

    assert growth_of_time(work, 100, lambda: now) == expected
    assert growth_of_time(lambda _: None, 100, lambda: now) == 0


@pytest.mark.parametrize(
    "pattern",
    [r"\s*[\r\n]\s*", r"\s*\[%eval", r"[^\S\n]* *[:=]? *a", r"\n[^\S\n]*\n(?:\s*\[a\])+\n"],
)
def test_a_pattern_of_quadratic_cost_is_found(steps: Steps, pattern: str) -> None:
    """These were in the readers and writers once."""
    blanks = "\n" if pattern.startswith(r"\n") else " "
    counts = [
        count_steps(steps, lambda text=blanks * size: re.search(pattern, text))  # type: ignore[misc]
        for size in (12, 24)
    ]
    assert counts[1] / counts[0] > MAX_GROWTH
