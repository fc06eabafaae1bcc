"""Reads from a connection with one deadline for the whole request.

A timeout of the socket alone starts anew with every byte, so that a client that sends one byte
every few seconds could hold its connection for ever (https://en.wikipedia.org/wiki/Slowloris).
"""

from __future__ import annotations

import io
import select
import socket
import time
from typing import TYPE_CHECKING, Final

from xiangqi.web.serve.messages import Refusal

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["TimedReader", "has_gone", "linger"]

_PIECE: Final = 1 << 16


class TimedReader(io.RawIOBase):
    """The bytes of a request as they arrive, until its time or its size is used up.

    Reading raises TimeoutError after ``seconds`` in all, and Refusal behind ``most`` bytes.
    """

    def __init__(self, connection: socket.socket, seconds: float, most: int) -> None:
        self._connection = connection
        self._deadline = time.monotonic() + seconds
        self._left = most

    def readable(self) -> bool:
        """Yes."""
        return True

    def allow(self, size: int) -> None:
        """Let so many more bytes come."""
        self._left += size

    def readinto(self, buffer: Buffer, /) -> int:
        """Wait for the next bytes, as long as there is time."""
        if self._left <= 0:
            raise Refusal(431, "the first line and the headers are too long")
        seconds = self._deadline - time.monotonic()
        if seconds <= 0:
            raise TimeoutError("the request takes too long")
        self._connection.settimeout(seconds)
        count = self._connection.recv_into(buffer)
        self._left -= count
        return count


def has_gone(connection: socket.socket) -> bool:
    """Has the other side closed the connection? What it may have sent is left there."""
    try:
        readable, _, _ = select.select([connection], [], [], 0)
        return bool(readable) and not connection.recv(1, socket.MSG_PEEK)
    except (OSError, ValueError):
        return True


def linger(connection: socket.socket, seconds: float) -> None:
    """Say that nothing more is written, and wait until the other side has understood.

    Closing a connection with unread bytes resets it, and the client may lose the answer that
    told why its request was refused.
    """
    deadline = time.monotonic() + seconds
    try:
        connection.shutdown(socket.SHUT_WR)
        while (left := deadline - time.monotonic()) > 0:
            connection.settimeout(left)
            if not connection.recv(_PIECE):
                return
    except OSError:
        return  # gone, or out of time: it is closed either way
