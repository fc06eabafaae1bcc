"""Selection of the positions that a network learns from: the quiet ones.

A position is quiet if the side to move is not in check, the best move neither captures nor checks,
no forced win was found, and the position has not occurred before in the game. Pending captures are
left to the search.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.engine import is_decided
from xiangqi.selfplay.games import SelfplayGame
from xiangqi.selfplay.samples import Sample

__all__ = ["is_quiet", "quiet_samples"]


def is_quiet(board: Board, move: Move, score: int) -> bool:
    """Should the evaluation understand a position without a search, which found this?"""
    return (
        not is_decided(score)
        and not board.is_check()
        and not board.is_capture(move)
        and not board.gives_check(move)
        and board.repetitions() == 1
    )


def quiet_samples(game: SelfplayGame, scores: Sequence[int] | None = None) -> Iterator[Sample]:
    """The quiet positions of a game, in order; with these scores instead of the searches' own."""
    told = game.scores if scores is None else scores
    for (board, move, found), score in zip(game.boards(), told, strict=True):
        if is_quiet(board, move, found):
            yield Sample(board.setup(), game.result, score, board.ply(), game.number)
