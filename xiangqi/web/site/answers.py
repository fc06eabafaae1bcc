"""What answers in the browser, in place of a server: the same application, with one thread.

This runs in Pyodide, in a worker of the browser (``static/worker.js``). Nothing leaves the machine.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from xiangqi.board import Board
from xiangqi.casebook.cases import load_cases
from xiangqi.casebook.verify import verify_cases
from xiangqi.core.searcher import SearchInfo, SearchLimits
from xiangqi.engine.bench import run_bench
from xiangqi.engine.network import DEFAULT, choose_network
from xiangqi.engine.searching import make_searcher
from xiangqi.errors import XiangqiError
from xiangqi.referee.rules import WXF, RuleSet
from xiangqi.web.serve.application import Application
from xiangqi.web.serve.labels import label
from xiangqi.web.serve.messages import Answer, Request, error_answer, json_answer, voice_of
from xiangqi.web.serve.positions import choose_rule_set
from xiangqi.web.serve.thinking import Question, describe_thought, read_question
from xiangqi.words.voice import PAGE_VOICE

__all__ = ["Answering", "PatientThinker"]

_HASH_MB: Final = 32
_FIRST_SLICE_MS: Final = 50
_LONGEST_SLICE_MS: Final = 400
_GROWTH: Final = 1.25
"""Each slice of a search is so much longer than the one before: a stop is heard soon, and a long
search loses little by beginning anew from what the hash table knows."""


class PatientThinker:
    """The engine where there is one thread for everything: it lets others speak between slices."""

    def __init__(self) -> None:
        self._searcher = make_searcher(choose_network(DEFAULT), hash_mb=_HASH_MB)
        self._rules: RuleSet = WXF
        self._stopped: set[str] = set()

    def stop(self, name: str) -> None:
        """End the search of this name: it answers what it has found."""
        self._stopped.add(name)

    async def think(self, question: Question, is_abandoned: Callable[[], bool]) -> dict[str, Any]:
        """As the server's thinker does: the move, its line, and who stands better.

        One search at a time; whoever asks sees to that by abandoning the one before.
        """
        if question.rules != self._rules:
            self._searcher.clear()
            self._rules = question.rules
        end = time.monotonic() + question.seconds
        slice_ms = float(_FIRST_SLICE_MS)
        result, infos = self._search(question.board, int(slice_ms))
        while time.monotonic() < end and not is_abandoned() and question.name not in self._stopped:
            await asyncio.sleep(0)
            slice_ms = min(slice_ms * _GROWTH, _LONGEST_SLICE_MS)
            left_ms = max(1, int((end - time.monotonic()) * 1000))
            found, heard = self._search(question.board, min(int(slice_ms), left_ms))
            if found.depth >= result.depth:
                result, infos = found, heard
        self._stopped.discard(question.name)
        return describe_thought(question.board, result, infos, question.language)

    def _search(self, board: Board, milliseconds: int) -> tuple[Any, list[SearchInfo]]:
        infos: list[SearchInfo] = []
        limits = SearchLimits(
            hard_ms=milliseconds, no_capture_limit=self._rules.no_capture_limit or 0
        )
        return self._searcher.search(board, limits, self._rules.switches, infos.append), infos


class Answering:
    """Answers the questions of the page.

    >>> status, kind, body = asyncio.run(Answering().answer("GET", "/", b"", lambda: False))
    >>> status, kind
    (200, 'text/html; charset=utf-8')
    """

    def __init__(self) -> None:
        self._application = Application()
        self._thinker = PatientThinker()
        self._slow: Mapping[str, Callable[[Request], Awaitable[dict[str, Any]]]] = {
            "/api/engine": self._think,
            "/api/stop": self._stop,
            "/api/check": self._check,
        }

    async def answer(
        self, method: str, target: str, body: bytes, is_abandoned: Callable[[], bool]
    ) -> tuple[int, str, bytes]:
        """The status, the media type and the body of an answer."""
        request = Request(target, bytes(body), is_abandoned)
        try:
            answer = await self._find(method, request)
        except XiangqiError as error:
            answer = error_answer(error)
        return answer.status, answer.kind, answer.body

    async def _find(self, method: str, request: Request) -> Answer:
        slow = self._slow.get(request.path)
        if slow is not None:
            return json_answer(await slow(request))
        return self._application.find_route(method, request.target).answer(request)

    async def _think(self, request: Request) -> dict[str, Any]:
        data = request.json()
        rules, voice = choose_rule_set(data, WXF), voice_of(data, PAGE_VOICE)
        question = read_question(data, rules, voice.language)
        return await self._thinker.think(question, request.is_abandoned)

    async def _stop(self, request: Request) -> dict[str, Any]:
        self._thinker.stop(str(request.json()["search"]))
        return {}

    async def _check(self, request: Request) -> dict[str, Any]:
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
