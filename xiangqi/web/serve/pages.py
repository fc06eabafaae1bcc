"""The application behind HTTP: each request is checked, and answered in a thread of its own, but
for those that let an engine think.
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

from xiangqi.errors import Fact, XiangqiError, quote
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.guard import ANSWER_HEADERS, Guard, body_length, check_head
from xiangqi.web.serve.messages import Answer, Refusal, Request, Stream, error_answer, one_of

__all__ = ["Pages"]

T = TypeVar("T")
_METHODS: Final = ("GET", "HEAD", "POST")


class Pages:
    """An application of ASGI: a guard before an application of ours."""

    def __init__(self, application: Application, guard: Guard) -> None:
        self._application = application
        self._guard = guard

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        request = HttpRequest(scope, receive)
        with suppress(ClientDisconnect):
            answer = await self._reply(request)
            if isinstance(answer, Answer):
                await _respond(answer)(scope, receive, send)
            else:
                await _stream(answer, scope, receive, send)

    async def _reply(self, request: HttpRequest) -> Answer | Stream:
        target = _target_of(request)
        try:
            return await self._ask(request, target)
        except XiangqiError as error:
            if request.method == "GET" and "text/html" in request.headers.get("Accept", ""):
                return self._application.explain(error, target)
            return error_answer(error, self._application.language_at(target))
        except ClientDisconnect:
            raise
        except Exception as error:
            print(f"xiangqi: {request.method} {quote(target)}: {error!r}", file=sys.stderr)
            return error_answer(Refusal(500, Fact("serve.fault", error=repr(error))))

    async def _ask(self, request: HttpRequest, target: str) -> Answer | Stream:
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
            body_length(request.headers, route.kind, route.most_bytes)
            body = await request.body()
        question = Request(target, body)
        if route.awaited is not None:
            return await _while_there(request.receive, route.awaited(question))
        assert route.answer is not None
        return await _in_thread(partial(route.answer, question))


def _target_of(request: HttpRequest) -> str:
    """The path with its query, as it was sent."""
    query = request.scope["query_string"]
    path: bytes = request.scope["raw_path"]
    return (path + (b"?" + query if query else b"")).decode("latin-1")


def _respond(answer: Answer) -> Response:
    headers = ANSWER_HEADERS | {"Content-Type": answer.kind} | dict(answer.headers)
    return Response(answer.body, answer.status, headers)


async def _stream(stream: Stream, scope: Scope, receive: Receive, send: Send) -> None:
    """Send what comes, as long as somebody is there."""
    headers = ANSWER_HEADERS | {"Content-Type": stream.kind}
    async with aclosing(stream.pieces):
        await StreamingResponse(stream.pieces, headers=headers)(scope, receive, send)


async def _while_there(receive: Receive, work: Awaitable[T]) -> T:
    """Result of the work, while the client is connected; else it is cancelled."""
    working = asyncio.ensure_future(work)
    watching = asyncio.ensure_future(_watch(receive))
    try:
        await asyncio.wait({working, watching}, return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return await working
    finally:
        working.cancel()
        watching.cancel()


async def _watch(receive: Receive) -> None:
    """Wait until the other side has gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _in_thread(work: Callable[[], Answer]) -> Answer:
    """Result of a slow function, run in a thread.

    Its thread is one that nobody waits for when the program ends, unlike those of asyncio's pool.
    """
    loop = asyncio.get_running_loop()
    found: asyncio.Future[Answer] = loop.create_future()

    def settle(answer: Answer | None, error: BaseException | None) -> None:
        if found.done():
            return  # nobody waits any more
        if error is not None:
            found.set_exception(error)
        elif answer is not None:
            found.set_result(answer)

    def run() -> None:
        answer, error = None, None
        try:
            answer = work()
        except BaseException as raised:
            error = raised
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, answer, error)

    threading.Thread(target=run, daemon=True).start()
    return await found
