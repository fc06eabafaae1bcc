"""A searcher that does not think: it plays any move, but heeds limits, stop and ponderhit.

``python -m tests.engines.fake_searcher`` is an engine made of it; :class:`Conversation` is one
inside the process of a test.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, BinaryIO, Literal

from tests.support.patience import PATIENCE_S
from xiangqi import Move
from xiangqi.core.board import CoreBoard, RuleSwitches
from xiangqi.core.network import Network
from xiangqi.core.searches import SearchInfo, SearchLimits, SearchResult
from xiangqi.core.tablebase import Tables
from xiangqi.engine import Engine
from xiangqi.engine.conversation import run
from xiangqi.engine.meihua import make_servers
from xiangqi.engine.protocol import Tools

NODES_PER_DEPTH = 1000
DEEPEST = 100


class FakeSearcher:
    """Each depth takes ``step_ms`` and finds ``score``; the move is the first in order.

    ``calls`` lists the requests, ``at`` is the root move that it says it is at, ``error`` is
    raised instead of an answer, ``deaf`` makes it begin to listen so many seconds late, as a search
    that takes long to start would; ``listens`` is set when it has begun.
    """

    def __init__(self, *, step_ms: float = 1.0, score: int = 12) -> None:
        self.step_ms = step_ms
        self.score = score
        self.bound: Literal["exact", "lower", "upper"] = "exact"
        self.deaf_s = 0.0
        self.error: Exception | None = None
        self.entry: tuple[Move | None, str, int, int] | None = None
        self.at: tuple[int, Move, int] | None = None
        self.calls: list[str] = []
        self.network: Network | None = None
        self.limits: Any = None  # the last that were requested
        self.switches: RuleSwitches | None = None
        self.listens = threading.Event()
        self._stop = threading.Event()
        self._hit = threading.Event()

    def set_hash(self, megabytes: int) -> None:
        if megabytes > 4096:
            raise MemoryError("no memory")
        self.calls.append(f"hash {megabytes}")

    def set_threads(self, threads: int) -> None:
        self.calls.append(f"threads {threads}")

    def set_network(self, network: Network) -> None:
        self.network = network

    def set_tables(self, tables: Tables | None) -> None:
        self.calls.append(f"tables {tables is not None}")

    def clear(self) -> None:
        self.calls.append("clear")

    def stop(self) -> None:
        self._stop.set()

    def ponderhit(self) -> None:
        self._hit.set()

    def probe(self, board: CoreBoard) -> tuple[Move | None, str, int, int] | None:
        return self.entry

    def current_move(self) -> tuple[int, Move, int] | None:
        return self.at

    def search(
        self,
        board: CoreBoard,
        limits: SearchLimits,
        switches: RuleSwitches,
        on_info: Callable[[SearchInfo], None] | None = None,
    ) -> SearchResult:
        self.limits, self.switches = limits, switches
        if self.deaf_s:
            time.sleep(self.deaf_s)
        self._stop.clear()
        self._hit.clear()
        self.listens.set()
        if self.error is not None:
            raise self.error
        return self._iterate(board, limits, on_info or (lambda info: None))

    def _iterate(
        self, board: CoreBoard, limits: SearchLimits, on_info: Callable[[SearchInfo], None]
    ) -> SearchResult:
        moves = sorted(board.list_moves() if limits.moves is None else limits.moves)
        lines = [self._line(board, move) for move in moves[: max(1, limits.multipv)]]
        begun = started = time.perf_counter()
        pondering = bool(limits.ponder)
        depth = nodes = 0
        while True:
            depth, nodes = depth + 1, nodes + NODES_PER_DEPTH
            self._stop.wait(self.step_ms / 1000)
            if pondering and self._hit.is_set():
                pondering, started = False, time.perf_counter()
            spent = int((time.perf_counter() - begun) * 1000)
            for number, line in enumerate(lines, start=1):
                score = self.score - number + 1
                seen = (depth, depth + 2, number, score, self.bound, nodes, spent, 7, line)
                on_info(SearchInfo(*seen))
            used = (time.perf_counter() - started) * 1000
            if self._stop.is_set() or self._is_over(limits, pondering, depth, nodes, used):
                break
        best, *rest = lines[0]
        return SearchResult(
            best, rest[0] if rest else None, self.score, depth, nodes, spent, (0, 0, 0)
        )

    def _line(self, board: CoreBoard, move: Move) -> tuple[Move, ...]:
        after = board.copy()
        after.push(move)
        return (move, *sorted(after.list_moves())[:1])

    def _is_over(
        self, limits: SearchLimits, pondering: bool, depth: int, nodes: int, used: float
    ) -> bool:
        if depth >= (limits.depth or DEEPEST) or 0 < limits.nodes <= nodes:
            return True
        patience = limits.soft_ms or limits.hard_ms
        return not pondering and 0 < patience <= used + self.step_ms


class Conversation:
    """Dialogue of a GUI with an engine in this process."""

    def __init__(self, searcher: FakeSearcher | None = None, tools: Tools | None = None) -> None:
        self.searcher = searcher or FakeSearcher()
        self.engine = Engine(self.searcher)
        self._stdin, self._to_engine = _pipe()
        self._from_engine, self._stdout = _pipe()
        self._heard: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._speak, args=(tools,)),
            threading.Thread(target=self._listen),
        ]
        for thread in self._threads:
            thread.start()

    def _speak(self, tools: Tools | None) -> None:
        run(self._stdin, self._stdout, lambda output: make_servers(self.engine, output, tools))
        self._stdin.close()
        self._stdout.close()

    def _listen(self) -> None:
        for line in self._from_engine:
            self._heard.put(line.decode().rstrip("\n"))
        self._heard.put(None)

    def send(self, *lines: str | bytes) -> None:
        """Say lines, ends being added."""
        for line in lines:
            self._to_engine.write((line.encode() if isinstance(line, str) else line) + b"\n")
        self._to_engine.flush()

    def hear(self, timeout: float = PATIENCE_S) -> str:
        """The next line; queue.Empty if none comes in time."""
        line = self._heard.get(timeout=timeout)
        assert line is not None, "the engine has left"
        return line

    def expect(self, beginning: str) -> str:
        """The first line from now on that begins like this."""
        return self.until(beginning)[-1]

    def until(self, beginning: str) -> list[str]:
        """All lines up to the first that begins like this."""
        lines = [self.hear()]
        while not lines[-1].startswith(beginning):
            lines.append(self.hear())
        return lines

    def ask(self, *lines: str | bytes) -> list[str]:
        """Say lines, and give what is heard until the engine has read them all."""
        self.send(*lines, "isready")
        return self.until("readyok")[:-1]

    def end(self) -> list[str]:
        """Close the pipe, wait for the engine to leave, and give what else it said."""
        self._to_engine.close()
        for thread in self._threads:
            thread.join(timeout=PATIENCE_S)
            assert not thread.is_alive()
        self._from_engine.close()
        lines = []
        while (line := self._heard.get(timeout=PATIENCE_S)) is not None:
            lines.append(line)
        self._heard.put(None)
        return lines

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()


def _pipe() -> tuple[BinaryIO, BinaryIO]:
    reader, writer = os.pipe()
    return os.fdopen(reader, "rb"), os.fdopen(writer, "wb")


def main() -> None:
    """An engine as a GUI starts it; the argument is how long a depth takes, in milliseconds."""
    step_ms = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    engine = Engine(FakeSearcher(step_ms=step_ms))
    run(sys.stdin.buffer, sys.stdout.buffer, lambda output: make_servers(engine, output))


if __name__ == "__main__":
    main()
