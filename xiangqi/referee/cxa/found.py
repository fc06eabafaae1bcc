"""What a move of a game did, as far as the solver's limit lets it be found out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from xiangqi.core.board import CoreBoard
from xiangqi.fen import Setup
from xiangqi.referee.cxa.facts import Facts, find_facts
from xiangqi.referee.cxa.finder import NODES_FOR_A_MOVE, Finder
from xiangqi.referee.ruling import Mark

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = ["UNSEEN", "Found", "find_move"]


class Found(NamedTuple):
    """What a move did, and whether all of it was found out."""

    facts: Facts
    is_settled: bool
    nodes: int


UNSEEN: Final = Found(
    Facts(False, False, False, (), (), quiet=Mark.IDLE), is_settled=False, nodes=0
)
"""Of a move that was not looked at."""


def find_move(board: CoreBoard, ply: int) -> Found:
    """What the move of this ply of a board's game did."""
    replay = board.copy()
    while replay.ply() > max(ply - 1, 0):
        replay.pop()
    setup = replay.setup()
    bare = Setup(setup.board, setup.turn, 0, 1)  # the counters make no difference
    moves = board.move_stack
    return _find(bare, moves[ply - 1] if ply else None, moves[ply])


@lru_cache(maxsize=4096)
def _find(start: Setup, reply: Move | None, move: Move) -> Found:
    """What a move did, played from a setup after the enemy's last move; None if there was none."""
    board = CoreBoard(start)
    if reply is not None:
        board.push_unchecked(reply)
    finder = Finder(NODES_FOR_A_MOVE)
    facts = find_facts(finder, board, move)
    return Found(facts, finder.is_settled, NODES_FOR_A_MOVE - finder.nodes_left)
