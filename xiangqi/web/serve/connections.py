"""A connection: one request, one deadline for all of it, and an answer that arrives.

A timeout of the socket alone starts anew with every byte, so that a client that sends one byte
every few seconds could hold its connection for ever (https://en.wikipedia.org/wiki/Slowloris).
uvicorn knows no other for a request, nor any for an answer that nobody fetches.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from uvicorn.config import Config
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from xiangqi.errors import Fact, outside
from xiangqi.web.serve.guard import ANSWER_HEADERS
from xiangqi.web.serve.messages import Answer, Refusal, error_answer

__all__ = ["ConnectionConfig", "GuardedConnection", "listen"]

ANSWER_SECONDS: Final = 30.0
"""Time that an answer may wait to be fetched."""
LINGER_SECONDS: Final = 1.0


class ConnectionConfig(Config):
    """Configuration of uvicorn, with a time limit for the arrival of a request; how many
    connections are held at a time."""

    def __init__(
        self,
        app: Any,
        *,
        request_seconds: float,
        most_connections: int,
        http: type[GuardedConnection] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(app, http=http or GuardedConnection, **options)
        self.request_seconds = request_seconds
        self.most_connections = most_connections


class GuardedConnection(H11Protocol):
    """Reads a request in time, or reports why not."""

    describe_refusal: Callable[[Refusal], Answer] = staticmethod(error_answer)
    """Makes the answer to a request that the application does not see."""

    def __init__(
        self,
        config: ConnectionConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limits = config
        self._is_begun = False
        self._arriving: asyncio.TimerHandle | None = None
        self._fetching: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Wait for the request, if there is a place for another one."""
        super().connection_made(_LingeringTransport(transport, self.loop))
        self._arriving = self.loop.call_later(self._limits.request_seconds, self._give_up)
        most = self._limits.most_connections
        if len(self.connections) > 2 * most:
            self.transport.abort()
        elif len(self.connections) > most:
            self._turn_away(Refusal(503, Fact("serve.connections", count=most)))

    def data_received(self, data: bytes) -> None:
        """Take what has come; what comes behind a refusal is dropped."""
        if not self.transport.is_closing():
            self._is_begun = True
            super().data_received(data)

    def eof_received(self) -> bool:  # type: ignore[override]
        """End of input: a client that has sent everything is not waited for, as it has gone.

        True keeps the connection open for the refusal.
        """
        is_cut = self._is_begun and not self._has_arrived
        if is_cut:
            self._refuse(Refusal(400, Fact("request.short")))
        return is_cut

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        for timer in (self._arriving, self._fetching):
            if timer is not None:
                timer.cancel()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Wait for the other side to fetch what was sent, for so long."""
        super().pause_writing()
        self._fetching = self.loop.call_later(ANSWER_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Go on."""
        super().resume_writing()
        if self._fetching is not None:
            self._fetching.cancel()

    def shutdown(self) -> None:
        """Close the connection unless an answer is being sent."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()
        else:
            super().shutdown()

    def send_400_response(self, msg: str) -> None:
        """Answer what cannot be read with the status of its error, and the reason."""
        error = sys.exc_info()[1]
        self._refuse(Refusal(getattr(error, "error_status_hint", 400), outside(error or msg)))

    @property
    def _has_arrived(self) -> bool:
        return self.cycle is not None and not self.cycle.more_body

    def _give_up(self) -> None:
        """The time for the request is over."""
        if not self._is_begun:
            self.transport.abort()
        elif not self._has_arrived:
            self._refuse(Refusal(408, Fact("request.slow")))

    def _turn_away(self, refusal: Refusal) -> None:
        """Refuse a connection that is too many."""
        self._refuse(refusal)

    def _refuse(self, refusal: Refusal) -> None:
        """Answer in place of the application, unless it answers already, and close."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.cycle is None or not self.cycle.response_started:
            self.transport.write(_as_bytes(refusal, self.describe_refusal(refusal)))
        self.transport.close()


def _as_bytes(refusal: Refusal, answer: Answer) -> bytes:
    headers = {"Content-Type": answer.kind, "Content-Length": str(len(answer.body))}
    if refusal.status == HTTPStatus.SERVICE_UNAVAILABLE:
        headers["Retry-After"] = "1"
    lines = [f"{name}: {value}\r\n" for name, value in (headers | ANSWER_HEADERS).items()]
    head = f"HTTP/1.1 {refusal.status} {HTTPStatus(refusal.status).phrase}\r\n{''.join(lines)}\r\n"
    return head.encode("ascii") + answer.body


def listen(host: str, port: int) -> socket.socket:
    """A socket on which connections may wait already. Raises OSError.

    Connections inherit TCP_NODELAY from it: asyncio leaves it out for sockets without a protocol
    number, and the body of an answer would wait some 40 ms for the acknowledgement of its head.
    """
    family, *_, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listening = socket.create_server(place[:2], family=family, backlog=64)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


class _LingeringTransport(asyncio.Transport):
    """A transport that says that nothing more is written, and waits until the other side has
    understood, before it is closed.

    Closing a connection with unread bytes resets it, and the client may lose the response that says
    why its request was refused.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self._is_closing = False

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        """Properties of the connection."""
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        """Let what comes wait."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Take it again."""
        self._transport.resume_reading()

    def abort(self) -> None:
        """Close the connection at once."""
        self._transport.abort()

    def is_closing(self) -> bool:
        """Is nothing more written?"""
        return self._is_closing or self._transport.is_closing()

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        """Send, unless that is over."""
        if not self.is_closing():
            self._transport.write(data)

    def close(self) -> None:
        """End when the other side has, or has had time for it."""
        if self.is_closing():
            return
        self._is_closing = True
        is_fetched = not self._transport.get_write_buffer_size()
        self._transport.write_eof()
        self._transport.resume_reading()
        seconds = LINGER_SECONDS if is_fetched else ANSWER_SECONDS
        self._loop.call_later(seconds, self._transport.abort)
