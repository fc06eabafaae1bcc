"""Interface of opening books, a walk through their positions, and the choice of a move."""

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
from xiangqi.ground.errors.copies import NotCopied
from xiangqi.referee.rules import RuleSet, find_rule_set

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["Book", "BookMove", "Row", "Visit", "choose_move", "is_playable", "walk_book"]


@dataclass(frozen=True, slots=True)
class BookMove:
    """A book move with its weight, counts and note."""

    move: Move
    weight: int
    """Relative weight of the move; one with 0 or less is never played."""
    wins: int = 0
    """Number of games won by the player of this move; draws and losses likewise."""
    draws: int = 0
    losses: int = 0
    note: str = ""

    @property
    def games(self) -> int:
        """Number of counted games with this move."""
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
        return replace(self, move=self.move.mirror())


class Row(NamedTuple):
    """Entry of a book file: a key and a move."""

    key: int
    """Key of the position, as an unsigned number."""
    found: BookMove


class Book(NotCopied, ABC):
    """An opening book.

    Books identify positions by keys. Most have only one of the two mirror images of a position, and
    not the same one in all books. So both are looked up, and the moves of the second are mirrored;
    for a move in both, the entry with the higher weight counts. All methods raise BookError for a
    damaged file, and may be called from any thread.
    """

    HOLDS = "an open file"

    def __init__(self, path: Path, table: KeyTable) -> None:
        self.path = path
        self.table = table
        """Hash numbers of the book's keys."""

    @abstractmethod
    def entries(self, key: int) -> list[BookMove]:
        """Return the moves stored under a key, which may be illegal."""

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
        """Return the legal book moves of a position, highest weight first."""
        return [found for found in self.find_all(board) if board.is_legal(found.move)]

    def find_all(self, board: CoreBoard) -> list[BookMove]:
        """Return the book moves of a position, including illegal ones, which stem from other
        positions with the same key."""
        keys = self.table.keys_of(board.setup())
        found = self.entries(keys.key) + [one.mirror() for one in self.entries(keys.mirrored)]
        best: dict[Move, BookMove] = {}
        for one in sorted(found, key=lambda one: (-one.weight, -one.games, one.move)):
            best.setdefault(one.move, one)
        return list(best.values())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Visit(NamedTuple):
    """A position of a book."""

    board: Board
    """The position, with the moves that lead there; code that changes it must restore it."""
    legal: list[BookMove]
    illegal: list[BookMove]


def walk_book(find_all: Callable[[CoreBoard], list[BookMove]], start: Board) -> Iterator[Visit]:
    """Visit every position reached by legal book moves once, in one of its mirror images.

    ``find_all`` is :meth:`Book.find_all` or a function like it.
    """
    board = start.copy()
    known: set[int] = set()
    stack: list[Iterator[BookMove]] = []
    while True:
        key = min(obk_table().keys_of(board.setup()))
        legal: list[BookMove] = []
        if key not in known:
            known.add(key)
            found = find_all(board)
            legal = [one for one in found if board.is_legal(one.move)]
            if found:
                illegal = [one for one in found if not board.is_legal(one.move)]
                yield Visit(board, legal, illegal)
        stack.append(iter(legal))
        while (following := next(stack[-1], None)) is None:
            stack.pop()
            if not stack:
                return
            board.pop()
        board.push_unchecked(following.move)


def is_playable(board: Board, found: BookMove, rules: RuleSet | str) -> bool:
    """May a legal book move be played without a search?

    False if it loses or draws the game, repeats a position of the game, or allows a reply after
    which a repetition is ruled against the mover. Such a move may still be best, but that takes a
    search with the history of the game.
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
    for reply in work.list_moves():
        work.push_unchecked(reply)
        is_ruled = work.repetitions() >= rules.occurrences
        outcome = work.outcome(rules) if is_ruled else None
        work.pop()
        if outcome is not None and outcome.winner == (not mover):  # ruled against the mover
            return False
    return True


def choose_move(moves: Iterable[BookMove], random: Random) -> BookMove | None:
    """Choose a move at random by weight; None if none has a weight above 0."""
    playable = [one for one in moves if one.weight > 0]
    return random.choices(playable, [one.weight for one in playable])[0] if playable else None
