"""Are the tables right? A second look at every cell, and games played out by them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.core.tablebase import place
from xiangqi.pieces.fen import Setup
from xiangqi.referee.outcome import Outcome, Termination, find_outcome
from xiangqi.referee.rules import find_rule_set
from xiangqi.tables.classes import MaterialClass
from xiangqi.tables.files import TableFile, file_name
from xiangqi.tables.making import shelf_for
from xiangqi.tables.probing import MoveValue, Tablebase

__all__ = ["Audit", "Playouts", "audit_table", "play_out", "random_positions"]


@dataclass(frozen=True)
class Audit:
    """Result of the second pass over a class."""

    positions: int
    violations: int
    first: CoreBoard | None
    """A position whose value does not follow from those of its moves."""


def audit_table(
    folder: Path,
    material: MaterialClass,
    rules: str,
    tell: Callable[[str, float], None] | None = None,
) -> Audit:
    """Compare each value of a table with those that its moves lead to.

    ``tell`` hears how much is done, from 0 to 1; what it raises ends the work.
    Raises TableError for a file that is damaged, or where one that a capture leads to is missing.
    """
    cells = TableFile(folder / file_name(material, rules)).cells()
    switches = find_rule_set(rules).switches
    tables = shelf_for(folder, material, rules)
    positions, violations, first = tables.audit(material.pieces, cells, switches, tell)
    return Audit(positions, violations, _board_at(material, first) if violations else None)


def _board_at(material: MaterialClass, index: int) -> CoreBoard | None:
    found = place(material.pieces, index)
    return None if found is None else CoreBoard(Setup(*found, 0, 1))


def random_positions(material: MaterialClass, rng: random.Random) -> Iterator[CoreBoard]:
    """Positions of a class, every one as likely as any other; without end."""
    while True:
        board = _board_at(material, rng.randrange(material.cells))
        if board is not None:
            yield board


# Games by the tables

DEFENCES: Final = ("random", "longest", "repeating")
"""Play of the other side: any move, the move that holds out longest, and the same with a preference
for moves that lead back to where the game has been."""


@dataclass
class Playouts:
    """Results of games played out from positions that the tables call won."""

    games: int = 0
    endings: Counter[Termination] = field(default_factory=Counter)
    failures: list[tuple[CoreBoard, Outcome]] = field(default_factory=list)
    """The games that were not won, apart from those that the limit of rounds ended."""

    def enter(self, board: CoreBoard, outcome: Outcome, winner: bool) -> None:
        """Book a game that has ended."""
        self.games += 1
        self.endings[outcome.termination] += 1
        if outcome.winner != winner and outcome.termination is not Termination.NO_CAPTURE:
            self.failures.append((board, outcome))


def play_out(
    tables: Tablebase, board: CoreBoard, rules: str, defence: str, rng: random.Random
) -> Outcome:
    """Play a won position out: the winner by the tables, the other side by a defence.

    The referee ends the game. The winner is the side to move if the position is won for it.
    """
    found = tables.probe(board, rules)
    if found is None or not found.value:
        raise ValueError(f"{board.fen()}: expected a position that is decided in the tables")
    winner = board.turn if found.value > 0 else not board.turn
    rule_set = find_rule_set(rules)
    while True:
        outcome = find_outcome(board, rule_set)
        if outcome is not None:
            return outcome
        moves = tables.probe_moves(board, rules)
        chosen = moves[0] if board.turn == winner else _defend(board, moves, defence, rng)
        board.push(chosen.move)


def _defend(
    board: CoreBoard, moves: list[MoveValue], defence: str, rng: random.Random
) -> MoveValue:
    if defence == "random":
        return rng.choice(moves)
    best = [of for of in moves if of.value.rank() == moves[0].value.rank()]
    if defence == "repeating":
        return max(moves, key=lambda of: (_comes_back(board, of), of.value.rank()))
    return rng.choice(best)


def _comes_back(board: CoreBoard, of: MoveValue) -> int:
    """Sort key that prefers repetitions: occurrences of the position after the move."""
    if board.is_capture(of.move):
        return 1
    board.push(of.move)
    times = board.repetitions()
    board.pop()
    return times if of.value.by_rule else 0
