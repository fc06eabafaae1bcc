"""Probing tables: values of positions under each rule set, and moves that keep the value.

>>> tables = Tablebase(Path("no such folder"))
>>> tables.probe(CoreBoard(), "wxf") is None
True
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from xiangqi.contract.answers import TableValuesData
from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.core.tablebase import Tables, decode_cell, find_cell, move_marks
from xiangqi.ground.errors import Fact, TableError
from xiangqi.pieces import Color, require_color
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set
from xiangqi.tables.classes import SOLVED_RULES, MaterialClass, class_of
from xiangqi.tables.files import SUFFIX, TableFile, file_name
from xiangqi.words.voice import PLAIN_VOICE, Voice

__all__ = [
    "LoadedTables",
    "MoveValue",
    "Prober",
    "TableValue",
    "Tablebase",
    "compare_rules",
    "default_folder",
    "describe_default_tables",
    "describe_result",
    "describe_value",
    "find_rules",
    "probe",
    "probe_move",
    "table_values",
]

_LIMITS: Final = ("occurrences", "no_capture_limit", "free_checks", "total_limit")
"""Fields of a rule set that tables do not depend on."""
_OPEN: Final = 64
"""Maximum number of open files in a folder."""


@dataclass(frozen=True)
class TableValue:
    """Value of a position for the side to move."""

    value: int
    """1: won, 0: drawn, -1: lost."""
    distance: int
    """Plies to mate, not counting offences that only delay it; 0 for a draw."""
    level: int
    """0 if mate is forced; higher if the loser can only hold out by an offence."""

    @property
    def by_rule(self) -> bool:
        """Does the value depend on the repetition rules?"""
        return self.level > 0

    def for_mover(self) -> TableValue:
        """Value for the side that made the last move, before that move."""
        return TableValue(-self.value, self.distance + 1 if self.value else 0, self.level)

    def rank(self) -> tuple[int, int, int]:
        """Sort key for the side to move, greater is better: by level, then by distance."""
        if self.value > 0:
            return 1, -self.level, -self.distance
        return self.value, self.level, self.distance


class MoveValue(NamedTuple):
    """A legal move with the value of the next position for the mover."""

    move: Move
    value: TableValue


def find_rules(rules: RuleSet | str) -> str | None:
    """Find the rule set whose tables apply under these rules; None without one.

    The number of occurrences and the limits of plies do not matter.
    """
    rules = find_rule_set(rules)
    if not rules.in_search:
        return None  # tables are solved with the rules of the search
    limits = {name: getattr(rules, name) for name in _LIMITS}
    for name in SOLVED_RULES:
        if replace(find_rule_set(name), name=rules.name, **limits) == rules:
            return name
    return None


def default_folder() -> Path:
    """Default folder of tables, in the user's cache directory."""
    base = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return (Path(base) if base else Path.home() / ".cache") / "meihua" / "tables"


class Prober(ABC):
    """Interface of table probing."""

    @abstractmethod
    def probe(self, board: CoreBoard, rules: str) -> TableValue | None:
        """Probe the position for the side to move, ignoring its history; None if unknown."""

    def probe_moves(self, board: CoreBoard, rules: str) -> list[MoveValue]:
        """All legal moves with their values for the mover, the best first.

        In a win, moves that shorten it come first; if it depends on a ruling, those that are no
        offence are preferred. Empty without a legal move, or if a move leads to a class without a
        table.
        """
        own = self.probe(board, rules)
        if own is None:
            return []
        found = []
        after = board.copy(stack=False)
        for move in board.legal_moves:
            after.push_unchecked(move)
            value = self.probe(after, rules)
            after.pop()
            if value is None:
                return []
            found.append(MoveValue(move, value.for_mover()))
        return sorted(found, key=lambda one: _order(board, rules, own, one), reverse=True)

    def keeping_moves(self, board: CoreBoard, rules: str) -> list[Move]:
        """Moves that keep the value; empty if it is unknown.

        In a win the best one only, in a draw all that draw, in a loss all that hold out longest.
        """
        moves = self.probe_moves(board, rules)
        best = moves[0].value if moves else None
        if best is None or best.value > 0:
            return [one.move for one in moves[:1]]
        return [one.move for one in moves if one.value == best]


def _order(board: CoreBoard, rules: str, own: TableValue, found: MoveValue) -> tuple[object, ...]:
    """Sort key of a move; greater is better."""
    value = found.value
    if value.value != own.value or value.value < 0 or (value.value > 0 and not own.by_rule):
        return value.rank()
    checks, chases, answers = move_marks(board, found.move, find_rule_set(rules).switches)
    is_idle = answers and not checks and not chases
    if value.value == 0:
        return 0, is_idle
    is_nearer = value.level <= own.level and value.distance <= own.distance
    return 1, is_nearer, is_idle, -value.level, -value.distance


class Tablebase(Prober):
    """Tables of a folder, opened on demand.

    Raises TableError for a damaged file; classes without a file are unknown.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open = lru_cache(maxsize=_OPEN)(self._find)

    def __reduce__(self) -> tuple[type[Tablebase], tuple[Path]]:
        return type(self), (self.folder,)

    def _find(self, material: MaterialClass, rules: str) -> TableFile | None:
        path = self.folder / file_name(material, rules)
        return TableFile(path) if path.is_file() else None

    def rule_sets(self, material: MaterialClass) -> list[str]:
        return [name for name in SOLVED_RULES if self._open(material, name) is not None]

    def probe(self, board: CoreBoard, rules: str) -> TableValue | None:
        """Probe the position for the side to move, ignoring its history; None if unknown."""
        material = class_of(board)
        table = self._open(material, rules)
        index = None if table is None else find_cell(material.pieces, board)
        if table is None or index is None:
            return None
        found = decode_cell(table.cell(index))
        return None if found is None else TableValue(*found)


class LoadedTables(Prober):
    """All tables of a folder under one rule set, unpacked into memory for the search.

    Raises TableError for a missing folder or a damaged file.
    """

    def __init__(self, folder: Path, rules: str) -> None:
        if not folder.is_dir():
            raise TableError(str(folder), Fact("table.no_folder"))
        self.rules = rules
        self.core = Tables()
        self.count = 0
        for path in sorted(folder.glob(f"*.{rules}{SUFFIX}")):
            file = TableFile(path)
            if file.head.rules == rules:
                self.core.add(file.head.material.pieces, file.cells())
                self.count += 1

    def probe(self, board: CoreBoard, rules: str) -> TableValue | None:
        """Probe like :class:`Tablebase`; None under other rules."""
        found = self.core.probe(board) if rules == self.rules else None
        return None if found is None else TableValue(*found)


def probe(
    board: CoreBoard, rules: RuleSet | str = WXF, folder: Path | None = None
) -> TableValue | None:
    """Probe a position in the tables of a folder; None if unknown.

    The value is that for the side to move. The default is :func:`default_folder`.

    >>> probe(CoreBoard()) is None
    True
    """
    name = find_rules(find_rule_set(rules))
    return None if name is None else _open_folder(folder or default_folder()).probe(board, name)


def probe_move(
    board: CoreBoard, move: Move, rules: RuleSet | str = WXF, folder: Path | None = None
) -> tuple[TableValue, TableValue] | None:
    """Values for the mover before and after a legal move; None if either is unknown."""
    before = probe(board, rules, folder)
    after = board.copy()
    after.push(move)
    found = probe(after, rules, folder)
    return None if before is None or found is None else (before, found.for_mover())


_open_folder = lru_cache(maxsize=8)(Tablebase)


_MILDER: Final = {"checks-only": "table_if_chase", "all-draws": "table_if_check"}
"""Keys of the sentences about the value under milder rule sets."""


def describe_value(value: TableValue, mover: Color, rules: str, voice: Voice = PLAIN_VOICE) -> str:
    """Describe a value in words.

    >>> describe_value(TableValue(-1, 22, 1), False, "wxf")
    'Red wins in 22 plies under wxf'
    """
    return voice.say("table_under", outcome=describe_result(value, mover, voice), rules=rules)


def describe_result(value: TableValue, mover: Color, voice: Voice = PLAIN_VOICE) -> str:
    """Describe the winner and the number of plies, or a draw."""
    require_color(mover)
    if not value.value:
        return voice.say("table_draw")
    winner = mover if value.value > 0 else not mover
    return voice.say("table_win", side=voice.side(winner), plies=value.distance)


def table_values(
    tables: Prober, board: CoreBoard, rules: RuleSet | str, voice: Voice = PLAIN_VOICE
) -> TableValuesData:
    """JSON data of the values of a position and of its legal moves; null without a table."""
    name = find_rules(rules)
    value = None if name is None else tables.probe(board, name)
    data: TableValuesData = {
        "fen": board.fen(),
        "rules": name,
        "value": None,
        "distance": None,
        "by_rule": None,
        "words": "",
        "moves": [],
    }
    if name is not None and value is not None:
        data["value"], data["distance"], data["by_rule"] = (
            value.value,
            value.distance,
            value.by_rule,
        )
        data["words"] = describe_value(value, board.turn, name, voice)
        data["moves"] = [
            {
                "move": found.move.iccs(),
                "value": found.value.value,
                "distance": found.value.distance,
                "by_rule": found.value.by_rule,
            }
            for found in tables.probe_moves(board, name)
        ]
    return data


def compare_rules(tables: Prober, board: CoreBoard, voice: Voice = PLAIN_VOICE) -> str:
    """Describe a position's value under the first rule set with a table, and under milder rule sets
    if it differs; empty without a table."""
    parts: list[str] = []
    known = None
    for name in SOLVED_RULES:
        value = tables.probe(board, name)
        if value is None:
            continue
        if known is None:
            parts.append(describe_value(value, board.turn, name, voice))
        elif value.value != known.value:
            parts.append(
                voice.say(_MILDER[name], outcome=describe_result(value, board.turn, voice))
            )
        known = value
    return voice.say("comma").join(parts)


def describe_default_tables(board: CoreBoard, voice: Voice) -> str:
    """Describe a position's value by the tables of the default folder, or their error."""
    try:
        return compare_rules(Tablebase(default_folder()), board, voice)
    except TableError as error:
        return error.fact
