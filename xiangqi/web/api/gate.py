"""ASGI middleware: header limits, CORS, security headers, access log and metrics."""

from __future__ import annotations

import logging
import os
import re
import time
from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

import msgspec
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from xiangqi.contract.errors import FieldError, error_to_dict
from xiangqi.ground.errors import Fact, XiangqiError, quote
from xiangqi.ground.texts import Language
from xiangqi.web.api.openapi import JSON
from xiangqi.web.api.problems import status_of
from xiangqi.web.serve.admission import MIN_WAIT_SECONDS
from xiangqi.web.serve.guard import ANSWER_HEADERS, check_head
from xiangqi.web.serve.messages import Refusal

__all__ = ["METRICS_FOLDER", "REFUSAL", "Gate", "Metrics", "check_origin", "error_response"]

METRICS_FOLDER: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Environment variable of prometheus_client: folder in which workers share their metrics."""
REFUSAL: Final = "refusal"
"""Key in the state of a request: the Refusal with which the connection rejects it, if any."""
_HEADERS: Final = {name: text for name, text in ANSWER_HEADERS.items() if name != "Connection"}
_STATUS_HEADERS: Final = {
    503: {"Retry-After": f"{MIN_WAIT_SECONDS:.0f}"},
    401: {"WWW-Authenticate": "Bearer"},
}
_PORTS: Final = {"http": 80, "https": 443}
_METHODS: Final = frozenset("GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT".split())
_log = logging.getLogger("xiangqi.api")


def check_origin(text: str) -> None:
    """Raise FieldError for an origin that no browser sends.

    Browsers send scheme, host and a non-default port in lower case, non-ASCII names as punycode
    (RFC 6454, section 6.2), and ``null`` for a page opened as a file.

    >>> check_origin("http://localhost:5173")
    >>> check_origin("https://example.org/")
    Traceback (most recent call last):
    xiangqi.contract.errors.FieldError: origins: 'https://example.org/': expected \
'https://example.org'
    """
    if text in ("*", "null"):
        return
    try:
        parts = urlsplit(text)
        name = (parts.hostname or "").encode("idna").decode()
        port = "" if parts.port in (None, _PORTS.get(parts.scheme)) else f":{parts.port}"
    except ValueError:
        parts, name, port = urlsplit(""), "", ""
    if not (parts.scheme and re.fullmatch(r"[\w.-]+|[\d:a-f.]+", name)):
        raise FieldError("origins", text, Fact("api.origin"))
    host = f"[{name}]" if ":" in name else name
    canonical = f"{parts.scheme}://{host}{port}"
    if text != canonical:
        raise FieldError("origins", text, Fact("value", value=quote(canonical)))


def error_response(
    error: XiangqiError, language: Language = "en", headers: Mapping[str, str] | None = None
) -> Response:
    status = status_of(error)
    body = msgspec.json.encode({"error": error_to_dict(error, language)})
    return Response(body, status, headers or _STATUS_HEADERS.get(status), JSON)


class Metrics:
    """Prometheus metrics: requests by path and status, and their durations."""

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
        self._requests.labels(path, str(status)).inc()
        self._seconds.labels(path).observe(seconds)

    def render(self) -> bytes:
        """All metrics in Prometheus' text format, those of all workers together."""
        registry = self._registry
        if METRICS_FOLDER in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)


class Gate:
    """ASGI middleware around the application.

    The access log has known paths only, and no client address, query, header or body.
    """

    def __init__(
        self, app: ASGIApp, paths: frozenset[str], metrics: Metrics, origins: Sequence[str] = ()
    ) -> None:
        self._app = app
        self._paths = paths
        self._metrics = metrics
        self._handle: ASGIApp = self._check
        if origins:
            self._handle = CORSMiddleware(
                self._check,
                allow_origins=origins,
                allow_methods=("GET", "POST"),
                allow_headers=("Authorization", "Content-Type"),
                expose_headers=("Retry-After",),
            )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle, log and count a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        exchange = _Exchange(scope, receive, send)
        path = scope["path"] if scope["path"] in self._paths else "other"
        began = time.perf_counter()
        try:
            await self._handle(scope, exchange.receive, exchange.send)
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

    async def _check(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request to the application, unless the connection or the headers are refused."""
        try:
            _require_no_refusal(scope)
            target = scope["path"] + scope["query_string"].decode("latin-1")
            check_head(Headers(scope=scope), target)
        except Refusal as refusal:
            await error_response(refusal)(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def _require_no_refusal(scope: Scope) -> None:
    """Raise the Refusal with which the connection rejects a request, if any."""
    refusal = scope.get("state", {}).get(REFUSAL)
    if refusal is not None:
        raise refusal


class _Exchange:
    """A request and its response, with the numbers for the log."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.status = 0
        """Status of the response; 0 before it starts."""
        self.sent = 0
        """Bytes of the body sent so far."""
        self._scope = scope
        self._receive = receive
        self._send = send
        headers = Headers(scope=scope)
        is_empty = headers.get("Content-Length", "0") == "0"
        self._is_read = is_empty and "Transfer-Encoding" not in headers

    async def receive(self) -> Message:
        """Next part of the request body. Raises the Refusal of the connection, if any."""
        message = await self._receive()
        _require_no_refusal(self._scope)
        if message["type"] == "http.request" and not message.get("more_body", False):
            self._is_read = True
        return message

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            for name, text in _HEADERS.items():
                headers.setdefault(name, text)
            is_refused = REFUSAL in self._scope.get("state", {})
            # The rest of an unread body must not be parsed as the next request.
            if is_refused or not self._is_read:
                headers["Connection"] = "close"
        else:
            self.sent += len(message.get("body", b""))
        await self._send(message)
