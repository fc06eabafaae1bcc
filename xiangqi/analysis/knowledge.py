"""Knowledge of a position without a search: end-game tables and an opening book."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from xiangqi.board import Board
from xiangqi.books import Book, BookMove, open_book
from xiangqi.core.move import Move
from xiangqi.referee.rules import RuleSet
from xiangqi.tables import TableValue, probe
from xiangqi.tables.probing import Tablebase, find_rules

__all__ = ["BookMoves", "Tables"]

_MAX_PIECES = 12
"""No class of the tables has more pieces, generals included."""


class Tables:
    """The end-game tables of a folder under a rule set; without a folder, none.

    Raises TableError for a file that is damaged.
    """

    def __init__(self, folder: Path | None, rules: RuleSet) -> None:
        self._folder = folder if folder is not None and folder.is_dir() else None
        self._rules = rules

    def value(self, board: Board) -> TableValue | None:
        """Value of a position for the side to move; None if unknown."""
        if self._folder is None or len(board.setup().piece_map()) > _MAX_PIECES:
            return None
        return probe(board, self._rules, self._folder)

    def keeping_moves(self, board: Board) -> list[Move]:
        """The moves that keep what the position is worth; none if that is not known."""
        name = find_rules(self._rules)
        if self._folder is None or name is None:
            return []
        return _open_tables(self._folder).keeping_moves(board, name)


@lru_cache(maxsize=2)
def _open_tables(folder: Path) -> Tablebase:
    return Tablebase(folder)


@dataclass(frozen=True, slots=True)
class BookMoves:
    """Book moves of the position before a move of a game."""

    moves: tuple[BookMove, ...]
    """The heaviest first; at least one."""
    played: BookMove | None
    """That which was played; None where the game has left the book."""


class NamedOpening:
    """Follows a game through a book until it is left. Raises BookError for a damaged one."""

    def __init__(self, path: str) -> None:
        self._book = _open_book(path) if path else None
        self.name = ""
        """Name of the opening: the last note of the book on the way."""

    def follow(self, board: Board, move: Move) -> BookMoves | None:
        """Book moves where this move is played; None after the end of the book."""
        if self._book is None:
            return None
        moves = tuple(self._book.find(board))
        played = next((one for one in moves if one.move == move), None)
        if played is None:
            self._book = None
        elif played.note:
            self.name = played.note
        return BookMoves(moves, played) if moves else None


@lru_cache(maxsize=2)
def _open_book(path: str) -> Book:
    return open_book(path)
