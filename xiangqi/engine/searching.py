"""Searchers with our numbers: the parameters of the search, and an evaluation."""

from __future__ import annotations

from collections.abc import Mapping

from xiangqi.core.searcher import Searcher
from xiangqi.engine.network import NetworkFile, evaluation_of
from xiangqi.engine.parameters import make_parameters

__all__ = ["make_searcher"]


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
