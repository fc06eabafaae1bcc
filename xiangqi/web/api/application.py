"""Routes of the service: parse requests, compute answers in threads, stream searches.

Each running search has its own engine; their number is limited.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from xiangqi.board import Board
from xiangqi.board.scores import Limit
from xiangqi.contract.answers import FoundData, HealthData
from xiangqi.contract.errors import error_to_dict
from xiangqi.engine import AsyncMeihua
from xiangqi.ground.errors import Fact, XiangqiError
from xiangqi.ground.installed import __version__
from xiangqi.ground.texts import Language
from xiangqi.referee.rules import RuleSet
from xiangqi.web.api.answers import Answers, play_game
from xiangqi.web.api.gate import Gate, Metrics, check_origin, error_response
from xiangqi.web.api.messages import AnalyseRequest
from xiangqi.web.api.openapi import (
    JSON,
    LINES,
    OPERATIONS,
    make_document,
    read_style,
    render_page,
)
from xiangqi.web.api.problems import find_language, read_request
from xiangqi.web.serve.guard import body_length
from xiangqi.web.serve.messages import Refusal, one_of
from xiangqi.web.serve.searches import in_time, snapshots, stopping_after
from xiangqi.web.serve.thinking import SearchDescriber

__all__ = ["ApiSettings", "make_application"]

_THREADS: Final = 4
"""Threads that compute answers; further requests wait."""
_METRICS: Final = "text/plain; version=0.0.4; charset=utf-8"
_log = logging.getLogger("xiangqi.api")
Endpoint = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiSettings:
    """Limits and options of a service. Raises FieldError for an invalid origin."""

    key: str = ""
    """Key that requests must send; empty for none."""
    origins: tuple[str, ...] = ()
    """Origins whose pages may send requests (CORS); ``*`` for all."""
    max_bytes: int = 1 << 20
    """Maximum size of a request body, and of a file after decompression."""
    max_seconds: float = 10.0
    """Time limit of a search, and of any other answer."""
    max_searches: int = 2
    """Maximum number of concurrent searches in each worker."""
    tables: Path | None = None
    """Folder of endgame tables; None for the default folder."""

    def __post_init__(self) -> None:
        for origin in self.origins:
            check_origin(origin)


def make_application(settings: ApiSettings) -> ASGIApp:
    """The service as an ASGI application."""
    service = _Service(settings)
    routes = service.routes()
    app = Starlette(
        routes=routes,
        exception_handlers={HTTPException: _explain_status},
        lifespan=service.lifespan,
    )
    app.router.redirect_slashes = False
    return Gate(app, frozenset(route.path for route in routes), service.metrics, settings.origins)


async def _explain_status(request: Request, error: Exception) -> Response:
    """Response to an unknown path or a wrong method."""
    assert isinstance(error, HTTPException)
    path = request.url.path
    if error.status_code == 405:
        allowed = (error.headers or {}).get("Allow", "")
        expected = Fact("request.allowed", methods=allowed, path=path)
        why = Fact("request.part", place="method", given=request.method, expected=expected)
        return error_response(Refusal(405, why), headers={"Allow": allowed})
    expected = one_of(one.path for one in OPERATIONS)
    why = Fact("request.part", place="path", given=path, expected=expected)
    return error_response(Refusal(error.status_code, why))


class _Service:
    """Shared state of the endpoints: settings, threads, engines, metrics."""

    def __init__(self, settings: ApiSettings) -> None:
        self.metrics = Metrics()
        self._settings = settings
        self._answers = Answers(settings.max_bytes, settings.max_seconds, settings.tables)
        self._searches = Searches(settings.max_searches)
        self._threads = ThreadPoolExecutor(_THREADS, "api")

    @asynccontextmanager
    async def lifespan(self, _: Starlette) -> AsyncIterator[None]:
        """Close the engines and threads when the application ends."""
        yield
        await self._searches.close()
        self._threads.shutdown(wait=False, cancel_futures=True)

    def routes(self) -> list[Route]:
        """Routes of the operations, the page, the OpenAPI document and the metrics."""
        answers = self._answers
        handlers: Mapping[str, Callable[[Any], object]] = {
            "judge": answers.judge,
            "moves": answers.list_moves,
            "tables": answers.probe_tables,
            "convert": answers.convert,
        }
        routes = []
        for one in OPERATIONS:
            if one.request is None:
                endpoint: Endpoint = self._report_health
            elif one.name in handlers:
                endpoint = self._guarded(partial(self._answer, one.request, handlers[one.name]))
            else:
                endpoint = self._guarded(self._analyse)
            routes.append(Route(one.path, endpoint, methods=[one.method]))
        document = msgspec.json.encode(make_document())
        for path, content, kind in (
            ("/", render_page().encode(), "text/html; charset=utf-8"),
            ("/api.css", read_style(), "text/css; charset=utf-8"),
            ("/openapi.json", document, JSON),
        ):
            routes.append(Route(path, partial(_send_constant, content, kind), methods=["GET"]))
        metrics = self._guarded(self._show_metrics)
        return [*routes, Route("/metrics", metrics, methods=["GET"])]

    def _guarded(self, endpoint: Endpoint) -> Endpoint:
        """Endpoint that requires the key, and whose exceptions become error responses."""
        key = self._settings.key

        async def guarded(request: Request) -> Response:
            request.state.language = "en"  # until the body has been read
            try:
                scheme, _, given = request.headers.get("Authorization", "").partition(" ")
                is_right = secrets.compare_digest(given.strip().encode(), key.encode())
                if key and not (is_right and scheme.lower() == "bearer"):
                    raise Refusal(401, Fact("request.key", place="Authorization"))
                return await endpoint(request)
            except XiangqiError as error:
                return error_response(error, request.state.language)
            except ClientDisconnect:
                raise
            except Exception as error:
                return error_response(_log_bug(error))

        return guarded

    async def _answer(
        self, kind: type, handle: Callable[[Any], object], request: Request
    ) -> Response:
        answer = await self._run_in_thread(handle, await self._parse(request, kind))
        return Response(msgspec.json.encode(answer), media_type=JSON)

    async def _parse(self, request: Request, kind: type) -> Any:
        """Parse the body of a request. Raises FieldError, or Refusal for the headers."""
        body_length(request.headers, JSON, self._settings.max_bytes)
        body = await request.body()
        request.state.language = find_language(body)
        return read_request(body, kind)

    async def _run_in_thread(self, function: Callable[[Any], Any], argument: object) -> Any:
        """Call a function in a thread. Raises Refusal after the time limit.

        The thread stays occupied until the function returns, so that slow requests cannot pile up.
        """
        seconds = self._settings.max_seconds
        running = asyncio.get_running_loop().run_in_executor(self._threads, function, argument)
        try:
            return await asyncio.wait_for(running, seconds)
        except asyncio.TimeoutError:
            raise Refusal(504, Fact("serve.no_answer", seconds=f"{seconds:g}")) from None

    async def _analyse(self, request: Request) -> Response:
        wanted: AnalyseRequest = await self._parse(request, AnalyseRequest)
        max_seconds = self._settings.max_seconds
        board, rules, voice = await self._run_in_thread(play_game, wanted)
        search = SearchTask(
            board=board,
            rules=rules,
            language=voice.language,
            seconds=min(wanted.seconds or max_seconds, max_seconds),
            depth=wanted.depth,
            nodes=wanted.nodes,
            lines=wanted.lines,
        )
        if wanted.stream:
            return _SearchResponse(self._searches, search)
        found = await self._searches.find(search)
        return Response(msgspec.json.encode(found), media_type=JSON)

    async def _report_health(self, _: Request) -> Response:
        health: HealthData = {
            "status": "ok",
            "version": __version__,
            "searches": self._searches.running,
            "max_searches": self._searches.maximum,
        }
        return Response(msgspec.json.encode(health), media_type=JSON)

    async def _show_metrics(self, _: Request) -> Response:
        return Response(self.metrics.render(), media_type=_METRICS)


# Searches


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchTask:
    """A search to run: position, rules, limits, and the language of its results."""

    board: Board
    rules: RuleSet
    language: Language
    seconds: float
    depth: int | None
    nodes: int | None
    lines: int


class Searches:
    """Pool of engines in this process, one for each running search."""

    def __init__(self, maximum: int) -> None:
        self.maximum = maximum
        self.running = 0
        self._idle: list[AsyncMeihua] = []

    def reserve(self) -> None:
        """Reserve a slot for a search, until :meth:`release`. Raises Refusal if none is free."""
        if self.running >= self.maximum:
            raise Refusal(503, Fact("serve.searches", place="searches", running=self.running))
        self.running += 1

    def release(self) -> None:
        self.running -= 1

    async def run(self, search: SearchTask) -> AsyncGenerator[FoundData, None]:
        """Yield the best lines so far, at last the final ones.

        Closing the generator ends the search.
        """
        describer = SearchDescriber(search.board, search.language)
        if not search.board.allowed_moves(search.rules):
            yield describer.describe_end()
            return
        engine = self._idle.pop() if self._idle else AsyncMeihua()
        limit = Limit(time=search.seconds, depth=search.depth, nodes=search.nodes)
        found = None  # the latest report, held back because the last one is marked as final
        try:
            analysis = await in_time(
                engine.analysis(
                    search.board, limit, multipv=search.lines, rules=search.rules, game=object()
                )
            )
            with analysis, stopping_after(search.seconds, analysis):
                async for snapshot in snapshots(analysis):
                    if found is not None:
                        yield found
                    found = describer.describe(snapshot)
            if found is None:
                raise Refusal(502, Fact("serve.nothing_found"))
            yield {**found, "final": True}
        finally:
            self._idle.append(engine)

    async def find(self, search: SearchTask) -> FoundData:
        """Final result of a search. Raises Refusal if too many searches run."""
        self.reserve()
        try:
            async with aclosing(self.run(search)) as lines:
                return [found async for found in lines][-1]
        finally:
            self.release()

    async def close(self) -> None:
        """Quit all idle engines."""
        engines, self._idle = self._idle, []
        await asyncio.gather(*(engine.quit() for engine in engines))


class _SearchResponse(StreamingResponse):
    """Results of a search as JSON lines. Raises Refusal if too many searches run."""

    def __init__(self, searches: Searches, search: SearchTask) -> None:
        searches.reserve()
        self._searches = searches
        self._lines = _encode_lines(searches.run(search), search.language)
        super().__init__(self._lines, media_type=LINES)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            async with aclosing(self._lines):
                await super().__call__(scope, receive, send)
        finally:
            self._searches.release()


async def _encode_lines(
    found: AsyncGenerator[FoundData, None], language: Language
) -> AsyncGenerator[bytes, None]:
    async with aclosing(found):
        try:
            async for data in found:
                yield msgspec.json.encode(data) + b"\n"
        except XiangqiError as error:
            yield msgspec.json.encode({"error": error_to_dict(error, language)}) + b"\n"
        except Exception as error:
            yield msgspec.json.encode({"error": error_to_dict(_log_bug(error), language)}) + b"\n"


def _log_bug(error: Exception) -> Refusal:
    """Log a traceback without the exception's message, which may quote a request."""
    name, frames = type(error).__name__, "".join(traceback.format_tb(error.__traceback__))
    _log.error("fault of the program: %s\n%s", name, frames)
    return Refusal(500, Fact("serve.fault", error=name))


async def _send_constant(content: bytes, kind: str, _: Request) -> Response:
    return Response(content, headers={"Content-Type": kind})
