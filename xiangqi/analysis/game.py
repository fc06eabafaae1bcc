"""Analysis of a game move by move: the value of each position, the loss of each move.

1. A short search of each position, from the first to the last.
2. A search of each position with the full effort, from the last to the first, with one hash table,
   so that each search benefits from the later positions.
3. If a move seems to lose points, a search of the positions before and after it with
   :data:`DEEPER` times the effort; if it still does, another with :data:`DEEPER` times that effort.
   The new values may make other moves seem to lose: repeat until no such move is left.
4. If the best move was played and the short search preferred another one, a search of the other
   moves: was the played one the only good move?

All marks rest on steps 3 and 4. The threshold of the mildest mark is close to the noise of the
values; it therefore requires both searches of step 3 to agree.
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
"""Factor of the effort for each further search of a suspect move."""
MAX_RETRIES: Final = 2
"""Number of further searches, each with DEEPER times the effort of the one before."""
QUICK: Final = 1 / 20
"""Effort of the short search, as a share of the full effort."""
ONLY: Final = THRESHOLDS[MoveMark.MISTAKE]
"""Minimum loss of all other moves for a move to be the only good one."""
DEFAULT_EFFORT: Final = Effort(nodes=100_000)


@dataclass(frozen=True, slots=True)
class AnalysisSettings:
    """Settings of an analysis; with a node limit they determine its result."""

    effort: Effort = DEFAULT_EFFORT
    """Effort for each position."""
    engine: str = ""
    """Command of an external engine; empty for Meihua."""
    options: tuple[tuple[str, str], ...] = ()
    """Names and values of the external engine's options."""
    rules: RuleSet = WXF
    book: str = ""
    """Path of an opening book; empty for none."""
    tables: Path | None = None
    """Folder of endgame tables."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", find_rule_set(self.rules))  # frozen, but may be a name


@dataclass(frozen=True, slots=True)
class PlyAnalysis:
    """Analysis of one move of a game."""

    ply: int
    """Number of moves played before it."""
    side: Color
    move: Move
    best: EngineLine | None
    """The best line, which may begin with the played move; None if unknown."""
    before: Value
    """Value of the position before the move, with best play."""
    after: Value
    """Value of the position after the move; by the rules if the move ends the game."""
    loss: float
    """Expected points that the move has lost."""
    loss_cp: int
    """Loss in centipawns, scores limited to :data:`~xiangqi.analysis.values.MAX_CP`."""
    mark: MoveMark | None
    missed_mate: int | None
    """Number of moves of a missed mate; None if none was missed."""
    thrown: tuple[TableValue, TableValue] | None
    """Table values for the mover before and after the move, if the move worsens the result."""
    demands: tuple[Demand, ...]
    book: BookMoves | None


@dataclass(frozen=True, slots=True)
class GameAnalysis:
    """Analysis of a game."""

    plies: tuple[PlyAnalysis, ...]
    first: Value | None
    """Value of the starting position."""
    opening: str
    """Name of the opening by the book; empty if unknown."""
    analyst: str
    """Name of the engine."""


def analyse_moves(
    fen: str,
    moves: tuple[Move, ...],
    analyst: Analyst,
    settings: AnalysisSettings,
    on_position: Callable[[], None] = lambda: None,
) -> GameAnalysis:
    """Analyse the main line of a game; its moves must be legal.

    ``on_position`` is called after each search with the full effort. Raises FenError,
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
    """Analyse like :func:`analyse_moves`, as a generator that yields after each search.

    Yields the number of positions searched with the full effort so far; returns the analysis.
    """
    walk = _Walk(fen, moves, analyst, settings)
    for _ in walk.search_quickly():
        yield 0
    yield from walk.search_fully()
    count = len(moves) + 1
    for _ in walk.search_again():
        yield count
    opening = NamedOpening(settings.book)
    plies = []
    for ply in range(len(moves)):
        plies.append(walk.report(ply, opening))
        yield count
    first = walk.lines[0]
    return GameAnalysis(tuple(plies), first and first.value, opening.name, analyst.name)


class _Walk:
    """The positions of a game with their results so far.

    A position is indexed by the number of moves before it, a move by that of the position before.
    """

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
        self._retries = [0] * count  # further searches of each position
        self._min_loss = [math.inf] * len(moves)  # of each move, over its further searches
        self._tables = Tables(settings.tables, settings.rules)

    def _board(self, plies: int) -> Board:
        board = start_board(self._fen)
        for move in self._moves[:plies]:
            board.push_unchecked(move)
        return board

    def search_quickly(self) -> Iterator[None]:
        """Collect outcomes and table values, and run the short searches."""
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

    def search_fully(self) -> Iterator[int]:
        """Run the searches with full effort; yield the number of positions done."""
        board, last = self._board(len(self._moves)), len(self._moves)
        for plies in range(last, -1, -1):
            if plies < last or self._outcomes[plies] is None:
                self.lines[plies] = self._analyst.search(board, self._settings.effort)
            yield last - plies + 1
            if plies:
                board.pop()

    def search_again(self) -> Iterator[None]:
        """Search the positions before and after each suspect move again, with more effort."""
        while True:
            suspect = {
                plies
                for ply in range(len(self._moves))
                if self._mark(ply) is not None
                for plies in (ply, ply + 1)
                if self.lines[plies] is not None and self._retries[plies] < MAX_RETRIES
            }
            if not suspect:
                return
            for plies in sorted(suspect, reverse=True):
                self._retries[plies] += 1
                effort = self._settings.effort.times(DEEPER ** self._retries[plies])
                self.lines[plies] = self._analyst.search(self._board(plies), effort)
                yield
            for ply in range(len(self._moves)):
                retries, lines = self._retries[ply : ply + 2], self.lines[ply : ply + 2]
                # Were both positions searched again, if they have a line?
                if any(retries) and all(
                    tries or line is None for tries, line in zip(retries, lines, strict=True)
                ):
                    self._min_loss[ply] = min(self._min_loss[ply], self.loss(ply))

    def _mark(self, ply: int) -> MoveMark | None:
        """Mark of a move by its loss, as far as known."""
        mark = mark_of_loss(self.loss(ply))
        is_refuted = mark is MoveMark.INACCURACY and self._min_loss[ply] < INACCURACY
        return None if is_refuted else mark

    # Results

    def value_before(self, ply: int) -> Value:
        """Value of the position before a move, by tables or the search.

        For the mover it is at least the value of the played move.
        """
        line, after = self.lines[ply], self.value_after(ply)
        best = self._known_value(ply) or (after if line is None else line.value)
        side = self._side(ply)
        return max(best, after, key=lambda value: value.points(side))

    def value_after(self, ply: int) -> Value:
        """Value of the position after a move, by the rules, tables or the search."""
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
            return line.value  # has the distance to mate too
        return Value.of_winner(winner, "rule")

    def _side(self, plies: int) -> Color:
        return self._first_side if plies % 2 == 0 else not self._first_side

    def loss(self, ply: int) -> float:
        """Expected points that a move has lost; 0 if it is the engine's choice."""
        line, is_over = self.lines[ply], self._outcomes[ply + 1] is not None
        known = self._known[ply]
        if line is not None and line.moves[0] == self._moves[ply] and not is_over and known is None:
            return 0.0
        side = self._side(ply)
        return self.value_before(ply).points(side) - self.value_after(ply).points(side)

    def report(self, ply: int, opening: NamedOpening) -> PlyAnalysis:
        """Make the analysis of a move from the results; moves must come in order."""
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
        still_mates = after.mates(side) is not None or (
            after.kind == "over" and after.points(side) == 1
        )
        played = Played(
            board, self._outcomes[ply + 1], before.points(side), after.points(side), loss == 0
        )
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
            missed_mate=None if still_mates else missed,
            thrown=thrown,
            demands=tuple(find_demands(played, returns, self._settings.rules)),
            book=book,
        )

    def _better(self, board: Board, line: EngineLine | None, before: Value) -> EngineLine | None:
        """The best line; a move of the tables if the engine's line does not keep the value."""
        best = self._tables.keeping_moves(board) if self._known[board.ply()] else []
        if not best or (line is not None and line.moves[0] in best):
            return line
        return EngineLine(before, (best[0],), 0, 0)

    def _thrown(self, ply: int) -> tuple[TableValue, TableValue] | None:
        before, after = self._known[ply], self._known[ply + 1]
        if before is None or after is None or self._outcomes[ply + 1] is not None:
            return None
        own = after.for_mover()
        return (before, own) if own.value < before.value else None

    def _is_only(self, ply: int) -> bool:
        """Is the move the only good one, and not the choice of the short search?"""
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
