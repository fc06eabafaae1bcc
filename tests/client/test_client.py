"""The client without a process: handshake, options, and lines."""

from __future__ import annotations

import asyncio
from functools import partial
from itertools import count

import pytest
from chess.engine import (
    Cp,
    EngineError,
    Limit,
    MockTransport,
    Option,
    PovScore,
)

from tests.support.client_talk import ONE_S, board_after, expect_new_game, moves, talk, talk_uci
from xiangqi import RED, Board, Move
from xiangqi.client import XiangqiProtocol
from xiangqi.client.info import parse_value, read_option
from xiangqi.ground.lines import MAX_LINE_LENGTH

# The handshake


def test_ucci_handshake_and_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    """The move takes one tick of the clock, which is read at its request and its answer."""
    monkeypatch.setattr("xiangqi.client.commands.time.perf_counter", partial(next, count()))

    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        assert (engine.dialect, engine.id["name"]) == ("ucci", "Mock")
        transport.expect("setoption newgame")
        expect_new_game(transport)
        transport.expect("position startpos")
        transport.expect(
            "go time 1000 movestogo 1",
            ["info depth 1 score 7 pv h2e2 h9g7", "bestmove h2e2 ponder h9g7"],
        )
        result = await engine.play(Board(), ONE_S)
        assert (result.move, result.ponder) == tuple(moves("h2e2 h9g7"))
        assert result.info["score"] == PovScore(Cp(7), RED)
        assert result.info["pv"] == moves("h2e2 h9g7")
        assert result.seconds == 1
        assert not result.draw_offered
        assert not result.resigned

    talk(
        script,
        options=["option newgame type button", "option usemillisec type check default false"],
    )


@pytest.mark.parametrize("complaint", [["Unknown command: 'ucci'. Type help."], []])
def test_uci_is_tried_after_ucci(complaint: list[str]) -> None:
    """At once after a rejection, otherwise after some time; a late answer is noticed."""

    async def main() -> None:
        engine = XiangqiProtocol(probe_seconds=30 if complaint else 0.05)
        transport = MockTransport(engine)
        transport.expect("ucci", complaint)
        transport.expect("uci", ["id name Fish", "uciok"])
        transport.expect("isready", ["readyok"])
        await engine.initialize()
        transport.assert_done()
        assert engine.dialect == "uci"
        assert engine.id == {"name": "Fish"}

    asyncio.run(asyncio.wait_for(main(), 10))


def test_an_engine_that_knows_neither() -> None:
    async def main() -> None:
        engine = XiangqiProtocol(probe_seconds=30)
        transport = MockTransport(engine)
        complaint = ["Illegal move: ucci", "Error (unknown command): ucci"]
        transport.expect("ucci", [*complaint, "Error (unknown command): ucci"])
        transport.expect("uci", ["Error (unknown command): uci"])
        with pytest.raises(EngineError, match="does not know ucci or uci"):
            await engine.initialize()

    asyncio.run(asyncio.wait_for(main(), 10))


@pytest.mark.parametrize(
    ("late", "dialect", "option"),
    [
        (["option hashsize type spin", "ucciok"], "ucci", "hashsize"),
        (
            ["option hashsize type spin", "ucciok", "option name Hash type spin", "uciok"],
            "uci",
            "Hash",
        ),
    ],
)
def test_slow_engine_that_answers_both_handshakes(
    late: list[str], dialect: str, option: str
) -> None:
    """Dialect and options are those of its last greeting."""

    async def main() -> None:
        engine = XiangqiProtocol(probe_seconds=0.05)
        transport = MockTransport(engine)
        transport.expect("ucci")
        transport.expect("uci", late)
        transport.expect("isready", ["readyok"])
        await engine.initialize()
        transport.assert_done()
        assert engine.dialect == dialect
        assert list(engine.options) == [option]

    asyncio.run(asyncio.wait_for(main(), 10))


def test_variants() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        transport.expect("ucinewgame")
        expect_new_game(transport)
        transport.expect("position startpos moves h3e3 h10g8")
        transport.expect("go movetime 1000", ["info depth 1 pv b1c3 a10a9", "bestmove b1c3"])
        result = await engine.play(board_after("h2e2 h9g7"), ONE_S)
        assert result.move == Move.from_iccs("b0c2")
        assert result.info["pv"] == moves("b0c2 a9a8")

    variants = "option name UCI_Variant type combo default chess var chess var xiangqi"
    talk(script, "uci", [variants], ["setoption name UCI_Variant value xiangqi"])


def test_an_engine_that_plays_no_xiangqi() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None: ...

    with pytest.raises(EngineError, match="one of chess, shogi"):
        talk(
            script, "uci", ["option name UCI_Variant type combo default chess var chess var shogi"]
        )


def test_the_engines_count_of_ranks_is_used() -> None:
    """It has no variants, but counts from 1, as its first move shows."""

    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        transport.expect("ucinewgame")
        expect_new_game(transport)
        transport.expect("position startpos")
        transport.expect("go depth 1", ["bestmove h3e3"])
        assert (await engine.play(Board(), Limit(depth=1))).move == Move.from_iccs("h2e2")
        transport.expect("position startpos moves h3e3 h10g8")
        transport.expect("go depth 1", ["bestmove b3b4"])
        result = await engine.play(board_after("h2e2 h9g7"), Limit(depth=1))
        assert result.move == Move.from_iccs("b2b3")

    talk_uci(script)


# Options


def test_options() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        assert engine.options["clear hash"].type == "button"
        assert engine.options["STYLE OF PLAY"].var == ["solid", "very risky"]
        assert engine.options["style of play"].default == "solid"
        transport.expect("setoption Clear Hash")
        transport.expect("setoption Style of Play very risky")
        await engine.configure({"clear hash": None, "style of play": "very risky"})
        await engine.configure({"Style of Play": "very risky"})  # its present value
        with pytest.raises(EngineError, match="no such option: 'Hush'; the engine has: Clear Hash"):
            await engine.configure({"Hush": 3})
        with pytest.raises(EngineError, match="usemillisec: it is set automatically"):
            await engine.configure({"usemillisec": False})
        with pytest.raises(EngineError, match="solid, very risky"):
            await engine.configure({"Style of Play": "mad"})

    talk(
        script,
        options=[
            "option Clear Hash type button",
            "option Style of Play type combo var solid var very risky default solid",
            "option usemillisec type check default false",
        ],
    )


def test_options_of_one_search_are_reset() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        transport.expect("setoption name Hash value 64")
        await engine.configure({"hash": 64})
        for sent in (["setoption name Hash value 8"], ["setoption name Hash value 64"]):
            for line in sent:
                transport.expect(line)
            if sent[0].endswith("8"):
                transport.expect("ucinewgame")
                expect_new_game(transport)
            transport.expect("position startpos")
            transport.expect("go nodes 5", ["bestmove h2e2"])
            await engine.play(
                Board(), Limit(nodes=5), options={"Hash": 8} if sent[0].endswith("8") else {}
            )

    talk(script, "uci", ["option name Hash type spin default 16 min 1 max 64"], [])


def test_values() -> None:
    option = Option("Ponder", "check", False, None, None, None)
    assert parse_value(option, "On") is True
    with pytest.raises(EngineError, match="'perhaps': expected true or false"):
        parse_value(option, "perhaps")


@pytest.mark.parametrize("text", ["", "type", "name", "hashsize", "hashsize type slider"])
def test_no_options(text: str) -> None:
    assert read_option(text.split()) is None


def test_odd_options() -> None:
    option = read_option("name type type spin default much min few max 9".split())
    assert option is not None
    assert (option.name, option.default, option.min, option.max) == ("type", None, None, 9)


# Lines


def test_gb18030_text_in_pieces() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        heard: list[tuple[str, str]] = []
        engine.on_line = lambda direction, text: heard.append((direction, text))
        data = "info message 炮二平五\r\nreadyok\n".encode("gb18030")
        transport.expect("isready")
        ping = asyncio.create_task(engine.ping())
        await asyncio.sleep(0)
        for byte in data:
            engine.pipe_data_received(1, bytes([byte]))
        await ping
        assert heard == [(">", "isready"), ("<", "info message 炮二平五"), ("<", "readyok")]

    talk(script)


def test_a_line_without_an_end_is_dropped() -> None:
    async def script(engine: XiangqiProtocol, transport: MockTransport) -> None:
        for _ in range(40):
            engine.pipe_data_received(1, b"x" * (MAX_LINE_LENGTH // 10))
        assert len(engine._rest[1]) < MAX_LINE_LENGTH
        transport.expect("isready", ["", "readyok"])
        await engine.ping()

    talk(script)
