"""The benches' own arithmetic, and that they refuse to compare what is not the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import bench.__main__ as command
from bench import judging, legal_moves, profiling
from bench.measure import (
    Curve,
    Result,
    Row,
    Samples,
    Scale,
    WrongResultError,
    compare,
    require_equal,
)
from bench.plot import plot_curves
from bench.report import Machine, to_json, to_markdown
from xiangqi import Board

RATE = Row(
    "speed", "nodes/s", Samples("Meihua", (8.0, 10.0, 9.0)), Samples("peer", (2.0, 4.0, 3.0))
)
TIME = Row("time", "s", Samples("Meihua", (2.0,)), Samples("peer", (5.0,)), more_is_better=False)
CURVE = Curve.of_rows("speed", "threads", {1: RATE, 2: RATE})


def test_ratios_tell_how_many_times_better_we_are() -> None:
    assert RATE.ratio == 3.0
    assert RATE.pairwise_ratio == 3.0
    assert TIME.ratio == 2.5
    assert Row("alone", "s", Samples("Meihua", (1.0,))).ratio is None


def test_runs_alternate() -> None:
    order: list[str] = []
    row = compare(
        "what",
        Scale("items/s", 1.0),
        3,
        lambda: order.append("ours"),
        lambda: order.append("theirs"),
        "peer",
    )
    assert order == ["ours", "theirs"] * 3
    assert row.theirs is not None
    assert (len(row.ours.values), len(row.theirs.values)) == (3, 3)


def test_a_peer_may_have_less_of_the_same_work() -> None:
    row = compare("what", Scale("/s", 1e9), 1, lambda: None, lambda: None, "peer", Scale("/s", 1.0))
    assert row.theirs is not None
    assert row.ours.median > 1000 * row.theirs.median


def test_a_curve_has_a_line_for_each_side() -> None:
    assert CURVE.unit == "nodes/s"
    assert CURVE.lines == {"Meihua": [(1, 9.0), (2, 9.0)], "peer": [(1, 3.0), (2, 3.0)]}


def test_different_results_are_refused() -> None:
    require_equal("nodes", 44, 44)
    with pytest.raises(WrongResultError, match="nodes: Meihua has 44, the peer 45"):
        require_equal("nodes", 44, 45)


def test_no_ratio_is_printed_where_a_bench_refuses(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def differ(runs: int) -> Result:
        require_equal("perft", 44, 45)
        return Result("never", [RATE])

    monkeypatch.setattr(command, "BENCHES", {"perft": differ})
    monkeypatch.setattr("sys.argv", ["bench", "perft"])
    assert command.main() == 1
    printed = capsys.readouterr().out
    assert "Meihua has 44, the peer 45" in printed
    assert "ratio" not in printed


def test_other_moves_of_a_peer_are_refused() -> None:
    board = Board()
    moves = [f"{move.iccs()[0]}{int(move.iccs()[1]) + 1}" for move in board.legal_moves]
    with pytest.raises(WrongResultError, match="legal moves of rnbakabnr"):
        legal_moves._require_same_moves(board, moves)


@pytest.mark.parametrize("length", judging.LENGTHS)
def test_tours_have_a_window_of_their_length(length: int) -> None:
    assert len(judging.tour(length).play().judge().plies) == length


def test_a_profile_is_read() -> None:
    report = """
# Overhead  Symbol
    23.76%  [.] __pyx_f_7xiangqi_4core_6search_4tree_search_node
     5.30%  [.] __pyx_f_7xiangqi_4core_6search_2tt_probe
     1.30%  [k] clear_page_erms
     0.67%  [.] __memset_avx512_unaligned_erms
"""
    assert list(profiling.read_report(report)) == [
        ("tree.search_node", 23.76),
        ("tt.probe", 5.3),
        ("clear_page_erms", 1.3),
        ("__memset_avx512_unaligned_erms", 0.67),
    ]


def test_a_report_has_everything(tmp_path: Path) -> None:
    machine = Machine.here()
    result = Result("Search", [RATE, TIME], ["a note"], [CURVE])
    data = json.loads(to_json(machine, {"searching": result}))
    assert data["machine"]["date"] == machine.date
    (title, rows) = (data["results"]["searching"][key] for key in ("title", "rows"))
    assert title == "Search"
    assert rows[0]["ours"] == [8.0, 10.0, 9.0]
    assert rows[0]["ratio"] == 3.0
    assert data["results"]["searching"]["curves"][0]["lines"]["peer"] == [[1, 3.0], [2, 3.0]]
    text = to_markdown(machine, {"searching": result})
    assert "| speed (nodes/s) | 9.00 (8.00-10.0) | peer: 3.00 (2.00-4.00) | 3.00 | 3.00 |" in text
    assert "- a note" in text
    assert "RESULTS.svg" in text
    plot_curves([CURVE, CURVE], tmp_path / "plot.svg")
    assert (tmp_path / "plot.svg").read_text(encoding="utf-8").count("threads") >= 2
