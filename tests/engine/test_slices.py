"""The single-threaded engine: slices give the same results, with commands between them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from tests.engines.heard import CHECK_FEN, CHECK_MOVES, ENDLESS
from xiangqi import Board
from xiangqi.engine import MATE, BusyError, Clock, Engine, Limits, SearchInfo, SearchResult
from xiangqi.engine.bench import BENCH_RECORDS
from xiangqi.engine.options import OptionError
from xiangqi.engine.slices import SlicedSearch

DEEP = Limits(depth=12)
"""Depth that takes several slices from the starting position."""


class Heard:
    """A sliced engine and its callbacks."""

    def __init__(self) -> None:
        self.infos: list[SearchInfo] = []
        self.results: list[SearchResult] = []
        self.messages: list[str] = []
        self.engine = Engine(
            background=SlicedSearch,
            on_info=self.infos.append,
            on_best=self.results.append,
            on_message=self.messages.append,
        )

    async def until(self, condition: Callable[[], Any]) -> None:
        while not condition():
            await asyncio.sleep(0)

    async def go(self, limits: Limits) -> SearchResult:
        self.engine.go(limits)
        await self.until(lambda: self.results)
        return self.results.pop()


def lines(infos: list[SearchInfo]) -> list[tuple[int, int, tuple[str, ...]]]:
    return [(one.depth, one.score, tuple(move.iccs() for move in one.pv)) for one in infos]


def search(limits: Limits) -> tuple[Heard, SearchResult]:
    heard = Heard()
    return heard, asyncio.run(heard.go(limits))


# Results


@pytest.mark.parametrize("limits", [Limits(depth=6), Limits(nodes=9_000)], ids=["depth", "nodes"])
def test_a_short_search_is_one_slice_and_the_same_as_in_a_thread(limits: Limits) -> None:
    infos: list[SearchInfo] = []
    expected = Engine().play(Board(), limits, infos.append)
    heard, result = search(limits)
    assert (result.best, result.score, result.nodes) == (
        expected.best,
        expected.score,
        expected.nodes,
    )
    assert lines(heard.infos) == list(dict.fromkeys(lines(infos)))


def test_a_long_search_by_depth_is_the_same_each_time() -> None:
    first, second = search(DEEP), search(DEEP)
    assert first[1].depth == 12
    assert first[1].nodes == second[1].nodes > 30_000
    assert lines(first[0].infos) == lines(second[0].infos)
    for before, after in zip(first[0].infos, first[0].infos[1:], strict=False):
        assert before.depth <= after.depth
        assert before.nodes <= after.nodes
        assert before.milliseconds <= after.milliseconds


def test_nodes_are_kept_over_all_slices() -> None:
    _, result = search(Limits(nodes=70_000))
    assert result.nodes == 70_000


@pytest.mark.parametrize(
    "limits",
    [Limits(movetime_ms=150), Limits(clock=Clock(3000)), Limits(clock=Clock(0)), Limits(level=1)],
    ids=["movetime", "clock", "no time", "level"],
)
def test_every_limit_ends_the_search_with_a_legal_move(limits: Limits) -> None:
    heard, result = search(limits)
    assert result.best in Board().legal_moves
    assert not heard.engine.is_thinking


def test_several_lines_are_reported() -> None:
    heard = Heard()
    heard.engine.set_option("multipv", 3)
    asyncio.run(heard.go(Limits(depth=5)))
    assert {info.multipv for info in heard.infos if info.depth == 5} == {1, 2, 3}


def test_last_lines_are_sorted_wherever_the_search_ends() -> None:
    for record in BENCH_RECORDS[:5]:
        for nodes in (20_000, 45_000, 70_000, 95_000):
            heard = Heard()
            heard.engine.set_option("multipv", 4)
            heard.engine.set_position(record.play())
            result = asyncio.run(heard.go(Limits(nodes=nodes)))
            last = {info.multipv: info for info in heard.infos}
            scores = [last[number].score for number in (1, 2, 3, 4)]
            assert scores == sorted(scores, reverse=True), (record.fen, nodes)
            assert (last[1].pv[0], scores[0]) == (result.best, result.score), (record.fen, nodes)


def test_a_mate_ends_a_search_in_its_first_slice() -> None:
    heard = Heard()
    heard.engine.set_position("3k5/9/9/8p/9/9/9/9/9/R3K4 w")
    result = asyncio.run(heard.go(Limits(movetime_ms=100_000)))
    assert result.best is not None
    assert result.best.iccs() == "a0d0"


def test_a_mate_is_found_that_takes_several_slices() -> None:
    heard = Heard()
    heard.engine.set_position("4k4/9/9/9/4r4/5R3/9/4B4/4AC3/2B1K4 w")
    assert asyncio.run(heard.go(Limits(mate=6))).score == MATE - 11


def test_a_ruling_on_the_position_is_reported_once() -> None:
    heard = Heard()
    heard.engine.set_position(CHECK_FEN, CHECK_MOVES)
    asyncio.run(heard.go(DEEP))
    assert len(heard.messages) == 1
    assert "checked perpetually" in heard.messages[0]


# Commands between


def test_an_answer_without_limits_is_kept_until_the_stop() -> None:
    async def run() -> None:
        heard = Heard()
        heard.engine.set_position("3k5/9/9/9/9/9/9/9/4R4/R3K4 w")
        heard.engine.go(ENDLESS)
        await heard.until(lambda: heard.infos)
        for _ in range(20):
            await asyncio.sleep(0)
        assert heard.results == []
        assert heard.engine.stop()
        assert len(heard.results) == 1
        assert not heard.engine.stop()

    asyncio.run(run())


def test_a_stop_before_the_first_slice_has_a_move() -> None:
    async def run() -> None:
        heard = Heard()
        heard.engine.go(ENDLESS)
        assert heard.engine.stop()
        assert heard.results[0].best in Board().legal_moves
        assert heard.results.pop().depth == 1
        assert (await heard.go(Limits(depth=3))).depth == 3

    asyncio.run(run())


def test_a_stop_from_a_callback_ends_the_slice() -> None:
    async def run() -> None:
        heard = Heard()

        def stop_at_four(info: SearchInfo) -> None:
            if info.depth == 4:
                heard.engine.stop()

        heard.engine.on_info = stop_at_four
        assert (await heard.go(ENDLESS)).depth == 4

    asyncio.run(run())


def test_other_commands_are_refused_while_it_thinks() -> None:
    async def run() -> None:
        heard = Heard()
        heard.engine.go(ENDLESS)
        await asyncio.sleep(0)
        for command in (heard.engine.set_position, heard.engine.new_game, heard.engine.go):
            with pytest.raises(BusyError):
                command()
        heard.engine.stop()
        heard.engine.set_position()

    asyncio.run(run())


def test_pondering_answers_after_the_hit() -> None:
    async def run() -> None:
        heard = Heard()
        assert not heard.engine.ponderhit()
        heard.engine.go(Limits(ponder=True, clock=Clock(100)))
        await heard.until(lambda: heard.infos)
        for _ in range(5):
            await asyncio.sleep(0)
        assert heard.results == []
        assert heard.engine.ponderhit()
        await heard.until(lambda: heard.results)
        heard.engine.set_position("3k5/9/9/9/9/9/9/9/4R4/R3K4 w")
        heard.results.clear()
        heard.engine.go(Limits(ponder=True, depth=1))  # ends before the hit
        for _ in range(5):
            await asyncio.sleep(0)
        assert heard.results == []
        heard.engine.ponderhit()
        assert len(heard.results) == 1

    asyncio.run(run())


# Faults


def test_a_search_that_fails_plays_any_move(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Heard()

    def fail(job: object) -> SearchResult:
        raise MemoryError("no more")

    monkeypatch.setattr(heard.engine._runner, "prepare", fail)
    result = asyncio.run(heard.go(DEEP))
    assert result.best in Board().legal_moves
    assert "no more" in heard.messages[0]


def test_sliced_engine_has_one_thread_and_needs_a_loop() -> None:
    engine = Engine(background=SlicedSearch)
    engine.set_option("threads", "1")
    with pytest.raises(OptionError, match="single thread"):
        engine.set_option("threads", 2)
    with pytest.raises(RuntimeError):
        engine.go(DEEP)
    assert not engine.is_thinking
