"""Colours, pieces and squares; ``squares`` has sets of squares, ``arrows`` arrows between them, and
``fen`` reads and writes FEN.

The board has 9 files and 10 ranks. Squares are numbered 0 to 89 as ``rank * 9 + file``; a0 is Red's
left corner:

>>> square_name(0), square_name(8), square_name(89)
('a0', 'i0', 'i9')

The functions of a square do not validate it. Functions that parse text raise an error which names
the expected text. A text in place of a colour, a piece type or a square, which would count as true
or fail far away, is refused by ``require_color`` and its neighbours, wherever a program gives one.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import index
from typing import Final, Literal, TypeAlias

from xiangqi.ground.errors import Fact, InvalidPieceError, InvalidSquareError, quote
from xiangqi.ground.texts import Language, say

__all__ = [
    "ADVISOR",
    "BISHOP",
    "BLACK",
    "CANNON",
    "COLORS",
    "COLOR_NAMES",
    "FILE_NAMES",
    "KING",
    "KNIGHT",
    "PAWN",
    "PIECE_LETTERS",
    "PIECE_NAMES",
    "PIECE_TERMS",
    "PIECE_TYPES",
    "RANK_NAMES",
    "RED",
    "ROOK",
    "SQUARES",
    "SQUARE_NAMES",
    "Color",
    "Piece",
    "PieceType",
    "Script",
    "Square",
    "parse_square",
    "piece_name",
    "require_color",
    "require_piece_type",
    "require_square",
    "square",
    "square_distance",
    "square_file",
    "square_flip",
    "square_mirror",
    "square_name",
    "square_rank",
]

# Colours

Color: TypeAlias = bool

RED: Final[Color] = True
BLACK: Final[Color] = False
COLORS: Final[tuple[Color, ...]] = (RED, BLACK)

COLOR_NAMES: Final = ("black", "red")
"""Names of the colours, indexed by colour."""

_COLOR_WORDS: Final = {"RED": ("red", "r", "white", "w", "红", "紅"), "BLACK": ("black", "b", "黑")}


def require_color(color: object) -> Color:
    """Return a colour; raise TypeError, which names the constant, for anything else.

    >>> require_color("black")
    Traceback (most recent call last):
    TypeError: color 'black': expected xiangqi.BLACK
    """
    if isinstance(color, str):
        for name, words in _COLOR_WORDS.items():
            if color.lower().removesuffix("方") in words:
                raise TypeError(f"color {quote(color)}: expected xiangqi.{name}")
    elif color in COLORS:
        return bool(color)
    raise TypeError(f"color {quote(color)}: expected xiangqi.RED or xiangqi.BLACK")


# Piece types

PieceType: TypeAlias = int

KING: Final[PieceType] = 1
ADVISOR: Final[PieceType] = 2
BISHOP: Final[PieceType] = 3
KNIGHT: Final[PieceType] = 4
ROOK: Final[PieceType] = 5
CANNON: Final[PieceType] = 6
PAWN: Final[PieceType] = 7
PIECE_TYPES: Final[tuple[PieceType, ...]] = (KING, ADVISOR, BISHOP, KNIGHT, ROOK, CANNON, PAWN)

PIECE_LETTERS: Final = "KABNRCP"
"""FEN letters in the order of the piece types, KING first."""

PIECE_NAMES: Final = ("", "king", "advisor", "bishop", "knight", "rook", "cannon", "pawn")
"""English names in engines and in this code, indexed by piece type."""

PIECE_TERMS: Final = ("", "general", "advisor", "elephant", "horse", "chariot", "cannon", "soldier")
"""English names among xiangqi players, for explanations; indexed by piece type."""


def require_piece_type(kind: object) -> PieceType:
    """Return a piece type; raise TypeError, which names the constant, for what is no number, and
    ValueError for any other number.

    >>> require_piece_type("horse")
    Traceback (most recent call last):
    TypeError: piece type 'horse': expected xiangqi.KNIGHT
    """
    if isinstance(kind, str):
        word = kind.lower()
        known = _TYPE_OF_LETTER.get(kind.upper())
        for names in (PIECE_NAMES, PIECE_TERMS):
            known = names.index(word) if word and word in names else known
        if known is not None:
            constant = PIECE_NAMES[known].upper()
            raise TypeError(f"piece type {quote(kind)}: expected xiangqi.{constant}")
    if not hasattr(kind, "__index__"):
        raise TypeError(f"piece type {quote(kind)}: expected one of xiangqi.KING to xiangqi.PAWN")
    number = index(kind)
    if number not in PIECE_TYPES:
        raise ValueError(f"invalid piece type {number}: expected {KING} to {PAWN}")
    return number


Script: TypeAlias = Literal["traditional", "simplified"]

_CHARACTERS: Final[dict[Script, dict[Color, str]]] = {
    "traditional": {RED: "帥仕相傌俥炮兵", BLACK: "將士象馬車砲卒"},
    "simplified": {RED: "帅仕相马车炮兵", BLACK: "将士象马车炮卒"},
}
_UNICODE_SYMBOLS: Final[dict[Color, str]] = {RED: "🩠🩡🩢🩣🩤🩥🩦", BLACK: "🩧🩨🩩🩪🩫🩬🩭"}

_TYPE_OF_LETTER: Final[dict[str, PieceType]] = {
    **dict(zip(PIECE_LETTERS, PIECE_TYPES, strict=True)),
    "E": BISHOP,
    "H": KNIGHT,
}

_COLOR_BIT: Final = 3


def piece_name(piece_type: PieceType) -> str:
    """Name of a piece type in engines and in this code; :meth:`Piece.term` is that among players.

    >>> piece_name(KNIGHT)
    'knight'
    """
    return PIECE_NAMES[piece_type]


@dataclass(frozen=True, slots=True, repr=False)
class Piece:
    """Piece of a type and a colour.

    >>> Piece(ROOK, RED)
    Piece.from_symbol('R')
    """

    piece_type: PieceType
    color: Color

    def __post_init__(self) -> None:
        require_piece_type(self.piece_type)
        require_color(self.color)

    @classmethod
    def from_symbol(cls, symbol: str) -> Piece:
        """Piece of a FEN letter, upper case for Red; E is read as B, and H as N.

        >>> Piece.from_symbol("h") == Piece(KNIGHT, BLACK)
        True
        >>> Piece.from_symbol("q")  # doctest: +NORMALIZE_WHITESPACE
        Traceback (most recent call last):
        xiangqi.ground.errors.InvalidPieceError: invalid piece 'q': expected one of
            KABNRCPEHkabnrcpeh
        """
        piece = _PIECE_OF_SYMBOL.get(symbol)
        if piece is None:
            raise InvalidPieceError(
                symbol, Fact("piece.letters", letters="".join(_PIECE_OF_SYMBOL))
            )
        return piece

    @classmethod
    def from_code(cls, code: int) -> Piece:
        """Piece with this :attr:`code`.

        >>> Piece.from_code(13)
        Piece.from_symbol('R')
        """
        piece = _PIECE_OF_CODE.get(code)
        if piece is None:
            raise ValueError(f"invalid piece code {code!r}: expected 1 to 7 or 9 to 15")
        return piece

    @property
    def code(self) -> int:
        """Code of the piece: its type, plus 8 for Red; 0 is an empty square.

        >>> Piece(KING, BLACK).code, Piece(KING, RED).code
        (1, 9)
        """
        return self.piece_type | self.color << _COLOR_BIT

    def symbol(self) -> str:
        """FEN letter, upper case for Red.

        >>> Piece(KNIGHT, RED).symbol(), Piece(KNIGHT, BLACK).symbol()
        ('N', 'n')
        """
        letter = PIECE_LETTERS[self.piece_type - 1]
        return letter if self.color == RED else letter.lower()

    def name(self) -> str:
        """Colour and name of the piece, as xiangqi players say.

        >>> Piece(BISHOP, RED).name()
        'red elephant'
        """
        return f"{COLOR_NAMES[self.color]} {self.term()}"

    def say(self, language: Language) -> str:
        """Colour and name in a language: red elephant, 红相.

        >>> Piece(BISHOP, RED).say("zh")
        '红相'
        """
        return say(language, f"piece_{COLOR_NAMES[self.color]}", kind=self.say_kind(language))

    def say_kind(self, language: Language) -> str:
        """Name of the piece type in a language: elephant, 相."""
        return say(language, f"kind_{COLOR_NAMES[self.color]}_{self.term()}")

    def term(self) -> str:
        """Name of the piece type, as xiangqi players say.

        >>> Piece(BISHOP, RED).term()
        'elephant'
        """
        return PIECE_TERMS[self.piece_type]

    def chinese(self, script: Script = "traditional") -> str:
        """Character on the piece.

        >>> Piece(CANNON, RED).chinese(), Piece(CANNON, BLACK).chinese()
        ('炮', '砲')
        >>> Piece(CANNON, BLACK).chinese("simplified")
        '炮'
        """
        return _CHARACTERS[script][self.color][self.piece_type - 1]

    def unicode_symbol(self) -> str:
        """Symbol of the Unicode block "Chess Symbols", U+1FA60 to U+1FA6D.

        Few fonts have these symbols; :meth:`chinese` is safer for display.

        >>> f"U+{ord(Piece(KING, RED).unicode_symbol()):X}"
        'U+1FA60'
        """
        return _UNICODE_SYMBOLS[self.color][self.piece_type - 1]

    def __repr__(self) -> str:
        return f"Piece.from_symbol({self.symbol()!r})"

    def __str__(self) -> str:
        return self.symbol()


_PIECE_OF_CODE: Final[dict[int, Piece]] = {
    piece.code: piece for piece in (Piece(kind, color) for color in COLORS for kind in PIECE_TYPES)
}

_PIECE_OF_SYMBOL: Final[dict[str, Piece]] = {
    **{letter: Piece(kind, RED) for letter, kind in _TYPE_OF_LETTER.items()},
    **{letter.lower(): Piece(kind, BLACK) for letter, kind in _TYPE_OF_LETTER.items()},
}

# Squares

Square: TypeAlias = int

FILE_NAMES: Final = "abcdefghi"
RANK_NAMES: Final = "0123456789"

SQUARES: Final = range(len(FILE_NAMES) * len(RANK_NAMES))
SQUARE_NAMES: Final = tuple(file + rank for rank in RANK_NAMES for file in FILE_NAMES)
_SQUARE_OF_NAME: Final[dict[str, Square]] = {name: sq for sq, name in enumerate(SQUARE_NAMES)}


def require_square(square: object) -> Square:
    """Return a square; raise TypeError, which names the constant, for what is no number, and
    ValueError for any other number.

    >>> require_square("e2")
    Traceback (most recent call last):
    TypeError: square 'e2': expected xiangqi.E2
    """
    if not hasattr(square, "__index__"):
        known = isinstance(square, str) and square.lower() in _SQUARE_OF_NAME
        constant = f"xiangqi.{str(square).upper()}" if known else "xiangqi.A0 to xiangqi.I9"
        raise TypeError(f"square {quote(square)}: expected {constant}")
    number = index(square)
    if number not in SQUARES:
        raise ValueError(f"invalid square {square!r}: expected 0 to {SQUARES[-1]}")
    return number


def square(file: int, rank: int) -> Square:
    """Square of a file (0 to 8) and a rank (0 to 9).

    >>> square(4, 9) == parse_square("e9")
    True
    """
    return rank * 9 + file


def square_file(square: Square) -> int:
    """File of a square, 0 for file a.

    >>> square_file(parse_square("c7"))
    2
    """
    return square % 9


def square_rank(square: Square) -> int:
    """Rank of a square, 0 for Red's back rank.

    >>> square_rank(parse_square("c7"))
    7
    """
    return square // 9


def square_distance(one: Square, other: Square) -> int:
    """Distance of two squares in files or in ranks, whichever is greater.

    >>> square_distance(parse_square("b2"), parse_square("e9"))
    7
    """
    return max(
        abs(square_file(one) - square_file(other)), abs(square_rank(one) - square_rank(other))
    )


def square_name(square: Square) -> str:
    """Name of a square.

    >>> square_name(4)
    'e0'
    """
    return SQUARE_NAMES[square]


def parse_square(text: str) -> Square:
    """Parse the name of a square, the inverse of :func:`square_name`.

    >>> parse_square("b2")
    19
    >>> parse_square("k4")  # doctest: +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
    xiangqi.ground.errors.InvalidSquareError: invalid square 'k4': expected a file a-i and a rank
        0-9
    """
    found = _SQUARE_OF_NAME.get(text)
    if found is None:
        raise InvalidSquareError(text, Fact("square.form"))
    return found


def square_mirror(square: Square) -> Square:
    """Mirror a square left to right: file a becomes file i, the rank is kept.

    >>> square_name(square_mirror(parse_square("b2")))
    'h2'
    """
    return square + 8 - 2 * square_file(square)


def square_flip(square: Square) -> Square:
    """Turn the board over: rank 0 becomes rank 9, the file is kept.

    With the colours exchanged as well, this gives the same position for the other side.

    >>> square_name(square_flip(parse_square("b2")))
    'b7'
    """
    return square + 9 * (9 - 2 * square_rank(square))
