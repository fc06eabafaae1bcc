"""Requests and responses: a request as the rest of the server sees it, and its answer."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast
from urllib.parse import SplitResult, parse_qs, urlsplit

from xiangqi.errors import XiangqiError, quote
from xiangqi.facts import Fact
from xiangqi.games.record import parse_json_object
from xiangqi.words import LANGUAGES, Language
from xiangqi.words.voice import MOVE_NOTATIONS, Voice

__all__ = [
    "Answer",
    "Refusal",
    "Request",
    "Stream",
    "error_answer",
    "html_answer",
    "json_answer",
    "language_of",
    "lines_answer",
    "number_of",
    "text_of",
    "text_of_error",
    "voice_of",
]

HTML: Final = "text/html; charset=utf-8"
JSON: Final = "application/json; charset=utf-8"
LINES: Final = "application/x-ndjson"


class Refusal(XiangqiError):
    """A request that is not answered, with its HTTP status.

    >>> print(Refusal(413, "more than 65536 bytes"))
    413: more than 65536 bytes
    """

    def __init__(self, status: int, why: str, ply: int | None = None) -> None:
        super().__init__(status, why, ply)
        self.status = status
        self.why = why
        self.ply = ply
        """The move of a game that is refused, from 0, where it is one."""

    def _state(self) -> Fact:
        return Fact("error.status", status=self.status, why=self.why)


@dataclass(frozen=True, slots=True)
class Request:
    """Request, after HTTP has been handled."""

    target: str
    """The path with its query."""
    body: bytes = b""

    @property
    def path(self) -> str:
        """The path without its query, as it was sent."""
        return self._parts.path

    def query(self, name: str) -> str:
        """The value of a name in the query; empty if there is none."""
        return parse_qs(self._parts.query).get(name, [""])[0]

    def json(self) -> dict[str, Any]:
        """The body as a JSON object; raises RecordError, or Refusal where it is not UTF-8."""
        try:
            return parse_json_object(self.body.decode("utf-8"))
        except UnicodeDecodeError as error:
            raise Refusal(400, f"the body is not UTF-8: {error.reason}") from error

    @property
    def _parts(self) -> SplitResult:
        try:
            return urlsplit(self.target)
        except ValueError as error:
            raise Refusal(400, f"address {quote(self.target)}: {error}") from error


@dataclass(frozen=True, slots=True)
class Answer:
    """Response."""

    body: bytes
    kind: str
    """The media type."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Stream:
    """Response that is streamed. Closing it ends the search for more."""

    pieces: AsyncGenerator[bytes, None]
    kind: str
    """The media type."""


def lines_answer(found: AsyncGenerator[Mapping[str, Any], None]) -> Stream:
    """Data as it is found, a line each (https://github.com/ndjson/ndjson-spec)."""

    async def write() -> AsyncGenerator[bytes, None]:
        async with aclosing(found):
            async for data in found:
                yield json.dumps(data).encode() + b"\n"

    return Stream(write(), LINES)


def html_answer(page: str, status: int = 200) -> Answer:
    """A page."""
    return Answer(page.encode("utf-8", "backslashreplace"), HTML, status)


def json_answer(data: object, status: int = 200) -> Answer:
    """Data."""
    return Answer(json.dumps(data).encode(), JSON, status)


def error_answer(error: XiangqiError) -> Answer:
    """Response to an invalid request: ``{"error": "..."}``, with the ``ply`` where it has one."""
    status = error.status if isinstance(error, Refusal) else 400
    return json_answer({"error": text_of_error(error), "ply": getattr(error, "ply", None)}, status)


def text_of_error(error: XiangqiError) -> str:
    """Text of an error, without the status."""
    return error.why if isinstance(error, Refusal) else str(error)


# What stands in a request's data


def text_of(data: Mapping[str, Any], key: str, default: str | None = None) -> str:
    """A text in the data; raises Refusal, also where it is missing and has no default."""
    value = data.get(key, default)
    if not isinstance(value, str):
        raise Refusal(400, f"{key}: {quote(value)}: expected text")
    return value


def number_of(data: Mapping[str, Any], key: str, default: float, low: float, high: float) -> float:
    """A number in the data, from ``low`` to ``high``; raises Refusal."""
    value = data.get(key, default)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:
        raise Refusal(400, f"{key}: {quote(value)}: expected a number {low:g} to {high:g}")
    return cast("float", value)


def language_of(text: str, default: Language) -> Language:
    """The language of this name, or the default for an empty one; raises Refusal."""
    if not text:
        return default
    for language in LANGUAGES:
        if language == text:
            return language
    raise Refusal(400, f"lang: {quote(text)}: expected one of {', '.join(LANGUAGES)}")


def voice_of(data: Mapping[str, Any], default: Voice) -> Voice:
    """The ``lang`` and the ``notation`` of the data, or those of the default; raises Refusal."""
    language = language_of(text_of(data, "lang", ""), default.language)
    text = text_of(data, "notation", "")
    if not text:
        return replace(default, language=language)
    for notation in MOVE_NOTATIONS:
        if notation == text:
            return replace(default, language=language, chosen=notation)
    raise Refusal(400, f"notation: {quote(text)}: expected one of {', '.join(MOVE_NOTATIONS)}")
