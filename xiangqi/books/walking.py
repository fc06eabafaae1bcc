"""Going through a book from a position on, along its moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from xiangqi.board import Board
from xiangqi.books.base import BookMove
from xiangqi.books.keys import obk_table
from xiangqi.core.board import CoreBoard

__all__ = ["Visit", "walk_book"]


class Visit(NamedTuple):
    """A position of a book."""

    board: Board
    """It knows the moves that lead there; whoever changes it changes it back."""
    legal: list[BookMove]
    illegal: list[BookMove]


def walk_book(find_all: Callable[[CoreBoard], list[BookMove]], start: Board) -> Iterator[Visit]:
    """Every position that legal moves of a book lead to, each once, in one of its mirror images.

    ``find_all`` is that of a book.
    """
    board = start.copy()
    known: set[int] = set()
    waiting: list[Iterator[BookMove]] = []
    while True:
        identity = min(obk_table().keys_of(board.setup()))
        legal: list[BookMove] = []
        if identity not in known:
            known.add(identity)
            found = find_all(board)
            legal = [one for one in found if board.is_legal(one.move)]
            if found:
                illegal = [one for one in found if not board.is_legal(one.move)]
                yield Visit(board, legal, illegal)
        waiting.append(iter(legal))
        while (following := next(waiting[-1], None)) is None:
            waiting.pop()
            if not waiting:
                return
            board.pop()
        board.push_unchecked(following.move)
