"""Connections with a time limit for the whole request and for the client to read the response.

uvicorn has no such limits. A timeout per read would not stop a client that sends one byte every few
seconds (https://en.wikipedia.org/wiki/Slowloris). The classes extend parts of uvicorn that it does
not document; ``tests/web/test_connections.py`` checks that they are still there.
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

from xiangqi.ground.errors import Fact, outside
from xiangqi.web.serve.admission import MIN_WAIT_SECONDS, Admission
from xiangqi.web.serve.guard import ANSWER_HEADERS
from xiangqi.web.serve.messages import Answer, Refusal, error_answer

__all__ = ["ConnectionConfig", "GuardedConnection", "listen"]

ANSWER_SECONDS: Final = 30.0
"""Time limit for the client to read the response."""
LINGER_SECONDS: Final = 1.0
"""Time for which a connection stays open after its response has been sent."""
_ACCEPTED_AT_ONCE: Final = 32
"""Maximum number of connections that asyncio accepts before it reads from those that it has."""
_BACKLOG: Final = 1024


class ConnectionConfig(Config):
    """uvicorn's configuration, a time limit for requests, and maximum numbers of connections.

    ``per_address`` is the maximum for each client address, 0 for none.
    """

    def __init__(
        self,
        app: Any,
        *,
        request_seconds: float,
        most_connections: int,
        per_address: int = 0,
        http: type[GuardedConnection] | None = None,
        **options: Any,
    ) -> None:
        http = http or GuardedConnection
        super().__init__(app, http=http, backlog=_ACCEPTED_AT_ONCE, **options)
        self.request_seconds = request_seconds
        self.admission = Admission(most_connections, per_address)


class GuardedConnection(H11Protocol):
    """HTTP connection with time limits, which are reported to the client when they expire."""

    describe_refusal: Callable[[Refusal], Answer] = staticmethod(error_answer)
    """Makes the response to a request that does not reach the application."""

    def __init__(
        self,
        config: ConnectionConfig,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._limits = config
        self._has_data = False
        self._began = 0.0
        self._stalled_since: float | None = None
        self._request_timer: asyncio.TimerHandle | None = None
        self._response_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the request timer; refuse the connection if there are too many."""
        self._lingering = _LingeringTransport(transport, self.loop)
        super().connection_made(self._lingering)
        self._start_request_timer()
        refusal = self._limits.admission.admit(self, self.loop.time())
        if refusal is not None:
            self._refuse_excess(refusal)

    # Admission

    @property
    def address(self) -> str:
        return self.client[0] if self.client else ""

    @property
    def idle_since(self) -> float | None:
        """Time since which the server waits for the client; None while it works on a response."""
        if self._lingering.closed_at is not None:
            return self._lingering.closed_at
        if self._stalled_since is not None:
            return self._stalled_since
        return None if self._is_request_complete else self._began

    def end(self, refusal: Refusal) -> None:
        """End the connection, with the refusal if its request has not arrived completely."""
        if self._has_data and not self._is_request_complete and not self.transport.is_closing():
            self._refuse(refusal)
        else:
            self.transport.abort()

    def abort(self) -> None:
        self.transport.abort()

    # Events

    def data_received(self, data: bytes) -> None:
        """Process received data; data after a refusal is dropped."""
        if not self.transport.is_closing():
            self._has_data = True
            super().data_received(data)

    def eof_received(self) -> bool:  # type: ignore[override]
        """Refuse a truncated request; close the connection after a complete one.

        Returns True to keep the connection open for the refusal.
        """
        is_truncated = self._has_data and not self._is_request_complete
        if is_truncated:
            self._refuse(Refusal(400, Fact("request.short")))
        return is_truncated

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel the timers of a closed connection."""
        for timer in (self._request_timer, self._response_timer):
            if timer is not None:
                timer.cancel()
        self._limits.admission.forget(self)
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the response timer: the write buffer is full."""
        super().pause_writing()
        self._stalled_since = self.loop.time()
        self._response_timer = self.loop.call_later(ANSWER_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel the response timer: the write buffer has drained."""
        super().resume_writing()
        self._stalled_since = None
        if self._response_timer is not None:
            self._response_timer.cancel()

    def shutdown(self) -> None:
        """Close the connection unless a response is being sent."""
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()
        else:
            super().shutdown()

    def send_400_response(self, msg: str) -> None:
        """Refuse invalid HTTP with the status and reason of the parser's error."""
        error = sys.exc_info()[1]
        self._refuse(Refusal(getattr(error, "error_status_hint", 400), outside(error or msg)))

    @property
    def _is_request_complete(self) -> bool:
        return self.cycle is not None and not self.cycle.more_body

    def _start_request_timer(self) -> None:
        if self._request_timer is not None:
            self._request_timer.cancel()
        self._began = self.loop.time()
        seconds = self._limits.request_seconds
        self._request_timer = self.loop.call_later(seconds, self._end_request_time)

    def _end_request_time(self) -> None:
        """Refuse an incomplete request; close the connection if nothing was received."""
        if not self._has_data:
            self.transport.abort()
        elif not self._is_request_complete:
            self._refuse(Refusal(408, Fact("request.slow")))

    def _refuse_excess(self, refusal: Refusal) -> None:
        """Refuse a connection above the maximum number; overridden by the HTTP service."""
        self._refuse(refusal)

    def _refuse(self, refusal: Refusal) -> None:
        """Send the refusal, unless a response has been started, and close the connection."""
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.cycle is None or not self.cycle.response_started:
            answer, status = self.describe_refusal(refusal), HTTPStatus(refusal.status)
            headers = {"Content-Type": answer.kind, "Content-Length": str(len(answer.body))}
            if status == HTTPStatus.SERVICE_UNAVAILABLE:
                headers["Retry-After"] = f"{MIN_WAIT_SECONDS:.0f}"
            fields = "".join(
                f"{name}: {value}\r\n" for name, value in (headers | ANSWER_HEADERS).items()
            )
            head = f"HTTP/1.1 {status.value} {status.phrase}\r\n{fields}\r\n"
            self.transport.write(head.encode("ascii") + answer.body)
        self.transport.close()


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket. Raises OSError.

    Connections inherit its TCP_NODELAY, which asyncio does not set for sockets without a protocol
    number; without it a response's body waits some 40 ms for the acknowledgement of its head.
    """
    family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listening = socket.create_server(address[:2], family=family, backlog=_BACKLOG)
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening


class _LingeringTransport(asyncio.Transport):
    """Transport with a lingering close: end the output, then discard input for a while.

    Closing a socket with unread input resets the connection, and the client may lose the response
    that explains why its request was refused.
    """

    def __init__(self, transport: asyncio.Transport, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__()
        self._transport = transport
        self._loop = loop
        self.closed_at: float | None = None
        """Time of the call of :meth:`close`; None before it."""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._transport.get_extra_info(name, default)

    def pause_reading(self) -> None:
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        self._transport.resume_reading()

    def abort(self) -> None:
        self._transport.abort()

    def is_closing(self) -> bool:
        """Has :meth:`close` been called, or is the connection closing?"""
        return self.closed_at is not None or self._transport.is_closing()

    def write(self, data: bytes | bytearray | memoryview[Any]) -> None:
        """Send data, unless the transport is closing."""
        if not self.is_closing():
            self._transport.write(data)

    def close(self) -> None:
        """End the output; close the connection when the client does, or after a time limit."""
        if self.is_closing():
            return
        self.closed_at = self._loop.time()
        is_sent = not self._transport.get_write_buffer_size()
        self._transport.write_eof()
        self._transport.resume_reading()
        seconds = LINGER_SECONDS if is_sent else ANSWER_SECONDS
        self._loop.call_later(seconds, self._transport.abort)
