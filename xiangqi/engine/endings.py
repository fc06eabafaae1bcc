"""The end-game tables that an engine plays by."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from xiangqi.core.move import Move
from xiangqi.referee.rules import RuleSet

if TYPE_CHECKING:
    from xiangqi.board import Board
    from xiangqi.core.tablebase import Tables
    from xiangqi.tables.probing import LoadedTables

__all__ = ["Advice", "Endings"]


class Advice(NamedTuple):
    """Value of a position by the tables."""

    moves: list[Move]
    """The moves that keep what it is worth."""
    says: str
    """What it is worth, for people."""


class Endings:
    """The tables of a folder under the rules that are played by; at first none."""

    def __init__(self) -> None:
        self._folder = ""
        self._tables: LoadedTables | None = None

    @property
    def core(self) -> Tables | None:
        """Loaded tables for the search."""
        return None if self._tables is None else self._tables.core

    def load(self, folder: str, rules: RuleSet) -> None:
        """Load all tables of a folder that hold under these rules; none without a folder.

        Raises TableError, and keeps what was there, for a folder that is not there and for a
        damaged file. Rules without tables get none, and so does a folder without any for them.
        """
        from xiangqi.tables.probing import LoadedTables, find_rules

        name = find_rules(rules)
        self._tables = LoadedTables(Path(folder), name) if folder and name is not None else None
        self._folder = folder

    def rule_by(self, rules: RuleSet) -> None:
        """Have those of the same folder that hold under these rules, as :meth:`load` does."""
        from xiangqi.tables.probing import find_rules

        held = None if self._tables is None else self._tables.rules
        if self._folder and find_rules(rules) != held:
            self.load(self._folder, rules)

    def describe(self, rules: RuleSet) -> str:
        """Report the number of tables for these rules, or the command that makes them."""
        count = 0 if self._tables is None else self._tables.count
        if count:
            return f"end-game tables: {count} for {rules.name}; other classes are searched"
        return (
            f"no end-game tables for {rules.name} in that folder; "
            "'xiangqi tables make --men 4 --folder FOLDER' makes them"
        )

    def advise(self, board: Board, rules: RuleSet) -> Advice | None:
        """Probe a position; None unless the tables cover it and all its moves."""
        from xiangqi.tables.wording import describe_value

        tables = self._tables
        if tables is None:
            return None
        value = tables.probe(board, tables.rules)
        moves = tables.keeping_moves(board, tables.rules)
        if value is None or not moves:
            return None
        says = f"tables: {describe_value(value, board.turn, rules.name)}"
        left = (rules.no_capture_limit or 0) - board.halfmove_clock
        if rules.no_capture_limit is not None and value.value and value.distance > left:
            says += f", but the limit without a capture is {left} plies away"
        return Advice(moves, says)
