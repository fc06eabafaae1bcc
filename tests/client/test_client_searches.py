"""The client without a process: requests and answers."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest
from chess.engine import (
    INFO_ALL,
    INFO_NONE,
    Cp,
    EngineError,
    Limit,
    Mate,
    MockTransport,
    PovScore,
    Score,
)

from tests.support.client_talk import CLOCKS, board_after, expect_new_game, moves, talk, talk_uci
from xiangqi import BLACK, Board, Move
from xiangqi.client import IllegalBestMoveError, XiangqiProtocol
from xiangqi.client.dialects import DEFAULT_MATED, Ucci
from xiangqi.client.info import Identity, read_info, read_mate
from xiangqi.core.searches import SCORES

# Searches


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        (CLOCKS, "go time 60000 increment 1000 opptime 50500 oppincrement 250"),
        (Limit(white_clock=9, remaining_moves=3), "go time 9000 movestogo 3"),
        (Limit(depth=3, nodes=9, time=1), "go depth 3"),
        (Limit(nodes=9, time=1), "go nodes 9"),
        (Limit(time=0.0001), "go time 1 movestogo 1"),
    ],
)
def test_limits_in_ucci(limit: Limit, words: str) -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        expect_new_game(transport)
        transport.expect("position startpos")
        transport.expect(words, ["bestmove h2e2"])
        await engine.play(Board(), limit)

    talk(script)


def test_black_and_seconds_in_ucci() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        expect_new_game(transport)
        transport.expect("position startpos moves h2e2")
        transport.expect("go draw time 50 increment 0 opptime 60 oppincrement 1", ["nobestmove"])
        result = await engine.play(board_after("h2e2"), CLOCKS, draw_offered=True)
        assert result.move is None

    talk(script, options=[], after=[])


def test_limits_in_uci() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        transport.expect("ucinewgame")
        expect_new_game(transport)
        transport.expect("position startpos")
        words = "wtime 60000 btime 50500 winc 1000 binc 250 movestogo 4 depth 3 nodes 9 mate 2"
        transport.expect(f"go {words} movetime 1000", ["bestmove (none)"])
        limit = replace(CLOCKS, time=1, depth=3, nodes=9, mate=2, remaining_moves=4)
        assert (await engine.play(Board(), limit)).move is None

    talk_uci(script)


def test_limits_that_are_refused() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        with pytest.raises(EngineError, match="never ends"):
            await engine.play(Board(), Limit())
        expect_new_game(transport)
        with pytest.raises(EngineError, match="UCCI cannot express Limit"):
            await engine.play(Board(), Limit(mate=3))
        transport.expect("position startpos")
        transport.expect("go depth 1", ["bestmove h2e2"])
        await engine.play(Board(), Limit(depth=1))

    talk(script)


def test_ucci_positions_begin_after_the_last_capture() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        expect_new_game(transport)
        board = board_after("h2e2 h9g7 e2e6 a9a8 h0g2")
        fen = "rnbakab1r/9/1c4nc1/p1p1C1p1p/9/9/P1P1P1P1P/1C7/9/RNBAKABNR b - - 0 2"
        transport.expect(f"position fen {fen} moves a9a8 h0g2")
        transport.expect("go depth 1", ["bestmove g7e6"])
        assert (await engine.play(board, Limit(depth=1))).move == Move.from_iccs("g7e6")
        assert board.ply() == 5

    talk(script)


def test_banned_moves() -> None:
    board = Board("3k5/9/9/9/9/9/9/9/9/4K4 w")
    legal = moves("e0e1 e0f0")
    assert sorted(board.legal_moves) == sorted(legal)

    async def ucci(engine: XiangqiProtocol, transport: MockTransport) -> None:
        expect_new_game(transport)
        choices: list[dict[str, Any]] = [{"banned": legal[:1]}, {"root_moves": legal[1:]}]
        for arguments in choices:
            transport.expect(f"position fen {board.fen()}")
            transport.expect("banmoves e0e1")
            transport.expect("go depth 1", ["bestmove e0f0"])
            await engine.play(board, Limit(depth=1), **arguments)
        transport.expect(f"position fen {board.fen()}")
        transport.expect("go depth 1", ["bestmove e0f0"])
        await engine.play(board, Limit(depth=1), banned=legal)  # all moves, so none is banned

    async def uci(engine: XiangqiProtocol, transport: MockTransport) -> None:
        transport.expect("ucinewgame")
        expect_new_game(transport)
        transport.expect(f"position fen {board.fen()}")
        transport.expect("go depth 1 searchmoves e0f0", ["bestmove e0f0"])
        await engine.play(board, Limit(depth=1), banned=legal[:1])

    talk(ucci)
    talk_uci(uci)


# Answers


@pytest.mark.parametrize(
    ("answer", "move", "draw", "resigned"),
    [
        ("bestmove h2e2 draw", "h2e2", True, False),
        ("bestmove H2-E2 ponder h9g7 resign", "h2e2", False, True),
        ("bestmove resign", None, False, True),
        ("bestmove", None, False, False),
        ("bestmove (none)", None, False, False),
        ("nobestmove", None, False, False),
        ("bestmove h2e2 ponder h2e2", "h2e2", False, False),
    ],
)
def test_answers(answer: str, move: str | None, draw: bool, resigned: bool) -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        expect_new_game(transport)
        transport.expect("position startpos")
        transport.expect("go depth 1", ["", answer])
        result = await engine.play(Board(), Limit(depth=1))
        assert (result.move and result.move.iccs()) == move
        assert (result.draw_offered, result.resigned) == (draw, resigned)

    talk(script)


@pytest.mark.parametrize(
    ("text", "why"), [("a0a9", "cannot reach a9"), ("e2e4q", "expected"), ("炮二平五", "expected")]
)
def test_illegal_answers(text: str, why: str) -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        expect_new_game(transport)
        for _ in range(2):  # the engine can be used after it
            transport.expect("position startpos")
            transport.expect("go depth 1", [f"bestmove {text}"])
            with pytest.raises(IllegalBestMoveError, match=why) as caught:
                await engine.play(Board(), Limit(depth=1))
            assert caught.value.text == text

    talk(script)


@pytest.mark.parametrize(
    ("line", "info"),
    [
        ("info depth 3 score -15 pv h2e2", {"depth": 3, "score": Cp(-15), "pv": ["h2e2"]}),
        ("info score cp 20 upperbound nps 9", {"score": Cp(20), "upperbound": True, "nps": 9}),
        ("info score mate -3 pv h2e2 nodes 8", {"score": Mate(-3), "pv": ["h2e2"], "nodes": 8}),
        ("info time 1500 depth x seldepth 4", {"time": 1.5, "seldepth": 4}),
        ("info message 炮二 平五", {"string": "炮二 平五"}),
        ("info string  depth 9", {"string": "depth 9"}),
        ("info score", {}),
        ("info depth 1 score good", {"depth": 1}),
        ("bestmove h2e2", {}),
    ],
)
def test_info_lines(line: str, info: dict[str, object]) -> None:
    assert read_info(line) == info


@pytest.mark.parametrize(
    ("name", "score", "expected"),
    [
        ("Meihua", "29999", Mate(1)),
        ("Meihua", "29997", Mate(2)),
        ("Meihua", "-29996", Mate(-2)),
        ("Meihua", "-30000", Mate(0)),
        ("Meihua", "9999", Cp(9999)),
        ("ElephantEye 3.31", "9997", Mate(2)),
        ("ElephantEye 3.31", "-9998", Mate(-1)),
        ("ElephantEye 3.31", "9890", Cp(9890)),  # won by a repetition that is banned
        ("Fairy-Stockfish", "mate 3", Mate(3)),
    ],
)
def test_mates_of_ucci(name: str, score: str, expected: Score) -> None:
    speech = Ucci()
    speech.opening_lines(Identity({"name": name}))
    assert speech.read_info(f"info depth 5 score {score}")["score"] == expected
    assert read_info("info score cp 29999") == {"score": Cp(29999)}, "UCI has a word for mates"


def test_default_mates_of_ucci_are_meihuas() -> None:
    assert read_mate(SCORES["mate"], *DEFAULT_MATED) == Mate(1)
    assert read_mate(SCORES["mate_in_max"], *DEFAULT_MATED) is not None
    assert read_mate(SCORES["rule_win"], *DEFAULT_MATED) is None


def test_info_of_a_search() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        transport.expect("ucinewgame")
        expect_new_game(transport)
        board = board_after("h2e2")
        lines = [
            "info depth 2 score cp 10 lowerbound nodes 5 pv h9g7",
            "info depth 2 score cp -30 wdl 100 200 700 pv h9g7 a0a9 h0g2",
            "info currmove b9c7",
            "bestmove h9g7",
        ]
        for wanted in (INFO_ALL, INFO_NONE):
            transport.expect("position startpos moves h2e2")
            transport.expect("go depth 2", lines)
            result = await engine.play(board, Limit(depth=2), info=wanted)
            if wanted:
                assert result.info["score"] == PovScore(Cp(-30), BLACK)
                assert "lowerbound" not in result.info
                assert result.info["pv"] == moves("h9g7")  # up to the first illegal move
                assert result.info["nodes"] == 5
                assert result.info["currmove"] == Move.from_iccs("b9c7")
                assert list(result.info["wdl"].relative) == [100, 200, 700]
            else:
                assert "score" not in result.info
                assert "pv" not in result.info

    talk_uci(script)


# Stopping


def test_one_stop_and_no_stray_answer() -> None:
    """Two stops send one ``stop``; a superfluous answer does not affect the next search."""

    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        expect_new_game(transport)
        transport.expect("position startpos")
        transport.expect("go infinite", ["info depth 1 score 3 pv h2e2"])
        transport.expect("stop", ["bestmove h2e2", "nobestmove"])
        with await engine.analysis(Board()) as analysis:
            assert (await analysis.get())["depth"] == 1
            analysis.stop()
            analysis.stop()
            assert (await analysis.wait()).move == Move.from_iccs("h2e2")
        transport.expect("isready", ["nobestmove", "readyok"])  # a superfluous answer, late
        transport.expect("position startpos")
        transport.expect("go depth 1", ["bestmove b2e2"])
        assert (await engine.play(Board(), Limit(depth=1))).move == Move.from_iccs("b2e2")
        transport.expect("position startpos")  # now the engine is ready
        transport.expect("go depth 1", ["bestmove b2e2", "nobestmove"])
        await engine.play(Board(), Limit(depth=1))
        transport.expect("isready", ["nobestmove", "readyok"])
        await engine.ping()

    talk(script)


def test_one_stop_before_another_command() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        expect_new_game(transport)
        transport.expect("position startpos")
        transport.expect("go infinite")
        transport.expect("stop")
        analysis = await engine.analysis(Board())
        analysis.stop()
        ping = asyncio.create_task(engine.ping())
        await asyncio.sleep(0)
        transport.expect("isready", ["readyok"])
        engine.pipe_data_received(1, b"bestmove h2e2\n")
        await ping

    talk(script)


def test_a_search_that_takes_too_long() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        expect_new_game(transport)
        transport.expect("position startpos")
        transport.expect("go depth 9")
        transport.expect("stop", ["bestmove h2e2"])
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(engine.play(Board(), Limit(depth=9)), 0.05)
        transport.expect("isready", ["readyok"])
        await engine.ping()

    talk(script)


def test_a_late_pong_is_not_taken_for_the_next() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        transport.expect("isready")
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(engine.ping(), 0.05)
        transport.expect("isready", ["readyok"])  # the answer to the first ping
        again = asyncio.create_task(engine.ping())
        await asyncio.sleep(0.05)
        assert not again.done()
        engine.pipe_data_received(1, b"readyok\n")
        await again

    talk(script)


def test_analysis_of_several_lines() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        transport.expect("setoption name MultiPV value 2")
        transport.expect("ucinewgame")
        expect_new_game(transport)
        transport.expect("position startpos")
        lines = [
            f"info depth 1 multipv {n} score cp {9 - n} pv {m}"
            for n, m in ((1, "h2e2"), (2, "b2e2"))
        ]
        transport.expect("go depth 1", [*lines, "bestmove h2e2"])
        infos = await engine.analyse(Board(), Limit(depth=1), multipv=2)
        assert isinstance(infos, list)
        assert [info["pv"] for info in infos] == [moves("h2e2"), moves("b2e2")]

    talk(script, "uci", ["option name MultiPV type spin default 1 min 1 max 5"], [])


def test_an_illegal_answer_to_an_analysis() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        expect_new_game(transport)
        transport.expect("position startpos")
        transport.expect("go depth 1", ["bestmove a0a9"])
        analysis = await engine.analysis(Board(), Limit(depth=1))
        with pytest.raises(IllegalBestMoveError):
            await analysis.wait()
        transport.expect("isready", ["readyok"])
        await engine.ping()

    talk(script)


# Pondering


def expect_pondering(transport: MockTransport) -> None:
    expect_new_game(transport)
    transport.expect("position startpos")
    transport.expect("go time 60000 increment 1000", ["bestmove h2e2 ponder h9g7"])
    transport.expect("position startpos moves h2e2 h9g7")


class AnyClock(str):
    """A line with any values of the clocks."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, str) and other.startswith(str(self)[:-1])

    __hash__ = str.__hash__


LIMIT = Limit(white_clock=60, white_inc=1)


def test_ponderhit() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        expect_pondering(transport)
        transport.expect(AnyClock("go ponder time 6*"), ["info depth 1 score 5 pv b2e2"])
        result = await engine.play(Board(), LIMIT, ponder=True, game=1)
        assert result.ponder == Move.from_iccs("h9g7")
        transport.expect("ponderhit draw", ["info depth 2 score 6", "bestmove b0c2 draw"])
        board = board_after("h2e2 h9g7")
        result = await engine.play(board, LIMIT, ponder=True, game=1, draw_offered=True)
        assert result.move == Move.from_iccs("b0c2")
        assert result.draw_offered

    talk(script)


def test_ponder_miss() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        expect_pondering(transport)
        transport.expect(AnyClock("go ponder time 6*"))
        await engine.play(Board(), LIMIT, ponder=True, game=1)
        transport.expect("stop", ["bestmove b0c2"])
        transport.expect("isready", ["readyok"])
        transport.expect("position startpos moves h2e2 b9c7")
        transport.expect("go time 60000 increment 1000", ["bestmove h0g2"])
        result = await engine.play(board_after("h2e2 b9c7"), LIMIT, ponder=True, game=1)
        assert result.move == Move.from_iccs("h0g2")

    talk(script)
