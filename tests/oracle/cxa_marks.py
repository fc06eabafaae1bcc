"""Chapter 26: what one move is marked as: check, kill, chase or idle, and how heavy it weighs.

Exchange, offer, block and follow (24.4-24.7) are idle (24.8) and get no names here.
"""

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from .cxa_choices import CXA2020, RISE, Edition
from .cxa_kill import is_kill
from .cxa_threats import (
    NO_MOVES,
    Case,
    Threat,
    enemies,
    find_threats,
    is_capture,
    least_of,
    mates,
    offered_exchanges,
    rank_at,
    score_of,
    wins_on_its_square,
    wins_one_of,
)
from .cxa_weights import attacking_pieces, between, parts_of
from .gains import EVEN, FLOATED, reaches
from .tactics import (
    Move,
    attackers,
    in_check,
    legal_moves,
    moved,
    other,
    pseudo_moves,
)

STRIKES = ("check", "kill", "chase")


class Ply(NamedTuple):
    """The board before a move, who moves, and the move."""

    board: str
    side: str
    move: Move


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


@cache
def mark_move(
    ply: Ply, cause: Ply | None, edition: Edition = CXA2020, soldiers: bool = False
) -> PlyMark:
    """26.4: the gravest of what a move does.

    `cause` is the opponent's move that led to it, if any.  With `soldiers` what a soldier attacks
    alone counts as well (1999, where both sides strike).
    """
    before, side, move = ply
    after = moved(before, move)
    if in_check(after, other(side)):
        return PlyMark("check", heavy=True)
    steps_out = in_check(before, side) and before[move[0]] in "Kk"
    if steps_out and edition.king_reply == "idle":
        return IDLE  # 26.1.3
    offers = offered_exchanges(after, side)
    case = Case(after, side, offers)
    kills = is_kill(after, side, offers)
    must_be_new = edition.kills == "new" or (edition.kills == "king_steps" and steps_out)
    if kills and (not must_be_new or is_new_kill(case, ply)):
        return PlyMark("kill", heavy=True)
    chases = [
        threat
        for threat in find_threats(case)
        if is_chase(case, threat, ply, cause, edition, soldiers)
        and not (kills and is_mate(case, threat))
    ]
    if not chases:
        return IDLE
    return PlyMark("chase", is_heavy(case, chases))


def is_heavy(case: Case, chases: list[Threat]) -> bool:
    """26.4, 26.9: the main threat decides, the one that wins most; of those that win as much the
    one of the dearest piece."""
    ranks = {threat: rank_of(case, threat) for threat in chases}
    main = max(ranks.values())
    return any(parts_of(case, threat) is None for threat in chases if ranks[threat] == main)


def rank_of(case: Case, threat: Threat) -> tuple[int, int]:
    """Rank of a threat by its gain, then by its dearest victim.

    Nothing wins less than what is lost again elsewhere: how much is lost does not matter there.
    """
    pieces = threat.won if threat.counts else threat.victims
    dearest = max((rank_at(case, square) for square in pieces), default=0)
    return score_of(case, threat.move) if threat.counts else -1, dearest


def is_chase(
    case: Case, threat: Threat, ply: Ply, cause: Ply | None, edition: Edition, soldiers: bool
) -> bool:
    """Whether a threat after a move makes the move a chase."""
    if attacks_alone(case, threat) and not (threat.is_own == "P" and soldiers):
        return False  # 26.1
    if threat.level == "mated" or (threat.level == "loss" and edition.roots == "weighed"):
        return False  # 24.3, 26.5
    if in_check(ply.board, ply.side):
        if not is_new_after_check(case, threat, ply):
            return False
    elif not is_new(case, threat, ply, edition) or is_self_inflicted(threat, ply, cause):
        return False
    return not (holds_point(ply.board, ply.side) and wins_minor_pieces_only(case, threat))


def attacks_alone(case: Case, threat: Threat) -> bool:
    """26.1: what a king or a soldier attacks; 26.1.1, 26.1.2: not if others who take back after it
    win for it, on that square, what it could not win alone (26.7)."""
    if not threat.is_own:
        return False
    if wins_on_its_square(case, threat.move, alone=True):
        return True
    return not wins_on_its_square(case, threat.move)


# New, 24.3


def origin_of(ply: Ply, square: int) -> int:
    """Square of the piece before the move."""
    return ply.move[0] if square == ply.move[1] else square


def earlier_threats(threat: Threat, ply: Ply, takes: bool) -> list[Threat]:
    """The threats of the same piece before the move to the same victims, at no loss; of any piece
    if a capture does not take the prize first.

    To attack a piece is another threat than to win it by checks (figure 28).
    """
    earlier = Case(ply.board, ply.side)
    return [
        other_one
        for other_one in find_threats(earlier)
        if other_one.counts
        and not attacks_alone(earlier, other_one)
        and (
            other_one.move[0] == origin_of(ply, threat.move[0]) or (takes and not threat.is_direct)
        )
        and (is_capture(ply.board, other_one.move) or not takes)
        and other_one.victims & threat.victims
    ]


def is_new(case: Case, threat: Threat, ply: Ply, edition: Edition) -> bool:
    """24.3: whether the threat could not be carried out without loss before the move.

    One that was even and gains now, or wins half a horse more than before, is new (figure 27),
    unless it takes several pieces of which the moved one is none (reference 37); not in 1999 (its
    rule 6), where what could be carried out without loss is there already.  A capture that
    would have lost something before is new if now it does not, but not if a soldier elsewhere is
    the price of it (figure 9).
    """
    takes = is_capture(case.board, threat.move)
    earlier = earlier_threats(threat, ply, takes)
    if earlier:
        if threat.level != "gain" or edition.risen == "stood":
            return False
        best = max(score_of(Case(ply.board, ply.side), one.move) for one in earlier)
        rises = best < EVEN or score_of(case, threat.move) >= best + RISE
        return rises and (parts_of(case, threat) is None or takes_part(case, threat, ply))
    capture = (origin_of(ply, threat.move[0]), threat.move[1])
    if not takes or capture not in legal_moves(ply.board, ply.side):
        return True
    if threat.level == "even":
        return score_of(case, threat.move) != FLOATED
    return threat.level == "gain"


def is_new_kill(case: Case, ply: Ply) -> bool:
    """Whether the threat of mate was not there before the move.

    It was if the side could have mated instead; and, of a reply to a check, if each attack that
    mates was there on the board as it stood.
    """
    if not in_check(ply.board, ply.side):
        before = Case(ply.board, ply.side)
        return not any(
            is_mate(before, threat) and not attacks_alone(before, threat)
            for threat in find_threats(before)
        )
    mates = [threat for threat in find_threats(case) if is_mate(case, threat)]
    return not mates or any(is_new_after_check(case, threat, ply) for threat in mates)


def is_mate(case: Case, threat: Threat) -> bool:
    """Whether a threat mates by force."""
    return threat.counts and mates(case, threat.move)


def takes_part(case: Case, threat: Threat, ply: Ply) -> bool:
    """Whether the moved piece wins or helps to win: as captor or mount, in the weighing, by parting
    a victim from a root, or because nothing is won while it does nothing."""
    square = ply.move[1]
    return (
        square == threat.move[0]
        or square in between(*threat.move)
        or square in (parts_of(case, threat) or ())
        or cuts_root(case, threat, ply)
        or is_needed(case, threat, square)
    )


def cuts_root(case: Case, threat: Threat, ply: Ply) -> bool:
    """Whether a victim lost a root, in form, by the move."""
    opponent = other(case.side)
    return any(
        set(attackers(ply.board, victim, opponent)) - set(attackers(case.board, victim, opponent))
        for victim in threat.victims
    )


def is_needed(case: Case, threat: Threat, square: int) -> bool:
    """Whether nothing is won while the piece on a square captures and checks nothing."""
    if not threat.counts:
        return not wins_on_its_square(case, threat.move, idle=square)
    question = case.question()._replace(idle=square)
    return not reaches(case.board, threat.move, question, least_of(threat.level))


# A reply to a check, 26.1.4


def is_new_after_check(case: Case, threat: Threat, ply: Ply) -> bool:
    """26.1.4: a reply to a check counts only for what it newly makes.

    Seen on the board as it stood: the attack is new if it was not there in form, if the replying
    piece cuts off a root, or if it is needed and did not attack the same before.
    """
    capture = (origin_of(ply, threat.move[0]), threat.move[1])
    if capture not in pseudo_moves(ply.board, ply.side):
        return True
    if threat.move[0] == ply.move[1]:
        return False
    if cuts_root(case, threat, ply):
        return True
    supported = any(
        ply.move[0] in attackers(ply.board, victim, ply.side) for victim in threat.victims
    )
    return not supported and is_needed(case, threat, ply.move[1])


# Self-inflicted


def is_self_inflicted(threat: Threat, ply: Ply, cause: Ply | None) -> bool:
    """Figure 13, references 21 and 22: whether the opponent's own move brought the threat about.

    It was there when he had moved and was not before; but not if he moved the victim where it is
    attacked, and not if the moved piece is the one that takes.
    """
    takes = is_capture(moved(ply.board, ply.move), threat.move)
    if cause is None or not takes or threat.move[0] == ply.move[1]:
        return False
    if threat.move[1] == cause.move[1] or in_check(cause.board, cause.side):
        return False
    stood = any(one.move == threat.move for one in earlier_threats(threat, ply, takes))
    first = find_threats(Case(cause.board, ply.side))
    return stood and not any(one.move == threat.move and one.counts for one in first)


# Holding a point, 26.2


@cache
def holds_point(board: str, side: str) -> bool:
    """26.2: who holds the draw with one attacking piece, and needs the point for it, may attack
    advisors and elephants by the way.

    The point is needed if without the move the opponent would mate or win something.
    """
    if len(attacking_pieces(board, side)) != 1 or in_check(board, side):
        return False
    opponent = other(side)
    return is_kill(board, opponent, NO_MOVES) or any(
        threat.level == "gain" for threat in find_threats(Case(board, opponent))
    )


def wins_minor_pieces_only(case: Case, threat: Threat) -> bool:
    """Whether it is no threat unless it takes an advisor or an elephant, and nothing dearer."""
    return not wins_one_of(case, threat.move, threat.level, enemies(case, "RNCP"))
