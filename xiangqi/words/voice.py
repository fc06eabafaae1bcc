"""Language of texts and notation of moves.

A :class:`Voice` is chosen once, by a command or a page, and passed to every function that makes
text. It names moves, pieces and squares, and says a :class:`Phrase`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast, get_args

from xiangqi.core.board import CoreBoard
from xiangqi.ground.texts import Language, say, text_of
from xiangqi.notation import format_chinese, format_vietnamese, format_wxf, locate_on_file
from xiangqi.pieces import COLOR_NAMES, KING, Color, Piece, Square
from xiangqi.words import name_piece, name_side

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = [
    "MOVE_NOTATIONS",
    "PAGE_VOICE",
    "PLAIN_VOICE",
    "MoveNotation",
    "Phrase",
    "Voice",
    "name_move",
]

MoveNotation: TypeAlias = Literal["chinese", "wxf", "vietnamese", "iccs"]
MOVE_NOTATIONS: Final[tuple[MoveNotation, ...]] = get_args(MoveNotation)
"""Notations of moves: 炮二平五, C2.5, P2-5, h2e2."""

_PLACES: Final = {1: ("",), 2: ("front", "rear"), 3: ("front", "middle", "rear")}
"""Names of the pieces of a kind on one file, from front to rear, by their number."""
_COUNTED: Final = ("first", "second", "third", "fourth", "fifth")
"""Names of four or five pieces."""


class Phrase(ABC):
    """Text, or part of one, before a language and a notation are chosen."""

    __slots__ = ()

    def say(self, voice: Voice) -> str:
        """Text in a voice."""
        return self._say(voice)

    @abstractmethod
    def _say(self, voice: Voice) -> str: ...

    def __str__(self) -> str:
        """English text with ICCS notation."""
        return self.say(PLAIN_VOICE)


@dataclass(frozen=True, slots=True)
class Voice:
    """A language and a notation of moves.

    >>> Voice("zh").notation, Voice("zh", "wxf").notation, Voice("en").notation
    ('chinese', 'wxf', 'iccs')
    """

    language: Language = "en"
    chosen: MoveNotation | None = None
    """Requested notation; None for the default of the language."""
    with_board: bool = False
    """Are texts shown beside a board? Some languages then have another default notation."""

    @property
    def notation(self) -> MoveNotation:
        """Notation of moves. Pieces are named by squares in ICCS, otherwise by files."""
        if self.chosen is not None:
            return self.chosen
        usual = "language.page_notation" if self.with_board else "language.notation"
        return cast(MoveNotation, text_of(self.language, usual))

    def say(self, key: str, /, **values: object) -> str:
        """Text with its values filled in: phrases, sides (RED, BLACK), texts and numbers.

        >>> from xiangqi.pieces import RED
        >>> Voice("zh").say("must_change", side=RED)
        '红方变着，不变作负'
        """
        named = {name: self.name(value) for name, value in values.items()}
        return say(self.language, key, **named)

    def name(self, value: object) -> object:
        """Name a phrase or a side; return any other value unchanged."""
        if isinstance(value, Phrase):
            return value.say(self)
        return self.side(value) if isinstance(value, bool) else value

    def side(self, color: Color) -> str:
        return name_side(self.language, color)

    def move(self, board: CoreBoard, move: Move) -> str:
        """Name a legal move in the position of a board. Raises IllegalMoveError.

        >>> from xiangqi.core.move import Move
        >>> Voice("zh").move(CoreBoard(), Move.from_iccs("h2e2"))
        '炮二平五'
        """
        if self.notation == "chinese":
            return format_chinese(board, move)
        if self.notation == "vietnamese":
            return format_vietnamese(board, move)
        return format_wxf(board, move) if self.notation == "wxf" else move.iccs()

    def piece(self, piece: Piece, square: Square, cells: bytes) -> str:
        """Name a piece and its square, or its file, counted from its owner's right.

        ``cells`` is the board, as piece codes, to distinguish pieces on one file.

        >>> cells = CoreBoard().cells()
        >>> for voice in (Voice("en"), Voice("en", "wxf"), Voice("zh")):
        ...     print(voice.piece(Piece.from_symbol("C"), 25, cells))
        red cannon on h2
        red cannon on file 2
        红方二路炮
        """
        if self.notation == "iccs":
            return name_piece(self.language, piece, square)
        side, kind = self.side(piece.color).lower(), piece.say_kind(self.language)
        if piece.piece_type == KING:
            return self.say("general", side=side, piece=kind)
        file, place, size = locate_on_file(cells, square)
        which = _PLACES.get(size, _COUNTED)[place]
        return self.say(
            "on_file",
            side=side,
            piece=kind,
            file=self.say(f"language.numerals_{COLOR_NAMES[piece.color]}")[file - 1],
            place=self.say(f"place_{which}") if which else "",
        )


def name_move(board: CoreBoard, move: Move) -> dict[MoveNotation, str]:
    """Name a legal move in each notation. Raises IllegalMoveError."""
    return {notation: Voice(chosen=notation).move(board, move) for notation in MOVE_NOTATIONS}


PLAIN_VOICE: Final = Voice()
"""English with ICCS notation, the default of texts."""
PAGE_VOICE: Final = Voice(with_board=True)
"""English with WXF notation, the default of pages with a board."""
