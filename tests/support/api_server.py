"""An API service that runs beside a test."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from typing import Any

from tests.support.patience import PATIENCE_S
from tests.support.web_server import JSON, Reply, get, request
from xiangqi.web.api.application import ApiSettings
from xiangqi.web.api.server import ADDRESS, ApiServer

CHECKS: dict[str, Any] = {
    "fen": "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w",
    "moves": "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8".split(),
}
"""A game that ends by perpetual check."""


@contextmanager
def serving_api(settings: ApiSettings | None = None, **options: Any) -> Iterator[ApiServer]:
    with ApiServer(settings or ApiSettings(), 0, **options) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def post(server: ApiServer, name: str, data: object, **headers: str) -> Reply:
    """The answer to a request; ``data`` is JSON data, or the body itself."""
    body = data if isinstance(data, bytes) else json.dumps(data).encode()
    return request(server, "POST", f"/v1/{name}", body, JSON | headers)


def is_healthy(server: ApiServer) -> bool:
    """Does it report its health and still judge a game?"""
    return get(server, "/v1/health").status == 200 == post(server, "judge", CHECKS).status


def is_crowded(server: ApiServer) -> bool:
    """Does it refuse a new connection?"""
    try:
        return get(server, "/v1/health").status == 503
    except ConnectionResetError:
        return True


def running_searches(server: ApiServer) -> int:
    found: int = get(server, "/v1/health").data["searches"]
    return found


@contextmanager
def searching(server: ApiServer, **data: object) -> Iterator[HTTPResponse]:
    """A search whose lines are read; leaving it closes the connection."""
    connection = HTTPConnection(ADDRESS, server.server_port, timeout=PATIENCE_S)
    connection.request("POST", "/v1/analyse", json.dumps(data).encode(), JSON)
    answer = connection.getresponse()
    try:
        yield answer
    finally:
        answer.close()
        connection.close()


def lines_of(reply: Reply) -> list[Any]:
    return [json.loads(line) for line in reply.body.splitlines()]
