"""The operations of the service, its OpenAPI document, and the document as an HTML page.

The page has no scripts, and loads one style sheet from the service.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Final

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined

from xiangqi.contract.answers import (
    ConvertedData,
    FoundData,
    HealthData,
    JudgedData,
    MovesData,
    TableValuesData,
)
from xiangqi.contract.errors import FailureData
from xiangqi.contract.schema import describe_types, schema_name
from xiangqi.ground.installed import __version__
from xiangqi.web.api.messages import (
    AnalyseRequest,
    ConvertRequest,
    Data,
    JudgeRequest,
    MovesRequest,
    TablesRequest,
)

__all__ = ["JSON", "LINES", "OPERATIONS", "Operation", "make_document", "read_style", "render_page"]

JSON: Final = "application/json"
LINES: Final = "application/x-ndjson"
_PERPETUAL_CHECK: Final = {
    "fen": "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w",
    "moves": "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8".split(),
}
_REFERENCE: Final = "#/components/schemas/{name}"


@dataclass(frozen=True, slots=True)
class Operation:
    """An endpoint under /v1: types of its request and answer, and an example."""

    name: str
    summary: str
    details: str
    answer: type
    request: type | None = None
    kind: str = JSON
    """Media type of the answer; JSON as well if a request may choose."""
    example: Data = field(default_factory=dict)
    is_open: bool = False
    """Is it served without a key?"""

    @property
    def path(self) -> str:
        return f"/v1/{self.name}"

    @property
    def method(self) -> str:
        """POST with a request body, else GET."""
        return "GET" if self.request is None else "POST"


OPERATIONS: Final = (
    Operation(
        "judge",
        "Judge the last position of a game",
        "The ruling on a repetition: verdict, each side's conduct, the offender and the evidence "
        "ply by ply, as printed by `xiangqi judge --json`. `outcome` also covers mate, stalemate "
        "and the move limits of the rule set.",
        JudgedData,
        JudgeRequest,
        example=_PERPETUAL_CHECK,
    ),
    Operation(
        "moves",
        "List the legal moves",
        "All legal moves of the last position in each notation. `barred` is the reason if the "
        "rule set forbids the move.",
        MovesData,
        MovesRequest,
        example={"moves": "C2.5 H8+7"},
    ),
    Operation(
        "analyse",
        "Search the last position",
        "JSON lines: the best lines found so far, again after each depth; the last line has "
        "`final` true. Closing the connection ends the search. A search that fails ends with a "
        "line that has `error`. With `stream` false the answer is the final result as JSON, which "
        "suits generated clients.",
        FoundData,
        AnalyseRequest,
        kind=LINES,
        example={"moves": ["h2e2"], "seconds": 0.5, "lines": 2},
    ),
    Operation(
        "tables",
        "Look up the last position in the endgame tables",
        "Value of the position without its history, and of each legal move; null if the service "
        "has no table for it.",
        TableValuesData,
        TablesRequest,
        example={"fen": "3k5/9/9/9/9/9/9/9/4R4/4K4 w"},
    ),
    Operation(
        "convert",
        "Convert a file of games",
        "Reads every format that `xiangqi convert` reads, also binary ones in base64.",
        ConvertedData,
        ConvertRequest,
        example={"text": "1. C2.5 H8+7 2. H2+3", "to": "pgn", "notation": "iccs"},
    ),
    Operation(
        "health",
        "Report the health of the service",
        "Version and number of running searches. No key is needed.",
        HealthData,
        is_open=True,
    ),
)


def make_document() -> Data:
    """The OpenAPI 3.1 document, with the JSON schemas of the types."""
    requests = [one.request for one in OPERATIONS if one.request is not None]
    _, schemas = msgspec.json.schema_components(requests, ref_template=_REFERENCE)
    for schema in schemas.values():
        schema["properties"] = {
            name: _simplify(value) for name, value in schema["properties"].items()
        }
    answers = [one.answer for one in OPERATIONS]
    schemas |= describe_types(*answers, FailureData, reference=_REFERENCE)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Meihua",
            "version": __version__,
            "description": "Rulings, legal moves, analysis and endgame tables of Xiangqi.",
            "license": {"name": "GPL-3.0-or-later", "identifier": "GPL-3.0-or-later"},
        },
        "servers": [{"url": "/"}],
        "paths": {one.path: {one.method.lower(): _describe(one)} for one in OPERATIONS},
        "components": {
            "schemas": schemas,
            "securitySchemes": {"key": {"type": "http", "scheme": "bearer"}},
        },
    }


def _simplify(schema: Data) -> Data:
    """Schema of an optional field of a request, in the form that all generators understand.

    The default is a part of the description: by the keyword ``default`` some make the field
    required. Values of an enumeration have a type, and a nullable field describes itself.
    """
    schema = dict(schema)
    default = schema.pop("default", None)
    words = [schema.pop("description", "")]
    choices = []
    for choice in schema.get("anyOf", ()):
        words.append(choice.get("description", ""))
        choices.append({key: value for key, value in choice.items() if key != "description"})
    if choices:
        schema["anyOf"] = choices
    for one in (schema, *choices):
        if all(isinstance(value, str) for value in one.get("enum", (0,))):
            one["type"] = "string"
    if default is not None:
        words.append(f"Default: {json.dumps(default)}.")
    description = " ".join(filter(None, words))
    return {"description": description, **schema} if description else schema


def _describe(one: Operation) -> Data:
    described: Data = {
        "operationId": one.name,
        "summary": one.summary,
        "description": one.details,
        "responses": {
            "200": _content("The answer.", one.answer, JSON, one.kind),
            "default": _content("The error.", FailureData, JSON),
        },
        "security": [] if one.is_open else [{}, {"key": []}],
    }
    if one.request is not None:
        body = _content("", one.request, JSON)["content"]
        body[JSON]["example"] = one.example
        described["requestBody"] = {"required": True, "content": body}
    return described


def _content(description: str, of: type, *kinds: str) -> Data:
    schema = {"$ref": _REFERENCE.format(name=schema_name(of))}
    return {"description": description, "content": {kind: {"schema": schema} for kind in kinds}}


def render_page() -> str:
    """The OpenAPI document as an HTML page."""
    templates = Environment(
        loader=PackageLoader("xiangqi.web.api"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.filters["type_name"] = _name_type
    template = templates.get_template("api.html")
    document = make_document()
    examples = {one.path: json.dumps(one.example, ensure_ascii=False) for one in OPERATIONS}
    return template.render(document=document, examples=examples)


def _name_type(schema: Data) -> str:
    """Describe a JSON schema in a few words: ``list of string``, ``Victim or null``."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(map(_name_type, schema["anyOf"]))
    if "enum" in schema:
        return " | ".join("null" if one is None else str(one) for one in schema["enum"])
    if schema.get("type") == "array":
        items: Any = schema.get("items")
        return f"list of {_name_type(items)}" if items else "list"
    return str(schema.get("type", "any"))


def read_style() -> bytes:
    return resources.files("xiangqi.web.api").joinpath("static", "api.css").read_bytes()
