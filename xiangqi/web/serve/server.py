"""The server: uvicorn on a socket that is bound before it runs."""

from __future__ import annotations

import secrets
import socket
from typing import Final

from uvicorn import Server

from xiangqi.web.serve.application import Application
from xiangqi.web.serve.connections import ConnectionConfig, listen
from xiangqi.web.serve.guard import MAX_HEAD_BYTES, Guard
from xiangqi.web.serve.pages import Pages

__all__ = ["ADDRESS", "WebServer"]

ADDRESS: Final = "127.0.0.1"
MAX_CONNECTIONS: Final = 32
"""Maximum number of connections; see :mod:`xiangqi.web.serve.admission`."""
REQUEST_SECONDS: Final = 10.0
"""Time limit for the arrival of a request, from the connection to its last byte."""
_TOKEN_BYTES: Final = 16
_ALL_INTERFACES: Final = ("0.0.0.0", "::")
_TEST_ADDRESS: Final = ("192.0.2.1", 9)
"""Reserved address, which no machine has (RFC 5737)."""


class WebServer:
    """Serves an application on the loopback address, or on ``host`` to other machines with a token.

    ``port`` 0 selects a free port; ``host`` is an address of this machine. Raises OSError if the
    port is in use, or the address belongs to another machine.
    """

    def __init__(
        self,
        application: Application,
        port: int,
        *,
        host: str = "",
        request_seconds: float = REQUEST_SECONDS,
        most_connections: int = MAX_CONNECTIONS,
        per_address: int = 0,
    ) -> None:
        self.socket = listen(host or ADDRESS, port)
        self.server_port: int = self.socket.getsockname()[1]
        self.host = host
        self.token = secrets.token_urlsafe(_TOKEN_BYTES) if host else ""
        guard = Guard(self.server_port, host, self.token)
        config = ConnectionConfig(
            Pages(application, guard),
            request_seconds=request_seconds,
            most_connections=most_connections,
            per_address=per_address,
            loop="asyncio",
            ws="none",
            lifespan="off",
            interface="asgi3",
            log_config=None,
            log_level="critical",
            access_log=False,
            workers=1,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        )
        self._server = _ClosingServer(config, application)

    def __enter__(self) -> WebServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    @property
    def address(self) -> str:
        """URL for the browser, with the token."""
        host = _own_address(self.socket) if self.host in _ALL_INTERFACES else self.host or ADDRESS
        shown = f"[{host}]" if ":" in host else host
        query = f"?token={self.token}" if self.token else ""
        return f"http://{shown}:{self.server_port}/{query}"

    def serve_forever(self) -> None:
        """Serve until :meth:`shutdown` or Ctrl-C, which raises KeyboardInterrupt."""
        self._server.run(sockets=[self.socket])

    def shutdown(self) -> None:
        """Request the server's end; may be called from another thread."""
        self._server.should_exit = True


class _ClosingServer(Server):
    """uvicorn server that closes its application on shutdown."""

    def __init__(self, config: ConnectionConfig, application: Application) -> None:
        super().__init__(config)
        self._application = application

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the application first: pending responses may wait for its engines."""
        await self._application.close()
        await super().shutdown(sockets)


def _own_address(listening: socket.socket) -> str:
    """Address of this machine in its network, by the routing table; nothing is sent."""
    if listening.family == socket.AF_INET:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            try:
                probe.connect(_TEST_ADDRESS)
                return str(probe.getsockname()[0])
            except OSError:  # no network
                return ADDRESS
    return socket.gethostname()
