"""Perft: all move sequences of five plies from the start, one thread, the last ply in bulk."""

from __future__ import annotations

from bench.measure import Result, Scale, compare, require_equal
from bench.peers import FAIRY_STOCKFISH, MISSING, UciEngine, find_fairy_stockfish
from xiangqi import Board

DEPTH = 5
NODES = 133_312_995


def measure(runs: int) -> Result:
    """Nodes per second; starting the peer's process is not counted."""
    result = Result("Move generation: perft from the start")
    what, scale = f"depth {DEPTH}, bulk counting", Scale("million nodes/s", NODES / 1e6)
    path = find_fairy_stockfish()
    if path is None:
        result.notes.append(f"{FAIRY_STOCKFISH}: {MISSING[FAIRY_STOCKFISH]}")
        result.rows.append(compare(what, scale, runs, count_ours, None, FAIRY_STOCKFISH))
        return result
    with UciEngine(path) as engine:

        def count_theirs() -> None:
            require_equal(f"perft {DEPTH}", NODES, engine.perft(DEPTH))

        result.rows.append(compare(what, scale, runs, count_ours, count_theirs, engine.name))
    return result


def count_ours() -> None:
    """Count and check."""
    require_equal(f"perft {DEPTH}", Board().perft(DEPTH), NODES)
