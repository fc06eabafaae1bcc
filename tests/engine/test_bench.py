"""The engine's bench signature. A commit that changes behaviour changes it, and states it."""

from __future__ import annotations

import pytest

from xiangqi.engine.bench import BENCH_RECORDS, run_bench
from xiangqi.engine.network import DEFAULT, HAND_MADE, choose_network

DEPTH = 8
SIGNATURES = {HAND_MADE: 52_577, DEFAULT: 62_928}


@pytest.mark.parametrize("evaluation", SIGNATURES)
def test_signature(evaluation: str) -> None:
    seen: list[tuple[int, str, int]] = []
    network = choose_network(evaluation)
    result = run_bench(DEPTH, on_position=lambda *row: seen.append(row), network=network)
    assert result.nodes == SIGNATURES[evaluation], seen
    assert sum(nodes for _, _, nodes in seen) == result.nodes
    assert len(seen) == len(BENCH_RECORDS)
    assert result.nodes_per_second > 0


def test_positions_can_be_played_on() -> None:
    for record in BENCH_RECORDS:
        assert record.play().has_legal_move()
