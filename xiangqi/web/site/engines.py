"""The built-in engine on the static site, in the browser's single thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping, Sequence
from typing import Any

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.engine import Clock, Engine, Limits, SearchInfo, SearchResult
from xiangqi.engine.search import SearchJob
from xiangqi.engine.slices import SlicedSearch
from xiangqi.pieces import RED
from xiangqi.web.serve.thinking import (
    EMPTY_RESULT,
    OWN_ENGINE,
    SearchDescriber,
    SearchRequest,
    SearchSnapshot,
)

__all__ = ["SlicedEngines"]


class SlicedEngines:
    """Built-in engine in a single thread; requests are handled between slices of the search.

    A new search ends the previous one.
    """

    names: Sequence[str] = (OWN_ENGINE,)

    def __init__(self) -> None:
        self._name = ""  # of the current search
        self._engine = Engine(background=SlicedSearch)
        self._engine.set_option("move_overhead", 0)

    def stop(self, name: str) -> None:
        """Stop the search of this name; it returns its result so far."""
        if name and name == self._name:
            self._engine.stop()

    async def play(self, request: SearchRequest) -> dict[str, Any]:
        assert request.board is not None
        best, snapshot = None, SearchSnapshot()
        async for result in self._search(request.board, request, plays=True):
            best, snapshot = result
        return SearchDescriber(request.board, request.language).describe_move(best, snapshot)

    async def analyse(self, request: SearchRequest) -> AsyncGenerator[Mapping[str, object], None]:
        """Yield the results of a search."""
        found: Mapping[str, object] = EMPTY_RESULT
        if request.board is not None:
            describer = SearchDescriber(request.board, request.language)
            if not request.board.allowed_moves(request.rules):
                yield describer.describe_end()
                return
            async for _, snapshot in self._search(request.board, request, plays=False):
                found = describer.describe(snapshot)
                yield found
        yield {**found, "final": True}

    async def close(self) -> None:
        self._engine.stop()

    async def _search(
        self, board: Board, request: SearchRequest, *, plays: bool
    ) -> AsyncGenerator[tuple[Move | None, SearchSnapshot], None]:
        """Yield the best move, None until the end, and all lines, after each slice with results."""
        self._engine.stop()
        self._engine.set_option("multipv", request.lines)
        queue: asyncio.Queue[SearchInfo | SearchResult] = asyncio.Queue()
        report, limits = queue.put_nowait, _limits_of(board, request)
        job = SearchJob(board, limits, report, report, rules=request.rules, plays=plays)
        self._engine.begin(job)
        self._name = request.name
        lines: dict[int, SearchInfo] = {}
        result: SearchResult | None = None
        try:
            while result is None:
                items = [await queue.get(), *(queue.get_nowait() for _ in range(queue.qsize()))]
                for item in items:
                    if isinstance(item, SearchResult):
                        result = item
                    else:
                        lines[item.multipv] = item
                best = None if result is None else result.best
                yield best, SearchSnapshot.of([lines[number] for number in sorted(lines)])
        finally:
            self._engine.end(job)


def _limits_of(board: Board, request: SearchRequest) -> Limits:
    clocks, seconds = request.clocks, request.seconds
    clock = None
    if clocks is not None:
        clock = (
            Clock(clocks.red_ms, clocks.red_increment_ms)
            if board.turn == RED
            else Clock(clocks.black_ms, clocks.black_increment_ms)
        )
    return Limits(
        clock=clock,
        movetime_ms=0 if seconds is None else max(1, round(1000 * seconds)),
        depth=request.depth or 0,
        level=request.level,
    )
