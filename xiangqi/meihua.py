"""The engine as GUIs start it: the executable ``meihua``, no argument needed.

The first line decides between UCCI and UCI.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

from xiangqi.bench import BENCH_DEPTH, run_bench
from xiangqi.engine import Engine
from xiangqi.network import DEFAULT, NetworkFile
from xiangqi.protocol import Tools, run
from xiangqi.trace import format_trace, value_of
from xiangqi.ucci import Ucci
from xiangqi.uci import Uci

__all__ = ["bench_lines", "main"]


def bench_lines(words: Sequence[str] = (), network: NetworkFile | None = None) -> Iterator[str]:
    """Run the bench at a depth, if one is given, and tell its figures."""
    depth = int(words[0]) if words and words[0].isascii() and words[0].isdigit() else BENCH_DEPTH
    yield f"Evaluation: {'hand-made' if network is None else network.name}"
    result = run_bench(depth, network=network)
    repeated, flags, chases = result.repetition_stages
    yield f"Repetitions: {repeated} keys, {flags} by check flags, {chases} by chases"
    yield f"Nodes searched: {result.nodes}"
    yield f"Nodes/second: {result.nodes_per_second:.0f}"


def main(network: str = DEFAULT) -> None:
    """Speak UCCI or UCI on standard input and output until told to quit.

    Raises NetworkError if what is to evaluate is no network.
    """
    tools = Tools(evaluate=value_of, trace=format_trace, bench=bench_lines)
    engine = Engine(network=network)
    run(sys.stdin.buffer, sys.stdout.buffer, (Ucci, Uci), engine, tools)
