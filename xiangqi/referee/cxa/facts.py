"""Facts of one move, independent of the reading of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.core.solver import FLOATED
from xiangqi.pieces import ADVISOR, BISHOP, CANNON, KING, ROOK, Color, Square
from xiangqi.pieces.fen import Setup
from xiangqi.referee.cxa.search import (
    EVEN,
    GAIN,
    MATE,
    NODES_FOR_A_MOVE,
    RISE,
    GainSearch,
    kind_at,
    turned,
)
from xiangqi.referee.cxa.threats import (
    Threat,
    ThreatFinder,
    ThreatLevel,
    Weight,
    is_own_attack,
    lies_between,
    list_attackers,
    weigh,
)
from xiangqi.referee.ruling import Mark

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

__all__ = ["UNSEEN", "Facts", "FoundThreat", "Stand", "Threatened", "find_move"]


class Stand(Enum):
    """Relation of a threat after the move to threats before it."""

    NEW = "new"
    """The capture was impossible before."""
    MENDED = "mended"
    """The capture could be made before, at a loss."""
    RISEN = "risen"
    """The capture wins more than before."""
    STOOD = "stood"
    """The capture was possible before as well."""
    UNTOUCHED = "untouched"
    """The attack was there before a reply to a check, and the moved piece takes no part in it
    (26.1.4)."""


@dataclass(frozen=True, slots=True)
class Threatened:
    """A threat after a move, with the facts that decide whether the move is a chase."""

    threat: Threat
    stand: Stand
    weight: Weight
    takes_part: bool
    """Does the moved piece win, or help to win, the victim?"""
    is_own_doing: bool
    """Was it made by the enemy's last move, not by this one?"""
    by_the_way: bool
    """Does it win only advisors and elephants, while the one attacking piece of its side holds off
    a loss (26.2)?"""
    is_own: bool = False
    """Is it an attack by a king or a soldier alone (26.1)?"""
    before: tuple[Move, ...] = ()
    """Line of the same capture before the move, if it was possible."""

    @property
    def rank(self) -> tuple[int, int]:
        """Rank by gain, then by the dearest victim: the first is the main threat."""
        return self.threat.line.score, self.threat.prize_rank


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a move that the rules need."""

    is_check: bool
    is_reply: bool
    """Was the mover in check?"""
    by_king: bool
    kill: tuple[Move, ...]
    """Shortest mate by checks alone that the move threatens; or ()."""
    threats: tuple[Threatened, ...]
    quiet: Mark
    """Mark of the move if it is no strike."""
    exchanges: tuple[Move, ...] = ()
    """Captures that the move offers as exchanges (24.4)."""
    watched: tuple[Square, ...] = ()
    """Pieces that the move newly attacks without a threat, if it is marked FOLLOW."""


def find_facts(search: GainSearch, board: CoreBoard, move: Move) -> Facts:
    """Facts of a legal move; the board is unchanged afterwards."""
    color, by_king = board.turn, kind_at(board, move.from_square) == KING
    is_reply = board.is_check()
    origin = board.copy()
    board.push_unchecked(move)
    try:
        if board.is_check():
            return Facts(True, is_reply, by_king, (), (), quiet=Mark.IDLE)
        exchanges = find_exchanges(search, board, color)
        quiet, watched = find_quiet_mark(search, origin, board, move, exchanges)
        view = _View(origin, move, ThreatFinder(search, board, color, exchanges))
        return Facts(
            is_check=False,
            is_reply=is_reply,
            by_king=by_king,
            kill=search.find_kill(board, color, exchanges),
            threats=tuple(map(view.compare, view.finder.find_all())),
            quiet=quiet,
            exchanges=tuple(exchanges),
            watched=watched,
        )
    finally:
        board.pop()


def find_exchanges(search: GainSearch, board: CoreBoard, color: Color) -> list[Move]:
    """Captures of a side that offer an exchange (24.4): piece for piece of a kind, where the
    victim, which is to move, may take first without loss."""
    return [
        move
        for move in turned(board, color).list_moves("captures")
        if kind_at(board, move.from_square) == kind_at(board, move.to_square)
        and search.find_score(board, board.turn, Move(move.to_square, move.from_square)) >= EVEN
    ]


@dataclass(frozen=True)
class _View:
    """Positions before and after a move, to compare their threats."""

    origin: CoreBoard
    """The position before the move."""
    move: Move
    finder: ThreatFinder
    """Finder of the threats after the move."""

    def compare(self, threat: Threat) -> Threatened:
        """Compare a threat after the move with those before it."""
        weight = weigh(self.finder, threat)
        if self.origin.is_check():
            stand = Stand.NEW if self._is_new_after_check(threat) else Stand.UNTOUCHED
            earlier: list[Threat] = []
        else:
            earlier = self._find_earlier(threat)
            stand = self._find_stand(threat, earlier)
        return Threatened(
            threat=threat,
            stand=stand,
            weight=weight,
            takes_part=self.move.to_square in weight.pieces or self._takes_part(threat),
            is_own_doing=any(self._is_own_doing(other, threat) for other in earlier),
            by_the_way=self._holds_point and self._wins_minor_pieces(threat),
            is_own=is_own_attack(self.finder, threat),
            before=self._play_before(threat) if stand in (Stand.MENDED, Stand.RISEN) else (),
        )

    def _play_before(self, threat: Threat) -> tuple[Move, ...]:
        """Line of the same capture before the move."""
        move = Move(self._origin_of(threat.origin), threat.line.first.to_square)
        lines = self.finder.search.find_lines(
            self.origin, self.finder.color, moves=[move], least=-MATE
        )
        return lines[0].moves if lines and threat.is_capture else ()

    # New, 24.3

    @cached_property
    def _before(self) -> list[Threat]:
        """Threats that the mover could have carried out at no loss instead of its move."""
        finder = ThreatFinder(self.finder.search, self.origin, self.origin.turn)
        return [
            threat
            for threat in finder.find_all()
            if threat.level >= ThreatLevel.EVEN and not is_own_attack(finder, threat)
        ]

    def _find_earlier(self, threat: Threat) -> list[Threat]:
        """The threats of the same piece before the move to the same victims.

        To attack a piece is another threat than to win it by checks (figure 28).
        """
        origin = self._origin_of(threat.origin)
        return [
            other
            for other in self._before
            if other.origin == origin
            and other.is_capture >= threat.is_capture
            and not other.victims.isdisjoint(threat.victims)
        ]

    def _find_stand(self, threat: Threat, earlier: Sequence[Threat]) -> Stand:
        """24.3: was the threat there before the move, that is, could it be carried out?

        A threat that was even before and wins now has risen, and so has one that wins half a horse
        more than before. A capture that lost something before is new if it is no loss now, unless
        it costs a soldier elsewhere (figure 9, third move).
        """
        if earlier:
            best = max(other.line.score for other in earlier)
            if threat.level is ThreatLevel.GAIN and (
                best < GAIN or threat.line.score >= best + RISE
            ):
                return Stand.RISEN
            return Stand.STOOD
        if not threat.is_capture or not self._was_possible(threat):
            return Stand.NEW
        if threat.level is ThreatLevel.GAIN:
            return Stand.MENDED
        is_paid = threat.level is ThreatLevel.EVEN and threat.line.score != FLOATED
        return Stand.MENDED if is_paid else Stand.STOOD

    def _was_possible(self, threat: Threat) -> bool:
        origin = self._origin_of(threat.origin)
        target = threat.line.first.to_square
        return origin != target and self.origin.is_legal(Move(origin, target))

    def _origin_of(self, square: Square) -> Square:
        """Square of the piece before the move."""
        return self.move.from_square if square == self.move.to_square else square

    # A reply to a check, 26.1.4

    def _is_new_after_check(self, threat: Threat) -> bool:
        """26.1.4: a reply to a check counts only for what it newly makes.

        Tested on the position as it was, with the checking piece on its square, where it may be a
        mount, a root or a block: the attack is new if it was not there in form, if the replying
        piece supports it now and did not before, or if it cuts off a root.
        """
        first, moved = threat.line.first, self.move.to_square
        earlier = Move(self._origin_of(first.from_square), first.to_square)
        if not self.origin.is_pseudo_legal(earlier):
            return True
        if moved == first.from_square:
            return False
        if self._cuts_root(threat):
            return True
        return self._is_needed(threat) and not any(
            self.move.from_square in self.origin.attackers(self.origin.turn, victim)
            for victim in threat.victims
        )

    # Who takes part

    def _takes_part(self, threat: Threat) -> bool:
        """Does the gain need the moved piece, as captor, as support or as a cannon's mount?"""
        first, moved = threat.line.first, self.move.to_square
        if moved == first.from_square or lies_between(moved, first.from_square, first.to_square):
            return True
        return self._cuts_root(threat) or self._is_needed(threat)

    def _is_needed(self, threat: Threat) -> bool:
        """Is nothing won if the moved piece neither captures nor checks?"""
        is_local = threat.level < ThreatLevel.EVEN
        score = self.finder.search.find_score(
            self.finder.board,
            self.finder.color,
            threat.line.first,
            banned=self.finder.exchanges,
            idle=self.move.to_square,
            local=is_local,
        )
        return score < (GAIN if is_local else threat.level.least)

    def _cuts_root(self, threat: Threat) -> bool:
        """Does the move separate a victim from a piece that protected it?"""
        color = not self.finder.color
        return any(
            not self.origin.attackers(color, victim) <= self.finder.board.attackers(color, victim)
            for victim in threat.victims
        )

    # Self-inflicted

    def _is_own_doing(self, earlier: Threat, threat: Threat) -> bool:
        """Was the threat there before the move, but not before the enemy's last (figure 13,
        references 21 and 22)?

        Not if that moved the victim: a victim that moves onto an attacked square is still being
        chased.
        """
        if not threat.is_capture or threat.origin == self.move.to_square:
            return False
        if earlier.line.first != threat.line.first or self.origin.ply() == 0:
            return False
        if threat.line.first.to_square == self.origin.peek().to_square:
            return False
        past = self.origin.copy()
        past.pop()
        if past.is_check():
            return False
        return not any(
            other.line.first == threat.line.first and other.level >= ThreatLevel.EVEN
            for other in ThreatFinder(self.finder.search, past, self.finder.color).find_all()
        )

    # Holding a point, 26.2

    @cached_property
    def _holds_point(self) -> bool:
        """Has the mover one attacking piece, and would a pass lose something?"""
        board, search = self.origin, self.finder.search
        if board.is_check() or len(list(list_attackers(board, board.turn))) != 1:
            return False
        return bool(search.find_kill(board, not board.turn)) or any(
            line.score >= GAIN for line in search.find_lines(board, not board.turn)
        )

    def _wins_minor_pieces(self, threat: Threat) -> bool:
        """Does the threat depend on winning an advisor or an elephant, and nothing dearer?"""
        pieces = self.finder.board.setup().piece_map().items()
        dearer = [
            square
            for square, piece in pieces
            if piece.color != self.finder.color and piece.piece_type not in (ADVISOR, BISHOP, KING)
        ]
        return not dearer or not self.finder.wins(threat, dearer)


# Moves that are no strike: exchange, offer, block, follow, idle


def find_quiet_mark(
    search: GainSearch, before: CoreBoard, after: CoreBoard, move: Move, exchanges: Collection[Move]
) -> tuple[Mark, tuple[Square, ...]]:
    """Mark of a move that neither checks nor threatens anything (24.4-24.8), with the pieces that
    it watches.

    All of these are allowed; the first that applies is returned.
    """
    color, square = before.turn, move.to_square
    if exchanges:
        return Mark.EXCHANGE, ()
    if _is_offered(search, after, square):
        return Mark.OFFER, ()
    if _blocks(before, after, color, square):
        return Mark.BLOCK, ()
    watched = _victims(after, color, square) - _victims(before, color, move.from_square)
    return (Mark.FOLLOW, tuple(sorted(watched))) if watched else (Mark.IDLE, ())


def _is_offered(search: GainSearch, board: CoreBoard, square: Square) -> bool:
    """May the side to move take the piece on a square, and win by it?"""
    captures = [move for move in board.list_moves("captures") if move.to_square == square]
    lines = search.find_lines(board, board.turn, moves=captures)
    return any(line.score >= GAIN for line in lines)


def _blocks(before: CoreBoard, after: CoreBoard, color: Color, square: Square) -> bool:
    """Does a piece that moved to a square block the attack of an enemy chariot or cannon?"""
    return any(
        lies_between(square, attacker, target)
        and kind_at(before, attacker) in (ROOK, CANNON)
        and attacker not in after.attackers(not color, target)
        for target, piece in after.setup().piece_map().items()
        if piece.color == color and target != square
        for attacker in before.attackers(not color, target)
    )


def _victims(board: CoreBoard, color: Color, square: Square) -> set[Square]:
    """Enemy pieces attacked by the piece on a square."""
    return {
        target
        for target, piece in board.setup().piece_map().items()
        if piece.color != color and square in board.attackers(color, target)
    }


# A move of a game


class FoundThreat(NamedTuple):
    """Facts of a move, and whether they are complete."""

    facts: Facts
    is_settled: bool
    nodes: int


UNSEEN: Final = FoundThreat(
    Facts(False, False, False, (), (), quiet=Mark.IDLE), is_settled=False, nodes=0
)
"""Move that was not examined."""


def find_move(board: CoreBoard, ply: int, cause: int | None = None) -> FoundThreat:
    """Facts of the move of this ply of a board's game.

    ``cause`` is the ply of the enemy's move that led to its position, by default the previous one:
    in a cycle the last one leads to the first.
    """
    before = max(ply - 1, 0) if cause is None else cause
    replay = board.copy()
    while replay.ply() > before:
        replay.pop()
    setup = replay.setup()
    bare = Setup(setup.board, setup.turn, 0, 1)  # the counters make no difference
    moves = board.move_stack
    has_cause = ply > 0 or cause is not None
    return _find(bare, moves[before] if has_cause else None, moves[ply])


@lru_cache(maxsize=4096)
def _find(start: Setup, reply: Move | None, move: Move) -> FoundThreat:
    """Facts of a move, played from a setup after the enemy's last move; None if there was none."""
    board = CoreBoard(start)
    if reply is not None:
        board.push_unchecked(reply)
    search = GainSearch(NODES_FOR_A_MOVE)
    facts = find_facts(search, board, move)
    return FoundThreat(facts, search.is_settled, NODES_FOR_A_MOVE - search.nodes_left)
