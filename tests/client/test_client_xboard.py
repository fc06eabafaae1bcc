"""The client without a process: engines that speak XBoard."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
from chess.engine import (
    Cp,
    EngineError,
    Limit,
    Mate,
    MockTransport,
    PovScore,
)

from tests.support.client_talk import CLOCKS, board_after
from xiangqi import BLACK, Board, Move
from xiangqi.client import XiangqiProtocol
from xiangqi.client.xboard import XBoard, read_feature_option

FEATURES = [
    "HoiXiangqi by somebody",
    'feature myname="HoiXiangqi 1" ping=1 setboard=1 usermove=1 option="hash -spin 5 1 9"',
    'feature option="Go on -button" option="book -check 1" done=1',
]


def talk_xboard(
    script: Callable[[XiangqiProtocol, MockTransport], Awaitable[None]], name: str = "HoiXiangqi"
) -> None:
    async def main() -> None:
        engine = XiangqiProtocol(["xboard"])
        transport = MockTransport(engine)
        transport.expect("xboard")
        transport.expect("protover 2", [line.replace("HoiXiangqi", name) for line in FEATURES])
        transport.expect("post")
        transport.expect("easy")
        await engine.initialize()
        for line in ("new", "variant xiangqi", "force"):
            transport.expect(line)
        transport.expect("ping 1", ["pong 1"])
        await script(engine, transport)
        transport.assert_done()

    asyncio.run(asyncio.wait_for(main(), 10))


def expect_lines(transport: MockTransport, lines: str, answer: Sequence[str]) -> None:
    *first, last = lines.split(", ")
    for line in first:
        transport.expect(line)
    transport.expect(last, list(answer))


def test_a_game_in_xboard() -> None:
    """The engine gets only the opponent's moves, which are new to it."""

    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        assert engine.id["name"] == "HoiXiangqi 1"
        assert (engine.options["HASH"].max, engine.options["book"].default) == (9, True)
        board = board_after("h2e2")
        clocks = "level 0 0:51 0, time 5050, otim 6000"
        thinking = ["3 -15 2 200 1. ... Hh9-g7", "4 20 100 9000 (+) 1. ... Hh9-g7"]
        answer = [*thinking, "Hint: 5 words", "move h9g7"]
        expect_lines(transport, f"force, usermove h2e2, {clocks}, go", answer)
        result = await engine.play(board, CLOCKS)
        assert result.move == Move.from_iccs("h9g7")
        assert result.info["score"] == PovScore(Cp(20), BLACK)
        assert (result.info["depth"], result.info["time"]) == (4, 1.0)
        board = board_after("h2e2 h9g7 h0g2")
        expect_lines(transport, "force, usermove h0g2, time 5050, otim 6000, draw, go", ["resign"])
        assert (await engine.play(board, CLOCKS, draw_offered=True)).resigned
        expect_lines(transport, "force, usermove b9c7, st 2, go", ["0-1 {resigns}"])
        board.push_iccs("b9c7")
        assert (await engine.play(board, Limit(time=2))).move is None
        expect_lines(transport, "force, level 40 0:20 0, time 2000, go", ["move b0c2"])
        await engine.play(board, Limit(time=0.5))
        expect_lines(transport, "force, new, variant xiangqi, force, sd 3, go", ["move h2e2"])
        await engine.play(Board(), Limit(depth=3))
        expect_lines(transport, "force, usermove h9g7, sd 99, st 2, go", ["move h0g2"])
        await engine.play(board_after("h2e2 h9g7"), Limit(time=2))
        expect_lines(transport, "force, new, variant xiangqi, force, sd 3, go", ["Illegal move: x"])
        with pytest.raises(EngineError, match="refuses a command: Illegal move: x"):
            await engine.play(Board(), Limit(depth=3))

    talk_xboard(script)


@pytest.mark.parametrize(
    ("name", "fen"),
    [
        ("HoiXiangqi", "3hk4/9/9/9/9/9/9/9/9/E2K5 w 3 7"),
        ("Other", "3hk4/9/9/9/9/9/9/9/9/E2K5 w - - 3 7"),
    ],
)
def test_positions_in_xboard(name: str, fen: str) -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        expect_lines(transport, f"force, setboard {fen}, sd 1, go", ["move d0d1"])
        board = Board("3nk4/9/9/9/9/9/9/9/9/2BK5 w - - 3 7")
        assert (await engine.play(board, Limit(depth=1))).move == Move.from_iccs("d0d1")
        mated = Board("3k5/4R4/9/9/9/9/9/9/9/3RK4 b")
        assert (await engine.play(mated, Limit(depth=1))).move is None  # it would not answer

    fen = fen.replace("E2K5", "2EK5")
    talk_xboard(script, name)


def test_moves_are_sent_in_the_engines_format() -> None:
    """Without the feature ``usermove`` they have no prefix."""

    async def main() -> None:
        engine = XiangqiProtocol(["xboard"])
        transport = MockTransport(engine)
        transport.expect("xboard")
        transport.expect("protover 2", ["feature ping=1 usermove=0", "feature done=1"])
        expect_lines(transport, "post, easy", [])
        await engine.initialize()
        expect_lines(transport, "new, variant xiangqi, force", [])
        transport.expect("ping 1", ["pong 1"])
        expect_lines(transport, "force, h2e2, sd 1, go", ["move h9g7"])
        result = await engine.play(board_after("h2e2"), Limit(depth=1))
        assert result.move == Move.from_iccs("h9g7")
        transport.assert_done()

    asyncio.run(asyncio.wait_for(main(), 10))


def test_an_engine_without_the_variant() -> None:
    async def main() -> None:
        engine = XiangqiProtocol(["xboard"])
        transport = MockTransport(engine)
        transport.expect("xboard")
        transport.expect("protover 2", ['feature variants="normal,shogi" done=1'])
        await engine.initialize()

    with pytest.raises(EngineError, match="does not play xiangqi: its variants are normal, shogi"):
        asyncio.run(asyncio.wait_for(main(), 10))


@pytest.mark.parametrize(
    ("text", "option"),
    [
        ("hash -spin 5 1 9", ("spin", 5)),
        ("Own Book -check 1", ("check", True)),
        ("Style -combo solid /// *wild", ("combo", "wild")),
        ("EvalFile -file a b.nnue", ("file", "a b.nnue")),
        ("Clear Hash -button", ("button", None)),
        ("hash -spin 5 1", None),
        ("hash -spin many 1 9", None),
        ("book -check maybe", None),
        ("nonsense", None),
        ("knob -dial 5", None),
    ],
)
def test_options_of_features(text: str, option: tuple[str, object] | None) -> None:
    found = read_feature_option(text)
    assert (found and (found.type, found.default)) == option


def test_info_and_mates_of_xboard() -> None:
    speech = XBoard()
    assert speech.read_info("3 100002 1 5 b2b9")["score"] == Mate(2)
    assert speech.read_info("3 -100001 1 5 e9e8")["score"] == Mate(-1)
    assert speech.read_info("4 99997 0 9 1. Rb2-b9")["score"] == Mate(2)  # HoiXiangqi, in plies
    assert speech.read_info("4 -99996 0 9 1. ... Ke9-e8")["score"] == Mate(-2)
    assert speech.read_info("4 250 0 9 h2e2")["score"] == Cp(250)
    assert speech.read_info("4 -99996 0 9 1. ... Ke9-e8")["pv"] == ["e9e8"]
    assert speech.read_info("4 9 0 9 (+) 1. Ce2xe6+ Ke9-f9 2. 1-0")["pv"] == ["e2e6", "e9f9"]
    assert "pv" not in speech.read_info("4 9 0 9 nothing h2e2")
