"""One ply: which enemy pieces it attacks, and for each attack whether it is a chase.

WXF rules: a move chases a piece if after it the piece could be captured at a profit by something
other than a king or a pawn, if this very move made the threat, and if the opponent has answered
it.  Each function below is one clause of that sentence.  `attacker` and `victim` are squares.
"""

from dataclasses import dataclass

from .choices import Choices
from .game import (
    Board,
    Position,
    Square,
    apply,
    attackers,
    between,
    can_go,
    colour,
    enemy,
    is_attacked,
    is_check,
    kind,
    king_safe_after,
    moved,
    on_own_half,
    pieces_of,
    read_move,
    write_square,
)


@dataclass(frozen=True)
class Candidate:
    """An attack that stands after a ply: who, whom (squares after the ply), and what it is.

    The reason is "chase", or the first clause of the rules that makes it none.
    """

    attacker: str
    victim: str
    reason: str


# What a capture needs


def may_capture(board: Board, origin: Square, target: Square, choices: Choices) -> bool:
    """Whether this piece can go there and its own king is safe afterwards.

    Under "pseudo" legality the kings are not looked at.
    """
    if not can_go(board, origin, target):
        return False
    return choices.legality == "pseudo" or king_safe_after(board, origin, target)


def recapturers(board: Board, attacker: Square, victim: Square, choices: Choices) -> list[Square]:
    """The pieces of the victim's side, king and pawns too, that can take back.

    The capture is played first: it may open or close lines, and take away a mount.
    """
    after = moved(board, attacker, victim)
    return [
        square
        for square in pieces_of(after, colour(board[victim]))
        if may_capture(after, square, victim, choices)
    ]


# The five tests of a threat


def is_uncrossed_pawn(board: Board, victim: Square) -> bool:
    """A pawn on its own half of the board may be chased for ever."""
    return kind(board[victim]) == "P" and on_own_half(colour(board[victim]), victim)


def is_king_or_pawn(board: Board, attacker: Square) -> bool:
    """Kings and pawns may chase for ever."""
    return kind(board[attacker]) in "KP"


def is_exchange(board: Board, attacker: Square, victim: Square, choices: Choices) -> bool:
    """Two pieces of a kind that can capture each other: an offer to exchange."""
    same_kind = kind(board[attacker]) == kind(board[victim])
    return same_kind and may_capture(board, victim, attacker, choices)


def protection_matters(board: Board, attacker: Square, victim: Square, choices: Choices) -> bool:
    """Protection does not save a chariot from a horse or a cannon.

    Under "profit" it does not save a chariot, horse or cannon from an advisor or elephant either.
    """
    pair = kind(board[attacker]), kind(board[victim])
    if pair in (("N", "R"), ("C", "R")):
        return False
    minor = pair[0] in "AB" and pair[1] in "RNC"
    return not (choices.minor_attackers == "profit" and minor)


def is_protected(board: Board, attacker: Square, victim: Square, choices: Choices) -> bool:
    """Somebody can take back, and for this pair that counts."""
    return protection_matters(board, attacker, victim, choices) and bool(
        recapturers(board, attacker, victim, choices)
    )


def first_defect(
    board: Board, attacker: Square, victim: Square, choices: Choices, waive_pin: bool = False
) -> str | None:
    """Reason why this attack is no threat, or None if it is one.

    The attacker must be able to go to the victim by its movement.  With `waive_pin` the attacker's
    own king is not looked at.
    """
    if is_uncrossed_pawn(board, victim):
        return "uncrossed_pawn"
    if is_king_or_pawn(board, attacker):
        return "king_or_pawn"
    if not waive_pin and not may_capture(board, attacker, victim, choices):
        return "pinned"
    if is_exchange(board, attacker, victim, choices):
        return "exchange"
    if is_protected(board, attacker, victim, choices):
        return "protected"
    return None


def is_threat(
    board: Board, attacker: Square, victim: Square, choices: Choices, waive_pin: bool = False
) -> bool:
    """Whether the attacker could capture the victim now, at a profit."""
    return (
        can_go(board, attacker, victim)
        and first_defect(board, attacker, victim, choices, waive_pin) is None
    )


def is_threatened(board: Board, victim: Square, choices: Choices, waive_pin: bool = False) -> bool:
    """Whether anybody of the other side could capture the victim now, at a profit."""
    return any(
        is_threat(board, attacker, victim, choices, waive_pin)
        for attacker in pieces_of(board, enemy(colour(board[victim])))
    )


# The two tests of what was there before the move


def waives_pin(before: Position, choices: Choices) -> bool:
    """Whether the mover's old threats are taken without regard to its own king.

    Under "standing" they are if the mover was in check: what it could not carry out for that
    reason alone was there nevertheless, and leaving the check does not make it new.
    """
    return choices.check_escape == "standing" and is_check(before)


def stood_before(before: Position, origin: Square, victim: Square, choices: Choices) -> bool:
    """The same attacker, then on `origin`, threatened the same victim before the move already.

    Under new_threat "victim" it is enough that anybody threatened it.
    """
    waive = waives_pin(before, choices)
    if choices.new_threat == "victim":
        return is_threatened(before.board, victim, choices, waive)
    return is_threat(before.board, origin, victim, choices, waive)


def line_exempt(before: Position, attacker: Square, victim: Square, choices: Choices) -> bool:
    """An attacker that has not moved gains nothing from a root whose line ran through itself.

    Before the move the same attack was sound but for the victim's protection, and everything that
    protected it was a chariot or cannon which looked at the victim through the attacker.
    """
    if not can_go(before.board, attacker, victim):
        return False
    waive = waives_pin(before, choices)
    if first_defect(before.board, attacker, victim, choices, waive) != "protected":
        return False
    return all(
        kind(before.board[root]) in "RC" and attacker in between(root, victim)
        for root in recapturers(before.board, attacker, victim, choices)
    )


# The test of what the opponent did


def is_unanswered(
    after: Position, reply: str, attacker: Square, victim: Square, choices: Choices
) -> bool:
    """After the reply the attacker can still capture the victim, wherever it stands, at a profit.

    Under answered "victim" the reply must have ended everybody's threat to it, under "any" it is
    not looked at.
    """
    if choices.answered == "any":
        return False
    origin, target = read_move(reply)
    now = target if victim == origin else victim
    board = apply(after, reply).board
    if choices.answered == "victim":
        return is_threatened(board, now, choices)
    return is_threat(board, attacker, now, choices)


# All of it


def classify(
    before: Position, move: str, reply: str, attacker: Square, victim: Square, choices: Choices
) -> str:
    """Reason of an attack after the move: the first of the reasons that applies."""
    after = apply(before, move)
    defect = first_defect(after.board, attacker, victim, choices)
    if defect is not None:
        return defect
    left, arrived = read_move(move)
    has_moved = attacker == arrived
    if stood_before(before, left if has_moved else attacker, victim, choices):
        return "stood_before"
    exempts = choices.line_exemption == "exempt" and not has_moved
    if exempts and line_exempt(before, attacker, victim, choices):
        return "line_exempt"
    if is_unanswered(after, reply, attacker, victim, choices):
        return "unanswered"
    return "chase"


def gives_check(before: Position, move: str) -> bool:
    """Whether the enemy king is attacked after the move, by whatever piece, the king included."""
    return is_attacked(apply(before, move), enemy(before.side))


def find_candidates(before: Position, move: str, reply: str, choices: Choices) -> list[Candidate]:
    """Every attack of the mover that stands after the move, with its reason.

    A move that checks has none: it is a check and nothing else (unless the choices say otherwise).
    They are sorted by the names of the squares.
    """
    if gives_check(before, move) and choices.checking_move != "check_and_chase":
        return []
    after = apply(before, move)
    found = [
        Candidate(
            write_square(attacker),
            write_square(victim),
            classify(before, move, reply, attacker, victim, choices),
        )
        for victim in pieces_of(after.board, after.side)
        if kind(after.board[victim]) != "K"
        for attacker in attackers(after.board, victim, before.side)
    ]
    return sorted(found, key=lambda candidate: (candidate.attacker, candidate.victim))
