"""The engine's bench signature. A commit that changes behaviour changes it, and states it."""

from __future__ import annotations

from xiangqi.engine.bench import BENCH_RECORDS, run_bench

DEPTH = 8
SIGNATURE = 62_928


def test_signature() -> None:
    seen: list[tuple[int, str, int]] = []
    result = run_bench(DEPTH, on_position=lambda *row: seen.append(row))
    assert result.nodes == SIGNATURE, seen
    assert sum(nodes for _, _, nodes in seen) == result.nodes
    assert len(seen) == len(BENCH_RECORDS)
    assert result.nodes_per_second > 0


def test_positions_can_be_played_on() -> None:
    for record in BENCH_RECORDS:
        assert record.play().has_legal_move()
