"""Barred moves: the pieces could make them, and the rule set does not let them.

Two kinds of rule sets bar moves. A *prohibition*, the superko of Go, bars whatever brings back a
position that has stood before; only the positions matter. Where the *penalty* is to be barred, an
offender does not lose, but may not make the move that would be ruled as lost. Either way a move is
barred if the referee, asked after it, rules against its mover; and a side whose moves are all
barred has lost, as has one that has none.

Only moves that bring a position back can be barred, or, where rounds are counted, those that follow
some without a capture; so most questions cost nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.referee.judging import Referee
from xiangqi.referee.rules import RuleSet

__all__ = [
    "barred_moves",
    "has_allowed_move",
    "is_barred",
    "last_move_was_barred",
    "lets_lose_by_repetition",
    "losing_repetitions",
]

_FASTEST_RETURN: Final = 4
"""Plies in which a position can come back."""


def barred_moves(board: CoreBoard, rules: RuleSet) -> list[Move]:
    """The legal moves that the rule set bars in this position of a game."""
    if rules.prohibition != "none":
        return board.prohibited_moves(rules.switches)
    return list(losing_repetitions(board, rules)) if rules.bars_moves else []


def is_barred(board: CoreBoard, move: Move, rules: RuleSet) -> bool:
    """Does the rule set bar this legal move?"""
    if not rules.bars_moves or not _can_return(board):
        return False
    after = board.copy()
    after.push_unchecked(move)
    return last_move_was_barred(after, rules)


def last_move_was_barred(board: CoreBoard, rules: RuleSet) -> bool:
    """Was the move barred that was played last?

    A board takes every legal move: what a rule set bars is told afterwards.
    """
    if rules.counts_rounds:
        return board.count_rows(rules.switches)[2] != 0
    return rules.bars_moves and board.ply() > 0 and _mover_loses(board, rules)


def has_allowed_move(board: CoreBoard, rules: RuleSet) -> bool:
    """Has the side to move a legal move that is not barred?"""
    if not rules.bars_moves or not _can_return(board):
        return board.has_legal_move()
    return len(barred_moves(board, rules)) < board.legal_moves.count()


def losing_repetitions(board: CoreBoard, rules: RuleSet) -> Iterator[Move]:
    """The legal moves that complete a repetition which is ruled as lost for their mover, or carry
    an offence on for too many rounds."""
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


def lets_lose_by_repetition(board: CoreBoard, move: Move, rules: RuleSet) -> bool:
    """Can a reply to this legal move complete a repetition that is ruled as lost for its mover?"""
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
    """Can the next move bring a position back? Rounds that are counted take no fewer plies."""
    return board.halfmove_clock >= _FASTEST_RETURN - 1


def _mover_loses(board: CoreBoard, rules: RuleSet) -> bool:
    """Does the referee rule against the side that has moved last?"""
    return Referee(rules).judge_cycle(board).verdict.loser == (not board.turn)
