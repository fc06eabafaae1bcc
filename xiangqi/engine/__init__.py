"""Meihua's engine: its Python interface, and its servers for GUIs.

:class:`Engine` (``engine``) executes commands and runs one search at a time. ``search`` prepares a
search and selects its root moves, ``timing`` manages its time, ``levels`` and ``weakness`` reduce
its strength, ``settings`` applies the ``options``, ``searcher`` makes the core's searcher, and
``network`` loads its evaluation. A search is ``running`` in a thread, or, without threads, in
``slices``.
:class:`Meihua` and :class:`AsyncMeihua` (``in_process``) have the interface that all engines share.
GUIs run ``meihua``: ``conversation`` answers the handshake; ``protocol`` and the servers ``uci``,
``ucci`` and ``cecp`` answer all other lines. The names of this package are imported on first use.
"""

from functools import partial
from typing import TYPE_CHECKING

from xiangqi.ground.errors.absent import missing_name
from xiangqi.ground.installed import lazy_names

if TYPE_CHECKING:
    from xiangqi.engine.engine import (
        Analysis,
        BusyError,
        CurrentMove,
        Engine,
        HashEntry,
        SearchInfo,
        SearchResult,
    )
    from xiangqi.engine.in_process import AsyncMeihua, Meihua
    from xiangqi.engine.searcher import MATE, RULE_WIN, is_decided, is_mate_score, moves_to_mate
    from xiangqi.engine.timing import Clock, Limits

__all__ = [
    "MATE",
    "RULE_WIN",
    "Analysis",
    "AsyncMeihua",
    "BusyError",
    "Clock",
    "CurrentMove",
    "Engine",
    "HashEntry",
    "Limits",
    "Meihua",
    "SearchInfo",
    "SearchResult",
    "is_decided",
    "is_mate_score",
    "moves_to_mate",
]

__getattr__ = lazy_names(
    __name__,
    {
        "engine": "Analysis BusyError CurrentMove Engine HashEntry SearchInfo SearchResult",
        "in_process": "AsyncMeihua Meihua",
        "searcher": "MATE RULE_WIN is_decided is_mate_score moves_to_mate",
        "timing": "Clock Limits",
    },
    partial(missing_name, "chess.engine"),
)
