"""What captures and checks win, by looking at every line.

An account is a pair: what one side has won in halves of a horse, and in crossed soldiers.
"""

from dataclasses import dataclass

from .game import (
    Position,
    Square,
    apply,
    colour,
    is_check,
    kind,
    legal_moves,
    on_own_half,
    read_move,
)

WORTH = {"A": 1, "B": 1, "N": 2, "C": 2, "R": 4}
MATED = 20_000


@dataclass(frozen=True)
class Question:
    """Who wins what: the attacker's side, how far lines go, and what is left out of account."""

    side: str
    plies: int
    check_plies: int
    banned: frozenset[str] = frozenset()
    idle: Square | None = None
    alone: bool = False
    local: bool = False


@dataclass(frozen=True)
class Line:
    """Where a line stands: its length, the account, and what its last moves were."""

    length: int = 0
    pieces: int = 0
    soldiers: int = 0
    used: Square | None = None
    """Where the attacker's piece that moved last stands."""
    crossed: Square | None = None
    """Where a soldier has just crossed the river."""
    taken: Square | None = None
    """Where the last move captured."""


def score_of(pieces: int, soldiers: int) -> int:
    """An account as one number, 100 for half a horse, 30 for a soldier.

    A soldier against other pieces is even, but worth less than a chariot.
    """
    if pieces < 0 or (pieces == 0 and soldiers < 0):
        return -score_of(-pieces, -soldiers)
    if soldiers >= 0:
        return 100 * pieces + 30 * soldiers
    return pieces if pieces < WORTH["R"] else max(100 * pieces + 60 * soldiers, 30)


def gain_of(position: Position, move: str, question: Question) -> int:
    """What the side to move wins by force if it begins with this move."""
    return -_best(apply(position, move), question, _extend(position, move, question, Line()))


def _extend(position: Position, move: str, question: Question, line: Line) -> Line:
    """The line with one more move."""
    board, side = position.board, position.side
    origin, target = read_move(move)
    sign = 1 if side == question.side else -1
    victim = board.get(target)
    pieces, soldiers = line.pieces, line.soldiers
    if victim is not None and kind(victim) != "P":
        pieces += sign * WORTH[kind(victim)]
    elif victim and not on_own_half(colour(victim), target) and line.crossed != target:
        soldiers += sign
    left_home = on_own_half(side, origin) and not on_own_half(side, target)
    used = target if side == question.side else line.used
    if side != question.side and line.used == target:
        used = None
    return Line(
        line.length + 1,
        pieces,
        soldiers,
        used,
        target if kind(board[origin]) == "P" and left_home else None,
        target if victim else None,
    )


def _best(position: Position, question: Question, line: Line) -> int:
    """The best outcome for the side to move, which may stop unless it must reply to a check."""
    ours = position.side == question.side
    now = score_of(line.pieces, line.soldiers) * (1 if ours else -1)
    if line.length >= question.plies:
        return now
    must_reply = is_check(position) and not question.local
    outcomes = [line.length - MATED if must_reply else now]
    for move in legal_moves(position):
        if must_reply or _is_counted(position, move, question, line):
            extended = _extend(position, move, question, line)
            outcomes.append(-_best(apply(position, move), question, extended))
    return max(outcomes)


def _is_counted(position: Position, move: str, question: Question, line: Line) -> bool:
    """Does the question allow a side that is not in check to win by this move?"""
    origin, target = read_move(move)
    captures = target in position.board
    if question.local and line.taken != target:
        return False
    may_check = line.length < question.check_plies and not question.local
    if not captures and not (may_check and is_check(apply(position, move))):
        return False
    if position.side != question.side:
        return True
    if origin == question.idle or move in question.banned:
        return False
    if question.alone and origin != line.used:
        return False
    own_attack = kind(position.board[origin]) in "KP" and captures and target != line.taken
    return not own_attack
