"""Moves on a board: listing them, reading and writing them, playing them.

The notations are imported at first use: programs that speak coordinates need none.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, Literal, NoReturn, TypeAlias

from xiangqi.board.placing import PlacingBoard
from xiangqi.core.move import Move
from xiangqi.pieces import BLACK, SQUARES, Square

if TYPE_CHECKING:
    from xiangqi.notation import RankBase, WxfStyle

__all__ = ["ABSENT", "Notation", "PlayingBoard"]

Notation: TypeAlias = Literal["iccs", "wxf", "chinese", "san"]

_UCI: Final = (
    "UCI engines count ranks from 0 or from 1; push_iccs, parse_iccs and iccs count from 0"
)
_CLAIM: Final = "nothing is claimed: outcome(rules) tells what the rule set makes of the game"
ABSENT: Final = {
    "push_uci": _UCI,
    "parse_uci": _UCI,
    "uci": _UCI,
    "push_xboard": _UCI,
    "parse_xboard": _UCI,
    "lan": "san writes short algebraic notation, iccs coordinates",
    "can_claim_draw": _CLAIM,
    "can_claim_threefold_repetition": _CLAIM,
    "can_claim_fifty_moves": _CLAIM,
    "is_fifty_moves": _CLAIM,
    "is_seventyfive_moves": _CLAIM,
    "is_fivefold_repetition": "is_repetition(5)",
    "is_insufficient_material": "can_anyone_attack() tells whether a piece is left that can",
    "has_insufficient_material": "can_anyone_attack() tells whether a piece is left that can",
    "is_zeroing": "is_capture(move): nothing else sets the counter back",
    "is_irreversible": "is_capture(move): nothing else cannot be taken back",
    "was_into_check": "no move that leaves the own general in check can be played",
    "pin": "a piece may be held by a chariot, a cannon, a horse or a general at once: is_pinned",
    "occupied": "piece_map() or pieces(piece_type, color)",
    "chess960_pos": "the pieces begin on their squares",
    "castling_rights": "nobody castles",
    "is_castling": "nobody castles",
    "has_castling_rights": "nobody castles",
    "ep_square": "soldiers take ahead and sideways",
    "is_en_passant": "soldiers take ahead and sideways",
    "promoted": "soldiers stay soldiers",
}
"""What python-chess's board has and this one has not, with the reason or what stands for it."""


class PlayingBoard(PlacingBoard):
    """A position and its moves."""

    __slots__ = ()

    # Listing

    @property
    def pseudo_legal_moves(self) -> list[Move]:
        """The moves of the pieces, the safety of the own general aside."""
        return self.list_moves("pseudo_legal")

    def generate_legal_moves(
        self, origins: Container[Square] = SQUARES, targets: Container[Square] = SQUARES
    ) -> Iterator[Move]:
        """The legal moves from some squares to some squares."""
        return _between(self.list_moves(), origins, targets)

    def generate_legal_captures(
        self, origins: Container[Square] = SQUARES, targets: Container[Square] = SQUARES
    ) -> Iterator[Move]:
        """The legal captures from some squares to some squares.

        >>> from xiangqi import Board
        >>> list(Board().generate_legal_captures())
        [Move.from_iccs('b2b9'), Move.from_iccs('h2h9')]
        """
        return _between(self.list_moves("captures"), origins, targets)

    def generate_pseudo_legal_moves(
        self, origins: Container[Square] = SQUARES, targets: Container[Square] = SQUARES
    ) -> Iterator[Move]:
        """The moves of the pieces, the safety of the own general aside."""
        return _between(self.list_moves("pseudo_legal"), origins, targets)

    def generate_pseudo_legal_captures(
        self, origins: Container[Square] = SQUARES, targets: Container[Square] = SQUARES
    ) -> Iterator[Move]:
        """The captures of the pieces, the safety of the own general aside."""
        moves = self.generate_pseudo_legal_moves(origins, targets)
        return (move for move in moves if self.is_capture(move))

    def find_move(self, from_square: Square, to_square: Square) -> Move:
        """The legal move between two squares; raises IllegalMoveError."""
        move = Move(from_square, to_square)
        self.require_legal(move)
        return move

    def is_into_check(self, move: Move) -> bool:
        """Does this move of a piece leave its own general in check?"""
        return self.is_pseudo_legal(move) and not self.is_legal(move)

    def is_repetition(self, count: int = 3) -> bool:
        """Has the position occurred this often on this board, now included?

        :meth:`outcome` gives the result, which under most rule sets depends on both sides' conduct.
        """
        return self.repetitions() >= count

    # Reading, writing, playing

    def parse_iccs(self, text: str) -> Move:
        """Read coordinates as a legal move; raises InvalidMoveError or IllegalMoveError."""
        move = Move.from_iccs(text)
        self.require_legal(move)
        return move

    def iccs(self, move: Move) -> str:
        """Write a legal move as coordinates; raises IllegalMoveError."""
        self.require_legal(move)
        return move.iccs()

    def parse_wxf(self, text: str, style: WxfStyle | None = None) -> Move:
        """Read WXF notation (``C2.5``) in any style as a legal move.

        Where styles contradict each other that of ``style`` holds. Raises InvalidMoveError,
        IllegalMoveError, or AmbiguousMoveError, which lists the moves that may be meant.
        """
        from xiangqi.notation import parse_wxf

        return parse_wxf(self, text, style)

    def push_wxf(self, text: str, style: WxfStyle | None = None) -> Move:
        """Play a move in WXF notation and return it; errors are those of :meth:`parse_wxf`."""
        return self._play(self.parse_wxf(text, style))

    def wxf(self, move: Move, style: WxfStyle = "wxf") -> str:
        """Write a legal move in WXF notation; raises IllegalMoveError.

        >>> from xiangqi import Board
        >>> Board().wxf(Move.from_iccs("h0g2"))
        'H2+3'
        """
        from xiangqi.notation import format_wxf

        return format_wxf(self, move, style)

    def parse_chinese(self, text: str) -> Move:
        """Read Chinese notation in either script as a legal move.

        Raises InvalidMoveError, IllegalMoveError, or AmbiguousMoveError, which lists the moves
        that may be meant.
        """
        from xiangqi.notation import parse_chinese

        return parse_chinese(self, text)

    def push_chinese(self, text: str) -> Move:
        """Play a move in Chinese notation and return it; errors are those of
        :meth:`parse_chinese`."""
        return self._play(self.parse_chinese(text))

    def chinese(self, move: Move, *, traditional: bool = False) -> str:
        """Write a legal move in Chinese notation; raises IllegalMoveError.

        >>> from xiangqi import Board
        >>> Board().chinese(Move.from_iccs("h0g2"))
        '马二进三'
        """
        from xiangqi.notation import format_chinese

        return format_chinese(self, move, traditional=traditional)

    def parse_san(self, text: str, rank_base: RankBase = 0) -> Move:
        """Read short algebraic notation (``Che2``) as a legal move; ``rank_base`` is the number of
        Red's back rank.

        Raises InvalidMoveError, IllegalMoveError or AmbiguousMoveError.
        """
        from xiangqi.notation import parse_san

        return parse_san(self, text, rank_base)

    def push_san(self, text: str, rank_base: RankBase = 0) -> Move:
        """Play a move in short algebraic notation and return it; errors are those of
        :meth:`parse_san`."""
        return self._play(self.parse_san(text, rank_base))

    def san(self, move: Move, rank_base: RankBase = 0) -> str:
        """Write a legal move in short algebraic notation; ``rank_base`` is the number of Red's back
        rank. Raises IllegalMoveError.

        >>> from xiangqi import Board
        >>> Board().san(Move.from_iccs("h2e2")), Board().san(Move.from_iccs("h2e2"), 1)
        ('Che2', 'Che3')
        """
        from xiangqi.notation import format_san

        return format_san(self, move, rank_base)

    def parse_move(self, text: str) -> Move:
        """Read a legal move in coordinates, WXF, Chinese or algebraic notation.

        Ranks count from 0. Raises InvalidMoveError, IllegalMoveError or
        AmbiguousMoveError.
        """
        from xiangqi.notation import parse_move

        return parse_move(self, text)

    def push_move(self, text: str) -> Move:
        """Play a move in any notation and return it; errors are those of :meth:`parse_move`.

        >>> from xiangqi import Board
        >>> board = Board()
        >>> [board.push_move(text).iccs() for text in ("炮二平五", "H8+7", "h0g2")]
        ['h2e2', 'h9g7', 'h0g2']
        """
        return self._play(self.parse_move(text))

    def write(self, move: Move, notation: Notation = "iccs") -> str:
        """Write a legal move in a notation; raises IllegalMoveError."""
        return _WRITERS[notation](self, move)

    def variation(self, moves: Iterable[Move], notation: Notation = "wxf") -> str:
        """A line of play from here, with the numbers of its rounds; raises IllegalMoveError.

        >>> from xiangqi import Board
        >>> board = Board()
        >>> line = [Move.from_iccs(text) for text in ("h2e2", "h9g7", "h0g2")]
        >>> board.variation(line), board.variation(line, "chinese")
        ('1. C2.5 H8+7 2. H2+3', '1. 炮二平五 马８进７ 2. 马二进三')
        """
        work = self.copy(stack=False)
        words = []
        for move in moves:
            if work.turn != BLACK:
                words.append(f"{work.fullmove_number}.")
            elif not words:
                words.append(f"{work.fullmove_number}...")
            words.append(work.write(move, notation))
            work.push(move)
        return " ".join(words)

    def variation_san(self, moves: Iterable[Move]) -> str:
        """A line of play in short algebraic notation; raises IllegalMoveError."""
        return self.variation(moves, "san")

    def _play(self, move: Move) -> Move:
        self.push_unchecked(move)
        return move

    if not TYPE_CHECKING:  # a type checker would take any name for one of a board

        def __getattr__(self, name: str) -> NoReturn:
            reason = f": {ABSENT[name]}" if name in ABSENT else ""
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}{reason}",
                name=name,
                obj=self,
            )


def _between(
    moves: Iterable[Move], origins: Container[Square], targets: Container[Square]
) -> Iterator[Move]:
    return (move for move in moves if move.from_square in origins and move.to_square in targets)


_WRITERS: Final[Mapping[str, Callable[[PlayingBoard, Move], str]]] = {
    "iccs": PlayingBoard.iccs,
    "wxf": PlayingBoard.wxf,
    "chinese": PlayingBoard.chinese,
    "san": PlayingBoard.san,
}
