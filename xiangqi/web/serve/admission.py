"""Admission of connections: how many are open in all and for each client address.

Where a limit is reached, the connection that has waited longest for its client is ended: one that
is idle, whose request has not arrived, whose response is not read, or that has been answered
and is not closed by its client. If none has waited for :data:`MIN_WAIT_SECONDS`, the new connection
is refused with status 503 and ``Retry-After``; after that time it is admitted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from xiangqi.ground.errors import Fact
from xiangqi.web.serve.messages import Refusal

__all__ = ["MIN_WAIT_SECONDS", "Admission", "Admitted"]

MIN_WAIT_SECONDS: Final = 1.0
"""Time that each connection has for its client, and value of ``Retry-After``."""
MAX_REFUSED: Final = 512
"""Maximum number of refused connections that are kept open until their clients know."""


class Admitted(Protocol):
    """A connection, as its admission sees it."""

    @property
    def address(self) -> str:
        """Address of the client."""

    @property
    def idle_since(self) -> float | None:
        """Time since which the server waits for the client; None while it works on a response."""

    def end(self, refusal: Refusal) -> None:
        """End the connection, with the refusal if its request has not arrived completely."""

    def abort(self) -> None:
        """Close the connection at once."""


class Admission:
    """The open connections of a server.

    ``per_address`` is the maximum for each client address, 0 for none.
    """

    def __init__(self, most: int, per_address: int = 0) -> None:
        self._most = most
        self._per_address = per_address
        self._admitted: dict[Admitted, None] = {}
        self._refused: dict[Admitted, None] = {}

    def admit(self, connection: Admitted, now: float) -> Refusal | None:
        """Admit a new connection, or return the refusal to be sent to it."""
        address = connection.address
        own = [other for other in self._admitted if other.address == address]
        for limit, others, code in (
            (self._per_address, own, "serve.address_connections"),
            (self._most, list(self._admitted), "serve.connections"),
        ):
            if limit and len(others) >= limit:
                refusal = Refusal(503, Fact(code, count=limit))
                if not self._make_room(others, now, refusal):
                    self._refuse(connection)
                    return refusal
        self._admitted[connection] = None
        return None

    def forget(self, connection: Admitted) -> None:
        """Remove a closed connection."""
        self._admitted.pop(connection, None)
        self._refused.pop(connection, None)

    def _make_room(self, others: Iterable[Admitted], now: float, refusal: Refusal) -> bool:
        """End the connection that has waited longest for its client; False if none has."""
        waits = [(since, other) for other in others if (since := other.idle_since) is not None]
        since, longest = min(waits, key=lambda wait: wait[0], default=(now, None))
        if longest is None or now - since < MIN_WAIT_SECONDS:
            return False
        self._admitted.pop(longest, None)
        self._refuse(longest)
        longest.end(refusal)
        return True

    def _refuse(self, connection: Admitted) -> None:
        """Count a connection as refused, and close the first of those that are too many."""
        self._refused[connection] = None
        if len(self._refused) > MAX_REFUSED:
            first = next(iter(self._refused))
            del self._refused[first]
            first.abort()
