"""Backend of the static site: the server's application in one thread of the browser.

It runs in Pyodide, in a web worker (``static/worker.js``). Nothing leaves the machine.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from xiangqi.ground.errors import XiangqiError
from xiangqi.ground.texts import say
from xiangqi.web.serve.messages import Answer, Request, Stream, error_answer, json_answer, voice_of
from xiangqi.web.serve.queries import Queries
from xiangqi.words.voice import PAGE_VOICE

if TYPE_CHECKING:
    from xiangqi.web.serve.application import Application

__all__ = ["QUICK", "Backend"]

QUICK: Final = ("/api/position", "/api/ruling", "/api/problems", "/api/books")
"""Requests of board and referee, which the first pack answers."""
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
    "xiangqi.web.site.engines",
)
"""Modules not needed for board and referee, in the order of loading."""


class Backend:
    """Handles the numbered requests of the page.

    ``begin`` is called with the status and media type, ``write`` with each piece of the content.

    >>> sent = []
    >>> request = (0, "GET", "/", b"")
    >>> asyncio.run(Backend().answer(*request, lambda *head: sent.append(head), sent.append))
    >>> sent[0]
    (200, 'text/html; charset=utf-8')
    """

    def __init__(self) -> None:
        self._queries = Queries()
        self._pending: dict[int, asyncio.Task[None]] = {}
        self._application: Application | None = None

    def _load_application(self) -> Application:
        """Application, loaded on first use or by :meth:`prepare`."""
        if self._application is not None:
            return self._application
        from xiangqi.web.serve.application import Application
        from xiangqi.web.site.engines import SlicedEngines

        engines = SlicedEngines()
        self._application = Application(engines=engines, has_processes=False, queries=self._queries)
        return self._application

    async def prepare(self) -> None:
        """Load the rest of the package, module by module, between requests."""
        for name in _LATER:
            import_module(name)
            await asyncio.sleep(0)
        self._load_application()

    def needs_all(self, path: str) -> bool:
        """Does a request need the second pack?"""
        return path not in QUICK

    async def answer(
        self,
        number: int,
        method: str,
        target: str,
        body: bytes,
        begin: Callable[[int, str], object],
        write: Callable[[bytes], object],
    ) -> None:
        """Handle a request, unless it is abandoned."""
        task = asyncio.ensure_future(
            self._answer(method, Request(target, bytes(body)), begin, write)
        )
        self._pending[number] = task
        try:
            await asyncio.wait({task})
            if not task.cancelled():
                task.result()
        finally:
            del self._pending[number]

    def abandon(self, number: int) -> None:
        """Cancel a request."""
        if number in self._pending:
            self._pending[number].cancel()

    async def _answer(
        self,
        method: str,
        request: Request,
        begin: Callable[[int, str], object],
        write: Callable[[bytes], object],
    ) -> None:
        try:
            answer = await self._handle(method, request)
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

    async def _handle(self, method: str, request: Request) -> Answer | Stream:
        if request.path == "/api/check":
            return json_answer(self._check(request))
        route = self._queries.routes.get(request.path) if method == "POST" else None
        route = route or self._load_application().find_route(method, request.target)
        if route.awaited is not None:
            return await route.awaited(request)
        assert route.answer is not None
        return route.answer(request)

    def _check(self, request: Request) -> dict[str, Any]:
        """Rule on the rule book's cases and run the bench, to test this browser."""
        # Imported here so that the board loads faster.
        from xiangqi.casebook.cases import load_cases
        from xiangqi.casebook.verify import verify_cases
        from xiangqi.engine.bench import run_bench

        language = voice_of(request.json(), PAGE_VOICE).language
        begun = time.monotonic()
        results = list(verify_cases(load_cases()))
        ruled = time.monotonic()
        found = {
            "cases": len(results),
            "passed": sum(result.passed for result in results),
            "rulings": sum(result.rulings for result in results),
            "nodes": run_bench().nodes,
        }
        seconds = {"ruling": ruled - begun, "searching": time.monotonic() - ruled}
        return {**found, **seconds, "words": say(language, "page.check_found", **found, **seconds)}
