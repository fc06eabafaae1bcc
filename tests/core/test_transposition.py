"""Transposition table entries after several results for one position."""

from __future__ import annotations

import pytest

from xiangqi.core.testing import stored_entry

NO_BOUND, UPPER, LOWER, EXACT = range(4)
KEEP = 3
DEEP = (17, 40, 20, LOWER)


def test_the_last_result_takes_the_place_of_the_one_before() -> None:
    assert stored_entry([], KEEP) is None
    assert stored_entry([DEEP], KEEP) == DEEP
    for later in [
        (18, -30, 20 - KEEP, UPPER),
        (18, -30, 1, EXACT),
        (18, -30, 40, LOWER),
    ]:
        assert stored_entry([DEEP, later], KEEP) == later


@pytest.mark.parametrize("bound", [NO_BOUND, UPPER, LOWER])
def test_much_deeper_entry_stays_and_takes_the_move(bound: int) -> None:
    shallow = (18, -30, 20 - KEEP - 1, bound)
    assert stored_entry([DEEP, shallow], KEEP) == (18, *DEEP[1:])
    assert stored_entry([DEEP, (0, *shallow[1:])], KEEP) == DEEP
    assert stored_entry([DEEP, shallow], keep=255) == shallow


def test_entry_without_a_bound_is_replaced() -> None:
    without = (17, 40, 20, NO_BOUND)
    later = (18, -30, 2, UPPER)
    assert stored_entry([without, later], KEEP) == later


def test_ages_begin_again() -> None:
    """Run more searches than there are ages."""
    assert stored_entry([DEEP] + 300 * [(18, -30, 2, UPPER)], KEEP) == (18, *DEEP[1:])
