"""Writes ``packages/meihua/src/answers.d.ts``: the types of the npm package's answers, made from
the JSON schemas of :mod:`xiangqi.contract`.

    python -m tools.npm_types
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from xiangqi.contract.answers import BarredMoveData, JudgedData, OutcomeData
from xiangqi.contract.errors import INPUT_CODES
from xiangqi.contract.schema import Choice, Schema, describe_types
from xiangqi.ground.texts import LANGUAGES
from xiangqi.referee.rules import RULE_SETS
from xiangqi.words.voice import MOVE_NOTATIONS

__all__ = ["TYPES", "write_types"]

TYPES: Final = Path(__file__).parents[1] / "packages/meihua/src/answers.d.ts"
_SIMPLE: Final = {
    "boolean": "boolean", "integer": "number", "null": "null", "number": "number",
    "string": "string",
}  # fmt: skip
_OWN_CODES: Final = ("load", "closed", "internal")
"""Codes of the package's own errors."""
_MAX_WIDTH: Final = 110


def write_types() -> str:
    """The file's content."""
    choices = (
        Choice("ErrorCode", (*INPUT_CODES, *_OWN_CODES)),
        Choice("Language", LANGUAGES),
        Choice("Notation", MOVE_NOTATIONS),
        Choice("RuleSet", tuple(RULE_SETS)),
    )
    schemas = describe_types(JudgedData, OutcomeData, BarredMoveData, *choices, reference="{name}")
    head = "/* Made by tools/npm_types.py from xiangqi/contract; a test compares. */\n"
    return head + "".join(f"\n{_declare(name, schema)}" for name, schema in schemas.items())


def _declare(name: str, schema: Schema) -> str:
    note = f"/** {schema['description']} */\n" if "description" in schema else ""
    if "enum" in schema:
        line = f"export type {name} = {' | '.join(map(_quote, schema['enum']))};"
        if len(line) > _MAX_WIDTH:
            line = f"export type {name} ={''.join(_break(schema['enum']))};"
        return f"{note}{line}\n"
    fields = "".join(
        (f"  /** {field['description']} */\n" if "description" in field else "")
        + f"  {key}{'' if key in schema['required'] else '?'}: {_type(field)};\n"
        for key, field in schema["properties"].items()
    )
    return f"{note}export interface {name} {{\n{fields}}}\n"


def _break(texts: list[str]) -> Iterator[str]:
    """Alternatives of a type, a piece for each line."""
    line = ""
    for text in map(_quote, texts):
        if len(line) + len(text) > _MAX_WIDTH:
            yield line
            line = ""
        line += f" | {text}" if line else f"\n  | {text}"
    yield line


def _quote(text: str) -> str:
    return f'"{text}"'


def _type(schema: Schema) -> str:
    if "$ref" in schema:
        return str(schema["$ref"])
    if "anyOf" in schema:
        return " | ".join(map(_type, schema["anyOf"]))
    if schema["type"] == "array":
        items = _type(schema["items"])
        if "maxItems" in schema:
            return f"[{', '.join([items] * schema['maxItems'])}]"
        return f"({items})[]" if " " in items else f"{items}[]"
    return _SIMPLE[schema["type"]]


if __name__ == "__main__":
    TYPES.write_text(write_types(), encoding="utf-8")
