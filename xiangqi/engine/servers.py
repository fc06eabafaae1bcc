"""All protocols that the engine speaks, a server for each."""

from __future__ import annotations

from collections.abc import Sequence

from xiangqi.engine.cecp import CecpServer
from xiangqi.engine.engine import Engine
from xiangqi.engine.output import Output
from xiangqi.engine.protocol import ProtocolServer, Tools
from xiangqi.engine.ucci import UcciServer
from xiangqi.engine.uci import UciServer

__all__ = ["make_servers"]


def make_servers(
    engine: Engine, output: Output, tools: Tools | None = None
) -> Sequence[ProtocolServer]:
    """One for each of :data:`~xiangqi.engine.declarations.DECLARATIONS`, in their order."""
    output.on_closed = engine.stop
    servers = UcciServer, CecpServer, UciServer
    return [server(engine, output, tools or Tools()) for server in servers]
