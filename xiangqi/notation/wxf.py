"""WXF notation: C2.5, H8+7, R+.3, in three styles that differ in tandem soldiers.

    situation              wxf (official)     xqbase         fairy (pyffish, ffish.js)
    sideways               C2.5               C2.5           C2=5
    two on a file          P+  P-             P+  P-         P+  P-
    three                  P+  P<file>  P-    P+  P.  P-     13  23  33  (place, file)
    four                   ++  P+  P-  --     Pa Pb Pc Pd    13  23  33  43
    five                   and P<file>        and Pe         and 53
    two files with two     3+  3-  7+  7-     Pa Pb Pc Pd    13  23  17  27
    and with three         33                 and Pe         33

The official style is that of the World Xiangqi Federation (1997), after the Asian federation's;
xqbase's is described in "Chinese chess computer protocols" (https://www.xqbase.com/protocol/);
the third is that of Fairy-Stockfish, where two pieces on a file are distinguished by a sign only
if the same displacement of the other one would stay on the board, or in its zone.

The parser accepts all of them, either case, N for H and B for E, a missing dot (``C25``), a sign
before the piece (``+C-2``) or the file (``+6=5``), a letter for front, rear or back, and middle
before the piece (``fC+2``, ``rC``, ``bC``, ``mP``), and marks after the move.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal, TypeAlias, get_args

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.ground.errors import Fact, InvalidMoveError, quote, require_str
from xiangqi.notation.relative import (
    BACKWARD,
    FORWARD,
    SIDEWAYS,
    By,
    Tandem,
    Which,
    Wording,
    describe,
    find_move,
    find_tandems,
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
    Square,
)

__all__ = ["RUNNING", "WXF_STYLES", "WxfStyle", "format_wxf", "is_wxf", "parse_wxf"]

WxfStyle: TypeAlias = Literal["wxf", "xqbase", "fairy"]
WXF_STYLES: Final[tuple[WxfStyle, ...]] = get_args(WxfStyle)

_LETTERS: Final[dict[PieceType, str]] = {
    KING: "K", ADVISOR: "A", BISHOP: "E", KNIGHT: "H", ROOK: "R", CANNON: "C", PAWN: "P",
}  # fmt: skip
_KINDS: Final = {**{letter: kind for kind, letter in _LETTERS.items()}, "B": BISHOP, "N": KNIGHT}
_DIRECTIONS: Final = {"+": FORWARD, "-": BACKWARD, ".": SIDEWAYS, "=": SIDEWAYS, "": SIDEWAYS}
_SIGNS: Final = {FORWARD: "+", BACKWARD: "-", SIDEWAYS: "."}
_LAST_RANKS: Final = {KING: 2, ADVISOR: 2, BISHOP: 4}
_STYLE_SIGNS: Final[dict[str, WxfStyle]] = {".": "wxf", "=": "fairy"}
_PLACES: Final = "ABCDE"
_BY_LETTER: Final = {"F": By.FRONT, "R": By.REAR, "B": By.REAR, "M": By.MIDDLE}

_ASCII: Final = {
    **{0xFF01 + i: 0x21 + i for i in range(94)},
    **dict.fromkeys(map(ord, "‐‑‒–—−"), "-"),
    ord("·"): ".", ord("。"): ".", ord("﹣"): "-",
}  # fmt: skip
_BODY: Final = r"""
    (?: (?P<piece>[KAEBHNRCP]) (?P<mark>[1-9+\-]) | (?P<pawn>P) (?P<pawn_mark>[.=A-E])
      | (?P<sign>[+\-]) (?P<signed>[KAEBHNRCP]) | (?P<end>\+\+|--)
      | (?P<pawn_file>[1-9]) (?P<pawn_sign>[1-9+\-]) | (?P<sign_first>[+\-]) (?P<file_second>[1-9])
      | (?P<place>[FRBM]) (?P<placed>[KAEBHNRCP]) )
    (?: (?P<direction>[+\-.=]) (?P<number>[1-9]) | (?<=[A-Z][1-9]) (?P<sideways>[1-9]) )
    """
_FORM: Final = re.compile(rf"{_BODY} [+\#!?]*", re.VERBOSE)
RUNNING: Final = rf"(?xia){_BODY} (?:[+\#]+(?![\w+\-]))?"
"""Pattern of a move within a text, with signs of check unless they may begin the next move."""


@lru_cache(maxsize=8192)
def is_wxf(text: str) -> bool:
    """Has the text the form of WXF notation?

    >>> is_wxf("h8+7"), is_wxf("++.4"), is_wxf("h2e2")
    (True, True, False)
    """
    return _match(text) is not None


def parse_wxf(board: CoreBoard, text: str, style: WxfStyle | None = None) -> Move:
    """Parse a move in WXF notation, in any style.

    Only texts such as ``11+1`` differ in meaning: officially the middle soldier of three, in Fairy
    the first one. ``.`` or ``=``, if sideways, decides, otherwise ``style``; without it the text is
    ambiguous if both can move.

    Raises InvalidMoveError, IllegalMoveError or AmbiguousMoveError.
    """
    require_str(text, "a move")
    wording = _read(text, style)
    if wording is None:
        raise InvalidMoveError(text, Fact("move.wxf"))
    return find_move(board, text, wording)


def _match(text: str) -> re.Match[str] | None:
    return _FORM.fullmatch(text.strip().translate(_ASCII).upper())


@lru_cache(maxsize=4096)
def _read(text: str, style: WxfStyle | None) -> Wording | None:
    match = _match(text)
    if match is None:
        return None
    kind = _KINDS[match["piece"] or match["signed"] or match["placed"] or "P"]
    number = int(match["number"] or match["sideways"])
    choices = _choices(match, kind, style)
    return Wording(kind, _DIRECTIONS[match["direction"] or ""], number, choices)


def _choices(
    match: re.Match[str], kind: PieceType, style: WxfStyle | None
) -> tuple[tuple[Which, ...], ...]:
    """Groups of pieces that a text may mean, in order of preference."""
    if match["end"]:
        return ((Which(By.FRONT if match["end"] == "++" else By.REAR),),)
    if match["place"]:
        return ((Which(_BY_LETTER[match["place"]]),),)
    if match["sign_first"]:
        by = By.PLUS if match["sign_first"] == "+" else By.MINUS
        return ((Which(by, file=int(match["file_second"])),),)
    if match["pawn"]:
        mark = match["pawn_mark"]
        if mark in _PLACES:
            return ((Which(By.PLACE, place=_PLACES.index(mark) + 1),),)
        return ((Which(By.MIDDLE),),)
    if match["pawn_file"]:
        first, second = int(match["pawn_file"]), match["pawn_sign"]
        if second in "+-":
            return ((Which(By.PLUS if second == "+" else By.MINUS, file=first),),)
        in_fairy = Which(By.PLACE_ON_FILE, file=int(second), place=first)
        if str(first) != second:
            return ((in_fairy,),)
        official = Which(By.MIDDLE_BESIDE_TANDEM, file=first)
        if match["direction"] in _STYLE_SIGNS:
            style = _STYLE_SIGNS[match["direction"]]
        if style is None:
            return ((official, in_fairy),)
        both = ((in_fairy,), (official,))
        return both if style == "fairy" else both[::-1]
    mark = match["sign"] or match["mark"]
    if mark in "+-":
        return ((Which(By.PLUS if mark == "+" else By.MINUS),),)
    file = int(mark)
    if kind != PAWN:
        return ((Which(By.FILE, file=file),),)
    return ((Which(By.FILE, file=file),), (Which(By.ANY_ON_FILE, file=file),))


def format_wxf(board: CoreBoard, move: Move, style: WxfStyle = "wxf") -> str:
    """Format a legal move in WXF notation. Raises IllegalMoveError.

    >>> format_wxf(CoreBoard(), Move.from_iccs("h2e2"))
    'C2.5'
    >>> format_wxf(CoreBoard(), Move.from_iccs("h2e2"), "fairy")
    'C2=5'
    """
    if style not in WXF_STYLES:
        raise ValueError(f"invalid style {quote(style)}: expected one of {WXF_STYLES}")
    kind, file, step, tandems = describe(board, move)
    which = f"{_LETTERS[kind]}{file}"
    if style == "fairy":
        which = _fairy_mark(board, move, kind, file)
    elif tandems:
        name = _official_mark if style == "wxf" else _xqbase_mark
        which = name(kind, file, move.from_square, tandems)
    sign = "=" if style == "fairy" and step.direction == SIDEWAYS else _SIGNS[step.direction]
    return f"{which}{sign}{step.number}"


def _official_mark(kind: PieceType, file: int, origin: Square, tandems: list[Tandem]) -> str:
    squares = next(tandem.squares for tandem in tandems if tandem.file == file)
    place, size = squares.index(origin), len(squares)
    letter = _LETTERS[kind]
    alone, beside = f"{letter}{file}", f"{file}{file}"
    if len(tandems) > 1:
        marks = {2: (f"{file}+", f"{file}-"), 3: (f"{file}+", beside, f"{file}-")}
        return marks[size][place]
    return {
        2: (f"{letter}+", f"{letter}-"),
        3: (f"{letter}+", alone, f"{letter}-"),
        4: ("++", f"{letter}+", f"{letter}-", "--"),
        5: ("++", f"{letter}+", alone, f"{letter}-", "--"),
    }[size][place]


def _xqbase_mark(kind: PieceType, file: int, origin: Square, tandems: list[Tandem]) -> str:
    row = [square for tandem in tandems for square in tandem.squares]
    place, letter = row.index(origin), _LETTERS[kind]
    if len(tandems) > 1 or len(row) > 3:
        return f"{letter}{_PLACES[place].lower()}"
    return letter + ("+-" if len(row) == 2 else "+.-")[place]


def _fairy_mark(board: CoreBoard, move: Move, kind: PieceType, file: int) -> str:
    color, cells = board.turn, board.cells()
    tandems = find_tandems(cells, cells[move.from_square], color)
    squares = next((tandem.squares for tandem in tandems if tandem.file == file), ())
    if len(squares) > 2 or (kind == PAWN and squares and len(tandems) > 1):
        return f"{squares.index(move.from_square) + 1}{file}"
    letter = _LETTERS[kind]
    if squares:
        is_front = move.from_square == squares[0]
        other = squares[1 if is_front else 0]
        rank = (other + move.to_square - move.from_square) // 9
        other_can_move = 0 <= (rank if color else 9 - rank) <= _LAST_RANKS.get(kind, 9)
        if other_can_move:
            return letter + ("+" if is_front else "-")
    return f"{letter}{file}"
