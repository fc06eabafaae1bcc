"""Reading of requests, with errors that name field, value and expected value."""

from __future__ import annotations

import re
from functools import reduce
from typing import Any, Final, TypeVar

import msgspec

from xiangqi.contract.errors import FieldError
from xiangqi.ground.errors import Fact, TableError, XiangqiError, outside
from xiangqi.ground.texts import Language
from xiangqi.web.serve.messages import Refusal

__all__ = ["find_language", "read_request", "status_of"]

T = TypeVar("T")

_MESSAGE: Final = re.compile(r"(?s)(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?")
"""Error message of msgspec: the fault, and its JSON path."""
_EXPECTS: Final = re.compile(
    r"Expected `(?P<types>[^`]*)`(?: (?P<relation>>=|<=|of length <=) (?P<bound>\S+))?"
)
_TYPES: Final = {
    "str": "a_text",
    "int": "api.integer",
    "float": "a_number",
    "bool": "true_or_false",
    "array": "api.list",
    "object": "text.an_object",
    "null": "api.null",
}
"""Codes of facts by msgspec's names of types."""
_BOUNDS: Final = {">=": "api.least", "<=": "api.most", "of length <=": "api.longest"}
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`")
_MISSING: Final = re.compile(r"Object missing required field `(.*)`")
_STEP: Final = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")
_BYTE: Final = re.compile(r" \((byte \d+)\)$")


class SyntaxFault(FieldError):
    """The body of a request is not JSON."""

    _CODE = "bad_json"

    @property
    def fact(self) -> Fact:
        return Fact("error.json", expected=self.expected)


def read_request(body: bytes, kind: type[T]) -> T:
    """Parse the JSON body of a request. Raises FieldError.

    >>> from xiangqi.web.api.messages import AnalyseRequest
    >>> for text in (b'{"moves": ["h2e2", 7]}', b'{"lang": "fr"}', b'{"language": "fr"}', b"{"):
    ...     try:
    ...         read_request(text, AnalyseRequest)
    ...     except FieldError as error:
    ...         print(str(error)[:63])
    moves[1]: 7: expected text
    lang: 'fr': expected one of depth, fen, language, lines, moves,
    language: 'fr': expected one of en, vi, zh
    not JSON: input data was truncated
    """
    try:
        try:
            return msgspec.json.decode(body, type=kind)
        except msgspec.ValidationError as error:
            raise _field_error(str(error), msgspec.json.decode(body), kind) from error
    except RecursionError as error:
        raise _syntax_fault(body, "nested too deeply") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _syntax_fault(body, str(error)) from error


class _LanguageField(msgspec.Struct):
    """The language of a request; msgspec ignores the other fields."""

    language: Language = "en"


def find_language(body: bytes) -> Language:
    """Language of a request, even if other fields are invalid; English if it cannot be parsed.

    >>> find_language(b'{"moves": 7, "language": "zh"}'), find_language(b'{"language": 7}')
    ('zh', 'en')
    """
    try:
        return msgspec.json.decode(body, type=_LanguageField).language
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "en"


def _syntax_fault(body: bytes, why: str) -> SyntaxFault:
    why = why.partition(" - at `$")[0]
    found = _BYTE.search(why)
    why = _BYTE.sub("", why).removeprefix("JSON is malformed: ")
    why = why[:1].lower() + why[1:]
    text = body.decode("utf-8", "replace")
    return SyntaxFault(found[1] if found else "", text, Fact("api.json", why=why))


def _field_error(message: str, data: object, kind: type) -> FieldError:
    """Translate an error message of msgspec, and add the invalid value."""
    found = _MESSAGE.fullmatch(message)
    assert found is not None
    path, what = (found["path"] or "").lstrip("."), found["what"].partition(", got ")[0]
    unknown, missing = _UNKNOWN.fullmatch(what), _MISSING.fullmatch(what)
    if unknown is not None:
        path = f"{path}.{unknown[1]}".lstrip(".")
        expected = Fact("one_of", choices=tuple(sorted(_fields_of(kind))))
    elif missing is not None:
        expected = Fact("api.field", name=missing[1])
    elif what.startswith("Invalid enum value"):
        schema = _fields_of(kind)[path]
        parts = schema.get("anyOf", ())
        choices = [str(name) for one in (schema, *parts) for name in one.get("enum", ())]
        if {"type": "null"} in parts:
            choices.append("null")
        expected = Fact("one_of", choices=tuple(choices))
    elif what.startswith("Invalid base64"):
        expected = Fact("api.base64")
    elif what == "Number out of range":
        expected = Fact("api.range")
    else:
        expected = _expected_value(what)
    return FieldError(path, _value_at(data, path), expected)


def _expected_value(what: str) -> Fact:
    """Translate the type and bound that msgspec expects.

    >>> _expected_value("Expected `int | null`"), _expected_value("Expected `int` >= 1").say("zh")
    ('a whole number or null', '整数，不小于1')
    """
    found = _EXPECTS.fullmatch(what)
    if found is None or not _TYPES.keys() >= set(found["types"].split(" | ")):
        return outside(what.removeprefix("Expected "))
    kinds = [Fact(_TYPES[name]) for name in found["types"].split(" | ")]
    kind = reduce(lambda one, other: Fact("or", one=one, other=other), kinds)
    if found["bound"] is None:
        return kind
    return Fact(_BOUNDS[found["relation"]], kind=kind, bound=found["bound"])


def _fields_of(kind: type) -> dict[str, dict[str, Any]]:
    """JSON schemas of the fields of a request, by name."""
    _, parts = msgspec.json.schema_components((kind,))
    fields: dict[str, dict[str, Any]] = parts[kind.__name__]["properties"]
    return fields


def _value_at(data: Any, path: str) -> object:
    """Value at a path such as ``moves[3]``; if missing, the innermost value that contains it."""
    for name, number in _STEP.findall(path):
        try:
            data = data[int(number)] if number else data[name]
        except (IndexError, KeyError, TypeError):
            return data
    return data


def status_of(error: XiangqiError) -> int:
    """HTTP status of an error: 400 for an invalid field, 422 for an invalid game."""
    if isinstance(error, Refusal):
        return error.status
    if isinstance(error, FieldError):
        return 400
    return 500 if isinstance(error, TableError) else 422
