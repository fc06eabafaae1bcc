"""Analysis of a game move by move: the value of each position, the loss of each move.

1. A short search of each position, from the first to the last.
2. A search with the full effort of each position, from the last to the first, with one hash table:
   each search profits from the later positions.
3. Where a move seems to lose something, a search with :data:`DEEPER` times the effort of the
   positions before and after it; where it still does, that many times again. Values may change by
   that, and other moves seem to lose: repeat until no such move is left.
4. Where the best move was played and the short search would have played another one, a search of
   the best of the others: was it the only good move?

Every mark rests on steps 3 and 4. The mildest mark, whose threshold is close to the noise of the
values, needs both searches of step 3 to agree, as the longer one alone would also be selected by
its noise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from xiangqi.analysis.engines import Analyst, Effort, EngineLine
from xiangqi.analysis.knowledge import (
    BookMoves,
    Demand,
    NamedOpening,
    Played,
    Returns,
    Tables,
    find_demands,
    find_returns,
)
from xiangqi.analysis.values import INACCURACY, THRESHOLDS, MoveMark, Value, mark_of_loss
from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.games.tree import start_board
from xiangqi.pieces import Color
from xiangqi.referee.outcome import Outcome
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set
from xiangqi.tables import TableValue

__all__ = [
    "DEEPER",
    "QUICK",
    "AnalysisSettings",
    "GameAnalysis",
    "PlyAnalysis",
    "analyse_moves",
    "analyse_stepwise",
]

DEEPER: Final = 4
"""Effort for a doubtful move, in multiples of the normal one."""
LOOKS: Final = 2
"""Number of further searches, each with DEEPER times the effort of the one before."""
QUICK: Final = 1 / 20
"""Share of the effort for a quick look."""
ONLY: Final = THRESHOLDS[MoveMark.MISTAKE]
"""Loss of every other move for which a move is the only good one."""


USUAL: Final = Effort(nodes=100_000)


@dataclass(frozen=True, slots=True)
class AnalysisSettings:
    """Settings of an analysis; with a limit of nodes they determine it."""

    effort: Effort = USUAL
    """Effort for each position."""
    engine: str = ""
    """The command of a foreign engine; ours if it is empty."""
    options: tuple[tuple[str, str], ...] = ()
    """Options of the foreign engine, by name."""
    rules: RuleSet = WXF
    book: str = ""
    """An opening book; none if it is empty."""
    tables: Path | None = None
    """A folder of end-game tables."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", find_rule_set(self.rules))  # frozen, but may be a name


@dataclass(frozen=True, slots=True)
class PlyAnalysis:
    """Analysis of one move of a game."""

    ply: int
    """Ply of the move, counted from 0."""
    side: Color
    move: Move
    best: EngineLine | None
    """Engine's move and line, which may be the move played; None without information."""
    before: Value
    """Value of the position for Red, with the best move."""
    after: Value
    """Value of this move, by the rules where it ends the game."""
    loss: float
    """The expected points that it has lost."""
    loss_cp: int
    """Loss in centipawns, scores limited to :data:`~xiangqi.analysis.values.MAX_CP`."""
    mark: MoveMark | None
    missed_mate: int | None
    """Moves of a mate that this move misses; None if it gives a mate too."""
    thrown: tuple[TableValue, TableValue] | None
    """Table values before and after a move that gives a better value away."""
    demands: tuple[Demand, ...]
    book: BookMoves | None


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """All moves of a game."""

    plies: tuple[PlyAnalysis, ...]
    first: Value | None
    """Value of the first position."""
    opening: str
    """Name of the opening in the book; empty if it has none."""
    analyst: str
    """The engine's name."""


def analyse_moves(
    fen: str,
    moves: tuple[Move, ...],
    analyst: Analyst,
    settings: AnalysisSettings,
    on_position: Callable[[], None] = lambda: None,
) -> GameAnalysis:
    """Analyse the main line of a game, whose moves are legal.

    ``on_position`` is called after each search with the full effort. Raises FenError or
    PositionError, TableError, BookError, and the errors of an external engine.
    """
    steps = analyse_stepwise(fen, moves, analyst, settings)
    before = 0
    while True:
        try:
            searched = next(steps)
        except StopIteration as end:
            analysis: GameAnalysis = end.value
            return analysis
        if searched > before:
            on_position()
        before = searched


def analyse_stepwise(
    fen: str, moves: tuple[Move, ...], analyst: Analyst, settings: AnalysisSettings
) -> Generator[int, None, GameAnalysis]:
    """Analyse as :func:`analyse_moves`, giving control back after each search.

    Yields the number of positions searched with the full effort so far; returns the analysis.
    """
    walk = _Walk(fen, moves, analyst, settings)
    for _ in walk.look_quickly():
        yield 0
    yield from walk.look()
    count = len(moves) + 1
    for _ in walk.look_again():
        yield count
    opening = NamedOpening(settings.book)
    plies = []
    for ply in range(len(moves)):
        plies.append(walk.tell(ply, opening))
        yield count
    first = walk.lines[0]
    return GameAnalysis(tuple(plies), first and first.value, opening.name, analyst.name)


class _Walk:
    """Positions of a game, with the results so far of each."""

    def __init__(
        self, fen: str, moves: tuple[Move, ...], analyst: Analyst, settings: AnalysisSettings
    ) -> None:
        self._fen = fen
        self._first_side = start_board(fen).turn
        self._moves = moves
        self._analyst = analyst
        self._settings = settings
        count = len(moves) + 1
        self.lines: list[EngineLine | None] = [None] * count
        self._quick: list[Move | None] = [None] * count
        self._outcomes: list[Outcome | None] = [None] * count
        self._known: list[TableValue | None] = [None] * count
        self._looks = [0] * count  # how often more effort was taken
        self._least = [math.inf] * len(moves)  # what a move lost by the kindest of these looks
        self._tables = Tables(settings.tables, settings.rules)

    def _board(self, plies: int) -> Board:
        board = start_board(self._fen)
        for move in self._moves[:plies]:
            board.push_unchecked(move)
        return board

    def look_quickly(self) -> Iterator[None]:
        """Collect results that need no full search, from the first position to the last."""
        board, effort = start_board(self._fen), self._settings.effort.times(QUICK)
        self._analyst.new_game()
        for plies, move in enumerate((*self._moves, None)):
            self._outcomes[plies] = board.outcome(self._settings.rules)
            self._known[plies] = self._tables.value(board)
            if move is not None:
                line = self._analyst.search(board, effort)
                self._quick[plies] = line and line.moves[0]
                board.push_unchecked(move)
                yield

    def look(self) -> Iterator[int]:
        """Search with the whole effort, from the last position to the first; yields the count."""
        board, last = self._board(len(self._moves)), len(self._moves)
        for plies in range(last, -1, -1):
            if plies < last or self._outcomes[plies] is None:
                self.lines[plies] = self._analyst.search(board, self._settings.effort)
            yield last - plies + 1
            if plies:
                board.pop()

    def look_again(self) -> Iterator[None]:
        """Search before and after each suspect move again, with more effort."""
        while True:
            doubtful = {
                plies
                for ply in range(len(self._moves))
                for plies in (ply, ply + 1)
                if self.lines[plies] is not None and self._looks[plies] < self._looks_wanted(ply)
            }
            if not doubtful:
                return
            for plies in sorted(doubtful, reverse=True):
                self._looks[plies] += 1
                effort = self._settings.effort.times(DEEPER ** self._looks[plies])
                self.lines[plies] = self._analyst.search(self._board(plies), effort)
                yield
            for ply in range(len(self._moves)):
                if self._is_looked_at(ply):
                    self._least[ply] = min(self._least[ply], self.loss(ply))

    def _looks_wanted(self, ply: int) -> int:
        """Number of further searches that the positions before and after a move need."""
        return 0 if self._mark(ply) is None else LOOKS

    def _is_looked_at(self, ply: int) -> bool:
        """Have both positions been searched with more effort, as far as they are searched at
        all?"""
        return all(
            self._looks[plies] or self.lines[plies] is None for plies in (ply, ply + 1)
        ) and any(self._looks[ply : ply + 2])

    def _mark(self, ply: int) -> MoveMark | None:
        """Mark of the loss of a move, as known so far."""
        mark = mark_of_loss(self.loss(ply))
        is_refuted = mark is MoveMark.INACCURACY and self._least[ply] < INACCURACY
        return None if is_refuted else mark

    # What it comes to

    def value_before(self, ply: int) -> Value:
        """Value of the position before a move, by tables or by the search; for the mover at least
        the value of the move that was played."""
        line, after = self.lines[ply], self.value_after(ply)
        best = self._known_value(ply) or (after if line is None else line.value)
        side = self._side(ply)
        return max(best, after, key=lambda value: value.points(side))

    def value_after(self, ply: int) -> Value:
        """Value of the position after a move, by the rules, by tables, or by the search."""
        outcome, line = self._outcomes[ply + 1], self.lines[ply + 1]
        if outcome is not None:
            return Value.of_winner(outcome.winner)
        known = self._known_value(ply + 1)
        return known or (Value.of_cp(0) if line is None else line.value)

    def _known_value(self, plies: int) -> Value | None:
        known, line = self._known[plies], self.lines[plies]
        if known is None:
            return None
        side = self._side(plies)
        if not known.value:
            return Value.of_cp(0, (0, 0))
        winner = side if known.value > 0 else not side
        if line is not None and line.value.mates(winner) is not None:
            return line.value  # and at which move
        return Value.of_winner(winner, "rule")

    def _side(self, plies: int) -> Color:
        return self._first_side if plies % 2 == 0 else not self._first_side

    def loss(self, ply: int) -> float:
        """Expected points that a move has lost; 0 for the engine's own choice."""
        line, is_over = self.lines[ply], self._outcomes[ply + 1] is not None
        known = self._known[ply]
        if line is not None and line.moves[0] == self._moves[ply] and not is_over and known is None:
            return 0.0
        side = self._side(ply)
        return self.value_before(ply).points(side) - self.value_after(ply).points(side)

    def tell(self, ply: int, opening: NamedOpening) -> PlyAnalysis:
        """Analysis of a move from all results."""
        side, move, line = self._side(ply), self._moves[ply], self.lines[ply]
        before, after, loss = self.value_before(ply), self.value_after(ply), self.loss(ply)
        board = self._board(ply)
        book = opening.follow(board, move)
        returns = find_returns(board, self._settings.rules)
        best = self._better(board, line, before)
        board.push_unchecked(move)
        thrown = self._thrown(ply)
        mark = MoveMark.BLUNDER if thrown is not None else self._mark(ply)
        missed = None if line is None or loss == 0 else line.value.mates(side)
        return PlyAnalysis(
            ply=ply,
            side=side,
            move=move,
            best=best,
            before=before,
            after=after,
            loss=loss,
            loss_cp=max(0, before.cp(side) - after.cp(side)) if loss else 0,
            mark=MoveMark.GOOD if mark is None and self._is_only(ply) else mark,
            missed_mate=missed if not self._still_mates(ply) else None,
            thrown=thrown,
            demands=tuple(self._demands(ply, board, returns, loss)),
            book=book,
        )

    def _better(self, board: Board, line: EngineLine | None, before: Value) -> EngineLine | None:
        """The better line; that of the tables where the engine's differs."""
        keeping = self._tables.keeping_moves(board) if self._known[board.ply()] else []
        if not keeping or (line is not None and line.moves[0] in keeping):
            return line
        return EngineLine(before, (keeping[0],), 0, 0)

    def _still_mates(self, ply: int) -> bool:
        after = self.value_after(ply)
        side = self._side(ply)
        return after.mates(side) is not None or (after.kind == "over" and after.points(side) == 1)

    def _thrown(self, ply: int) -> tuple[TableValue, TableValue] | None:
        before, after = self._known[ply], self._known[ply + 1]
        if before is None or after is None or self._outcomes[ply + 1] is not None:
            return None
        kept = after.for_mover()
        return (before, kept) if kept.value < before.value else None

    def _demands(self, ply: int, board: Board, returns: Returns, loss: float) -> list[Demand]:
        side = self._side(ply)
        played = Played(
            board,
            self._outcomes[ply + 1],
            self.value_before(ply).points(side),
            self.value_after(ply).points(side),
            loss == 0,
        )
        return find_demands(played, returns, self._settings.rules)

    def _is_only(self, ply: int) -> bool:
        """Is it the only good move, and hard to see?"""
        line, move = self.lines[ply], self._moves[ply]
        if line is None or line.moves[0] != move or self._quick[ply] == move:
            return False
        if self._outcomes[ply] is not None or self._outcomes[ply + 1] is not None:
            return False
        other = self._analyst.search(self._board(ply), self._settings.effort, [move])
        side = self._side(ply)
        if other is None:
            return False
        return self.value_before(ply).points(side) - other.value.points(side) >= ONLY
