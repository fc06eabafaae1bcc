"""Searches without threads, as in WebAssembly: in slices, with commands between them.

Each slice restarts the iterations and repeats the earlier ones quickly from the hash table.
:class:`Conversation` is an engine with such searches that speaks UCI, line by line.
"""

from __future__ import annotations

import asyncio
import io
import math
import time
from collections.abc import Callable
from copy import copy
from typing import TYPE_CHECKING, Final

from xiangqi.core.searches import SearchInfo, SearchLimits, SearchResult
from xiangqi.engine.bench import bench_lines
from xiangqi.engine.conversation import Output
from xiangqi.engine.engine import Engine
from xiangqi.engine.network import format_evaluation, value_of
from xiangqi.engine.protocol import Tools
from xiangqi.engine.running import StartedSearch
from xiangqi.engine.search import PreparedSearch, SearchJob, SearchRunner, no_search
from xiangqi.engine.uci import UciServer

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Conversation", "SlicedSearch"]

_FIRST_MS: Final = 50.0
_MAX_SLICE_MS: Final = 400.0
_FIRST_NODES: Final = 30_000
_MAX_NODES: Final = 200_000
_GROWTH: Final = 2
"""Growth of each slice; with 1.25 a search to depth 14 takes 2.7 times the nodes."""
_EARLY: Final = 0.5
"""Share of a slice's time; a search that ends earlier was not stopped by the slice."""


class SlicedSearch(StartedSearch):
    """A search as a task of the running event loop.

    Searches limited by depth or nodes are sliced by nodes, so that they give the same result on
    every machine; all others are sliced by time, even with ``nodestime``. A clock ends the search
    at its soft limit. A stop takes effect within 0.4 s, or in a search for a mate within half of
    the time it has run. A search of a level is short, and is one slice.
    """

    HAS_THREADS = False

    def __init__(
        self,
        job: SearchJob,
        runner: SearchRunner,
        finish: Callable[[SearchJob, SearchResult], None],
    ) -> None:
        super().__init__(job, runner, finish)
        self._slice_ms = _FIRST_MS
        self._slice_nodes = _FIRST_NODES
        self._prepared: PreparedSearch | None = None  # in the first slice
        self._in_slice = False
        self._is_over = False
        self._has_answered = False
        self._began = self._clock_began = time.monotonic()
        self._nodes = 0
        self._result: SearchResult | None = None  # of the deepest slice
        self._lines: dict[int, SearchInfo] = {}  # the last of each number in that slice
        self._reported: dict[int, SearchInfo] = {}

    def start(self) -> None:
        """Start the search; raises RuntimeError without a running event loop."""
        work = self._work()
        try:
            self._task = asyncio.get_running_loop().create_task(work)
        except RuntimeError:
            work.close()
            raise

    def stop(self) -> None:
        """End the search; it answers with the result so far."""
        if self._in_slice:  # called from a callback of the search
            super().stop()
        else:
            self._answer()

    def ponderhit(self) -> None:
        """Start the clock after a ponder hit."""
        super().ponderhit()
        self._clock_began = time.monotonic()
        if self._is_over and self.job.may_answer.is_set():
            self._answer()

    async def _work(self) -> None:
        await asyncio.sleep(0)
        while not (self._has_answered or self._is_over):
            self._search_slice()
            if self.job.is_stopping:
                break
            await asyncio.sleep(0)
        if not self._has_answered and self.job.may_answer.is_set():
            self._answer()

    def _answer(self) -> None:
        self._has_answered = True
        if self._result is None:
            self._search_slice()
        for number, info in sorted(self._lines.items()):
            if not _is_same_line(info, self._reported.get(number)):
                self.job.on_info(info)
        result = copy(self._result) or no_search()
        result.nodes, result.milliseconds = self._nodes, self._elapsed_ms()
        self._finish(self.job, result)

    def _elapsed_ms(self) -> int:
        return int(1000 * (time.monotonic() - self._began))

    def _search_slice(self) -> None:
        """Search one slice; keep its result unless an earlier slice got deeper."""
        self._in_slice = True
        try:
            found, lines = self._run()
        except Exception as error:  # a GUI still needs a move
            self._runner.send(f"the search failed, playing any move: {error!r}")
            found, lines = self._runner.play_any(self.job), {}
            self._is_over = True
        finally:
            self._in_slice = False
        self._nodes += found.nodes
        if self._result is None or found.depth >= self._result.depth:
            self._result, self._lines = found, lines

    def _run(self) -> tuple[SearchResult, dict[int, SearchInfo]]:
        """Run a slice, report its new lines, and return its result and all its lines."""
        search = self._prepared or self._runner.prepare(self.job)
        if isinstance(search, SearchResult):
            self._is_over = True
            return search, {}
        self._prepared = search
        limits = self._limits_of_slice(search)
        reached = self._result.depth if self._result else -1
        before_ms, before_nodes = self._elapsed_ms(), self._nodes
        lines: dict[int, SearchInfo] = {}

        def report(info: SearchInfo) -> None:
            total = lines[info.multipv] = copy(info)
            total.nodes += before_nodes
            total.milliseconds += before_ms
            is_known = _is_same_line(info, self._reported.get(info.multipv))
            if info.depth > reached and not is_known:
                self._reported[info.multipv] = total
                self.job.on_info(total)

        found = search.run(report, limits)
        self._grow(search, limits, found, self._elapsed_ms() - before_ms)
        return found, lines

    def _left_ms(self, limits: SearchLimits) -> float:
        budget_ms = limits.soft_ms or limits.hard_ms
        if self.job.ponders or not budget_ms:
            return math.inf
        return budget_ms - 1000 * (time.monotonic() - self._clock_began)

    def _limits_of_slice(self, search: PreparedSearch) -> SearchLimits:
        limits, own = search.limits, self.job.limits
        part = limits.replace(
            nodes=max(1, limits.nodes - self._nodes) if limits.nodes else 0,
            soft_ms=0,
            hard_ms=0,
            nodes_per_ms=0,
            ponder=False,
            replan=None,
        )
        left_ms = self._left_ms(limits)
        if not search.is_short:
            if not (own.is_timed or own.is_endless or own.ponder or own.mate):
                return part.replace(nodes=min(part.nodes or self._slice_nodes, self._slice_nodes))
            left_ms = min(left_ms, self._slice_ms)
        return part if math.isinf(left_ms) else part.replace(hard_ms=max(1, round(left_ms)))

    def _grow(
        self, search: PreparedSearch, part: SearchLimits, found: SearchResult, took_ms: int
    ) -> None:
        """Decide whether the search is over; if not, make the next slice longer."""
        limits, nodes = search.limits, self._nodes + found.nodes
        if part.hard_ms:
            has_ended = took_ms < _EARLY * part.hard_ms
        else:
            has_ended = not part.nodes or found.nodes < part.nodes
        self._is_over = (
            has_ended
            or search.is_short
            or 0 < limits.depth <= found.depth
            or 0 < limits.nodes <= nodes
            or self._left_ms(limits) <= 1
        )
        # A mate search restarts its proof in each slice, so its slices have no maximum.
        max_ms = math.inf if limits.mate else _MAX_SLICE_MS
        self._slice_ms = min(self._slice_ms * _GROWTH, max_ms)
        self._slice_nodes = min(self._slice_nodes * _GROWTH, _MAX_NODES)


def _is_same_line(info: SearchInfo, other: SearchInfo | None) -> bool:
    """Does an info only repeat another, as at the end of a slice?"""
    if other is None:
        return False
    one, two = ((each.depth, each.score, each.bound, each.pv) for each in (info, other))
    return one == two


class Conversation:
    """A UCI dialogue; ``send`` is called with each line of the engine."""

    def __init__(self, send: Callable[[str], object]) -> None:
        tools = Tools(evaluate=value_of, format_evaluation=format_evaluation, bench=bench_lines)
        self._server = UciServer(Engine(background=SlicedSearch), Output(_Lines(send)), tools)
        self._server.begin()

    async def receive(self, line: str) -> bool:
        """Execute a command, in a running event loop; False after the last one."""
        return self._server.receive(line)


class _Lines(io.BytesIO):
    """Output stream that calls ``send`` with each line."""

    def __init__(self, send: Callable[[str], object]) -> None:
        super().__init__()
        self._send = send

    def write(self, data: Buffer, /) -> int:
        for line in bytes(data).decode("utf-8").splitlines():
            self._send(line)
        return len(bytes(data))
