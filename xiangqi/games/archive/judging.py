"""Rulings on all games of an archive."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from typing import Any, Final, NamedTuple

from xiangqi.games.arbiter import GameRuling, describe_books, rule_by_books, rule_game
from xiangqi.games.archive.source import BATCH_GAMES, Archive, Item, Unread, make_batches
from xiangqi.games.tree import Game
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set
from xiangqi.words import Language, say
from xiangqi.workers import TRIES, Workers, in_this_process, run_in_order

__all__ = ["RuledBatch", "Tally", "rule_archive", "ruling_line", "unread_line"]

_KEYS: Final = tuple(rule_game(Game()).to_dict())
"""The keys of every ruling, as those of a game without moves show them."""


class Tally(Counter[str]):
    """How many games there were, and of what sort.

    >>> tally = Tally()
    >>> tally.count(is_game=True, is_repetition=False, agrees=None, errors=2)
    >>> print(tally)
    games: 1, repetitions: 0, other results: 0, unread: 2
    """

    def count(
        self, *, is_game: bool, is_repetition: bool, agrees: bool | None, errors: int
    ) -> None:
        """Count a game, or what could not be read as one."""
        self["games"] += is_game
        self["repetitions"] += is_repetition
        self["other results"] += agrees is False
        self["unread"] += errors

    def describe(self, language: Language = "en") -> str:
        """All counts in words."""
        return say(
            language,
            "counted",
            games=self["games"],
            repetitions=self["repetitions"],
            others=self["other results"],
            unread=self["unread"],
        )

    def __str__(self) -> str:
        return self.describe()


class RuledBatch(NamedTuple):
    """What the rules make of some games that follow one another in the archive."""

    lines: list[str | Unread]
    """What is written for each game, in one line or several; or why there is nothing."""
    tally: Tally


def ruling_line(ruled: GameRuling) -> str:
    """The ruling on a game as a line of JSON, with all evidence."""
    return json.dumps(ruled.to_dict(), ensure_ascii=False)


def unread_line(unread: Unread, *books: RuleSet) -> str:
    """The line of JSON in place of a ruling: the same keys, and only errors in them."""
    row: dict[str, Any] = dict.fromkeys(_KEYS)
    row["source"], row["game"] = unread.source, unread.number
    row["rules"], row["errors"] = describe_books(books), [unread.why]
    return json.dumps(row, ensure_ascii=False)


def rule_archive(
    archive: Archive,
    rules: RuleSet | str = WXF,
    workers: Workers | None = None,
    *,
    others: Sequence[RuleSet | str] = (),
    write: Callable[[GameRuling], str] = ruling_line,
    batch_games: int = BATCH_GAMES,
) -> Iterator[RuledBatch]:
    """Rule on the games of an archive that are still to come, in their order; what ``others`` make
    of a game stands beside its ruling.

    ``write`` makes the text of a ruling, where the work is done: it must be a function that can
    be pickled. The results are the same for any workers and any size of the batches. Raises
    WorkersError where the workers are gone and no others can be had.
    """
    books = tuple(find_rule_set(book) for book in (rules, *others))
    with closing(archive):
        yield from run_in_order(
            functools.partial(_rule_batch, books, write),
            make_batches(archive, batch_games),
            workers or in_this_process(),
            _give_up,
        )


def _rule_batch(
    books: Sequence[RuleSet], write: Callable[[GameRuling], str], batch: tuple[Item, ...]
) -> RuledBatch:
    ruled = RuledBatch([], Tally())
    for item in batch:
        if isinstance(item, Unread):
            _add_unread(ruled, item)
            continue
        ruling = rule_by_books(item.read(), books, source=item.source, number=item.number)
        ruled.lines.append(write(ruling))
        ruled.tally.count(
            is_game=True,
            is_repetition=ruling.ruling is not None,
            agrees=ruling.agrees,
            errors=len(ruling.errors),
        )
    return ruled


def _give_up(item: Item) -> RuledBatch:
    """What is told of a game whose workers die of it."""
    ruled = RuledBatch([], Tally())
    why = f"{item.source}:{item.number}: the process that rules on it has died, {TRIES} times"
    _add_unread(ruled, Unread(item.source, item.number, why))
    return ruled


def _add_unread(ruled: RuledBatch, unread: Unread) -> None:
    ruled.lines.append(unread)
    ruled.tally.count(is_game=unread.number is not None, is_repetition=False, agrees=None, errors=1)
