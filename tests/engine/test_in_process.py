"""The interface that all engines share: Meihua in this process and in another."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import chess.engine
import pytest

from tests.engines.fake_searcher import FakeSearcher
from tests.support.patience import PATIENCE_S
from xiangqi import (
    BLACK,
    RED,
    AsyncMeihua,
    Board,
    Cp,
    EngineError,
    EngineTerminatedError,
    InfoDict,
    Limit,
    Mate,
    Meihua,
    Move,
    PositionError,
    PovScore,
    RuleWin,
    SimpleEngine,
    Wdl,
)
from xiangqi.board.scores import INFO_SCORE, AnyEngine, BestMove, MateGiven, PovWdl, add_info
from xiangqi.engine import MATE, RULE_WIN, Engine, Limits
from xiangqi.engine.in_process import limits_of, score_of
from xiangqi.engine.timing import Clock

MATE_IN_ONE = "4k4/R8/9/9/9/9/9/1R7/9/3K5 w"
MATED = "3k5/4R4/9/9/9/9/9/9/9/3RK4 b"
CHECKS = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0".split()
COMMAND = [sys.executable, "-m", "xiangqi", "engine"]


def open_uci() -> AnyEngine:
    return SimpleEngine.popen_uci(COMMAND)


@pytest.fixture(scope="module", params=[Meihua, open_uci], ids=["ours", "UCI"])
def engine(request: pytest.FixtureRequest) -> Iterator[AnyEngine]:
    made: AnyEngine = request.param()
    yield made
    made.close()


def fake(**settings: float) -> tuple[Meihua, FakeSearcher]:
    searcher = FakeSearcher(**settings)  # type: ignore[arg-type]
    return Meihua(engine=Engine(searcher)), searcher


# Both kinds


def test_an_analysis(engine: AnyEngine) -> None:
    info = engine.analyse(Board(MATE_IN_ONE), Limit(depth=4))
    assert isinstance(info, dict)
    assert info["score"].red() == Mate(1) == info["score"].relative
    assert info["score"].black() == Mate(-1)
    assert info["pv"] == [Move.from_iccs("b2b9")]
    assert info["depth"] >= 1
    assert info["nodes"] > 0
    assert info["score"].wdl().red() == Wdl(1000, 0, 0)


def test_scores_are_the_movers_and_reported_for_both(engine: AnyEngine) -> None:
    board = Board("4k4/9/9/9/9/9/9/9/R8/3K5 b")
    info = engine.analyse(board, Limit(nodes=2000))
    assert isinstance(info, dict)
    score = info["score"]
    assert score.turn == BLACK
    assert score.relative == score.black() == -score.red()
    assert score.red() > Cp(100)
    assert type(score) is PovScore
    board.push(info["pv"][0])


def test_lines(engine: AnyEngine) -> None:
    lines = engine.analyse(Board(), Limit(depth=3), multipv=3)
    assert isinstance(lines, list)
    assert [line["multipv"] for line in lines] == [1, 2, 3]
    assert len({line["pv"][0] for line in lines}) == 3
    assert lines[0]["score"].relative >= lines[1]["score"].relative >= lines[2]["score"].relative
    single = engine.analyse(Board(), Limit(depth=3))
    assert isinstance(single, dict)


def test_lines_of_a_search_that_ends_early_have_moves_of_their_own(engine: AnyEngine) -> None:
    board = Board("rnbakab1r/9/1c4nc1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR w - - 2 2")
    for nodes in range(2_000, 30_000, 1_400):
        lines = engine.analyse(board, Limit(nodes=nodes), multipv=5)
        assert isinstance(lines, list)
        assert len({line["pv"][0] for line in lines}) == 5, nodes


def test_playing(engine: AnyEngine) -> None:
    played = engine.play(Board(MATE_IN_ONE), Limit(mate=1))
    assert played.move == Move.from_iccs("b2b9")
    assert played.info["score"].relative == Mate(1)
    clocks = Limit(white_clock=1, black_clock=0.5, white_inc=0.01, black_inc=0.01)
    assert engine.play(Board(), clocks).move in Board().legal_moves


def test_mated_position_has_no_move(engine: AnyEngine) -> None:
    assert engine.play(Board(MATED), Limit(depth=3)).move is None
    info = engine.analyse(Board(MATED), Limit(depth=3))
    assert isinstance(info, dict)
    assert info["score"].black() == Mate(0)
    assert info["score"].red() == MateGiven


def test_a_watched_search(engine: AnyEngine) -> None:
    depths = []
    with engine.analysis(Board(), Limit(depth=6)) as seen:
        for info in seen:
            depths.append(info.get("depth", 0))
    assert depths[-1] == 6
    best = seen.wait()
    assert isinstance(best, BestMove)
    assert best.move == seen.info["pv"][0]


def test_a_search_without_end_is_stopped(engine: AnyEngine) -> None:
    with engine.analysis(Board()) as seen:
        assert next(iter(seen))
        seen.stop()
        assert seen.wait().move in Board().legal_moves


def test_another_command_ends_the_search(engine: AnyEngine) -> None:
    first = engine.analysis(Board())
    assert engine.play(Board(), Limit(depth=1)).move in Board().legal_moves
    assert first.wait().move in Board().legal_moves


@pytest.mark.parametrize("limit", [Limit(), Limit(black_clock=60)])
def test_a_limit_that_never_ends_is_refused(engine: AnyEngine, limit: Limit) -> None:
    with pytest.raises(EngineError, match=r"never ends: expected a time, red's clock"):
        engine.play(Board(), limit)
    with pytest.raises(EngineError, match="never ends"):
        engine.analyse(Board(), limit)


@pytest.mark.parametrize("limit", [None, 5, "1s", Limits(depth=1)])
def test_an_object_of_another_type_is_refused_as_limit(engine: AnyEngine, limit: Any) -> None:
    for ask in (engine.play, engine.analyse):
        with pytest.raises(
            TypeError, match=r"^limit .*: expected a Limit, as in Limit\(time=1.0\)$"
        ):
            ask(Board(), limit)
    if limit is not None:  # None is an endless analysis
        with pytest.raises(TypeError, match="expected a Limit"):
            engine.analysis(Board(), limit)
    assert engine.play(Board(), Limit(depth=1)).move in Board().legal_moves


def test_an_object_of_another_type_is_refused_as_board(engine: AnyEngine) -> None:
    board: Any = "startpos"
    for ask in (engine.play, engine.analyse, engine.analysis):
        with pytest.raises(TypeError, match=r"^board 'startpos': expected a Board$"):
            ask(board, Limit(depth=1))


def test_the_wrapped_engine_refuses_other_types_as_limits() -> None:
    wrong: Any = Limit(depth=1)
    with pytest.raises(TypeError, match="expected Limits, as in Limits"):
        Engine().play(Board(), wrong)


def test_a_draft_is_refused_at_once(engine: AnyEngine) -> None:
    board = Board.empty()
    limit = Limit(depth=1)
    for ask in (engine.play, engine.analyse, engine.analysis):
        with pytest.raises(PositionError, match="red has no general"):
            ask(board, limit)
    assert engine.play(Board(), limit).move in Board().legal_moves


def test_options(engine: AnyEngine) -> None:
    engine.configure({"hash": 8, "Clear Hash": None})
    with pytest.raises(EngineError, match="no such option: 'Contempt'; the engine has: Hash"):
        engine.configure({"Contempt": 3})
    with pytest.raises(EngineError, match="cannot set option MultiPV"):
        engine.configure({"MultiPV": 3})
    with pytest.raises(EngineError):
        engine.configure({"Hash": "lots"})
    assert engine.id["name"].startswith("Meihua")


# Meihua in this process


def test_limits() -> None:
    red, black = Board(), Board("4k4/9/9/9/9/9/9/9/R8/3K5 b")
    assert limits_of(Limit(depth=0, nodes=0, time=0), red) == Limits(
        depth=1, nodes=1, movetime_ms=1
    )
    clocks = Limit(white_clock=60, black_clock=0.5, black_inc=0.1, remaining_moves=7)
    own, other = Clock(60_000, 0, 7), Clock(500, 100, 7)
    assert limits_of(clocks, red) == Limits(clock=own, opponent=other)
    assert limits_of(clocks, black) == Limits(clock=other, opponent=own)
    with pytest.raises(EngineError, match="invalid limit time -1: expected 0 or more"):
        limits_of(Limit(time=-1), red)
    with pytest.raises(EngineError, match="invalid limit time nan"):
        limits_of(Limit(time=float("nan")), red)
    assert limits_of(Limit(time=float("inf")), red).movetime_ms > 10**9


def test_a_win_by_rule() -> None:
    score = score_of(RULE_WIN - 6)
    assert isinstance(score, RuleWin)
    assert Cp(20_000) < score_of(RULE_WIN - 8) < score < Mate(50)
    assert PovScore(score, RED).rule_winner() == RED
    assert PovScore(-score, RED).rule_winner() == BLACK
    assert PovScore(score, BLACK).rule_winner() == BLACK
    assert PovScore(Cp(30), BLACK).rule_winner() is None
    assert PovScore(Mate(3), BLACK).rule_winner() is None
    assert score_of(-MATE) == Mate(0)


def test_the_search_reports_a_win_by_rule() -> None:
    """Red has checked repeatedly; one more check loses."""
    fen, moves = CHECKS
    board = Board(fen)
    for move in moves:
        board.push_iccs(move)
    with Meihua() as ours:
        info = ours.analyse(board, Limit(depth=2))
    assert info["score"].rule_winner() == BLACK
    assert info["score"].wdl().black() == Wdl(1000, 0, 0)


def test_scores_know_xiangqi() -> None:
    assert Cp(463).wdl() == (-Cp(-463)).wdl() == Wdl(500, 496, 4)
    assert PovScore(Cp(463), BLACK).wdl().red() == Wdl(4, 496, 500)
    assert Cp(463).wdl(model="sf16") == chess.engine.Cp(463).wdl(model="sf16")
    assert repr(PovScore(Cp(1), RED)) == "PovScore(Cp(+1), RED)"
    assert repr(PovWdl(Wdl(1, 2, 3), BLACK)) == ("PovWdl(Wdl(wins=1, draws=2, losses=3), BLACK)")
    assert PovScore(Cp(5), RED) == chess.engine.PovScore(chess.engine.Cp(-5), chess.BLACK)


def test_a_bound_goes_with_its_score() -> None:
    lines: list[InfoDict] = []
    add_info(lines, {"score": PovScore(Cp(1), RED), "lowerbound": True, "multipv": 2})
    assert lines == [{}, {"score": PovScore(Cp(1), RED), "lowerbound": True, "multipv": 2}]
    add_info(lines, {"nodes": 5, "multipv": 2})
    assert lines[1]["lowerbound"]
    add_info(lines, {"score": PovScore(Cp(2), RED), "multipv": 2})
    assert "lowerbound" not in lines[1]


def test_a_bound_is_reported() -> None:
    ours, searcher = fake()
    for bound, key in ("lower", "lowerbound"), ("upper", "upperbound"):
        searcher.bound = bound  # type: ignore[assignment]
        assert ours.analyse(Board(), Limit(depth=1))[key] is True  # type: ignore[literal-required]


def test_another_game_clears_the_engine() -> None:
    ours, searcher = fake()
    for game in ("a", "a", "b", "b", None):
        ours.analyse(Board(), Limit(depth=1), game=game)
    assert searcher.calls.count("clear") == 2
    ours.configure({"Clear Hash": None})
    assert searcher.calls.count("clear") == 3


def test_options_of_one_search() -> None:
    ours, searcher = fake()
    ours.configure({"Threads": 2})
    ours.play(Board(), Limit(depth=1), options={"threads": 3, "Repetition Rule": "all-draws"})
    assert ours.engine.options["repetition"] == "all-draws"
    ours.play(Board(), Limit(depth=1))
    assert [call for call in searcher.calls if call.startswith("threads")] == [
        "threads 2",
        "threads 3",
        "threads 2",
    ]
    assert ours.engine.options["repetition"] == "wxf"


def test_root_moves_and_bans() -> None:
    ours, searcher = fake()
    moves = [Move.from_iccs(text) for text in ("h2e2", "b2e2", "c3c4")]
    played = ours.play(Board(), Limit(depth=1), root_moves=moves, banned=[moves[0]])
    assert searcher.limits.moves is not None
    assert set(searcher.limits.moves) == set(moves[1:])
    assert played.move in moves[1:]


def test_only_the_requested_info_is_reported() -> None:
    ours, _ = fake()
    info = ours.analyse(Board(), Limit(depth=1), info=INFO_SCORE)
    assert set(info) == {"multipv", "score", "wdl"}


def test_messages_are_strings() -> None:
    ours, _ = fake()
    with ours.analysis(Board(), Limit(depth=1), root_moves=[Move.from_iccs("a0a9")]) as seen:
        strings = [info["string"] for info in seen if "string" in info]
    assert strings == ["none of the moves to search is legal: choosing from all"]


def test_the_board_may_be_changed_meanwhile() -> None:
    ours, _ = fake()
    board = Board()
    with ours.analysis(board) as seen:
        board.push_iccs("h2e2")
        assert seen.get()["pv"][0] in Board().legal_moves


def test_state_of_an_analysis() -> None:
    ours, _ = fake(step_ms=1)
    with ours.analysis(Board(), Limit(depth=3), multipv=2) as seen:
        seen.wait()
        assert not seen.empty()
        assert not seen.would_block()
        assert len(list(seen)) == 6
        assert seen.empty()
        assert not seen.would_block()
        assert seen.next() is None
        with pytest.raises(chess.engine.AnalysisComplete):
            seen.get()
    assert [line["depth"] for line in seen.multipv] == [3, 3]


def test_a_draw_is_accepted_in_a_worse_position() -> None:
    ours, searcher = fake()
    searcher.score = -200
    assert ours.play(Board(), Limit(depth=1), draw_offered=True).draw_offered
    assert not ours.play(Board(), Limit(depth=1)).draw_offered
    searcher.score = 200
    assert not ours.play(Board(), Limit(depth=1), draw_offered=True).draw_offered


def test_another_command_gives_the_waiting_one_its_result_so_far() -> None:
    ours, _ = fake()
    answers = []
    waiting = threading.Thread(target=lambda: answers.append(ours.play(Board(), Limit(time=3600))))
    waiting.start()
    while not ours.engine.is_thinking:
        time.sleep(0.001)
    assert ours.play(Board(), Limit(depth=1)).move is not None
    waiting.join(timeout=PATIENCE_S)
    assert answers[0].move in Board().legal_moves


def test_closed() -> None:
    ours, _ = fake()
    seen = ours.analysis(Board())
    with ours:
        pass
    assert seen.wait().move in Board().legal_moves
    with pytest.raises(EngineTerminatedError, match="closed"):
        ours.play(Board(), Limit(depth=1))
    ours.close()


def test_the_wrapped_engine_refuses_a_draft() -> None:
    engine = Engine(FakeSearcher())
    for ask in (engine.set_position, engine.analysis, engine.probe):
        with pytest.raises(PositionError):
            ask(Board.empty())
    assert not engine.is_thinking


# In an event loop


def run(talk: Callable[[AsyncMeihua], object], **settings: float) -> FakeSearcher:
    searcher = FakeSearcher(**settings)  # type: ignore[arg-type]

    async def main() -> None:
        async with AsyncMeihua(engine=Engine(searcher)) as ours:
            await talk(ours)  # type: ignore[misc]

    asyncio.run(asyncio.wait_for(main(), 20))
    return searcher


def test_coroutines() -> None:
    async def talk(ours: AsyncMeihua) -> None:
        played = await ours.play(Board(), Limit(depth=2))
        assert played.move in Board().legal_moves
        assert played.info["depth"] == 2
        lines = await ours.analyse(Board(), Limit(depth=2), multipv=2)
        assert [line["multipv"] for line in lines if isinstance(line, dict)] == [1, 2]
        depths = []
        with await ours.analysis(Board()) as seen:
            async for info in seen:
                depths.append(info["depth"])
                if len(depths) == 3:
                    break
        assert depths == [1, 2, 3]
        assert (await seen.wait()).move in Board().legal_moves
        await ours.configure({"Threads": 2})
        with pytest.raises(EngineError, match="never ends"):
            await ours.play(Board(), Limit())

    run(talk)


def test_a_coroutine_that_is_cancelled_ends_its_search() -> None:
    async def talk(ours: AsyncMeihua) -> None:
        for ask in (ours.play, ours.analyse):
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(ask(Board(), Limit(time=3600)), 0.05)
            assert await asyncio.to_thread(ours.engine.wait, 5)

    run(talk)


def test_the_loop_is_not_blocked() -> None:
    async def talk(ours: AsyncMeihua) -> None:
        search = asyncio.ensure_future(ours.play(Board(), Limit(depth=30)))
        ticks = 0
        while not search.done():
            await asyncio.sleep(0.005)
            ticks += 1
        assert ticks > 3
        assert (await search).move in Board().legal_moves

    run(talk, step_ms=5)


def test_another_coroutine_ends_the_search() -> None:
    async def talk(ours: AsyncMeihua) -> None:
        with await ours.analysis(Board()) as first:
            assert (await ours.play(Board(), Limit(depth=1))).move in Board().legal_moves
            assert (await first.wait()).move in Board().legal_moves

    run(talk)
