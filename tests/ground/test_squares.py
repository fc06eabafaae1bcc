"""Square sets, compared with frozensets."""

from __future__ import annotations

import copy
import operator
import pickle
import random

import pytest

import xiangqi
from xiangqi import A0, E4, I9, SQUARES, Square, SquareSet
from xiangqi.ground.errors import InvalidSquareError
from xiangqi.pieces import SQUARE_NAMES, square_file, square_flip, square_mirror, square_rank
from xiangqi.pieces.squares import __all__ as names


def some(seed: int) -> tuple[SquareSet, frozenset[Square]]:
    plain = frozenset(random.Random(seed).sample(SQUARES, random.Random(-seed).randrange(91)))
    return SquareSet(plain), plain


@pytest.mark.parametrize("seed", range(40))
def test_operations_are_those_of_frozensets(seed: int) -> None:
    fast, slow = some(seed)
    other, plain = some(seed + 1000)
    for name in ("and_", "or_", "xor", "sub"):
        do = getattr(operator, name)
        for found in (do(fast, other), do(fast, plain), do(fast, set(plain)), do(slow, other)):
            assert found == do(slow, plain)
        assert isinstance(do(fast, plain), SquareSet)
    for name in ("union", "intersection", "difference", "symmetric_difference"):
        found = getattr(fast, name)(sorted(plain))
        assert found == getattr(slow, name)(plain)
        assert isinstance(found, SquareSet)
    for name in ("issubset", "issuperset", "isdisjoint"):
        assert getattr(fast, name)(other) == getattr(slow, name)(plain)
    for name in ("lt", "le", "gt", "ge", "eq", "ne"):
        do = getattr(operator, name)
        assert do(fast, other) == do(slow, plain)
        assert do(fast, slow & plain) == do(slow, slow & plain)


@pytest.mark.parametrize("seed", range(20))
def test_square_set_equals_a_frozenset(seed: int) -> None:
    fast, slow = some(seed)
    assert fast == slow == set(slow)
    assert hash(fast) == hash(slow)
    assert list(fast) == sorted(slow)
    assert len(fast) == len(slow)
    assert bool(fast) == bool(slow)
    assert SquareSet(int(fast)) == fast
    assert int(fast) == sum(1 << square for square in slow)
    assert ~fast == frozenset(SQUARES) - slow
    assert fast.tolist() == [square in slow for square in SQUARES]
    assert fast.mirror() == {square_mirror(square) for square in slow}
    assert fast.flip() == {square_flip(square) for square in slow}
    assert eval(repr(fast), {"SquareSet": SquareSet}) == fast
    assert str(fast).count("1") == len(slow) + 1  # the rank name 1
    for again in (copy.copy(fast), copy.deepcopy(fast), pickle.loads(pickle.dumps(fast))):
        assert again == fast
        assert type(again) is SquareSet


def test_between() -> None:
    for first in SQUARES:
        for last in SQUARES:
            one_file = square_file(first) == square_file(last)
            one_rank = square_rank(first) == square_rank(last)
            low, high = sorted((first, last))
            between = {
                square
                for square in range(low + 1, high)
                if (one_file and square_file(square) == square_file(first))
                or (one_rank and square_rank(square) == square_rank(first))
            }
            assert SquareSet.between(first, last) == between


@pytest.mark.parametrize("squares", [[90], [-1], 1 << 90, -1])
def test_no_squares(squares: object) -> None:
    with pytest.raises(ValueError, match="invalid s"):
        SquareSet(squares)  # type: ignore[arg-type]


def test_names() -> None:
    assert SquareSet.from_names("a0 e4 i9") == {A0, E4, I9}
    assert SquareSet.from_square(E4) == {E4}
    with pytest.raises(InvalidSquareError, match="'e10'"):
        SquareSet.from_names("e4 e10")


def test_operations_with_other_elements_give_plain_sets() -> None:
    assert SquareSet([1]) | {"a"} == {1, "a"}
    assert SquareSet([1]).union([100]) == {1, 100}
    assert {"a", 1} - SquareSet([1]) == {"a"}


def test_the_constants() -> None:
    for square, name in enumerate(SQUARE_NAMES):
        assert getattr(xiangqi, name.upper()) == square
    assert set(names) == {"SquareSet", *map(str.upper, SQUARE_NAMES)}
