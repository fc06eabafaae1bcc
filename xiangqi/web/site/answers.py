"""Answers in the browser, in place of a server: the same application, with one thread.

This runs in Pyodide, in a worker of the browser (``static/worker.js``). Nothing leaves the machine.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable
from contextlib import aclosing
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from xiangqi.errors import XiangqiError
from xiangqi.web.serve.labels import label
from xiangqi.web.serve.messages import (
    Answer,
    Request,
    Stream,
    error_answer,
    json_answer,
    voice_of,
)
from xiangqi.web.serve.questions import Questions
from xiangqi.words.voice import PAGE_VOICE

if TYPE_CHECKING:
    from xiangqi.web.serve.application import Application

__all__ = ["Answering"]

_LATER: Final = (
    "xiangqi.engine.slices",
    "xiangqi.web.serve.thinking",
    "xiangqi.games.formats",
    "xiangqi.web.serve.trees",
    "xiangqi.analysis",
    "xiangqi.web.serve.learning",
    "jinja2",
    "xiangqi.web.serve.library",
    "xiangqi.web.serve.application",
    "xiangqi.web.site.thinker",
)
"""Modules that a board with its referee can do without, in the order in which they are loaded."""


class Answering:
    """Answers the questions of the page, a number each.

    ``begin`` gets the status and the media type, ``write`` the content, piece by piece.

    >>> sent = []
    >>> answering, question = Answering(), (0, "GET", "/", b"")
    >>> asyncio.run(answering.answer(*question, lambda *head: sent.append(head), sent.append))
    >>> sent[0]
    (200, 'text/html; charset=utf-8')
    """

    def __init__(self) -> None:
        random.seed()  # or its state is the same as whenever a saved Python goes on
        self._questions = Questions()
        self._asked: dict[int, asyncio.Task[None]] = {}

    @cached_property
    def _application(self) -> Application:
        """Everything but the referee, loaded when it is needed, or by :meth:`prepare`."""
        from xiangqi.web.serve.application import Application
        from xiangqi.web.site.thinker import PatientThinker

        return Application(thinker=PatientThinker(), has_processes=False, questions=self._questions)

    async def prepare(self) -> None:
        """Load what has not been needed yet, between the answers to questions."""
        for name in _LATER:
            import_module(name)
            await asyncio.sleep(0)
        assert self._application

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
        route = self._questions.routes.get(request.path) if method == "POST" else None
        route = route or self._application.find_route(method, request.target)
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
