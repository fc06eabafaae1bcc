"""Outcomes of games, and the moves that a rule set bars.

:func:`find_outcome` judges a repetition without evidence; ``explanation`` words the reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, Literal

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.ground.errors import quote
from xiangqi.pieces import BLACK, RED, Color, require_color
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
    """The side to move is not in check and has no legal move: it has lost as well."""
    PERPETUAL_CHECK = auto()
    """The loser gave perpetual check."""
    PERPETUAL_CHASE = auto()
    """The loser chased perpetually."""
    PERPETUAL_STRIKE = auto()
    """The loser checked, threatened mate or chased with every move (rules that weigh moves)."""
    REPETITION = auto()
    """The position was repeated by allowed moves: a draw, but in the first rounds of a game some
    rule sets order Red to change (``first_rounds``)."""
    NO_CAPTURE = auto()
    """Draw by the limit of plies without a capture."""
    TOTAL_LIMIT = auto()
    """Draw by the limit of plies in the game."""
    NO_ATTACKERS = auto()
    """Draw: neither side has a chariot, horse, cannon or soldier left."""
    ALL_BARRED = auto()
    """The side to move has lost, as the rule set bars all its legal moves."""
    BARRED_MOVE = auto()
    """The loser made a move that the rule set bars. Boards accept every legal move; programs that
    play by the rule set refuse barred ones."""
    ILLEGAL_MOVE = auto()
    """The loser made an illegal move. Only a record can have one, so :func:`find_outcome` never
    returns this."""

    @property
    def is_repetition(self) -> bool:
        """Did the game end by a repetition or a barred move, so that a ruling has the reason?"""
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

    def __post_init__(self) -> None:
        if not isinstance(self.termination, Termination):
            known = f"one of Termination.{', Termination.'.join(each.name for each in Termination)}"
            raise TypeError(f"termination {quote(self.termination)}: expected {known}")
        if self.winner is not None:
            require_color(self.winner)

    def result(self) -> Literal["1-0", "0-1", "1/2-1/2"]:
        """Result as in PGN: 1-0, 0-1 or 1/2-1/2."""
        return "1/2-1/2" if self.winner is None else win_for(self.winner)


def win_for(color: Color) -> Literal["1-0", "0-1"]:
    """Result of a game that this side has won, as in PGN."""
    return "1-0" if require_color(color) == RED else "0-1"


def find_outcome(board: CoreBoard, rules: RuleSet | str) -> Outcome | None:
    """Outcome of the game, or None if it is not over. The first of these that applies:

    1. The last move was barred by the rule set: its mover has lost.
    2. Checkmate, stalemate, or all legal moves barred: the side to move has lost, even if the same
       move reaches a limit below.
    3. A repetition, once the position has occurred as often as the rule set requires. It precedes
       the draws below, so that no offender saves half a point by continuing until a limit. If
       offenders are barred or ordered to change, the game continues; after an order, only until the
       position occurs again.
    4. The rule set's limit of plies without a capture (60 rounds in the WXF rule book): a draw.
       Some rule sets count only the first checks of each side, see ``free_checks``.
    5. The rule set's limit of plies in all, derived from the move number: a draw.
    6. Neither side has a piece left that may cross the river, if the rule set draws such games, as
       do the Chinese rules for program competitions (中国象棋程序竞赛规则): a draw.

    The WXF rule book leaves the order open; the Chinese rules for program competitions also put
    mate and repetition before the draws. The order of 4 to 6 only decides the termination.
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
    if (
        rules.no_capture_limit is not None
        and _count_quiet_plies(board, rules) >= rules.no_capture_limit
    ):
        return Outcome(Termination.NO_CAPTURE, None)
    if rules.total_limit is not None:
        plies = 2 * (board.fullmove_number - 1) + (board.turn == BLACK)  # of the whole game
        if plies >= rules.total_limit:
            return Outcome(Termination.TOTAL_LIMIT, None)
    if rules.no_attackers == "draw" and not board.can_anyone_attack():
        return Outcome(Termination.NO_ATTACKERS, None)
    return None


def _count_quiet_plies(board: CoreBoard, rules: RuleSet) -> int:
    """Plies without a capture, as the rule set counts them."""
    if rules.free_checks is None:
        return board.halfmove_clock
    return board.quiet_plies(rules.free_checks)


def no_capture_limit_in_search(board: CoreBoard, rules: RuleSet | str) -> int:
    """No-capture limit for a search from this position, in terms of the halfmove clock; 0 for none.

    The plies of the clock that do not count under the rule set are added. All checks in the search
    count, so that it sees a draw too early rather than too late.
    """
    rules = find_rule_set(rules)
    if rules.no_capture_limit is None:
        return 0
    return rules.no_capture_limit + board.halfmove_clock - _count_quiet_plies(board, rules)


def _judge_repetition(board: CoreBoard, rules: RuleSet) -> Outcome | None:
    """Outcome of a repetition; None if undecided or the offender may still change its moves."""
    judgment = Referee(rules).judge_cycle(board)
    offender = judgment.verdict.loser
    if judgment.verdict is Verdict.UNDECIDED:
        return None
    if offender is None:
        return Outcome(Termination.REPETITION, None)
    conduct = judgment.conduct[offender]
    assert conduct is not None  # a verdict with a loser has both conducts
    may_change = must_change(conduct, rules) and board.repetitions() == rules.occurrences
    if rules.penalty == "barred" or may_change:
        return None
    return Outcome(_OFFENCES.get(conduct, Termination.REPETITION), not offender)


# Barred moves: legal moves that a rule set forbids.
#
# Two kinds of rule sets bar moves. A prohibition (superko, as in Go) bars every move that repeats
# an earlier position. With the penalty "barred", an offender does not lose, but may not make the
# move that would be ruled against it. In both cases a move is barred if the referee, called after
# it, rules against its mover, and a side whose moves are all barred has lost.
#
# A barred move repeats a position or, if rounds are counted, follows several plies without a
# capture; so most calls return at once.

_MIN_CYCLE_PLIES: Final = 4
"""Minimum number of plies between two occurrences of a position."""


def barred_moves(board: CoreBoard, rules: RuleSet | str) -> list[Move]:
    """Legal moves that the rule set bars in the last position of a board's game."""
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
    """Was the last move barred? Boards accept every legal move, barred ones included."""
    rules = find_rule_set(rules)
    if rules.rounds is not None:
        return board.count_rows(rules.switches)[2] != 0
    return rules.bars_moves and board.ply() > 0 and _mover_loses(board, rules)


def has_allowed_move(board: CoreBoard, rules: RuleSet | str) -> bool:
    """Has the side to move a legal move that is not barred?"""
    rules = find_rule_set(rules)
    if not rules.bars_moves or not _can_return(board):
        return board.has_legal_move()
    return len(barred_moves(board, rules)) < board.legal_moves.count()


def losing_repetitions(board: CoreBoard, rules: RuleSet | str) -> Iterator[Move]:
    """Yield the legal moves that complete a repetition which is lost for their mover, or exceed the
    rounds of an offence."""
    rules = find_rule_set(rules)
    if not _can_return(board):
        return
    if rules.rounds is not None:
        yield from board.overrunning_moves(rules.switches)
        return
    after = board.copy()
    for move in board.list_moves():
        after.push_unchecked(move)
        if _mover_loses(after, rules):
            yield move
        after.pop()


def lets_lose_by_repetition(board: CoreBoard, move: Move, rules: RuleSet | str) -> bool:
    """Can a reply to this legal move complete a repetition that is lost for the move's own side?"""
    rules = find_rule_set(rules)
    if board.halfmove_clock < _MIN_CYCLE_PLIES - 2 or rules.rounds is not None:
        return False  # with counted rounds, a move is only ruled against its own side
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
    """Can the next move repeat a position, or exceed counted rounds, which take as many plies?"""
    return board.halfmove_clock >= _MIN_CYCLE_PLIES - 1


def _mover_loses(board: CoreBoard, rules: RuleSet) -> bool:
    """Does the referee rule against the side that made the last move?"""
    return Referee(rules).judge_cycle(board).verdict.loser == (not board.turn)
