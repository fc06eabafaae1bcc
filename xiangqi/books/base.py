"""Interface of opening books: the moves of a position."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, NamedTuple

from xiangqi.board import Board
from xiangqi.books.keys import KeyTable, obk_table
from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.pieces import Color
from xiangqi.referee.rules import RuleSet, find_rule_set

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Book", "BookMove", "Row", "Visit", "choose_move", "is_playable", "walk_book"]


@dataclass(frozen=True, slots=True)
class BookMove:
    """A book move with its weight, counts and note."""

    move: Move
    weight: int
    """Weight of the move among the others; a move with 0 or less is never played."""
    wins: int = 0
    """Games with this move won by its player; draws and losses likewise."""
    draws: int = 0
    losses: int = 0
    note: str = ""

    @property
    def games(self) -> int:
        """Number of games with this move whose results the book knows."""
        return self.wins + self.draws + self.losses

    def describe(self) -> str:
        """Describe the move in one line.

        >>> BookMove(Move.from_iccs("h2e2"), 9, 4, 1, 3, "C44").describe()
        'h2e2: weight 9, +4 =1 -3, C44'
        """
        parts = [f"weight {self.weight}"]
        if self.games:
            parts.append(f"+{self.wins} ={self.draws} -{self.losses}")
        return f"{self.move.iccs()}: {', '.join(filter(None, [*parts, self.note]))}"

    def mirror(self) -> BookMove:
        """The move mirrored left to right."""
        return replace(self, move=self.move.mirror())


class Row(NamedTuple):
    """Entry of a book file: a move for all positions with a key."""

    key: int
    """Key of the position, not negative."""
    found: BookMove


class Book(ABC):
    """An opening book.

    Books know positions by keys, and most have each in one of its two mirror images only, some in
    one and some in the other. So both are looked up, and the moves of the second mirrored; if a
    move is in both, the one with the higher weight counts. All methods raise BookError for a
    damaged file, and may be called from any thread.
    """

    def __init__(self, path: Path, table: KeyTable) -> None:
        self.path = path
        self.table = table
        """Hash keys of the book."""

    @abstractmethod
    def entries(self, key: int) -> list[BookMove]:
        """Moves stored under a key, which may be illegal."""

    @abstractmethod
    def rows(self) -> Iterator[Row]:
        """Iterate over all rows of the book."""

    @abstractmethod
    def count(self) -> int:
        """Number of rows."""

    def close(self) -> None:
        """Close the file."""
        return

    def find(self, board: CoreBoard) -> list[BookMove]:
        """Legal book moves of a position, the heaviest first."""
        return [found for found in self.find_all(board) if board.is_legal(found.move)]

    def find_all(self, board: CoreBoard) -> list[BookMove]:
        """Book moves of a position, illegal ones included: different positions may have the same
        key."""
        keys = self.table.keys_of(board.setup())
        found = self.entries(keys.key) + [one.mirror() for one in self.entries(keys.mirrored)]
        best: dict[Move, BookMove] = {}
        for one in sorted(found, key=_rank):
            best.setdefault(one.move, one)
        return list(best.values())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _rank(found: BookMove) -> tuple[int, int, Move]:
    """Sort key: weight, then number of games."""
    return -found.weight, -found.games, found.move


class Visit(NamedTuple):
    """A position of a book."""

    board: Board
    """The position, with the moves that lead there; code that changes it must restore it."""
    legal: list[BookMove]
    illegal: list[BookMove]


def walk_book(find_all: Callable[[CoreBoard], list[BookMove]], start: Board) -> Iterator[Visit]:
    """Visit every position reached by legal book moves once, in one of its mirror images.

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


def is_playable(board: Board, found: BookMove, rules: RuleSet | str) -> bool:
    """May a legal move of a book be played at once, without a search?

    Not if it loses or draws the game, repeats a position of the game, or allows a reply after which
    a repetition is ruled against the mover. Such moves may be right, but only a search that knows
    the game can decide.
    """
    rules = find_rule_set(rules)
    mover = board.turn
    work = board.copy()
    work.push(found.move)
    outcome = work.outcome(rules)
    if outcome is not None:
        return outcome.winner == mover
    if work.repetitions() > 1:
        return False
    return not any(_loses_by_rule(work, reply, mover, rules) for reply in work.list_moves())


def _loses_by_rule(board: Board, reply: Move, mover: Color, rules: RuleSet) -> bool:
    """Does the opponent's reply complete a repetition that is ruled against the mover?"""
    board.push_unchecked(reply)
    is_ruled = board.repetitions() >= rules.occurrences
    outcome = board.outcome(rules) if is_ruled else None
    board.pop()
    return outcome is not None and outcome.winner == (not mover)


def choose_move(moves: Iterable[BookMove], random: Random) -> BookMove | None:
    """Choose a move at random by weight; None if none has a weight above 0."""
    weighty = [one for one in moves if one.weight > 0]
    return random.choices(weighty, [one.weight for one in weighty])[0] if weighty else None
