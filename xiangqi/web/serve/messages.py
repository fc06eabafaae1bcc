"""Requests and responses, independent of HTTP, and validation of request fields."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast
from urllib.parse import SplitResult, parse_qs, urlsplit

from xiangqi.contract.errors import STATUS_CODES, ErrorData, error_to_dict
from xiangqi.games.record import parse_json_object
from xiangqi.ground.errors import ErrorFacts, Fact, XiangqiError
from xiangqi.ground.texts import LANGUAGES, Language
from xiangqi.words.voice import MOVE_NOTATIONS, Voice

__all__ = [
    "Answer",
    "Refusal",
    "Request",
    "Stream",
    "error_answer",
    "headers_of",
    "html_answer",
    "json_answer",
    "language_in",
    "language_of",
    "lines_answer",
    "number_of",
    "one_of",
    "text_of",
    "voice_of",
    "wrong_field",
]

HTML: Final = "text/html; charset=utf-8"
JSON: Final = "application/json; charset=utf-8"
LINES: Final = "application/x-ndjson"


class Refusal(XiangqiError):
    """Rejection of a request, with its HTTP status.

    >>> error = Refusal(413, Fact("request.large_file", most=65536))
    >>> print(error.status, error)
    413 a file of more than 65536 bytes after unpacking
    """

    def __init__(self, status: int, why: Fact, data: ErrorData | None = None) -> None:
        super().__init__(status, why, data)
        self.status = status
        self.why = why
        self.data = data
        """The error as data, if it is already in the language of the request."""

    @property
    def fact(self) -> Fact:
        return self.why

    @property
    def facts(self) -> ErrorFacts:
        """Parts of the error, for programs."""
        values = self.why.values
        place, given = str(values.get("place", "")), values.get("given")
        return ErrorFacts(STATUS_CODES[self.status], given, place, self.why.expected)


@dataclass(frozen=True, slots=True)
class Request:
    """Request: target and body."""

    target: str
    """Path and query."""
    body: bytes = b""

    @property
    def path(self) -> str:
        """Path without the query, as sent."""
        return self._parts.path

    def query(self, name: str) -> str:
        """Return the value of a query parameter, or the empty string."""
        return parse_qs(self._parts.query).get(name, [""])[0]

    def json(self) -> dict[str, Any]:
        """Parse the body as a JSON object; raises RecordError, or Refusal if it is not UTF-8."""
        try:
            return parse_json_object(self.body.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise Refusal(400, Fact("request.utf8", error=error.reason)) from error

    @property
    def _parts(self) -> SplitResult:
        try:
            return urlsplit(self.target)
        except ValueError as error:
            raise Refusal(400, Fact("request.address", given=self.target, error=error)) from error


@dataclass(frozen=True, slots=True)
class Answer:
    """Complete response."""

    body: bytes
    kind: str
    """Media type."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stream:
    """Streamed response. Closing ``pieces`` ends the search that produces them."""

    pieces: AsyncGenerator[bytes, None]
    kind: str
    """Media type."""


def lines_answer(items: AsyncGenerator[Mapping[str, Any], None]) -> Stream:
    """Stream items as JSON lines (https://github.com/ndjson/ndjson-spec)."""

    async def encode() -> AsyncGenerator[bytes, None]:
        async with aclosing(items):
            async for item in items:
                yield json.dumps(item).encode() + b"\n"

    return Stream(encode(), LINES)


def html_answer(page: str, status: int = 200) -> Answer:
    return Answer(page.encode("utf-8", "backslashreplace"), HTML, status)


def json_answer(data: object, status: int = 200) -> Answer:
    return Answer(json.dumps(data).encode(), JSON, status)


def one_of(choices: Iterable[str]) -> Fact:
    """State the allowed values, for an error."""
    return Fact("one_of", choices=tuple(choices))


def wrong_field(place: str, given: object, expected: Fact) -> Refusal:
    """Make the error for an invalid field of a request.

    >>> print(wrong_field("lines", "x", Fact("a_number")))
    lines: 'x': expected a number
    """
    return Refusal(400, Fact("request.field", place=place, given=given, expected=expected))


def error_answer(error: XiangqiError, language: Language = "en") -> Answer:
    """Make the response to an invalid request."""
    status = error.status if isinstance(error, Refusal) else 400
    data = error.data if isinstance(error, Refusal) else None
    return json_answer({"error": data or error_to_dict(error, language)}, status)


# Fields of a request


def text_of(data: Mapping[str, Any], key: str, default: str | None = None) -> str:
    """Read a string; raises Refusal, also if it is missing and has no default."""
    value = data.get(key, default)
    if not isinstance(value, str):
        raise wrong_field(key, value, Fact("a_text"))
    return value


def headers_of(data: Mapping[str, Any]) -> dict[str, str]:
    """Read ``headers`` of a game, texts by name; raises Refusal."""
    headers = data.get("headers", {})
    if not isinstance(headers, dict) or not all(isinstance(v, str) for v in headers.values()):
        raise wrong_field("headers", headers, Fact("request.headers"))
    return headers


def number_of(data: Mapping[str, Any], key: str, default: float, low: float, high: float) -> float:
    """Read a number from ``low`` to ``high``; raises Refusal."""
    value = data.get(key, default)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:
        expected = Fact("number", least=f"{low:g}", most=f"{high:g}")
        raise wrong_field(key, value, expected)
    return cast("float", value)


def language_of(text: str, default: Language) -> Language:
    """Parse a language code; empty means the default. Raises Refusal."""
    if not text:
        return default
    for language in LANGUAGES:
        if language == text:
            return language
    raise wrong_field("lang", text, one_of(LANGUAGES))


def language_in(data: Mapping[str, Any], default: Language) -> Language:
    """Read ``lang``; raises Refusal."""
    return language_of(text_of(data, "lang", ""), default)


def voice_of(data: Mapping[str, Any], default: Voice) -> Voice:
    """Read ``lang`` and ``notation``, each with its default from a voice; raises Refusal."""
    language = language_in(data, default.language)
    text = text_of(data, "notation", "")
    if not text:
        return replace(default, language=language)
    for notation in MOVE_NOTATIONS:
        if notation == text:
            return replace(default, language=language, chosen=notation)
    raise wrong_field("notation", text, one_of(MOVE_NOTATIONS))
