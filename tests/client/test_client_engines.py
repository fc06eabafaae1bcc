"""The client with real processes: engines that play, and engines that misbehave."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from chess.engine import EngineError, EngineTerminatedError, Limit, Mate, PovScore

from tests.support.patience import PATIENCE_S
from tests.support.systems import KILL, KILLED, on_linux
from xiangqi import RED, Board, Move
from xiangqi.client import (
    IllegalBestMoveError,
    SimpleEngine,
    XiangqiProtocol,
    open_engine,
    process,
    split_command,
)

ROOT = Path(__file__).parents[2]
MOCK = [sys.executable, str(ROOT / "tests/engines/mock_engine.py")]
MEIHUA = [sys.executable, "-m", "xiangqi", "engine"]
FAIRY = Path("/usr/games/fairy-stockfish")
HOIXIANGQI = Path("/usr/games/hoixiangqi")
FAST = Limit(depth=1)
MATED = "3k5/4R4/9/9/9/9/9/9/9/3RK4 b"

needs_fairy = pytest.mark.skipif(not FAIRY.exists(), reason="fairy-stockfish is not installed")
needs_hoixiangqi = pytest.mark.skipif(not HOIXIANGQI.exists(), reason="hoixiangqi is not installed")


@asynccontextmanager
async def opened(command: list[str], **arguments: Any) -> AsyncIterator[XiangqiProtocol]:
    engine = await open_engine(command, **arguments)
    try:
        yield engine
    finally:
        engine.kill()
        await engine.returncode


def use(
    script: Callable[[XiangqiProtocol], Awaitable[None]], command: list[str], **arguments: Any
) -> None:
    async def main() -> None:
        async with opened(command, **arguments) as engine:
            await script(engine)

    asyncio.run(asyncio.wait_for(main(), 60))


def mock(*words: str) -> list[str]:
    return [*MOCK, *words]


def is_alive(pid: int) -> bool:
    """Is there such a process, other than as a zombie?"""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def wait_until_gone(pid: int) -> None:
    end = time.perf_counter() + PATIENCE_S
    while is_alive(pid):
        assert time.perf_counter() < end, f"process {pid} is still there"
        time.sleep(0.02)


# Engines that play


async def play_some(engine: XiangqiProtocol, limit: Limit, plies: int = 8) -> Board:
    board = Board()
    for _ in range(plies):
        result = await engine.play(board, limit, game=1)
        assert result.move is not None
        board.push(result.move)
    return board


@pytest.mark.parametrize(
    ("words", "dialect"),
    [
        (["--dialect", "ucci"], "ucci"),
        (["--dialect", "uci"], "uci"),
        (["--dialect", "uci", "--ranks", "1", "--variant-option"], "uci"),
        (["--dialect", "uci", "--ranks", "1"], "uci"),
        (["--dialect", "both"], "ucci"),
        (["--dialect", "uci", "--behaviour", "fragile"], "uci"),
    ],
)
def test_any_dialect(words: list[str], dialect: str) -> None:
    async def script(engine: XiangqiProtocol) -> None:
        assert engine.dialect == dialect
        await play_some(engine, FAST)
        await engine.configure({"style of play": "risky", "Clear Hash": None})
        await engine.ping()
        await engine.quit()
        assert engine.returncode.result() == 0

    use(script, mock(*words))


@pytest.mark.parametrize("dialect", ["ucci", "uci"])
def test_meihua(dialect: str) -> None:
    async def script(engine: XiangqiProtocol) -> None:
        assert engine.id["name"].startswith("Meihua")
        limit = Limit(white_clock=2, black_clock=2, white_inc=0.02, black_inc=0.02)
        await play_some(engine, limit)
        info = await engine.analyse(Board(), Limit(depth=4))
        assert isinstance(info, dict)
        assert info["depth"] == 4
        assert info["pv"]
        assert (await engine.play(Board(MATED), FAST)).move is None
        first = min(Board().legal_moves)
        others = [move for move in Board().legal_moves if move != first]
        assert (await engine.play(Board(), FAST, banned=others)).move == first
        await engine.quit()

    use(script, MEIHUA, dialect=dialect)


@needs_fairy
@pytest.mark.parametrize("dialect", ["ucci", "uci"])
def test_fairy_stockfish(dialect: str) -> None:
    async def script(engine: XiangqiProtocol) -> None:
        board = await play_some(engine, Limit(time=0.03))
        result = await engine.play(board, Limit(depth=6))
        assert result.info["depth"] == 6
        first = min(board.legal_moves)
        others = [move for move in board.legal_moves if move != first]
        assert (await engine.play(board, FAST, banned=others)).move == first
        assert (await engine.play(Board(MATED), FAST)).move is None
        with await engine.analysis(board, multipv=2) as analysis:
            async for info in analysis:
                if info.get("multipv") == 2 and info.get("pv"):
                    break
        assert (await analysis.wait()).move is not None
        await engine.ping()
        await engine.quit()

    use(script, [str(FAIRY)], dialect=dialect)


@needs_fairy
def test_fairy_stockfish_in_xboard() -> None:
    """It plays many variants, so that the client has to set one."""

    async def script(engine: XiangqiProtocol) -> None:
        board = await play_some(engine, Limit(time=0.03))
        assert (await engine.play(board, Limit(depth=3))).info["depth"] == 3
        mate = Board("4k4/R8/9/9/9/9/9/1R7/9/3K5 w")
        result = await engine.play(mate, Limit(depth=3), game=2)
        assert result.info["score"] == PovScore(Mate(1), RED)
        await engine.quit()

    use(script, [str(FAIRY)], dialect="xboard")


@needs_hoixiangqi
def test_hoixiangqi() -> None:
    async def script(engine: XiangqiProtocol) -> None:
        assert engine.id["name"].startswith("HoiXiangqi")
        assert not engine.can_ban
        clocks = Limit(white_clock=4, black_clock=4, white_inc=0.1, black_inc=0.1)
        await play_some(engine, clocks)
        await play_some(engine, Limit(time=0.05), 4)
        result = await engine.play(Board(), Limit(depth=3), game=2)
        assert result.move is not None
        assert "score" in result.info
        assert (await engine.play(Board(MATED), FAST)).move is None
        board = Board("2eaka3/4h4/9/9/9/9/9/9/4R4/4K4 w")
        board.push_iccs("e1e2")
        result = await engine.play(board, Limit(depth=2), game=3)
        assert result.move is not None
        with pytest.raises(EngineError, match="cannot forbid moves"):
            await engine.play(board, FAST, banned=[result.move])
        with pytest.raises(EngineError, match="cannot express Limit"):
            await engine.play(board, Limit(nodes=5))
        await engine.quit()

    use(script, [str(HOIXIANGQI)], dialect="xboard")


@needs_hoixiangqi
def test_xboard_is_detected() -> None:
    async def script(engine: XiangqiProtocol) -> None:
        assert engine.dialect == "xboard"

    use(script, [str(HOIXIANGQI)])


# Engines that do not start


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("no-such-engine-anywhere", "'no-such-engine-anywhere': not found"),
        (["./README.md"], "'./README.md': not found"),
        ("", "expected a program"),
        ("'", "cannot read the command"),
        ([sys.executable, "-c", "raise SystemExit(7)"], "exit code: 7"),
        (mock("--behaviour", "silent"), "no answer to ucci or uci within 0.8 seconds"),
    ],
)
def test_no_engine(command: str | list[str], why: str) -> None:
    with pytest.raises(EngineError, match=why):
        asyncio.run(asyncio.wait_for(open_engine(command, timeout=0.8), 20))


def test_unknown_dialect_and_folder() -> None:
    with pytest.raises(EngineError, match="'klingon': expected one of ucci, uci, xboard"):
        asyncio.run(open_engine(MOCK, dialect="klingon"))
    with pytest.raises(EngineError, match="no such folder: 'nowhere'"):
        asyncio.run(open_engine(MOCK, cwd="nowhere"))


def test_commands(tmp_path: Path) -> None:
    assert split_command(f"'{sys.executable}' -m x 'a b'") == [sys.executable, "-m", "x", "a b"]
    program = tmp_path / "my engine"
    program.write_text(f"#!/bin/sh\nexec '{sys.executable}' '{MOCK[1]}'\n")
    program.chmod(0o755)
    assert split_command(str(program)) == [str(program)]

    async def script(engine: XiangqiProtocol) -> None:
        await play_some(engine, FAST, 2)

    use(script, ["./my engine"], cwd=str(tmp_path))


def test_commands_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backslashes separate folders, and quotation marks enclose names with blanks."""
    monkeypatch.setattr(process, "_ON_WINDOWS", True)
    command = r"""C:\engines\xq.exe "D:\my books\new.obk" 'two words'"""
    words = [r"C:\engines\xq.exe", r"D:\my books\new.obk", "two words"]
    assert split_command(command) == words


def test_a_process_of_windows_ends_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows killing a process that has ended raises a plain OSError."""
    ended = []

    def end(pid: int, number: int) -> None:
        ended.append(pid)
        raise OSError(22, "The parameter is incorrect")

    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(os, "kill", end)
    process.kill_group(4)
    assert ended == [4]


def test_a_frozen_executable_starts_engines_itself(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has no Python to run the launcher."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    words, _ = process.launch_options(MOCK)
    assert words == [str(Path(MOCK[0]).absolute()), *MOCK[1:]]


# Engines that misbehave


def test_a_crash() -> None:
    async def script(engine: XiangqiProtocol) -> None:
        board = await play_some(engine, FAST, 3)
        with pytest.raises(EngineTerminatedError, match="exit code: 3"):
            await engine.play(board, FAST, game=1)
        assert engine.returncode.done()
        with pytest.raises(EngineTerminatedError):
            await engine.ping()

    use(script, mock("--behaviour", "crash", "--after", "3"))


def test_a_crash_in_an_analysis() -> None:
    async def script(engine: XiangqiProtocol) -> None:
        analysis = await engine.analysis(Board(), FAST)
        with pytest.raises(EngineTerminatedError):
            await analysis.wait()

    use(script, mock("--behaviour", "crash"))


def test_a_closed_pipe() -> None:
    async def script(engine: XiangqiProtocol) -> None:
        with pytest.raises(EngineTerminatedError, match="closed its output"):
            await engine.play(Board(), FAST)
        assert not engine.returncode.done()
        assert await asyncio.wait_for(engine.returncode, 10) == KILLED

    use(script, mock("--behaviour", "close"))


@pytest.mark.parametrize("behaviour", ["stall", "hang", "endless", "hang,survive,stays"])
def test_no_answer_ever(behaviour: str) -> None:
    async def script(engine: XiangqiProtocol) -> None:
        with pytest.raises(asyncio.TimeoutError):
            await asyncio.wait_for(engine.play(Board(), FAST), 0.3)
        engine.kill()
        assert await asyncio.wait_for(engine.returncode, 10) == KILLED

    use(script, mock("--behaviour", behaviour))


def test_an_engine_that_does_not_exit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xiangqi.client.protocol.QUIT_PATIENCE_S", 0.2)

    async def script(engine: XiangqiProtocol) -> None:
        await engine.quit()
        assert engine.returncode.result() == KILLED

    use(script, mock("--behaviour", "stays"))


def test_an_illegal_move() -> None:
    async def script(engine: XiangqiProtocol) -> None:
        with pytest.raises(IllegalBestMoveError) as caught:
            await engine.play(Board(), FAST)
        assert caught.value.text == "e0e5"
        await engine.ping()

    use(script, mock("--behaviour", "illegal", "--text", "e0e5"))


def test_a_flood() -> None:
    async def script(engine: XiangqiProtocol) -> None:
        result = await engine.play(Board(), FAST)
        assert result.move is not None
        assert result.info["pv"] == [Move.from_iccs("h2e2")]

    use(script, mock("--behaviour", "flood", "--megabytes", "5"))


def test_chinese_text() -> None:
    lines: list[str] = []

    async def script(engine: XiangqiProtocol) -> None:
        assert engine.id["name"] == "象棋引擎"
        result = await engine.play(Board(), FAST)
        assert result.info["string"] == "炮二平五"

    def listen(direction: str, text: str) -> None:
        lines.append(f"{direction} {text}")

    use(script, mock("--behaviour", "gb18030"), on_line=listen)
    assert lines[:2] == ["> ucci", "< id name 象棋引擎"]
    assert "< info message 炮二平五" in lines


def test_stray_answers() -> None:
    async def script(engine: XiangqiProtocol) -> None:
        for _ in range(3):
            with await engine.analysis(Board()) as analysis:
                analysis.stop()
            for _ in range(2):
                assert (await engine.play(Board(), FAST)).move is not None

    use(script, mock("--behaviour", "stray", "--seconds", "0.05"))


def test_draws_and_resignations() -> None:
    async def script(engine: XiangqiProtocol) -> None:
        result = await engine.play(Board(), FAST, draw_offered=True)
        assert (result.draw_offered, result.resigned) == (True, False)

    async def resigning(engine: XiangqiProtocol) -> None:
        assert (await engine.play(Board(), FAST)).resigned

    use(script, mock("--behaviour", "draw"))
    use(resigning, mock("--behaviour", "resign"))


@pytest.mark.parametrize("dialect", ["ucci", "uci"])
def test_no_move(dialect: str) -> None:
    async def script(engine: XiangqiProtocol) -> None:
        assert (await engine.play(Board(), FAST)).move is None

    use(script, mock("--behaviour", "nomove", "--dialect", dialect))


def test_seconds_are_the_time_of_the_engine() -> None:
    async def script(engine: XiangqiProtocol) -> None:
        result = await engine.play(Board(), FAST)
        assert result.seconds >= 0.2

    use(script, mock("--think", "0.2"))


def test_the_clock_starts_before_the_engine_has_the_command() -> None:
    """Time between sending the command and going on is the engine's as well."""

    async def script(engine: XiangqiProtocol) -> None:
        assert (await engine.play(Board(), FAST)).seconds >= 0.2

    def listen(direction: str, text: str) -> None:
        if text.startswith("go "):
            time.sleep(0.2)

    use(script, MOCK, on_line=listen)


def test_pondering() -> None:
    async def script(engine: XiangqiProtocol) -> None:
        board = Board()
        limit = Limit(white_clock=9, black_clock=9)
        for hits in (True, True, False, True):
            result = await engine.play(board, limit, ponder=True, game=1)
            assert result.move is not None
            board.push(result.move)
            assert result.ponder is not None
            reply = result.ponder if hits else max(board.legal_moves)
            board.push(reply)
        await engine.ping()

    heard: list[str] = []
    use(script, MOCK, on_line=lambda direction, text: heard.append(text))
    assert heard.count("ponderhit") == 2
    assert heard.count("stop") == 2


# The end


@on_linux
def test_child_processes_of_an_engine_end_with_it(tmp_path: Path) -> None:
    program = tmp_path / "wrapper"
    program.write_text(
        f"#!/bin/sh\nsleep 1000 &\necho $! > pid\nexec '{sys.executable}' '{MOCK[1]}'\n"
    )
    program.chmod(0o755)

    async def script(engine: XiangqiProtocol) -> None:
        await engine.quit()

    use(script, [str(program)], cwd=str(tmp_path))
    wait_until_gone(int((tmp_path / "pid").read_text()))


OWNER = """
import asyncio, sys, time
from xiangqi.client import SimpleEngine, open_engine
async def main():
    engine = await open_engine(sys.argv[1:])
    print(engine.transport.get_pid(), flush=True)
    await asyncio.sleep(1000)
asyncio.run(main())
"""


@on_linux
def test_engines_die_with_their_owner() -> None:
    command = [sys.executable, "-c", OWNER, *mock("--behaviour", "survive,stays")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as owner:
        assert owner.stdout is not None
        pid = int(owner.stdout.readline())
        assert is_alive(pid)
        os.kill(owner.pid, KILL)
    wait_until_gone(pid)


# Without an event loop


def test_simple_engine() -> None:
    with SimpleEngine.popen(MEIHUA) as engine:
        assert engine.dialect == "ucci"
        assert engine.id["name"].startswith("Meihua")
        engine.configure({"hashsize": 4})
        engine.ping()
        result = engine.play(Board(), Limit(depth=3))
        assert result.move in Board().legal_moves
        info = engine.analyse(Board(), Limit(depth=3))
        assert isinstance(info, dict)
        assert info["score"]
        with engine.analysis(Board()) as analysis:
            for entry in analysis:
                if entry.get("depth", 0) >= 3:
                    break
        assert analysis.wait().move is not None
        engine.quit()
        for ask in (
            engine.ping,
            lambda: engine.play(Board(), Limit(depth=1)),
            lambda: engine.analyse(Board(), Limit(depth=1)),
            lambda: engine.analysis(Board()),
        ):
            with pytest.raises(EngineTerminatedError):
                ask()
        gc.collect()  # a coroutine that was never awaited would warn here


XBOARD_ENGINE = """
for line in iter(input, "quit"):
    if line == "protover 2":
        print('feature myname="Small" ping=1 done=1', flush=True)
    elif line.startswith("ping"):
        print("pong", line.split()[1], flush=True)
    elif line == "go":
        print("move h2e2", flush=True)
"""


@pytest.mark.parametrize(
    ("popen", "dialect", "command"),
    [
        (SimpleEngine.popen_uci, "uci", MEIHUA),
        (SimpleEngine.popen_ucci, "ucci", MEIHUA),
        (SimpleEngine.popen_xboard, "xboard", [sys.executable, "-c", XBOARD_ENGINE]),
    ],
)
def test_engines_are_opened_by_the_names_of_python_chess(
    popen: Callable[..., SimpleEngine], dialect: str, command: list[str]
) -> None:
    with popen(command, timeout=20) as engine:
        assert engine.dialect == dialect
        assert engine.play(Board(), Limit(depth=1)).move in Board().legal_moves


def test_timeout_names_engine_and_command() -> None:
    with SimpleEngine.popen(mock("--behaviour", "not-ready,no-name"), timeout=5) as engine:
        engine.timeout = 0.2
        with pytest.raises(asyncio.TimeoutError) as raised:
            engine.ping()
    assert "mock_engine.py" in str(raised.value)
    assert "has not answered 'isready' for 0.2 seconds" in str(raised.value)
    assert "秒内没有回应" in raised.value.args[0].say("zh")


@pytest.mark.parametrize("behaviour", ["no-name", "hang"])
def test_dropped_engine_is_ended_and_reported(behaviour: str) -> None:
    engines = [SimpleEngine.popen(mock("--behaviour", behaviour), timeout=5)]
    pid, returncode = engines[0].transport.get_pid(), engines[0].returncode
    engines[0].analysis(Board())
    with pytest.warns(ResourceWarning, match="^engine '?.*(Mock|mock_engine).* was not closed"):
        engines.clear()
    if sys.platform == "linux":
        assert pid is not None
        wait_until_gone(pid)
    assert returncode.result(10) == KILLED


def test_closed_engine_is_not_reported(recwarn: pytest.WarningsRecorder) -> None:
    engine = SimpleEngine.popen(mock(), timeout=5)
    engine.close()
    engine.returncode.result(10)
    ended = SimpleEngine.popen(mock(), timeout=5)
    ended.quit()
    ended.returncode.result(10)
    del engine, ended
    gc.collect()
    assert not recwarn.list


def test_simple_engine_times_out_and_closes() -> None:
    with SimpleEngine.popen(mock("--behaviour", "stall"), timeout=5) as engine:
        engine.timeout = 0.2
        with pytest.raises(
            asyncio.TimeoutError,
            match=r"engine 'Mock.*' has not answered 'go .*' for 0.21 seconds",
        ):
            engine.play(Board(), Limit(time=0.01))
        pid = engine.transport.get_pid()
    assert engine.returncode.result(10) == KILLED
    assert pid is not None
    if sys.platform == "linux":
        wait_until_gone(pid)


def test_simple_engine_that_cannot_start() -> None:
    with pytest.raises(EngineError, match="not found"):
        SimpleEngine.popen("no-such-engine-anywhere")


def test_a_program_that_forgets_to_close_its_engine_ends() -> None:
    program = (
        "import sys; from xiangqi.client import SimpleEngine; SimpleEngine.popen(sys.argv[1:])"
    )
    command = [sys.executable, "-c", program, *mock("--behaviour", "survive,stays")]
    done = subprocess.run(command, timeout=PATIENCE_S, capture_output=True, check=False)
    assert done.returncode == 0
