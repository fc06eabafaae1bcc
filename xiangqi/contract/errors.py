"""Errors as JSON data, and the errors of requests."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Annotated, Final, TypedDict

from xiangqi.contract.schema import Choice
from xiangqi.ground.errors import (
    Fact,
    FenError,
    FormatError,
    NamedValueError,
    PositionError,
    RecordError,
    RuleSetError,
    XiangqiError,
    quote,
)
from xiangqi.ground.texts import Language

__all__ = [
    "INPUT_CODES",
    "STATUS_CODES",
    "ErrorData",
    "FailureData",
    "FieldError",
    "error_to_dict",
    "quote_value",
]

INPUT_CODES: Final = (
    "bad_fen",
    "impossible_position",
    "bad_move",
    "illegal_move",
    "bad_rules",
    "bad_file",
    "bad_table",
    "bad_field",
    "bad_option",
    "bad_json",
    "bad_input",
)
"""Codes of faults of the input; ``bad_input`` if no other fits."""
STATUS_CODES: Final = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "request_timeout",
    409: "unknown_line",
    411: "length_required",
    413: "too_large",
    415: "unsupported_media_type",
    431: "header_too_large",
    500: "internal_error",
    501: "not_implemented",
    502: "engine_failed",
    503: "busy",
    504: "timeout",
    507: "no_space",
}
"""Codes of other faults of a request, by HTTP status."""
_MAX_QUOTE: Final = 117


class ErrorData(TypedDict):
    """An error."""

    code: Annotated[str, Choice("ErrorCode", (*INPUT_CODES, *STATUS_CODES.values()))]
    message: Annotated[str, "A sentence in the language of the request."]
    place: Annotated[
        str, "Place of the fault in the request: moves[3], fen: side to move; empty for all of it."
    ]
    ply: Annotated[int | None, "Ply of an invalid move, from 0."]
    quotation: Annotated[str, "The invalid input; a value other than text as JSON."]


class FailureData(TypedDict):
    """Answer to a request that fails."""

    error: ErrorData


class FieldError(NamedValueError):
    """A field of a request is missing, unknown or invalid.

    >>> print(FieldError("evidence", "yes", Fact("true_or_false")))
    evidence: 'yes': expected true or false
    """

    _CODE = "bad_field"

    @property
    def fact(self) -> Fact:
        found = quote_value(self.value)
        values = {"place": self.name, "value": found, "expected": self.expected}
        return Fact("error.field" if self.name else "error.request", **values)


def quote_value(value: object) -> str:
    """Quote a value of a request; values other than text as JSON, shortened.

    >>> quote_value("fr"), quote_value(None), quote_value([True, 1.5])
    ("'fr'", 'null', '[true, 1.5]')
    """
    if isinstance(value, str):
        return quote(value)
    text = json.dumps(value, ensure_ascii=False, default=lambda data: b64encode(data).decode())
    return _shorten(text)


def _shorten(text: str) -> str:
    half = _MAX_QUOTE // 2
    return text if len(text) <= _MAX_QUOTE else f"{text[:half]}...{text[-half:]}"


def error_to_dict(error: XiangqiError, language: Language = "en") -> ErrorData:
    """JSON data of an error.

    >>> why = Fact("illegal.no_piece", square="h2")
    >>> found = error_to_dict(RecordError(2, "h2h9", why))
    >>> found["code"], found["message"]
    ('illegal_move', "move 3: 'h2h9': there is no piece on h2")
    >>> found["place"], found["ply"], found["quotation"]
    ('moves[2]', 2, 'h2h9')
    """
    code, given, _, _ = error.facts
    if isinstance(error, FormatError) or (given is None and not isinstance(error, FieldError)):
        quotation = ""  # what a FormatError quotes is the name of the file
    else:
        quotation = _shorten(given) if isinstance(given, str) else quote_value(given)
    return {
        "code": code,
        "message": error.say(language),
        "place": _place(error),
        "ply": getattr(error, "ply", None),
        "quotation": quotation,
    }


def _place(error: XiangqiError) -> str:
    """Place of an error in the request."""
    place = error.facts.place
    if isinstance(error, RecordError):
        at = "moves" if error.ply is None else f"moves[{error.ply}]"
        return ", ".join(filter(None, (at, error.source)))
    if isinstance(error, FenError):
        return f"fen: {place}"
    if isinstance(error, PositionError):
        return "fen"
    if isinstance(error, RuleSetError):
        return "rules"
    if isinstance(error, FormatError):
        return f"{error.subject}: {place}" if place else error.subject
    return place
