"""Solving classes, those with fewer pieces first, on workers if there are any, and auditing them.

A file is written when its class is solved, and a class with a complete file is not solved again, so
that interrupted work continues. Small classes can be made on first use. The audit compares every
value with those of its moves, and plays games by the tables.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.core.tablebase import CELL_SIZE, Tables, count_cells, place
from xiangqi.errors import Fact, TableError, WorkersError
from xiangqi.pieces.fen import Setup
from xiangqi.referee.outcome import Outcome, Termination, find_outcome
from xiangqi.referee.rules import find_rule_set
from xiangqi.tables.classes import SOLVED_RULES, MaterialClass, with_captures
from xiangqi.tables.files import PackedTable, TableFile, file_name, pack_table, write_table
from xiangqi.tables.probing import MoveValue, Tablebase
from xiangqi.workers import Workers, in_this_process, run_in_order

__all__ = [
    "Audit",
    "Job",
    "Playouts",
    "audit_table",
    "is_small",
    "make_small",
    "make_tables",
    "missing_tables",
    "play_out",
    "random_positions",
    "shelf_for",
]

SMALL: Final = 1_000_000
"""Maximum number of cells of a small class and all that captures lead to: about a second's work."""
BYTES_A_CELL: Final = 4
"""Bytes that the core needs for each cell of a class, the cell included."""


@dataclass(frozen=True)
class Job:
    """A class to be solved, with the files of those that its captures lead to."""

    material: MaterialClass
    rules: str
    captures: tuple[bytes, ...]


Teller = Callable[[MaterialClass, str, float], None]
"""Called with the class in work, a description of the step, and its share done, from 0 to 1."""


def solve_job(jobs: tuple[Job, ...], tell: Teller | None = None) -> list[bytes]:
    """Contents of the files of some classes; for workers."""
    return [_solve(job, None if tell is None else partial(tell, job.material)) for job in jobs]


def _solve(job: Job, tell: Callable[[str, float], None] | None) -> bytes:
    try:
        tables = Tables()
        for contents in job.captures:
            known = PackedTable(contents, "a table that was handed out")
            tables.add(known.head.material.pieces, known.cells())
        switches = find_rule_set(job.rules).switches
        cells, doubtful = tables.solve(job.material.pieces, switches, tell)
    except MemoryError as error:
        why = Fact("table.memory", size=f"{memory_for(job.material) / 1e6:,.0f}")
        raise TableError(Fact("table.class", name=job.material.name), why) from error
    return pack_table(job.material, job.rules, cells, doubtful)


def memory_for(material: MaterialClass) -> int:
    """Memory in bytes for the cells while a class is solved, those of its captures included.

    >>> from xiangqi.tables.classes import parse_class
    >>> memory_for(parse_class("KRAABBvKAABB")) // 10**6
    2627
    """
    captures = sum(other.cells for other in set(material.captures()))
    return BYTES_A_CELL * material.cells + CELL_SIZE * captures


def missing_tables(
    folder: Path, classes: Sequence[MaterialClass], rules: str
) -> list[MaterialClass]:
    """Classes, including those that captures lead to, without a complete file in the folder."""
    return [
        material
        for material in with_captures(classes)
        if not _is_whole(folder / file_name(material, rules))
    ]


def _is_whole(path: Path) -> bool:
    if not path.exists():
        return False
    try:
        TableFile(path).check()
    except TableError:
        return False
    return True


def make_tables(
    folder: Path,
    classes: Sequence[MaterialClass],
    rules: str,
    workers: Workers,
    tell: Teller | None = None,
) -> Generator[MaterialClass, None, None]:
    """Solve and write the missing tables; yield each class when its file is written.

    Classes of equally many pieces are independent and are solved in parallel. ``tell`` reports
    progress if this process does the work; its exceptions end the work.
    """
    solve = solve_job if workers.count else partial(solve_job, tell=tell)
    folder.mkdir(parents=True, exist_ok=True)
    missing = missing_tables(folder, classes, rules)
    for _, group in groupby(missing, key=lambda material: material.men):
        layer = list(group)
        batches = ((_job(folder, material, rules),) for material in layer)
        done = run_in_order(solve, batches, workers, _give_up)
        for material, (contents,) in zip(layer, done, strict=True):
            write_table(folder / file_name(material, rules), contents)
            yield material


def is_small(material: MaterialClass) -> bool:
    """Can a class be made in about a second, with all that its captures lead to?

    >>> from xiangqi.tables.classes import parse_class
    >>> is_small(parse_class("KRvKN")), is_small(parse_class("KRvKAABB"))
    (True, False)
    """
    try:
        if count_cells(material.pieces) > SMALL:
            return False
    except ValueError:  # far too large
        return False
    return sum(other.cells for other in with_captures([material])) <= SMALL


def make_small(folder: Path, material: MaterialClass) -> int:
    """Make the missing tables of a small class under all rule sets; return their number.

    Nothing is made for a larger class. Raises FormatError if they cannot be written.
    """
    paths = [folder / file_name(material, rules) for rules in SOLVED_RULES]
    if all(path.is_file() for path in paths) or not is_small(material):
        return 0
    working = in_this_process()
    return sum(
        sum(1 for _ in make_tables(folder, [material], rules, working)) for rules in SOLVED_RULES
    )


def _job(folder: Path, material: MaterialClass, rules: str) -> Job:
    captures = sorted(set(material.captures()), key=lambda other: other.name)
    files = (TableFile(folder / file_name(other, rules)) for other in captures)
    return Job(material, rules, tuple(file.contents() for file in files))


def _give_up(job: Job) -> list[bytes]:
    name = Fact("table.class", name=job.material.name)
    raise WorkersError(name, Fact("workers.each_died"))


def shelf_for(folder: Path, material: MaterialClass, rules: str) -> Tables:
    """Tables that captures of a class lead to. Raises TableError if one is missing."""
    tables = Tables()
    for other in material.captures():
        path = folder / file_name(other, rules)
        if not path.exists():
            raise TableError(str(path), Fact("table.missing_capture"))
        tables.add(other.pieces, TableFile(path).cells())
    return tables


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

    ``tell`` reports the share done, from 0 to 1; its exceptions end the work. Raises TableError for
    a damaged file, or a missing one that a capture leads to.
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
    """Iterate endlessly over random positions of a class, all equally likely."""
    while True:
        board = _board_at(material, rng.randrange(material.cells))
        if board is not None:
            yield board


# Games by the tables

DEFENCES: Final = ("random", "longest", "repeating")
"""Defences: a random move, the move that holds out longest, or that with a preference for moves
that repeat a position."""


@dataclass
class Playouts:
    """Results of games played out from positions that are won by the tables."""

    games: int = 0
    endings: Counter[Termination] = field(default_factory=Counter)
    failures: list[tuple[CoreBoard, Outcome]] = field(default_factory=list)
    """Games that were not won, except those ended by the limit of rounds."""

    def enter(self, board: CoreBoard, outcome: Outcome, winner: bool) -> None:
        """Record a finished game."""
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
