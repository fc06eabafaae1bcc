"""Searches: so many at once, each with an engine that has forgotten the one before."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final

from xiangqi.board import Board
from xiangqi.engine import AsyncMeihua
from xiangqi.referee.rules import RuleSet
from xiangqi.scores import Limit
from xiangqi.web.serve.messages import Refusal
from xiangqi.web.serve.searches import in_time, news, stopping_after
from xiangqi.web.serve.thinking import Teller
from xiangqi.words import Language

__all__ = ["SearchTask", "Searches"]

_HASH_MB: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTask:
    """A search to be run."""

    board: Board
    rules: RuleSet
    language: Language
    seconds: float
    depth: int | None = None
    nodes: int | None = None
    lines: int = 1


class Searches:
    """Engines of this process, one for each search that runs.

    A search that is refused or has ended leaves its engine to the next one."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._running = 0
        self._idle: list[AsyncMeihua] = []

    @property
    def running(self) -> int:
        """Number of searches that run."""
        return self._running

    def reserve(self) -> None:
        """Take a place for a search, until :meth:`release`. Raises Refusal if none is free."""
        if self._running >= self.most:
            raise Refusal(503, f"searches: {self._running} are running, expected fewer")
        self._running += 1

    def release(self) -> None:
        """Give the place back."""
        self._running -= 1

    async def run(self, search: SearchTask) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the best lines as they are found, the last item final. Closing ends the search."""
        teller = Teller(search.board, search.language)
        if not search.board.allowed_moves(search.rules):
            yield teller.tell_end()
            return
        engine = self._idle.pop() if self._idle else AsyncMeihua({"Hash": _HASH_MB})
        try:
            async with aclosing(_follow(engine, search, teller)) as lines:
                async for found in lines:
                    yield found
        finally:
            self._idle.append(engine)

    async def close(self) -> None:
        """End all searches and engines."""
        engines, self._idle = self._idle, []
        await asyncio.gather(*(engine.quit() for engine in engines))


async def _follow(
    engine: AsyncMeihua, search: SearchTask, teller: Teller
) -> AsyncGenerator[dict[str, Any], None]:
    limit = Limit(time=search.seconds, depth=search.depth, nodes=search.nodes)
    found = None
    begun = await in_time(
        engine.analysis(
            search.board, limit, multipv=search.lines, rules=search.rules, game=object()
        )
    )
    with begun, stopping_after(search.seconds, begun):
        async for seen in news(begun):
            if found is not None:
                yield found
            found = teller.tell(seen)
    if found is None:
        raise Refusal(502, "the engine found nothing")
    yield {**found, "final": True}
