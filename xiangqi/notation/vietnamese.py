"""Vietnamese notation: P2-5 for the cannon's move to the middle, or in words, Pháo 2 bình 5.

The letters are Tg general (tướng, soái), S advisor (sĩ), T or V elephant (tượng, voi), X chariot
(xe, xa), P cannon (pháo), M horse (mã), B or C soldier (binh, chốt, tốt). ``.`` is forward (tiến,
tấn), ``-`` sideways (bình), ``/`` back (thoái). Of two pieces on a file ``t`` is the front one
(trước, or tiền before the piece), ``s`` the rear one (sau, hậu), of three ``g`` the middle one
(giữa, trung).

If soldiers stand behind one another on two files, the file follows (``Bt3.1``); of four or five on
a file, the place and the file are given (``B23.1``).

The parser takes any case, numbers in words (hai, nhị), marks after the move, and words with or
without their diacritics, composed or not. Without them ``tuong`` is the general or the elephant,
``tam`` three or eight, and ``sau`` rear or six, whichever is legal. ``P2-5`` and ``C2.5`` have
another meaning in WXF notation: see :func:`~xiangqi.notation.choose_style`.

>>> parse_vietnamese(CoreBoard(), "P2-5") == parse_vietnamese(CoreBoard(), "phao 2 binh 5")
True
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.ground.errors import (
    AmbiguousMoveError,
    Fact,
    IllegalMoveError,
    InvalidMoveError,
    require_str,
)
from xiangqi.notation.relative import (
    BACKWARD,
    FORWARD,
    SIDEWAYS,
    By,
    Which,
    Wording,
    describe,
    find_move,
)
from xiangqi.pieces import (
    ADVISOR,
    BISHOP,
    CANNON,
    KING,
    KNIGHT,
    PAWN,
    ROOK,
    PieceType,
)

__all__ = ["format_vietnamese", "is_vietnamese", "match_vietnamese", "parse_vietnamese"]

_LETTERS: Final[dict[PieceType, str]] = {
    KING: "Tg", ADVISOR: "S", BISHOP: "T", KNIGHT: "M", ROOK: "X", CANNON: "P", PAWN: "B",
}  # fmt: skip
_KINDS: Final[dict[str, tuple[PieceType, ...]]] = {
    **{letter.lower(): (kind,) for kind, letter in _LETTERS.items()},
    "c": (PAWN,), "v": (BISHOP,), "voi": (BISHOP,), "tuong": (KING, BISHOP), "tướng": (KING,),
    "soai": (KING,), "tượng": (BISHOP,), "si": (ADVISOR,), "sy": (ADVISOR,), "xe": (ROOK,),
    "xa": (ROOK,), "phao": (CANNON,), "ma": (KNIGHT,), "tot": (PAWN,), "chot": (PAWN,),
    "binh": (PAWN,),
}  # fmt: skip
"""Piece types by letter or word without diacritics."""
_DIRECTIONS: Final = {
    ".": FORWARD, "tien": FORWARD, "tan": FORWARD, "-": SIDEWAYS, "binh": SIDEWAYS,
    "/": BACKWARD, "thoai": BACKWARD, "lui": BACKWARD,
}  # fmt: skip
_SIGNS: Final = {FORWARD: ".", SIDEWAYS: "-", BACKWARD: "/"}
_PLACES: Final = {
    "t": By.FRONT, "truoc": By.FRONT, "tien": By.FRONT, "g": By.MIDDLE, "giua": By.MIDDLE,
    "trung": By.MIDDLE, "s": By.REAR, "sau": By.REAR, "hau": By.REAR,
}  # fmt: skip
_NUMBERS: Final[dict[str, tuple[int, ...]]] = {
    **{str(number): (number,) for number in range(1, 10)},
    "mot": (1,), "nhat": (1,), "hai": (2,), "nhi": (2,), "ba": (3,), "tam": (3, 8), "bon": (4,),
    "tu": (4,), "nam": (5,), "ngu": (5,), "sau": (6,), "sáu": (6,), "luc": (6,), "bay": (7,),
    "that": (7,), "tám": (8,), "bat": (8,), "chin": (9,), "cuu": (9,),
}  # fmt: skip
_TOLD_APART: Final = ("tướng", "tượng", "tám", "sáu")
"""Words that keep their diacritics, as without them they mean something else as well."""
_DASHES: Final = dict.fromkeys(map(ord, "‐‑‒–—−﹣－"), "-")
_SHORT: Final = r"(?:tg|[stvxpmbc])(?:[tgs][1-9]?|[1-5]?[1-9])[.\-/][1-9]"
_TOKEN: Final = r"(?:(?:[^\W\d_]|[\u0300-\u036f])+(?![^\W\d_]|[\u0300-\u036f])|[1-9])"
_RUNNING_SHORT: Final = re.compile(rf"(?i){_SHORT}(?![\d.\-/])(?!(?!{_SHORT})\w)")
_RUNNING_WORDS: Final = [
    re.compile(rf"{_TOKEN}(?:[ \t]*{_TOKEN}){{{count}}}(?!\d)") for count in (4, 3)
]
_NUMBER: Final = "|".join(_NUMBERS)
_FORM: Final = re.compile(
    r"(?:(?P<before>tien|trung|hau)\s+)?"
    r"(?P<piece>tg|[stvxpmbc]|voi|tuong|tướng|tượng|soai|si|sy|xe|xa|phao|ma|tot|chot|binh)\s*"
    rf"(?:(?P<place>truoc|giua|sau(?=\s+(?:[1-9]|tien|tan|binh|thoai|lui))|[tgs](?=[1-9.\-/]))"
    r"\s*(?P<place_file>[1-9])?"
    rf"|(?P<count>[1-5])(?P<count_file>[1-9])|(?P<file>{_NUMBER}))?\s*"
    rf"(?P<direction>[.\-/]|tien|tan|binh|thoai|lui)\s*(?P<number>{_NUMBER})\s*[+#!?]*"
)


@lru_cache(maxsize=8192)
def is_vietnamese(text: str) -> bool:
    """Has the text the form of Vietnamese notation?

    >>> is_vietnamese("M8.7"), is_vietnamese("Mã 8 tấn 7"), is_vietnamese("H8+7")
    (True, True, False)
    """
    return _match(text) is not None


def match_vietnamese(text: str, place: int) -> str | None:
    """Match a move at a place in a text, without marks after it; None if there is none."""
    if not text[place : place + 1].isalpha():
        return None
    found = _RUNNING_SHORT.match(text, place)
    if found is not None:
        return found[0]
    for pattern in _RUNNING_WORDS:
        found = pattern.match(text, place)
        if found is not None and is_vietnamese(found[0]):
            after = text[found.end() : found.end() + 1]
            if not after.isalpha() or match_vietnamese(text, found.end()) is not None:
                return found[0]
    return None


def _match(text: str) -> re.Match[str] | None:
    """Match a whole text; the place of the piece is named once, before or after it."""
    match = _FORM.fullmatch(_plain(text))
    if match is None:
        return None
    after = match["place"] or match["count"] or match["file"]
    return match if bool(match["before"]) != bool(after) else None


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """Text in small letters without diacritics, except in the words that they tell apart."""
    text = unicodedata.normalize("NFC", text.translate(_DASHES)).strip().lower()
    words = re.split(r"(\W+|\d+)", text)
    return "".join(word if word in _TOLD_APART else _without_diacritics(word) for word in words)


def _without_diacritics(word: str) -> str:
    letters = unicodedata.normalize("NFD", word.replace("đ", "d"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def parse_vietnamese(board: CoreBoard, text: str) -> Move:
    """Parse a move in Vietnamese notation, in letters or words.

    Raises InvalidMoveError, IllegalMoveError or AmbiguousMoveError.
    """
    require_str(text, "a move")
    wordings = _read(text)
    if not wordings:
        raise InvalidMoveError(text, Fact("move.vietnamese"))
    moves: list[Move] = []
    for wording in wordings:
        try:
            moves.append(find_move(board, text, wording))
        except IllegalMoveError:
            if wording is wordings[-1] and not moves:
                raise
    if len(set(moves)) > 1:
        raise AmbiguousMoveError(text, board.fen(), [move.iccs() for move in moves])
    return moves[0]


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[Wording, ...]:
    """Meanings of a text: several only of words that lack their diacritics."""
    match = _match(text)
    if match is None:
        return ()
    groups: list[tuple[tuple[Which, ...], ...]] = []
    place = match["place"] or match["before"]
    if match["count"]:
        which = Which(By.PLACE_ON_FILE, file=int(match["count_file"]), place=int(match["count"]))
        groups.append(((which,),))
    elif place and match["place_file"]:
        by = {By.FRONT: By.PLUS, By.REAR: By.MINUS}.get(_PLACES[place], By.MIDDLE)
        groups.append(((Which(by, file=int(match["place_file"])),),))
    elif place:
        groups.append(((Which(_PLACES[place]),),))
    lower = unicodedata.normalize("NFC", text).lower()
    is_plain = lower == _without_diacritics(lower)
    file = match["file"] or (match["place"] if is_plain and not match["place_file"] else "") or ""
    for one in _numbers(file, is_plain):
        groups.append(((Which(By.FILE, file=one),), (Which(By.ANY_ON_FILE, file=one),)))
    direction = _DIRECTIONS[match["direction"]]
    return tuple(
        Wording(kind, direction, number, choices)
        for kind in _KINDS[match["piece"]]
        for choices in groups
        for number in _numbers(match["number"], is_plain)
    )


def _numbers(word: str, is_plain: bool) -> tuple[int, ...]:
    """Numbers that a word may mean: several only in a text without diacritics."""
    return _NUMBERS.get(word, ())[: None if is_plain else 1]


def format_vietnamese(board: CoreBoard, move: Move) -> str:
    """Format a legal move in Vietnamese notation. Raises IllegalMoveError.

    >>> format_vietnamese(CoreBoard(), Move.from_iccs("h2e2"))
    'P2-5'
    """
    kind, file, step, tandems = describe(board, move)
    which = str(file)
    if tandems:
        squares = next(tandem.squares for tandem in tandems if tandem.file == file)
        place, size = squares.index(move.from_square), len(squares)
        if size > 3:
            which = f"{place + 1}{file}"
        else:
            which = ("ts" if size == 2 else "tgs")[place] + (str(file) if len(tandems) > 1 else "")
    return f"{_LETTERS[kind]}{which}{_SIGNS[step.direction]}{step.number}"
