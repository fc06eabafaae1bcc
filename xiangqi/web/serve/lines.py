"""Games of earlier questions, so that the next question need only hold what has changed."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

from xiangqi.errors import Fact
from xiangqi.web.serve.messages import Refusal, number_of, text_of, wrong_field

__all__ = ["Lines"]

_MAX_KEPT: Final = 64
"""Maximum number of lines kept, of all pages together."""


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
