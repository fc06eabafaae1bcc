"""Rounds of offences in a row, where a rule set counts them instead of occurrences.

Whether a position comes back does not matter then. What matters is how many rounds a side has gone
on checking, chasing one piece, or doing either, and with how many pieces; a capture by either side
begins the count anew.
"""

from __future__ import annotations

from typing import NamedTuple

from xiangqi.core.board import CoreBoard
from xiangqi.pieces import Color
from xiangqi.referee.replay import CONDUCTS, VERDICTS, Evidence, Replay
from xiangqi.referee.rules import RuleSet
from xiangqi.referee.ruling import Conduct

__all__ = ["Overrun", "find_overrun"]


class Overrun(NamedTuple):
    """Too many rounds of an offence."""

    rounds: int
    """How many there may be."""
    found: Evidence
    """What the core finds of the moves of these rounds and the one too many."""

    @property
    def plies(self) -> int:
        """How many plies that are, the last of them made by the offender."""
        return 2 * self.rounds + 1


def find_overrun(board: CoreBoard, rules: RuleSet) -> Overrun | None:
    """What the side that moved last has done for more rounds than it may; None if it has not.

    The move that makes them too many must be an offence like the others, but for the reply to it,
    which nobody knows. A move that leaves the other side none ends the game and is none too many.
    """
    if not rules.counts_rounds:
        return None
    longest = min(board.ply(), board.halfmove_clock)
    numbers = {*rules.check_rounds, *rules.chase_rounds, *rules.mixed_rounds}
    for rounds in sorted(number for number in numbers if 2 * number < longest):
        overrun = Overrun(rounds, board.explain_run(rules.switches, 2 * rounds + 1))
        if VERDICTS[overrun.found[0]].loser != (not board.turn):
            continue
        if _most_rounds(board, overrun, rules) <= rounds:
            return overrun if board.has_legal_move() else None
    return None


def _most_rounds(board: CoreBoard, overrun: Overrun, rules: RuleSet) -> int:
    """How many rounds of this are allowed, by the kind of offence and the pieces that made it."""
    _, conducts, victims, facts = overrun.found
    color = not board.turn
    own = [check for check, _ in facts[::2]]
    allowed = rules.mixed_rounds if any(own) else rules.chase_rounds
    if CONDUCTS[conducts[color]] is Conduct.CHECK:
        allowed = rules.check_rounds
    pieces = _count_pieces(board, overrun, color, victims[color])
    return allowed[min(pieces, len(allowed)) - 1]


def _count_pieces(board: CoreBoard, overrun: Overrun, color: Color, victims: int) -> int:
    """How many pieces of the side checked, or chased the common victim, in these rounds."""
    first = board.ply() - overrun.plies
    replay = Replay(board, first)
    chased = set(replay.pieces_of(victims))
    made: set[int] = set()
    for move, fact in zip(board.move_stack[first:], overrun.found[3], strict=True):
        report = replay.report(move, *fact)
        if report.color == color:
            made.update(replay.number_at(square) for square, _ in report.checkers)
            made.update(
                replay.number_at(threat.attacker)
                for threat in report.chases
                if replay.number_at(threat.victim) in chased
            )
    return len(made)
