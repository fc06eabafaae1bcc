"""Making a book from games, and merging books.

Each position is stored as one of its two mirror images (:func:`~xiangqi.books.keys.is_canonical`).
A move's weight is two for each game won by its player and one for each draw or game without a
result, multiplied by factors for the player's rating and the game's age (:class:`Recipe`).

Merging adds weights and counts. The keys of two mirror images are unrelated, so books are walked
from the starting position, and the canonical image of each position is stored. Rows that no line
reaches are copied unchanged.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from xiangqi.board import Board
from xiangqi.books.base import Book, BookMove, Row, Visit, walk_book
from xiangqi.books.keys import (
    MIRRORED,
    Keys,
    KeyTable,
    canonical_move,
    is_canonical,
    mirror_board,
    obk_table,
)
from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.games.record import POINTS
from xiangqi.games.tree import Game, start_board
from xiangqi.pieces import RED, Color
from xiangqi.pieces.fen import Setup

__all__ = ["BookMaker", "BookMerger", "Recipe"]

_PERCENT: Final = 100
_NEUTRAL_RATING: Final = 2000
_RATING_STEP: Final = 400
"""Rating points that double the weight of a move."""
_YEARS: Final = re.compile(r"(?<!\d)(1[6-9]\d\d|20\d\d)(?!\d)")


@dataclass(frozen=True, slots=True)
class Recipe:
    """Selection and weights of the moves of a book."""

    plies: int = 30
    """Number of plies taken from each game."""
    min_games: int = 3
    """Minimum number of games with a move."""
    half_life: float = 0.0
    """Years after which a game counts half, back from the newest game; 0 for no decay. A game
    without a date counts like the oldest one."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Opening names by ECCO code, for codes that the games do not name."""


DEFAULT_RECIPE: Final = Recipe()


class _Played(NamedTuple):
    """Move in the canonical image of a position."""

    key: int
    move: Move


@dataclass(slots=True)
class _Tally:
    """Counts of the games with a move."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0


class BookMaker:
    """Makes the rows of a book from games."""

    def __init__(self, recipe: Recipe = DEFAULT_RECIPE) -> None:
        self.recipe = recipe
        self.games = 0
        """Number of games added."""
        self._tallies: defaultdict[_Played, _Tally] = defaultdict(_Tally)
        self._points: Counter[tuple[_Played, int]] = Counter()  # by year, in percent
        self._codes: Counter[tuple[_Played, str]] = Counter()
        self._openings: defaultdict[str, Counter[str]] = defaultdict(Counter)

    def add(self, game: Game) -> None:
        """Add the main line of a game, as far as it is readable."""
        moves = game.moves()[: self.recipe.plies]
        if not moves:
            return
        self.games += 1
        result = POINTS.get(game.headers.get("Result", ""))
        date = _YEARS.search(game.headers.get("Date", "")) if self.recipe.half_life else None
        year = int(date[0]) if date else 0
        code = game.headers.get("ECCO", "").strip()
        words = (game.headers.get(header, "").strip() for header in ("Opening", "Variation"))
        name = " ".join(word for word in words if word)
        if code and name:
            self._openings[code][name] += 1
        opening = code or name
        factors = {color: _factor_of(game, color) for color in (True, False)}
        for played, color in _canonical_line(start_board(game.fen).setup(), moves):
            points = None if result is None else result if color == RED else 1 - result
            tally = self._tallies[played]
            tally.games += 1
            if points is not None:
                tally.wins += points == 1
                tally.draws += points == 0.5
                tally.losses += points == 0
            value = 1 if points is None else int(2 * points)
            self._points[played, year] += value * factors[color]
            if opening:
                self._codes[played, opening] += 1

    def rows(self) -> Iterator[Row]:
        """Iterate over the rows of the book, in no particular order; the order of the games does
        not matter."""
        weights = self._weigh()
        names = self._name()
        for played, tally in self._tallies.items():
            if tally.games >= self.recipe.min_games:
                weight = math.ceil(weights.get(played, 0) / _PERCENT)
                counts = tally.wins, tally.draws, tally.losses
                found = BookMove(played.move, weight, *counts, note=names.get(played, ""))
                yield Row(played.key, found)

    def _weigh(self) -> dict[_Played, float]:
        """Compute the weight of each move, in percent."""
        years = {year for _, year in self._points if year}
        newest, oldest = max(years, default=0), min(years, default=0)
        weights: defaultdict[_Played, list[float]] = defaultdict(list)
        for (played, year), points in self._points.items():
            age = newest - (year or oldest)
            half_life = self.recipe.half_life
            weights[played].append(points * 0.5 ** (age / half_life) if half_life else points)
        return {played: math.fsum(parts) for played, parts in weights.items()}

    def _name(self) -> dict[_Played, str]:
        """Opening of each move that more than half of its games have in common."""
        names = {}
        for (played, code), games in self._codes.items():
            if 2 * games > self._tallies[played].games:
                found = self._openings.get(code)
                name = min(found, key=lambda one: (-found[one], one)) if found else ""
                names[played] = f"{code} {name or self.recipe.names.get(code, '')}".strip()
        return names


def _factor_of(game: Game, color: Color) -> int:
    """Factor for a player's rating, in percent, from 25 to 400."""
    name = "Red" if color == RED else "Black"
    text = game.headers.get(f"{name}Elo", "").strip()
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 5 and int(text)):
        return _PERCENT
    doublings = (int(text) - _NEUTRAL_RATING) / _RATING_STEP
    return round(_PERCENT * 2 ** min(max(doublings, -2), 2))


def _canonical_line(start: Setup, moves: tuple[Move, ...]) -> Iterator[tuple[_Played, Color]]:
    """Iterate over the moves in the canonical image of each position, with the mover."""
    table = obk_table()
    board, mirrored = bytearray(start.board), bytearray(mirror_board(start.board))
    key, other = table.keys_of(start)
    color = start.turn
    for move in moves:
        start_square, end_square = move.from_square, move.to_square
        if board == mirrored:
            yield _Played(key, canonical_move(move)), color
        elif is_canonical(board, mirrored, Keys(key, other)):
            yield _Played(key, move), color
        else:
            yield _Played(other, move.mirror()), color
        piece, captured = board[start_square], board[end_square]
        for code, square in ((piece, start_square), (captured, end_square), (piece, end_square)):
            if code:
                key ^= table.pieces[code][square]
                other ^= table.pieces[code][MIRRORED[square]]
        key, other = key ^ table.turn, other ^ table.turn
        board[start_square] = mirrored[MIRRORED[start_square]] = 0
        board[end_square] = mirrored[MIRRORED[end_square]] = piece
        color = not color


class BookMerger:
    """Merges the rows of several books."""

    def __init__(self, books: Sequence[Book]) -> None:
        self.books = books
        self.rows: list[Row] = []
        """Rows of the new book."""
        self.left_out = 0
        """Number of rows left out: those of ElephantEye books that no line reaches, since their
        keys cannot be converted."""

    def walk(self) -> Iterator[int]:
        """Merge the books; yield the number of rows after each position."""
        seen: dict[KeyTable, set[int]] = {book.table: set() for book in self.books}
        for visit in walk_book(self._find_all, Board()):
            for table, keys in seen.items():
                keys.update(table.keys_of(visit.board.setup()))
            self.rows.extend(_rows_of(visit))
            yield len(self.rows)
        rest: dict[tuple[int, Move], BookMove] = {}  # positions that the walk did not reach
        for book in self.books:
            for key, found in book.rows():
                if key in seen[book.table]:
                    continue
                if book.table is obk_table():
                    known = rest.get((key, found.move))
                    rest[key, found.move] = found if known is None else _add(known, found)
                else:
                    self.left_out += 1
        self.rows.extend(Row(key, found) for (key, _), found in rest.items())

    def _find_all(self, board: CoreBoard) -> list[BookMove]:
        total: dict[Move, BookMove] = {}
        for book in self.books:
            for found in book.find_all(board):
                known = total.get(found.move)
                total[found.move] = found if known is None else _add(known, found)
        return list(total.values())


def _add(one: BookMove, other: BookMove) -> BookMove:
    return BookMove(
        one.move,
        one.weight + other.weight,
        one.wins + other.wins,
        one.draws + other.draws,
        one.losses + other.losses,
        one.note or other.note,
    )


def _rows_of(visit: Visit) -> Iterator[Row]:
    """Rows of the legal moves of a position, in its canonical image."""
    setup = visit.board.setup()
    keys, mirrored = obk_table().keys_of(setup), mirror_board(setup.board)
    if setup.board == mirrored:
        best: dict[Move, BookMove] = {}
        for found in visit.legal:
            best.setdefault(canonical_move(found.move), found)
        yield from (Row(keys.key, replace(found, move=move)) for move, found in best.items())
    elif is_canonical(setup.board, mirrored, keys):
        yield from (Row(keys.key, found) for found in visit.legal)
    else:
        yield from (Row(keys.mirrored, found.mirror()) for found in visit.legal)
