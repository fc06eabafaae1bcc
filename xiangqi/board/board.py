"""The board whole: how the game stands, what a rule set says of it, and other boards.

The referee is imported when it is first needed: many programs only play moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from xiangqi.board.playing import PlayingBoard
from xiangqi.core.move import Move
from xiangqi.fen import STARTING_FEN, Setup
from xiangqi.pieces import Piece, Square, square_flip, square_mirror
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Self

    from xiangqi.referee.judging import Ruling
    from xiangqi.referee.outcome import Outcome

__all__ = ["Board"]


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

    ``fen`` is text or a :class:`~xiangqi.fen.Setup`. Raises FenError if the text cannot be read
    and PositionError, which names all problems at once, if the position is impossible.

    Methods with ``rules`` take a rule set or the name of one; RuleSetError tells the names.
    """

    __slots__ = ()

    def __init__(self, fen: str | Setup = STARTING_FEN) -> None:
        super().__init__(fen)

    # How the game stands

    def is_checkmate(self) -> bool:
        """Is the side to move in check without a legal move?"""
        return self.is_check() and not self.has_legal_move()

    def is_stalemate(self) -> bool:
        """Has the side to move no legal move though it is not in check? It has lost."""
        return not self.is_check() and not self.has_legal_move()

    def judge(self, rules: RuleSet | str = WXF) -> Ruling:
        """Rule on the present position: who did what in the cycle, and who must change."""
        from xiangqi.referee.judging import Referee

        return Referee(rules).judge(self)

    def outcome(self, rules: RuleSet | str = WXF) -> Outcome | None:
        """Outcome of the game, or None while it goes on.

        Mate and stalemate come first, then a repetition under the rule set, then its draws: the
        limit of plies without a capture, and no attacking piece left on either side.
        """
        from xiangqi.referee.outcome import find_outcome

        return find_outcome(self, find_rule_set(rules))

    def is_game_over(self, rules: RuleSet | str = WXF) -> bool:
        """Has the game ended under these rules?"""
        return self.outcome(rules) is not None

    def result(self, rules: RuleSet | str = WXF) -> str:
        """The result as records write it; ``*`` while the game goes on."""
        outcome = self.outcome(rules)
        return "*" if outcome is None else outcome.result()

    # Moves under a rule set

    def barred_moves(self, rules: RuleSet | str = WXF) -> list[Move]:
        """The legal moves that a rule set bars, because of the positions that they bring back.

        :attr:`legal_moves` are the moves of the pieces, whatever the rule set; :meth:`push` takes
        them all. Most rule sets bar none: they rule on a repetition when it is there.

        >>> from xiangqi import RULE_SETS
        >>> board = Board("3k5/9/9/9/9/9/9/9/R8/5K3 w")
        >>> for move in "a1a2 d9d8 a2a1".split():
        ...     _ = board.push_iccs(move)
        >>> board.barred_moves(RULE_SETS["superko-situational"])
        [Move.from_iccs('d8d9')]
        """
        from xiangqi.referee.barring import barred_moves

        return barred_moves(self, find_rule_set(rules))

    def allowed_moves(self, rules: RuleSet | str = WXF) -> list[Move]:
        """The legal moves that a rule set does not bar. Where there is none, the game is lost."""
        barred = self.barred_moves(rules)
        return [move for move in self.list_moves() if move not in barred]

    def is_allowed(self, move: Move, rules: RuleSet | str = WXF) -> bool:
        """Is this a legal move, and not barred?"""
        from xiangqi.referee.barring import is_barred

        return self.is_legal(move) and not is_barred(self, move, find_rule_set(rules))

    # Counting

    def divide(self, depth: int) -> dict[Move, int]:
        """The perft count behind each legal move, to find where two generators differ."""
        return dict(self.iter_divide(depth))

    def iter_divide(self, depth: int) -> Iterator[tuple[Move, int]]:
        """The counts of :meth:`divide`, each as soon as it is known."""
        if depth < 1:
            raise ValueError(f"invalid depth {depth}: expected 1 or more")
        work = self.copy()
        for move in self.legal_moves:
            work.push(move)
            yield move, work.perft(depth - 1)
            work.pop()

    # For those who train networks

    def planes(self, *, relative: bool = False) -> NDArray[np.uint8]:
        """The position as ones and zeros: an array of the shape [15, 10, 9] and type uint8, as
        :func:`xiangqi.arrays.planes` has it; needs NumPy.

        >>> Board().planes()[4].sum(axis=1)  # Red's chariots, rank by rank
        array([2, 0, 0, 0, 0, 0, 0, 0, 0, 0], dtype=uint64)
        """
        from xiangqi.arrays import planes  # which loads what evaluates

        return planes(self, relative=relative)[0]  # type: ignore[no-any-return]

    def legal_mask(self, *, relative: bool = False) -> NDArray[np.bool_]:
        """Mask of the legal moves among the 2086 of :func:`xiangqi.arrays.policy_index`.

        An array of type bool; needs NumPy."""
        from xiangqi.arrays import legal_masks

        return legal_masks(self, relative=relative)[0]  # type: ignore[no-any-return]

    # Other boards

    def root(self) -> Self:
        """A board of its own with the position before the first move."""
        return type(self)(self.root_setup())

    def mirror(self) -> Self:
        """The game as seen in a mirror: left and right exchanged, moves included."""
        return self._transform(square_mirror, recolor=False)

    def flip_colors(self) -> Self:
        """The same game with the sides exchanged: the board turned over, moves included."""
        return self._transform(square_flip, recolor=True)

    def _transform(self, place: Callable[[Square], Square], *, recolor: bool) -> Self:
        root = self.root_setup()
        pieces = {
            place(square): Piece(piece.piece_type, piece.color != recolor)
            for square, piece in root.piece_map().items()
        }
        other = type(self)(
            Setup.from_piece_map(
                pieces, root.turn != recolor, root.halfmove_clock, root.fullmove_number
            )
        )
        for move in self.move_stack:
            other.push(Move(place(move.from_square), place(move.to_square)))
        return other

    # Pictures

    def _repr_svg_(self) -> str:
        from xiangqi.drawing.svg import board_svg  # drawing is loaded by who draws

        last = (self.peek().from_square, self.peek().to_square) if self.ply() else None
        check = self.king(self.turn) if self.is_check() else None
        return board_svg(self.setup(), lastmove=last, check=check)
