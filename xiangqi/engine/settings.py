"""The objects that the engine's options select: searchers, evaluation, books, tables, rules.

The modules for books and tables are imported only when an option names one.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.engine.levels import Handicap
from xiangqi.engine.network import choose_network
from xiangqi.engine.options import OPTIONS, REPETITION_RULES, OptionError, OptionValue
from xiangqi.engine.searcher import SearcherLike, make_searcher
from xiangqi.ground.errors import BookError, Fact, NetworkError, TableError
from xiangqi.referee.rules import RULE_SETS, RuleSet

if TYPE_CHECKING:
    from xiangqi.books import Book, BookMove
    from xiangqi.core.tablebase import Tables
    from xiangqi.tables.probing import LoadedTables

__all__ = ["Advice", "EndgameTables", "EngineSettings", "OpeningBooks", "parse_option"]

_SEPARATOR: Final = ";"
"""Separator of book names, as in UCCI."""


class OpeningBooks:
    """Opening books in order: the first that has moves for a position is used."""

    def __init__(self) -> None:
        self._books: list[Book] = []
        self._random = Random()

    def open(self, names: str) -> None:
        """Open these books in place of the open ones.

        Raises BookError, and keeps the open books, for a file that is not a book.
        """
        from xiangqi.books import open_book

        opened: list[Book] = []
        try:
            for name in filter(None, map(str.strip, names.split(_SEPARATOR))):
                opened.append(open_book(name))
        except BaseException:
            _close(opened)
            raise
        self.close()
        self._books = opened

    def close(self) -> None:
        """Close all books."""
        _close(self._books)
        self._books = []

    def seed(self, number: int) -> None:
        """Seed the choice of moves; 0 for a random seed."""
        self._random = Random(number or None)

    def find(self, board: Board) -> list[BookMove]:
        """Moves for a position, highest weight first; raises BookError for a damaged file."""
        return next((found for book in self._books if (found := book.find(board))), [])

    def choose(self, board: Board, allowed: Collection[Move], rules: RuleSet) -> BookMove | None:
        """Choose one of the ``allowed`` moves, or None; raises BookError for a damaged file."""
        if not self._books:
            return None
        from xiangqi.books.base import choose_move, is_playable

        moves = [found for found in self.find(board) if found.move in allowed]
        return choose_move(
            (move for move in moves if is_playable(board, move, rules)), self._random
        )


def _close(books: list[Book]) -> None:
    for book in books:
        book.close()


class Advice(NamedTuple):
    """Result of probing the endgame tables."""

    moves: list[Move]
    """Moves that keep the value of the position."""
    message: str
    """Description of the value."""


class EndgameTables:
    """Endgame tables of a folder for one rule set; none at first."""

    def __init__(self) -> None:
        self._folder = ""
        self._tables: LoadedTables | None = None

    @property
    def core(self) -> Tables | None:
        return None if self._tables is None else self._tables.core

    def load(self, folder: str, rules: RuleSet) -> None:
        """Load all tables for these rules from a folder; unload them if ``folder`` is empty.

        Raises TableError, and keeps the loaded tables, for a missing folder or a damaged file. A
        folder without tables for the rules is not an error.
        """
        from xiangqi.tables.probing import LoadedTables, find_rules

        name = find_rules(rules)
        self._tables = LoadedTables(Path(folder), name) if folder and name is not None else None
        self._folder = folder

    def change_rules(self, rules: RuleSet) -> None:
        """Load the tables of the same folder for other rules; see :meth:`load`."""
        from xiangqi.tables.probing import find_rules

        loaded = None if self._tables is None else self._tables.rules
        if self._folder and find_rules(rules) != loaded:
            self.load(self._folder, rules)

    def describe(self, rules: RuleSet) -> str:
        """State the number of tables for these rules, or the command that makes them."""
        count = 0 if self._tables is None else self._tables.count
        if count:
            return f"endgame tables: {count} for {rules.name}; other material is searched"
        return (
            f"no endgame tables for {rules.name} in that folder; "
            "'xiangqi tables make --men 4 --folder FOLDER' makes them"
        )

    def advise(self, board: Board, rules: RuleSet) -> Advice | None:
        """Probe a position; None unless the tables cover it and all its successors."""
        from xiangqi.tables.probing import describe_value

        tables = self._tables
        if tables is None:
            return None
        value = tables.probe(board, tables.rules)
        moves = tables.keeping_moves(board, tables.rules)
        if value is None or not moves:
            return None
        message = f"tables: {describe_value(value, board.turn, rules.name)}"
        left = (rules.no_capture_limit or 0) - board.halfmove_clock
        if rules.no_capture_limit is not None and value.value and value.distance > left:
            message += f", but the limit without a capture is {left} plies away"
        return Advice(moves, message)


LEVEL_HASH_MB: Final = 1
"""Size of the hash table of a level, which is cleared before each move."""


def parse_option(name: str, value: OptionValue) -> OptionValue:
    """Parse the value of an option; raises OptionError."""
    option = OPTIONS.get(name)
    if option is None:
        raise OptionError(name, value, Fact("engine.options", names=tuple(OPTIONS)))
    return option.parse(value)


class EngineSettings:
    """The options and the objects that they select; nothing changes during a search."""

    def __init__(
        self, searcher: SearcherLike | None, network: str, send: Callable[[str], None]
    ) -> None:
        self.values = {option.name: option.default for option in OPTIONS.values()}
        self.values["eval_file"] = parse_option("eval_file", network)
        self.network = choose_network(str(self.values["eval_file"]))
        self.rules = _rules_of(self.values)
        """Rule set selected by the options."""
        self.books = OpeningBooks()
        self.tables = EndgameTables()
        self.searcher: SearcherLike = searcher or make_searcher(
            self.network, hash_mb=int(self.values["hash"])
        )
        self._level_searcher: SearcherLike | None = None  # made when a level is played
        self._table_rules = self.rules  # those of the tables and of the hash table's results
        self._send = send

    def set(self, name: str, value: OptionValue) -> None:
        """Set an option to a parsed value.

        Raises OptionError, NetworkError, BookError or TableError, and keeps the old value.
        """
        try:
            self._apply(name, value)
        except (BookError, NetworkError, TableError):
            raise
        except (MemoryError, ValueError) as error:
            raise OptionError(name, value, Fact("engine.less", error=str(error))) from error
        self.values[name] = value
        if name in ("repetition", "no_capture_rounds"):
            self.rules = _rules_of(self.values)

    def _apply(self, name: str, value: OptionValue) -> None:
        if name == "hash":
            self.searcher.set_hash(int(value))
        elif name == "threads":
            self.searcher.set_threads(int(value))
        elif name == "eval_file":
            network = choose_network(str(value))
            if network is not self.network:
                self.searcher.set_network(network.weights)
                self.network = network
                self._level_searcher = None
        elif name == "book_file":
            self.books.open(str(value))
        elif name == "book_seed":
            self.books.seed(int(value))
        elif name in ("table_path", "repetition"):
            values = {**self.values, name: value}
            rules = _rules_of(values)
            self.tables.load(str(values["table_path"]), rules)
            self._set_tables(rules)
            if values["table_path"]:
                self._send(self.tables.describe(rules))

    def prepare_search(self, rules: RuleSet) -> None:
        """If the last search used other rules, load the tables for these and clear the hash table.

        Raises TableError for a damaged table.
        """
        if rules != self._table_rules:
            self.tables.change_rules(rules)
            self._set_tables(rules)

    def _set_tables(self, rules: RuleSet) -> None:
        self.searcher.set_tables(self.tables.core)  # clears the hash table
        self._table_rules = rules

    def searcher_for(self, handicap: Handicap | None) -> SearcherLike:
        """Searcher for a search at full strength or with a handicap.

        A level has its own, with one thread and a cleared hash table, so that its play depends
        neither on earlier searches nor on the number of threads.
        """
        if handicap is None or not handicap.limits_search:
            return self.searcher
        if self._level_searcher is None:
            self._level_searcher = make_searcher(self.network, hash_mb=LEVEL_HASH_MB)
        self._level_searcher.clear()
        return self._level_searcher


def _rules_of(values: Mapping[str, OptionValue]) -> RuleSet:
    """Make the rule set that the options select.

    If ``no_capture_rounds`` has its default, the rule set's own limit holds. Callers keep the
    result, since validating a rule set takes as long as a move of a low level.
    """
    rules = RULE_SETS[REPETITION_RULES[str(values["repetition"])]]
    if values["no_capture_rounds"] == OPTIONS["no_capture_rounds"].default:
        return rules
    limit = 2 * int(values["no_capture_rounds"]) or None
    free_checks = None if limit is None else rules.free_checks
    return rules.replace({"no_capture_limit": limit, "free_checks": free_checks})
