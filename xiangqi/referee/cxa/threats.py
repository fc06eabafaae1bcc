"""The threats of a position: what a side would win from its next move on (24.3), and how much it
is."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain, combinations
from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.core.solver import FLOATED
from xiangqi.pieces import (
    ADVISOR,
    BISHOP,
    CANNON,
    KING,
    KNIGHT,
    PAWN,
    ROOK,
    Color,
    PieceType,
    Square,
)
from xiangqi.referee.cxa.search import (
    EVEN,
    GAIN,
    MATE,
    NO_KIND,
    GainLine,
    GainSearch,
    kind_at,
    turned,
)

__all__ = ["Threat", "ThreatFinder", "ThreatLevel"]

_RANKS: Final = {PAWN: 1, ADVISOR: 2, BISHOP: 2, KNIGHT: 4, CANNON: 4, ROOK: 8}
"""Ranks of victims by value."""


_MAX_OPTIONS: Final = 3
"""Among how many pieces the enemy may choose."""


class ThreatLevel(IntEnum):
    """Result of the exchange that a threat begins; the better the higher."""

    MATED = 0
    """The side would be mated in return."""
    LOSS = 1
    """More is lost elsewhere than won."""
    EVEN = 2
    """Even: the gain is lost elsewhere."""
    GAIN = 3

    @property
    def least(self) -> int:
        """The score from which on a threat is even, or a gain."""
        return GAIN if self is ThreatLevel.GAIN else FLOATED


@dataclass(frozen=True, slots=True)
class Threat:
    """Threat that a capture or a check begins."""

    line: GainLine
    level: ThreatLevel
    is_capture: bool
    """Does it begin with a capture?"""
    victims: frozenset[Square]
    """Victims: the piece captured first, or what the checks win; squares are those before the line.
    """
    prizes: frozenset[Square] = frozenset()
    """The dearest of the pieces that it wins; none of a mate."""
    prize_rank: int = 0
    own_kind: PieceType = NO_KIND
    """KING or PAWN where such a piece captures first, and unveils no other piece's check."""

    @property
    def origin(self) -> Square:
        """Square of the piece that begins."""
        return self.line.first.from_square


@dataclass(frozen=True, slots=True)
class ThreatFinder:
    """Finds the threats of one side in one position, the other side passing if need be."""

    search: GainSearch
    board: CoreBoard
    color: Color
    exchanges: Collection[Move] = ()
    """Captures that only offer an exchange (24.4): no part of any line."""

    def find_all(self) -> list[Threat]:
        """All threats, also those at a loss, and what king and soldiers attack by themselves."""
        lines = self.search.find_lines(self.board, self.color, banned=self.exchanges)
        threats = [self._weigh(line) for line in lines]
        return [threat for threat in threats if threat is not None]

    def wins(self, threat: Threat, aims: Collection[Square]) -> bool:
        """Does a threat win as it does by taking one of some pieces at least?"""
        score = self.search.find_score(
            self.board, self.color, threat.line.first, banned=self.exchanges, aims=aims
        )
        return score >= threat.level.least

    def wins_by_itself(self, move: Move, *, alone: bool = False) -> bool:
        """Does a capture win on its own square, where both sides take back or stop?

        ``alone``: by what one piece takes.
        """
        score = self.search.find_score(
            self.board, self.color, move, banned=self.exchanges, alone=alone, local=True
        )
        return score >= GAIN

    def _weigh(self, line: GainLine) -> Threat | None:
        """A line as a threat, unless it wins nothing that is left out of account elsewhere.

        24.3 knows a gain by captures and by checks, 26.5 weighs what is lost for it: both alike. A
        capture that wins where it is made is listed also if it costs more elsewhere or if mate is
        the answer.
        """
        is_capture = kind_at(self.board, line.first.to_square) != NO_KIND
        level = ThreatLevel.GAIN if line.score >= GAIN else ThreatLevel.EVEN
        if line.score < GAIN and is_capture and not self.wins_by_itself(line.first):
            return None
        if line.score < FLOATED:
            if not is_capture:
                return None
            level = ThreatLevel.LOSS
            if line.score < EVEN:
                mate = self.search.find_refutation(
                    self.board, self.color, line.first, self.exchanges
                )
                if mate:
                    line, level = line._replace(moves=mate), ThreatLevel.MATED
        return self._describe(line, level, is_capture)

    def _describe(self, line: GainLine, level: ThreatLevel, is_capture: bool) -> Threat:
        first = line.first
        won: frozenset[Square] = frozenset()
        if level >= ThreatLevel.EVEN and line.score < MATE:
            won = self._find_won(Threat(line, level, is_capture, won))
        rank = max(map(self._rank, won), default=0)
        return Threat(
            line=line,
            level=level,
            is_capture=is_capture,
            victims=frozenset([first.to_square]) if is_capture else won,
            prizes=frozenset(square for square in won if self._rank(square) == rank),
            prize_rank=rank,
            own_kind=self._own_kind(first) if is_capture else NO_KIND,
        )

    def _find_won(self, threat: Threat) -> frozenset[Square]:
        """The pieces that a threat is sure to take and win by; or else the smallest sets of which
        it is sure to take one, as where the enemy may choose which one it gives up."""
        enemies = self._enemies()
        for size in range(1, _MAX_OPTIONS + 1):
            sets = combinations(enemies, size)
            won = frozenset(chain(*(aims for aims in sets if self.wins(threat, aims))))
            if won:
                return won
        return frozenset()

    def _enemies(self) -> list[Square]:
        pieces = self.board.setup().piece_map().items()
        return [
            square
            for square, piece in pieces
            if piece.color != self.color and piece.piece_type != KING
        ]

    def _rank(self, square: Square) -> int:
        return _RANKS[kind_at(self.board, square)]

    def _own_kind(self, move: Move) -> PieceType:
        """KING or PAWN, where such a piece captures without unveiling another's check.

        26.1: king and soldier may attack for ever. 26.8: a soldier's capture that unveils another
        piece's check is a chase.
        """
        kind = kind_at(self.board, move.from_square)
        if kind not in (KING, PAWN):
            return NO_KIND
        after = turned(self.board, self.color)
        after.push_unchecked(move)
        return kind if after.checkers() <= {move.to_square} else NO_KIND
