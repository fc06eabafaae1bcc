"""Perft from the starting position, with one thread.

With bulk counting the moves of the last ply are only counted; without it each is made and unmade.
Fairy-Stockfish always counts in bulk.
"""

from __future__ import annotations

from contextlib import ExitStack

from bench.measure import Curve, Result, Row, Scale, compare, require_equal
from bench.peers import FAIRY_STOCKFISH, MISSING, UciEngine, find_program
from xiangqi import Board

NODES = {3: 79_666, 4: 3_290_240, 5: 133_312_995}
DEPTH = 5
MIN_NODES = 4_000_000  # of a run, so that it takes long enough to be timed


def measure(runs: int) -> Result:
    """Measure nodes per second, without starting the peer's process."""
    result = Result("Move generation: perft from the start")
    path = find_program(FAIRY_STOCKFISH)
    if path is None:
        result.notes.append(f"{FAIRY_STOCKFISH}: {MISSING[FAIRY_STOCKFISH]}")
    with ExitStack() as stack:
        peer = stack.enter_context(UciEngine([path])) if path is not None else None
        by_depth = {depth: _row(depth, runs, peer) for depth in (3, 4, DEPTH)}
        unmade = _row(DEPTH, runs, peer, bulk=False)
    result.rows.extend([by_depth[DEPTH], unmade])
    result.curves.append(Curve.of_rows("perft in bulk", "depth", by_depth))
    return result


def _row(depth: int, runs: int, peer: UciEngine | None, *, bulk: bool = True) -> Row:
    rounds = max(1, MIN_NODES // NODES[depth])

    def ours() -> None:
        for _ in range(rounds):
            require_equal(f"perft {depth}", Board().perft(depth, bulk=bulk), NODES[depth])

    def theirs() -> None:
        for _ in range(rounds):
            require_equal(f"perft {depth}", NODES[depth], peer.perft(depth) if peer else 0)

    how = "bulk counting" if bulk else "leaf moves made and unmade; peer in bulk"
    scale = Scale("million nodes/s", rounds * NODES[depth] / 1e6)
    return compare(
        f"depth {depth}, {how}",
        scale,
        runs,
        ours,
        None if peer is None else theirs,
        FAIRY_STOCKFISH if peer is None else peer.name,
    )
