"""All dialects that the engine speaks."""

from __future__ import annotations

from collections.abc import Sequence

from xiangqi.engine.cecp import Cecp
from xiangqi.engine.engine import Engine
from xiangqi.engine.output import Output
from xiangqi.engine.protocol import Dialect, Tools
from xiangqi.engine.ucci import Ucci
from xiangqi.engine.uci import Uci

__all__ = ["make_dialects"]


def make_dialects(engine: Engine, output: Output, tools: Tools | None = None) -> Sequence[Dialect]:
    """One for each of :data:`~xiangqi.engine.declarations.DECLARATIONS`, in their order."""
    output.on_closed = engine.stop
    return [dialect(engine, output, tools or Tools()) for dialect in (Ucci, Cecp, Uci)]
