"""The bench: its signature is the number of nodes searched in fixed positions to a fixed depth.

A different signature means different behaviour, and the commit message states it, as in Stockfish
(https://www.chessprogramming.org/Stockfish#Bench). With one thread, a hash table of fixed size, and
all tables cleared between positions, it is the same on every machine. Each network has a signature
of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from xiangqi.board import Board
from xiangqi.core.searches import SearchLimits
from xiangqi.engine.network import NetworkFile, choose_network
from xiangqi.engine.searcher import make_searcher
from xiangqi.games.record import GameRecord
from xiangqi.referee.rules import WXF

__all__ = ["BENCH_DEPTH", "BENCH_RECORDS", "BenchResult", "bench_lines", "run_bench"]

BENCH_DEPTH: Final = 10
BENCH_HASH_MB: Final = 16

_CYCLE: Final = "c2c1 h2h1 g2g1 e1d2 g1g0 d2e1 g0g1 e1d2 g1g0 d2e1"

BENCH_RECORDS: Final = (
    # The starting position and openings
    GameRecord(),
    GameRecord(moves=tuple("h2e2 h9g7 h0g2 i9h9 i0h0 b9c7".split())),
    GameRecord(moves=tuple("c3c4 g6g5 b0c2 h9g7 h2e2 c9e7 h0g2 i9h9".split())),
    GameRecord(moves=tuple("g3g4 c6c5 h0g2 b9c7 i0i1 c9e7 b2e2 h9i7".split())),
    # Middlegames
    GameRecord("r1bakab1r/9/1cn2cn2/p1p1p1p1p/9/2P6/P3P1P1P/1C2C1N2/9/RNBAKAB1R w - - 0 5"),
    GameRecord("2bakab2/3r5/2n1c2c1/p1R1p1p2/7np/2P2CP2/P2rP3P/2N1C1N2/4A4/2B1KAB1R w - - 0 1"),
    GameRecord("1r2kab2/4a4/4b4/p1p1p3p/5R3/2P2N3/PC2P3P/4Cr3/1R3c3/2B1KA3 w - - 0 1"),
    GameRecord("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1"),
    # A cycle that Red may not continue
    GameRecord(
        "2c1kab2/4a4/4b4/9/9/9/P1p5P/2r1N1cC1/4A4/3ACK3 w - - 0 1", ("e2d4", *_CYCLE.split())
    ),
    # Endgames
    GameRecord("3akab2/9/9/9/9/4N4/9/9/4A4/3AK4 w - - 0 1"),
    GameRecord("4k4/4a4/4b4/9/2b3P2/9/9/4C4/4A4/3AK4 w - - 0 1"),
    GameRecord("2bak4/4a4/4b4/8p/2p3p2/9/N2rP4/6NC1/C3A4/4K1B2 w - - 0 1"),
)


@dataclass(frozen=True, slots=True)
class BenchResult:
    """Node count (the signature) and time."""

    nodes: int
    seconds: float
    repetition_stages: tuple[int, ...]
    """Numbers of repeated keys, of check flags tested, and of chases judged."""

    @property
    def nodes_per_second(self) -> float:
        return self.nodes / self.seconds


def run_bench(
    depth: int = BENCH_DEPTH,
    on_position: Callable[[int, str, int], None] | None = None,
    network: NetworkFile | None = None,
) -> BenchResult:
    """Search all positions, by default with the network of the package.

    ``on_position`` is called with the number, FEN and node count of each.
    """
    searcher = make_searcher(network, hash_mb=BENCH_HASH_MB)
    nodes = 0
    stages = [0, 0, 0]
    started = time.perf_counter()
    for number, record in enumerate(BENCH_RECORDS, start=1):
        searcher.clear()
        board: Board = record.play()
        result = searcher.search(board, SearchLimits(depth=depth), WXF.switches)
        nodes += result.nodes
        stages = [sum(pair) for pair in zip(stages, result.repetition_stages, strict=True)]
        if on_position is not None:
            on_position(number, board.fen(), result.nodes)
    return BenchResult(nodes, time.perf_counter() - started, tuple(stages))


def bench_lines(words: Sequence[str] = (), network: NetworkFile | None = None) -> Iterator[str]:
    """Run the bench at the depth in ``words`` (default BENCH_DEPTH); yield the lines to print."""
    network = network or choose_network()
    depth = int(words[0]) if words and words[0].isascii() and words[0].isdigit() else BENCH_DEPTH
    yield f"Evaluation: {network.name}"
    result = run_bench(depth, network=network)
    repeated, flags, chases = result.repetition_stages
    yield f"Repetitions: {repeated} keys, {flags} by check flags, {chases} by chases"
    yield f"Nodes searched: {result.nodes}"
    yield f"Nodes/second: {result.nodes_per_second:.0f}"
