"""All that one move did, whatever a reading of the rules makes of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KING, KNIGHT, PAWN, ROOK, Square
from xiangqi.referee.cxa.finder import GAIN, Finder, taken_off
from xiangqi.referee.cxa.gains import Gain, find_exchanges, find_gains, kind_at
from xiangqi.referee.cxa.quiet import find_quiet_mark, lies_between
from xiangqi.referee.cxa.roots import is_single
from xiangqi.referee.ruling import Mark

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Facts", "Threatened", "find_facts"]

_LEAST_RISE: Final = 10
"""By less, two scores are alike: what a soldier is beside other pieces is less."""
_STOOD: Final = -1
"""A threat from this score on stood before: a piece for a piece. One that would have cost a piece
for a soldier did not."""


@dataclass(frozen=True, slots=True)
class Threatened:
    """A gain after a move, and what else bears on whether the move is a chase."""

    gain: Gain
    is_single: bool
    """Does it take one piece alone?"""
    before: int | None
    """The best score of the same piece against the same victim before the move; None if that
    threat was not even."""
    was_possible: bool
    """Could that piece already make the capture before the move?"""
    takes_part: bool
    """Does the moved piece win or help to win it?"""
    is_own_doing: bool
    """Did the enemy's last move, not this one, make it?"""
    by_the_way: bool
    """Are advisors and elephants all that it wins, while the one attacking piece of its side holds
    off a loss (26.2)?"""

    @property
    def has_risen(self) -> bool:
        """Is it more than it was before?"""
        return self.before is None or self.before < self.gain.line.score - _LEAST_RISE

    @property
    def stood(self) -> bool:
        """Could it be carried out before, a piece for a piece at least?"""
        return self.before is not None and self.before >= _STOOD


@dataclass(frozen=True, slots=True)
class Facts:
    """What a move did, as far as the rules ask."""

    is_check: bool
    is_reply: bool
    """Was the mover in check?"""
    by_king: bool
    kill: tuple[Move, ...]
    """The shortest mate by checks alone that it threatens; or ()."""
    threats: tuple[Threatened, ...]
    quiet: Mark
    """What it is if it is no strike."""


def find_facts(finder: Finder, board: CoreBoard, move: Move) -> Facts:
    """What a legal move does; the board is left as it was."""
    color, by_king = board.turn, kind_at(board, move.from_square) == KING
    checkers = board.checkers()
    before = _find_before(finder, board, checkers)
    holds_point = _holds_point(finder, board)
    origin = board.copy()
    board.push_unchecked(move)
    try:
        if board.is_check():
            return Facts(True, bool(checkers), by_king, (), (), quiet=Mark.IDLE)
        exchanges = find_exchanges(finder, board, color)
        after = find_gains(finder, board, color, exchanges)
        view = _View(finder, origin, board, move, before, exchanges, holds_point)
        return Facts(
            is_check=False,
            is_reply=bool(checkers),
            by_king=by_king,
            kill=finder.find_kill(board, color, exchanges),
            threats=tuple(map(view.compare, after)),
            quiet=find_quiet_mark(finder, origin, board, move, exchanges),
        )
    finally:
        board.pop()


def _find_before(finder: Finder, board: CoreBoard, checkers: Iterable[Square]) -> list[Gain]:
    """What the side to move could win instead of its move.

    A side in check could carry out nothing else: it is asked what it could win if the pieces that
    give check were not there, unless they protect it (26.1.4: a reply to a check counts only for
    what it newly makes).
    """
    if not checkers:
        return find_gains(finder, board, board.turn)
    free = taken_off(board, checkers)
    if free is None:
        return []
    return [
        gain
        for gain in find_gains(finder, free, board.turn)
        if not gain.is_capture
        or board.protectors(gain.line.first.to_square)[0].isdisjoint(checkers)
    ]


def _holds_point(finder: Finder, board: CoreBoard) -> bool:
    """Has the side to move one attacking piece, and would it lose something if it passed?"""
    color = board.turn
    own = [piece.piece_type for piece in board.setup().piece_map().values() if piece.color == color]
    attackers = [kind for kind in own if kind in (ROOK, KNIGHT, CANNON, PAWN)]
    if len(attackers) != 1 or board.is_check():
        return False
    return bool(finder.find_kill(board, not color)) or any(
        line.score >= GAIN for line in finder.find_lines(board, not color)
    )


@dataclass(frozen=True, slots=True)
class _View:
    """The positions before and after a move, to compare what could be won in them."""

    finder: Finder
    origin: CoreBoard
    board: CoreBoard
    move: Move
    before: Sequence[Gain]
    exchanges: Sequence[Move]
    holds_point: bool

    def compare(self, gain: Gain) -> Threatened:
        """What of a gain after the move there was before it."""
        color = self.origin.turn
        earlier = self._find_earlier(gain)
        before = max((other.line.score for other in earlier), default=None)
        return Threatened(
            gain=gain,
            is_single=is_single(self.finder, self.board, color, gain),
            before=before,
            was_possible=gain.is_capture and self._was_possible(gain),
            takes_part=self._takes_part(gain),
            is_own_doing=any(self._is_own_doing(other, gain) for other in earlier),
            by_the_way=self.holds_point
            and all(kind_at(self.board, square) in (ADVISOR, BISHOP) for square in gain.victims),
        )

    def _origin_of(self, square: Square) -> Square:
        """Where the piece stood before the move."""
        return self.move.from_square if square == self.move.to_square else square

    def _find_earlier(self, gain: Gain) -> list[Gain]:
        """The threats of the same piece against the same victim before the move, those that were
        no more than even at least."""
        return [
            other
            for other in self.before
            if other.line.first.from_square == self._origin_of(gain.line.first.from_square)
            and other.is_about(gain)
            and not other.loses
            and not other.own_kind
        ]

    def _was_possible(self, gain: Gain) -> bool:
        origin = self._origin_of(gain.line.first.from_square)
        target = gain.line.first.to_square
        return origin != target and self.origin.is_legal(Move(origin, target))

    def _takes_part(self, gain: Gain) -> bool:
        """Is it not won without the moved piece, as captor, as support or as a cannon's mount?"""
        first, moved = gain.line.first, self.move.to_square
        if moved == first.from_square or lies_between(moved, first.from_square, first.to_square):
            return True
        score = self.finder.find_score(
            self.board,
            self.origin.turn,
            first,
            banned=self.exchanges,
            idle=moved,
        )
        return score is None or score < GAIN

    def _is_own_doing(self, earlier: Gain, gain: Gain) -> bool:
        """Was the threat there before the move, even at least, but not before the enemy's last?

        Not if that moved the victim: to go where it is attacked is no more than to be chased on.
        """
        if not gain.is_capture or gain.line.first.from_square == self.move.to_square:
            return False
        if earlier.line.first != gain.line.first or earlier.line.score < _STOOD:
            return False
        if self.origin.ply() == 0 or gain.line.first.to_square == self.origin.peek().to_square:
            return False
        past = self.origin.copy()
        past.pop()
        if past.is_check():
            return False
        return not any(
            other.line.first == gain.line.first and other.line.score >= _STOOD
            for other in find_gains(self.finder, past, self.origin.turn)
        )
