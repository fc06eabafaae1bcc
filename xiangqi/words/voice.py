"""Language of rulings and notation of moves.

A :class:`Voice` is chosen once, by a command or a page, and passed to every function that makes
text. It names moves, pieces and squares; a :class:`ScoreSheet` names all moves of a game.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Literal, TypeAlias, get_args

from xiangqi.core.board import CoreBoard
from xiangqi.notation import format_chinese, format_wxf, locate_on_file
from xiangqi.pieces import BLACK, KING, RED, Color, Piece, Square
from xiangqi.words import Language, enumerate_words, name_piece, name_side, say
from xiangqi.words.rounds import Rounds

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = ["MOVE_NOTATIONS", "PAGE_VOICE", "PLAIN_VOICE", "MoveNotation", "ScoreSheet", "Voice"]

MoveNotation: TypeAlias = Literal["chinese", "wxf", "iccs"]
MOVE_NOTATIONS: Final[tuple[MoveNotation, ...]] = get_args(MoveNotation)
"""Notations of moves: 炮二平五, C2.5, h2e2."""

_PLACES: Final = {
    1: ("",),
    2: ("front", "rear"),
    3: ("front", "middle", "rear"),
}
"""Pieces of a kind on one file, from front to rear, by their number; more are counted."""
_COUNTED: Final = ("first", "second", "third", "fourth", "fifth")
_NUMERALS: Final = {RED: "一二三四五六七八九", BLACK: "１２３４５６７８９"}
"""Files in Chinese, as its notation writes them."""


@dataclass(frozen=True, slots=True)
class Voice:
    """A language, and the notation that goes with it unless another one is chosen.

    >>> Voice("zh").notation, Voice("zh", "wxf").notation, Voice("en").notation
    ('chinese', 'wxf', 'iccs')
    """

    language: Language = "en"
    chosen: MoveNotation | None = None
    """The notation that was asked for; None for what is usual: Chinese in Chinese."""
    english: MoveNotation = "iccs"
    """The notation that is usual in English."""

    @property
    def notation(self) -> MoveNotation:
        """Notation of moves. Pieces are named by squares in ICCS, otherwise by files."""
        return self.chosen or (self.english if self.language == "en" else "chinese")

    def say(self, key: str, **values: object) -> str:
        """Fill in a row of the table of sentences."""
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
        return format_wxf(board, move) if self.notation == "wxf" else move.iccs()

    def piece(self, piece: Piece, square: Square, cells: bytes) -> str:
        """Name a piece and its place: the square, or the file as its owner counts.

        ``cells`` are the codes of all pieces, to distinguish two on a file.

        >>> cells = CoreBoard().setup().board
        >>> for voice in (Voice("en"), Voice("en", "wxf"), Voice("zh")):
        ...     print(voice.piece(Piece.from_symbol("C"), 25, cells))
        red cannon on h2
        red cannon on file 2
        红方二路炮
        """
        if self.notation == "iccs":
            return name_piece(self.language, piece, square)
        side, kind = self.side(piece.color).lower(), piece.term()
        if self.language == "zh":
            kind = piece.chinese("simplified")
        if piece.piece_type == KING:
            return self.say("general", side=side, piece=kind)
        file, place, size = locate_on_file(cells, square)
        which = _PLACES.get(size, _COUNTED)[place]
        return self.say(
            "on_file",
            side=side,
            piece=kind,
            file=_NUMERALS[piece.color][file - 1] if self.language == "zh" else file,
            place=self.say(f"place_{which}") if which else "",
        )

    def pieces(self, pieces: Iterable[tuple[Square, Piece]], cells: bytes) -> str:
        """Name some pieces in a row."""
        names = [self.say("the", piece=self.piece(one, at, cells)) for at, one in pieces]
        return enumerate_words(self.language, names)

    def place(self, rounds: Rounds, ply: int) -> str:
        """Name the place of a ply in its game, counted from 0.

        >>> Voice("en").place(Rounds(), 39), Voice("zh").place(Rounds(), 39)
        ('round 20, Black', '第20回合黑方')
        """
        return self.say("place", round=rounds.number(ply), side=self.side(rounds.side(ply)))

    def moment(self, rounds: Rounds, plies: int) -> str:
        """Name the moment when so many plies have been played.

        >>> Voice("en").moment(Rounds(), 40), Voice("en").moment(Rounds(), 0)
        ('after round 20, Black', 'in the first position')
        """
        if not plies:
            return self.say("at_first")
        return self.say("after", place=self.place(rounds, plies - 1))


PLAIN_VOICE: Final = Voice()
"""English, with moves and pieces named by squares: in text where nothing else is asked for."""
PAGE_VOICE: Final = Voice(english="wxf")
"""English, with WXF notation: on pages, whose readers look at a board beside the words."""


class ScoreSheet:
    """The moves of a game as a voice names them, and the places of the pieces between them."""

    def __init__(self, fen: str, moves: Sequence[Move], voice: Voice) -> None:
        self.voice = voice
        self.rounds = Rounds.from_fen(fen)
        self._fen = fen
        self._moves = moves

    @cached_property
    def _positions(self) -> tuple[list[str], list[bytes]]:
        """The names of the moves, and the codes of the pieces before each and after the last."""
        board = CoreBoard(self._fen)
        names, cells = [], [board.setup().board]
        for move in self._moves:
            names.append(self.voice.move(board, move))
            board.push_unchecked(move)
            cells.append(board.setup().board)
        return names, cells

    def move(self, ply: int) -> str:
        """The name of a move, counted from 0."""
        return self._positions[0][ply]

    def place(self, ply: int) -> str:
        """The place of a move in the game, counted from 0."""
        return self.voice.place(self.rounds, ply)

    def cells(self, plies: int) -> bytes:
        """The codes of all pieces after so many moves."""
        return self._positions[1][plies]

    def repeated(self, plies: Sequence[int]) -> str:
        """A move of one side that was played at some plies, with their rounds.

        >>> from xiangqi.core.move import Move
        >>> there, back = Move.from_iccs("a0a1"), Move.from_iccs("a1a0")
        >>> other = Move.from_iccs("i9i8"), Move.from_iccs("i8i9")
        >>> game = ScoreSheet(CoreBoard().fen(), [there, other[0], back, other[1], there], Voice())
        >>> game.repeated([0, 4])
        'a0a1 (rounds 1 and 3)'
        """
        voice = self.voice
        numbers = [str(self.rounds.number(ply)) for ply in plies]
        rounds = enumerate_words(voice.language, numbers)
        key = "in_round" if len(plies) == 1 else "in_rounds"
        return voice.say("repeated", move=self.move(plies[0]), where=voice.say(key, rounds=rounds))

    def __str__(self) -> str:
        """All moves with the numbers of their rounds."""
        marked = ((self.rounds.mark(ply), self.move(ply)) for ply in range(len(self._moves)))
        return " ".join(word for pair in marked for word in pair if word)
