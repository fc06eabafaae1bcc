"""The HTTP server: on the loopback address, one request for each connection.

It keeps to HTTP/1.0, which closes the connection behind every answer: then each connection has
one deadline, and no bytes of one request can be taken for the next one.
"""

from __future__ import annotations

import io
import socket
import socketserver
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from xiangqi.counting import plural
from xiangqi.errors import XiangqiError, quote
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.guard import SECURITY_HEADERS, body_length, check_source
from xiangqi.web.serve.messages import Answer, Refusal, Request, error_answer
from xiangqi.web.serve.reading import TimedReader, has_gone, linger

__all__ = ["ADDRESS", "WebServer"]

ADDRESS: Final = "127.0.0.1"
MOST_CONNECTIONS: Final = 32
"""How many requests are answered at a time; further ones are told to come again."""
REQUEST_SECONDS: Final = 10.0
"""How long a request may take to arrive, from the connection to its last byte."""
ANSWER_SECONDS: Final = 30.0
"""How long an answer may take to be fetched."""
LINGER_SECONDS: Final = 1.0
LONGEST_HEAD: Final = 1 << 16
"""How many bytes the first line and the headers may have."""


class WebServer(ThreadingHTTPServer):
    """Serves an application to the browsers of this machine, until it is shut down.

    ``port`` 0 takes a free one. Raises OSError where the port is taken.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(
        self,
        application: Application,
        port: int,
        *,
        request_seconds: float = REQUEST_SECONDS,
        most_connections: int = MOST_CONNECTIONS,
    ) -> None:
        self.application = application
        self.request_seconds = request_seconds
        self._places = threading.Semaphore(most_connections)
        super().__init__((ADDRESS, port), _Handler)

    @property
    def address(self) -> str:
        """What to type into the browser."""
        return f"http://{ADDRESS}:{self.server_port}/"

    def server_bind(self) -> None:
        """Bind without asking for this machine's name, which can take long without a network."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = ADDRESS, self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        """Answer in a thread of its own, if there is a place."""
        if not self._places.acquire(blocking=False):
            _turn_away(request)
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._places.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Answer, and give the place back."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._places.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what went wrong, unless it is only that the other side has gone."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def _turn_away(connection: socket.socket) -> None:
    """Tell that there is no place, without waiting for anything."""
    connection.setblocking(False)
    try:
        connection.sendall(b"HTTP/1.0 503 Service Unavailable\r\nRetry-After: 1\r\n\r\n")
        connection.recv(LONGEST_HEAD)  # unread bytes would reset the connection
    except OSError:
        return


class _Handler(BaseHTTPRequestHandler):
    server: WebServer
    server_version = "Meihua"
    sys_version = ""
    command = requestline = request_version = ""

    def setup(self) -> None:
        super().setup()
        self.rfile.close()
        self._arriving = TimedReader(self.connection, self.server.request_seconds, LONGEST_HEAD)
        self.rfile = io.BufferedReader(self._arriving)

    def handle(self) -> None:
        try:
            super().handle()
        except Refusal as refusal:  # raised while the headers are read
            self._send(error_answer(refusal))

    def do_GET(self) -> None:
        self._reply()

    def do_HEAD(self) -> None:
        self._reply()

    def do_POST(self) -> None:
        self._reply()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Answer what the base class finds wrong in the way of this server."""
        self._send(error_answer(Refusal(code, message or self.responses[code][0])))

    def log_message(self, format: str, *args: Any) -> None:
        """Keep the terminal for what concerns the user."""

    def _reply(self) -> None:
        try:
            answer = self._ask()
        except TimeoutError:
            answer = error_answer(Refusal(408, "the request takes too long"))
        except XiangqiError as error:
            answer = self._explain(error)
        except OSError:
            return  # the other side has gone
        except Exception as error:
            self.log_error_to_terminal(error)
            answer = error_answer(Refusal(500, f"a fault of the program: {error!r}"))
        self._send(answer)

    def _explain(self, error: XiangqiError) -> Answer:
        """As a page where the browser asks for one to show, else as data."""
        if self.command == "GET" and "text/html" in self.headers.get("Accept", ""):
            return self.server.application.explain(error, self.path)
        return error_answer(error)

    def log_error_to_terminal(self, error: Exception) -> None:
        """Leave a trace of a fault of the program."""
        print(f"xiangqi: {quote(self.requestline)}: {error!r}", file=sys.stderr)

    def _ask(self) -> Answer:
        check_source(self.headers, self.server.server_port)
        if not self.path.startswith("/"):
            raise Refusal(400, f"address {quote(self.path)}: expected a path")
        route = self.server.application.find_route(self.command, self.path)
        body = b""
        if route.kind:
            length = body_length(self.headers, route.kind, route.most_bytes)
            self._arriving.allow(length)
            body = self.rfile.read(length)
            if len(body) < length:
                raise Refusal(400, f"the body ends after {len(body)} of {plural(length, 'byte')}")
        return route.answer(Request(self.path, body, lambda: has_gone(self.connection)))

    def _send(self, answer: Answer) -> None:
        self.connection.settimeout(ANSWER_SECONDS)
        self.send_response(answer.status)
        headers = {"Content-Type": answer.kind, "Content-Length": str(len(answer.body))}
        for name, value in (headers | SECURITY_HEADERS | dict(answer.headers)).items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(answer.body)
        if answer.status >= 400:
            linger(self.connection, LINGER_SECONDS)
