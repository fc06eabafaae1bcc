"""The value Move: its squares, its spellings, its order, its copies."""

import contextlib
import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xiangqi import SQUARES, InvalidMoveError, Move, XiangqiError, parse_square, square_name
from xiangqi.pieces import SQUARE_NAMES, square_flip, square_mirror

moves = (
    st.tuples(st.sampled_from(SQUARES), st.sampled_from(SQUARES))
    .filter(lambda pair: pair[0] != pair[1])
    .map(lambda pair: Move(*pair))
)


# Making a move


def test_every_move_has_its_squares_and_its_code() -> None:
    """All 90 x 89 of them; the code is the one that the documentation gives."""
    codes = set()
    for origin in SQUARES:
        for target in SQUARES:
            if origin == target:
                continue
            move = Move(origin, target)
            assert (move.from_square, move.to_square) == (origin, target)
            assert move.code == origin | target << 7
            assert move.iccs() == str(move) == square_name(origin) + square_name(target)
            codes.add(move.code)
    assert len(codes) == 90 * 89


@pytest.mark.parametrize(
    ("origin", "target"), [(-1, 0), (0, -1), (90, 0), (0, 90), (127, 128), (-90, 89)]
)
def test_squares_off_the_board(origin: int, target: int) -> None:
    with pytest.raises(ValueError, match=f"invalid squares {origin}, {target}: expected 0 to 89"):
        Move(origin, target)


@pytest.mark.parametrize("square", [0, 44, 89])
def test_a_move_that_stays_is_none(square: int) -> None:
    with pytest.raises(ValueError, match="expected two squares"):
        Move(square, square)


@pytest.mark.parametrize("wrong", [None, "h2", b"h2", [25]])
def test_squares_are_numbers(wrong: object) -> None:
    with pytest.raises(TypeError):
        Move(wrong, 22)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Move(25, wrong)  # type: ignore[arg-type]


def test_squares_may_be_named() -> None:
    assert Move(from_square=25, to_square=22) == Move(25, 22)


def test_a_move_does_not_change() -> None:
    move = Move(25, 22)
    for name in ("code", "from_square", "to_square", "promotion"):
        with pytest.raises(AttributeError):
            setattr(move, name, 1)


def test_a_move_does_not_change_by_being_made_again() -> None:
    """It is shared: reading the same text again gives the same object."""
    move = Move(25, 22)
    with contextlib.suppress(TypeError, AttributeError):
        move.__init__(0, 1)  # type: ignore[misc]
    assert move == Move(25, 22)


# Text


@pytest.mark.parametrize(
    "text",
    [
        "h2e2",
        "H2E2",
        "h2-e2",
        "H2-E2",
        "H2e2",
        "  h2e2\n",
        "h2\N{EN DASH}e2",
        "h2\N{MINUS SIGN}e2",
        "h2\N{HYPHEN}e2",
    ],
)
def test_spellings(text: str) -> None:
    assert Move.from_iccs(text) == Move(parse_square("h2"), parse_square("e2"))


def test_every_move_is_read_as_it_is_written() -> None:
    for origin in SQUARE_NAMES:
        for target in SQUARE_NAMES:
            if origin != target:
                assert Move.from_iccs(origin + target).iccs() == origin + target


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "h2",
        "h2e",
        "h2e22",
        "h2e2e2",
        "h2--e2",
        "h2 e2",
        "h2+e2",
        "h2_e2",
        "-h2e2",
        "h2e2-",
        "h2e-2",
        "j2e2",
        "h2j2",
        "h:e2",
        "h/e2",
        "@2e2",
        "`2e2",
        "h2h2",
        "H2h2",
        "2h2e",
        "a\N{ARABIC-INDIC DIGIT ONE}a2",
        "\N{FULLWIDTH LATIN SMALL LETTER A}1a2",
        "a1a\N{SUPERSCRIPT TWO}",
        "h2\0e2",
        "\N{XIANGQI RED GENERAL}2e2",
        "C2=5",
        "h2e2" * 1000,
    ],
)
def test_texts_that_are_no_moves(text: str) -> None:
    with pytest.raises(InvalidMoveError) as caught:
        Move.from_iccs(text)
    assert caught.value.text == text
    assert "h2e2" in caught.value.expected
    assert len(str(caught.value)) < 300


def test_the_error_quotes_and_expects() -> None:
    with pytest.raises(XiangqiError) as caught:
        Move.from_iccs("h2k2")
    assert str(caught.value) == (
        "invalid move 'h2k2': expected two different squares a0 to i9, as in 'h2e2' or 'H2-E2'"
    )


@pytest.mark.parametrize("wrong", [None, b"h2e2", 25, ["h2", "e2"]])
def test_only_text_is_read(wrong: object) -> None:
    with pytest.raises(TypeError):
        Move.from_iccs(wrong)  # type: ignore[arg-type]


DASHES = "-\N{HYPHEN}\N{EN DASH}\N{MINUS SIGN}"


@given(st.one_of(st.text(max_size=6), st.text("abiAI019 kj" + DASHES, max_size=6)))
def test_any_text_is_read_or_refused(text: str) -> None:
    """A text that can be read has two squares with at most a dash in between; nothing else ever
    happens."""
    try:
        move = Move.from_iccs(text)
    except InvalidMoveError:
        return
    origin, target = move.iccs()[:2], move.iccs()[2:]
    assert text.strip().lower() in [origin + dash + target for dash in ("", *DASHES)]


@given(moves)
def test_repr_is_how_to_make_it(move: Move) -> None:
    assert eval(repr(move)) == move
    assert repr(move) == f"Move.from_iccs('{move.iccs()}')"


# Values


@given(moves, moves)
def test_equal_moves_are_equal(one: Move, other: Move) -> None:
    """Equality, hash and order are those of the code."""
    assert (one == other) == (one.code == other.code)
    assert (one != other) == (one.code != other.code)
    assert (one < other) == (one.code < other.code)
    assert (one > other) == (one.code > other.code)
    same = Move(one.from_square, one.to_square)
    assert one == same
    assert hash(one) == hash(same)
    assert len({one, same}) == 1


def test_moves_are_sorted_by_code() -> None:
    unsorted = [Move(3, 4), Move(4, 3), Move(0, 1), Move(89, 0), Move(0, 89)]
    assert [move.code for move in sorted(unsorted)] == sorted(move.code for move in unsorted)


def test_moves_and_other_things() -> None:
    """A move equals no number and no text, and has no order with them."""
    move = Move.from_iccs("h2e2")
    for other in (move.code, "h2e2", None, (25, 22), object()):
        assert move != other
        assert (move == other) is False
    with pytest.raises(TypeError):
        assert move < move.code  # type: ignore[operator]
    with pytest.raises(TypeError):
        assert move > "h2e2"  # type: ignore[operator]


def test_moves_read_twice_are_one_object() -> None:
    """Each is made once and handed out again."""
    assert Move.from_iccs("h2e2") is Move.from_iccs("H2-E2")


@given(moves)
def test_copies(move: Move) -> None:
    assert copy.copy(move) == move
    assert copy.deepcopy([move]) == [move]
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(move, protocol)) == move


# The board turned


@given(moves)
def test_mirror_and_flip(move: Move) -> None:
    """Each is its own way back, they can be exchanged, and they do what they do to squares."""
    assert move.mirror().mirror() == move.flip().flip() == move
    assert move.mirror().flip() == move.flip().mirror()
    mirrored, flipped = move.mirror(), move.flip()
    assert mirrored.from_square == square_mirror(move.from_square)
    assert mirrored.to_square == square_mirror(move.to_square)
    assert flipped.from_square == square_flip(move.from_square)
    assert flipped.to_square == square_flip(move.to_square)


def test_mirror_and_flip_by_hand() -> None:
    move = Move.from_iccs("b0c2")
    assert move.mirror().iccs() == "h0g2"
    assert move.flip().iccs() == "b9c7"


@pytest.mark.parametrize("squares", [(24.7, 22), ("h2", "e2"), (None, 22)])
def test_squares_are_whole_numbers(squares: tuple[object, object]) -> None:
    with pytest.raises(TypeError):
        Move(*squares)  # type: ignore[arg-type]


@pytest.mark.parametrize("square", [90, -1, 2**31, 2**64, -(2**64)])
def test_squares_are_on_the_board(square: int) -> None:
    with pytest.raises(ValueError, match=r"invalid squares .*: expected 0 to 89"):
        Move(square, 0)


def test_moves_are_ordered_by_their_code() -> None:
    one, other = Move(1, 0), Move(0, 1)
    assert one < other
    assert one <= other
    assert other > one
    assert other >= one
    assert sorted([other, one]) == [one, other]
    with pytest.raises(TypeError):
        _ = one < 3  # type: ignore[operator]
