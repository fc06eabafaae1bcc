"""Search: nodes per second and time to a depth, with one thread and with two.

Engines count depth and nodes each in its own way, so neither figure alone says who plays better;
together they say where the time goes. Both begin every position with empty tables.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from typing import Final, NamedTuple, Protocol

from bench.measure import Result, Row, Samples, WrongResultError
from bench.peers import (
    FAIRY_STOCKFISH,
    MISSING,
    Search,
    UciEngine,
    find_fairy_stockfish,
    peer_move,
)
from xiangqi import ALL_DRAWS, WXF, RuleSet
from xiangqi.bench import BENCH_RECORDS
from xiangqi.core.searcher import Searcher, SearchLimits
from xiangqi.record import GameRecord

MOVETIME_MS: Final = 300
DEPTH: Final = 12
HASH_MB: Final = 64
RECORDS: Final = BENCH_RECORDS[:8]  # openings and middle games


def _seconds(searches: Sequence[Search]) -> float:
    return sum(search.seconds for search in searches)


def _rate(searches: Sequence[Search]) -> float:
    return sum(search.nodes for search in searches) / 1e6 / _seconds(searches)


class Scale(NamedTuple):
    """What is made of the searches of a run."""

    value: Callable[[Sequence[Search]], float]
    unit: str
    more_is_better: bool


SPEED: Final = Scale(_rate, "million nodes/s", True)
TIME: Final = Scale(_seconds, "s", False)


class Player(Protocol):
    """Whoever searches."""

    name: str

    def search(self, record: GameRecord, *, depth: int = 0, movetime_ms: int = 0) -> Search:
        """Search the last position of a game with empty tables, to one of the limits."""


class Meihua:
    """Our search, asked like the peer's."""

    def __init__(self, threads: int, rules: RuleSet = WXF, name: str = "Meihua") -> None:
        self.name = name
        self._rules = rules
        self._searcher = Searcher(hash_mb=HASH_MB, threads=threads)

    def search(self, record: GameRecord, *, depth: int = 0, movetime_ms: int = 0) -> Search:
        """Search the last position of a game with empty tables, to one of the limits."""
        self._searcher.clear()
        board = record.play()
        limits = SearchLimits(depth=depth, hard_ms=movetime_ms)
        began = time.perf_counter()
        result = self._searcher.search(board, limits, self._rules.switches)
        seconds = time.perf_counter() - began
        assert result.best is not None
        return Search(peer_move(result.best.iccs()), result.nodes, seconds)


def measure(runs: int) -> Result:
    """Both sides search all positions by turns."""
    result = Result(f"Search: {len(RECORDS)} positions, {HASH_MB} MB hash")
    path = find_fairy_stockfish()
    if path is None:
        result.notes.append(f"{FAIRY_STOCKFISH}: {MISSING[FAIRY_STOCKFISH]}")
    for threads in (1, 2):
        with UciEngine(path, threads, HASH_MB) if path else nullcontext() as peer:
            ours = Meihua(threads)
            words = "one thread" if threads == 1 else f"{threads} threads"
            result.rows.append(
                _row(f"speed, {words}", SPEED, runs, ours, peer, movetime_ms=MOVETIME_MS)
            )
            result.rows.append(
                _row(f"time to depth {DEPTH}, {words}", TIME, runs, ours, peer, depth=DEPTH)
            )
    draws = Meihua(1, ALL_DRAWS, "every repetition a draw")
    result.rows.append(
        _row("speed under the full rules", SPEED, runs, Meihua(1), draws, movetime_ms=MOVETIME_MS)
    )
    result.notes.append("A ply of depth and a node are not the same thing in every engine.")
    return result


def _row(
    what: str, scale: Scale, runs: int, ours: Player, theirs: Player | None, **limit: int
) -> Row:
    our_values, their_values = [], []
    for _ in range(runs):
        our_values.append(scale.value(_search_all(ours, **limit)))
        if theirs is not None:
            their_values.append(scale.value(_search_all(theirs, **limit)))
    return Row(
        what,
        scale.unit,
        Samples(ours.name, tuple(our_values)),
        None if theirs is None else Samples(theirs.name, tuple(their_values)),
        scale.more_is_better,
    )


def _search_all(player: Player, **limit: int) -> list[Search]:
    """All positions; WrongResultError if a move is not legal."""
    searches = []
    for record in RECORDS:
        search = player.search(record, **limit)
        board = record.play()
        if search.move not in {peer_move(move.iccs()) for move in board.legal_moves}:
            raise WrongResultError(f"{player.name} plays {search.move} in {board.fen()}")
        searches.append(search)
    return searches
