"""Parsing and formatting FEN, and the problems of a setup."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from xiangqi.ground.errors import FenError
from xiangqi.pieces import (
    BLACK,
    COLORS,
    KING,
    PIECE_TYPES,
    RED,
    ROOK,
    SQUARES,
    Piece,
    parse_square,
    square_flip,
    square_mirror,
)
from xiangqi.pieces.fen import (
    MAX_COUNTER,
    STARTING_FEN,
    Setup,
    Status,
    describe_status,
    format_fen,
    parse_fen,
    setup_status,
)

EMPTY = "9/9/9/9/9/9/9/9/9/9"
PIECES = [Piece(kind, color) for kind in PIECE_TYPES for color in COLORS]

codes = st.sampled_from([0] * len(PIECES) + [piece.code for piece in PIECES])
setups = st.builds(
    Setup,
    board=st.lists(codes, min_size=90, max_size=90).map(bytes),
    turn=st.booleans(),
    halfmove_clock=st.integers(0, MAX_COUNTER),
    fullmove_number=st.integers(1, MAX_COUNTER),
)


def put(pieces: str) -> Setup:
    """Setup from pieces on squares, such as "Ke0 kd9"."""
    return Setup.from_piece_map(
        {parse_square(word[1:]): Piece.from_symbol(word[0]) for word in pieces.split()}
    )


def colors_exchanged(setup: Setup) -> Setup:
    pieces = {
        square_flip(square): Piece(piece.piece_type, not piece.color)
        for square, piece in setup.piece_map().items()
    }
    return Setup.from_piece_map(pieces, not setup.turn)


def mirrored(setup: Setup) -> Setup:
    pieces = {square_mirror(square): piece for square, piece in setup.piece_map().items()}
    return Setup.from_piece_map(pieces, setup.turn)


# Valid FEN


def test_starting_position() -> None:
    setup = parse_fen(STARTING_FEN)
    assert (setup.turn, setup.halfmove_clock, setup.fullmove_number) == (RED, 0, 1)
    for rank, row in ((0, "RNBAKABNR"), (2, ".C.....C."), (3, "P.P.P.P.P")):
        for file, letter in enumerate(row):
            piece = Piece.from_symbol(letter) if letter != "." else None
            assert setup.piece_at(rank * 9 + file) == piece
            opposite = Piece(piece.piece_type, BLACK) if piece else None
            assert setup.piece_at((9 - rank) * 9 + file) == opposite
    assert len(setup.piece_map()) == 32
    assert format_fen(setup) == STARTING_FEN


def test_all_six_fields() -> None:
    setup = parse_fen("4k4/9/9/9/9/9/9/9/9/R3K4 b - - 17 42")
    assert setup.turn == BLACK
    assert (setup.halfmove_clock, setup.fullmove_number) == (17, 42)
    assert setup.piece_map() == {0: Piece(ROOK, RED), 4: Piece(KING, RED), 85: Piece(KING, BLACK)}


@pytest.mark.parametrize(
    "text",
    [
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1",
        "rhbakaenr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNEAKABHR w - - 0 1",
        "rnbakabnr/45/1c5c1/p1p1p1p1p/9/111111111/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
        STARTING_FEN.replace(" w", " W"),
        STARTING_FEN.replace(" w", " r"),
        STARTING_FEN.replace(" w", " R"),
        STARTING_FEN.replace(" ", "   \t "),
        f"  {STARTING_FEN}\r\n",
        STARTING_FEN.replace(" ", "\N{IDEOGRAPHIC SPACE}"),
        STARTING_FEN.replace("0 1", "0 0"),
        STARTING_FEN.replace("0 1", "000 0000001"),
        *(" ".join(STARTING_FEN.split()[:count]) for count in range(1, 6)),
        *(STARTING_FEN.replace(" w", f" {word}") for word in ("red", "Red", "white")),
        STARTING_FEN.replace(" - - ", " "),
        STARTING_FEN.replace(" - - ", " - "),
        STARTING_FEN.replace(" w", "[] w"),
        STARTING_FEN.replace(" ", "_"),
        STARTING_FEN.replace(" w", "[] w").replace(" ", "_"),
        f"\ufeff{STARTING_FEN}",
        *(f"{a}{STARTING_FEN}{b}" for a, b in ('""', "''", "``", "“”", "「」")),
        f'\ufeff "{STARTING_FEN.replace(" - - ", " ")}" \n',
    ],
)
def test_other_ways_to_write_the_starting_position(text: str) -> None:
    assert parse_fen(text) == parse_fen(STARTING_FEN)


@pytest.mark.parametrize(
    ("tail", "clock", "number"),
    [
        ("b 9 34", 9, 34),
        ("black 9 34", 9, 34),
        ("b - 9 34", 9, 34),
        ("b - - 9 34", 9, 34),
        ("b 9", 9, 1),
        ("b - - 9", 9, 1),
    ],
)
def test_counters_without_the_unused_fields(tail: str, clock: int, number: int) -> None:
    assert parse_fen(f"{EMPTY}[] {tail}") == Setup(bytes(90), BLACK, clock, number)


@pytest.mark.parametrize("letter", ["b", "B", "black", "Black"])
def test_black_to_move(letter: str) -> None:
    assert parse_fen(f"{EMPTY} {letter}").turn == BLACK


def test_largest_numbers() -> None:
    setup = parse_fen(f"{EMPTY} w - - {MAX_COUNTER} 000{MAX_COUNTER}")
    assert setup.halfmove_clock == setup.fullmove_number == MAX_COUNTER


# Invalid FEN


def with_rank(rank: int, row: str) -> str:
    rows = EMPTY.split("/")
    rows[9 - rank] = row
    return f"{'/'.join(rows)} w - - 0 1"


@pytest.mark.parametrize(
    ("text", "field", "part"),
    [
        ("", "piece placement", "empty"),
        (" \n", "piece placement", "empty"),
        ("startpos", "piece placement", "1 rank,"),
        (EMPTY[2:], "piece placement", "9 ranks"),
        (f"{EMPTY}/9 w", "piece placement", "11 ranks"),
        (f"/{EMPTY} w", "piece placement", "11 ranks"),
        (with_rank(9, "8"), "piece placement, rank 9", "fills 8 files"),
        (with_rank(7, ""), "piece placement, rank 7", "fills 0 files"),
        (with_rank(7, "k9"), "piece placement, rank 7", "fills 10 files"),
        (with_rank(0, "RNBAKABN"), "piece placement, rank 0", "'RNBAKABN'"),
        (with_rank(4, "RNBAKABNRR"), "piece placement, rank 4", "10 characters"),
        (with_rank(3, "9" * 10**6), "piece placement, rank 3", "1000000 characters"),
        (with_rank(5, "4q4"), "piece placement, rank 5", "'q'"),
        (with_rank(5, "k08"), "piece placement, rank 5", "'0'"),
        (with_rank(5, "4٣2"), "piece placement, rank 5", "'٣'"),
        (with_rank(5, "８1"), "piece placement, rank 5", "'８'"),
        (with_rank(5, "²7"), "piece placement, rank 5", "'²'"),
        (with_rank(5, "\N{KELVIN SIGN}8"), "piece placement, rank 5", "\N{KELVIN SIGN}"),
        (with_rank(5, "4\x004"), "piece placement, rank 5", r"'\x00'"),
        (with_rank(5, "4\ud8004"), "piece placement, rank 5", r"'\ud800'"),
        (STARTING_FEN.replace("/9/", "/9[]/", 1), "piece placement, rank 8", "'['"),
        (STARTING_FEN.replace(" w", "[Nn] w"), "piece placement, rank 0", "'RNBAKABNR[Nn]'"),
        (f'"{STARTING_FEN}', "piece placement, rank 9", "'\"rnbakabnr'"),
        (f"{EMPTY} x", "side to move", "'x'"),
        (f"{EMPTY} wb", "side to move", "'wb'"),
        (f"{EMPTY} -", "side to move", "'-'"),
        (f"{EMPTY} w KQ", "third field", "'KQ'"),
        (f"{EMPTY} w 0 1 2", "trailing text", "'2'"),
        (f"{EMPTY} w 0 -", "fullmove number", "'-'"),
        (f"{EMPTY}_w_-_-_0_x", "fullmove number", "'x'"),
        (f"{EMPTY} w - e3", "fourth field", "'e3'"),
        (f"{EMPTY} w - - -1", "halfmove clock", "'-1'"),
        (f"{EMPTY} w - - +1", "halfmove clock", "'+1'"),
        (f"{EMPTY} w - - 1_0", "halfmove clock", "'1_0'"),
        (f"{EMPTY} w - - 1.5", "halfmove clock", "'1.5'"),
        (f"{EMPTY} w - - 0x1", "halfmove clock", "'0x1'"),
        (f"{EMPTY} w - - ١", "halfmove clock", "'١'"),
        (f"{EMPTY} w - - ５ 1", "halfmove clock", "'５'"),
        (f"{EMPTY} w - - ² 1", "halfmove clock", "'²'"),
        (f"{EMPTY} w - - 0\x00 1", "halfmove clock", r"'0\x00'"),
        (f"{EMPTY} w - - {MAX_COUNTER + 1} 1", "halfmove clock", str(MAX_COUNTER)),
        (f"{EMPTY} w - - 0 {MAX_COUNTER + 1}", "fullmove number", str(MAX_COUNTER)),
        (f"{EMPTY} w - - 0 {'7' * 10_000}", "fullmove number", str(MAX_COUNTER)),
        (f"{EMPTY} w - - 0 one", "fullmove number", "'one'"),
        (f"{EMPTY} w - - 0 1 moves h2e2", "trailing text", "'moves h2e2'"),
    ],
)
def test_unreadable_fen_is_quoted(text: str, field: str, part: str) -> None:
    with pytest.raises(FenError) as caught:
        parse_fen(text)
    error = caught.value
    assert error.text == text
    assert error.field == field
    assert part in error.why
    assert "expected" in error.why
    assert len(str(error)) < 400


@pytest.mark.parametrize("value", [None, 7, b"9/9/9/9/9/9/9/9/9/9 w", [STARTING_FEN], object()])
def test_parse_fen_refuses_other_types(value: Any) -> None:
    with pytest.raises(TypeError, match="a FEN must be a str"):
        parse_fen(value)


# Arbitrary text

fen_like = st.text(alphabet="KABENHRCPkabenhrcp123456789/ wrb-0", max_size=120)


def read_or_refused(text: str) -> None:
    """Check that a text raises FenError or is a setup that survives a round trip."""
    try:
        setup = parse_fen(text)
    except FenError:
        return
    assert parse_fen(format_fen(setup)) == setup


@given(setups)
def test_round_trip(setup: Setup) -> None:
    text = format_fen(setup)
    assert parse_fen(text) == setup
    assert format_fen(parse_fen(text)) == text
    assert (
        Setup.from_piece_map(
            setup.piece_map(), setup.turn, setup.halfmove_clock, setup.fullmove_number
        )
        == setup
    )


@given(setups)
def test_the_form_is_normal(setup: Setup) -> None:
    placement, turn, *unused, clock, number = format_fen(setup).split(" ")
    assert not set(placement) - set("KABNRCPkabnrcp123456789/")
    assert not any((first + second).isdigit() for first, second in pairwise(placement))
    assert turn in {"w", "b"}
    assert unused == ["-", "-"]
    assert (clock, number) == (str(setup.halfmove_clock), str(setup.fullmove_number))


@given(st.text() | fen_like)
def test_any_text(text: str) -> None:
    read_or_refused(text)


@given(st.data())
def test_a_damaged_fen(data: st.DataObject) -> None:
    text = format_fen(data.draw(setups))
    for _ in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        length = data.draw(st.integers(0, 3))
        text = text[:start] + data.draw(st.text(max_size=3) | fen_like) + text[start + length :]
    read_or_refused(text)


# Setup


def test_setups_are_values() -> None:
    setup = parse_fen(STARTING_FEN)
    same = parse_fen(STARTING_FEN)
    assert setup is not same
    assert {setup: "start"}[same] == "start"
    assert copy.deepcopy(setup) == setup
    assert pickle.loads(pickle.dumps(setup)) == setup
    changes: list[dict[str, Any]] = [
        {"board": bytes(90)},
        {"turn": BLACK},
        {"halfmove_clock": 1},
        {"fullmove_number": 2},
    ]
    for change in changes:
        assert replace(setup, **change) != setup


def test_a_setup_of_pieces_alone_has_the_defaults_of_a_fen() -> None:
    bare = parse_fen(f"{EMPTY} w - - 0 1")
    assert bare == Setup(bytes(90)) == Setup.from_piece_map({}) == parse_fen(EMPTY)
    assert bare == Setup(bytes(90), RED, 0, 1)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"board": bytes(89)}, ValueError, "89 squares, expected 90"),
        ({"board": bytes(91)}, ValueError, "91 squares, expected 90"),
        ({"board": bytes(89) + b"\x08"}, ValueError, "holds 8"),
        ({"board": bytes(89) + b"\x10"}, ValueError, "holds 16"),
        ({"board": bytearray(90)}, TypeError, "must be bytes, not bytearray"),
        ({"board": "." * 90}, TypeError, "must be bytes, not str"),
        ({"turn": 1}, TypeError, "RED or BLACK, not 1"),
        ({"turn": "w"}, TypeError, "color 'w': expected xiangqi.RED"),
        ({"halfmove_clock": -1}, ValueError, "halfmove clock is -1"),
        ({"halfmove_clock": MAX_COUNTER + 1}, ValueError, "halfmove clock is 100000"),
        ({"halfmove_clock": 10**6000}, ValueError, "halfmove clock is"),
        ({"halfmove_clock": 1.5}, TypeError, "must be an int, not float"),
        ({"fullmove_number": 0}, ValueError, "fullmove number is 0, expected 1"),
        ({"fullmove_number": None}, TypeError, "must be an int, not NoneType"),
    ],
)
def test_setup_refuses_wrong_fields(
    arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        Setup(**{"board": bytes(90), **arguments})


@pytest.mark.parametrize("square", [-1, 90])
def test_pieces_off_the_board_make_no_setup(square: int) -> None:
    with pytest.raises(ValueError, match=f"invalid square {square}: expected 0 to 89"):
        Setup.from_piece_map({square: Piece(KING, RED)})


# Problems: for each flag, setups that must and must not have it

KINGS = "Kd0 kf9"

STATUS_TWINS = [
    (Status.NO_RED_KING, "kf9", "Kd0 kf9"),
    (Status.NO_RED_KING, "kf9 Ad0", "Kd0 kf9 Ad2"),
    (Status.NO_BLACK_KING, "Kd0", "Kd0 kf9"),
    (Status.TOO_MANY_KINGS, f"{KINGS} Kd1", KINGS),
    (Status.TOO_MANY_KINGS, f"{KINGS} kf8", KINGS),
    (Status.TOO_MANY_ADVISORS, f"{KINGS} Ae1 Ad2 Af2", f"{KINGS} Ae1 Ad2 ae8 ad7"),
    (Status.TOO_MANY_ADVISORS, f"{KINGS} ae8 ad7 af7", f"{KINGS} Ae1 Ad2 ae8 ad7"),
    (Status.TOO_MANY_BISHOPS, f"{KINGS} Bc0 Bg0 Be2", f"{KINGS} Bc0 Bg0 bc9 bg9"),
    (Status.TOO_MANY_KNIGHTS, f"{KINGS} Na0 Nb0 Nc0", f"{KINGS} Na0 Nb0 na9 nb9"),
    (Status.TOO_MANY_ROOKS, f"{KINGS} Ra0 Rb0 Rc0", f"{KINGS} Ra0 Rb0 ra9 rb9"),
    (Status.TOO_MANY_CANNONS, f"{KINGS} Ca0 Cb0 Cc0", f"{KINGS} Ca0 Cb0 ca9 cb9"),
    (
        Status.TOO_MANY_PAWNS,
        f"{KINGS} Pa5 Pb5 Pc5 Pd5 Pe5 Pf5",
        f"{KINGS} Pa5 Pb5 Pc5 Pd5 Pe5 pa4 pb4 pc4 pd4 pe4",
    ),
    (
        Status.TOO_MANY_PAWNS,
        f"{KINGS} pa4 pb4 pc4 pd4 pe4 pf4",
        f"{KINGS} Pa5 Pb5 Pc5 Pd5 Pe5 pa4 pb4 pc4 pd4 pe4",
    ),
    (Status.MISPLACED_KING, "Kd3 kf9", "Kd2 kf9"),
    (Status.MISPLACED_KING, "Kc1 kf9", "Kd1 kf9"),
    (Status.MISPLACED_KING, "Kd0 kf6", "Kd0 kf7"),
    (Status.MISPLACED_KING, "Kd9 kf9", "Kd0 kf9"),
    (Status.MISPLACED_ADVISOR, f"{KINGS} Ae0", f"{KINGS} Ae1"),
    (Status.MISPLACED_ADVISOR, f"{KINGS} Ae8", f"{KINGS} ae8"),
    (Status.MISPLACED_ADVISOR, f"{KINGS} ab4", f"{KINGS} ad7"),
    (Status.MISPLACED_BISHOP, f"{KINGS} Bc1", f"{KINGS} Bc0"),
    (Status.MISPLACED_BISHOP, f"{KINGS} Bc5", f"{KINGS} Bc4"),
    (Status.MISPLACED_BISHOP, f"{KINGS} bc4", f"{KINGS} bc5"),
    (Status.MISPLACED_PAWN, f"{KINGS} Pa2", f"{KINGS} Pa3"),
    (Status.MISPLACED_PAWN, f"{KINGS} Pb3", f"{KINGS} Pc3"),
    (Status.MISPLACED_PAWN, f"{KINGS} Ph4", f"{KINGS} Ph5"),
    (Status.MISPLACED_PAWN, f"{KINGS} pa7", f"{KINGS} pa6"),
    (Status.MISPLACED_PAWN, f"{KINGS} pb5", f"{KINGS} pb4"),
    (Status.KINGS_FACING, "Ke0 ke9", "Ke0 kd9"),
    (Status.KINGS_FACING, "Ke0 ke9 Pd5", "Ke0 ke9 Pe5"),
    (Status.KINGS_FACING, "Kd2 kd7", "Kd2 kd7 cd3"),
]


@pytest.mark.parametrize(("flag", "trigger", "twin"), STATUS_TWINS)
def test_status(flag: Status, trigger: str, twin: str) -> None:
    assert setup_status(put(trigger)) == flag
    assert setup_status(put(twin)) == Status.VALID
    assert describe_status(put(trigger), flag)
    assert not describe_status(put(twin), flag)


def test_every_flag_has_twins() -> None:
    tried = Status.OPPOSITE_CHECK  # needs attacks; tested where it is computed
    for flag, _, _ in STATUS_TWINS:
        tried |= flag
    assert tried == max(Status.__members__.values()) * 2 - 1


def test_valid_positions() -> None:
    assert setup_status(parse_fen(STARTING_FEN)) == Status.VALID == Status(0)
    assert describe_status(parse_fen(STARTING_FEN), Status.VALID) == []


POINTS: list[tuple[str, Status, str]] = [
    ("K", Status.MISPLACED_KING, "d0 e0 f0 d1 e1 f1 d2 e2 f2"),
    ("A", Status.MISPLACED_ADVISOR, "d0 f0 e1 d2 f2"),
    ("B", Status.MISPLACED_BISHOP, "c0 g0 a2 e2 i2 c4 g4"),
    (
        "P",
        Status.MISPLACED_PAWN,
        "a3 c3 e3 g3 i3 a4 c4 e4 g4 i4 "
        + " ".join(file + rank for rank in "56789" for file in "abcdefghi"),
    ),
]


@pytest.mark.parametrize(("letter", "flag", "points"), POINTS)
def test_points_of_a_piece(letter: str, flag: Status, points: str) -> None:
    """On every square, for both colours."""
    allowed = {parse_square(name) for name in points.split()}
    for square in SQUARES:
        setup = Setup.from_piece_map({square: Piece.from_symbol(letter)})
        assert (flag not in setup_status(setup)) == (square in allowed)
        assert (flag not in setup_status(colors_exchanged(setup))) == (square in allowed)


@pytest.mark.parametrize("letter", "NRCnrc")
def test_points_of_a_piece_that_goes_anywhere(letter: str) -> None:
    for square in SQUARES:
        setup = Setup.from_piece_map({square: Piece.from_symbol(letter)})
        assert setup_status(setup) == Status.NO_RED_KING | Status.NO_BLACK_KING


@pytest.mark.parametrize(
    ("pieces", "sentences"),
    [
        ("Kd0", ["black has no general"]),
        ("", ["red has no general", "black has no general"]),
        ("Kd0 Ke0 kf9", ["red has 2 generals (d0, e0), expected at most 1"]),
        (f"{KINGS} ra9 rb9 rc3", ["black has 3 chariots (c3, a9, b9), expected at most 2"]),
        (f"{KINGS} Ab4", ["red advisor on b4 stands outside the palace's five advisor points"]),
        ("Kd3 kf9", ["red general on d3 stands outside the palace"]),
        (
            f"{KINGS} be4 bf5",
            [
                "black elephant on e4 stands outside the seven elephant points of its half",
                "black elephant on f5 stands outside the seven elephant points of its half",
            ],
        ),
        (f"{KINGS} Pb1", ["red soldier on b1 stands behind its starting rank"]),
        (f"{KINGS} pb6", ["black soldier on b6 has moved sideways before it crossed the river"]),
        ("Ke1 ke9", ["the generals on e1 and e9 face each other on an open file"]),
    ],
)
def test_sentences(pieces: str, sentences: list[str]) -> None:
    setup = put(pieces)
    assert describe_status(setup, setup_status(setup)) == sentences


def test_all_problems_are_reported_at_once() -> None:
    setup = put("Kd0 Ke0 ke8 Ra0 Rb0 Rc0 Pb3 ae9")
    assert setup_status(setup) == (
        Status.TOO_MANY_KINGS
        | Status.TOO_MANY_ROOKS
        | Status.MISPLACED_PAWN
        | Status.MISPLACED_ADVISOR
        | Status.KINGS_FACING
    )
    assert len(describe_status(setup, setup_status(setup))) == 5


def test_only_what_is_asked_for_is_reported() -> None:
    setup = put("Kd3 kf9 Ab4")
    assert setup_status(setup) == Status.MISPLACED_KING | Status.MISPLACED_ADVISOR
    sentences = describe_status(setup, Status.MISPLACED_KING)
    assert sentences == ["red general on d3 stands outside the palace"]
    assert describe_status(setup, Status.VALID) == []


def test_words_for_a_check_out_of_turn() -> None:
    setup = put("Kd0 kf9 Rf0")
    assert setup_status(setup) == Status.VALID
    sentences = describe_status(setup, Status.OPPOSITE_CHECK)
    assert sentences == ["red is to move, but the black general on f9 is in check"]
    sentences = describe_status(replace(setup, turn=BLACK), Status.OPPOSITE_CHECK)
    assert sentences == ["black is to move, but the red general on d0 is in check"]


@given(setups)
@example(put("Ke0 ke9"))
@example(put("Kd0 kf9 Pb3 ra5"))
def test_problems_do_not_depend_on_the_side_of_the_board(setup: Setup) -> None:
    status = setup_status(setup)
    assert setup_status(mirrored(setup)) == status
    exchanged = setup_status(colors_exchanged(setup))
    no_king = Status.NO_RED_KING | Status.NO_BLACK_KING
    assert exchanged & ~no_king == status & ~no_king
    assert (Status.NO_RED_KING in exchanged) == (Status.NO_BLACK_KING in status)
    assert (Status.NO_BLACK_KING in exchanged) == (Status.NO_RED_KING in status)


@given(setups)
def test_each_flag_has_its_sentence(setup: Setup) -> None:
    status = setup_status(setup)
    flags = [flag for flag in Status.__members__.values() if flag]
    sentences = [sentence for flag in flags for sentence in describe_status(setup, status & flag)]
    assert sorted(sentences) == sorted(describe_status(setup, status))
    for flag in flags:
        assert bool(describe_status(setup, status & flag)) == (flag in status)


Transform = Callable[[Setup], Setup]


@pytest.mark.parametrize("transform", [mirrored, colors_exchanged])
def test_the_transforms_of_these_tests(transform: Transform) -> None:
    setup = put("Ka0 rh7 pc4")
    assert transform(setup) != setup
    assert transform(transform(setup)) == setup
