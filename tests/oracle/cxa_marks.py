"""Chapter 26: what one move is marked as: check, kill, chase or idle, and how heavy it weighs.

Exchange, offer, block and follow (24.4-24.7) are idle (24.8) and get no names here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from .cxa_choices import CXA2020, KILL_CHECKS, Edition
from .cxa_gain import Threat, find_threats
from .cxa_kill import is_kill, mates_within
from .cxa_material import NOTHING, worth
from .cxa_views import Ply, one_view
from .tactics import EMPTY, Move, in_check, is_of, moved, other

STRIKES = ("check", "kill", "chase")
LEVELS = ("loss", "even", "gain")
"""What a threat comes to, the best last."""


@dataclass(frozen=True)
class PlyMark:
    """The mark of a move; for a strike whether it is heavy (26.9)."""

    mark: str
    heavy: bool = False

    @property
    def is_strike(self) -> bool:
        """24.13: forbidden if nothing else is played."""
        return self.mark in STRIKES


IDLE = PlyMark("idle")


def mark_move(
    ply: Ply, cause: Ply | None, edition: Edition = CXA2020, soldiers: bool = False
) -> PlyMark:
    """The mark of a move; `cause` is the opponent's move that led to it, if any.

    With `soldiers` what a soldier attacks alone counts as well (1999, where both sides strike).
    """
    return gravest(*one_view((ply, cause)), edition, soldiers)


@cache
def gravest(ply: Ply, cause: Ply | None, edition: Edition, soldiers: bool) -> PlyMark:
    """26.4: the gravest of what a move does."""
    before, side, move = ply
    after = moved(before, move)
    if in_check(after, other(side)):
        return PlyMark("check", heavy=True)
    if is_kings_reply(before, side, move) and edition.king_reply == "idle":
        return IDLE
    if is_kill(after, side):
        return PlyMark("kill", heavy=True)
    chases = tuple(
        threat
        for threat in new_threats(ply, edition, soldiers)
        if cause is None or not is_self_inflicted(threat, ply, cause, edition, soldiers)
    )
    if not chases or is_held_point(before, after, side, chases, edition):
        return IDLE
    return PlyMark("chase", any(threat.single for threat in chases))


def is_kings_reply(before: str, side: str, move: Move) -> bool:
    """26.1.3: whether the king goes out of check."""
    return in_check(before, side) and before[move[0]] in "Kk"


# New threats


def new_threats(ply: Ply, edition: Edition, soldiers: bool) -> tuple[Threat, ...]:
    """24.3: the threats that this move made.

    They are compared with the position before the move, the opponent's reply already made.
    """
    before, side, move = ply
    old = find_threats(before, side, "all", soldiers, edition.roots)
    levels = levels_before(old, move)
    now = find_threats(moved(before, move), side, "all", soldiers, edition.roots)
    return tuple(threat for threat in now if is_new(threat, levels, move))


def levels_before(threats: Iterable[Threat], move: Move) -> dict[tuple[int, int], str]:
    """The best level of each attacker's threat to each victim, by the squares after the move."""
    origin, target = move
    levels: dict[tuple[int, int], str] = {}
    for threat in threats:
        attacker = target if threat.attacker == origin else threat.attacker
        for victim in threat.victims:
            best = levels.get((attacker, victim), threat.level)
            levels[attacker, victim] = max(best, threat.level, key=LEVELS.index)
    return levels


def is_new(threat: Threat, levels: dict[tuple[int, int], str], move: Move) -> bool:
    """Figure 5, references 6 and 37: a threat that was there is not made again.

    One that came out even and now gains is new (figure 27, reference 49), unless it takes several
    pieces of which the moved one is none (reference 37).  One that would have lost more than it
    won, which counts in 1999 alone, is new if it now does not.
    """
    takes_part = move[1] in {origin for origin, _ in threat.line[::2]}
    before = [levels.get((threat.attacker, victim)) for victim in threat.victims]
    rises = threat.level == "gain" and "even" in before
    mends = threat.level != "loss" and "loss" in before
    return None in before or mends or (rises and (threat.single or takes_part))


def is_self_inflicted(
    threat: Threat, ply: Ply, cause: Ply, edition: Edition, soldiers: bool
) -> bool:
    """Figure 13, references 21 and 22: whether the opponent's own move brought the threat about.

    It was there when he had moved, but for what he could take in return, and was not before.
    """
    before, side, move = ply
    earlier, _, (origin, target) = cause
    aim = threat.line[0][1]
    then = origin if aim == target else aim
    stood = first_steps(find_threats(before, side, "related", soldiers, edition.roots), move)
    first = first_steps(find_threats(earlier, side, "related", soldiers, edition.roots), move)
    return (threat.attacker, aim) in stood and (threat.attacker, then) not in first


def first_steps(threats: Iterable[Threat], move: Move) -> set[Move]:
    """How threats begin that lose nothing: the attacker, by its square after the move, and where it
    goes."""
    origin, target = move
    return {
        (target if threat.attacker == origin else threat.attacker, threat.line[0][1])
        for threat in threats
        if threat.level != "loss"
    }


# Holding a point


def attacking_pieces(board: str, side: str) -> int:
    """How many pieces of a side can attack: chariots, horses, cannons, soldiers that crossed."""
    return sum(
        piece.upper() in "RNCP" and worth(board, square) != NOTHING
        for square, piece in enumerate(board)
        if piece != EMPTY and is_of(piece, side)
    )


def is_held_point(
    before: str, after: str, side: str, chases: tuple[Threat, ...], edition: Edition
) -> bool:
    """26.2: who holds the draw with one attacking piece, and needs the point for it, may attack
    advisors and elephants by the way.

    The point is needed if without the move the opponent would mate or win something.
    """
    victims = {after[victim] for threat in chases for victim in threat.victims}
    if attacking_pieces(after, side) != 1 or not victims <= set("ABab"):
        return False
    opponent = other(side)
    return mates_within(before, opponent, KILL_CHECKS) or bool(
        find_threats(before, opponent, "all", False, edition.roots)
    )
