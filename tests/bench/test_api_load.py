"""The load test of the service: its arithmetic, and that wrong answers end it."""

from __future__ import annotations

import sys

import pytest

from bench.api_load import Load, measure, require_ruling, summarize


def test_figures_of_all_clients() -> None:
    loads = [Load((0.001,) * 99, 1.0), Load((0.003,) * 101, 2.0)]
    found = summarize(2, loads, (50.0, 51.0), cpu_s=0.5)
    assert (found.requests, found.clients, found.rate) == (200, 2, 100.0)
    assert found.p50_ms == pytest.approx(3.0)
    assert found.p99_ms == pytest.approx(3.0)
    assert found.cpu_ms == pytest.approx(2.5)


def test_a_wrong_answer_ends_the_test() -> None:
    require_ruling(b'HTTP/1.1 200 OK\r\n\r\n{"verdict":"black_wins"}')
    for answer in (b'HTTP/1.1 200 OK\r\n\r\n{"verdict":"draw"}', b"HTTP/1.1 503 Busy\r\n\r\n"):
        with pytest.raises(RuntimeError, match="expected the ruling 'black_wins'"):
            require_ruling(answer)


@pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")
def test_a_short_run_counts_its_requests() -> None:
    found = measure(workers=1, clients=2, requests=20, seconds=60)
    assert found.requests == 20
    assert found.memory_mb[0] > 10
    assert found.cpu_ms > 0
