"""24.3: what captures and checks win, by the question whether a side can reach a result.

Nothing is searched for its value: each question is whether the side gets at least so much by
force, and a score is the largest number of which that is true.  An account is a pair: what one
side has won in halves of a horse, and in crossed soldiers.
"""

from functools import cache
from typing import NamedTuple

from .tactics import (
    EMPTY,
    Move,
    attackers,
    captures,
    checks,
    in_check,
    is_of,
    kings_face,
    legal_moves,
    moved,
    other,
)

WORTH = {"A": 1, "B": 1, "N": 2, "C": 2, "R": 4, "K": 0}
MATED = 20_000
EVEN = 20
"""Scores of less, and more than its negative, are even."""
REPAID = 10
"""Repaid: the gain of the exchange is lost elsewhere."""
FLOATED = 5
"""The same, with only soldiers lost elsewhere for other pieces."""

Account = tuple[int, int]


class Question(NamedTuple):
    """Question about gains: the attacker's side, how far lines go, and what is left out of account.

    No checks without a capture are made from ply `check_plies` on.  `banned` moves and the piece on
    `idle` win nothing; one piece `alone` wins, without the checks of others; `local`: both sides
    only take back on the square of the last capture, or stop; `aims`: nothing is won unless one of
    these pieces is.
    """

    side: str
    plies: int
    check_plies: int
    banned: frozenset[Move] = frozenset()
    idle: int | None = None
    aims: frozenset[int] = frozenset()
    alone: bool = False
    local: bool = False


class Line(NamedTuple):
    """State of a line: its length, the accounts, and what its last moves were."""

    length: int = 0
    total: Account = (0, 0)
    exchange: Account = (0, 0)
    """The account without the attacker's pieces that were taken where they stood, and without its
    soldiers that were taken after something was won."""
    used: int | None = None
    """Square of the attacker's last moved piece, if one is to win alone."""
    crossed: int | None = None
    """Square on which a soldier has just crossed the river."""
    taken: int | None = None
    """Square of the last capture."""
    first: int | None = None
    """Square of the attacker's first capture."""
    entered: frozenset[int] = frozenset()
    """Squares of the attacker's pieces that have moved."""
    aims: frozenset[int] = frozenset()
    """Squares of pieces of which one has to be captured; empty once it is."""


@cache
def score_of(account: Account) -> int:
    """An account as one number, 100 for half a horse, 30 for a soldier.

    26.7: a soldier against other pieces is even, but worth less than a chariot.
    """
    pieces, soldiers = account
    if pieces < 0 or (pieces == 0 and soldiers < 0):
        return -score_of((-pieces, -soldiers))
    if soldiers >= 0:
        return 100 * pieces + 30 * soldiers
    return pieces if pieces < WORTH["R"] else max(100 * pieces + 60 * soldiers, 30)


def outcome(line: Line) -> int:
    """Score of a line for the attacker if it ends here (26.5)."""
    score = score_of(line.total)
    if abs(score) < EVEN and score_of(line.exchange) >= EVEN:
        score = FLOATED if line.total[0] > 0 else REPAID
    return min(score, 0) if line.aims else score


def gain_of(board: str, move: Move, question: Question) -> int:
    """Forced gain of the attacker, who is to move, with this first move."""
    low, high = -MATED, MATED
    while low < high:
        middle = (low + high + 1) // 2
        if reaches(board, move, question, middle):
            low = middle
        else:
            high = middle - 1
    return low


def reaches(board: str, move: Move, question: Question, least: int) -> bool:
    """Whether the attacker wins so much at least by force if it begins with this move."""
    bare = question._replace(aims=frozenset())
    line = _extend(board, move, bare, Line(aims=question.aims))
    return _holds(moved(board, move), other(question.side), bare, line, least)


@cache
def _holds(board: str, side: str, question: Question, line: Line, least: int) -> bool:
    """Whether the attacker gets so much at least from here, `side` being to move.

    Who is not in check may stop.  In check all replies are open, and none of the question's limits
    bind; but where one piece alone is to win, a check that another one gives is none.
    """
    ours = side == question.side
    enough = outcome(line) >= least
    if not ours and question.alone and not question.local:
        back = _pinned_recapture(board, side, line)
        if back is not None and outcome(_extend(board, back, question, line)) < least:
            return False
    if line.length >= question.plies:
        return enough
    is_forced = not question.local and _must_reply(board, side, question, line)
    if not is_forced and enough == ours:
        return ours
    moves = list(legal_moves(board, side)) if is_forced else _choices(board, side, question, line)
    if is_forced and not moves:
        mated = line.length - MATED
        return (mated if ours else -mated) >= least
    opponent = other(side)
    results = (
        _holds(moved(board, move), opponent, question, _extend(board, move, question, line), least)
        for move in moves
    )
    return any(results) if ours else all(results)


def _pinned_recapture(board: str, side: str, line: Line) -> Move | None:
    """A recapture of the piece that has just captured, to win alone, which only another attacking
    piece forbids: that one takes part."""
    if line.taken is None or line.taken != line.used:
        return None
    for root in attackers(board, line.taken, side):
        after = moved(board, (root, line.taken))
        king = after.index("K" if is_of("K", side) else "k")
        if board[root] not in "Kk" and attackers(after, king, other(side)):
            return root, line.taken
    return None


def _must_reply(board: str, side: str, question: Question, line: Line) -> bool:
    if not in_check(board, side):
        return False
    if side == question.side or not question.alone:
        return True
    king = board.index("K" if is_of("K", side) else "k")
    checkers = set(attackers(board, king, other(side)))
    if kings_face(board):
        checkers.add(board.index("k" if is_of("K", side) else "K"))
    return line.used in checkers


def _choices(board: str, side: str, question: Question, line: Line) -> list[Move]:
    """By what a side that may stop can go on: captures, and near the beginning checks.

    One that is in check all the same has its replies to it.
    """
    if in_check(board, side):
        moves = list(legal_moves(board, side))
    else:
        moves = list(captures(board, side))
        if line.length < question.check_plies and not question.local:
            moves += [move for move in checks(board, side) if board[move[1]] == EMPTY]
        moves.sort(key=lambda move: WORTH.get(board[move[1]].upper(), 0), reverse=True)
    return [move for move in moves if _is_counted(board, side, move, question, line)]


def _is_counted(board: str, side: str, move: Move, question: Question, line: Line) -> bool:
    """Whether the question allows a side that may stop to win by this move.

    26.1: what king and soldier attack by themselves is no gain.  They take back, the king only on
    the square of the first capture, which it attacks together with the captor.
    """
    origin, target = move
    if question.local and target != line.taken:
        return False
    if side != question.side:
        return True
    if origin == question.idle or move in question.banned:
        return False
    if question.alone and origin != line.used:
        return False
    piece = board[origin].upper()
    if board[target] == EMPTY or piece not in "KP":
        return True
    return target == line.taken and (piece == "P" or target == line.first)


def has_crossed(piece: str, square: int) -> bool:
    """Whether a soldier stands beyond the river."""
    return square >= 45 if piece == "P" else square < 45


def _extend(board: str, move: Move, question: Question, line: Line) -> Line:
    """The line with one more move."""
    origin, target = move
    piece, victim = board[origin], board[target]
    ours = is_of(piece, question.side)
    total, exchange = line.total, line.exchange
    if victim != EMPTY:
        worth = _worth(victim, target, line)
        total = _add(total, worth, 1 if ours else -1)
        is_given = target in line.entered and not _is_lost_later(victim, target, line)
        if ours or is_given:
            exchange = _add(exchange, worth, 1 if ours else -1)
    crosses = piece in "Pp" and not has_crossed(piece, origin) and has_crossed(piece, target)
    first, used = line.first, line.used
    if ours:
        entered = line.entered - {origin} | {target}
        aims = frozenset() if target in line.aims else line.aims
        first = target if victim != EMPTY and first is None else first
        used = target if question.alone else None
    else:
        entered = line.entered - {target}
        aims = line.aims - {origin} | {target} if origin in line.aims else line.aims
        used = None if used == target else used
    return Line(
        line.length + 1,
        total,
        exchange,
        used,
        target if crosses else None,
        target if victim != EMPTY else None,
        first,
        entered,
        aims,
    )


def _is_lost_later(piece: str, square: int, line: Line) -> bool:
    """Whether a soldier is lost elsewhere, after something was won: not where it has captured."""
    return piece in "Pp" and square != line.taken and score_of(line.exchange) >= EVEN


def _worth(piece: str, square: int, line: Line) -> Account:
    """25.3, 26.7: a soldier that has not crossed the river is nothing, nor is one that just did."""
    if piece in "Pp":
        return (0, int(has_crossed(piece, square) and square != line.crossed))
    return WORTH[piece.upper()], 0


def _add(account: Account, worth: Account, sign: int) -> Account:
    return account[0] + sign * worth[0], account[1] + sign * worth[1]
