"""Searches with several threads, for a build with ThreadSanitizer; see ``sanitize_threads.sh``.

    python -m tests.fuzz.threads --threads 4 --nodes 200000

The threads share the transposition table, the stop flags and the counters of nodes. Every position
is searched twice, the second time with a stop from another thread.
"""

from __future__ import annotations

import argparse
import threading

from xiangqi.board import Board
from xiangqi.engine import Engine, Limits

FENS = (
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
    "r1bakabr1/9/1cn4c1/p1p1p3p/5np2/2P6/P3P1P1P/1C2C1N2/9/RNBAKABR1 w",
    "3ak4/4a4/4b4/9/2b1N4/9/9/4C4/4A4/3AK4 w",
    "2bak4/4a4/4b4/8p/c1p1P2n1/7N1/2P5P/4B1C2/4Ar3/1RB1KA3 w",
)
STOP_AFTER_S = 0.5


def main() -> None:
    """Search all positions, and print the nodes."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--nodes", type=int, default=200_000)
    options = parser.parse_args()
    engine = Engine()
    engine.set_option("threads", options.threads)
    engine.set_option("hash", 1)  # a small table is shared the most
    for fen in FENS:
        result = engine.play(Board(fen), Limits(nodes=options.nodes))
        print(f"{fen}: {result.nodes} nodes, {result.best}", flush=True)
        stop = threading.Timer(STOP_AFTER_S, engine.stop)
        stop.start()
        engine.analyse(Board(fen), Limits(nodes=options.nodes * 100))
        stop.join()


if __name__ == "__main__":
    main()
