"""Effects of the engine's options: searchers and their evaluation, books, tables, rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from xiangqi.engine.endings import Endings
from xiangqi.engine.network import NetworkFile, choose_network, evaluation_of
from xiangqi.engine.options import OPTIONS, REPETITION_RULES, OptionError, OptionValue
from xiangqi.engine.searching import SearcherLike, make_searcher
from xiangqi.engine.shelf import Shelf
from xiangqi.engine.weakening import Weakness
from xiangqi.errors import BookError, NetworkError, TableError
from xiangqi.referee.rules import RULE_SETS, RuleSet

__all__ = ["Settings", "parse_option"]

LEVEL_HASH_MB: Final = 1
"""The hash table of a level, which is emptied before each move."""


def parse_option(name: str, value: OptionValue) -> OptionValue:
    """The value of an option, or what its text stands for; raises OptionError."""
    option = OPTIONS.get(name)
    if option is None:
        raise OptionError(name, value, f"one of the options {', '.join(OPTIONS)}")
    return option.parse(value)


class Settings:
    """The options and the objects made from them; none changes during a search."""

    def __init__(self, searcher: SearcherLike | None, say: Callable[[str], None]) -> None:
        self.values = {option.name: option.default for option in OPTIONS.values()}
        self.rules = _rules_of(self.values)
        """The rule set that the options ask for."""
        self.network: NetworkFile | None = None
        self.shelf = Shelf()
        self.endings = Endings()
        self.searcher: SearcherLike = searcher or make_searcher(hash_mb=int(self.values["hash"]))
        self._level_searcher: SearcherLike | None = None  # made when a level is played
        self._searched_by = self.rules
        self._say = say

    def set(self, name: str, value: OptionValue) -> None:
        """Give an option this parsed value; the one before stays where that fails.

        Raises OptionError, NetworkError, BookError and TableError.
        """
        try:
            self._set_up(name, value)
        except (BookError, NetworkError, TableError):
            raise
        except (MemoryError, ValueError) as error:
            raise OptionError(name, value, f"less than that ({error})") from error
        self.values[name] = value
        if name in ("repetition", "no_capture_rounds"):
            self.rules = _rules_of(self.values)

    def _set_up(self, name: str, value: OptionValue) -> None:
        if name == "hash":
            self.searcher.set_hash(int(value))
        elif name == "threads":
            self.searcher.set_threads(int(value))
        elif name == "eval_file":
            self._use_network(choose_network(str(value)))
        elif name == "book_file":
            self.shelf.open(str(value))
        elif name == "book_seed":
            self.shelf.seed(int(value))
        elif name in ("table_path", "repetition"):
            self._use_tables({**self.values, name: value})

    def _use_network(self, network: NetworkFile | None) -> None:
        if network is not self.network:
            self.searcher.set_evaluation(evaluation_of(network))
            self._level_searcher = None
        self.network = network

    def _use_tables(self, values: Mapping[str, OptionValue]) -> None:
        """Have the tables that belong to these values."""
        rules = _rules_of(values)
        self.endings.load(str(values["table_path"]), rules)
        self._hand_out_tables(rules)
        if values["table_path"]:
            self._say(self.endings.describe(rules))

    def search_by(self, rules: RuleSet) -> None:
        """Have the tables of these rules, and nothing that was found under others; TableError for
        a damaged table."""
        if rules != self._searched_by:
            self.endings.rule_by(rules)
            self._hand_out_tables(rules)

    def _hand_out_tables(self, rules: RuleSet) -> None:
        self.searcher.set_tables(self.endings.core)  # which forgets what was found without them
        self._searched_by = rules

    def searcher_for(self, weakness: Weakness | None) -> SearcherLike:
        """Searcher of a search. A level has its own, with one thread and empty tables, so that it
        plays the same whatever was searched before and however many threads the engine has."""
        if weakness is None or not weakness.handicap.sees_less:
            return self.searcher
        if self._level_searcher is None:
            self._level_searcher = make_searcher(self.network, hash_mb=LEVEL_HASH_MB)
        self._level_searcher.clear()
        return self._level_searcher


def _rules_of(values: Mapping[str, OptionValue]) -> RuleSet:
    """The rule set that options ask for. To be kept, as a rule set checks itself when it is made,
    which takes as long as a move of a low level.

    While the limit without a capture is the option's default the rule set's own holds.
    """
    rules = RULE_SETS[REPETITION_RULES[str(values["repetition"])]]
    if values["no_capture_rounds"] == OPTIONS["no_capture_rounds"].default:
        return rules
    limit = 2 * int(values["no_capture_rounds"]) or None
    free_checks = None if limit is None else rules.free_checks
    return rules.replace({"no_capture_limit": limit, "free_checks": free_checks})
