"""The server: uvicorn with connections that enforce limits, in one or more processes."""

from __future__ import annotations

import os
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from starlette.types import Receive, Scope, Send
from uvicorn import Server
from uvicorn.supervisors import Multiprocess

from xiangqi.contract.errors import error_to_dict
from xiangqi.web.api.application import ApiSettings, make_application
from xiangqi.web.api.gate import METRICS_FOLDER, REFUSAL
from xiangqi.web.api.openapi import JSON
from xiangqi.web.serve.connections import ConnectionConfig, GuardedConnection, listen
from xiangqi.web.serve.guard import MAX_HEAD_BYTES
from xiangqi.web.serve.messages import Answer, Refusal

__all__ = ["ApiServer"]

ADDRESS: Final = "127.0.0.1"
MAX_CONNECTIONS: Final = 128
"""Maximum number of connections of a worker; see :mod:`xiangqi.web.serve.admission`."""
REQUEST_SECONDS: Final = 10.0
"""Time for a request to arrive, from the opening of the connection or the previous response."""
IDLE_SECONDS: Final = 5
"""Time for which a connection without a request stays open."""
WORKER_SECONDS: Final = 60
"""Time for a worker to answer a health check, before it is replaced. uvicorn's default of 5 s is
too short on a busy machine, where workers would be replaced again and again."""
_LOGGING: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(message)s"}},
    "handlers": {"out": {"class": "logging.StreamHandler", "formatter": "line"}},
    "loggers": {"xiangqi.api": {"handlers": ["out"], "level": "INFO", "propagate": False}},
}


class ApiConnection(GuardedConnection):
    """A guarded connection for consecutive requests, each with its own deadline."""

    @staticmethod
    def describe_refusal(refusal: Refusal) -> Answer:
        return Answer(msgspec.json.encode({"error": error_to_dict(refusal)}), JSON, refusal.status)

    def _refuse_excess(self, refusal: Refusal) -> None:
        """Let the application refuse the request once its head has arrived."""
        app = self.app

        async def refuse(scope: Scope, receive: Receive, send: Send) -> None:
            scope["state"][REFUSAL] = refusal
            await app(scope, receive, send)

        self.app = refuse

    def _refuse(self, refusal: Refusal) -> None:
        """Let the application refuse the request if it is waiting for the body: it adds the CORS
        headers, and logs and counts the response."""
        if self.cycle is None or self.cycle.response_started:
            super()._refuse(refusal)
        else:
            self.cycle.scope["state"][REFUSAL] = refusal
            self.cycle.message_event.set()

    def on_response_complete(self) -> None:
        """Wait for the next request, with a new deadline."""
        if not self.transport.is_closing():
            self.cycle = None  # type: ignore[assignment]  # as before the first request
            self._has_data = bool(self.conn.trailing_data[0])  # pipelined
            self._start_request_timer()
        super().on_response_complete()


class ApiServer:
    """Serves the API at an address of this machine.

    ``port`` 0 takes a free one. Raises OSError if the port is taken or the address is not of this
    machine.
    """

    def __init__(
        self,
        settings: ApiSettings,
        port: int,
        *,
        host: str = ADDRESS,
        workers: int = 1,
        logs: bool = False,
        request_seconds: float = REQUEST_SECONDS,
        most_connections: int = MAX_CONNECTIONS,
        per_address: int = 0,
    ) -> None:
        self.socket = listen(host, port)
        self.server_port: int = self.socket.getsockname()[1]
        self._config = ConnectionConfig(
            partial(make_application, settings),
            factory=True,
            http=ApiConnection,
            request_seconds=request_seconds,
            most_connections=most_connections,
            per_address=per_address,
            loop="asyncio",
            ws="none",
            lifespan="on",
            interface="asgi3",
            log_config=_LOGGING if logs else None,
            log_level="critical",
            access_log=False,
            workers=workers,
            timeout_worker_healthcheck=WORKER_SECONDS,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=1,
            h11_max_incomplete_event_size=MAX_HEAD_BYTES,
        )
        self._server = Server(self._config)

    def __enter__(self) -> ApiServer:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def serve_forever(self) -> None:
        """Serve until :meth:`shutdown`, SIGTERM or Ctrl-C, which raises KeyboardInterrupt.

        Several workers run in processes of their own, which are restarted if they end.
        """
        if self._config.workers == 1:
            self._server.run(sockets=[self.socket])
            return
        with TemporaryDirectory(prefix="meihua-metrics-") as folder:  # shared by the workers
            os.environ[METRICS_FOLDER] = folder
            try:
                Multiprocess(self._config, sockets=[self.socket]).run()
            finally:
                del os.environ[METRICS_FOLDER]

    def shutdown(self) -> None:
        """Stop a server with one worker; called from another thread."""
        self._server.should_exit = True
