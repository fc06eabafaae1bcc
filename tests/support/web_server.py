"""A server of the package that runs beside a test, and clients as polite or rude as wanted."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from email.message import Message
from functools import cache
from http.client import HTTPConnection, HTTPResponse
from typing import Any, NamedTuple, Protocol

from tests.support.patience import PATIENCE_S
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.engines import Engines
from xiangqi.web.serve.server import ADDRESS, WebServer

JSON = {"Content-Type": "application/json"}


class Listening(Protocol):
    """A server on a port of this machine."""

    server_port: int


class Reply(NamedTuple):
    status: int
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode("utf-8")

    @property
    def data(self) -> Any:
        return json.loads(self.body)


@contextmanager
def serving(application: Application | None = None, **options: Any) -> Iterator[WebServer]:
    with _running(WebServer(application or Application(engines=Engines()), 0, **options)) as server:
        yield server


@contextmanager
def _running(server: WebServer) -> Iterator[WebServer]:
    with server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def serving_pages(**options: Any) -> Iterator[WebServer]:
    """A server for a browser, at the address of the last one if it is free: the browser has kept
    its scripts, compiled. ``options`` are those of the application.
    """
    application = Application(**{"engines": Engines(), **options})
    try:
        server = WebServer(application, _port_for_pages())
    except OSError:
        server = WebServer(application, 0)
    with _running(server):
        yield server


@cache
def _port_for_pages() -> int:
    with socket.create_server((ADDRESS, 0)) as free:
        return int(free.getsockname()[1])


def own_host(server: Listening) -> str:
    """The name of the server for a browser of this machine."""
    return f"127.0.0.1:{server.server_port}"


def request(
    server: Listening,
    method: str,
    path: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
) -> Reply:
    connection = HTTPConnection(ADDRESS, server.server_port, timeout=PATIENCE_S)
    try:
        connection.request(method, path, body, dict(headers or {}))
        answer = connection.getresponse()
        return Reply(answer.status, answer.headers, answer.read())
    finally:
        connection.close()


def get(server: Listening, path: str, **headers: str) -> Reply:
    return request(server, "GET", path, headers=headers)


def ask(server: Listening, path: str, **data: object) -> Reply:
    """Put a question as the page does."""
    return request(server, "POST", path, json.dumps(data).encode(), JSON)


def send_file(server: Listening, data: bytes, name: str = "a.pgn", lang: str = "en") -> Reply:
    """Send a file of games as the page does; the name is part of the address."""
    kind = {"Content-Type": "application/octet-stream"}
    return request(server, "POST", f"/api/report?name={name}&lang={lang}", data, kind)


def upload(server: Listening, data: bytes, name: str = "a.pgn", lang: str = "en") -> str:
    """Send a file of games; return the address of its list."""
    reply = send_file(server, data, name, lang)
    assert reply.status == 200, reply.text
    return str(reply.data["location"])


def main_line(data: Mapping[str, Any]) -> list[str]:
    """The moves of the main line of a game as the page holds it."""
    node, moves = data["nodes"][0], []
    while node["next"]:
        node = data["nodes"][node["next"][0]]
        moves.append(node["move"])
    return moves


def as_line(moves: Sequence[str]) -> list[dict[str, object]]:
    """Moves without variations as the page holds them."""
    nodes: list[dict[str, object]] = [{"next": []}]
    for place, move in enumerate(moves, start=1):
        nodes[-1]["next"] = [place]
        nodes.append({"move": move, "next": []})
    return nodes


def is_alive(server: WebServer) -> bool:
    """Does it still answer an honest question?"""
    return ask(server, "/api/position", moves=["h2e2"]).status == 200


def is_full(server: WebServer) -> bool:
    """Does it turn a new connection away? One that is closed before its request was read may be
    reset, and the answer lost with it."""
    try:
        return get(server, "/").status == 503
    except ConnectionResetError:
        return True


def connect(server: Listening) -> socket.socket:
    return socket.create_connection((ADDRESS, server.server_port), timeout=PATIENCE_S)


def read_all(connection: socket.socket) -> bytes:
    """Data until the server closes the connection; a reset closes it as well."""
    pieces = []
    try:
        while piece := connection.recv(1 << 16):
            pieces.append(piece)
    except ConnectionError:
        pass
    return b"".join(pieces)


def drip(server: Listening, text: str) -> int:
    """Send a request and then bytes without end, one by one; how many until it is cut."""
    with connect(server) as connection:
        connection.sendall(text.encode())
        for count in range(200):
            try:
                connection.sendall(b"a")
            except OSError:
                return count
            time.sleep(0.05)
            connection.settimeout(0.001)
            try:
                if not connection.recv(1 << 16):
                    return count
            except TimeoutError:
                continue
            except OSError:
                return count
    return 200


def send_raw(server: Listening, text: str | bytes) -> bytes:
    """The answer to these bytes, whatever they are."""
    with connect(server) as connection:
        connection.sendall(text if isinstance(text, bytes) else text.encode())
        return read_all(connection)


def status_of(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


@contextmanager
def analysing(server: WebServer, **data: object) -> Iterator[HTTPResponse]:
    """An analysis that is looked at; leaving it closes the connection."""
    connection = HTTPConnection(ADDRESS, server.server_port, timeout=PATIENCE_S)
    connection.request("POST", "/api/analyse", json.dumps(data).encode(), JSON)
    answer = connection.getresponse()
    try:
        yield answer
    finally:
        answer.close()
        connection.close()


def read_lines(answer: HTTPResponse, most: int = 10**6) -> list[Any]:
    """The lines that come, up to the last or to so many."""
    assert answer.status == 200
    found: list[Any] = []
    while len(found) < most and (line := answer.readline()):
        found.append(json.loads(line))
    return found


def analyse(server: WebServer, **data: object) -> list[Any]:
    with analysing(server, **data) as answer:
        return read_lines(answer)
