"""The opening of a game by name, and how games went on from its position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xiangqi.board import Board
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.rules import RuleSet
from xiangqi.web.serve.positions import describe_book, play_game
from xiangqi.words.voice import Voice

__all__ = ["describe_opening"]


def describe_opening(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """Describe the opening of a game: ``opening``, its code and name, or null; ``book``, the moves
    of the package's own games in the last position, as ``describe_position`` describes a book.

    The note of such a move is the opening that it leads to. Raises FenError, PositionError,
    RecordError or Refusal.
    """
    from xiangqi.books.own_games import open_own_games

    board = play_game(data)
    book = describe_book(board, open_own_games(), rules, voice)
    for move in book["moves"]:
        board.push_iccs(move["move"])
        move["note"] = _name(board, voice)
        board.pop()
    return {"opening": _name(board, voice), "book": book}


def _name(board: Board, voice: Voice) -> str:
    """Code and name of the opening on the board; empty if it has none."""
    from xiangqi.books.names import name_opening

    if board.root_fen().split()[:2] != STARTING_FEN.split()[:2]:
        return ""
    found = name_opening(board.move_stack)
    return "" if found is None else found.describe(voice.language)
