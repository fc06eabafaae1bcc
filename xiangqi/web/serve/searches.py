"""Searches of a page's engines: how long they may take, and what they find."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, cast

from xiangqi.core.move import Move
from xiangqi.engine.searcher import MATE
from xiangqi.pieces import RED
from xiangqi.scores import (
    AnalysisComplete,
    AnalysisResult,
    BestMove,
    Cp,
    InfoDict,
    Limit,
    PovScore,
    RuleWin,
)
from xiangqi.web.serve.thinking import Question, Seen, ShownLine

__all__ = ["in_time", "limit_of", "news", "seen_in", "stopping_after", "time_of", "wait"]

PATIENCE_S: Final = 15.0
"""Time limit for an engine to obey a command."""
OVERHEAD_S: Final = 3.0
"""Time beyond its limit after which a search is stopped."""
_PAUSE_S: Final = 0.05
"""Maximum rate of reports to a page."""
_MAX_CP: Final = 20_000
"""No evaluation of another engine is taken for a decided game."""

# How long


def time_of(question: Question) -> float | None:
    """Time limit of the engine in seconds; None: no limit."""
    clocks = question.clocks
    if clocks is None or question.board is None:
        return question.seconds
    if question.board.turn == RED:
        return (clocks.red_ms + clocks.red_increment_ms) / 1000
    return (clocks.black_ms + clocks.black_increment_ms) / 1000


def limit_of(question: Question) -> Limit | None:
    """The limit that ends the search; None where only a stop does."""
    clocks = question.clocks
    if clocks is not None:
        return Limit(
            white_clock=clocks.red_ms / 1000,
            black_clock=clocks.black_ms / 1000,
            white_inc=clocks.red_increment_ms / 1000,
            black_inc=clocks.black_increment_ms / 1000,
        )
    if question.seconds is None and question.depth is None:
        return None
    return Limit(time=question.seconds, depth=question.depth)


async def in_time(beginning: Coroutine[None, None, AnalysisResult]) -> AnalysisResult:
    """A search that has begun; raises TimeoutError. Nobody else ends it if this is cancelled.

    (Until Python 3.11 asyncio.wait_for forgets that it has been cancelled if it is done as well.)
    """

    def end(begun: asyncio.Future[AnalysisResult]) -> None:
        if not begun.cancelled() and begun.exception() is None:
            begun.result().stop()

    begun = asyncio.ensure_future(beginning)
    try:
        await asyncio.wait({begun}, timeout=PATIENCE_S)
        if begun.done():
            return begun.result()
        raise asyncio.TimeoutError
    except (asyncio.CancelledError, asyncio.TimeoutError):
        begun.cancel()
        begun.add_done_callback(end)
        raise


async def wait(search: AnalysisResult, seconds: float | None) -> Move | None:
    """Result of a search; a longer one is stopped.

    Raises TimeoutError where the engine does not heed it.
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
    """Stop a search at its time limit if the engine does not end it."""
    if seconds is None:
        yield
        return
    late = asyncio.get_running_loop().call_later(seconds + OVERHEAD_S, search.stop)
    try:
        yield
    finally:
        late.cancel()


# What they find


async def news(search: AnalysisResult) -> AsyncIterator[Seen]:
    """Yield the results of a search at a readable rate; its last word is the last one."""
    is_over = False
    while not is_over:
        try:
            await search.get()
            while not search.empty():
                await search.get()
        except AnalysisComplete:
            is_over = True
        seen = seen_in(search.multipv)
        if seen.lines:
            yield seen
        if not is_over:
            await asyncio.sleep(_PAUSE_S)


def seen_in(infos: Sequence[InfoDict]) -> Seen:
    """The lines that an engine has sent so far, each with a first move of its own.

    While an engine sends the lines of an iteration one by one, the later ones are still those of
    the iteration before, and one of them may begin with a move that now stands higher.
    """
    first = infos[0]
    lines: dict[Move, ShownLine] = {}
    for info in infos:
        if "score" in info and info.get("pv"):
            moves = tuple(info["pv"])
            lines.setdefault(moves[0], ShownLine(_number(info["score"]), moves))
    return Seen(
        depth=first.get("depth", 0),
        seldepth=first.get("seldepth", 0),
        nodes=first.get("nodes", 0),
        seconds=first.get("time", 0.0),
        lines=tuple(lines.values()),
    )


def _number(score: PovScore) -> int:
    """The score for the side to move, as our engine counts."""
    relative = score.relative
    if isinstance(relative, RuleWin):
        return relative.cp
    moves = relative.mate()
    if moves is not None:
        is_won = relative > Cp(0)
        return MATE + 1 - 2 * max(moves, 1) if is_won else -(MATE + 2 * moves)
    cp = relative.score()
    return max(-_MAX_CP, min(cp or 0, _MAX_CP))
