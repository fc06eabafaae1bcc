"""Vietnamese notation: P2-5 for the cannon's move to the middle, or in words, Pháo 2 bình 5.

The letters are Tg general (tướng), S advisor (sĩ), T elephant (tượng), X chariot (xe), P cannon
(pháo), M horse (mã), B or C soldier (binh, chốt, tốt). ``.`` is forward (tiến, tấn), ``-``
sideways (bình), ``/`` back (thoái). Of two pieces on a file ``t`` is the front one (trước) and
``s`` the rear one (sau), of three ``g`` is the middle one (giữa).

If soldiers stand behind one another on two files, the file follows (``Bt3.1``); of four or five on
a file, the place and the file are given (``B23.1``).

The parser takes any case, and words with or without their marks, composed or not. Without marks
``tuong`` is the general or the elephant, whichever can move. ``P2-5`` and ``C2.5`` have another
meaning in WXF notation: see :func:`~xiangqi.notation.choose_style`.

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
from xiangqi.errors import Fact, IllegalMoveError, InvalidMoveError, require_str
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

__all__ = ["RUNNING", "format_vietnamese", "is_vietnamese", "parse_vietnamese"]

_LETTERS: Final[dict[PieceType, str]] = {
    KING: "Tg", ADVISOR: "S", BISHOP: "T", KNIGHT: "M", ROOK: "X", CANNON: "P", PAWN: "B",
}  # fmt: skip
_KINDS: Final[dict[str, tuple[PieceType, ...]]] = {
    **{letter.lower(): (kind,) for kind, letter in _LETTERS.items()},
    "c": (PAWN,), "tuong": (KING, BISHOP), "tướng": (KING,), "tượng": (BISHOP,), "si": (ADVISOR,),
    "sy": (ADVISOR,), "xe": (ROOK,), "phao": (CANNON,), "ma": (KNIGHT,), "tot": (PAWN,),
    "chot": (PAWN,), "binh": (PAWN,),
}  # fmt: skip
"""Piece types by letter or word without marks."""
_DIRECTIONS: Final = {
    ".": FORWARD, "tien": FORWARD, "tan": FORWARD, "-": SIDEWAYS, "binh": SIDEWAYS,
    "/": BACKWARD, "thoai": BACKWARD, "lui": BACKWARD,
}  # fmt: skip
_SIGNS: Final = {FORWARD: ".", SIDEWAYS: "-", BACKWARD: "/"}
_PLACES: Final = {
    "t": By.FRONT, "truoc": By.FRONT, "g": By.MIDDLE, "giua": By.MIDDLE, "s": By.REAR,
    "sau": By.REAR,
}  # fmt: skip
_SHORT: Final = r"(?:tg|[stxpmbc])(?:[tgs][1-9]?|[1-5]?[1-9])[.\-/][1-9]"
RUNNING: Final = (
    rf"(?i){_SHORT}(?![\d.\-/])(?!(?!{_SHORT})\w)"
    r"|(?:[^\W\d_]|[\u0300-\u036f]){2,8}[ \t]+(?:(?:[^\W\d_]|[\u0300-\u036f]){3,8}[ \t]+)?"
    r"(?:[1-9][ \t]+)?(?:[^\W\d_]|[\u0300-\u036f]){3,7}[ \t]+[1-9](?!\w)"
)
"""Pattern of the form of a move within a text; :func:`is_vietnamese` tests the words."""
_FORM: Final = re.compile(
    r"(?P<piece>tg|[stxpmbc]|tuong|tướng|tượng|si|sy|xe|phao|ma|tot|chot|binh)\s*"
    r"(?:(?P<place>truoc|sau|giua|[tgs](?=[1-9.\-/]))\s*(?P<place_file>[1-9])?"
    r"|(?P<count>[1-5])(?P<count_file>[1-9])|(?P<file>[1-9]))\s*"
    r"(?P<direction>[.\-/]|tien|tan|binh|thoai|lui)\s*(?P<number>[1-9])"
)


@lru_cache(maxsize=8192)
def is_vietnamese(text: str) -> bool:
    """Has the text the form of Vietnamese notation?

    >>> is_vietnamese("M8.7"), is_vietnamese("Mã 8 tấn 7"), is_vietnamese("H8+7")
    (True, True, False)
    """
    return _FORM.fullmatch(_plain(text)) is not None


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """Text in small letters without marks, except in the words for general and elephant."""
    text = unicodedata.normalize("NFC", text).strip().lower()
    words = re.split(r"(\s+)", text)
    return "".join(word if word in ("tướng", "tượng") else _without_marks(word) for word in words)


def _without_marks(word: str) -> str:
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
    for wording in wordings[:-1]:
        try:
            return find_move(board, text, wording)
        except IllegalMoveError:
            continue
    return find_move(board, text, wordings[-1])


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[Wording, ...]:
    """Meanings of a text: several only of the word ``tuong``."""
    match = _FORM.fullmatch(_plain(text))
    if match is None:
        return ()
    choices: tuple[tuple[Which, ...], ...]
    if match["place"]:
        file = int(match["place_file"] or 0)
        by = _PLACES[match["place"]]
        if file:
            place = {By.FRONT: By.PLUS, By.REAR: By.MINUS}.get(by, By.MIDDLE)
            choices = ((Which(place, file=file),),)
        else:
            choices = ((Which(by),),)
    elif match["count"]:
        choices = (
            (Which(By.PLACE_ON_FILE, file=int(match["count_file"]), place=int(match["count"])),),
        )
    else:
        file = int(match["file"])
        choices = ((Which(By.FILE, file=file),), (Which(By.ANY_ON_FILE, file=file),))
    direction, number = _DIRECTIONS[match["direction"]], int(match["number"])
    return tuple(Wording(kind, direction, number, choices) for kind in _KINDS[match["piece"]])


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
