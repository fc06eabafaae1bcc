"""Time limits and results of searches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, cast

from xiangqi.board.scores import (
    AnalysisComplete,
    AnalysisResult,
    BestMove,
    Cp,
    InfoDict,
    Limit,
    PovScore,
    RuleWin,
)
from xiangqi.core.move import Move
from xiangqi.engine.searcher import MATE
from xiangqi.pieces import RED
from xiangqi.web.serve.thinking import ScoredLine, SearchRequest, SearchSnapshot

__all__ = [
    "in_time",
    "limit_of",
    "snapshot_of",
    "snapshots",
    "stopping_after",
    "time_limit_of",
    "wait_for_move",
]

PATIENCE_S: Final = 15.0
"""Time limit for an engine to obey a command."""
OVERHEAD_S: Final = 3.0
"""Time by which a search may exceed its limit before it is stopped."""
_PAUSE_S: Final = 0.05
"""Minimum time between two reports."""
_MAX_CP: Final = 20_000
"""Limit to which centipawns are clamped, so that they never count as a mate score."""

# Time


def time_limit_of(request: SearchRequest) -> float | None:
    """Maximum time of a search in seconds: as requested, or left on the clock; None: unlimited."""
    clocks = request.clocks
    if clocks is None or request.board is None:
        return request.seconds
    if request.board.turn == RED:
        return (clocks.red_ms + clocks.red_increment_ms) / 1000
    return (clocks.black_ms + clocks.black_increment_ms) / 1000


def limit_of(request: SearchRequest) -> Limit | None:
    """Search limit of the request; None: search until stopped."""
    clocks = request.clocks
    if clocks is not None:
        return Limit(
            white_clock=clocks.red_ms / 1000,
            black_clock=clocks.black_ms / 1000,
            white_inc=clocks.red_increment_ms / 1000,
            black_inc=clocks.black_increment_ms / 1000,
        )
    if request.seconds is None and request.depth is None:
        return None
    return Limit(time=request.seconds, depth=request.depth)


async def in_time(beginning: Coroutine[None, None, AnalysisResult]) -> AnalysisResult:
    """Await the start of a search; raises TimeoutError. If cancelled, the search is stopped.

    (Up to Python 3.11 asyncio.wait_for loses a cancellation when its task finishes meanwhile.)
    """

    def stop(starting: asyncio.Future[AnalysisResult]) -> None:
        if not starting.cancelled() and starting.exception() is None:
            starting.result().stop()

    starting = asyncio.ensure_future(beginning)
    try:
        await asyncio.wait({starting}, timeout=PATIENCE_S)
        if starting.done():
            return starting.result()
        raise asyncio.TimeoutError
    except (asyncio.CancelledError, asyncio.TimeoutError):
        starting.cancel()
        starting.add_done_callback(stop)
        raise


async def wait_for_move(search: AnalysisResult, seconds: float | None) -> Move | None:
    """Return the best move of a search, which is stopped at the time limit.

    Raises TimeoutError if the engine does not obey the stop.
    """
    waiting = asyncio.ensure_future(search.wait())
    try:
        if seconds is not None:
            await asyncio.wait({waiting}, timeout=seconds + OVERHEAD_S)
            search.stop()
            await asyncio.wait({waiting}, timeout=PATIENCE_S)
            if not waiting.done():
                raise asyncio.TimeoutError
        return cast(BestMove, await waiting).move
    finally:
        waiting.cancel()


@contextmanager
def stopping_after(seconds: float | None, search: AnalysisResult) -> Iterator[None]:
    """Stop a search that exceeds its time limit."""
    if seconds is None:
        yield
        return
    timer = asyncio.get_running_loop().call_later(seconds + OVERHEAD_S, search.stop)
    try:
        yield
    finally:
        timer.cancel()


# Results


async def snapshots(search: AnalysisResult) -> AsyncIterator[SearchSnapshot]:
    """Yield the latest results of a search at a limited rate; the final result is the last."""
    is_over = False
    while not is_over:
        try:
            await search.get()
            while not search.empty():
                await search.get()
        except AnalysisComplete:
            is_over = True
        snapshot = snapshot_of(search.multipv)
        if snapshot.lines:
            yield snapshot
        if not is_over:
            await asyncio.sleep(_PAUSE_S)


def snapshot_of(infos: Sequence[InfoDict]) -> SearchSnapshot:
    """Return the lines of a search so far; of lines with the same first move only the best.

    While the lines of an iteration arrive, the lower ranks still have lines of the previous
    iteration, whose first move may already be in a higher one.
    """
    first = infos[0]
    lines: dict[Move, ScoredLine] = {}
    for info in infos:
        if "score" in info and info.get("pv"):
            moves = tuple(info["pv"])
            lines.setdefault(moves[0], ScoredLine(_number(info["score"]), moves))
    return SearchSnapshot(
        depth=first.get("depth", 0),
        seldepth=first.get("seldepth", 0),
        nodes=first.get("nodes", 0),
        seconds=first.get("time", 0.0),
        lines=tuple(lines.values()),
    )


def _number(score: PovScore) -> int:
    """Score for the side to move, on the scale of :mod:`xiangqi.engine.searcher`."""
    relative = score.relative
    if isinstance(relative, RuleWin):
        return relative.cp
    moves = relative.mate()
    if moves is not None:
        is_won = relative > Cp(0)
        return MATE + 1 - 2 * max(moves, 1) if is_won else -(MATE + 2 * moves)
    cp = relative.score()
    return max(-_MAX_CP, min(cp or 0, _MAX_CP))
