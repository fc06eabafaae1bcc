"""24.17, 26.9: one piece or several: who has to take part for a gain to be there?"""

from functools import cache

from .cxa_threats import Case, Threat, prizes_of
from .gains import EVEN, has_crossed, reaches
from .tactics import EMPTY, Move, attackers, in_check, is_of, kings_face, legal_moves, moved, other

ATTACKING = "RNCP"
ALONE: frozenset[int] = frozenset()
Parts = frozenset[int] | None
"""None: one piece alone; else those of the other pieces that are seen to take part."""


@cache
def parts_of(case: Case, threat: Threat) -> Parts:
    """Pieces that take part in a chase; None if it is heavy (26.9).

    A capture of the dearest victim, or of one of several as dear, is weighed by its roots.  What is
    won by checks or later captures is won by one piece if the checks and captures of no other are
    needed; what moves away with check and lets another piece capture takes no part in that
    (figure 26), unless that could capture anyhow.
    """
    prizes, move = prizes_of(case, threat), threat.move
    if threat.is_direct:
        return parts_of_capture(case.board, case.side, move)
    if reaches(case.board, move, case.question()._replace(alone=True), EVEN):
        return None
    opened = without(case.board, move[0], case.side)
    if opened is None:
        return ALONE
    legal = set(legal_moves(opened, case.side))
    now = set(legal_moves(case.board, case.side))
    for prize in prizes:
        for origin in attackers(opened, prize, case.side):
            capture = (origin, prize)
            board = case.board if capture in now else opened  # as it is, if it is possible anyhow
            if (
                opened[origin].upper() in ATTACKING
                and capture in legal
                and parts_of_capture(board, case.side, capture) is None
            ):
                return None
    return ALONE


def parts_of_capture(board: str, side: str, move: Move) -> Parts:
    """Pieces that take part in a direct attack: a cannon's mount, or what makes up for roots."""
    if board[move[0]] in "Cc":
        for mount in between(*move):
            if is_attacking(board, mount, side):
                parts = parts_of_mount(board, side, move, mount)
                if parts:
                    return parts
    return parts_of_roots(board, side, move)


def parts_of_roots(board: str, side: str, move: Move) -> Parts:
    """A chariot taken by anything else is heavy, and what no root takes back, even if any other
    attacking piece were away (figure 11)."""
    if board[move[1]] in "Rr" and board[move[0]] not in "Rr":
        return None
    after, opponent = moved(board, move), other(side)
    recaptures = [(root, move[1]) for root in attackers(after, move[1], opponent)]
    if set(recaptures) & set(legal_moves(after, opponent)):
        return ALONE
    helpers = frozenset(
        helper
        for helper in attacking_pieces(after, side)
        if helper != move[1] and may_take_back(after, helper, opponent, recaptures)
    )
    return helpers or None


def may_take_back(board: str, helper: int, side: str, recaptures: list[Move]) -> bool:
    """Whether one of the recaptures is legal if the helper is away."""
    bare = without(board, helper, side)
    return bare is not None and bool(set(recaptures) & set(legal_moves(bare, side)))


def parts_of_mount(board: str, side: str, move: Move, mount: int) -> frozenset[int]:
    """The mount takes part if it attacks the victim as well and could not take it alone, or if the
    victim could take it but for the protection of a third attacking piece (reference 39; not so in
    references 35 and 47)."""
    victim = move[1]
    joins = mount in attackers(board, victim, side)
    if joins and parts_of_roots(board, side, (mount, victim)) is not None:
        return frozenset([mount])
    opponent = other(side)
    if in_check(board, side) or victim not in attackers(board, mount, opponent):
        return ALONE
    if takes_unharmed(board, opponent, (victim, mount)):
        return ALONE
    thirds = {
        third
        for third in attackers(board, mount, side)
        if third not in (move[0], mount) and is_attacking(board, third, side)
    }
    freed = {
        third
        for third in thirds
        if (bare := without(board, third, opponent)) is not None
        and takes_unharmed(bare, opponent, (victim, mount))
    }
    return frozenset(freed | {mount}) if freed else ALONE


def takes_unharmed(board: str, side: str, move: Move) -> bool:
    """Whether a capture is no loss on its own square."""
    question = Case(board, side).question()._replace(local=True)
    return move in legal_moves(board, side) and reaches(board, move, question, 1 - EVEN)


def is_attacking(board: str, square: int, side: str) -> bool:
    """Whether a piece of a side stands there that can attack; no soldier on its own half can."""
    piece = board[square]
    if piece == EMPTY or not is_of(piece, side):
        return False
    return piece in "RNCrnc" or (piece in "Pp" and has_crossed(piece, square))


def attacking_pieces(board: str, side: str) -> list[int]:
    """Squares of a side's attacking pieces."""
    return [square for square in range(90) if is_attacking(board, square, side)]


def without(board: str, square: int, side: str) -> str | None:
    """The board without a piece; None if with `side` to move that is no position."""
    if board[square] in "Kk":
        return None
    bare = board[:square] + EMPTY + board[square + 1 :]
    return None if kings_face(bare) or in_check(bare, other(side)) else bare


def between(one: int, other_one: int) -> range:
    """The squares strictly between two of one rank or file; none if they are on neither."""
    low, high = min(one, other_one), max(one, other_one)
    if low // 9 == high // 9:
        return range(low + 1, high)
    return range(low + 9, high, 9) if low % 9 == high % 9 else range(0)
