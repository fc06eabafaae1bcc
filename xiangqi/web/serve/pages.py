"""ASGI adapter of the application: checks requests, and runs handlers in threads.

Handlers that use an engine run on the event loop instead.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Awaitable, Callable
from contextlib import aclosing, suppress
from functools import partial
from typing import Final, TypeVar

from starlette.requests import ClientDisconnect
from starlette.requests import Request as HttpRequest
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from xiangqi.ground.errors import Fact, XiangqiError, quote
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.guard import ANSWER_HEADERS, Guard, body_length, check_head
from xiangqi.web.serve.messages import Answer, Refusal, Request, Stream, error_answer, one_of

__all__ = ["Pages"]

T = TypeVar("T")
_METHODS: Final = ("GET", "HEAD", "POST")


class Pages:
    """ASGI application: checks each request by a guard and passes it to the application."""

    def __init__(self, application: Application, guard: Guard) -> None:
        self._application = application
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = HttpRequest(scope, receive)
        with suppress(ClientDisconnect):
            answer = await self._answer(request)
            headers = ANSWER_HEADERS | {"Content-Type": answer.kind}
            if isinstance(answer, Answer):
                response = Response(answer.body, answer.status, headers | dict(answer.headers))
                await response(scope, receive, send)
                return
            async with aclosing(answer.pieces):
                await StreamingResponse(answer.pieces, headers=headers)(scope, receive, send)

    async def _answer(self, request: HttpRequest) -> Answer | Stream:
        """Return the response to a request; errors become responses, too."""
        path: bytes = request.scope["raw_path"]  # as sent, undecoded
        query: bytes = request.scope["query_string"]
        target = (path + (b"?" + query if query else b"")).decode("latin-1")
        try:
            return await self._handle(request, target)
        except XiangqiError as error:
            if request.method == "GET" and "text/html" in request.headers.get("Accept", ""):
                return self._application.explain(error, target)
            return error_answer(error, self._application.language_at(target))
        except ClientDisconnect:
            raise
        except Exception as error:
            print(f"xiangqi: {request.method} {quote(target)}: {error!r}", file=sys.stderr)
            return error_answer(Refusal(500, Fact("serve.fault", error=repr(error))))

    async def _handle(self, request: HttpRequest, target: str) -> Answer | Stream:
        """Check a request and run its handler. Raises Refusal."""
        check_head(request.headers, target)
        self._guard.check_source(request.headers)
        if request.method not in _METHODS:
            values = {"place": "method", "given": request.method}
            raise Refusal(501, Fact("request.part", **values, expected=one_of(_METHODS)))
        if not target.startswith("/"):
            values = {"place": "address", "given": target}
            raise Refusal(400, Fact("request.part", **values, expected=Fact("request.path")))
        redirection = self._guard.check_token(request.headers, target)
        if redirection is not None:
            return redirection
        route = self._application.find_route(request.method, target)
        body = b""
        if route.kind:
            body_length(request.headers, route.kind, route.max_bytes)
            body = await request.body()
        checked = Request(target, body)
        if route.awaited is not None:
            return await _while_connected(request.receive, route.awaited(checked))
        assert route.answer is not None
        return await _run_in_thread(partial(route.answer, checked))


async def _while_connected(receive: Receive, work: Awaitable[T]) -> T:
    """Await the work; cancel it and raise ClientDisconnect if the client disconnects."""

    async def wait_for_disconnect() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass

    working = asyncio.ensure_future(work)
    watching = asyncio.ensure_future(wait_for_disconnect())
    try:
        await asyncio.wait({working, watching}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return await working
    finally:
        working.cancel()
        watching.cancel()


async def _run_in_thread(work: Callable[[], Answer]) -> Answer:
    """Run a slow function in a daemon thread.

    The threads of asyncio's pool would delay the end of the program.
    """
    loop = asyncio.get_running_loop()
    result: asyncio.Future[Answer] = loop.create_future()

    def settle(answer: Answer | None, error: BaseException | None) -> None:
        if result.done():
            return  # cancelled
        if error is not None:
            result.set_exception(error)
        elif answer is not None:
            result.set_result(answer)

    def run() -> None:
        answer, error = None, None
        try:
            answer = work()
        except BaseException as raised:
            error = raised
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, answer, error)

    threading.Thread(target=run, daemon=True).start()
    return await result
