"""Facts of one move, independent of the rule set."""

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
    MOVE_NODE_LIMIT,
    RISE,
    GainSearch,
    kind_at,
    with_turn,
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

__all__ = ["UNEXAMINED", "Facts", "MoveFacts", "Novelty", "Threatened", "find_move_facts"]


class Novelty(Enum):
    """Relation of a threat after a move to the threats before it."""

    NEW = "new"
    """The capture was impossible before."""
    IMPROVED = "improved"
    """The capture was possible before, but at a loss."""
    RISEN = "risen"
    """The threat wins more than before."""
    OLD = "old"
    """The threat existed before."""
    OLD_IN_CHECK = "old_in_check"
    """The attack existed before a reply to a check, and the moved piece takes no part in it
    (26.1.4)."""


_BETTER: Final = (Novelty.IMPROVED, Novelty.RISEN)


@dataclass(frozen=True, slots=True)
class Threatened:
    """Threat after a move, with the facts that decide whether the move is a chase."""

    threat: Threat
    novelty: Novelty
    weight: Weight
    takes_part: bool
    """Does the moved piece win the victim, or help to?"""
    made_by_opponent: bool
    """Did the opponent's last move make the threat, not this move?"""
    is_key_point: bool
    """Does it win only advisors and elephants, while the only attacking piece of its side prevents
    a loss (26.2)?"""
    is_own: bool = False
    """Does a king or a soldier attack without the help of other pieces (26.1)?"""
    before: tuple[Move, ...] = ()
    """Line of the same capture before the move, for an improved or risen threat."""

    @property
    def rank(self) -> tuple[int, int]:
        """Key by gain, then by the most valuable victim: the highest is the main threat.

        Threats at a loss are all below others: how much is lost elsewhere does not matter.
        """
        gain = self.threat.line.score if self.threat.level >= ThreatLevel.EVEN else 0
        return gain, self.threat.prize_rank


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts of a move from which a rule set derives its mark."""

    is_check: bool
    is_reply: bool
    """Was the mover in check?"""
    by_king: bool
    kill: tuple[Move, ...]
    """Shortest mate by checks alone that the move threatens, or ()."""
    is_kill_new: bool
    """Did the move make the threat of mate?"""
    threats: tuple[Threatened, ...]
    quiet: Mark
    """Mark of the move if it is not a strike."""
    exchanges: tuple[Move, ...] = ()
    """Captures that the move offers as exchanges (24.4)."""
    watched: tuple[Square, ...] = ()
    """Pieces that the moved piece newly attacks, if ``quiet`` is FOLLOW."""


def find_facts(search: GainSearch, board: CoreBoard, move: Move) -> Facts:
    """Find the facts of a legal move; the board is restored."""
    color, by_king = board.turn, kind_at(board, move.from_square) == KING
    is_reply = board.is_check()
    origin = board.copy()
    board.push_unchecked(move)
    try:
        if board.is_check():
            return Facts(True, is_reply, by_king, (), False, (), quiet=Mark.IDLE)
        exchanges = find_exchanges(search, board, color)
        quiet, watched = find_quiet_mark(search, origin, board, move, exchanges)
        comparison = _Comparison(origin, move, ThreatFinder(search, board, color, exchanges))
        kill = search.find_kill(board, color, exchanges)
        threats = tuple(map(comparison.compare, comparison.finder.find_all()))
        return Facts(
            is_check=False,
            is_reply=is_reply,
            by_king=by_king,
            kill=kill,
            is_kill_new=bool(kill) and comparison.is_kill_new(threats),
            threats=threats,
            quiet=quiet,
            exchanges=tuple(exchanges),
            watched=watched,
        )
    finally:
        board.pop()


def find_exchanges(search: GainSearch, board: CoreBoard, color: Color) -> list[Move]:
    """Captures of a side that offer an exchange (24.4): attacks on a piece of the same kind, which
    could capture first without loss."""
    return [
        move
        for move in with_turn(board, color).list_moves("captures")
        if kind_at(board, move.from_square) == kind_at(board, move.to_square)
        and search.find_score(board, board.turn, Move(move.to_square, move.from_square)) >= EVEN
    ]


@dataclass(frozen=True)
class _Comparison:
    """Positions before and after a move, to compare their threats."""

    origin: CoreBoard
    """Position before the move."""
    move: Move
    finder: ThreatFinder
    """Finder of the threats after the move."""

    def compare(self, threat: Threat) -> Threatened:
        """Compare a threat after the move with those before it."""
        weight = weigh(self.finder, threat)
        if self.origin.is_check():
            novelty = Novelty.NEW if self._is_new_after_check(threat) else Novelty.OLD_IN_CHECK
            earlier: list[Threat] = []
        else:
            earlier = self._find_earlier(threat)
            novelty = self._find_novelty(threat, earlier)
        return Threatened(
            threat=threat,
            novelty=novelty,
            weight=weight,
            takes_part=self.move.to_square in weight.pieces or self._takes_part(threat),
            made_by_opponent=any(self._made_by_opponent(other, threat) for other in earlier),
            is_key_point=self._holds_point and self._wins_minor_pieces(threat),
            is_own=is_own_attack(self.finder, threat),
            before=self._play_before(threat) if novelty in _BETTER else (),
        )

    def _play_before(self, threat: Threat) -> tuple[Move, ...]:
        """Line of the same capture before the move."""
        move = Move(self._origin_of(threat.origin), threat.line.first.to_square)
        lines = self.finder.search.find_lines(
            self.origin, self.finder.color, moves=[move], least=-MATE
        )
        return lines[0].moves if lines and threat.is_capture else ()

    # New threats, 24.3

    @cached_property
    def _before(self) -> list[Threat]:
        """Threats that the mover could have carried out without loss instead of its move."""
        finder = ThreatFinder(self.finder.search, self.origin, self.origin.turn)
        return [
            threat
            for threat in finder.find_all()
            if threat.level >= ThreatLevel.EVEN and not is_own_attack(finder, threat)
        ]

    def _find_earlier(self, threat: Threat) -> list[Threat]:
        """Threats of the same piece to the same victims before the move; of any piece if the threat
        begins with the capture of something else than its prize.

        Attacking a piece and winning it by checks are different threats (figure 28).
        """
        origin = self._origin_of(threat.origin)
        by_any = threat.is_capture and not threat.is_direct
        return [
            other
            for other in self._before
            if (by_any or other.origin == origin)
            and other.is_capture >= threat.is_capture
            and not other.victims.isdisjoint(threat.victims)
        ]

    def _find_novelty(self, threat: Threat, earlier: Sequence[Threat]) -> Novelty:
        """Compare a threat with the earlier ones (24.3).

        It has risen if it was even and wins now, or if it wins at least half a horse more. A
        capture that used to lose something is improved if it is no loss now, unless it costs a
        soldier elsewhere (figure 9, third move).
        """
        if earlier:
            best = max(other.line.score for other in earlier)
            if threat.level is ThreatLevel.GAIN and (
                best < GAIN or threat.line.score >= best + RISE
            ):
                return Novelty.RISEN
            return Novelty.OLD
        if not threat.is_capture:
            return Novelty.NEW
        origin, target = self._origin_of(threat.origin), threat.line.first.to_square
        if origin == target or not self.origin.is_legal(Move(origin, target)):
            return Novelty.NEW
        if threat.level is ThreatLevel.GAIN:
            return Novelty.IMPROVED
        is_paid = threat.level is ThreatLevel.EVEN and threat.line.score != FLOATED
        return Novelty.IMPROVED if is_paid else Novelty.OLD

    def is_kill_new(self, threats: Sequence[Threatened]) -> bool:
        """Does the move make a threat of mate?

        Not if its side could have mated instead, or if it replies to a check and makes none of the
        ``threats`` that mate.
        """
        if self.origin.is_check():
            mates = [one.novelty for one in threats if one.threat.line.score >= MATE]
            return not mates or any(novelty is Novelty.NEW for novelty in mates)
        return all(other.line.score < MATE for other in self._before)

    def _origin_of(self, square: Square) -> Square:
        """Square of the piece before the move."""
        return self.move.from_square if square == self.move.to_square else square

    # Replies to checks, 26.1.4

    def _is_new_after_check(self, threat: Threat) -> bool:
        """Does a reply to a check make the threat (26.1.4)?

        Tested in the position before the reply, where the checking piece may be a mount, a root or
        a block: the threat is new if the capture was not pseudo-legal, if the replying piece
        supports it and did not before, or if the reply cuts off a root.
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

    # Participation of the moved piece

    def _takes_part(self, threat: Threat) -> bool:
        """Does the gain depend on the moved piece, as captor, support or a cannon's mount?"""
        first, moved = threat.line.first, self.move.to_square
        if moved == first.from_square or lies_between(moved, first.from_square, first.to_square):
            return True
        return self._cuts_root(threat) or self._is_needed(threat)

    def _is_needed(self, threat: Threat) -> bool:
        """Does the threat fail if the moved piece neither captures nor checks?"""
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
        """Does the move cut a victim off from a protector?"""
        color = not self.finder.color
        return any(
            not self.origin.attackers(color, victim) <= self.finder.board.attackers(color, victim)
            for victim in threat.victims
        )

    # Threats made by the opponent

    def _made_by_opponent(self, earlier: Threat, threat: Threat) -> bool:
        """Did the threat exist before the move, but not before the opponent's last one (figure 13,
        references 21 and 22)?

        False if that moved the victim: a victim that moves onto an attacked square is still chased.
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

    # Key points, 26.2

    @cached_property
    def _holds_point(self) -> bool:
        """Has the mover one attacking piece, and would a pass lose material or allow mate?"""
        board, search = self.origin, self.finder.search
        if board.is_check() or len(list(list_attackers(board, board.turn))) != 1:
            return False
        return bool(search.find_kill(board, not board.turn)) or any(
            line.score >= GAIN for line in search.find_lines(board, not board.turn)
        )

    def _wins_minor_pieces(self, threat: Threat) -> bool:
        """Does the threat win advisors or elephants only?"""
        pieces = self.finder.board.setup().piece_map().items()
        others = [
            square
            for square, piece in pieces
            if piece.color != self.finder.color and piece.piece_type not in (ADVISOR, BISHOP, KING)
        ]
        return not others or not self.finder.wins(threat, others)


# Marks of moves that are not strikes: exchange, offer, block, follow, idle


def find_quiet_mark(
    search: GainSearch, before: CoreBoard, after: CoreBoard, move: Move, exchanges: Collection[Move]
) -> tuple[Mark, tuple[Square, ...]]:
    """Mark of a move that neither checks nor threatens anything (24.4-24.8): the first that
    applies, with the newly attacked pieces for FOLLOW.
    """
    color, square = before.turn, move.to_square
    if exchanges:
        return Mark.EXCHANGE, ()
    captures = [capture for capture in after.list_moves("captures") if capture.to_square == square]
    lines = search.find_lines(after, after.turn, moves=captures)
    if any(line.score >= GAIN for line in lines):
        return Mark.OFFER, ()
    blocks = any(
        lies_between(square, attacker, target)
        and kind_at(before, attacker) in (ROOK, CANNON)
        and attacker not in after.attackers(not color, target)
        for target, piece in after.setup().piece_map().items()
        if piece.color == color and target != square
        for attacker in before.attackers(not color, target)
    )
    if blocks:
        return Mark.BLOCK, ()
    watched = _victims(after, color, square) - _victims(before, color, move.from_square)
    return (Mark.FOLLOW, tuple(sorted(watched))) if watched else (Mark.IDLE, ())


def _victims(board: CoreBoard, color: Color, square: Square) -> set[Square]:
    """Enemy pieces attacked by the piece on a square."""
    return {
        target
        for target, piece in board.setup().piece_map().items()
        if piece.color != color and square in board.attackers(color, target)
    }


# Moves of a game


class MoveFacts(NamedTuple):
    """Facts of a move, with the cost of finding them."""

    facts: Facts
    is_settled: bool
    """Was the solver within its node limits?"""
    nodes: int


UNEXAMINED: Final = MoveFacts(
    Facts(False, False, False, (), False, (), quiet=Mark.IDLE), is_settled=False, nodes=0
)
"""Placeholder for a move beyond the node limit of its ruling."""


def find_move_facts(board: CoreBoard, ply: int, cause: int | None = None) -> MoveFacts:
    """Find the facts of the move of a ply in a board's game.

    ``cause`` is the ply of the opponent's preceding move, by default ``ply - 1``; for the first
    move of a cycle it is the last one of the cycle.
    """
    before = max(ply - 1, 0) if cause is None else cause
    replay = board.copy()
    while replay.ply() > before:
        replay.pop()
    setup = replay.setup()
    bare = Setup(setup.board, setup.turn, 0, 1)  # without counters, which have no effect
    moves = board.move_stack
    has_cause = ply > 0 or cause is not None
    return _find(bare, moves[before] if has_cause else None, moves[ply])


@lru_cache(maxsize=4096)
def _find(start: Setup, reply: Move | None, move: Move) -> MoveFacts:
    """Facts of a move, cached by setup, the opponent's move from it (if any), and the move."""
    board = CoreBoard(start)
    if reply is not None:
        board.push_unchecked(reply)
    search = GainSearch(MOVE_NODE_LIMIT)
    facts = find_facts(search, board, move)
    return MoveFacts(facts, search.is_settled, MOVE_NODE_LIMIT - search.nodes_left)
