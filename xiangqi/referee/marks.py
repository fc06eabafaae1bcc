"""Kinds of verdicts, conducts and moves, and reasons: the words of a :class:`Ruling`.

Rule books number the articles of some of them (:mod:`xiangqi.referee.rule_checks`).
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import product
from typing import Final

from xiangqi.pieces import BLACK, PIECE_TERMS, PIECE_TYPES, RED, Color, PieceType

__all__ = [
    "ARTICLE_KEYS",
    "WEIGHED",
    "Clause",
    "Conduct",
    "Finding",
    "GroundKind",
    "Joint",
    "Mark",
    "Offence",
    "Reason",
    "Verdict",
    "chase_key",
    "ground_key",
    "protected_key",
]


class Verdict(Enum):
    """Verdict on a repetition."""

    UNDECIDED = "undecided"
    """The last position has not occurred often enough for a ruling."""
    DRAW = "draw"
    RED_WINS = "red_wins"
    BLACK_WINS = "black_wins"

    @property
    def loser(self) -> Color | None:
        """Side that loses, and so had to change its moves; None if neither does."""
        return _LOSER.get(self)


_LOSER: Final = {Verdict.RED_WINS: BLACK, Verdict.BLACK_WINS: RED}


class Conduct(Enum):
    """Conduct of one side over a cycle, the gravest last. No rule book uses all of them."""

    IDLE = "idle"
    CHASE = "chase"
    LIGHT = "light"
    """Only forbidden moves, at least one of them light, where the book weighs them."""
    HEAVY = "heavy"
    """Only forbidden moves, all of them heavy."""
    CHECK = "check"


WEIGHED: Final = frozenset({Conduct.LIGHT, Conduct.HEAVY})
"""Conducts of a side with only forbidden moves, not all of them checks."""


class Mark(Enum):
    """Mark of one move: its gravest strike, or its kind of allowed move."""

    CHECK = "check"
    KILL = "kill"
    """The move threatens to mate by checks alone."""
    CHASE = "chase"
    EXCHANGE = "exchange"
    """The move offers a piece for an enemy piece of the same kind."""
    OFFER = "offer"
    """The move offers a piece without compensation."""
    BLOCK = "block"
    """The move obstructs an enemy piece."""
    FOLLOW = "follow"
    """The move attacks a protected piece."""
    IDLE = "idle"

    @property
    def is_strike(self) -> bool:
        """Is it a check, kill or chase, which some rule book forbids to repeat for ever?"""
        return self in _STRIKES


_STRIKES: Final = frozenset({Mark.CHECK, Mark.KILL, Mark.CHASE})


class Reason(Enum):
    """Reason why an attack is a chase or not; the first applicable one."""

    UNCROSSED_PAWN = "uncrossed_pawn"
    """The victim is a soldier that has not crossed the river."""
    KING_OR_PAWN = "king_or_pawn"
    """The attacker is a general or a soldier, which may attack for ever."""
    PINNED = "pinned"
    """The capture would expose the attacker's own general."""
    EXCHANGE = "exchange"
    """Two pieces of a kind attack each other, and the victim could capture first."""
    PROTECTED = "protected"
    """The capturing piece would be recaptured."""
    STOOD_BEFORE = "stood_before"
    """The threat was there before the move."""
    LINE_EXEMPT = "line_exempt"
    """The attacker did not move; the victim only lost a root whose line runs through it."""
    UNANSWERED = "unanswered"
    """The reply did not parry the threat."""
    CHASE = "chase"
    """The move made the threat, and the reply parried it."""
    PROFIT = "profit"
    """The capture wins material, in a position considered without a move and a reply."""


class Clause(Enum):
    """Reason why a threat does not count, where a chase is a gain; the first applicable one.

    Numbers are articles of the Chinese rules of 2020.
    """

    KING_REPLY = "king_reply"
    """The king moves out of check (26.1.3)."""
    KING_OR_SOLDIER = "king_or_soldier"
    """A king or a soldier attacks by itself (26.1)."""
    LOSING_ROOT = "losing_root"
    """More would be lost elsewhere than won here (26.5)."""
    EVEN_CHASE = "even_chase"
    """The gain would be lost elsewhere (26.5)."""
    MATED = "mated"
    """The side that carries out the threat would be mated in reply (24.3)."""
    STOOD_BEFORE = "stood_before"
    """The threat was there before the move (24.3)."""
    REPLY = "reply"
    """The attack existed before the reply to a check, and the moved piece takes no part in it
    (26.1.4)."""
    OWN_DOING = "own_doing"
    """The opponent's last move made the threat, not this move."""
    KEY_POINT = "key_point"
    """The last attacking piece prevents a loss, and also attacks an advisor or elephant (26.2)."""


class Joint(Enum):
    """Reason why a chase is light (CXA 2020, 26.9)."""

    ROOT = "root"
    """A root could recapture: the victim has fewer roots than attackers."""
    FALSE_ROOT = "false_root"
    """A root cannot recapture because of another attacking piece."""
    MOUNT = "mount"
    """A cannon captures over an attacking piece of its own side that takes part."""
    CHECKS = "checks"
    """The line wins by checks or captures of more than one piece."""


class Offence(Enum):
    """Offence of which some rule sets count the rounds; the gravest last."""

    CHASE = "chase"
    MIXTURE = "check_and_chase"
    """Checks and chases in any order."""
    CHECK = "check"


class GroundKind(Enum):
    """Fact that makes a capture profitable, or a threat new, where a chase is a capture."""

    PROTECTED_CHARIOT = "protected_chariot"
    """A horse or a cannon attacks a protected chariot, and gains by the exchange."""
    PINNED_VICTIM = "pinned_victim"
    """A victim of the attacker's kind cannot take it: that would expose its own general."""
    BLOCKED_LEG = "blocked_leg"
    """A horse cannot take the horse that attacks it, as its leg is blocked."""
    FALSE_ROOT = "false_root"
    """A protector could recapture only by exposing its own general."""
    MOUNT = "mount_moved"
    """The move of another piece makes a cannon attack: it leaves the cannon one mount."""
    UNCOVERED = "uncovered"
    """The move of another piece uncovers an attack: it opens a line, or frees a horse's leg."""
    UNROOTED = "unrooted"
    """The move of another piece takes the victim's protection away."""


class Finding(Enum):
    """Finding on the conduct of a side or of both, for which rule books have articles."""

    PERPETUAL_CHECK = "perpetual_check"
    CHECKS_AND_CHASES = "checks_and_chases"
    """A side checks and chases by turns."""
    SOME_CHECKS = "some_checks"
    """A side checks, but not with every move."""
    NO_COMMON_VICTIM = "no_common_victim"
    """A side chases with every move, but not one piece."""
    FORBIDDEN = "forbidden"
    """All moves of a side are forbidden, in any mixture."""
    ONE_ALLOWED = "one_allowed"
    """A side makes forbidden moves and at least one allowed one."""
    BOTH_CHECK = "both_check"
    BOTH_CHASE = "both_chase"
    BOTH_ALLOWED = "both_allowed"
    BOTH_FORBIDDEN = "both_forbidden"
    ONE_FORBIDDEN = "one_forbidden"
    """One side's moves are forbidden, and those of the other are allowed."""


def chase_key(attacker: PieceType, victim: PieceType) -> str:
    """Key of the articles on chases of one kind of piece by another.

    >>> from xiangqi.pieces import CANNON, ROOK
    >>> chase_key(CANNON, ROOK)
    'chariot_by_cannon'
    """
    return f"{PIECE_TERMS[victim]}_by_{PIECE_TERMS[attacker]}"


def protected_key(attacker: PieceType, victim: PieceType) -> str:
    """Key of the articles on attacks of one kind of piece on a protected one of another."""
    return f"protected_{chase_key(attacker, victim)}"


def ground_key(kind: GroundKind, piece: PieceType, by: PieceType | None = None) -> str:
    """Key of the articles on a ground with one kind of piece, and of the piece that pins it.

    >>> from xiangqi.pieces import KNIGHT, PAWN, ROOK
    >>> ground_key(GroundKind.PINNED_VICTIM, ROOK, KNIGHT), ground_key(GroundKind.UNCOVERED, PAWN)
    ('pinned_victim_chariot_by_horse', 'uncovered_soldier')
    """
    own = f"{kind.value}_{PIECE_TERMS[piece]}"
    return own if by is None else f"{own}_by_{PIECE_TERMS[by]}"


def _list_keys() -> Iterator[str]:
    for kind in (Mark, Conduct, Reason, Clause, Joint, GroundKind, Finding):
        yield from (one.value for one in kind.__members__.values())
    for piece, other in product(PIECE_TYPES, PIECE_TYPES):
        yield chase_key(piece, other)
        yield protected_key(piece, other)
        yield from (ground_key(ground, piece, other) for ground in GroundKind)
    yield from (ground_key(ground, piece) for ground in GroundKind for piece in PIECE_TYPES)


ARTICLE_KEYS: Final = frozenset(_list_keys())
"""Parts of a ruling for which a rule book may name its articles."""
