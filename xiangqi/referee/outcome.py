"""End of a game, and the moves that a rule set bars: for boards, records, matches and pages.

:func:`find_outcome` judges a repetition without gathering evidence; ``explanation`` formats the
reasons.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, Literal

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.pieces import BLACK, RED, Color
from xiangqi.referee.judging import Referee
from xiangqi.referee.rules import RuleSet, find_rule_set
from xiangqi.referee.ruling import Conduct, Verdict, must_change

__all__ = [
    "Outcome",
    "Termination",
    "barred_moves",
    "find_outcome",
    "has_allowed_move",
    "is_barred",
    "last_move_was_barred",
    "lets_lose_by_repetition",
    "losing_repetitions",
    "no_capture_limit_in_search",
    "win_for",
]


class Termination(Enum):
    """Reason for the end of a game."""

    CHECKMATE = auto()
    """The side to move is in check and has no legal move: it has lost."""
    STALEMATE = auto()
    """The side to move is not in check and has no legal move: it has lost all the same."""
    PERPETUAL_CHECK = auto()
    """The loser checked for ever while the other did not."""
    PERPETUAL_CHASE = auto()
    """The loser chased for ever while the other did neither."""
    PERPETUAL_STRIKE = auto()
    """The loser checked, threatened mate or chased with every move, worse than the other did."""
    REPETITION = auto()
    """The position came back and neither side did worse than the other: a draw."""
    NO_CAPTURE = auto()
    """Draw by the limit of plies without a capture."""
    TOTAL_LIMIT = auto()
    """Draw by the limit of plies in the game."""
    NO_ATTACKERS = auto()
    """Nobody has a chariot, horse, cannon or soldier left, so that neither side can win: a draw."""
    ALL_BARRED = auto()
    """The side to move has legal moves, and the rule set bars them all: it has lost, as if it had
    none."""
    BARRED_MOVE = auto()
    """The loser made a move that the rule set bars. A board allows it, as it allows every legal
    move; programs that play by the rule set do not."""
    ILLEGAL_MOVE = auto()
    """The loser made an illegal move. Only a record can hold one, so :func:`find_outcome` never
    returns this."""

    @property
    def is_repetition(self) -> bool:
        """Did the game end by a repetition, so that a ruling has the reason?"""
        return self in _REPETITIONS


_REPETITIONS: Final = frozenset(
    {
        Termination.PERPETUAL_CHECK,
        Termination.PERPETUAL_CHASE,
        Termination.PERPETUAL_STRIKE,
        Termination.REPETITION,
        Termination.BARRED_MOVE,
    }
)
_OFFENCES: Final = {
    Conduct.CHECK: Termination.PERPETUAL_CHECK,
    Conduct.CHASE: Termination.PERPETUAL_CHASE,
    Conduct.LIGHT: Termination.PERPETUAL_STRIKE,
    Conduct.HEAVY: Termination.PERPETUAL_STRIKE,
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of a game: the termination, and the winner (None for a draw)."""

    termination: Termination
    winner: Color | None

    def result(self) -> Literal["1-0", "0-1", "1/2-1/2"]:
        """Result as in records: 1-0, 0-1 or 1/2-1/2."""
        return "1/2-1/2" if self.winner is None else win_for(self.winner)


def win_for(color: Color) -> Literal["1-0", "0-1"]:
    """The result of a game that this side has won."""
    return "1-0" if color == RED else "0-1"


def find_outcome(board: CoreBoard, rules: RuleSet | str) -> Outcome | None:
    """Outcome of the game, or None while it goes on. The first of these that holds:

    1. The last move was barred by the rule set: its mover has lost.
    2. Checkmate or stalemate: the side to move has lost. The game is over with the move that does
       it; a limit that the same move reaches changes nothing. So has a side whose legal moves are
       all barred.
    3. A repetition, once the position has occurred as often as the rule set requires, as its rules
       on perpetual check and chase judge it (WXF by default). It comes before the draws, so that
       no offender saves half a point by going on until the limit. Where offenders are barred, one
       who is to move has to change, and the game goes on; so it does where they are ordered to
       change, until the position has come once more.
    4. The rule set's limit of plies without a capture (the 60 rounds of the WXF rule book): a draw.
       By some rule sets only the first checks of each side count, see ``free_checks``.
    5. The rule set's limit of plies in all, counted by the number of the move: a draw.
    6. Neither side has a piece left that may cross the river, and the rule set draws such games
       (the Chinese rules for program competitions do, 中国象棋程序竞赛规则): a draw.

    The WXF rule book leaves the order open; the Chinese rules for program competitions, too, put
    mate and repetition before the draws. The order of these settles no more than the name.
    """
    rules = find_rule_set(rules)
    if last_move_was_barred(board, rules):
        return Outcome(Termination.BARRED_MOVE, board.turn)
    if not board.has_legal_move():
        mated = Termination.CHECKMATE if board.is_check() else Termination.STALEMATE
        return Outcome(mated, not board.turn)
    if rules.bars_moves and not has_allowed_move(board, rules):
        return Outcome(Termination.ALL_BARRED, not board.turn)
    if board.repetitions() >= rules.occurrences:
        outcome = _judge_repetition(board, rules)
        if outcome is not None:
            return outcome
    if rules.no_capture_limit is not None and _count_quiet(board, rules) >= rules.no_capture_limit:
        return Outcome(Termination.NO_CAPTURE, None)
    if rules.total_limit is not None and _count_all(board) >= rules.total_limit:
        return Outcome(Termination.TOTAL_LIMIT, None)
    if rules.no_attackers == "draw" and not board.can_anyone_attack():
        return Outcome(Termination.NO_ATTACKERS, None)
    return None


def _count_quiet(board: CoreBoard, rules: RuleSet) -> int:
    """Plies without a capture, as the rule set counts them."""
    if rules.free_checks is None:
        return board.halfmove_clock
    return board.quiet_plies(rules.free_checks)


def _count_all(board: CoreBoard) -> int:
    """Number of plies of the game so far."""
    return 2 * (board.fullmove_number - 1) + (board.turn == BLACK)


def no_capture_limit_in_search(board: CoreBoard, rules: RuleSet | str) -> int:
    """No-capture limit for a search from this position, which counts every ply; 0 for none.

    Plies that do not count under the rule set are added here. The checks of the search itself
    count, so that it sees a draw too early rather than too late.
    """
    rules = find_rule_set(rules)
    if rules.no_capture_limit is None:
        return 0
    return rules.no_capture_limit + board.halfmove_clock - _count_quiet(board, rules)


def _judge_repetition(board: CoreBoard, rules: RuleSet) -> Outcome | None:
    """Outcome of a repetition; None where the offender has to change and the game goes on."""
    judgment = Referee(rules).judge_cycle(board)
    offender = judgment.verdict.loser
    if judgment.verdict is Verdict.UNDECIDED:
        return None
    if offender is None:
        return Outcome(Termination.REPETITION, None)
    conduct = judgment.conduct[offender]
    assert conduct is not None  # where somebody loses both sides have been judged
    may_change = must_change(conduct, rules) and board.repetitions() == rules.occurrences
    if rules.penalty == "barred" or may_change:
        return None
    return Outcome(_OFFENCES[conduct], not offender)


# Barred moves: the pieces could make them, and the rule set does not let them.
#
# Two kinds of rule sets bar moves. A prohibition, the superko of Go, bars every move that brings an
# earlier position back; only the positions matter. Where the penalty is to be barred, an offender
# does not lose, but may not make the move that would be ruled as lost. Either way a move is barred
# if the referee, called after it, rules against its mover; and a side whose moves are all barred
# has lost, as has one that has none.
#
# Only moves that bring a position back can be barred, or, where rounds are counted, those that
# follow some without a capture; so most calls cost nothing.

_FASTEST_RETURN: Final = 4
"""Minimum number of plies after which a position can return."""


def barred_moves(board: CoreBoard, rules: RuleSet | str) -> list[Move]:
    """The legal moves that the rule set bars in this position of a game."""
    rules = find_rule_set(rules)
    if rules.prohibition != "none":
        return board.prohibited_moves(rules.switches)
    return list(losing_repetitions(board, rules)) if rules.bars_moves else []


def is_barred(board: CoreBoard, move: Move, rules: RuleSet | str) -> bool:
    """Does the rule set bar this legal move?"""
    rules = find_rule_set(rules)
    if not rules.bars_moves or not _can_return(board):
        return False
    after = board.copy()
    after.push_unchecked(move)
    return last_move_was_barred(after, rules)


def last_move_was_barred(board: CoreBoard, rules: RuleSet | str) -> bool:
    """Was the last move barred?

    A board takes every legal move: barred moves are reported afterwards.
    """
    rules = find_rule_set(rules)
    if rules.counts_rounds:
        return board.count_rows(rules.switches)[2] != 0
    return rules.bars_moves and board.ply() > 0 and _mover_loses(board, rules)


def has_allowed_move(board: CoreBoard, rules: RuleSet | str) -> bool:
    """Has the side to move a legal move that is not barred?"""
    rules = find_rule_set(rules)
    if not rules.bars_moves or not _can_return(board):
        return board.has_legal_move()
    return len(barred_moves(board, rules)) < board.legal_moves.count()


def losing_repetitions(board: CoreBoard, rules: RuleSet | str) -> Iterator[Move]:
    """Legal moves that complete a repetition ruled as lost for their mover, or continue an offence
    for too many rounds."""
    rules = find_rule_set(rules)
    if not _can_return(board):
        return
    if rules.counts_rounds:
        yield from board.overrunning_moves(rules.switches)
        return
    after = board.copy()
    for move in board.list_moves():
        after.push_unchecked(move)
        if _mover_loses(after, rules):
            yield move
        after.pop()


def lets_lose_by_repetition(board: CoreBoard, move: Move, rules: RuleSet | str) -> bool:
    """Can a reply to this legal move complete a repetition that is ruled as lost for the replying
    side?"""
    rules = find_rule_set(rules)
    if board.halfmove_clock < _FASTEST_RETURN - 2 or rules.counts_rounds:
        return False  # rounds are counted against the side that moves
    mover, after = board.turn, board.copy()
    after.push_unchecked(move)
    referee = Referee(rules)
    for reply in after.list_moves():
        after.push_unchecked(reply)
        if referee.judge_cycle(after).verdict.loser == mover:
            return True
        after.pop()
    return False


def _can_return(board: CoreBoard) -> bool:
    """Can the next move repeat a position? Counted rounds take at least as many plies."""
    return board.halfmove_clock >= _FASTEST_RETURN - 1


def _mover_loses(board: CoreBoard, rules: RuleSet) -> bool:
    """Does the referee rule against the side that has moved last?"""
    return Referee(rules).judge_cycle(board).verdict.loser == (not board.turn)
