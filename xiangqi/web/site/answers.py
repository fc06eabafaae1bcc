"""What answers in the browser, in place of a server: the same application, with one thread.

This runs in Pyodide, in a worker of the browser (``static/worker.js``). Nothing leaves the machine.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Any, Final

from xiangqi.casebook.cases import load_cases
from xiangqi.casebook.verify import verify_cases
from xiangqi.core.move import Move
from xiangqi.engine import Engine, Limits, SearchInfo
from xiangqi.engine.bench import run_bench
from xiangqi.engine.network import DEFAULT, choose_network
from xiangqi.errors import XiangqiError
from xiangqi.pieces import RED
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.labels import label
from xiangqi.web.serve.messages import (
    Answer,
    Request,
    Stream,
    error_answer,
    json_answer,
    voice_of,
)
from xiangqi.web.serve.thinking import NOTHING, OURS, Line, Question, Seen, Teller
from xiangqi.words.voice import PAGE_VOICE

__all__ = ["Answering", "PatientThinker"]

_HASH_MB: Final = 32
_FIRST_SLICE_S: Final = 0.05
_LONGEST_SLICE_S: Final = 0.4
_GROWTH: Final = 1.25
"""Each slice of a search is so much longer than the one before: a stop is heard soon, and a long
search loses little by beginning anew from what the hash table knows."""
_EARLY: Final = 0.5
"""A search that ends within this part of its slice has nothing more to find."""
_MOVES_TO_COME: Final = 30


class PatientThinker:
    """Our engine where there is one thread for everything: it lets others speak between slices.

    There is one search at a time; a newer one ends it.
    """

    names: Sequence[str] = (OURS,)

    def __init__(self) -> None:
        self._engine = Engine()
        self._engine.set_option("hash", _HASH_MB)
        self._engine.set_option("move_overhead", 0)
        self._stopped: set[str] = set()
        self._asked = 0

    def stop(self, name: str) -> None:
        """End the search of this name: it answers what it has found."""
        self._stopped.add(name)

    async def play(self, question: Question) -> dict[str, Any]:
        """The move that the engine would play, by the rules."""
        assert question.board is not None
        best, seen = None, Seen()
        async for found, told in self._search(question, plays=True):
            best, seen = found, told
        self._stopped.discard(question.name)
        return Teller(question.board, question.language).tell_move(best, seen)

    async def analyse(self, question: Question) -> AsyncGenerator[dict[str, Any], None]:
        """What the engine finds, as it finds it."""
        found = NOTHING
        if question.board is not None:
            teller = Teller(question.board, question.language)
            if not question.board.allowed_moves(question.rules):
                yield teller.tell_end()
                return
            async for _, seen in self._search(question, plays=False):
                found = teller.tell(seen)
                yield found
        yield {**found, "final": True}

    async def close(self) -> None:
        """End the search."""
        self._asked += 1

    async def _search(
        self, question: Question, *, plays: bool
    ) -> AsyncGenerator[tuple[Move | None, Seen], None]:
        """Search in slices: what each has found, if it came as far as those before."""
        self._asked += 1
        mine = self._asked
        begun, budget = time.monotonic(), _seconds_for(question)
        slice_s, depth, nodes = _FIRST_SLICE_S, 0, 0
        is_over = False
        while not is_over:
            slice_begun = time.monotonic()
            left_s = budget - (slice_begun - begun)
            best, infos = self._search_once(question, min(slice_s, left_s), plays=plays)
            reached = max((info.depth for info in infos), default=0)
            nodes += max((info.nodes for info in infos), default=0)
            now = time.monotonic()
            if reached >= depth:
                depth = reached
                yield best, _seen(infos, nodes, now - begun)
            is_early = now - slice_begun < slice_s * _EARLY and slice_s < left_s
            is_complete = is_early or question.level > 0  # a level's choice is made once
            is_deep = question.depth is not None and reached >= question.depth
            await asyncio.sleep(0)
            is_ended = mine != self._asked or question.name in self._stopped - {""}
            is_over = (
                bool(question.level) or is_complete or is_deep or is_ended or now - begun >= budget
            )
            slice_s = min(slice_s * _GROWTH, _LONGEST_SLICE_S)

    def _search_once(
        self, question: Question, seconds: float, *, plays: bool
    ) -> tuple[Move | None, list[SearchInfo]]:
        """The move, where one is wanted, and the last word on each line."""
        engine, board = self._engine, question.board
        assert board is not None
        engine.set_option("multipv", question.lines)
        milliseconds = max(1, round(1000 * seconds))
        limits = Limits(movetime_ms=milliseconds, depth=question.depth or 0, level=question.level)
        rules = question.rules
        if not plays:
            return None, engine.analyse(board, limits, rules=rules)
        lines: dict[int, SearchInfo] = {}
        best = engine.play(
            board, limits, lambda info: lines.update({info.multipv: info}), rules=rules
        ).best
        return best, [lines[number] for number in sorted(lines)]


def _seconds_for(question: Question) -> float:
    """How long to think; a clock is divided as if so many moves were to come."""
    clocks = question.clocks
    if clocks is None or question.board is None:
        return math.inf if question.seconds is None else question.seconds
    is_red = question.board.turn == RED
    left_ms = clocks.red_ms if is_red else clocks.black_ms
    increment_ms = clocks.red_increment_ms if is_red else clocks.black_increment_ms
    return (left_ms / _MOVES_TO_COME + increment_ms / 2) / 1000


def _seen(infos: Sequence[SearchInfo], nodes: int, seconds: float) -> Seen:
    lines = tuple(Line(info.score, info.pv) for info in infos)
    if not infos:
        return Seen()
    return Seen(infos[0].depth, infos[0].seldepth, nodes, seconds, lines)


class Answering:
    """Answers the questions of the page, a number each.

    ``begin`` is told the status and the media type, ``write`` the content, piece by piece.

    >>> told = []
    >>> answering, question = Answering(), (0, "GET", "/", b"")
    >>> asyncio.run(answering.answer(*question, lambda *head: told.append(head), told.append))
    >>> told[0]
    (200, 'text/html; charset=utf-8')
    """

    def __init__(self) -> None:
        self._application = Application(thinker=PatientThinker())
        self._asked: dict[int, asyncio.Task[None]] = {}

    async def answer(
        self,
        number: int,
        method: str,
        target: str,
        body: bytes,
        begin: Callable[[int, str], object],
        write: Callable[[bytes], object],
    ) -> None:
        """Answer a question, unless it is abandoned."""
        task = asyncio.ensure_future(
            self._answer(method, Request(target, bytes(body)), begin, write)
        )
        self._asked[number] = task
        try:
            await asyncio.wait({task})
            if not task.cancelled():
                task.result()
        finally:
            del self._asked[number]

    def abandon(self, number: int) -> None:
        """Nobody waits for this answer any more."""
        if number in self._asked:
            self._asked[number].cancel()

    async def _answer(
        self,
        method: str,
        request: Request,
        begin: Callable[[int, str], object],
        write: Callable[[bytes], object],
    ) -> None:
        try:
            answer = await self._find(method, request)
        except XiangqiError as error:
            answer = error_answer(error)
        if isinstance(answer, Answer):
            begin(answer.status, answer.kind)
            write(answer.body)
            return
        begin(200, answer.kind)
        async with aclosing(answer.pieces):
            async for piece in answer.pieces:
                write(piece)

    async def _find(self, method: str, request: Request) -> Answer | Stream:
        if request.path == "/api/check":
            return json_answer(self._check(request))
        route = self._application.find_route(method, request.target)
        if route.awaited is not None:
            return await route.awaited(request)
        assert route.answer is not None
        return route.answer(request)

    def _check(self, request: Request) -> dict[str, Any]:
        """Does the core do here what it does elsewhere? The rule book's cases and the bench."""
        language = voice_of(request.json(), PAGE_VOICE).language
        begun = time.monotonic()
        results = list(verify_cases(load_cases()))
        ruled = time.monotonic()
        found = {
            "cases": len(results),
            "passed": sum(result.passed for result in results),
            "rulings": sum(result.rulings for result in results),
            "nodes": run_bench(network=choose_network(DEFAULT)).nodes,
        }
        seconds = {"ruling": ruled - begun, "searching": time.monotonic() - ruled}
        return {**found, **seconds, "words": label(language, "check_found", **found, **seconds)}
