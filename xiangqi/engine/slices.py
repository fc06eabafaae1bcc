"""The engine for a single thread, as in WebAssembly: it searches in slices, with commands between.

Each slice restarts the iterations and repeats the earlier ones quickly from the hash table.
:class:`Conversation` speaks UCI with it, line by line.
"""

from __future__ import annotations

import asyncio
import io
import math
import time
from collections.abc import Callable
from copy import copy
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from xiangqi.board import Board
from xiangqi.core.searches import SearchInfo, SearchResult
from xiangqi.engine.bench import bench_lines
from xiangqi.engine.conversation import Output
from xiangqi.engine.engine import Engine
from xiangqi.engine.network import format_evaluation, value_of
from xiangqi.engine.options import OptionError, OptionValue
from xiangqi.engine.protocol import Tools
from xiangqi.engine.search import CurrentMove, SearchJob, no_search
from xiangqi.engine.settings import parse_option
from xiangqi.engine.timing import Limits, plan_time
from xiangqi.engine.uci import UciServer
from xiangqi.errors import Fact
from xiangqi.referee.rules import RuleSet

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Conversation", "SlicedEngine"]

_FIRST_MS: Final = 50.0
_MAX_SLICE_MS: Final = 400.0
_FIRST_NODES: Final = 30_000
_MAX_NODES: Final = 200_000
_GROWTH: Final = 2
"""Growth of each slice; with 1.25 a search to depth 14 takes 2.7 times the nodes."""
_EARLY: Final = 0.5
"""Share of a slice's time; a search that ends earlier was not stopped by the slice."""


@dataclass
class _Progress:
    """The state of a search between two slices."""

    budget_ms: float
    """Time for the move; infinity without a limit."""
    slice_ms: float = _FIRST_MS
    slice_nodes: int = _FIRST_NODES
    began: float = field(default_factory=time.monotonic)
    """Start time of the search, or time of the ponder hit."""
    nodes: int = 0
    result: SearchResult | None = None
    """Result of the deepest slice."""
    lines: dict[int, SearchInfo] = field(default_factory=dict)
    """Last info of each principal variation in that slice."""
    reported: dict[int, SearchInfo] = field(default_factory=dict)
    """Last info of each principal variation that was reported."""
    is_over: bool = False

    def elapsed_ms(self) -> float:
        return 1000 * (time.monotonic() - self.began)

    def left_ms(self) -> float:
        return self.budget_ms - self.elapsed_ms()


class SlicedEngine(Engine):
    """An engine without threads: its searches run as tasks of the running event loop.

    It has the commands of :class:`Engine` and calls the same callbacks, except ``on_current``.
    Searches limited by depth or nodes are sliced by nodes, so that they give the same result on
    every machine; all others are sliced by time. A clock ends the search at its soft limit. A stop
    takes effect within 0.4 s, or in a search for a mate within half of the time it has run.
    """

    _progress: _Progress
    _in_slice = False

    def set_option(self, name: str, value: OptionValue) -> None:
        """Set an option; see :meth:`Engine.set_option`. Raises OptionError for several threads."""
        if name == "threads" and parse_option(name, value) != 1:
            raise OptionError(name, value, Fact("engine.one_thread"))
        super().set_option(name, value)

    def begin(
        self,
        board: Board,
        limits: Limits,
        on_info: Callable[[SearchInfo], None],
        on_best: Callable[[SearchResult], None],
        on_current: Callable[[CurrentMove], None] | None = None,
        *,
        rules: RuleSet | str | None = None,
        plays: bool = True,
    ) -> SearchJob:
        """Start to search a board; see :meth:`Engine.begin`.

        Raises RuntimeError without a running event loop.
        """
        board.require_position()
        self.require_idle()
        rules = self.rules if rules is None else rules
        job = SearchJob(board, limits, on_info, on_best, rules=rules, plays=plays)
        self._settings.prepare_search(job.rules)
        loop = asyncio.get_running_loop()
        self._progress = _Progress(math.inf if limits.ponder else self._budget_ms(job))
        self._job = job
        self._task = loop.create_task(self._work_in_slices(job))
        return job

    def end(self, job: SearchJob) -> bool:
        """Stop this search if it is running; it answers with the result so far."""
        if self._job is not job:
            return False
        job.is_stopping = True
        if self._in_slice:  # called from a callback of the search
            self._runner.stop()
        else:
            self._answer(job)
        return True

    def ponderhit(self) -> bool:
        """Start the clock after a ponder hit. False if the engine was not pondering."""
        job = self._job
        if job is None or not super().ponderhit():
            return False
        self._progress.began = time.monotonic()
        self._progress.budget_ms = self._budget_ms(job)
        if self._progress.is_over and job.may_answer.is_set():
            self._answer(job)
        return True

    def _budget_ms(self, job: SearchJob) -> float:
        values = self._settings.values
        is_single = len(job.limits.moves or job.board.list_moves()) == 1
        overhead = int(values["move_overhead"])
        plan = plan_time(job.limits, overhead, ponder=bool(values["ponder"]), only_move=is_single)
        return plan.soft_ms or plan.hard_ms or math.inf

    def _send_message(self, message: str) -> None:
        if self._job is None or self._progress.result is None:  # only in the first slice
            super()._send_message(message)

    # Slices

    async def _work_in_slices(self, job: SearchJob) -> None:
        await asyncio.sleep(0)
        progress = self._progress
        while self._job is job and not progress.is_over:
            self._search_slice(job)
            if job.is_stopping:
                break
            await asyncio.sleep(0)
        if self._job is job and (job.is_stopping or job.may_answer.is_set()):
            self._answer(job)

    def _answer(self, job: SearchJob) -> None:
        progress = self._progress
        if progress.result is None:
            self._search_slice(job)
        for number, info in sorted(progress.lines.items()):
            if not _is_same_line(info, progress.reported.get(number)):
                job.on_info(info)
        result = copy(progress.result) or no_search()
        result.nodes, result.milliseconds = progress.nodes, int(progress.elapsed_ms())
        self._finish(job, result)

    def _search_slice(self, job: SearchJob) -> None:
        """Search one slice; keep its result unless an earlier slice got deeper."""
        progress = self._progress
        limits = self._limits_of_slice(job)
        plays = job.plays and not job.limits.is_analysis
        reached = progress.result.depth if progress.result else -1
        before_ms, before_nodes = progress.elapsed_ms(), progress.nodes
        lines: dict[int, SearchInfo] = {}

        def report(info: SearchInfo) -> None:
            total = lines[info.multipv] = copy(info)
            total.nodes += before_nodes
            total.milliseconds += int(before_ms)
            is_known = _is_same_line(info, progress.reported.get(info.multipv))
            if info.depth > reached and not is_known:
                progress.reported[info.multipv] = total
                job.on_info(total)

        part = SearchJob(job.board, limits, report, rules=job.rules, plays=plays)
        part.is_stopping = job.is_stopping
        self._in_slice = True
        try:
            found = self._runner.run(part)
        except Exception as error:  # a GUI still needs a move
            self._send_message(f"the search failed, playing any move: {error!r}")
            found = self._runner.play_any(job)
            progress.is_over = True
        finally:
            self._in_slice = False
        progress.nodes += found.nodes
        if found.depth >= reached:
            progress.result, progress.lines = found, lines
        self._grow(job, limits, found, progress.elapsed_ms() - before_ms)

    def _limits_of_slice(self, job: SearchJob) -> Limits:
        progress, limits = self._progress, job.limits
        part = replace(limits, infinite=False, ponder=False, clock=None, opponent=None)
        nodes = max(1, limits.nodes - progress.nodes) if limits.nodes else 0
        if not (limits.is_timed or limits.is_endless or limits.ponder or limits.mate):
            return replace(part, nodes=min(nodes or progress.slice_nodes, progress.slice_nodes))
        is_whole = job.plays and self._runner.plays_a_level(limits)  # a short search
        slice_ms = progress.left_ms() if is_whole else min(progress.slice_ms, progress.left_ms())
        if math.isinf(slice_ms):
            return replace(part, nodes=nodes)
        overhead = int(self._settings.values["move_overhead"])
        return replace(part, nodes=nodes, movetime_ms=max(1, round(slice_ms)) + overhead)

    def _grow(self, job: SearchJob, part: Limits, found: SearchResult, took_ms: float) -> None:
        """Decide whether the search is over; if not, make the next slice longer."""
        progress, limits = self._progress, job.limits
        if part.movetime_ms:
            has_ended = took_ms < _EARLY * part.movetime_ms
        else:
            has_ended = not part.nodes or found.nodes < part.nodes
        progress.is_over = (
            progress.is_over
            or has_ended
            or (job.plays and self._runner.plays_a_level(limits))
            or 0 < limits.depth <= found.depth
            or 0 < limits.nodes <= progress.nodes
            or progress.left_ms() <= 1
        )
        # A mate search restarts its proof in each slice, so its slices have no maximum.
        max_ms = math.inf if limits.mate else _MAX_SLICE_MS
        progress.slice_ms = min(progress.slice_ms * _GROWTH, max_ms)
        progress.slice_nodes = min(progress.slice_nodes * _GROWTH, _MAX_NODES)


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
        self._server = UciServer(SlicedEngine(), Output(_Lines(send)), tools)
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
