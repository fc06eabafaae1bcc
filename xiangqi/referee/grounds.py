"""Grounds of attacks: facts of a position that make a capture profitable, or a threat new.

They are found when a ruling is explained, for the words and the JSON data of an attack.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.ground.errors import PositionError
from xiangqi.pieces import CANNON, KNIGHT, ROOK, Piece, Square
from xiangqi.pieces.fen import Setup
from xiangqi.referee.counters import make_threat
from xiangqi.referee.marks import GroundKind, Mark, Reason
from xiangqi.referee.ruling import FalseRoot, PlyReport, Proof, Ruling, Threat, Victim

__all__ = [
    "PROFITABLE",
    "Ground",
    "find_grounds",
    "grounds_of",
    "grounds_of_proof",
    "list_false_roots",
]

PROFITABLE: Final = frozenset({Reason.CHASE, Reason.PROFIT})
"""Reasons of attacks that win material."""
_CHARIOT_FOR_LESS: Final = {(KNIGHT, ROOK), (CANNON, ROOK)}
"""Attackers and victims of which protection does not matter."""


@dataclass(frozen=True, slots=True)
class Ground:
    """Ground of an attack, with the pieces on which it rests."""

    kind: GroundKind
    piece: Victim | None = None
    """Piece concerned: the protector, the moved piece, or the victim that cannot take back."""
    by: Victim | None = None
    """Piece that pins or blocks it; None if none does, or the generals would face each other."""


def grounds_of(ruling: Ruling, report: PlyReport, threat: Threat) -> tuple[Ground, ...]:
    """Grounds of an attack in a ruling: of a chase by a piece that did not move also the change
    that the moved piece made."""
    now, before = (ruling.trace.cells(report.ply + plies) for plies in (1, 0))
    found = find_grounds(threat, now)
    if not threat.is_chase or threat.attacker == report.move.to_square:
        return found
    earlier = CoreBoard(Setup(before, report.color))
    if threat.victim not in earlier.attacks(threat.attacker):
        return (*found, _uncovered(report, earlier, threat.attacker))
    for attack in earlier.list_attacks(report.color, ruling.rules.switches):
        if attack[:2] == (threat.attacker, threat.victim):
            was_protected = make_threat(before, *attack).is_protected
            return (*found, Ground(GroundKind.UNROOTED, _moved(report))) if was_protected else found
    return found


@lru_cache(maxsize=512)
def find_grounds(threat: Threat, cells: bytes) -> tuple[Ground, ...]:
    """Grounds of an attack that lie in the position; ``cells`` are its piece codes.

    Empty if the attacker's side gives check, so that it cannot be to move.
    """
    kinds = threat.attacker_piece.piece_type, threat.victim_piece.piece_type
    is_profitable = threat.reason in PROFITABLE
    takes_chariot = is_profitable and kinds in _CHARIOT_FOR_LESS
    is_alike = is_profitable and kinds[0] == kinds[1]
    has_false_root = threat.root is not None and not threat.is_protected
    if not (takes_chariot or is_alike or has_false_root):
        return ()
    try:
        board = CoreBoard(Setup(cells, threat.attacker_piece.color))
    except PositionError:
        return ()
    capture = Move(threat.attacker, threat.victim)
    found: list[Ground] = []
    if takes_chariot:
        after = board.copy()
        after.push_unchecked(capture)
        if any(reply.to_square == threat.victim for reply in after.list_moves("captures")):
            found.append(Ground(GroundKind.PROTECTED_CHARIOT))
    if is_alike:
        found.append(_why_unable(board, threat))
    if has_false_root:
        found += [
            Ground(GroundKind.FALSE_ROOT, false.root, false.pinner)
            for false in list_false_roots(board, capture)
        ]
    return tuple(found)


def _why_unable(board: CoreBoard, threat: Threat) -> Ground:
    """Reason why a victim of the attacker's kind cannot take the attacker."""
    victim = Victim(threat.victim_piece, threat.victim)
    if threat.victim_piece.piece_type == KNIGHT:
        horse, target = threat.victim, threat.attacker
        files, ranks = target % 9 - horse % 9, target // 9 - horse // 9
        leg = horse + (files // 2 if abs(files) > abs(ranks) else 9 * (ranks // 2))
        if board.piece_code_at(leg):
            return Ground(GroundKind.BLOCKED_LEG, victim, _piece_on(board, leg))
    turned = CoreBoard(Setup(board.cells(), threat.victim_piece.color))
    return Ground(GroundKind.PINNED_VICTIM, victim, _pinner(turned, victim, threat.attacker))


def list_false_roots(board: CoreBoard, capture: Move) -> Iterator[FalseRoot]:
    """Pieces whose recapture on the square of a capture would expose their own general.

    The side that captures is to move.
    """
    after = board.copy()
    after.push_unchecked(capture)
    for square in sorted(after.attackers(after.turn, capture.to_square)):
        recapture = Move(square, capture.to_square)
        if after.is_pseudo_legal(recapture) and not after.is_legal(recapture):
            root = _piece_on(after, square)
            yield FalseRoot(root, _pinner(after, root, capture.to_square))


def _pinner(board: CoreBoard, pinned: Victim, target: Square) -> Victim | None:
    """Piece that would attack the general of the side to move if a piece captured on a square."""
    color, after = board.turn, board.copy()
    after.push_unchecked(Move(pinned.square, target))
    attackers = sorted(after.attackers(not color, after.king(color)))
    return _piece_on(after, attackers[0]) if attackers else None


def _piece_on(board: CoreBoard, square: Square) -> Victim:
    return Victim(Piece.from_code(board.piece_code_at(square)), square)


def grounds_of_proof(ruling: Ruling, report: PlyReport, proof: Proof) -> tuple[Ground, ...]:
    """Ground of a line whose first capture wins a piece: the moved piece uncovered the attack."""
    if proof.clause is not None or proof.mark is not Mark.CHASE:
        return ()
    attacker, target = proof.moves[0].from_square, proof.moves[0].to_square
    if attacker == report.move.to_square or all(one.square != target for one in proof.victims):
        return ()
    earlier = CoreBoard(Setup(ruling.trace.cells(report.ply), report.color))
    if target in earlier.attacks(attacker):
        return ()
    return (_uncovered(report, earlier, attacker),)


def _uncovered(report: PlyReport, earlier: CoreBoard, attacker: Square) -> Ground:
    """Ground of an attack that the moved piece uncovers."""
    is_cannon = _piece_on(earlier, attacker).piece.piece_type == CANNON
    return Ground(GroundKind.MOUNT if is_cannon else GroundKind.UNCOVERED, _moved(report))


def _moved(report: PlyReport) -> Victim:
    return Victim(report.piece, report.move.to_square)
