"""Checking a book: illegal moves, negative weights and counts, and repetitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from xiangqi.board import Board
from xiangqi.books.base import Book, BookMove, Visit, walk_book
from xiangqi.ground.errors import plural
from xiangqi.referee.outcome import Outcome
from xiangqi.referee.rules import RuleSet, find_rule_set

__all__ = ["BookReport", "check_book"]

_MAX_SHOWN: Final = 20


@dataclass
class BookReport:
    """Findings of a check."""

    rows: int = 0
    """Number of rows in the file."""
    positions: int = 0
    """Number of positions reached from the starting position, mirror images counted once."""
    moves: int = 0
    """Number of legal moves in these positions."""
    faults: Counter[str] = field(default_factory=Counter)
    """Number of moves that are ``illegal``, or have a ``weight`` or ``counts`` below 0."""
    examples: list[str] = field(default_factory=list)
    """Descriptions of the first faults."""
    repetitions: Counter[str] = field(default_factory=Counter)
    """Number of moves that repeat a position of their line, by the ruling if the cycle goes on:
    ``lost``, ``won`` or ``drawn`` for the player of the move."""

    @property
    def is_sound(self) -> bool:
        return not self.faults

    def note(self, fault: str, board: Board, found: BookMove, why: str) -> None:
        """Record a fault."""
        self.faults[fault] += 1
        if len(self.examples) < _MAX_SHOWN:
            self.examples.append(f"{board.fen()}: {found.move.iccs()}: {why}")

    def lines(self) -> Iterator[str]:
        """Iterate over the lines of the report."""
        yield from self.examples
        yield (
            f"{plural(self.rows, 'row')}; from the beginning {plural(self.moves, 'move')} "
            f"in {plural(self.positions, 'position')}"
        )
        wrong = ", ".join(f"{name} {self.faults[name]}" for name in ("illegal", "weight", "counts"))
        yield f"faults: {wrong}"
        ruled = ", ".join(f"{name} {self.repetitions[name]}" for name in ("lost", "won", "drawn"))
        yield f"repeating moves, result for the mover: {ruled}"


def check_book(book: Book, rules: RuleSet | str, report: BookReport) -> Iterator[None]:
    """Check every position reached from the starting position; yield after each one.

    Positions cannot be recovered from keys, so rows that no line reaches are counted but not
    checked. Raises BookError if the file is damaged.
    """
    rules = find_rule_set(rules)
    report.rows = book.count()
    for visit in walk_book(book.find_all, Board()):
        report.positions += 1
        report.moves += len(visit.legal)
        _check_moves(visit, report, rules)
        yield


def _check_moves(visit: Visit, report: BookReport, rules: RuleSet) -> None:
    for found in visit.illegal:
        why = visit.board.why_illegal(found.move) or "not legal"
        report.note("illegal", visit.board, found, why)
    for found in visit.legal:
        if found.weight < 0:
            report.note("weight", visit.board, found, f"weight {found.weight}, expected 0 or more")
        counts = (found.wins, found.draws, found.losses)
        if min(counts) < 0:
            report.note("counts", visit.board, found, f"counts {counts}, expected 0 or more")
        outcome = _repeat(visit.board, found, rules)
        if outcome is not None:
            won = outcome.winner == visit.board.turn
            report.repetitions["drawn" if outcome.winner is None else "won" if won else "lost"] += 1


def _repeat(board: Board, found: BookMove, rules: RuleSet) -> Outcome | None:
    """Outcome of going on with the cycle that a move closes; None if it repeats no position."""
    work = board.copy()
    work.push_unchecked(found.move)
    if work.repetitions() < 2:
        return None
    past = work.copy()
    past.pop()
    while past.key != work.key:
        past.pop()
    cycle = work.move_stack[len(past.move_stack) :]
    for _ in range(rules.occurrences):
        outcome = work.outcome(rules)
        if outcome is not None:
            return outcome
        for move in cycle:
            work.push_unchecked(move)
    return work.outcome(rules)
