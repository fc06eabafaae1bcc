"""24.3, 26.5: what a side threatens to win from its next move on, and how much it is."""

from functools import cache
from itertools import combinations
from typing import NamedTuple

from .cxa_choices import CHECK_PLIES, GAIN_PLIES
from .gains import EVEN, FLOATED, MATED, REPAID, Question, has_crossed, reaches
from .tactics import (
    EMPTY,
    Move,
    attackers,
    captures,
    checks,
    is_of,
    legal_moves,
    moved,
    other,
)

Moves = frozenset[Move]
NO_MOVES: Moves = frozenset()
LEVELS = ("mated", "loss", "even", "gain")
"""Results of a threat, the best last."""
RANKS = {"P": 1, "A": 2, "B": 2, "N": 4, "C": 4, "R": 8}
"""Ranks of victims by value."""
MATE = MATED - 32
"""A score from which on a side mates, or by its negative is mated."""
MAX_MATERIAL = 3_000
SCORE_STEP = 10
"""Scores that are not even are multiples of it, but for mates."""


class Case(NamedTuple):
    """A position in which a side moves next, the other one passing if need be; exchanges offered,
    which are no part of any line (24.4)."""

    board: str
    side: str
    offers: Moves = NO_MOVES

    def question(self) -> Question:
        """Gain of the side, all pieces taking part."""
        return Question(self.side, GAIN_PLIES, CHECK_PLIES, self.offers)


class Threat(NamedTuple):
    """A capture or check that begins something: the move, its level, whether the capture takes the
    prize, and what it is about: the piece captured first if so, else the dearest pieces that it
    wins or, if the opponent can choose, all of which it takes one."""

    move: Move
    level: str
    is_direct: bool
    victims: frozenset[int]
    won: frozenset[int]
    is_own: str
    """The king or the soldier that captures first (26.1); empty for other pieces."""

    @property
    def counts(self) -> bool:
        """Whether it could be carried out at no loss."""
        return self.level in ("even", "gain")


def first_moves(case: Case) -> list[Move]:
    """First moves of a threat: captures and checks."""
    moves = dict.fromkeys([*captures(case.board, case.side), *checks(case.board, case.side)])
    return [move for move in moves if move not in case.offers]


def is_capture(board: str, move: Move) -> bool:
    """Whether a move takes something."""
    return board[move[1]] != EMPTY


@cache
def offered_exchanges(board: str, side: str) -> Moves:
    """24.4: captures of a piece of the same kind that may take first and loses nothing by that."""
    opponent = other(side)
    question = Case(board, opponent).question()
    return frozenset(
        (attacker, victim)
        for attacker, victim in captures(board, side)
        if board[attacker].upper() == board[victim].upper()
        and (victim, attacker) in legal_moves(board, opponent)
        and reaches(board, (victim, attacker), question, 1 - EVEN)
    )


@cache
def level_of(case: Case, move: Move) -> str | None:
    """24.3, 26.5: what a move begins; None if that is no threat in any edition.

    It gains, or what it gains is lost elsewhere: even.  A capture has to win where it is made; what
    does so and costs more elsewhere counts in 1999 alone, unless mate is the answer.
    """
    if reaches(case.board, move, case.question(), EVEN):
        return "gain"
    takes = is_capture(case.board, move)
    if takes and not wins_on_its_square(case, move):
        return None
    if reaches(case.board, move, case.question(), FLOATED):
        return "even"
    if not takes:
        return None
    return "loss" if reaches(case.board, move, case.question(), 1 - MATE) else "mated"


def wins_on_its_square(
    case: Case, move: Move, idle: int | None = None, alone: bool = False
) -> bool:
    """Whether a capture wins something if both sides go on taking there, or stop."""
    question = case.question()._replace(local=True, idle=idle, alone=alone)
    return reaches(case.board, move, question, EVEN)


@cache
def score_of(case: Case, move: Move) -> int:
    """Score of a gain or an even threat; all mates are one."""
    if mates(case, move):
        return MATE
    if not reaches(case.board, move, case.question(), EVEN):
        return REPAID if reaches(case.board, move, case.question(), REPAID) else FLOATED
    low, high = EVEN // SCORE_STEP, MAX_MATERIAL // SCORE_STEP
    while low < high:
        middle = (low + high + 1) // 2
        if reaches(case.board, move, case.question(), middle * SCORE_STEP):
            low = middle
        else:
            high = middle - 1
    return low * SCORE_STEP


@cache
def mates(case: Case, move: Move) -> bool:
    """Whether a move mates by force."""
    return reaches(case.board, move, case.question(), MATE)


def least_of(level: str) -> int:
    """The score from which on a threat is of a level."""
    return EVEN if level == "gain" else FLOATED


def wins_one_of(case: Case, move: Move, level: str, aims: frozenset[int]) -> bool:
    """Whether a threat wins as it does by taking one of some pieces at least."""
    question = case.question()._replace(aims=aims)
    return bool(aims) and reaches(case.board, move, question, least_of(level))


def enemies(case: Case, kinds: str = "RNCABP") -> frozenset[int]:
    """Squares of the other side's pieces of some kinds."""
    return frozenset(
        square
        for square, piece in enumerate(case.board)
        if piece != EMPTY and not is_of(piece, case.side) and piece.upper() in kinds
    )


def won_by(case: Case, move: Move, level: str) -> tuple[frozenset[int], bool]:
    """The pieces that a threat is sure to take and win by; or those of which it is sure to take one
    of two, or one of three: whether the opponent can so choose.

    A soldier that has not crossed the river is never won (26.7).
    """
    if level not in ("even", "gain") or mates(case, move):
        return frozenset(), False
    worthy = [
        square
        for square in sorted(enemies(case))
        if case.board[square] not in "Pp" or has_crossed(case.board[square], square)
    ]
    for size in (1, 2, 3):
        sets = map(frozenset, combinations(worthy, size))
        winning = [aims for aims in sets if wins_one_of(case, move, level, aims)]
        if winning:
            return frozenset().union(*winning), size > 1
    return frozenset(), False


@cache
def find_threats(case: Case) -> tuple[Threat, ...]:
    """All threats of a side."""
    found = []
    for move in first_moves(case):
        level = level_of(case, move)
        if level is not None:
            won, is_choice = won_by(case, move, level)
            prizes = dearest_of(case, won)
            is_direct = is_capture(case.board, move) and (not prizes or move[1] in prizes)
            victims = won if is_choice else prizes
            if is_direct:
                victims = frozenset([move[1]])
            found.append(Threat(move, level, is_direct, victims, won, own_attacker(case, move)))
    return tuple(found)


def own_attacker(case: Case, move: Move) -> str:
    """26.1: king and soldier may attack for ever; 26.8: not by unveiling another piece's check."""
    piece = case.board[move[0]].upper()
    if piece not in "KP" or not is_capture(case.board, move):
        return ""
    after = moved(case.board, move)
    king = after.index("k" if is_of("P", case.side) else "K")
    return "" if set(attackers(after, king, case.side)) - {move[1]} else piece


def prizes_of(case: Case, threat: Threat) -> frozenset[int]:
    """The dearest of the pieces that a threat wins."""
    return dearest_of(case, threat.won)


def dearest_of(case: Case, squares: frozenset[int]) -> frozenset[int]:
    """Squares of the dearest of some pieces."""
    dearest = max((rank_at(case, square) for square in squares), default=0)
    return frozenset(square for square in squares if rank_at(case, square) == dearest)


def rank_at(case: Case, square: int) -> int:
    """Rank of the piece on a square."""
    return RANKS[case.board[square].upper()]
