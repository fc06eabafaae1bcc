"""The engine without a protocol, with a fake searcher: searches and answers."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable

import pytest

from tests.engines.heard import CHECK_FEN, CHECK_MOVES, ENDLESS, Heard, moves
from tests.support.patience import PATIENCE_S
from xiangqi import STARTING_FEN, Board, Move
from xiangqi.engine import MATE, BusyError, Clock, CurrentMove, Engine, Limits, SearchResult

MATED_FEN = "3k5/4R4/9/9/9/9/9/9/9/3RK4 b"


# Searches


def test_go_answers_once_and_reports_each_depth() -> None:
    heard = Heard()
    result = heard.go(Limits(depth=4))
    assert result.best in Board().legal_moves
    assert (result.depth, heard.depths) == (4, [1, 2, 3, 4])
    assert result.repetition_stages == (0, 0, 0)
    assert heard.engine.wait(PATIENCE_S)
    assert heard.results.empty()


def test_the_engine_is_idle_once_it_has_answered() -> None:
    heard = Heard(step_ms=0)
    for _ in range(200):
        heard.go(Limits(depth=1))
        heard.engine.set_position(moves=["h2e2"])


def test_an_answer_may_begin_the_next_search() -> None:
    heard = Heard(step_ms=0)
    left = [5]

    def again(result: SearchResult) -> None:
        left[0] -= 1
        if left[0]:
            heard.engine.go(Limits(depth=1))
        else:
            heard.results.put(result)

    heard.engine.on_best = again
    heard.go(Limits(depth=1))
    assert left == [0]


@pytest.mark.parametrize(
    "command",
    [
        lambda engine: engine.go(Limits(depth=1)),
        lambda engine: engine.set_position(),
        lambda engine: engine.set_option("hash", 8),
        lambda engine: engine.new_game(),
        lambda engine: engine.play(Board(), Limits(depth=1)),
        lambda engine: engine.analyse(Board(), Limits(depth=1)),
        lambda engine: engine.analysis(Board()),
    ],
)
def test_refused_while_thinking_but_not_while_stopping(command: Callable[[Engine], object]) -> None:
    heard = Heard()
    heard.engine.go(ENDLESS)
    with pytest.raises(BusyError, match="the engine is thinking"):
        command(heard.engine)
    heard.engine.stop()
    command(heard.engine)
    assert heard.engine.quit()


def test_stop_ends_an_endless_search_at_once() -> None:
    """In its first step, which would take longer than the test waits."""
    heard = Heard(step_ms=1_000_000)
    assert not heard.engine.stop()
    heard.engine.go(ENDLESS)
    assert heard.searcher.listens.wait(PATIENCE_S)
    assert heard.engine.stop()
    result = heard.result()
    assert (result.best is not None, result.depth) == (True, 1)
    assert not heard.engine.stop()


def test_a_stop_before_the_search_begins_is_not_lost() -> None:
    heard = Heard()
    heard.searcher.deaf_s = 0.05
    heard.engine.go(ENDLESS)
    time.sleep(0.01)
    heard.engine.stop()
    heard.engine.stop()
    assert heard.result().depth <= 2


def test_a_stop_immediately_after_go() -> None:
    heard = Heard(step_ms=0.1)
    for _ in range(200):
        heard.engine.go(ENDLESS)
        heard.engine.stop()
        assert heard.result().best is not None


def test_an_endless_search_that_has_finished_keeps_its_answer() -> None:
    heard = Heard(step_ms=0)
    heard.engine.go(Limits(infinite=True, depth=2))
    time.sleep(0.05)
    assert heard.results.empty()
    assert heard.engine.is_thinking
    heard.engine.stop()
    assert heard.result().depth == 2


@pytest.mark.parametrize("late_s", [0.0, 0.05])
def test_ponderhit_starts_the_clock(late_s: float) -> None:
    heard = Heard()
    heard.searcher.deaf_s = late_s
    assert not heard.engine.ponderhit()
    heard.engine.go(Limits(ponder=True, clock=Clock(1000, 50)))
    time.sleep(0.02)
    assert heard.results.empty()
    assert heard.engine.ponderhit()
    assert not heard.engine.ponderhit()
    assert heard.result().best is not None


def test_a_ponder_search_that_has_finished_waits_for_the_hit() -> None:
    heard = Heard(step_ms=0)
    heard.engine.go(Limits(ponder=True, depth=2))
    time.sleep(0.05)
    assert heard.results.empty()
    heard.engine.ponderhit()
    assert heard.result().depth == 2


def test_a_clock_becomes_two_limits() -> None:
    heard = Heard()
    heard.go(Limits(clock=Clock(400, 20)))
    limits = heard.searcher.limits
    assert 0 < limits.soft_ms <= limits.hard_ms < 400
    assert limits.replan is not None
    heard.go(Limits(depth=3, nodes=10**30, mate=4))
    limits = heard.searcher.limits
    assert (limits.soft_ms, limits.hard_ms, limits.mate, limits.moves) == (0, 0, 4, None)
    assert limits.nodes < 2**63
    heard.engine.go(Limits(clock=Clock(400, 20), infinite=True))
    heard.engine.stop()
    assert heard.result().best is not None
    assert heard.searcher.limits.replan is None
    heard.go(Limits(movetime_ms=1))
    assert heard.searcher.limits.replan is None


# Root moves


def test_root_moves() -> None:
    heard = Heard()
    wanted = moves("h2e2 b2e2 h0g2")
    assert heard.go(Limits(depth=1, moves=wanted)).best in wanted
    assert set(heard.searcher.limits.moves) == set(wanted)
    banned = moves("h2e2 b2e2")
    assert heard.go(Limits(depth=1, moves=wanted, banned=banned)).best == wanted[2]
    assert heard.messages == []


def test_all_moves_banned_but_one() -> None:
    heard = Heard()
    rest = [move for move in Board().legal_moves if move.iccs() != "i3i4"]
    result = heard.go(Limits(clock=Clock(600_000), banned=tuple(rest)))
    assert result.best == Move.from_iccs("i3i4")
    assert heard.searcher.limits.soft_ms <= 20
    assert heard.messages == []


def test_all_moves_banned() -> None:
    heard = Heard()
    result = heard.go(Limits(depth=1, banned=tuple(Board().legal_moves)))
    assert result.best in Board().legal_moves
    assert heard.searcher.limits.moves is None
    assert heard.messages == ["all moves are banned: choosing from them all the same"]


def test_no_legal_move_among_those_to_search() -> None:
    heard = Heard()
    assert heard.go(Limits(depth=1, moves=moves("a9a8"))).best in Board().legal_moves
    assert heard.messages == ["none of the moves to search is legal: choosing from all"]


def test_mated() -> None:
    heard = Heard()
    heard.engine.set_position(MATED_FEN)
    result = heard.go(Limits(depth=5))
    assert (result.best, result.score) == (None, -MATE)
    assert heard.searcher.limits is None


def test_a_game_that_a_rule_has_ended_is_played_on() -> None:
    heard = Heard()
    heard.engine.set_position(CHECK_FEN, CHECK_MOVES)
    assert heard.go(Limits(depth=1)).best is not None
    assert heard.messages == [
        "ruling Black wins: Red checked perpetually and had to change; Black: idle moves; "
        "playing on"
    ]
    heard.engine.set_position(STARTING_FEN.replace("0 1", "120 61"))
    assert heard.go(Limits(depth=1)).best is not None
    assert heard.messages[1:] == ["ruling draw: 120 plies without a capture; playing on"]
    heard.engine.set_position("3ak4/9/9/9/9/9/9/9/9/5K3 w")
    assert heard.go(Limits(depth=1)).best is not None
    assert heard.messages[2:] == [
        "ruling draw: neither side has a piece that can attack; playing on"
    ]


def test_a_search_that_fails_still_answers() -> None:
    heard = Heard()
    heard.searcher.error = RuntimeError("out of luck")
    assert heard.go(Limits(depth=1)).best in Board().legal_moves
    assert "out of luck" in heard.messages[0]
    heard.searcher.error = None
    assert heard.go(Limits(depth=1)).depth == 1


def test_a_search_that_fails_without_a_message_still_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raised: queue.SimpleQueue[str] = queue.SimpleQueue()
    monkeypatch.setattr(threading, "excepthook", lambda args: raised.put(str(args.exc_value)))

    def fail(message: str) -> None:
        raise ValueError(message)

    heard = Heard()
    heard.engine.on_message = fail
    heard.searcher.error = RuntimeError("out of luck")
    assert heard.go(Limits(depth=1)).best in Board().legal_moves
    assert "out of luck" in raised.get(timeout=PATIENCE_S)
    assert heard.engine.wait(PATIENCE_S)


# Info of a search


def test_a_long_search_reports_its_root_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the engine's own searcher; and the last info has all nodes."""
    monkeypatch.setattr("xiangqi.engine.search.CURRENT_MOVE_AFTER_S", 0.01)
    monkeypatch.setattr("xiangqi.engine.search.CURRENT_MOVE_EVERY_S", 0.001)
    reports: queue.SimpleQueue[CurrentMove] = queue.SimpleQueue()
    results: queue.SimpleQueue[SearchResult] = queue.SimpleQueue()
    nodes: list[int] = []
    engine = Engine(
        on_info=lambda info: nodes.append(info.nodes), on_best=results.put, on_current=reports.put
    )
    engine.go(ENDLESS)
    moves = Board().list_moves()
    seen = [reports.get(timeout=PATIENCE_S) for _ in range(5)]
    assert all(current.move in moves for current in seen)
    assert all(1 <= current.number <= len(moves) for current in seen)
    assert len(set(seen)) == 5
    engine.stop()
    assert results.get(timeout=PATIENCE_S).nodes == nodes[-1]


def test_a_search_that_must_be_short_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xiangqi.engine.search.CURRENT_MOVE_AFTER_S", 0.1)
    heard = Heard()
    heard.searcher.at = (1, Move.from_iccs("h2e2"), 1)
    reports: list[CurrentMove] = []
    heard.engine.on_current = reports.append
    heard.go(Limits(movetime_ms=90))
    assert reports == []
    heard.go(Limits(movetime_ms=500))
    assert reports == [CurrentMove(*heard.searcher.at)]
