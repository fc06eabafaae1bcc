"""What a move of a game did, as far as the solver's limit lets it be found out."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

from xiangqi.core.board import CoreBoard
from xiangqi.fen import Setup
from xiangqi.referee.cxa.facts import Facts, find_facts
from xiangqi.referee.cxa.search import NODES_FOR_A_MOVE, Search
from xiangqi.referee.ruling import Mark

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = ["UNSEEN", "Found", "find_cycle", "find_move"]


class Found(NamedTuple):
    """What a move did, and whether all of it was found out."""

    facts: Facts
    is_settled: bool
    nodes: int


UNSEEN: Final = Found(
    Facts(False, False, False, (), (), quiet=Mark.IDLE), is_settled=False, nodes=0
)
"""Of a move that was not looked at."""


def find_move(board: CoreBoard, ply: int, cause: int | None = None) -> Found:
    """What the move of this ply of a board's game did.

    ``cause`` is the ply of the enemy's move that led to its position, the one before if it is not
    given: in a cycle the last one leads to the first.
    """
    before = max(ply - 1, 0) if cause is None else cause
    replay = board.copy()
    while replay.ply() > before:
        replay.pop()
    setup = replay.setup()
    bare = Setup(setup.board, setup.turn, 0, 1)  # the counters make no difference
    moves = board.move_stack
    has_cause = ply > 0 or cause is not None
    return _find(bare, moves[before] if has_cause else None, moves[ply])


@lru_cache(maxsize=4096)
def _find(start: Setup, reply: Move | None, move: Move) -> Found:
    """What a move did, played from a setup after the enemy's last move; None if there was none."""
    board = CoreBoard(start)
    if reply is not None:
        board.push_unchecked(reply)
    search = Search(NODES_FOR_A_MOVE)
    facts = find_facts(search, board, move)
    return Found(facts, search.is_settled, NODES_FOR_A_MOVE - search.nodes_left)
