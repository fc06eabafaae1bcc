"""Colours, pieces and squares: all accessors, for all values."""

from __future__ import annotations

import copy
import pickle
import unicodedata
from dataclasses import FrozenInstanceError
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xiangqi.ground.errors import InvalidPieceError, InvalidSquareError
from xiangqi.pieces import (
    ADVISOR,
    BISHOP,
    BLACK,
    CANNON,
    COLOR_NAMES,
    COLORS,
    FILE_NAMES,
    KING,
    KNIGHT,
    PAWN,
    PIECE_LETTERS,
    PIECE_NAMES,
    PIECE_TERMS,
    PIECE_TYPES,
    RANK_NAMES,
    RED,
    ROOK,
    SQUARE_NAMES,
    SQUARES,
    Piece,
    parse_square,
    square,
    square_file,
    square_flip,
    square_mirror,
    square_name,
    square_rank,
)

PIECES = [Piece(kind, color) for kind, color in product(PIECE_TYPES, COLORS)]
READ_SYMBOLS = "KABENHRCPkabenhrcp"

each_piece = pytest.mark.parametrize("piece", PIECES, ids=str)


# Piece types and colours


def test_numbers_of_piece_types() -> None:
    assert PIECE_TYPES == (KING, ADVISOR, BISHOP, KNIGHT, ROOK, CANNON, PAWN)
    assert PIECE_TYPES == (1, 2, 3, 4, 5, 6, 7)


@pytest.mark.parametrize(
    ("kind", "letter", "name", "term"),
    [
        (KING, "K", "king", "general"),
        (ADVISOR, "A", "advisor", "advisor"),
        (BISHOP, "B", "bishop", "elephant"),
        (KNIGHT, "N", "knight", "horse"),
        (ROOK, "R", "rook", "chariot"),
        (CANNON, "C", "cannon", "cannon"),
        (PAWN, "P", "pawn", "soldier"),
    ],
)
def test_words_for_a_piece_type(kind: int, letter: str, name: str, term: str) -> None:
    assert PIECE_LETTERS[kind - 1] == letter
    assert PIECE_NAMES[kind] == name
    assert PIECE_TERMS[kind] == term


def test_words_for_a_color() -> None:
    assert (COLOR_NAMES[RED], COLOR_NAMES[BLACK]) == ("red", "black")
    assert set(COLORS) == {RED, BLACK}
    assert RED is not BLACK


# Pieces


def test_codes() -> None:
    codes = [Piece(kind, color).code for color in (BLACK, RED) for kind in PIECE_TYPES]
    assert codes == [1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15]


@each_piece
def test_code_and_symbol_round_trip(piece: Piece) -> None:
    assert Piece.from_code(piece.code) == piece
    assert Piece.from_symbol(piece.symbol()) == piece
    assert str(piece) == piece.symbol()
    assert eval(repr(piece)) == piece


def test_symbols() -> None:
    symbols = [Piece(kind, color).symbol() for color in COLORS for kind in PIECE_TYPES]
    assert "".join(symbols) == "KABNRCPkabnrcp"


@pytest.mark.parametrize(("other", "usual"), [("E", "B"), ("e", "b"), ("H", "N"), ("h", "n")])
def test_letters_of_the_world_federation(other: str, usual: str) -> None:
    assert Piece.from_symbol(other) == Piece.from_symbol(usual)


@pytest.mark.parametrize("code", [-1, 0, 8, 16, 255, None, "1"])
def test_wrong_piece_codes_are_refused(code: int) -> None:
    with pytest.raises(ValueError, match="invalid piece code"):
        Piece.from_code(code)


@pytest.mark.parametrize("symbol", ["", "q", "KK", "K ", "1", "\N{KELVIN SIGN}", "車", "ı", "\0"])
def test_wrong_piece_symbols_are_quoted(symbol: str) -> None:
    with pytest.raises(InvalidPieceError) as caught:
        Piece.from_symbol(symbol)
    assert caught.value.text == symbol
    assert READ_SYMBOLS in caught.value.expected or "KABNRCPEH" in caught.value.expected


@given(st.text(max_size=3))
def test_any_text_is_a_piece_or_a_typed_error(text: str) -> None:
    if text and text in READ_SYMBOLS and len(text) == 1:
        assert Piece.from_symbol(text).color == text.isupper()
    else:
        with pytest.raises(InvalidPieceError):
            Piece.from_symbol(text)


@each_piece
def test_pieces_are_values(piece: Piece) -> None:
    same = Piece(piece.piece_type, piece.color)
    assert same == piece
    assert hash(same) == hash(piece)
    assert copy.deepcopy(piece) == piece
    assert pickle.loads(pickle.dumps(piece)) == piece
    with pytest.raises(FrozenInstanceError):
        piece.color = RED  # type: ignore[misc]


def test_pieces_differ() -> None:
    assert len(set(PIECES)) == 14


@each_piece
def test_name(piece: Piece) -> None:
    assert piece.name().split() == [COLOR_NAMES[piece.color], PIECE_TERMS[piece.piece_type]]


def test_chinese_characters() -> None:
    def row(color: bool, script: str) -> str:
        return "".join(Piece(kind, color).chinese(script) for kind in PIECE_TYPES)  # type: ignore[arg-type]

    assert row(RED, "traditional") == "帥仕相傌俥炮兵"
    assert row(BLACK, "traditional") == "將士象馬車砲卒"
    assert row(RED, "simplified") == "帅仕相马车炮兵"
    assert row(BLACK, "simplified") == "将士象马车炮卒"


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        (KING, "GENERAL"),
        (ADVISOR, "MANDARIN"),
        (BISHOP, "ELEPHANT"),
        (KNIGHT, "HORSE"),
        (ROOK, "CHARIOT"),
        (CANNON, "CANNON"),
        (PAWN, "SOLDIER"),
    ],
)
def test_unicode_names_the_symbols_alike(kind: int, word: str) -> None:
    for color in COLORS:
        name = unicodedata.name(Piece(kind, color).unicode_symbol())
        assert name == f"XIANGQI {COLOR_NAMES[color].upper()} {word}"


# Squares


def test_squares_are_numbered_from_reds_left_hand() -> None:
    assert list(SQUARES) == list(range(90))
    corners = {name: parse_square(name) for name in ("a0", "i0", "a9", "i9")}
    assert corners == {"a0": 0, "i0": 8, "a9": 81, "i9": 89}


@pytest.mark.parametrize("sq", SQUARES, ids=square_name)
def test_accessors_of_a_square(sq: int) -> None:
    file, rank = square_file(sq), square_rank(sq)
    assert sq == rank * 9 + file == square(file, rank)
    assert 0 <= file < 9
    assert 0 <= rank < 10
    assert square_name(sq) == FILE_NAMES[file] + RANK_NAMES[rank] == SQUARE_NAMES[sq]
    assert parse_square(square_name(sq)) == sq
    mirrored, flipped = square_mirror(sq), square_flip(sq)
    assert (square_file(mirrored), square_rank(mirrored)) == (8 - file, rank)
    assert (square_file(flipped), square_rank(flipped)) == (file, 9 - rank)


@pytest.mark.parametrize(
    "text", ["", "a", "0", "a10", "j0", "A0", "a-1", " a0", "a0 ", "0a", "e٣", "a0\0", "e0e1"]
)
def test_wrong_squares_are_quoted(text: str) -> None:
    with pytest.raises(InvalidSquareError) as caught:
        parse_square(text)
    assert caught.value.text == text


@given(st.text(alphabet="abcdefghij0123456789AZ-", max_size=3))
def test_any_text_is_a_square_or_a_typed_error(text: str) -> None:
    if text in SQUARE_NAMES:
        assert square_name(parse_square(text)) == text
    else:
        with pytest.raises(InvalidSquareError):
            parse_square(text)
