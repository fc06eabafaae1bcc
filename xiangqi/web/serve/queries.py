"""Requests about games: reading them, and answering those about positions and rulings.

This needs neither engine nor files, so that the static site has a board and a referee before the
rest of the package is loaded.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from xiangqi.contract.errors import error_to_dict
from xiangqi.ground.errors import Fact, XiangqiError
from xiangqi.ground.texts import Language
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set
from xiangqi.web.serve.messages import (
    Answer,
    Refusal,
    Request,
    Stream,
    json_answer,
    language_in,
    number_of,
    text_of,
    voice_of,
    wrong_field,
)
from xiangqi.web.serve.positions import (
    choose_rule_set,
    describe_books,
    describe_position,
    describe_problems,
    describe_ruling,
    explain_illegal,
)
from xiangqi.words.voice import PAGE_VOICE, Voice

if TYPE_CHECKING:
    from xiangqi.books import Book

__all__ = ["JSON", "MAX_DATA", "Describe", "LineCache", "Queries", "Route", "translating_errors"]

MAX_DATA: Final = 1 << 16
"""Maximum size of a request's JSON, in bytes."""
JSON: Final = "application/json"
_MAX_CACHED: Final = 64
"""Maximum number of cached lines of all pages together."""

T = TypeVar("T")
Describe = Callable[[dict[str, Any], RuleSet, Voice], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Route:
    """Handler of an address, and the request body that it accepts.

    Handlers that search are coroutines, ``awaited``; cancelling them stops the search.
    """

    answer: Callable[[Request], Answer] | None
    kind: str = ""
    """Media type of the body; empty: no body."""
    max_bytes: int = 0
    awaited: Callable[[Request], Awaitable[Answer | Stream]] | None = None


@contextmanager
def translating_errors(language: Language) -> Iterator[None]:
    """Convert errors to Refusal, worded in the language of the page."""
    try:
        yield
    except XiangqiError as error:
        status = error.status if isinstance(error, Refusal) else 400
        raise Refusal(status, error.fact, error_to_dict(error, language)) from error


class LineCache:
    """Cache of the moves of earlier requests, so that a page sends only what has changed.

    ``as`` names the moves of a request. A later one with this name as ``of`` continues the first
    ``keep`` of them by its own ``moves``. Names belong to a ``page``.

    >>> lines = LineCache()
    >>> lines.remember({"page": "p", "as": "1", "moves": ["h2e2", "h9g7"]})
    >>> lines.complete({"page": "p", "of": "1", "keep": 1, "moves": ["b9c7"]})["moves"]
    ['h2e2', 'b9c7']
    """

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], list[Any]] = OrderedDict()
        self._lock = threading.Lock()

    def complete(self, data: dict[str, Any]) -> dict[str, Any]:
        """Fill in the moves of an earlier request.

        Raises Refusal; status 409 means that the line is not cached, and the page sends it whole.
        """
        if "of" not in data:
            return data
        name = text_of(data, "of")
        with self._lock:
            known = self._known.get((text_of(data, "page"), name))
        if known is None:
            raise Refusal(409, Fact("request.unknown_line", place="of", given=name))
        keep = int(number_of(data, "keep", len(known), 0, len(known)))
        moves = data.get("moves", [])
        if not isinstance(moves, list):
            raise wrong_field("moves", moves, Fact("move_list"))
        return {**data, "moves": [*known[:keep], *moves]}

    def remember(self, data: Mapping[str, Any]) -> None:
        """Cache the moves of a valid request, if it names them."""
        if "as" not in data:
            return
        with self._lock:
            self._known[text_of(data, "page"), text_of(data, "as")] = data.get("moves", [])
            while len(self._known) > _MAX_CACHED:
                self._known.popitem(last=False)


class Queries:
    """Reads requests about games; ``routes`` handle those about positions and rulings.

    ``rules`` and ``voice`` are the defaults of requests.
    """

    def __init__(
        self, rules: RuleSet | str = WXF, voice: Voice = PAGE_VOICE, book: Book | None = None
    ) -> None:
        self.rules = find_rule_set(rules)
        self.voice = voice
        self._lines = LineCache()
        self.routes: Mapping[str, Route] = {
            "/api/position": self.route(partial(describe_position, book=book)),
            "/api/ruling": self.route(describe_ruling),
            "/api/problems": self.route(describe_problems),
            "/api/books": self.route(describe_books),
            "/api/why": self.route(explain_illegal),
            "/api/sheet": self.route(_describe_sheet),
            "/api/opening": self.route(_describe_opening),
        }

    def route(self, describe: Describe) -> Route:
        """Make the handler that responds with ``describe`` of a request's data, as JSON."""

        def answer(request: Request) -> Answer:
            return json_answer(self.read(request, describe))

        return Route(answer, JSON, MAX_DATA)

    def read(self, request: Request, read: Callable[[dict[str, Any], RuleSet, Voice], T]) -> T:
        """Apply ``read`` to a request's data, completed by the moves of an earlier request."""
        data = self._lines.complete(request.json())
        rules, voice = self.options(data)
        with translating_errors(voice.language):
            found = read(data, rules, voice)
        self._lines.remember(data)
        return found

    def options(self, data: Mapping[str, Any]) -> tuple[RuleSet, Voice]:
        """Read the rule set, language and notation of a request."""
        with translating_errors(language_in(data, self.voice.language)):
            return choose_rule_set(data, self.rules), voice_of(data, self.voice)


def _describe_sheet(data: dict[str, Any], rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """Make the ruling sheet; its templates are loaded only then."""
    from xiangqi.web.serve.sheets import describe_sheet

    return describe_sheet(data, rules, voice)


def _describe_opening(data: dict[str, Any], rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """Describe the opening; books are loaded only then."""
    from xiangqi.web.serve.explorer import describe_opening

    return describe_opening(data, rules, voice)
