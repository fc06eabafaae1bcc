"""Questions about games: read, with the moves of earlier ones, and answered.

What is answered here needs neither engine nor files, so that a browser that runs the package has a
board and a referee before all the rest is loaded.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeVar

from xiangqi.errors import Fact, XiangqiError, outside
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
    text_of_error,
    voice_of,
    wrong_field,
)
from xiangqi.web.serve.positions import (
    choose_rule_set,
    describe_books,
    describe_position,
    describe_problems,
    describe_ruling,
)
from xiangqi.words import Language
from xiangqi.words.voice import PAGE_VOICE, Voice

if TYPE_CHECKING:
    from xiangqi.books import Book

__all__ = ["JSON", "MAX_DATA", "Describe", "Lines", "Questions", "Route", "telling_faults"]

MAX_DATA: Final = 1 << 16
"""Maximum size of a request's data, in bytes."""
JSON: Final = "application/json"
_MAX_KEPT: Final = 64
"""Maximum number of lines kept, of all pages together."""

T = TypeVar("T")
Describe = Callable[[dict[str, Any], RuleSet, Voice], dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Route:
    """Handler of an address, and the body that it takes. What lets an engine think is ``awaited``;
    cancelling that ends the search."""

    answer: Callable[[Request], Answer] | None
    kind: str = ""
    """The media type of the body; empty where none is taken."""
    most_bytes: int = 0
    awaited: Callable[[Request], Awaitable[Answer | Stream]] | None = None


@contextmanager
def telling_faults(language: Language) -> Iterator[None]:
    """Translate errors of a game or a position into the language of the page."""
    try:
        yield
    except XiangqiError as error:
        status = error.status if isinstance(error, Refusal) else 400
        why = outside(text_of_error(error, language))
        raise Refusal(status, why, getattr(error, "ply", None)) from error


class Lines:
    """The moves of earlier questions, by the page and the name it gave to its line.

    A question with ``of``, such a name, and ``keep`` means the first so many moves of that
    line, followed by its own ``moves``; ``as`` names the line that results.

    >>> lines = Lines()
    >>> lines.remember({"page": "p", "as": "1", "moves": ["h2e2", "h9g7"]})
    >>> lines.complete({"page": "p", "of": "1", "keep": 1, "moves": ["b9c7"]})["moves"]
    ['h2e2', 'b9c7']
    """

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str], list[Any]] = OrderedDict()
        self._lock = threading.Lock()

    def complete(self, data: dict[str, Any]) -> dict[str, Any]:
        """Fill in the moves of an earlier question.

        Raises Refusal: 409 where the line is not known any more, so that the page sends it whole.
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
            raise wrong_field("moves", moves, Fact("moves"))
        return {**data, "moves": [*known[:keep], *moves]}

    def remember(self, data: Mapping[str, Any]) -> None:
        """Keep the moves of a question that could be answered, if it has a name for them."""
        if "as" not in data:
            return
        with self._lock:
            self._known[text_of(data, "page"), text_of(data, "as")] = data.get("moves", [])
            while len(self._known) > _MAX_KEPT:
                self._known.popitem(last=False)


class Questions:
    """Reads questions under one rule set, unless they name another, and answers those about
    positions and rulings; ``routes`` are their addresses."""

    def __init__(
        self, rules: RuleSet | str = WXF, voice: Voice = PAGE_VOICE, book: Book | None = None
    ) -> None:
        self.rules = find_rule_set(rules)
        self.voice = voice
        self._lines = Lines()
        self.routes: Mapping[str, Route] = {
            "/api/position": self.route(partial(describe_position, book=book)),
            "/api/ruling": self.route(describe_ruling),
            "/api/problems": self.route(describe_problems),
            "/api/books": self.route(describe_books),
        }

    def route(self, describe: Describe) -> Route:
        """Answer questions by a description of their data."""

        def answer(request: Request) -> Answer:
            return json_answer(self.read(request, describe))

        return Route(answer, JSON, MAX_DATA)

    def read(self, request: Request, read: Callable[[dict[str, Any], RuleSet, Voice], T]) -> T:
        """Apply ``read`` to the data of a request, whose line may continue one of an earlier."""
        data = self._lines.complete(request.json())
        rules, voice = self.choices(data)
        with telling_faults(voice.language):
            found = read(data, rules, voice)
        self._lines.remember(data)
        return found

    def choices(self, data: Mapping[str, Any]) -> tuple[RuleSet, Voice]:
        """The rule set of a question, and the language and notation of its answer."""
        with telling_faults(language_in(data, self.voice.language)):
            return choose_rule_set(data, self.rules), voice_of(data, self.voice)
