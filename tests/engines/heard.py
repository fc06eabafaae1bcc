"""An engine on a searcher that does not think, and what it says."""

from __future__ import annotations

import queue

from tests.engines.fake_searcher import FakeSearcher
from tests.support.patience import PATIENCE_S
from xiangqi import Move
from xiangqi.engine import Engine, Limits, SearchResult

CHECK_FEN = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
CHECK_MOVES = "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8".split()
ENDLESS = Limits(infinite=True)


class Heard:
    """An engine and what it says."""

    def __init__(self, **settings: float) -> None:
        self.searcher = FakeSearcher(**settings)  # type: ignore[arg-type]
        self.messages: list[str] = []
        self.depths: list[int] = []
        self.results: queue.SimpleQueue[SearchResult] = queue.SimpleQueue()
        self.engine = Engine(
            self.searcher,
            on_info=lambda info: self.depths.append(info.depth),
            on_best=self.results.put,
            on_message=self.messages.append,
        )

    def result(self) -> SearchResult:
        return self.results.get(timeout=PATIENCE_S)

    def go(self, limits: Limits) -> SearchResult:
        self.engine.go(limits)
        return self.result()


def moves(text: str) -> tuple[Move, ...]:
    return tuple(map(Move.from_iccs, text.split()))
