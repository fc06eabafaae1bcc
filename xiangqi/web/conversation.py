"""The engine for WebAssembly: UCI, line by line, in one thread."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import TYPE_CHECKING

from xiangqi.engine.bench import bench_lines
from xiangqi.engine.conversation import Output
from xiangqi.engine.network import format_trace, value_of
from xiangqi.engine.protocol import Tools
from xiangqi.engine.slices import SlicedEngine
from xiangqi.engine.uci import UciServer

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["Conversation"]


class Conversation:
    """A UCI conversation; ``send`` gets each line of the engine."""

    def __init__(self, send: Callable[[str], object]) -> None:
        tools = Tools(evaluate=value_of, trace=format_trace, bench=bench_lines)
        self._server = UciServer(SlicedEngine(), Output(_Lines(send)), tools)
        self._server.begin()

    async def receive(self, line: str) -> bool:
        """Carry out a command, in a running event loop; False after the last one."""
        return self._server.receive(line)


class _Lines(io.BytesIO):
    """A stream that passes on each line of text."""

    def __init__(self, send: Callable[[str], object]) -> None:
        super().__init__()
        self._send = send

    def write(self, data: Buffer, /) -> int:
        for line in bytes(data).decode("utf-8").splitlines():
            self._send(line)
        return len(bytes(data))
