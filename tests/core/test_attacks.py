"""The tables of attacks against slow generators that walk the board, and sets against ints.

A set of squares is an int, bit ``s`` of which is square ``s``.
"""

import random
from collections.abc import Callable, Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xiangqi import (
    ADVISOR,
    BISHOP,
    BLACK,
    CANNON,
    KING,
    KNIGHT,
    PAWN,
    RED,
    ROOK,
    SQUARES,
    Color,
    Piece,
    Square,
)
from xiangqi.core import testing

EVERYWHERE = 2**90 - 1
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONAL = ((1, 1), (1, -1), (-1, 1), (-1, -1))

sets = st.integers(min_value=0, max_value=EVERYWHERE)
any_square = st.sampled_from(SQUARES)


def attacks(piece_type: int, square: Square, occupied: int, color: Color = RED) -> int:
    return testing.attacks(Piece(piece_type, color).code, square, occupied)


# The slow twins


def step(square: Square, files: int, ranks: int) -> Square | None:
    """The square so far away, or None where the board ends."""
    file, rank = square % 9 + files, square // 9 + ranks
    return rank * 9 + file if 0 <= file <= 8 and 0 <= rank <= 9 else None


def as_set(squares: Iterable[Square | None]) -> int:
    return sum(1 << square for square in set(squares) if square is not None)


def as_list(squares: int) -> list[Square]:
    return [square for square in SQUARES if squares >> square & 1]


def ray(square: Square, files: int, ranks: int) -> Iterator[Square]:
    """The squares in one direction, the nearest first."""
    at = step(square, files, ranks)
    while at is not None:
        yield at
        at = step(at, files, ranks)


RAYS = {square: [list(ray(square, *way)) for way in STRAIGHT] for square in SQUARES}


def look(square: Square, occupied: int) -> tuple[int, int, int]:
    """Line attacks of a piece along its file and rank: squares up to and with the first piece, the
    second piece, the third piece."""
    slide = second = third = 0
    for squares in RAYS[square]:
        met = 0
        for at in squares:
            slide |= (met == 0) << at
            if occupied >> at & 1:
                met += 1
                second |= (met == 2) << at
                third |= (met == 3) << at
    return slide, second, third


def jumps(square: Square) -> Iterator[tuple[Square, Square]]:
    """The leg and the end of each jump of a horse."""
    for files, ranks in STRAIGHT:
        leg = step(square, files, ranks)
        for side in (1, -1):
            target = step(square, 2 * files + side * ranks, 2 * ranks + side * files)
            if leg is not None and target is not None:
                yield leg, target


def slow_knight(square: Square, occupied: int) -> int:
    return as_set(target for leg, target in jumps(square) if not occupied >> leg & 1)


def slow_bishop(square: Square, occupied: int) -> int:
    """Two steps diagonally over an empty eye, never across the river."""
    found = []
    for files, ranks in DIAGONAL:
        eye, target = step(square, files, ranks), step(square, 2 * files, 2 * ranks)
        if eye is None or target is None or occupied >> eye & 1:
            continue
        if (square < 45) == (target < 45):
            found.append(target)
    return as_set(found)


def slow_knight_attackers(square: Square, occupied: int) -> int:
    return as_set(origin for origin in SQUARES if slow_knight(origin, occupied) >> square & 1)


def in_palace(square: Square) -> bool:
    return 3 <= square % 9 <= 5 and square // 9 in (0, 1, 2, 7, 8, 9)


def slow_palace_step(square: Square, ways: Iterable[tuple[int, int]]) -> int:
    if not in_palace(square):
        return 0
    targets = [step(square, *way) for way in ways]
    return as_set(target for target in targets if target is not None and in_palace(target))


def slow_pawn(color: Color, square: Square) -> int:
    """Ahead, and beyond the river sideways too."""
    ways = [(0, 1 if color == RED else -1)]
    if (square >= 45) == (color == RED):
        ways += [(1, 0), (-1, 0)]
    return as_set(step(square, *way) for way in ways)


def subsets(squares: Iterable[Square | None]) -> Iterator[int]:
    """Every set that some squares can make, squares off the board left out."""
    found = [0]
    for square in squares:
        if square is not None:
            found += [subset | 1 << square for subset in found]
    return iter(found)


# Lines


@pytest.mark.parametrize("square", SQUARES)
def test_lines_with_every_row_of_pieces(square: Square) -> None:
    """Chariot, cannon and the third piece: every set of pieces on the rank, and on the file."""
    file, rank = square % 9, square // 9
    on_rank = subsets(rank * 9 + at for at in range(9))
    on_file = subsets(at * 9 + file for at in range(10))
    for occupied in [*on_rank, *on_file]:
        seen = (
            attacks(ROOK, square, occupied),
            attacks(CANNON, square, occupied),
            testing.beyond_two(square, occupied),
        )
        assert seen == look(square, occupied), as_list(occupied)


def random_sets(seed: int, count: int) -> Iterator[int]:
    """Sets of all densities."""
    rng = random.Random(seed)
    for _ in range(count):
        share = rng.random()
        yield as_set(square for square in SQUARES if rng.random() < share)


CROWDS = [0, EVERYWHERE, *random_sets(1, 100)]


def test_lines_on_full_boards() -> None:
    """Pieces off the file and rank do not matter, and both lines are looked at together."""
    for occupied in CROWDS:
        for square in SQUARES:
            seen = (
                attacks(ROOK, square, occupied),
                attacks(CANNON, square, occupied),
                testing.beyond_two(square, occupied),
            )
            assert seen == look(square, occupied), (square, as_list(occupied))


# Jumps


def test_horses_with_every_set_of_legs() -> None:
    for square in SQUARES:
        for legs in subsets(step(square, *way) for way in STRAIGHT):
            assert attacks(KNIGHT, square, legs) == slow_knight(square, legs), (square, legs)


def test_elephants_with_every_set_of_eyes() -> None:
    for square in SQUARES:
        for eyes in subsets(step(square, *way) for way in DIAGONAL):
            assert attacks(BISHOP, square, eyes) == slow_bishop(square, eyes), (square, eyes)


def test_attacking_horses_with_every_set_of_their_legs() -> None:
    """A horse that attacks a square has its leg diagonally beside that square."""
    for square in SQUARES:
        for legs in subsets(step(square, *way) for way in DIAGONAL):
            assert testing.knight_attackers(square, legs) == slow_knight_attackers(square, legs)


def test_jumps_on_full_boards() -> None:
    """Pieces elsewhere do not matter, those past an edge of the board in particular."""
    for occupied in CROWDS:
        for square in SQUARES:
            assert attacks(KNIGHT, square, occupied) == slow_knight(square, occupied)
            assert attacks(BISHOP, square, occupied) == slow_bishop(square, occupied)


def test_attacking_horses_are_the_reverse_of_horses() -> None:
    """One horse attacks a square if and only if the square is attacked by that horse."""
    for occupied in CROWDS:
        reached = {square: attacks(KNIGHT, square, occupied) for square in SQUARES}
        for square in SQUARES:
            origins = as_set(origin for origin in SQUARES if reached[origin] >> square & 1)
            assert testing.knight_attackers(square, occupied) == origins, square


def test_legs_of_all_jumps() -> None:
    """Each jump has its leg, and 0 means no jump."""
    for origin in SQUARES:
        legs = {target: leg for leg, target in jumps(origin)}
        for target in SQUARES:
            assert testing.knight_leg(origin, target) == legs.get(target, 0), (origin, target)


# Steps


@pytest.mark.parametrize("color", [RED, BLACK])
def test_steps(color: Color) -> None:
    """Kings, advisors and soldiers, whatever else is on the board."""
    for occupied in (0, EVERYWHERE):
        for square in SQUARES:
            king = slow_palace_step(square, STRAIGHT)
            advisor = slow_palace_step(square, DIAGONAL)
            assert attacks(KING, square, occupied, color) == king, square
            assert attacks(ADVISOR, square, occupied, color) == advisor, square
            assert attacks(PAWN, square, occupied, color) == slow_pawn(color, square), square


@pytest.mark.parametrize("color", [RED, BLACK])
def test_attacking_pawns_are_the_reverse_of_pawns(color: Color) -> None:
    for square in SQUARES:
        origins = as_set(sq for sq in SQUARES if slow_pawn(color, sq) >> square & 1)
        assert testing.pawn_attackers(color, square) == origins, square


@pytest.mark.parametrize("piece_type", [KING, ADVISOR, BISHOP, KNIGHT, ROOK, CANNON])
def test_only_pawns_have_a_direction(piece_type: int) -> None:
    """All other pieces attack alike, whichever side they are on."""
    for occupied in CROWDS[:20]:
        for square in SQUARES:
            red = attacks(piece_type, square, occupied, RED)
            assert red == attacks(piece_type, square, occupied, BLACK), square


# Parts of the board


def test_between() -> None:
    """The squares strictly between two squares of one line; for all other pairs none."""
    for one in SQUARES:
        expected = {}
        for squares in RAYS[one]:
            for distance, other in enumerate(squares):
                expected[other] = as_set(squares[:distance])
        for other in SQUARES:
            assert testing.between(one, other) == expected.get(other, 0), (one, other)


def test_banks_and_palaces() -> None:
    assert as_list(testing.bank(RED)) == list(range(45))
    assert as_list(testing.bank(BLACK)) == list(range(45, 90))
    assert as_list(testing.palace()) == [square for square in SQUARES if in_palace(square)]


# Sets


def test_sets_of_one_square() -> None:
    for square in SQUARES:
        one = testing.set_of(square)
        assert one == 1 << square
        assert (testing.set_popcount(one), testing.set_lsb(one)) == (1, square)
        assert testing.set_pop_lsb(one) == (square, 0)
        assert [other for other in SQUARES if testing.set_has(one, other)] == [square]


@given(sets, sets)
def test_operations_on_two_sets(one: int, other: int) -> None:
    assert testing.set_union(one, other) == one | other
    assert testing.set_common(one, other) == one & other
    assert testing.set_without(one, other) == one & ~other
    assert testing.set_differ(one, other) == one ^ other
    assert testing.set_meet(one, other) == bool(one & other)
    assert testing.set_same(one, other) == (one == other)
    assert testing.set_same(one, one)


@given(sets)
def test_operations_on_one_set(squares: int) -> None:
    assert testing.set_any(squares) == bool(squares)
    assert testing.set_popcount(squares) == bin(squares).count("1")
    assert [sq for sq in SQUARES if testing.set_has(squares, sq)] == as_list(squares)


@given(sets)
def test_squares_come_out_from_the_lowest(squares: int) -> None:
    """Taking the lowest square until none is left gives all of them in order."""
    left, taken = squares, []
    while left:
        lowest = testing.set_lsb(left)
        square, left = testing.set_pop_lsb(left)
        assert square == lowest
        taken.append(square)
    assert taken == as_list(squares)


@given(sets, any_square)
def test_meeting_at_one_square(squares: int, square: Square) -> None:
    """A single bit is enough, on either bank."""
    one = testing.set_of(square)
    assert testing.set_meet(squares | one, one)
    assert not testing.set_meet(squares & ~one, one)
    assert not testing.set_same(squares | one, squares & ~one)


def test_full_and_empty_sets() -> None:
    assert (testing.set_popcount(EVERYWHERE), testing.set_popcount(0)) == (90, 0)
    assert (testing.set_any(EVERYWHERE), testing.set_any(0)) == (True, False)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: testing.set_popcount(EVERYWHERE + 1),
        lambda: testing.set_popcount(-1),
        lambda: testing.set_of(90),
        lambda: testing.set_has(0, -1),
        lambda: testing.set_lsb(0),
        lambda: testing.set_pop_lsb(0),
        lambda: testing.attacks(0, 0, 0),
        lambda: testing.attacks(16, 0, 0),
        lambda: testing.attacks(13, 90, 0),
    ],
)
def test_testing_module_validates_input(wrong: Callable[[], object]) -> None:
    """Invalid input of test functions is refused before it reaches the core."""
    with pytest.raises(ValueError, match=r"invalid|lowest"):
        wrong()
