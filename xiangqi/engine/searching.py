"""Searchers with our numbers: the parameters of the search, and an evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from xiangqi.core.board import CoreBoard, RuleSwitches
from xiangqi.core.evaluator import Terms
from xiangqi.core.move import Move
from xiangqi.core.network import Network
from xiangqi.core.searcher import Searcher
from xiangqi.core.searches import SearchInfo, SearchLimits, SearchResult
from xiangqi.core.tablebase import Tables
from xiangqi.engine.network import NetworkFile, evaluation_of
from xiangqi.engine.parameters import make_parameters

__all__ = ["SearcherLike", "make_searcher"]


class SearcherLike(Protocol):
    """Interface of a searcher: :class:`xiangqi.core.searcher.Searcher`, or a fake.

    Infos must come from the first depth on: at the first of them the engine repeats a ``stop`` or
    ``ponderhit`` that arrived just before the search began.
    """

    def set_hash(self, megabytes: int) -> None:
        """Have a hash table of this size, an empty one."""

    def set_threads(self, threads: int) -> None:
        """Search in so many threads."""

    def set_evaluation(self, evaluation: Network | Terms) -> None:
        """Evaluate so."""

    def set_tables(self, tables: Tables | None) -> None:
        """Ask these tables, or none, and forget what was found without them."""

    def clear(self) -> None:
        """Forget all: another game."""

    def search(
        self,
        board: CoreBoard,
        limits: SearchLimits,
        switches: RuleSwitches,
        on_info: Callable[[SearchInfo], None] | None = None,
    ) -> SearchResult:
        """Search, and tell what is found."""

    def stop(self) -> None:
        """End the search that runs."""

    def ponderhit(self) -> None:
        """Start the clock after a ponder hit."""

    def probe(self, board: CoreBoard) -> tuple[Move | None, str, int, int] | None:
        """Hash table entry of a position: move, bound, score, depth."""

    def current_move(self) -> tuple[int, Move, int] | None:
        """Where it is at the root: depth, move, number."""


def make_searcher(
    network: NetworkFile | None = None,
    *,
    changes: Mapping[str, int] | None = None,
    hash_mb: int = 16,
    threads: int = 1,
) -> Searcher:
    """A searcher with a network or, given None, the hand-made evaluation.

    ``changes`` are parameters of the search that are not to have their defaults. Searchers share
    nothing but the numbers of a network or of the terms, which none of them changes.
    """
    return Searcher(
        make_parameters(changes), evaluation_of(network), hash_mb=hash_mb, threads=threads
    )
