"""Threats of a position: gains of a side from its next move on (24.3), each heavy if one piece
alone makes it, or light (26.9)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
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
    RED,
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
    taken_off,
    turned,
)
from xiangqi.referee.ruling import Joint

__all__ = [
    "Threat",
    "ThreatFinder",
    "ThreatLevel",
    "Weight",
    "is_own_attack",
    "lies_between",
    "list_attackers",
    "weigh",
]

_ATTACKERS: Final = (ROOK, KNIGHT, CANNON)
RIVER: Final = 45
"""The first square of Black's half."""

_RANKS: Final = {PAWN: 1, ADVISOR: 2, BISHOP: 2, KNIGHT: 4, CANNON: 4, ROOK: 8}
"""Ranks of victims by value."""


_MAX_OPTIONS: Final = 3
"""Maximum number of pieces between which the enemy may choose."""


class ThreatLevel(IntEnum):
    """Result of the exchange that a threat begins, in ascending order."""

    MATED = 0
    """The side would be mated in return."""
    LOSS = 1
    """More is lost elsewhere than won."""
    EVEN = 2
    """Even: the gain is lost elsewhere."""
    GAIN = 3

    @property
    def least(self) -> int:
        """Minimum score of an even threat, or of a gain."""
        return GAIN if self is ThreatLevel.GAIN else FLOATED


@dataclass(frozen=True, slots=True)
class Threat:
    """Threat of a capture or a check."""

    line: GainLine
    level: ThreatLevel
    is_capture: bool
    """Does it begin with a capture?"""
    victims: frozenset[Square]
    """Victims: the piece captured first, or those that the checks win; on their squares before the
    line."""
    prizes: frozenset[Square] = frozenset()
    """Dearest of the pieces that it wins; empty for a mate."""
    prize_rank: int = 0
    own_kind: PieceType = NO_KIND
    """KING or PAWN if such a piece captures first, and unveils no other piece's check."""

    @property
    def origin(self) -> Square:
        """Square of the piece that begins."""
        return self.line.first.from_square


@dataclass(frozen=True, slots=True)
class ThreatFinder:
    """Finder of the threats of one side in one position, the other side passing if necessary."""

    search: GainSearch
    board: CoreBoard
    color: Color
    exchanges: Collection[Move] = ()
    """Captures that only offer an exchange (24.4): no part of any line."""

    def find_all(self) -> list[Threat]:
        """All threats, including those at a loss, and attacks by king and soldiers alone."""
        lines = self.search.find_lines(self.board, self.color, banned=self.exchanges)
        threats = [self._weigh(line) for line in lines]
        return [threat for threat in threats if threat is not None]

    def wins(self, threat: Threat, aims: Collection[Square]) -> bool:
        """Does a threat still win if it must take one of these pieces?"""
        score = self.search.find_score(
            self.board, self.color, threat.line.first, banned=self.exchanges, aims=aims
        )
        return score >= threat.level.least

    def wins_by_itself(self, move: Move, *, alone: bool = False) -> bool:
        """Does a capture win on its own square, where both sides take back or stop?

        ``alone``: by captures of one piece only.
        """
        score = self.search.find_score(
            self.board, self.color, move, banned=self.exchanges, alone=alone, local=True
        )
        return score >= GAIN

    def _weigh(self, line: GainLine) -> Threat | None:
        """Threat of a line; None if it wins nothing.

        24.3 defines a gain by captures and by checks, 26.5 subtracts the loss. A capture that wins
        where it is made is listed also if it costs more elsewhere or if mate is the answer.
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
        """Pieces that a threat certainly wins; otherwise the smallest sets of which it certainly
        wins one, where the enemy may choose."""
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


# One piece or several: who has to take part for the gain to be there (26.9, 24.17)


@dataclass(frozen=True, slots=True)
class Weight:
    """Weight of a chase; if it is light, with the reason and the pieces that show it."""

    joint: Joint | None = None
    pieces: tuple[Square, ...] = ()
    """The root, the other attacking piece, or the mount and its protector, on their squares before
    the line."""

    @property
    def is_heavy(self) -> bool:
        """Is it the chase by one piece of a chariot, or of a piece without a root?"""
        return self.joint is None


def weigh(finder: ThreatFinder, threat: Threat) -> Weight:
    """Weight of a chase, by the dearest piece that it wins; of several by any of them (26.9).

    A capture of that piece is weighed by its roots. If it is won by checks or later captures, one
    piece wins it alone if the checks and captures of no other are needed: a check that another
    piece gives makes both take part. A piece that only moves away with check, so that another
    captures, takes no part (figure 26).
    """
    color, first = finder.color, threat.line.first
    scale = _Scale(finder.search, turned(finder.board, color), color)
    if threat.is_capture and (not threat.prizes or first.to_square in threat.prizes):
        return scale.weigh_capture(first)
    score = finder.search.find_score(
        finder.board, color, first, banned=finder.exchanges, alone=True
    )
    if score >= GAIN:
        return Weight()
    is_direct = any(scale.takes_when_gone(first.from_square, prize) for prize in threat.prizes)
    return Weight() if is_direct else Weight(Joint.CHECKS)


def is_own_attack(finder: ThreatFinder, threat: Threat) -> bool:
    """Does a king or a soldier attack by itself (26.1), and not jointly with another piece (26.1.1,
    26.1.2)?

    Jointly it wins on the victim's square what it would not win alone: one soldier for another
    piece is nothing won (26.7), but it is something if the enemy may not take back.
    """
    return bool(threat.own_kind) and (
        finder.wins_by_itself(threat.line.first, alone=True)
        or not finder.wins_by_itself(threat.line.first)
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """Weights of direct attacks in a position in which the side is to move."""

    search: GainSearch
    board: CoreBoard
    color: Color

    def list_captures(self, target: Square) -> Iterator[Move]:
        """Captures on a square by attacking pieces."""
        for origin in self.board.attackers(self.color, target):
            move = Move(origin, target)
            if kind_at(self.board, origin) in (*_ATTACKERS, PAWN) and self.board.is_legal(move):
                yield move

    def takes_when_gone(self, opener: Square, target: Square) -> bool:
        """Can one piece take alone on a square once another piece is gone?

        What it could take anyhow is weighed with that piece on its square, where it may be a root.
        """
        opened = taken_off(self.board, [opener])
        if opened is None:
            return False
        without = _Scale(self.search, opened, self.color)
        anyhow = set(self.list_captures(target))
        return any(
            (self if move in anyhow else without).takes_alone(move)
            for move in without.list_captures(target)
        )

    def takes_alone(self, move: Move) -> bool:
        """Is the attack heavy?"""
        return self.weigh_capture(move).is_heavy

    def weigh_capture(self, move: Move) -> Weight:
        """Weight of a direct attack.

        The attack is heavy if its victim is a chariot and the captor is not, or if no root can take
        back even without any other attacking piece of the side (figure 11); but not if the captor's
        mount takes part.
        """
        if kind_at(self.board, move.from_square) == CANNON:
            for mount in list_attackers(self.board, self.color):
                if lies_between(mount, move.from_square, move.to_square):
                    parts = self._parts_of_mount(move, mount)
                    if parts:
                        return Weight(Joint.MOUNT, parts)
        return self._weigh_roots(move)

    def _weigh_roots(self, move: Move) -> Weight:
        if _is_dearer(kind_at(self.board, move.to_square), kind_at(self.board, move.from_square)):
            return Weight()
        after = self.board.copy(stack=False)
        after.push_unchecked(move)
        roots = after.attackers(not self.color, move.to_square)
        recaptures = [Move(root, move.to_square) for root in roots]
        for recapture in recaptures:
            if after.is_legal(recapture):
                return Weight(Joint.ROOT, (recapture.from_square,))
        helpers = []
        for helper in list_attackers(after, self.color):
            without = taken_off(after, [helper]) if helper != move.to_square else None
            if without is not None and any(map(without.is_legal, recaptures)):
                helpers.append(helper)
        return Weight(Joint.FALSE_ROOT, tuple(helpers)) if helpers else Weight()

    def _parts_of_mount(self, move: Move, mount: Square) -> tuple[Square, ...]:
        """The mount over which a cannon captures, if it takes part itself, and who protects it.

        It does if it attacks the victim as well and could not take it alone, or if the victim could
        take it but for the protection of a third attacking piece (reference 39). A mere mount takes
        no part (references 35 and 47), nor does a soldier that has not crossed the river.
        """
        joins = mount in self.board.attackers(self.color, move.to_square)
        if joins and not self._weigh_roots(Move(mount, move.to_square)).is_heavy:
            return (mount,)
        thirds = self._find_thirds(move, mount)
        return (mount, *thirds) if thirds else ()

    def _find_thirds(self, move: Move, mount: Square) -> list[Square]:
        """Attacking pieces without whose protection the victim would take the mount."""
        attacks = move.to_square in self.board.attackers(not self.color, mount)
        if not attacks or self.board.is_check():
            return []
        enemy = turned(self.board, not self.color)
        capture = Move(move.to_square, mount)
        if self._takes_unharmed(enemy, capture):
            return []
        protectors = self.board.attackers(self.color, mount)
        thirds = []
        for third in list_attackers(self.board, self.color):
            is_third = third in protectors and third != move.from_square
            without = taken_off(enemy, [third]) if is_third else None
            if without is not None and self._takes_unharmed(without, capture):
                thirds.append(third)
        return thirds

    def _takes_unharmed(self, board: CoreBoard, move: Move) -> bool:
        """Is a capture no loss on its own square?"""
        return self.search.find_score(board, board.turn, move, local=True) >= EVEN


def _is_dearer(victim: PieceType, captor: PieceType) -> bool:
    """Is the victim a chariot, and the captor something else?"""
    return victim == ROOK and captor != ROOK


def list_attackers(board: CoreBoard, color: Color) -> Iterator[Square]:
    """Pieces of a side that can attack: chariots, horses, cannons, soldiers that crossed."""
    for square, piece in board.setup().piece_map().items():
        crossed = (square >= RIVER) == (color == RED)
        if piece.color == color and (
            piece.piece_type in _ATTACKERS or (piece.piece_type == PAWN and crossed)
        ):
            yield square


def lies_between(square: Square, one: Square, other: Square) -> bool:
    """Is a square strictly between two others of one rank or file?"""
    low, high = min(one, other), max(one, other)
    if not low < square < high:
        return False
    same_file = low % 9 == square % 9 == high % 9
    return same_file or low // 9 == square // 9 == high // 9
