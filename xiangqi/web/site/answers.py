"""Answers in the browser, in place of a server: the same application, with one thread.

This runs in Pyodide, in a worker of the browser (``static/worker.js``). Nothing leaves the machine.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.engine import Clock, Limits, SearchInfo, SearchResult
from xiangqi.errors import XiangqiError
from xiangqi.pieces import RED
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.labels import label
from xiangqi.web.serve.messages import (
    Answer,
    Request,
    Stream,
    error_answer,
    json_answer,
    voice_of,
)
from xiangqi.web.serve.thinking import NOTHING, OURS, Question, Seen, Teller
from xiangqi.words.voice import PAGE_VOICE

if TYPE_CHECKING:
    from xiangqi.engine.slices import SlicedEngine

__all__ = ["Answering", "PatientThinker"]

_HASH_MB: Final = 32


class PatientThinker:
    """Our engine in a single thread: it searches in slices, between which others are answered.

    There is one search at a time; a newer one ends it.
    """

    names: Sequence[str] = (OURS,)

    def __init__(self) -> None:
        self._name = ""  # of the present search

    @cached_property
    def _engine(self) -> SlicedEngine:
        """The engine, loaded when it is first needed; the referee is ready before."""
        from xiangqi.engine.slices import SlicedEngine

        engine = SlicedEngine()
        engine.set_option("hash", _HASH_MB)
        engine.set_option("move_overhead", 0)
        return engine

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


class Answering:
    """Answers the questions of the page, a number each.

    ``begin`` gets the status and the media type, ``write`` the content, piece by piece.

    >>> told = []
    >>> answering, question = Answering(), (0, "GET", "/", b"")
    >>> asyncio.run(answering.answer(*question, lambda *head: told.append(head), told.append))
    >>> told[0]
    (200, 'text/html; charset=utf-8')
    """

    def __init__(self) -> None:
        self._application = Application(thinker=PatientThinker(), has_processes=False)
        self._asked: dict[int, asyncio.Task[None]] = {}

    async def answer(
        self,
        number: int,
        method: str,
        target: str,
        body: bytes,
        begin: Callable[[int, str], object],
        write: Callable[[bytes], object],
    ) -> None:
        """Answer a question, unless it is abandoned."""
        task = asyncio.ensure_future(
            self._answer(method, Request(target, bytes(body)), begin, write)
        )
        self._asked[number] = task
        try:
            await asyncio.wait({task})
            if not task.cancelled():
                task.result()
        finally:
            del self._asked[number]

    def abandon(self, number: int) -> None:
        """Nobody waits for this answer any more."""
        if number in self._asked:
            self._asked[number].cancel()

    async def _answer(
        self,
        method: str,
        request: Request,
        begin: Callable[[int, str], object],
        write: Callable[[bytes], object],
    ) -> None:
        try:
            answer = await self._find(method, request)
        except XiangqiError as error:
            answer = error_answer(error)
        if isinstance(answer, Answer):
            begin(answer.status, answer.kind)
            write(answer.body)
            return
        begin(200, answer.kind)
        async with aclosing(answer.pieces):
            async for piece in answer.pieces:
                write(piece)

    async def _find(self, method: str, request: Request) -> Answer | Stream:
        if request.path == "/api/check":
            return json_answer(self._check(request))
        route = self._application.find_route(method, request.target)
        if route.awaited is not None:
            return await route.awaited(request)
        assert route.answer is not None
        return route.answer(request)

    def _check(self, request: Request) -> dict[str, Any]:
        """Does the core do here what it does elsewhere? The rule book's cases and the bench."""
        # Only the page that checks needs these, and the board is ready sooner without them.
        from xiangqi.casebook.cases import load_cases
        from xiangqi.casebook.verify import verify_cases
        from xiangqi.engine.bench import run_bench
        from xiangqi.engine.network import DEFAULT, choose_network

        language = voice_of(request.json(), PAGE_VOICE).language
        begun = time.monotonic()
        results = list(verify_cases(load_cases()))
        ruled = time.monotonic()
        found = {
            "cases": len(results),
            "passed": sum(result.passed for result in results),
            "rulings": sum(result.rulings for result in results),
            "nodes": run_bench(network=choose_network(DEFAULT)).nodes,
        }
        seconds = {"ruling": ruled - begun, "searching": time.monotonic() - ruled}
        return {**found, **seconds, "words": label(language, "check_found", **found, **seconds)}
