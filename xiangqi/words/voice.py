"""Language of texts and notation of moves.

A :class:`Voice` is chosen once, by a command or a page, and passed to every function that makes
text. It names moves, pieces and squares; :class:`Rounds` numbers moves.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, cast, get_args

from xiangqi.core.board import CoreBoard
from xiangqi.notation import format_chinese, format_vietnamese, format_wxf, locate_on_file
from xiangqi.pieces import BLACK, COLOR_NAMES, KING, RED, Color, Piece, Square, require_color
from xiangqi.pieces.fen import parse_fen
from xiangqi.texts import Language, say, text_of
from xiangqi.words import enumerate_words, name_piece, name_side

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = [
    "MOVE_NOTATIONS",
    "PAGE_VOICE",
    "PLAIN_VOICE",
    "MoveNotation",
    "Rounds",
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


@dataclass(frozen=True, slots=True)
class Rounds:
    """Move numbers of a game, which continue that of its starting position."""

    first: int = 1
    """Number of the first round."""
    turn: Color = RED
    """Side that moves first. If Black does, the first round has one ply."""

    def __post_init__(self) -> None:
        require_color(self.turn)

    @classmethod
    def from_fen(cls, fen: str) -> Rounds:
        """Move numbers of a game with this starting position. Raises FenError.

        >>> Rounds.from_fen("4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 20")
        Rounds(first=20, turn=False)
        """
        setup = parse_fen(fen)
        return cls(max(setup.fullmove_number, 1), setup.turn)

    def side(self, ply: int) -> Color:
        """Side that plays a ply, counted from 0."""
        return self.turn if ply % 2 == 0 else not self.turn

    def number(self, ply: int) -> int:
        """Round number of a ply, counted from 0.

        >>> [Rounds(20, BLACK).number(ply) for ply in range(4)]
        [20, 21, 21, 22]
        """
        return self.first + (ply + (self.turn == BLACK)) // 2

    def mark(self, ply: int) -> str:
        """Move number before a ply in a list of moves: ``20.``, ``20...``, or nothing.

        >>> [Rounds(20, BLACK).mark(ply) for ply in range(3)]
        ['20...', '21.', '']
        """
        if self.side(ply) == RED:
            return f"{self.number(ply)}."
        return "" if ply else f"{self.number(ply)}..."


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

    def say(self, key: str, **values: object) -> str:
        """Format a sentence of the table."""
        return say(self.language, key, **values)

    def side(self, color: Color) -> str:
        """Name a side."""
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

    def pieces(self, pieces: Iterable[tuple[Square, Piece]], cells: bytes) -> str:
        """Name several pieces as a list."""
        names = [self.say("the", piece=self.piece(one, at, cells)) for at, one in pieces]
        return enumerate_words(self.language, names)

    def place(self, rounds: Rounds, ply: int) -> str:
        """Name the round and side of a ply, counted from 0.

        >>> Voice("en").place(Rounds(), 39), Voice("zh").place(Rounds(), 39)
        ('round 20, Black', '第20回合黑方')
        """
        return self.say("place", round=rounds.number(ply), side=self.side(rounds.side(ply)))

    def moment(self, rounds: Rounds, plies: int) -> str:
        """Name the moment after a number of plies.

        >>> Voice("en").moment(Rounds(), 40), Voice("en").moment(Rounds(), 0)
        ('after round 20, Black', 'in the first position')
        """
        if not plies:
            return self.say("at_first")
        return self.say("after", place=self.place(rounds, plies - 1))


def name_move(board: CoreBoard, move: Move) -> dict[MoveNotation, str]:
    """Name a legal move in each notation. Raises IllegalMoveError."""
    return {notation: Voice(chosen=notation).move(board, move) for notation in MOVE_NOTATIONS}


PLAIN_VOICE: Final = Voice()
"""English with ICCS notation, the default of texts."""
PAGE_VOICE: Final = Voice(with_board=True)
"""English with WXF notation, the default of pages with a board."""
