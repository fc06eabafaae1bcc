"""Errors as data, of one shape: a code, the quoted input, its place, and what was expected."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, TypeVar

import msgspec

from xiangqi.errors import (
    FenError,
    FormatError,
    IllegalMoveError,
    PositionError,
    RecordError,
    RuleSetError,
    TableError,
    XiangqiError,
    quote,
)
from xiangqi.web.api.messages import Failure, Problem
from xiangqi.web.serve.messages import Refusal
from xiangqi.words import Language
from xiangqi.words.faults import say_error

__all__ = ["FieldError", "describe_error", "read_request", "status_of"]

T = TypeVar("T")

_CODES: Final = {
    400: "bad_request",
    401: "unauthorized",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_timeout",
    411: "length_required",
    413: "too_large",
    415: "unsupported_media_type",
    431: "header_too_large",
    500: "internal_error",
    501: "not_implemented",
    502: "engine_failed",
    503: "busy",
    504: "timeout",
}
_EXPECTED: Final = {
    "bad_fen": "a FEN as '9/4k4/9/9/9/9/9/9/4R4/3K5 w'",
    "impossible_position": "a position that can occur in a game",
}
"""Of errors whose sentences expect only a part."""
_A_MOVE: Final = "a legal move"
_LONGEST_QUOTE: Final = 117
_MESSAGE: Final = re.compile(r"(?s)(?P<what>.*?)(?: - at `\$(?P<path>[^`]*)`)?")
"""An error of msgspec: what is wrong, and the path to it in the JSON text."""
_EXPECTS: Final = re.compile(r"(?is).*?\bexpected (?P<what>.+)")
_UNKNOWN: Final = re.compile(r"Object contains unknown field `(.*)`")
_MISSING: Final = re.compile(r"Object missing required field `(.*)`")
_STEP: Final = re.compile(r"\.?([^.\[\]]+)|\[(\d+)\]")
_BYTE: Final = re.compile(r" \((byte \d+)\)$")
_REFUSED: Final = re.compile(r"(?P<place>[\w-]+)(?: (?P<given>(['\"]).*\3))?: ")
"""The beginning of a refusal that has a place, as ``Content-Type 'text/plain': expected ...``."""


class FieldError(XiangqiError):
    """A field of a request is missing, or has a value that it cannot have.

    >>> print(FieldError("nodes", 0, "`int` >= 1"))
    nodes: 0: expected `int` >= 1
    """

    def __init__(self, place: str, value: object, expected: str) -> None:
        super().__init__(place, value, expected)
        self.place = place
        self.value = value
        self.expected = expected

    def __str__(self) -> str:
        found = _quote_value(self.value)
        return ": ".join(filter(None, (self.place, found, f"expected {self.expected}")))


class SyntaxFault(FieldError):
    """The body of a request is not JSON."""

    def __str__(self) -> str:
        return f"not {self.expected}"


def read_request(body: bytes, kind: type[T]) -> T:
    """Read the JSON text of a request; raises FieldError.

    >>> from xiangqi.web.api.messages import AnalyseRequest
    >>> for text in (b'{"moves": ["h2e2", 7]}', b'{"lang": "fr"}', b'{"language": "fr"}', b"{"):
    ...     try:
    ...         read_request(text, AnalyseRequest)
    ...     except FieldError as error:
    ...         print(str(error)[:63])
    moves[1]: 7: expected `str`
    lang: 'fr': expected one of depth, fen, language, lines, moves,
    language: 'fr': expected one of en, zh
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


def _syntax_fault(body: bytes, why: str) -> SyntaxFault:
    why = why.partition(" - at `$")[0]
    found = _BYTE.search(why)
    why = _BYTE.sub("", why).removeprefix("JSON is malformed: ")
    why = why[:1].lower() + why[1:]
    return SyntaxFault(found[1] if found else "", body.decode("utf-8", "replace"), f"JSON: {why}")


def _field_error(message: str, data: object, kind: type) -> FieldError:
    """An error of msgspec with the wrong value and what was expected."""
    found = _MESSAGE.fullmatch(message)
    assert found is not None
    path, what = (found["path"] or "").lstrip("."), found["what"].partition(", got ")[0]
    unknown, missing = _UNKNOWN.fullmatch(what), _MISSING.fullmatch(what)
    if unknown is not None:
        path = f"{path}.{unknown[1]}".lstrip(".")
        what = f"one of {', '.join(sorted(_fields_of(kind)))}"
    elif missing is not None:
        what = f"the field {missing[1]}"
    elif what.startswith("Invalid enum value"):
        what = f"one of {', '.join(_choices_of(_fields_of(kind)[path]))}"
    elif what.startswith("Invalid base64"):
        what = "base64"
    elif what == "Number out of range":
        what = "a number in range"
    else:
        what = what.removeprefix("Expected ")
    return FieldError(path, _value_at(data, path), what)


def _quote_value(value: object) -> str:
    """Quote a value of a request; what is no text is quoted as JSON.

    >>> _quote_value("fr"), _quote_value(None), _quote_value([True, 1e400])
    ("'fr'", 'null', '[true,null]')
    """
    if isinstance(value, str):
        return quote(value)
    text = msgspec.json.encode(value).decode()
    half = _LONGEST_QUOTE // 2
    return text if len(text) <= _LONGEST_QUOTE else f"{text[:half]}...{text[-half:]}"


def _fields_of(kind: type) -> dict[str, dict[str, Any]]:
    """The fields of a request by their names, each with its JSON schema."""
    _, parts = msgspec.json.schema_components((kind,))
    fields: dict[str, dict[str, Any]] = parts[kind.__name__]["properties"]
    return fields


def _choices_of(schema: Mapping[str, Any]) -> list[str]:
    """The values that a field with an enumeration may have."""
    found = [name for one in (schema, *schema.get("anyOf", ())) for name in one.get("enum", ())]
    return [*map(str, found), *(["null"] if {"type": "null"} in schema.get("anyOf", ()) else [])]


def _value_at(data: Any, path: str) -> object:
    """The value at a path such as ``moves[3]``; the nearest one around it if it is missing."""
    for name, number in _STEP.findall(path):
        try:
            data = data[int(number)] if number else data[name]
        except (IndexError, KeyError, TypeError):
            return data
    return data


def status_of(error: XiangqiError) -> int:
    """HTTP status: 400 for wrong syntax, 422 for a wrong game, that of a Refusal itself."""
    if isinstance(error, Refusal):
        return error.status
    if isinstance(error, FieldError):
        return 400
    return 500 if isinstance(error, TableError) else 422


def describe_error(error: XiangqiError, language: Language = "en") -> Failure:
    """An error as data.

    >>> found = describe_error(RecordError(2, "h2h9", "the red cannon on h2 cannot reach h9")).error
    >>> found.code, found.message
    ('bad_move', "move 3: 'h2h9': the red cannon on h2 cannot reach h9")
    >>> found.input, found.place, found.expected
    ("'h2h9'", 'moves[2]', 'a legal move')
    """
    code, given, place = _classify(error)
    message = error.why if isinstance(error, Refusal) else say_error(language, error)
    return Failure(Problem(code, message, given, place, _expected(error, code)))


def _expected(error: XiangqiError, code: str) -> str | None:
    """What was expected: an attribute of the error, or the end of its sentence."""
    if isinstance(error, SyntaxFault):
        return "JSON"
    found = getattr(error, "expected", None) or _EXPECTED.get(code)
    expects = _EXPECTS.fullmatch(str(error))
    if found is None and expects is not None:
        return expects["what"]
    return found or (_A_MOVE if isinstance(error, RecordError) else None)


def _classify(error: XiangqiError) -> tuple[str, str | None, str | None]:
    """Code, quoted input and place."""
    if isinstance(error, Refusal):
        return _CODES.get(error.status, "bad_request"), *_refused(error)
    if isinstance(error, SyntaxFault):
        return "bad_json", quote(error.value), error.place or "body"
    if isinstance(error, FieldError):
        return "bad_field", _quote_value(error.value), error.place or "body"
    if isinstance(error, FenError):
        return "bad_fen", quote(error.text), f"fen: {error.field}"
    if isinstance(error, PositionError):
        return "impossible_position", quote(error.fen), "fen"
    if isinstance(error, RecordError):
        is_illegal = isinstance(error.__cause__, IllegalMoveError)
        is_move = error.ply is not None
        place = f"moves[{error.ply}]" if is_move else "moves"
        code = "illegal_move" if is_illegal else "bad_move"
        return code, quote(error.text), ", ".join(filter(None, (place, error.source)))
    if isinstance(error, RuleSetError):
        return "bad_field", quote(error.value), "rules"
    if isinstance(error, FormatError):
        return "bad_file", quote(error.subject), error.place or "text"
    return "bad_input", None, None


def _refused(error: Refusal) -> tuple[str | None, str | None]:
    """Quoted input and place of a refusal, whose message begins with the place."""
    found = _REFUSED.match(error.why)
    return (None, None) if found is None else (found["given"], found["place"])
