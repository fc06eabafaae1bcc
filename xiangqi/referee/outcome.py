"""End of a game: the one place that knows all endings, for boards, records, matches and pages.

Whoever wants a yes or a no asks :func:`find_outcome`, which judges a repetition without gathering
evidence. Words come afterwards, once: a :class:`~xiangqi.referee.ruling.Ruling` tells why.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final, Literal

from xiangqi.core.board import CoreBoard
from xiangqi.pieces import BLACK, RED, Color
from xiangqi.referee.barring import has_allowed_move, last_move_was_barred
from xiangqi.referee.judging import Referee
from xiangqi.referee.rules import RuleSet
from xiangqi.referee.ruling import Conduct, Verdict, is_told

__all__ = ["Outcome", "Termination", "find_outcome", "no_capture_limit_in_search", "win_for"]


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
    """Too long without a capture: a draw."""
    TOTAL_LIMIT = auto()
    """Too long altogether: a draw."""
    NO_ATTACKERS = auto()
    """Nobody has a chariot, horse, cannon or soldier left, so that neither side can win: a draw."""
    ALL_BARRED = auto()
    """The side to move has legal moves, and the rule set bars them all: it has lost, as if it had
    none."""
    BARRED_MOVE = auto()
    """The loser made a move that the rule set bars. A board takes it, as it takes every move that
    the pieces can make; whoever plays by the rule set does not let it happen."""
    ILLEGAL_MOVE = auto()
    """The loser made a move that is not legal. Only a record tells that; no board lets it happen,
    so :func:`find_outcome` never says so."""

    @property
    def is_repetition(self) -> bool:
        """Did the game end because a position came back, so that a ruling tells why?"""
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
    """Outcome of a game: why, and who won (None for a draw)."""

    termination: Termination
    winner: Color | None

    def result(self) -> Literal["1-0", "0-1", "1/2-1/2"]:
        """The result as records write it: 1-0, 0-1 or 1/2-1/2."""
        return "1/2-1/2" if self.winner is None else win_for(self.winner)


def win_for(color: Color) -> Literal["1-0", "0-1"]:
    """The result of a game that this side has won."""
    return "1-0" if color == RED else "0-1"


def find_outcome(board: CoreBoard, rules: RuleSet) -> Outcome | None:
    """Outcome of the game, or None while it goes on. The first of these that holds:

    1. The last move was barred by the rule set: its mover has lost.
    2. Checkmate or stalemate: the side to move has lost. The game is over with the move that does
       it; a limit that the same move reaches changes nothing. So has a side whose legal moves are
       all barred.
    3. A repetition, once the position has occurred as often as the rule set asks for, as its rules
       on perpetual check and chase judge it (WXF by default). It comes before the draws, so that
       no offender saves half a point by going on until the limit. Where offenders are barred, one
       who is to move has to change, and the game goes on; so it does where they are told to
       change, until the position has come once more.
    4. The rule set's limit of plies without a capture (the 60 rounds of the WXF rule book): a draw.
       By some rule sets only the first checks of each side count, see ``free_checks``.
    5. The rule set's limit of plies in all, counted by the number of the move: a draw.
    6. Neither side has a piece left that may cross the river, and the rule set draws such games
       (the Chinese rules for program competitions do, 中国象棋程序竞赛规则): a draw.

    The WXF rule book leaves the order open; the Chinese rules for program competitions, too, put
    mate and repetition before the draws. The order of these settles no more than the name.
    """
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
    """The plies without a capture, as the rule set counts them."""
    if rules.free_checks is None:
        return board.halfmove_clock
    return board.quiet_plies(rules.free_checks)


def _count_all(board: CoreBoard) -> int:
    """The plies of the game until now."""
    return 2 * (board.fullmove_number - 1) + (board.turn == BLACK)


def no_capture_limit_in_search(board: CoreBoard, rules: RuleSet) -> int:
    """The limit for a search from this position, which counts every ply; 0 for none.

    What does not count by the rule set is added to it once, here. The checks of the search itself
    count, so that it sees a draw too early rather than too late.
    """
    if rules.no_capture_limit is None:
        return 0
    return rules.no_capture_limit + board.halfmove_clock - _count_quiet(board, rules)


def _judge_repetition(board: CoreBoard, rules: RuleSet) -> Outcome | None:
    """Outcome of a repetition; None where the offender has to change and it goes on."""
    judgment = Referee(rules).judge_cycle(board)
    offender = judgment.verdict.loser
    if judgment.verdict is Verdict.UNDECIDED:
        return None
    if offender is None:
        return Outcome(Termination.REPETITION, None)
    conduct = judgment.conduct[offender]
    assert conduct is not None  # where somebody loses both sides have been judged
    may_change = is_told(conduct, rules) and board.repetitions() == rules.occurrences
    if rules.penalty == "barred" or may_change:
        return None
    return Outcome(_OFFENCES[conduct], not offender)
