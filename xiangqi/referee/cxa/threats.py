"""Threats of a side in a position: its gains if it were to move (24.3), and their weight (26.9)."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
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
    with_turn,
    without_pieces,
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
"""First square of Black's half."""

_RANKS: Final = {PAWN: 1, ADVISOR: 2, BISHOP: 2, KNIGHT: 4, CANNON: 4, ROOK: 8}
"""Ranks of victims by value."""

_MAX_OPTIONS: Final = 3
"""Maximum size of a set of pieces of which the opponent can choose one to lose."""


class ThreatLevel(IntEnum):
    """Result of carrying out a threat, in ascending order."""

    MATED = 0
    """The side would be mated in reply."""
    LOSS = 1
    """More would be lost elsewhere than won."""
    EVEN = 2
    """The gain would be lost elsewhere."""
    GAIN = 3

    @property
    def least(self) -> int:
        """Minimum score: that of a gain for GAIN, that of an even threat for other levels."""
        return GAIN if self is ThreatLevel.GAIN else FLOATED


@dataclass(frozen=True, slots=True)
class Threat:
    """Threat that begins with a capture or a check."""

    line: GainLine
    level: ThreatLevel
    is_capture: bool
    """Does it begin with a capture?"""
    victims: frozenset[Square]
    """Squares, before the line, of the pieces that it is about: the piece captured first if the
    threat is direct, else the prizes or, if the opponent can choose, all of which it wins one."""
    prizes: frozenset[Square] = frozenset()
    """Most valuable of the pieces that it wins; empty for a mate."""
    prize_rank: int = 0
    """Value of a prize, or of the piece captured first if the threat is at a loss."""
    own_kind: PieceType = NO_KIND
    """KING or PAWN if such a piece captures first without discovering a check."""

    @property
    def is_direct(self) -> bool:
        """Does it begin with the capture of a prize, or win nothing more than that capture?"""
        return self.is_capture and (not self.prizes or self.line.first.to_square in self.prizes)

    @property
    def origin(self) -> Square:
        """Square of the piece that moves first."""
        return self.line.first.from_square


@dataclass(frozen=True, slots=True)
class ThreatFinder:
    """Finder of a side's threats in a position; if the other side is to move, it passes."""

    search: GainSearch
    board: CoreBoard
    color: Color
    exchanges: Collection[Move] = ()
    """Captures that only offer an exchange (24.4), and are excluded from all lines."""

    def find_all(self) -> list[Threat]:
        """All threats, including those at a loss and attacks by king or soldiers alone."""
        lines = self.search.find_lines(self.board, self.color, banned=self.exchanges)
        threats = [self._weigh(line) for line in lines]
        return [threat for threat in threats if threat is not None]

    def wins(self, threat: Threat, aims: Collection[Square]) -> bool:
        """Does a threat still succeed if it must win one of the pieces on ``aims``?"""
        score = self.search.find_score(
            self.board, self.color, threat.line.first, banned=self.exchanges, aims=aims
        )
        return score >= threat.level.least

    def wins_by_itself(self, move: Move, *, alone: bool = False) -> bool:
        """Does a capture win by recaptures on its square alone, where both sides may stop?

        ``alone``: by captures of one piece only.
        """
        score = self.search.find_score(
            self.board, self.color, move, banned=self.exchanges, alone=alone, local=True
        )
        return score >= GAIN

    def _weigh(self, line: GainLine) -> Threat | None:
        """Threat that a line carries out; None if it wins nothing.

        24.3 defines gains by captures and by checks, 26.5 subtracts losses. A capture that wins on
        its square is a threat even if more is lost elsewhere or mate is the answer.
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
        options = 1
        if level >= ThreatLevel.EVEN and line.score < MATE:
            won, options = self._find_won(Threat(line, level, is_capture, won))
        captured = (first.to_square,) if level < ThreatLevel.EVEN else ()
        rank = max(map(self._rank, won or captured), default=0)
        prizes = frozenset(square for square in won if self._rank(square) == rank)
        threat = Threat(
            line=line,
            level=level,
            is_capture=is_capture,
            victims=prizes if options == 1 else won,
            prizes=prizes,
            prize_rank=rank,
            own_kind=self._own_kind(first) if is_capture else NO_KIND,
        )
        return replace(threat, victims=frozenset([first.to_square])) if threat.is_direct else threat

    def _find_won(self, threat: Threat) -> tuple[frozenset[Square], int]:
        """Pieces that a threat wins by force; if the opponent can choose, the pieces of the
        smallest sets of which it wins one, and the size of these sets."""
        enemies = [  # soldiers have no value before the river (26.7)
            square
            for square, piece in self.board.setup().piece_map().items()
            if piece.color != self.color
            and piece.piece_type != KING
            and (piece.piece_type != PAWN or (square >= RIVER) == (piece.color == RED))
        ]
        for size in range(1, _MAX_OPTIONS + 1):
            sets = combinations(enemies, size)
            won = frozenset(chain(*(aims for aims in sets if self.wins(threat, aims))))
            if won:
                return won, size
        return frozenset(), 1

    def _rank(self, square: Square) -> int:
        return _RANKS[kind_at(self.board, square)]

    def _own_kind(self, move: Move) -> PieceType:
        """KING or PAWN if such a piece captures without discovering a check, else NO_KIND.

        King and soldiers may attack for ever (26.1), but a soldier's capture that discovers a check
        is a chase (26.8).
        """
        kind = kind_at(self.board, move.from_square)
        if kind not in (KING, PAWN):
            return NO_KIND
        after = with_turn(self.board, self.color)
        after.push_unchecked(move)
        return kind if after.checkers() <= {move.to_square} else NO_KIND


# Weight: whether one piece or several have to take part in the gain (26.9, 24.17)


@dataclass(frozen=True, slots=True)
class Weight:
    """Weight of a chase: heavy without a ``joint``, else light for that reason."""

    joint: Joint | None = None
    pieces: tuple[Square, ...] = ()
    """Squares, before the line, of the root, of the other attacking pieces, or of the mount and its
    protectors."""

    @property
    def is_heavy(self) -> bool:
        """Does one piece chase a chariot or a piece without a root?"""
        return self.joint is None


def weigh(finder: ThreatFinder, threat: Threat) -> Weight:
    """Weigh a chase by the most valuable piece that it wins, or any of several such (26.9).

    If the first capture takes that piece, its roots decide. If checks or later captures win it, the
    chase is heavy unless checks or captures of another piece are necessary. A piece that only
    discovers another's capture by moving away with check takes no part (figure 26).
    """
    color, first = finder.color, threat.line.first
    weigher = _Weigher(finder.search, with_turn(finder.board, color), color)
    if threat.is_direct:
        return weigher.weigh_capture(first)
    score = finder.search.find_score(
        finder.board, color, first, banned=finder.exchanges, alone=True
    )
    if score >= GAIN:
        return Weight()
    is_direct = any(weigher.takes_when_gone(first.from_square, prize) for prize in threat.prizes)
    return Weight() if is_direct else Weight(Joint.CHECKS)


def is_own_attack(finder: ThreatFinder, threat: Threat) -> bool:
    """Does a king or a soldier attack by itself (26.1), not jointly with others (26.1.1, 26.1.2)?

    In a joint attack it wins on the victim's square only with the help of others: a soldier for
    another piece is no gain (26.7), unless the opponent cannot recapture.
    """
    return bool(threat.own_kind) and (
        finder.wins_by_itself(threat.line.first, alone=True)
        or not finder.wins_by_itself(threat.line.first)
    )


@dataclass(frozen=True, slots=True)
class _Weigher:
    """Weights of direct attacks by the side to move in a position."""

    search: GainSearch
    board: CoreBoard
    color: Color

    def list_captures(self, target: Square) -> Iterator[Move]:
        """Yield the legal captures on a square by attacking pieces."""
        for origin in self.board.attackers(self.color, target):
            move = Move(origin, target)
            if kind_at(self.board, origin) in (*_ATTACKERS, PAWN) and self.board.is_legal(move):
                yield move

    def takes_when_gone(self, opener: Square, target: Square) -> bool:
        """Can one piece alone capture on a square after ``opener`` has left?

        A capture that was possible before is weighed with ``opener`` on its square, where it may
        matter for a root.
        """
        opened = without_pieces(self.board, [opener])
        if opened is None:
            return False
        without = _Weigher(self.search, opened, self.color)
        anyhow = set(self.list_captures(target))
        return any(
            (self if move in anyhow else without).takes_alone(move)
            for move in without.list_captures(target)
        )

    def takes_alone(self, move: Move) -> bool:
        """Is the attack by this capture heavy?"""
        return self.weigh_capture(move).is_heavy

    def weigh_capture(self, move: Move) -> Weight:
        """Weight of a direct attack.

        It is heavy if the victim is a chariot and the captor is not, or if no root could recapture
        even after the removal of another attacking piece of the side (figure 11); but not if the
        captor's mount takes part.
        """
        if kind_at(self.board, move.from_square) == CANNON:
            for mount in list_attackers(self.board, self.color):
                if lies_between(mount, move.from_square, move.to_square):
                    parts = self._parts_of_mount(move, mount)
                    if parts:
                        return Weight(Joint.MOUNT, parts)
        return self._weigh_roots(move)

    def _weigh_roots(self, move: Move) -> Weight:
        captor, victim = (kind_at(self.board, one) for one in (move.from_square, move.to_square))
        if victim == ROOK and captor != ROOK:
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
            without = without_pieces(after, [helper]) if helper != move.to_square else None
            if without is not None and any(map(without.is_legal, recaptures)):
                helpers.append(helper)
        return Weight(Joint.FALSE_ROOT, tuple(helpers)) if helpers else Weight()

    def _parts_of_mount(self, move: Move, mount: Square) -> tuple[Square, ...]:
        """The mount over which a cannon captures and its protectors, or () if it takes no part.

        The mount takes part if it also attacks the victim and the attack is light, or if the victim
        could capture it but for the protection of a third attacking piece (reference 39). A mere
        mount takes no part (references 35 and 47), nor does a soldier that has not crossed.
        """
        joins = mount in self.board.attackers(self.color, move.to_square)
        if joins and not self._weigh_roots(Move(mount, move.to_square)).is_heavy:
            return (mount,)
        thirds = self._find_thirds(move, mount)
        return (mount, *thirds) if thirds else ()

    def _find_thirds(self, move: Move, mount: Square) -> list[Square]:
        """Attacking pieces without whose protection the victim could capture the mount."""
        attacks = move.to_square in self.board.attackers(not self.color, mount)
        if not attacks or self.board.is_check():
            return []
        enemy = with_turn(self.board, not self.color)
        capture = Move(move.to_square, mount)
        if self._takes_safely(enemy, capture):
            return []
        protectors = self.board.attackers(self.color, mount)
        thirds = []
        for third in list_attackers(self.board, self.color):
            is_third = third in protectors and third != move.from_square
            without = without_pieces(enemy, [third]) if is_third else None
            if without is not None and self._takes_safely(without, capture):
                thirds.append(third)
        return thirds

    def _takes_safely(self, board: CoreBoard, move: Move) -> bool:
        """Does a capture lose nothing by recaptures on its square?"""
        return self.search.find_score(board, board.turn, move, local=True) >= EVEN


def list_attackers(board: CoreBoard, color: Color) -> Iterator[Square]:
    """Yield the attacking pieces of a side: chariots, horses, cannons, and crossed soldiers."""
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
