"""The engine as GUIs start it: the executable ``meihua``, no argument needed.

The first line decides between UCCI, UCI and the XBoard protocol.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xiangqi.engine.conversation import run
from xiangqi.engine.options import DEFAULT

if TYPE_CHECKING:
    from xiangqi.engine.output import Output
    from xiangqi.engine.protocol import ProtocolServer

__all__ = ["main"]


def main(network: str = DEFAULT) -> None:
    """Speak with a GUI on standard input and output until told to quit.

    Raises NetworkError if what is to evaluate is no network.
    """
    run(sys.stdin.buffer, sys.stdout.buffer, lambda output: _start(output, network))


def _start(output: Output, network: str) -> Sequence[ProtocolServer]:
    """The engine, imported only now that the handshake has been answered."""
    from xiangqi.engine.bench import bench_lines
    from xiangqi.engine.engine import Engine
    from xiangqi.engine.protocol import Tools
    from xiangqi.engine.servers import make_servers
    from xiangqi.engine.trace import format_trace, value_of

    tools = Tools(evaluate=value_of, trace=format_trace, bench=bench_lines)
    return make_servers(Engine(network=network), output, tools)
