"""The tools for agents, by the client of the protocol's SDK."""

from __future__ import annotations

import asyncio
import builtins
import json
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import McpError
from mcp.shared.memory import create_connected_server_and_client_session
from mcp.types import (
    CallToolResult,
    CancelledNotification,
    CancelledNotificationParams,
    ClientNotification,
    EmbeddedResource,
    TextContent,
    TextResourceContents,
)

from tests.support.patience import PATIENCE_S
from tests.support.systems import hear_interrupts, with_signals
from xiangqi import Board, format_ruling
from xiangqi.cli.main import main
from xiangqi.contract.errors import ErrorData
from xiangqi.contract.schema import describe_types
from xiangqi.ground.installed import __version__
from xiangqi.ground.texts import LANGUAGES, Language, text_of
from xiangqi.referee.rules import RULE_SETS
from xiangqi.web.agents import make_server

pytestmark = pytest.mark.long

Found = TypeVar("Found")

CYCLE: dict[str, Any] = {
    "fen": "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w",
    "moves": "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8",
}
MATE_IN_ONE = "3k5/9/9/8p/9/9/9/9/9/R3K4 w"
MATED = "3k5/9/9/9/9/9/9/9/4R4/3RK4 b"


def talk(work: Callable[[ClientSession], Awaitable[Found]], tables: Path | None = None) -> Found:
    """Speak with a server in this process."""

    async def run() -> Found:
        server = make_server(tables)
        async with create_connected_server_and_client_session(server._mcp_server) as session:
            return await work(session)

    return asyncio.run(run())


def call(name: str, tables: Path | None = None, **arguments: Any) -> CallToolResult:
    return talk(lambda session: session.call_tool(name, arguments), tables)


def words(result: CallToolResult) -> str:
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


def answer(name: str, tables: Path | None = None, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """The words and the data of an answer, which the client has checked by its schema."""
    result = call(name, tables, **arguments)
    assert not result.isError, words(result)
    assert result.structuredContent is not None
    return words(result), result.structuredContent


ERROR_SCHEMAS = describe_types(ErrorData, reference="#/$defs/{name}")


def complaint(name: str, **arguments: Any) -> str:
    """Message of a call that fails; its data is the error of all services."""
    result = call(name, **arguments)
    assert result.isError
    if name != "no_tool":  # answered by the SDK
        assert result.structuredContent is not None
        error = result.structuredContent["error"]
        Draft202012Validator({**ERROR_SCHEMAS["Error"], "$defs": ERROR_SCHEMAS}).validate(error)
        assert error["message"] == words(result)
    return words(result)


def test_the_tools_have_schemas_and_change_nothing() -> None:
    tools = talk(lambda session: session.list_tools()).tools
    assert [tool.name for tool in tools] == (
        "judge legal_moves analyse convert draw tablebase".split()
    )
    for tool in tools:
        assert tool.description
        assert tool.outputSchema is not None
        assert tool.annotations is not None
        assert tool.annotations.readOnlyHint
        assert tool.inputSchema["additionalProperties"] is False
    properties: Mapping[str, Any] = tools[0].inputSchema["properties"]
    assert properties["rules"]["enum"] == list(RULE_SETS)
    assert properties["language"]["enum"] == [*LANGUAGES]


def test_a_ruling_in_words_and_data() -> None:
    text, data = answer("judge", **CYCLE)
    assert text == "Black wins: Red checked perpetually and had to change; Black: idle moves"
    assert (data["verdict"], data["offender"], data["red"]) == ("black_wins", "red", "check")
    assert data["outcome"]["termination"] == "perpetual_check"
    assert "plies" not in data
    text, data = answer("judge", **CYCLE, rules="all-draws", language="zh")
    assert (data["verdict"], text[:2]) == ("draw", "和棋")
    board = Board(CYCLE["fen"])
    for move in CYCLE["moves"].split():
        board.push_iccs(move)
    assert answer("judge", **CYCLE, explain=True)[0] == format_ruling(board.judge())


def test_a_ruling_before_it_is_too_late() -> None:
    game = {**CYCLE, "moves": CYCLE["moves"][: 4 * 5]}
    assert answer("judge", **game)[1]["offender"] is None
    text, data = answer("judge", **game, occurrences=2)
    assert (data["offender"], data["rules"]) == ("red", "wxf occurrences=2")
    assert text.startswith("Black wins")
    assert "occurrences" in complaint("judge", **game, occurrences=1)


def test_a_game_that_goes_on_is_undecided() -> None:
    text, data = answer("judge", moves="炮二平五 马8进7")
    assert (data["verdict"], data["outcome"]) == ("undecided", None)
    assert "occurred once" in text


def test_legal_moves_with_names() -> None:
    text, data = answer("legal_moves", moves="C2.5", language="zh")
    assert (data["turn"], data["check"], len(data["moves"])) == ("black", False, 45)
    assert "马８进７" in text
    assert "马８进７" in [move["chinese"] for move in data["moves"]]
    _, data = answer(
        "legal_moves",
        fen="3k5/9/9/9/9/9/9/9/R8/5K3 w",
        moves="a1a2 d9d8 a2a1",
        rules="superko-situational",
    )
    assert [move["move"] for move in data["moves"] if move["barred"]] == ["d8d9"]


def test_an_analysis_has_lines() -> None:
    text, data = answer("analyse", fen=MATE_IN_ONE, lines=2, depth=3)
    assert text.startswith("Red mates in 1: a0d0\n")
    assert data["lines"][0]["score"] == {"mate": 1}
    assert len(data["lines"]) == 2
    text, data = answer("analyse", fen=MATED)
    assert text.startswith("Red wins")
    assert data["lines"] == []


def test_searches_wait_for_one_another() -> None:
    async def work(session: ClientSession) -> list[CallToolResult]:
        arguments = [{"seconds": 0.1, "lines": lines} for lines in (1, 2, 3)]
        calls = [session.call_tool("analyse", one) for one in arguments]
        return list(await asyncio.gather(*calls))

    for lines, result in enumerate(talk(work), start=1):
        assert not result.isError, words(result)
        assert result.structuredContent is not None
        assert len(result.structuredContent["lines"]) == lines


def test_tables_are_probed(chariot_horse_tables: Path) -> None:
    fen = "3k5/9/9/9/9/9/9/9/R8/5K3 w"
    text, data = answer("tablebase", chariot_horse_tables, fen=fen)
    assert text.startswith("Red wins in ")
    assert (data["value"], data["moves"][0]["value"]) == (1, 1)
    assert len(data["moves"]) == Board(fen).legal_moves.count()
    text, data = answer("tablebase", chariot_horse_tables)
    assert (data["value"], data["moves"]) == (None, [])
    assert "xiangqi tables make" in text
    unknown = answer("tablebase", chariot_horse_tables, fen=fen, rules="cxa2020")[1]
    assert (unknown["rules"], unknown["value"]) == (None, None)


def test_a_game_is_converted() -> None:
    text, data = answer("convert", text="1. 炮二平五 马8进7 2. H2+3", notation="wxf")
    assert "1. C2.5 H8+7\n2. H2+3" in text
    assert (data["format"], data["plies"], data["more"], data["text"]) == ("pgn", 3, False, text)
    assert "h2e2 h9g7" in answer("convert", text="C2.5 H8+7", to="positions")[0]


def test_a_drawing_is_svg_beside_text() -> None:
    result = call("draw", **CYCLE)
    resource = result.content[1]
    assert isinstance(resource, EmbeddedResource)
    assert isinstance(resource.resource, TextResourceContents)
    assert resource.resource.mimeType == "image/svg+xml"
    assert resource.resource.text.startswith("<svg")
    assert "a b c d e f g h i" in words(result)


@pytest.mark.parametrize(
    ("name", "arguments", "quoted"),
    [
        ("judge", {"fen": "9/9 w"}, "9/9 w"),
        ("judge", {"moves": "h2e2 h9h1"}, "h9h1"),
        ("judge", {"rules": "wfx"}, "wfx"),
        ("legal_moves", {"fen": "4k4/9/9/9/9/9/9/9/9/9 w", "language": "zh"}, "红方没有帅"),
        ("analyse", {"seconds": 1000}, "seconds: 1000: expected a number 0 to 30"),
        ("analyse", {"moves": "nonsense"}, "nonsense"),
        ("convert", {"text": "炮二平五 马8进7 车九平九"}, "车九平九"),
        ("convert", {"text": "h2e2", "to": "xqf"}, "xqf"),
        ("convert", {"text": "h2e2", "to": "pgn", "notation": "san"}, "san"),
        ("draw", {"language": "fr"}, "language: 'fr': expected one of en, zh"),
        ("judge", {"rule": "cxa2020"}, "rule: 'cxa2020': expected one of explain, fen, language"),
        ("analyse", {"second": 1}, "second: 1: expected one of depth, fen, language"),
        ("tablebase", {"rule": "wxf"}, "rule: 'wxf': expected one of fen, language, moves"),
        ("no_tool", {}, "no_tool"),
    ],
)
def test_bad_input_is_quoted(name: str, arguments: dict[str, Any], quoted: str) -> None:
    assert quoted in complaint(name, **arguments)


WRONG: dict[str, list[Any]] = {
    "fen": [3, None, ["9"]],
    "moves": [3, [3], {"a": "h2e2"}, ["h2e2"] * 6000],
    "rules": [3, None, []],
    "language": ["fr", 3, None],
    "explain": ["perhaps", 3, []],
    "occurrences": [-1, "many", 1.5],
    "seconds": [0, -1, 31, "long", None],
    "depth": [-1, 101, "deep"],
    "lines": [0, 6, "all"],
    "text": [3, None],
    "to": [3, None],
    "notation": ["latin", 3],
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_argument_says_what_is_expected_in_the_language_of_the_call(
    language: Language,
) -> None:
    async def work(session: ClientSession) -> dict[tuple[str, str], list[str]]:
        found = {}
        for tool in (await session.list_tools()).tools:
            for name in tool.inputSchema["properties"]:
                own = {"text": "h2e2"} if tool.name == "convert" else {}
                results = [
                    await session.call_tool(tool.name, {**own, "language": language, name: value})
                    for value in WRONG[name]
                ]
                assert all(result.isError for result in results), (tool.name, name)
                found[tool.name, name] = list(map(words, results))
        return found

    found = talk(work)
    assert {name for _, name in found} == set(WRONG)
    for (tool, name), texts in found.items():
        for value, text in zip(WRONG[name], texts, strict=True):
            said: Language = "en" if name == "language" else language
            assert text.startswith((f"{name}: ", f"{name}：")), tool
            assert text_of(said, "expected_alone") in text
            assert len(text) < 1000, value


def test_moves_are_a_text_or_a_list_in_any_notation() -> None:
    for moves in (
        "1. 炮二平五 马8进7 2. H2+3",
        ["h2e2", "h9g7", "h0g2"],
        ["炮二平五", "H8+7", "h0g2"],
        '["h2e2", "h9g7", "h0g2"]',
    ):
        assert answer("legal_moves", moves=moves)[1]["fen"].split()[1] == "b", moves
    assert "h9h1" in complaint("judge", moves=["h2e2", "h9h1"])


def test_command_serves_on_standard_input_and_output() -> None:
    parameters = StdioServerParameters(command=sys.executable, args=["-m", "xiangqi", "mcp"])

    async def run() -> tuple[str, str, str, bool]:
        async with stdio_client(parameters) as pipes, ClientSession(*pipes) as session:
            hello = await session.initialize()
            good = await session.call_tool("judge", dict(CYCLE))
            bad = await session.call_tool("judge", {"fen": "9"})
            again = await session.call_tool("judge", {})
            info = hello.serverInfo
            return info.name, info.version, words(good), bad.isError and not again.isError

    name, version, text, lives = asyncio.run(run())
    assert (name, version) == ("Meihua", __version__)
    assert text.startswith("Black wins")
    assert lives


def message(**data: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **data}).encode() + b"\n"


@contextmanager
def running_command() -> Iterator[subprocess.Popen[bytes]]:
    """The command, which has answered to its client's first message."""
    command = [sys.executable, "-m", "xiangqi", "mcp"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=pipe, preexec_fn=hear_interrupts
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        client = {"name": "test", "version": "1"}
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        process.stdin.write(message(id=1, method="initialize", params=hello))
        process.stdin.write(message(method="notifications/initialized"))
        process.stdin.flush()
        assert b'"Meihua"' in process.stdout.readline()
        try:
            yield process
        finally:
            process.kill()


SEARCH = {"name": "analyse", "arguments": {"seconds": 30}}
"""A call whose answer takes as long as the tool allows."""


@with_signals
@pytest.mark.parametrize("is_searching", [False, True])
def test_the_command_ends_with_its_client(is_searching: bool) -> None:
    with running_command() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        if is_searching:
            process.stdin.write(message(id=2, method="tools/call", params=SEARCH))
        process.stdin.write(message(id=3, method="ping"))
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == 3
        _, errors = process.communicate(timeout=20)
        assert (process.returncode, errors) == (0, b"")


@with_signals
def test_an_interrupt_ends_the_command() -> None:
    with running_command() as process:
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == -signal.SIGINT


@with_signals
def test_malformed_messages_do_no_harm() -> None:
    """An invalid message is reported to the client, and the next call is answered."""
    rubbish = b"no json\n[]\n\xff\xfe\n" + b"[" * 20_000 + b'\n{"jsonrpc": "2.0", "id": 2}\n'
    with running_command() as process:
        assert process.stdin is not None
        assert process.stdout is not None
        call = {"name": "judge", "arguments": {}}
        process.stdin.write(rubbish + message(id=3, method="tools/call", params=call))
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for _ in range(6)]
        assert [one.get("method") for one in answers[:5]] == ["notifications/message"] * 5
        assert answers[5]["result"]["structuredContent"]["verdict"] == "undecided"


def test_a_call_that_is_given_up_frees_the_engine() -> None:
    async def work(session: ClientSession) -> CallToolResult:
        with pytest.raises(McpError):
            await session.call_tool("analyse", {"seconds": 30}, timedelta(seconds=0.5))
        params = CancelledNotificationParams(requestId=1)
        note = CancelledNotification(method="notifications/cancelled", params=params)
        await session.send_notification(ClientNotification(note))
        return await session.call_tool("analyse", {"depth": 2}, timedelta(seconds=20))

    assert not talk(work).isError


def test_without_the_sdk_the_command_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = builtins.__import__

    def without(name: str, *arguments: Any) -> Any:
        if name.partition(".")[0] == "mcp" or name == "xiangqi.web.agents":
            raise ImportError("No module named 'mcp'")
        return plain(name, *arguments)

    monkeypatch.setattr(builtins, "__import__", without)
    done = CliRunner().invoke(main, ["mcp"])
    assert done.exit_code == 1
    assert "mcp needs the MCP SDK: " in done.output
    assert "pip install" in done.output
