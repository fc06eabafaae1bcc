"""The engine's Python interface."""

from __future__ import annotations

import dataclasses
import gc
import queue
import threading
import time
import weakref

import pytest

from tests.engines.fake_searcher import FakeSearcher
from tests.engines.heard import ENDLESS, Heard, moves
from tests.support.patience import PATIENCE_S
from xiangqi import STARTING_FEN, Board
from xiangqi.core.searches import SCORES
from xiangqi.engine import (
    MATE,
    RULE_WIN,
    Clock,
    Engine,
    HashEntry,
    Limits,
    SearchResult,
    is_decided,
    is_mate_score,
    moves_to_mate,
)

LONGEST = 120  # maximum plies of a searched line


# From Python


def test_play() -> None:
    engine = Engine(FakeSearcher())
    board = Board()
    depths: list[int] = []
    result = engine.play(board, Limits(depth=3), lambda info: depths.append(info.depth))
    assert result.best in board.legal_moves
    assert depths == [1, 2, 3]
    assert board.ply() == 0
    assert not engine.is_thinking


@pytest.mark.parametrize("limits", [Limits(), ENDLESS, Limits(ponder=True, depth=1)])
def test_play_needs_an_end(limits: Limits) -> None:
    with pytest.raises(ValueError, match="need a limit"):
        Engine(FakeSearcher()).play(Board(), limits)


def test_play_passes_errors_on_and_is_idle_again() -> None:
    engine = Engine(FakeSearcher())

    def fail(info: object) -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        engine.play(Board(), Limits(depth=3), fail)
    assert engine.play(Board(), Limits(depth=1)).best is not None


def test_play_can_be_stopped_from_another_thread() -> None:
    engine = Engine(FakeSearcher())
    timer = threading.Timer(0.05, engine.stop)
    timer.start()
    assert engine.play(Board(), Limits(movetime_ms=60_000)).best is not None
    timer.join()


def test_analyse_returns_the_last_info_of_each_line() -> None:
    engine = Engine(FakeSearcher())
    engine.set_option("multipv", 3)
    infos = engine.analyse(Board(), Limits(depth=4))
    assert [(info.multipv, info.depth, info.score) for info in infos] == [
        (1, 4, 12),
        (2, 4, 11),
        (3, 4, 10),
    ]


def test_analysis_can_be_watched_and_left() -> None:
    engine = Engine(FakeSearcher())
    with engine.analysis(Board()) as lines:
        for info in lines:
            if info.depth == 5:
                break
        assert engine.is_thinking
    assert not engine.is_thinking
    assert lines.stop().best is not None


def test_analysis_ends_by_itself() -> None:
    engine = Engine(FakeSearcher())
    analysis = engine.analysis(Board(), Limits(depth=3, infinite=True))
    assert [info.depth for info in analysis] == [1, 2, 3]
    assert list(analysis) == []
    assert analysis.stop().depth == 3


def test_leaving_one_analysis_does_not_stop_the_next_search() -> None:
    heard = Heard()
    analysis = heard.engine.analysis(Board(), Limits(depth=1))
    list(analysis)
    heard.engine.go(ENDLESS)
    analysis.stop()
    time.sleep(0.02)
    assert heard.engine.is_thinking
    assert heard.engine.quit()


def test_probe() -> None:
    searcher = FakeSearcher()
    engine = Engine(searcher)
    assert engine.probe(STARTING_FEN, ["h2e2"]) is None
    searcher.entry = (None, "lower", 10, 3)
    assert engine.probe(STARTING_FEN) == HashEntry(None, "lower", 10, 3)


@pytest.mark.parametrize(
    ("score", "moves", "decided"),
    [
        (MATE - 1, 1, True),
        (4 - MATE, -2, True),
        (-MATE, 0, True),
        (MATE - LONGEST, LONGEST // 2, True),
        (LONGEST - MATE, -LONGEST // 2, True),
        (RULE_WIN, None, True),
        (LONGEST - RULE_WIN, None, True),
        (SCORES["value"], None, False),
        (-SCORES["value"], None, False),
    ],
)
def test_scores_are_mates_or_decided(score: int, moves: int | None, decided: bool) -> None:
    assert (moves_to_mate(score), is_mate_score(score)) == (moves, moves is not None)
    assert is_decided(score) == decided


# With the real searcher


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine()


def test_engine_finds_a_mate(engine: Engine) -> None:
    board = Board("4k3N/2C6/4n4/1R7/6P2/9/9/9/4K2R1/9 w")
    result = engine.play(board, Limits(depth=8))
    assert result.score == MATE - 3
    info = engine.analyse(board, Limits(mate=2))[0]
    assert info.score == MATE - 3
    assert info.pv[0] == result.best


def test_engine_stops_at_any_time(engine: Engine) -> None:
    results: queue.SimpleQueue[SearchResult] = queue.SimpleQueue()
    engine.on_best = results.put
    for pause in (0.0, 0.0, 0.0005, 0.001, 0.01, 0.1):
        engine.go(ENDLESS)
        time.sleep(pause)
        assert engine.stop()
        assert results.get(timeout=PATIENCE_S).best is not None


def test_engine_ponders_and_keeps_its_time_limit(engine: Engine) -> None:
    results: queue.SimpleQueue[SearchResult] = queue.SimpleQueue()
    engine.on_best = results.put
    for limits in (Limits(clock=Clock(1000, 50)), Limits(movetime_ms=100)):
        engine.go(dataclasses.replace(limits, ponder=True))
        time.sleep(0.2)
        assert results.empty()
        assert engine.ponderhit()
        assert results.get(timeout=PATIENCE_S).best is not None


def test_nodes_as_time() -> None:
    """The clock decreases by the searched nodes, whatever time the caller gives."""
    engine, spent = Engine(), []
    engine.set_option("nodestime", 20)
    for _ in range(2):
        engine.new_game()
        for time_ms in (1000, 1):
            spent.append(engine.play(Board(), Limits(clock=Clock(time_ms))).nodes)
    assert spent[:2] == spent[2:]
    assert max(spent) < 20 * 1000 / 2


def test_engine_takes_root_moves_and_several_lines(engine: Engine) -> None:
    engine.set_option("multipv", 2)
    wanted = moves("h2e2 b2e2 h0g2")
    infos = engine.analyse(Board(), Limits(depth=4, moves=wanted))
    assert len({info.pv[0] for info in infos}) == 2
    assert {info.pv[0] for info in infos} <= set(wanted)
    engine.set_option("multipv", 1)


def test_probe_finds_entries_until_clear(engine: Engine) -> None:
    engine.play(Board(), Limits(depth=5))
    found = engine.probe(STARTING_FEN)
    assert found is not None
    assert found.move in Board().legal_moves
    engine.new_game()
    assert engine.probe(STARTING_FEN) is None


# Memory


def test_an_engine_is_freed_with_its_last_reference() -> None:
    """Its memory, some 26 MB, does not wait for the garbage collector."""
    gc.collect()
    gc.disable()
    try:
        engine = Engine()
        engine.set_option("skill_level", 3)
        engine.play(Board(), Limits(depth=2))
        freed = weakref.ref(engine)
        del engine
        deadline = time.monotonic() + PATIENCE_S
        while freed() is not None and time.monotonic() < deadline:
            time.sleep(0.01)  # the search thread may be about to end
        assert freed() is None
    finally:
        gc.enable()
