"""What a side threatens to win, and what of it is an exchange."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.pieces import KING, PAWN, Color, PieceType, Square
from xiangqi.referee.cxa.finder import EVEN, GAIN, Finder, Line, turned

__all__ = ["NO_KIND", "Capture", "Gain", "find_exchanges", "find_gains", "kind_at", "list_captures"]

NO_KIND: Final = 0
"""The type of no piece."""
KIND_BITS: Final = 7


@dataclass(frozen=True, slots=True)
class Gain:
    """A line of captures and checks that is better than none."""

    line: Line
    victims: frozenset[Square]
    """The enemy pieces that it takes, where they stand before it."""
    is_capture: bool
    """Does it begin with a capture?"""
    is_even: bool
    """By itself the exchange that it begins wins, but the enemy takes as much elsewhere (26.5)."""
    loses: bool = False
    """So, but the enemy takes more elsewhere."""
    own_kind: PieceType = NO_KIND
    """KING or PAWN where it begins with what such a piece attacks by itself (26.1)."""

    @property
    def aims(self) -> frozenset[Square]:
        """What it is about: the piece captured first, or all those that a check leads to."""
        return frozenset({self.line.first.to_square}) if self.is_capture else self.victims

    def is_about(self, other: Gain) -> bool:
        """Would this one have taken what the other is about?"""
        return not self.victims.isdisjoint(other.aims)


@dataclass(frozen=True, slots=True)
class Capture:
    """One capture of the attacker in a line; squares are those before the line."""

    victim: Square
    victim_kind: PieceType
    captor: Square
    movers: frozenset[Square]
    """The attacker's pieces that moved before in the line."""


def kind_at(board: CoreBoard, square: Square) -> PieceType:
    """The type of the piece on a square; no piece has the type 0."""
    return board.piece_code_at(square) & KIND_BITS


def find_gains(
    finder: Finder, board: CoreBoard, color: Color, exchanges: Collection[Move] = ()
) -> list[Gain]:
    """All that a side threatens to win, exchanges left out; also what it could win evenly or at a
    loss elsewhere, and what its king and soldiers attack."""
    gains = (
        _weigh(finder, board, color, line, exchanges)
        for line in finder.find_lines(board, color, banned=exchanges)
    )
    return [gain for gain in gains if gain is not None]


def _weigh(
    finder: Finder, board: CoreBoard, color: Color, line: Line, exchanges: Collection[Move]
) -> Gain | None:
    """A line as a gain, unless it is neither won, nor won by itself and lost elsewhere."""
    is_capture = kind_at(board, line.first.to_square) != NO_KIND
    wins = line.score >= GAIN
    if not wins:
        if not is_capture:
            return None
        by_itself = finder.find_score(board, color, line.first, banned=exchanges, local=True)
        if by_itself is None or by_itself < GAIN:
            return None
        if line.score < EVEN and finder.is_mated(board, color, line.first, exchanges):
            return None
    return Gain(
        line=line,
        victims=frozenset(capture.victim for capture in list_captures(board, color, line.moves)),
        is_capture=is_capture,
        is_even=not wins and line.score >= EVEN,
        loses=line.score < EVEN,
        own_kind=_own_kind(board, color, line.first) if is_capture else NO_KIND,
    )


def _own_kind(board: CoreBoard, color: Color, move: Move) -> PieceType:
    """KING or PAWN, where such a piece captures without unveiling another's check (26.1, 26.8)."""
    kind = kind_at(board, move.from_square)
    if kind not in (KING, PAWN):
        return NO_KIND
    after = turned(board, color)
    after.push_unchecked(move)
    return kind if after.checkers() <= {move.to_square} else NO_KIND


def list_captures(board: CoreBoard, color: Color, moves: tuple[Move, ...]) -> Iterator[Capture]:
    """The captures of a side in a line that it begins."""
    origins = {square: square for square in board.setup().piece_map()}
    movers: set[Square] = set()
    for number, move in enumerate(moves):
        victim = origins.pop(move.to_square, None)
        mover = origins[move.to_square] = origins.pop(move.from_square)
        if number % 2 == 0:
            if victim is not None:
                yield Capture(victim, kind_at(board, victim), mover, frozenset(movers))
            movers.add(mover)


def find_exchanges(finder: Finder, board: CoreBoard, color: Color) -> list[Move]:
    """Captures of a side that offer an exchange (24.4): piece for piece of a kind, where the
    victim, whose turn it is, may take first and loses nothing by it."""
    return [
        move
        for move in turned(board, color).list_moves("captures")
        if kind_at(board, move.from_square) == kind_at(board, move.to_square)
        and _may_take(finder, board, Move(move.to_square, move.from_square))
    ]


def _may_take(finder: Finder, board: CoreBoard, move: Move) -> bool:
    """May the side to move make this capture without loss?"""
    score = finder.find_score(board, board.turn, move)
    return score is not None and score >= EVEN
