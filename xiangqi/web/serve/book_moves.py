"""Book moves for the position on the page."""

from __future__ import annotations

from typing import Any

from xiangqi.board import Board
from xiangqi.books import Book
from xiangqi.books.base import is_playable
from xiangqi.errors import BookError
from xiangqi.referee.rules import RuleSet
from xiangqi.words.voice import Voice

__all__ = ["describe_book"]


def describe_book(board: Board, book: Book, rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """The moves of a book, the heaviest first, or what is wrong with its file.

    ``playable`` is not true of those that the game's own moves speak against
    (:func:`~xiangqi.books.base.is_playable`).
    """
    try:
        found = book.find(board)
    except BookError as error:
        return {"moves": [], "error": str(error)}
    moves = [
        {
            "move": one.move.iccs(),
            "name": voice.move(board, one.move),
            "weight": one.weight,
            "counts": [one.wins, one.draws, one.losses],
            "note": one.note,
            "playable": is_playable(board, one, rules),
        }
        for one in found
    ]
    return {"moves": moves, "error": ""}
