"""Chinese notation: 炮二平五 for Red, 炮８平５ for Black.

Piece, file, direction and number; or place and piece if several share a file: 前炮平五. Red's
numbers are Chinese numerals, Black's are digits. Of two on a file the front one is 前, the other
后; of three soldiers the middle one is 中. Four or five soldiers, or tandems on two files, are
counted 一 to 五: files from the mover's right to left, on each of them from front to rear. This is
xqbase's style (https://www.xqbase.com/protocol/).

The parser also accepts both scripts, all characters of each piece, digits of either width, Chinese
numerals for Black, and the older 前七平六: the front soldier on file 七.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.ground.errors import Fact, InvalidMoveError, require_str
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
    BLACK,
    CANNON,
    KING,
    KNIGHT,
    PAWN,
    PIECE_LETTERS,
    PIECE_TYPES,
    RED,
    ROOK,
    PieceType,
)

__all__ = [
    "LIKE_A_MOVE",
    "NEARLY",
    "RUNNING",
    "format_chinese",
    "is_chinese",
    "parse_chinese",
]

_CHARACTERS: Final[dict[PieceType, str]] = {
    KING: "帅帥将將",
    ADVISOR: "仕士",
    BISHOP: "相象",
    KNIGHT: "马馬傌",
    ROOK: "车車俥",
    CANNON: "炮砲包",
    PAWN: "兵卒",
}
_DIRECTIONS: Final = {FORWARD: "进進上", BACKWARD: "退下", SIDEWAYS: "平"}
_PLACES: Final = {By.FRONT: "前", By.MIDDLE: "中", By.REAR: "后後"}
_NUMERALS: Final = "一二三四五六七八九"
_WIDE_DIGITS: Final = "１２３４５６７８９"

# Characters of the same meaning become one letter or digit, spaces are deleted.
_DIRECTION_LETTERS: Final = {FORWARD: "+", BACKWARD: "-", SIDEWAYS: "."}
_PLACE_LETTERS: Final = {By.FRONT: "f", By.MIDDLE: "m", By.REAR: "r"}
_PLAIN: Final = {
    **{ord(c): PIECE_LETTERS[kind - 1] for kind, row in _CHARACTERS.items() for c in row},
    **{ord(c): _DIRECTION_LETTERS[way] for way, row in _DIRECTIONS.items() for c in row},
    **{ord(c): _PLACE_LETTERS[by] for by, row in _PLACES.items() for c in row},
    **{ord(c): str(i) for row in (_NUMERALS, _WIDE_DIGITS) for i, c in enumerate(row, start=1)},
    **{ord(c): str(i) for i, c in enumerate("①②③④⑤⑥⑦⑧⑨", start=1)},
    **dict.fromkeys(map(ord, " \t\u3000")),
}
_OF_LETTER: Final = dict(zip(PIECE_LETTERS, PIECE_TYPES, strict=True))
_OF_DIRECTION: Final = {letter: way for way, letter in _DIRECTION_LETTERS.items()}
_OF_PLACE: Final = {letter: by for by, letter in _PLACE_LETTERS.items()}
_FORM: Final = re.compile(
    r"""
    (?: (?P<piece>[KABNRCP]) (?P<file>[1-9])
      | (?P<place>[fmr1-5]) (?P<placed>[KABNRCP])
      | (?P<pawn_place>[fmr]) (?P<pawn_file>[1-9]) )
    (?P<direction>[+\-.]) (?P<number>[1-9])
    [!?！？]*
    """,
    re.VERBOSE,
)
_CLASSES: Final = {
    "piece": "".join(_CHARACTERS.values()),
    "place": "".join(_PLACES.values()),
    "way": "".join(_DIRECTIONS.values()),
    "number": f"1-9{_NUMERALS}{_WIDE_DIGITS}①②③④⑤⑥⑦⑧⑨",
    "gap": "[ \\t\u3000]*",
}
RUNNING: Final = (
    "(?:[{piece}]{gap}[{number}]|[{place}{number}]{gap}[{piece}]|[{place}]{gap}[{number}])"
    "{gap}[{way}]{gap}[{number}]".format_map(_CLASSES)
)
"""Pattern of a move within a text; there may be spaces between its characters."""
LIKE_A_MOVE: Final = (
    "[{piece}]{gap}[{number}]|[{place}]{gap}[{piece}]|[{way}]{gap}[{number}]".format_map(_CLASSES)
)
"""Pattern of a part of a move, found in misspelled moves, too."""
NEARLY: Final = (
    "[{piece}][{number}](?:[{way}].|.[{number}])|[{piece}].[{way}][{number}]"
    "|[{place}][{piece}](?:[{way}].|.[{number}])|[{place}].[{way}][{number}]"
    "|.[{number}{piece}][{way}][{number}]".format_map(_CLASSES)
)
"""Pattern of a move in which one character may be any other."""


def is_chinese(text: str) -> bool:
    """Has the text the form of Chinese notation?

    >>> is_chinese("马8进7"), is_chinese("C2.5")
    (True, False)
    """
    return _read(text) is not None


def parse_chinese(board: CoreBoard, text: str) -> Move:
    """Parse a move in Chinese notation.

    Raises InvalidMoveError, IllegalMoveError or AmbiguousMoveError.

    >>> parse_chinese(CoreBoard(), "炮二平五")
    Move.from_iccs('h2e2')
    """
    require_str(text, "a move")
    wording = _read(text)
    if wording is None:
        raise InvalidMoveError(text, Fact("move.chinese"))
    return find_move(board, text, wording)


@lru_cache(maxsize=4096)
def _read(text: str) -> Wording | None:
    match = None if text.isascii() else _FORM.fullmatch(text.strip().translate(_PLAIN))
    if match is None:
        return None
    kind = _OF_LETTER[match["piece"] or match["placed"] or "P"]
    if match["piece"]:
        by = By.FILE if kind != PAWN else By.ANY_ON_FILE
        which = Which(by, file=int(match["file"]))
    elif match["placed"]:
        place = match["place"]
        which = Which(By.PLACE, place=int(place)) if place.isdigit() else Which(_OF_PLACE[place])
    else:
        which = Which(_OF_PLACE[match["pawn_place"]], file=int(match["pawn_file"]))
    return Wording(kind, _OF_DIRECTION[match["direction"]], int(match["number"]), ((which,),))


# Formatting: simplified, then traditional characters.

_WRITTEN: Final = {
    RED: ("帅仕相马车炮兵", "帥仕相馬車炮兵"),
    BLACK: ("将士象马车炮卒", "將士象馬車炮卒"),
}
_WRITTEN_DIRECTIONS: Final = {FORWARD: "进進", BACKWARD: "退退", SIDEWAYS: "平平"}
_WRITTEN_REAR: Final = "后後"
_NUMBERS: Final = {RED: _NUMERALS, BLACK: _WIDE_DIGITS}
"""The numbers 1 to 9 of each side."""


def format_chinese(board: CoreBoard, move: Move, *, traditional: bool = False) -> str:
    """Format a legal move in Chinese notation. Raises IllegalMoveError.

    >>> format_chinese(CoreBoard(), Move.from_iccs("h0g2")), format_chinese(
    ...     CoreBoard(), Move.from_iccs("h0g2"), traditional=True)
    ('马二进三', '馬二進三')
    """
    kind, file, step, tandems = describe(board, move)
    numbers = _NUMBERS[board.turn]
    piece = _WRITTEN[board.turn][traditional][kind - 1]
    if tandems:
        row = [square for tandem in tandems for square in tandem.squares]
        place = row.index(move.from_square)
        if len(tandems) > 1 or len(row) > 3:
            mark = _NUMERALS[place]
        else:
            rear = _WRITTEN_REAR[traditional]
            mark = ("前" + rear if len(row) == 2 else "前中" + rear)[place]
        which = f"{mark}{piece}"
    else:
        which = f"{piece}{numbers[file - 1]}"
    return f"{which}{_WRITTEN_DIRECTIONS[step.direction][traditional]}{numbers[step.number - 1]}"
