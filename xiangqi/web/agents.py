"""Server of the Model Context Protocol (MCP) on standard input and output.

Each tool returns text and the same result as structured data with a schema. Errors are those of the
package, in the language of the call. The package ``mcp`` is the protocol's official SDK.
"""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Final

import anyio
from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.utilities.func_metadata import FuncMetadata
from mcp.server.stdio import stdio_server
from mcp.types import CallToolResult, ContentBlock, EmbeddedResource, TextContent, ToolAnnotations
from mcp.types import TextResourceContents as TextResource
from pydantic import AnyUrl, Field, ValidationError

from xiangqi.board import Board
from xiangqi.contract.answers import (
    DrawingData,
    FoundData,
    JudgedData,
    MovesData,
    TableValuesData,
    TextData,
    list_moves,
    outcome_to_dict,
)
from xiangqi.contract.answers import judge as judge_board
from xiangqi.contract.errors import FieldError, error_to_dict
from xiangqi.contract.schema import describe_types, schema_name
from xiangqi.engine import Engine, Limits
from xiangqi.games.formats import FORMATS, NOTATIONS, Notation, WriteOptions
from xiangqi.games.pasting import read_pasted
from xiangqi.games.requests import play_request
from xiangqi.ground.errors import Fact, XiangqiError
from xiangqi.ground.installed import __version__
from xiangqi.ground.texts import LANGUAGES, Language
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.rules import RULE_SETS, WXF, find_rule_set
from xiangqi.tables.probing import Tablebase, default_folder, table_values
from xiangqi.web.calls import choose_rules, draw_board
from xiangqi.web.serve.thinking import SearchDescriber, SearchSnapshot
from xiangqi.words.voice import Voice

__all__ = ["make_server", "serve"]

_INSTRUCTIONS: Final = (
    "Xiangqi (Chinese chess): rulings on repetitions by the WXF and other rules, legal moves, "
    "analysis, endgame tables, conversion of games, drawings. Moves are coordinates such as h2e2 "
    "(files a-i from Red's left, ranks 0-9 from Red's side), 炮二平五 or C2.5."
)
_MAX_LINES: Final = 5
_MAX_SECONDS: Final = 30
_MAX_DEPTH: Final = 100
_MAX_TEXT: Final = 1_000_000
_MAX_PLIES: Final = 5_000
_TEXT_FORMATS: Final = [
    name for name, known in FORMATS.items() if known.is_text and known.can_write
]
_READ_ONLY: Final = ToolAnnotations(readOnlyHint=True, openWorldHint=False)

Fen = Annotated[str, Field(description="FEN before the first move; default: starting position")]
Moves = Annotated[
    Annotated[str, Field(max_length=_MAX_TEXT)]
    | Annotated[list[Annotated[str, Field(max_length=_MAX_TEXT)]], Field(max_length=_MAX_PLIES)],
    Field(description="moves played, in any notation: a text or a list"),
]
Rules = Annotated[str, Field(description="rule set", json_schema_extra={"enum": [*RULE_SETS]})]
Lang = Annotated[Language, Field(description="language of texts and errors")]


_ANSWERS: Final[Mapping[str, type]] = {
    "judge": JudgedData,
    "legal_moves": MovesData,
    "analyse": FoundData,
    "tablebase": TableValuesData,
    "convert": TextData,
    "draw": DrawingData,
}
"""Type of the structured answer of each tool."""


def make_server(tables: Path | None = None) -> FastMCP[None]:
    """Make the server with all tools; ``tables`` is the endgame table folder (None: default)."""
    server: FastMCP[None] = FastMCP("Meihua", _INSTRUCTIONS, log_level="WARNING")
    server._mcp_server.version = __version__
    engine = Engine()
    turn = asyncio.Lock()

    async def analyse(
        fen: Fen = STARTING_FEN,
        moves: Moves = "",
        rules: Rules = WXF.name,
        seconds: Annotated[float, Field(gt=0, le=_MAX_SECONDS)] = 1.0,
        depth: Annotated[int, Field(ge=0, le=_MAX_DEPTH, description="0 for no limit")] = 0,
        lines: Annotated[int, Field(ge=1, le=_MAX_LINES)] = 1,
        language: Lang = "en",
    ) -> CallToolResult:
        """Search a position: scores and best lines of play, with the repetition rules."""
        board, chosen = _play(fen, moves), find_rule_set(rules)
        describer = SearchDescriber(board, language)
        outcome = outcome_to_dict(board, chosen, Voice(language))
        if outcome is not None and not board.allowed_moves(chosen):
            return _answer(outcome["words"], describer.describe(SearchSnapshot(), is_final=True))
        limits = Limits(movetime_ms=max(1, round(1000 * seconds)), depth=depth)
        async with turn:
            engine.set_option("multipv", lines)
            with engine.analysis(board, limits, rules=chosen) as search:  # stops when cancelled
                last = await asyncio.to_thread(lambda: {info.multipv: info for info in search})
        infos = [last[number] for number in sorted(last)]
        found = describer.describe(SearchSnapshot.of(infos), is_final=True)
        lines_found = (f"{one['words']}: {' '.join(one['iccs'])}" for one in found["lines"])
        return _answer("\n".join(lines_found), found)

    for tool in (judge, legal_moves, analyse, convert, draw):
        server.add_tool(tool, annotations=_READ_ONLY)

    @server.tool(annotations=_READ_ONLY)
    def tablebase(
        fen: Fen = STARTING_FEN, moves: Moves = "", rules: Rules = WXF.name, language: Lang = "en"
    ) -> CallToolResult:
        """Probe the endgame tables on this machine."""
        board, voice = _play(fen, moves), Voice(language)
        found = table_values(
            Tablebase(tables or default_folder()), board, find_rule_set(rules), voice
        )
        return _answer(found["words"] or voice.say("table_none"), found)

    for added in server._tool_manager.list_tools():
        schemas = describe_types(_ANSWERS[added.name], reference="#/$defs/{name}")
        added.fn_metadata = _Arguments.strict(added.fn_metadata)
        added.fn_metadata.output_schema = {
            **schemas[schema_name(_ANSWERS[added.name])],
            "$defs": schemas,
        }
        added.parameters = added.fn_metadata.arg_model.model_json_schema(by_alias=True)
    return server


class _Arguments(FuncMetadata):
    """A tool's arguments: unknown ones are rejected, and errors are in the language of the call.

    The SDK ignores unknown arguments, so that a call with ``rule`` for ``rules`` would use the
    default rules; its errors are those of pydantic, in English.
    """

    @classmethod
    def strict(cls, own: FuncMetadata) -> _Arguments:
        """Make the arguments of a tool from the SDK's."""
        own.arg_model.model_config["extra"] = "forbid"
        own.arg_model.model_rebuild(force=True)
        return cls.model_construct(**dict(own))

    async def call_fn_with_arg_validation(
        self,
        fn: Callable[..., Any | Awaitable[Any]],
        fn_is_async: bool,
        arguments_to_validate: dict[str, Any],
        arguments_to_pass_directly: dict[str, Any] | None,
    ) -> Any:
        """Call the tool; the result of a failed call is the error."""
        try:
            return await super().call_fn_with_arg_validation(
                fn, fn_is_async, arguments_to_validate, arguments_to_pass_directly
            )
        except ValidationError as invalid:
            first = invalid.errors()[0]
            name, expected = str(first["loc"][0]), None
            given = None if first["type"] == "missing" else first["input"]
            if first["type"] == "extra_forbidden":
                expected = Fact("one_of", choices=tuple(sorted(self.arg_model.model_fields)))
            fault: XiangqiError = FieldError(name, given, expected or _EXPECTED[name])
        except XiangqiError as raised:
            fault = raised
        language = arguments_to_validate.get("language")
        error = error_to_dict(fault, language if language in LANGUAGES else "en")
        return CallToolResult(
            content=[TextContent(type="text", text=error["message"])],
            structuredContent={"error": error},
            isError=True,
        )

    def convert_result(self, result: Any) -> Any:
        """Return the result of a tool as it is; its schema is not pydantic's."""
        return result


_EXPECTED: Final[Mapping[str, Fact]] = {
    "fen": Fact("a_text"),
    "moves": Fact("or", one=Fact("a_text"), other=Fact("call.texts", most=_MAX_PLIES)),
    "rules": Fact("one_of", choices=tuple(RULE_SETS)),
    "language": Fact("one_of", choices=LANGUAGES),
    "explain": Fact("true_or_false"),
    "occurrences": Fact("api.least", kind=Fact("api.integer"), bound=0),
    "seconds": Fact("number", least=0, most=_MAX_SECONDS),
    "depth": Fact("number", least=0, most=_MAX_DEPTH),
    "lines": Fact("number", least=1, most=_MAX_LINES),
    "text": Fact("api.longest", kind=Fact("a_text"), bound=_MAX_TEXT),
    "to": Fact("one_of", choices=tuple(_TEXT_FORMATS)),
    "notation": Fact("one_of", choices=NOTATIONS),
}
"""Expected values of the tools' arguments."""


def _play(fen: str, moves: str | list[str]) -> Board:
    return play_request({"fen": fen, "moves": moves})


def serve(tables: Path | None = None) -> None:
    """Run the server on standard input and output until its client closes them.

    Ctrl-C ends the process at once: a thread that waits for input cannot be interrupted.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    own = make_server(tables)._mcp_server

    async def run() -> None:
        # On copies of the standard streams: the SDK closes its streams at the end.
        source = open(os.dup(sys.stdin.fileno()), encoding="utf-8", errors="replace")  # noqa: SIM115
        target = open(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")  # noqa: SIM115
        wrapped = anyio.wrap_file(source), anyio.wrap_file(target)
        async with stdio_server(*wrapped) as (reads, writes):
            await own.run(reads, writes, own.create_initialization_options())

    asyncio.run(run())


def judge(
    fen: Fen = STARTING_FEN,
    moves: Moves = "",
    rules: Rules = WXF.name,
    language: Lang = "en",
    explain: Annotated[bool, Field(description="explain the ruling move by move")] = False,
    occurrences: Annotated[
        int, Field(description="rule on this occurrence of a position; 0: as the rules say", ge=0)
    ] = 0,
) -> CallToolResult:
    """Rule on a game: its result, if it has ended, and who must deviate from a repetition."""
    voice, chosen = Voice(language), choose_rules(rules, occurrences or None)
    found = judge_board(_play(fen, moves), chosen, voice, evidence=False, explain=explain)
    words = found["outcome"]["words"] if found["outcome"] else found["reason"]
    return _answer(found["explanation"]["text"] if explain else words, found)


def legal_moves(
    fen: Fen = STARTING_FEN, moves: Moves = "", rules: Rules = WXF.name, language: Lang = "en"
) -> CallToolResult:
    """List the legal moves of a position, and those barred by the repetition rules."""
    board, voice = _play(fen, moves), Voice(language, with_board=True)
    found = list_moves(board, find_rule_set(rules), voice)
    names = [voice.move(board, move) for move in board.list_moves()]
    return _answer(f"{len(names)}: {' '.join(names)}", found)


def convert(
    text: Annotated[str, Field(description="a game as text, as copied", max_length=_MAX_TEXT)],
    to: Annotated[str, Field(json_schema_extra={"enum": _TEXT_FORMATS})] = "pgn",
    notation: Annotated[
        Notation | None, Field(description=f"of moves: {', '.join(NOTATIONS)}")
    ] = None,
    language: Lang = "en",
) -> CallToolResult:
    """Convert a game from any text format and notation to another."""
    pasted = read_pasted(text)
    if pasted.fault is not None:
        raise pasted.fault.error()
    if to not in _TEXT_FORMATS:
        raise FieldError("to", to, _EXPECTED["to"])
    out = io.BytesIO()
    FORMATS[to].write([pasted.game], out, WriteOptions(notation))
    written = out.getvalue().decode("utf-8")
    plies = len(pasted.game.record().moves)
    found: TextData = {"format": to, "plies": plies, "more": pasted.has_more, "text": written}
    return _answer(written, found)


def draw(
    fen: Fen = STARTING_FEN, moves: Moves = "", rules: Rules = WXF.name, language: Lang = "en"
) -> CallToolResult:
    """Draw a position as text and as SVG; a repetition with arrows for its checks and chases."""
    board = _play(fen, moves)
    svg = draw_board(board, find_rule_set(rules))
    picture = TextResource(uri=AnyUrl("xiangqi:board.svg"), mimeType="image/svg+xml", text=svg)
    resource = EmbeddedResource(type="resource", resource=picture)
    return _answer(f"{board}\n{board.fen()}", {"fen": board.fen()}, resource)


# Answers


def _answer(words: str, data: Mapping[str, Any], *others: ContentBlock) -> CallToolResult:
    content: list[ContentBlock] = [TextContent(type="text", text=words), *others]
    plain = json.loads(json.dumps(data))  # JSON schemas accept no tuple as an array
    return CallToolResult(content=content, structuredContent=plain)
