"""Solving classes, those with fewer pieces first, with or without workers, and auditing tables.

A file is written as soon as its class is solved, and a class with a complete file is not solved
again, so that interrupted work continues. Small classes can be made on first use. An audit checks
every value against those of its moves; playouts test the tables in games.
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
from xiangqi.ground.errors import Fact, TableError, WorkersError
from xiangqi.ground.workers import Workers, in_this_process, run_in_order
from xiangqi.pieces.fen import Setup
from xiangqi.referee.outcome import Outcome, Termination, find_outcome
from xiangqi.referee.rules import find_rule_set
from xiangqi.tables.classes import SOLVED_RULES, MaterialClass, with_captures
from xiangqi.tables.files import PackedTable, TableFile, file_name, pack_table, write_table
from xiangqi.tables.probing import MoveValue, Tablebase

__all__ = [
    "Audit",
    "Job",
    "Playouts",
    "audit_table",
    "is_small",
    "load_captures",
    "make_small",
    "make_tables",
    "missing_tables",
    "play_out",
    "random_positions",
]

SMALL: Final = 1_000_000
"""Maximum number of cells of a small class and all that captures lead to: about a second."""
BYTES_A_CELL: Final = 4
"""Memory that the core needs for each cell of a class, including the cell."""


@dataclass(frozen=True)
class Job:
    """A class to be solved, with the contents of the files of the classes captures lead to."""

    material: MaterialClass
    rules: str
    captures: tuple[bytes, ...]


OnProgress = Callable[[MaterialClass, str, float], None]
"""Called with the class being solved, a description of the step, and its share done, 0 to 1."""


def solve_jobs(jobs: tuple[Job, ...], on_progress: OnProgress | None = None) -> list[bytes]:
    """Solve classes, in a worker; return the contents of their files."""
    return [_solve(job, on_progress and partial(on_progress, job.material)) for job in jobs]


def _solve(job: Job, on_step: Callable[[str, float], None] | None) -> bytes:
    try:
        tables = Tables()
        for contents in job.captures:
            known = PackedTable(contents, "a table sent to a worker")
            tables.add(known.head.material.pieces, known.cells())
        switches = find_rule_set(job.rules).switches
        cells, doubtful = tables.solve(job.material.pieces, switches, on_step)
    except MemoryError as error:
        why = Fact("table.memory", size=f"{memory_for(job.material) / 1e6:,.0f}")
        raise TableError(Fact("table.class", name=job.material.name), why) from error
    return pack_table(job.material, job.rules, cells, doubtful)


def memory_for(material: MaterialClass) -> int:
    """Memory in bytes for solving a class, including the tables its captures lead to.

    >>> from xiangqi.tables.classes import parse_class
    >>> memory_for(parse_class("KRAABBvKAABB")) // 10**6
    2627
    """
    captures = sum(other.cells for other in set(material.captures()))
    return BYTES_A_CELL * material.cells + CELL_SIZE * captures


def missing_tables(
    folder: Path, classes: Sequence[MaterialClass], rules: str
) -> list[MaterialClass]:
    """Classes without a complete file in the folder, including those that captures lead to."""
    return [
        material
        for material in with_captures(classes)
        if not _is_complete(folder / file_name(material, rules))
    ]


def _is_complete(path: Path) -> bool:
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
    on_progress: OnProgress | None = None,
) -> Generator[MaterialClass, None, None]:
    """Solve and write the missing tables; yield each class when its file is written.

    Classes with the same number of pieces are independent and are solved in parallel.
    ``on_progress`` is called if there are no workers; an exception it raises ends the work.
    """
    solve = solve_jobs if workers.count else partial(solve_jobs, on_progress=on_progress)
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
    """Can a class and all that captures lead to be solved in about a second?

    >>> from xiangqi.tables.classes import parse_class
    >>> is_small(parse_class("KRvKN")), is_small(parse_class("KRvKAABB"))
    (True, False)
    """
    try:
        if count_cells(material.pieces) > SMALL:
            return False
    except ValueError:  # too large for any table
        return False
    return sum(other.cells for other in with_captures([material])) <= SMALL


def make_small(folder: Path, material: MaterialClass) -> int:
    """Make the missing tables of a small class under all rule sets; return their number.

    Return 0 for a larger class. Raises FormatError if a file cannot be written.
    """
    paths = [folder / file_name(material, rules) for rules in SOLVED_RULES]
    if all(path.is_file() for path in paths) or not is_small(material):
        return 0
    return sum(
        1
        for rules in SOLVED_RULES
        for _ in make_tables(folder, [material], rules, in_this_process())
    )


def _job(folder: Path, material: MaterialClass, rules: str) -> Job:
    captures = sorted(set(material.captures()), key=lambda other: other.name)
    files = (TableFile(folder / file_name(other, rules)) for other in captures)
    return Job(material, rules, tuple(file.contents() for file in files))


def _give_up(job: Job) -> list[bytes]:
    name = Fact("table.class", name=job.material.name)
    raise WorkersError(name, Fact("workers.each_died"))


def load_captures(folder: Path, material: MaterialClass, rules: str) -> Tables:
    """Load the tables that captures of a class lead to. Raises TableError if one is missing."""
    tables = Tables()
    for other in material.captures():
        path = folder / file_name(other, rules)
        if not path.exists():
            raise TableError(str(path), Fact("table.missing_capture"))
        tables.add(other.pieces, TableFile(path).cells())
    return tables


@dataclass(frozen=True)
class Audit:
    """Result of an audit."""

    positions: int
    violations: int
    first: CoreBoard | None
    """The first position whose value does not follow from those of its moves."""


def audit_table(
    folder: Path,
    material: MaterialClass,
    rules: str,
    on_step: Callable[[str, float], None] | None = None,
) -> Audit:
    """Check each value of a table against those of its moves.

    ``on_step`` is called with a description of the step and its share done, from 0 to 1; an
    exception it raises ends the work. Raises TableError for a damaged file, or if a table that a
    capture leads to is missing.
    """
    cells = TableFile(folder / file_name(material, rules)).cells()
    switches = find_rule_set(rules).switches
    tables = load_captures(folder, material, rules)
    positions, violations, first = tables.audit(material.pieces, cells, switches, on_step)
    return Audit(positions, violations, _board_at(material, first) if violations else None)


def _board_at(material: MaterialClass, index: int) -> CoreBoard | None:
    found = place(material.pieces, index)
    return None if found is None else CoreBoard(Setup(*found, 0, 1))


def random_positions(material: MaterialClass, rng: random.Random) -> Iterator[CoreBoard]:
    """Generate random positions of a class without end, all equally likely."""
    while True:
        board = _board_at(material, rng.randrange(material.cells))
        if board is not None:
            yield board


# Playouts

DEFENCES: Final = ("random", "longest", "repeating")
"""Moves of the losing side: any at random, the one that holds out longest, or preferably one that
repeats a position."""


@dataclass
class Playouts:
    """Results of games played out from won positions of the tables."""

    games: int = 0
    endings: Counter[Termination] = field(default_factory=Counter)
    failures: list[tuple[CoreBoard, Outcome]] = field(default_factory=list)
    """Games that were not won, except those drawn by the no-capture limit."""

    def enter(self, board: CoreBoard, outcome: Outcome, winner: bool) -> None:
        """Record a finished game."""
        self.games += 1
        self.endings[outcome.termination] += 1
        if outcome.winner != winner and outcome.termination is not Termination.NO_CAPTURE:
            self.failures.append((board, outcome))


def play_out(
    tables: Tablebase, board: CoreBoard, rules: str, defence: str, rng: random.Random
) -> Outcome:
    """Play out a won or lost position: the winner by the tables, the loser by a defence.

    Returns the outcome by the referee. Raises ValueError for a position that is not decided.
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
    if defence == "repeating":
        return max(moves, key=lambda one: (_repetitions_after(board, one), one.value.rank()))
    return rng.choice([one for one in moves if one.value.rank() == moves[0].value.rank()])


def _repetitions_after(board: CoreBoard, found: MoveValue) -> int:
    """Sort key that prefers repetitions: occurrences of the position after the move."""
    if board.is_capture(found.move):
        return 1
    board.push(found.move)
    occurrences = board.repetitions()
    board.pop()
    return occurrences if found.value.by_rule else 0
