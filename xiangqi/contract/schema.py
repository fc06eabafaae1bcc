"""JSON schemas of answers, made from their types.

A type is a TypedDict of texts, numbers, lists and other TypedDicts. ``Annotated`` adds a
description, a text, the allowed texts, an Enum or :class:`Choice`, or a range of integers.

>>> from typing import TypedDict
>>> class Point(TypedDict):
...     "Point of the board."
...     file: Annotated[str, "Letter of the file."]
...     ranks: tuple[int, int] | None
>>> point = describe_types(Point)["Point"]["properties"]
>>> point["file"]
{'type': 'string', 'description': 'Letter of the file.'}
>>> point["ranks"]["anyOf"][1]
{'type': 'null'}
"""

from __future__ import annotations

import types
from enum import Enum
from inspect import getdoc
from typing import (
    Annotated,
    Any,
    Final,
    NamedTuple,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

__all__ = ["Choice", "Schema", "describe_types", "schema_name"]

Schema = dict[str, Any]
"""A JSON schema (draft 2020-12)."""

_SIMPLE: Final[dict[object, Schema]] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    bytes: {"type": "string", "contentEncoding": "base64"},
    type(None): {"type": "null"},
    Any: {},
}


class Choice(NamedTuple):
    """Name and allowed texts of a value."""

    name: str
    texts: tuple[str, ...]
    summary: str = ""

    @classmethod
    def of(cls, kind: type[Enum]) -> Choice:
        """Choice among the members of an Enum: their values if these are texts, else their names in
        lower case."""
        texts = (
            one.value if isinstance(one.value, str) else name.lower()
            for name, one in kind.__members__.items()
        )
        return cls(kind.__name__, tuple(texts), _summary(kind))


def describe_types(*kinds: type | Choice, reference: str = "#/components/schemas/{name}") -> Schema:
    """Make the schemas of TypedDicts and choices, and of all types in them, by name.

    ``reference`` is the form of a reference from one schema to another. Raises TypeError for a type
    that has no schema.
    """
    found: Schema = {}
    waiting: list[Any] = list(kinds)
    while waiting:
        kind = waiting.pop()
        name = schema_name(kind)
        if name in found:
            continue
        if isinstance(kind, Choice):
            found[name] = {"type": "string", "enum": [*kind.texts]}
            if kind.summary:
                found[name]["description"] = kind.summary
            continue
        hints = get_type_hints(kind, include_extras=True)
        found[name] = {
            "type": "object",
            "description": _summary(kind),
            "properties": {key: _describe(hint, reference, waiting) for key, hint in hints.items()},
            "required": [key for key in hints if key in kind.__required_keys__],
        }
    return dict(sorted(found.items()))


def schema_name(kind: Any) -> str:
    """Name of a schema: that of the TypedDict without a final ``Data``, or of the choice."""
    return kind.name if isinstance(kind, Choice) else kind.__name__.removesuffix("Data")


def _summary(kind: type) -> str:
    return (getdoc(kind) or "").partition("\n\n")[0].replace("\n", " ")


def _describe(hint: Any, reference: str, waiting: list[Any]) -> Schema:
    """Make the schema of a type hint; named types in it are added to ``waiting``."""
    if hint in _SIMPLE:
        return dict(_SIMPLE[hint])
    if isinstance(hint, Choice) or is_typeddict(hint):
        waiting.append(hint)
        return {"$ref": reference.format(name=schema_name(hint))}
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        schema = _describe(parts[0], reference, waiting)
        for note in parts[1:]:
            if isinstance(note, str):
                schema["description"] = note
                continue
            if isinstance(note, range):
                schema |= {"minimum": note.start, "maximum": note.stop - 1}
                continue
            choice = Choice.of(note) if isinstance(note, type) else note
            chosen = _describe(choice, reference, waiting)
            others = schema.get("anyOf", [schema])[1:]
            schema = {"anyOf": [chosen, *others]} if others else chosen
        return schema
    if origin in (Union, types.UnionType):
        return {"anyOf": [_describe(part, reference, waiting) for part in parts]}
    if origin is list:
        return {"type": "array", "items": _describe(parts[0], reference, waiting)}
    if origin is dict:
        return {"type": "object", "additionalProperties": _describe(parts[1], reference, waiting)}
    if origin is tuple and len(set(parts)) == 1:  # no prefixItems, which few generators know
        items = _describe(parts[0], reference, waiting)
        return {"type": "array", "items": items, "minItems": len(parts), "maxItems": len(parts)}
    raise TypeError(f"{hint!r} has no JSON schema")
