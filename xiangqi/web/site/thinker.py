"""Our engine for the page in a browser's single thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from typing import Any, Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.engine import Clock, Limits, SearchInfo, SearchResult
from xiangqi.engine.slices import SlicedEngine
from xiangqi.pieces import RED
from xiangqi.web.serve.thinking import NOTHING, OURS, Question, Seen, Teller

__all__ = ["PatientThinker"]

_HASH_MB: Final = 32


class PatientThinker:
    """Our engine in a single thread: it searches in slices, between which others are answered.

    There is one search at a time; a newer one ends it.
    """

    names: Sequence[str] = (OURS,)

    def __init__(self) -> None:
        self._name = ""  # of the present search
        self._engine = SlicedEngine()
        self._engine.set_option("hash", _HASH_MB)
        self._engine.set_option("move_overhead", 0)

    def stop(self, name: str) -> None:
        """End the search of this name: it answers with the result so far."""
        if name and name == self._name:
            self._engine.stop()

    async def play(self, question: Question) -> dict[str, Any]:
        """The move that the engine would play, by the rules."""
        assert question.board is not None
        best, seen = None, Seen()
        async for found, shown in self._search(question.board, question, plays=True):
            best, seen = found, shown
        return Teller(question.board, question.language).tell_move(best, seen)

    async def analyse(self, question: Question) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the results of the engine as they come."""
        found = NOTHING
        if question.board is not None:
            teller = Teller(question.board, question.language)
            if not question.board.allowed_moves(question.rules):
                yield teller.tell_end()
                return
            async for _, seen in self._search(question.board, question, plays=False):
                found = teller.tell(seen)
                yield found
        yield {**found, "final": True}

    async def close(self) -> None:
        """End the search."""
        self._engine.stop()

    async def _search(
        self, board: Board, question: Question, *, plays: bool
    ) -> AsyncGenerator[tuple[Move | None, Seen], None]:
        """The move, once it is known, and all lines of play, after each slice that found any."""
        self._engine.stop()
        self._engine.set_option("multipv", question.lines)
        news: asyncio.Queue[SearchInfo | SearchResult] = asyncio.Queue()
        tell, limits = news.put_nowait, _limits_of(board, question)
        job = self._engine.begin(board, limits, tell, tell, rules=question.rules, plays=plays)
        self._name = question.name
        lines: dict[int, SearchInfo] = {}
        result: SearchResult | None = None
        try:
            while result is None:
                for found in [await news.get(), *(news.get_nowait() for _ in range(news.qsize()))]:
                    if isinstance(found, SearchResult):
                        result = found
                    else:
                        lines[found.multipv] = found
                best = None if result is None else result.best
                yield best, Seen.of([lines[number] for number in sorted(lines)])
        finally:
            self._engine.end(job)


def _limits_of(board: Board, question: Question) -> Limits:
    clocks, seconds = question.clocks, question.seconds
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
        depth=question.depth or 0,
        level=question.level,
    )
