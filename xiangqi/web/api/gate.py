"""Around the application: limits of the head, security headers, a log line and metrics."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Mapping
from typing import Final

import msgspec
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from xiangqi.errors import XiangqiError
from xiangqi.web.api.openapi import JSON
from xiangqi.web.api.problems import describe_error, status_of
from xiangqi.web.serve.guard import ANSWER_HEADERS, check_head
from xiangqi.web.serve.messages import Refusal
from xiangqi.words import Language

__all__ = ["METRICS_FOLDER", "Gate", "Metrics", "failure"]

METRICS_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Environment variable that prometheus_client reads: where workers share their metrics."""
_HEADERS: Final = {name: text for name, text in ANSWER_HEADERS.items() if name != "Connection"}
_STATUS_HEADERS: Final = {503: {"Retry-After": "1"}, 401: {"WWW-Authenticate": "Bearer"}}
_METHODS: Final = frozenset("GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT".split())
_log = logging.getLogger("xiangqi.api")


def failure(
    error: XiangqiError, language: Language = "en", headers: Mapping[str, str] | None = None
) -> Response:
    """The answer to a request that fails."""
    status = status_of(error)
    answer = msgspec.json.encode(describe_error(error, language))
    return Response(answer, status, headers or _STATUS_HEADERS.get(status), JSON)


class Metrics:
    """Requests by address and status, and their times."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "meihua_requests", "Requests answered.", ("path", "status"), registry=self._registry
        )
        self._seconds = Histogram(
            "meihua_request_seconds",
            "Time from the head of a request to the end of its answer.",
            ("path",),
            registry=self._registry,
        )

    def count(self, path: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def render(self) -> bytes:
        """All metrics in Prometheus' text format; with several workers those of all of them."""
        registry = self._registry
        if METRICS_FOLDER in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


class Gate:
    """An application of ASGI around another one.

    The log has no address, query, header or body of a request, and names known paths only.
    """

    def __init__(self, app: ASGIApp, paths: frozenset[str], metrics: Metrics) -> None:
        self._app = app
        self._paths = paths
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(Headers(scope=scope), receive, send)
        path = scope["path"] if scope["path"] in self._paths else "other"
        began = time.perf_counter()
        try:
            check_head(exchange.headers, scope["path"] + scope["query_string"].decode("latin-1"))
        except Refusal as refusal:
            await failure(refusal)(scope, exchange.receive, exchange.send)
        else:
            await self._app(scope, exchange.receive, exchange.send)
        finally:
            seconds = time.perf_counter() - began
            self._metrics.count(path, exchange.status, seconds)
            _log.info(
                "%s %s %d %.1f ms %d bytes",
                scope["method"] if scope["method"] in _METHODS else "?",
                path,
                exchange.status,
                seconds * 1e3,
                exchange.sent,
            )


class _Exchange:
    """One request and its answer: what was read and sent."""

    def __init__(self, headers: Headers, receive: Receive, send: Send) -> None:
        self.headers = headers
        self.status = 0
        """Status of the answer; 0 until there is one."""
        self.sent = 0
        self._receive = receive
        self._send = send
        is_empty = headers.get("Content-Length", "0") == "0"
        self._is_read = is_empty and "Transfer-Encoding" not in headers

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request" and not message.get("more_body", False):
            self._is_read = True
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, text in _HEADERS.items():
                headers.setdefault(name, text)
            if not self._is_read:  # the rest of the body must not be taken for the next request
                headers["Connection"] = "close"
        else:
            self.sent += len(message.get("body", b""))
        await self._send(message)
