"""Board with moves in every notation, rulings, and mirrored copies.

The referee is imported at first use, since many programs only play moves.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final, Literal, NoReturn, TypeAlias

from xiangqi.board.placing import PlacingBoard
from xiangqi.core.move import Move
from xiangqi.ground.errors import require_str
from xiangqi.ground.errors.absent import HintingType, missing_name
from xiangqi.pieces import BLACK, SQUARES, Piece, Square, square_flip, square_mirror
from xiangqi.pieces.fen import STARTING_FEN, Setup
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Self

    from xiangqi.notation import RankBase, WxfStyle
    from xiangqi.referee.judging import Ruling
    from xiangqi.referee.outcome import Outcome

__all__ = ["Board", "Notation", "PlayingBoard"]

Notation: TypeAlias = Literal["iccs", "wxf", "vietnamese", "chinese", "san"]


class PlayingBoard(PlacingBoard, metaclass=HintingType):
    """A position and its moves."""

    __slots__ = ()
    _COUNTERPART = "chess.Board"

    # Move generation

    @property
    def pseudo_legal_moves(self) -> list[Move]:
        """Pseudo-legal moves: moves that may leave the own general in check."""
        return self.list_moves("pseudo_legal")

    def generate_legal_moves(
        self, origins: Container[Square] = SQUARES, targets: Container[Square] = SQUARES
    ) -> Iterator[Move]:
        """Generate the legal moves from ``origins`` to ``targets``."""
        return _between(self.list_moves(), origins, targets)

    def generate_legal_captures(
        self, origins: Container[Square] = SQUARES, targets: Container[Square] = SQUARES
    ) -> Iterator[Move]:
        """Generate the legal captures from ``origins`` to ``targets``.

        >>> from xiangqi import Board
        >>> list(Board().generate_legal_captures())
        [Move.from_iccs('b2b9'), Move.from_iccs('h2h9')]
        """
        return _between(self.list_moves("captures"), origins, targets)

    def generate_pseudo_legal_moves(
        self, origins: Container[Square] = SQUARES, targets: Container[Square] = SQUARES
    ) -> Iterator[Move]:
        """Generate pseudo-legal moves, which may leave the own general in check."""
        return _between(self.list_moves("pseudo_legal"), origins, targets)

    def generate_pseudo_legal_captures(
        self, origins: Container[Square] = SQUARES, targets: Container[Square] = SQUARES
    ) -> Iterator[Move]:
        """Generate pseudo-legal captures, which may leave the own general in check."""
        moves = self.generate_pseudo_legal_moves(origins, targets)
        return (move for move in moves if self.is_capture(move))

    def find_move(self, from_square: Square, to_square: Square) -> Move:
        """Return the move between two squares; IllegalMoveError if it is not legal."""
        move = Move(from_square, to_square)
        self.require_legal(move)
        return move

    def is_into_check(self, move: Move) -> bool:
        """Is this a pseudo-legal move that leaves its own general in check?"""
        return self.is_pseudo_legal(move) and not self.is_legal(move)

    def is_repetition(self, count: int = 3) -> bool:
        """Has the position occurred at least ``count`` times in the game, the present one included?

        The result is that of :meth:`outcome`: under most rule sets it depends on both sides'
        conduct.
        """
        return self.repetitions() >= count

    # Notations

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

        ``style`` decides where styles contradict each other. Raises InvalidMoveError,
        IllegalMoveError, or AmbiguousMoveError, which lists the possible moves.
        """
        from xiangqi.notation import parse_wxf

        return parse_wxf(self, text, style)

    def push_wxf(self, text: str, style: WxfStyle | None = None) -> Move:
        """Play a move in WXF notation and return it; errors are those of :meth:`parse_wxf`."""
        return self._play(self.parse_wxf(text, style))

    def parse_vietnamese(self, text: str) -> Move:
        """Parse a move in Vietnamese notation; errors are those of
        :func:`~xiangqi.notation.parse_vietnamese`.

        >>> Board().parse_vietnamese("Pháo 2 bình 5")
        Move.from_iccs('h2e2')
        """
        from xiangqi.notation import parse_vietnamese

        return parse_vietnamese(self, text)

    def push_vietnamese(self, text: str) -> Move:
        """Play a move in Vietnamese notation and return it; errors as :meth:`parse_vietnamese`."""
        return self._play(self.parse_vietnamese(text))

    def vietnamese(self, move: Move) -> str:
        """Write a legal move in Vietnamese notation; raises IllegalMoveError.

        >>> from xiangqi import Board
        >>> Board().vietnamese(Move.from_iccs("h2e2"))
        'P2-5'
        """
        from xiangqi.notation import format_vietnamese

        return format_vietnamese(self, move)

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

        Raises InvalidMoveError, IllegalMoveError, or AmbiguousMoveError, which lists the possible
        moves.
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

        A text in another notation is read like :meth:`parse_move`, with that number. Raises
        InvalidMoveError, IllegalMoveError or AmbiguousMoveError.

        >>> from xiangqi import Board
        >>> {Board().parse_san(text) for text in ("Che2", "C2.5", "炮二平五", "h2e2")}
        {Move.from_iccs('h2e2')}
        """
        from xiangqi.notation import (
            is_chinese,
            is_coordinates,
            is_san,
            is_wxf,
            parse_move,
            parse_san,
        )

        require_str(text, "a move")
        is_other = is_coordinates(text) or (not is_san(text) and (is_wxf(text) or is_chinese(text)))
        if is_other:
            return parse_move(self, text, rank_base=rank_base)
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

        Ranks count from 0. Raises InvalidMoveError, IllegalMoveError or AmbiguousMoveError.
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
        """Write a line of play from this position, with move numbers; raises IllegalMoveError.

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
        """Write a line of play in short algebraic notation; raises IllegalMoveError."""
        return self.variation(moves, "san")

    def _play(self, move: Move) -> Move:
        self.push_unchecked(move)
        return move

    if not TYPE_CHECKING:  # with it, type checkers would accept any attribute

        def __getattr__(self, name: str) -> NoReturn:
            raise missing_name(self._COUNTERPART, f"{type(self).__name__!r} object", name, self)


def _between(
    moves: Iterable[Move], origins: Container[Square], targets: Container[Square]
) -> Iterator[Move]:
    return (move for move in moves if move.from_square in origins and move.to_square in targets)


_WRITERS: Final[Mapping[str, Callable[[PlayingBoard, Move], str]]] = {
    "iccs": PlayingBoard.iccs,
    "wxf": PlayingBoard.wxf,
    "vietnamese": PlayingBoard.vietnamese,
    "chinese": PlayingBoard.chinese,
    "san": PlayingBoard.san,
}


class Board(PlayingBoard):
    """A Xiangqi position with the moves that led to it.

    >>> board = Board()
    >>> board.push_iccs("h2e2")
    Move.from_iccs('h2e2')
    >>> board.legal_moves.count()
    45
    >>> print(board)
    9 r n b a k a b n r
    8 . . . . . . . . .
    7 . c . . . . . c .
    6 p . p . p . p . p
    5 . . . . . . . . .
    4 . . . . . . . . .
    3 P . P . P . P . P
    2 . C . . C . . . .
    1 . . . . . . . . .
    0 R N B A K A B N R
      a b c d e f g h i

    ``fen`` is text or a :class:`~xiangqi.pieces.fen.Setup`; None gives an empty board, which is an
    impossible position. Raises FenError if the text cannot be parsed, and PositionError, which
    lists all problems, if the position is impossible.

    Methods with a parameter ``rules`` take a rule set or its name; for an unknown name they raise
    RuleSetError, which lists the names.
    """

    __slots__ = ()

    def __init__(self, fen: str | Setup | None = STARTING_FEN) -> None:
        super().__init__(STARTING_FEN if fen is None else fen)
        if fen is None:
            self.clear()

    # Endings

    def is_checkmate(self) -> bool:
        """Is the side to move in check without a legal move?"""
        return self.is_check() and not self.has_legal_move()

    def is_stalemate(self) -> bool:
        """Is the side to move without a legal move, and not in check? It has lost."""
        return not self.is_check() and not self.has_legal_move()

    def judge(self, rules: RuleSet | str = WXF) -> Ruling:
        """Rule on the current position: each side's conduct in the cycle, and which must change."""
        from xiangqi.referee.judging import Referee

        return Referee(rules).judge(self)

    def outcome(self, rules: RuleSet | str = WXF) -> Outcome | None:
        """Outcome of the game; None if it is not over.

        Mate and stalemate take precedence, then a repetition, then the rule set's draws: its limits
        of plies, and no attacking piece left on either side.
        """
        from xiangqi.referee.outcome import find_outcome

        return find_outcome(self, find_rule_set(rules))

    def is_game_over(self, rules: RuleSet | str = WXF) -> bool:
        """Is the game over under this rule set?"""
        return self.outcome(rules) is not None

    def result(self, rules: RuleSet | str = WXF) -> str:
        """Result as in PGN: ``1-0``, ``0-1``, ``1/2-1/2``, or ``*`` if the game is not over."""
        outcome = self.outcome(rules)
        return "*" if outcome is None else outcome.result()

    # Moves under a rule set

    def barred_moves(self, rules: RuleSet | str = WXF) -> list[Move]:
        """Legal moves that a rule set bars, because of the positions that they repeat.

        :attr:`legal_moves` does not depend on the rule set, and :meth:`push` accepts all of them.
        Most rule sets bar no move: they rule on a repetition once it has occurred.

        >>> from xiangqi import RULE_SETS
        >>> board = Board("3k5/9/9/9/9/9/9/9/R8/5K3 w")
        >>> for move in "a1a2 d9d8 a2a1".split():
        ...     _ = board.push_iccs(move)
        >>> board.barred_moves(RULE_SETS["superko-situational"])
        [Move.from_iccs('d8d9')]
        """
        from xiangqi.referee.outcome import barred_moves

        return barred_moves(self, find_rule_set(rules))

    def allowed_moves(self, rules: RuleSet | str = WXF) -> list[Move]:
        """Legal moves that a rule set does not bar; a side that has none has lost."""
        barred = self.barred_moves(rules)
        return [move for move in self.list_moves() if move not in barred]

    def is_allowed(self, move: Move, rules: RuleSet | str = WXF) -> bool:
        """Is this a legal move that the rule set does not bar?"""
        from xiangqi.referee.outcome import is_barred

        return self.is_legal(move) and not is_barred(self, move, find_rule_set(rules))

    # Perft

    def divide(self, depth: int) -> dict[Move, int]:
        """Perft count of each legal move, to find where two move generators differ."""
        return dict(self.iter_divide(depth))

    def iter_divide(self, depth: int) -> Iterator[tuple[Move, int]]:
        """Yield the counts of :meth:`divide` one by one."""
        if depth < 1:
            raise ValueError(f"invalid depth {depth}: expected 1 or more")
        work = self.copy()
        for move in self.legal_moves:
            work.push(move)
            yield move, work.perft(depth - 1)
            work.pop()

    # Arrays for neural networks

    def planes(self, *, relative: bool = False) -> NDArray[np.uint8]:
        """Input planes of the position, as made by :func:`xiangqi.board.arrays.planes`: a uint8
        array of shape [15, 10, 9]; needs NumPy.

        >>> Board().planes()[4].sum(axis=1)  # Red's chariots, rank by rank
        array([2, 0, 0, 0, 0, 0, 0, 0, 0, 0], dtype=uint64)
        """
        from xiangqi.board.arrays import planes

        return planes(self, relative=relative)[0]  # type: ignore[no-any-return]

    def legal_mask(self, *, relative: bool = False) -> NDArray[np.bool_]:
        """Mask of the legal moves among the 2086 of :func:`xiangqi.board.arrays.policy_index`: a
        bool array; needs NumPy."""
        from xiangqi.board.arrays import legal_masks

        return legal_masks(self, relative=relative)[0]  # type: ignore[no-any-return]

    # Transformed copies

    def root(self) -> Self:
        """New board with the position before the first move, and no moves."""
        return type(self)(self.root_setup())

    def mirror(self) -> Self:
        """Mirrored copy: left and right exchanged, in the moves as well."""
        return self._transform(square_mirror, recolor=False)

    def flip_colors(self) -> Self:
        """Copy with the colours exchanged and the board turned over, moves included."""
        return self._transform(square_flip, recolor=True)

    def _transform(self, transform: Callable[[Square], Square], *, recolor: bool) -> Self:
        root = self.root_setup()
        pieces = {
            transform(square): Piece(piece.piece_type, piece.color != recolor)
            for square, piece in root.piece_map().items()
        }
        other = type(self)(
            Setup.from_piece_map(
                pieces, root.turn != recolor, root.halfmove_clock, root.fullmove_number
            )
        )
        for move in self.move_stack:
            other.push(Move(transform(move.from_square), transform(move.to_square)))
        return other

    # Diagrams

    def _repr_svg_(self) -> str:
        from xiangqi.drawing.svg import board_svg

        last = (self.peek().from_square, self.peek().to_square) if self.ply() else None
        check = self.king(self.turn) if self.is_check() else None
        return board_svg(self.setup(), lastmove=last, check=check)
