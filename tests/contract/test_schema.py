"""JSON schemas of the answers, and what is made from them."""

from __future__ import annotations

import json
from enum import Enum
from typing import Annotated, Any, TypedDict

import pytest
from jsonschema import Draft202012Validator, ValidationError

from tests.support.soak import SOAK
from tools.npm_types import TYPES, write_types
from xiangqi import Board
from xiangqi.casebook.cases import load_all_cases
from xiangqi.contract.answers import JudgedData, MovesData, judge, list_moves
from xiangqi.contract.rulings import ComparisonData, comparison_to_dict
from xiangqi.contract.schema import Schema, describe_types, schema_name
from xiangqi.referee.comparison import compare
from xiangqi.referee.rules import RULE_SETS, WXF
from xiangqi.words.voice import PLAIN_VOICE


class Wind(Enum):
    """Direction of the wind."""

    NORTH = "n"
    SOUTH = "s"


class Town(TypedDict):
    """A town.

    Not in the schema.
    """

    name: str
    wind: Annotated[str | None, Wind, "Where it comes from."]
    mayors: list[dict[str, int]]
    place: tuple[float, float]


def check(kind: type, data: object, *, changed: dict[str, Any] | None = None) -> None:
    """Validate an answer as a client sees it; unknown keys are faults as well."""
    schemas = describe_types(kind, reference="#/$defs/{name}")
    for schema in schemas.values():
        if schema["type"] == "object":
            schema["additionalProperties"] = False
    text = json.loads(json.dumps(data)) | (changed or {})
    Draft202012Validator({"$ref": f"#/$defs/{schema_name(kind)}", "$defs": schemas}).validate(text)


def test_schema_of_a_type() -> None:
    wind: Schema = {"$ref": "#/Wind"}
    assert describe_types(Town, reference="#/{name}") == {
        "Town": {
            "type": "object",
            "description": "A town.",
            "properties": {
                "name": {"type": "string"},
                "wind": {"anyOf": [wind, {"type": "null"}], "description": "Where it comes from."},
                "mayors": {
                    "type": "array",
                    "items": {"type": "object", "additionalProperties": {"type": "integer"}},
                },
                "place": {
                    "type": "array",
                    "items": {"type": "number"},
                    "minItems": 2,
                    "maxItems": 2,
                },
            },
            "required": ["name", "wind", "mayors", "place"],
        },
        "Wind": {"type": "string", "enum": ["n", "s"], "description": "Direction of the wind."},
    }


def test_a_type_without_a_schema_is_refused() -> None:
    class Odd(TypedDict):
        """Odd."""

        when: complex

    with pytest.raises(TypeError, match="complex"):
        describe_types(Odd)


def test_every_ruling_fits_its_schema() -> None:
    every = list(RULE_SETS.values())
    for number, case in enumerate(load_all_cases()):
        board = case.play_until(3)
        for rules in every if SOAK else [every[number % len(every)]]:
            check(JudgedData, judge(board, rules, PLAIN_VOICE, explain=True))
    check(ComparisonData, comparison_to_dict(compare(board, (WXF, RULE_SETS["cxa2020"]))))


def test_moves_fit_their_schema() -> None:
    board = Board("3k5/9/9/9/9/9/9/9/R8/5K3 w")
    for move in ("a1a2", "d9d8", "a2a1"):
        board.push_iccs(move)
    moves = list_moves(board, RULE_SETS["superko-situational"], PLAIN_VOICE)
    check(MovesData, moves)
    assert any(one["barred"] for one in moves["moves"])


def test_wrong_answers_are_found() -> None:
    ruling = judge(Board(), WXF, PLAIN_VOICE)
    changes: list[dict[str, Any]] = [
        {"verdict": "won"},
        {"plies": [{}]},
        {"more": 1},
        {"red": True},
    ]
    for changed in changes:
        with pytest.raises(ValidationError):
            check(JudgedData, ruling, changed=changed)


def test_types_of_the_npm_package_are_made_from_the_schemas() -> None:
    """``python -m tools.npm_types`` writes them."""
    assert TYPES.read_text(encoding="utf-8") == write_types()
