"""Engines of the server: Meihua in this process, and external engines by name.

Each page has its own engines, one for play and one for analysis, so that pages do not stop each
other's searches. Engines are started on demand, kept for later requests, and restarted after a
crash. At most ``MAX_PAGES`` pages have engines; a new page replaces the least recently used idle
one.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeAlias

from xiangqi.board import Board
from xiangqi.board.scores import AnalysisResult, EngineError, EngineTerminatedError, Option
from xiangqi.client import XiangqiProtocol, open_engine
from xiangqi.contract.errors import error_to_dict
from xiangqi.engine import AsyncMeihua, Engine
from xiangqi.engine.levels import FULL_SKILL, LEVELS, find_level
from xiangqi.ground.errors import Fact, outside
from xiangqi.web.serve.messages import Refusal
from xiangqi.web.serve.searches import (
    in_time,
    limit_of,
    snapshot_of,
    snapshots,
    stopping_after,
    time_limit_of,
    wait_for_move,
)
from xiangqi.web.serve.thinking import (
    EMPTY_RESULT,
    OWN_ENGINE,
    SearchDescriber,
    SearchRequest,
    SearchSnapshot,
)

__all__ = ["MAX_PAGES", "Engines"]

MAX_PAGES: Final = 8
"""Maximum number of pages with engines."""
_MAX_STOPPED: Final = 32
"""Maximum number of pending stop requests; a search may be stopped before it begins."""

_START_S: Final = 10.0
"""Time limit for an engine's start."""
_QUIT_S: Final = 1.0
"""Time limit for an engine's exit."""

AsyncEngine: TypeAlias = AsyncMeihua | XiangqiProtocol


class Engines:
    """All engines; ``commands`` are the command lines of external ones by name."""

    def __init__(self, commands: Mapping[str, str] | None = None) -> None:
        self._commands = dict(commands or {})
        self._of_pages: dict[tuple[str, str], PageEngines] = {}
        self._stopped: tuple[str, ...] = ()
        self._is_closed = False
        self._closing: set[asyncio.Future[None]] = set()

    @property
    def names(self) -> Sequence[str]:
        return (OWN_ENGINE, *self._commands)

    @property
    def is_idle(self) -> bool:
        """Is no search running or waiting?"""
        return not any(engines.is_busy for engines in self._of_pages.values())

    def stop(self, name: str) -> None:
        """Stop the search of this name; it returns its result so far."""
        self._stopped = (*self._stopped[1 - _MAX_STOPPED :], name)
        for engines in self._of_pages.values():
            if name and engines.name == name:
                engines.stop()

    async def close(self) -> None:
        self._is_closed = True
        await asyncio.gather(*(engines.close() for engines in self._of_pages.values()))

    async def play(self, request: SearchRequest) -> dict[str, Any]:
        """Search for a move to play. Raises Refusal if the engine fails."""
        board = request.board
        assert board is not None
        describer = SearchDescriber(board, request.language)
        if not board.allowed_moves(request.rules):
            return describer.describe_move(None, SearchSnapshot())
        engines = self._engines_of(request, "play")
        async with _converting_failures(request), engines.searching(request, plays=True) as search:
            if request.name and request.name in self._stopped:
                search.stop()
            best = await wait_for_move(search, time_limit_of(request))
            if best is None:
                raise EngineError(Fact("driver.no_move"))
            if best in board.barred_moves(request.rules):  # not all engines accept bans
                raise EngineError(Fact("driver.barred", move=best.iccs()))
            return describer.describe_move(best, snapshot_of(search.multipv))

    async def analyse(self, request: SearchRequest) -> AsyncGenerator[Mapping[str, object], None]:
        """Yield the results of a search; a failure as ``error`` of the last one.

        A slow client does not delay the search: it gets the latest result only.
        """
        if request.board is None:
            yield {**EMPTY_RESULT, "final": True}
            return
        if not request.board.allowed_moves(request.rules):
            yield SearchDescriber(request.board, request.language).describe_end()
            return
        latest: asyncio.Queue[Mapping[str, object]] = asyncio.Queue(maxsize=1)
        searching = asyncio.ensure_future(self._run_analysis(request, request.board, latest))
        try:
            while True:
                found = await latest.get()
                yield found
                if found["final"]:
                    return
        finally:
            searching.cancel()

    async def _run_analysis(
        self, request: SearchRequest, board: Board, latest: asyncio.Queue[Mapping[str, object]]
    ) -> None:
        """Run a search and keep its latest result in the queue."""

        def report(found: Mapping[str, object]) -> None:
            with suppress(asyncio.QueueEmpty):
                latest.get_nowait()
            latest.put_nowait(found)

        describer = SearchDescriber(board, request.language)
        found: Mapping[str, object] = EMPTY_RESULT
        try:
            engines = self._engines_of(request, "analyse")
            async with _converting_failures(request), engines.searching(request) as search:
                with stopping_after(time_limit_of(request), search):
                    async for snapshot in snapshots(search):
                        found = describer.describe(snapshot)
                        report(found)
        except Refusal as refusal:
            found = {**found, "error": error_to_dict(refusal, request.language)}
        except Exception as error:
            fault = Refusal(500, Fact("serve.fault", error=repr(error)))
            found = {**found, "error": error_to_dict(fault, request.language)}
            raise
        finally:
            report({**found, "final": True})

    def _engines_of(self, request: SearchRequest, purpose: str) -> PageEngines:
        """Return a page's engines for ``purpose``; raises Refusal if all pages are busy."""
        if request.engine not in self.names:
            raise Refusal(404, Fact("serve.no_engine", name=request.engine))
        if self._is_closed:
            raise Refusal(503, Fact("serve.closing"))
        key = (request.page, purpose)
        engines = self._of_pages.pop(key, None)
        if engines is None:
            self._evict_idle_page(request.page)
            engines = PageEngines(self._commands)
        self._of_pages[key] = engines  # now the most recently used
        return engines

    def _evict_idle_page(self, new_page: str) -> None:
        """Close the least recently used idle page's engines if there are too many pages."""
        pages = {page for page, _ in self._of_pages}
        if new_page in pages or len(pages) < MAX_PAGES:
            return
        busy = {page for (page, _), engines in self._of_pages.items() if engines.is_busy}
        idle = next((page for page, _ in self._of_pages if page not in busy), None)
        if idle is None:
            raise Refusal(503, Fact("serve.engines_busy", pages=MAX_PAGES))
        for key in [key for key in self._of_pages if key[0] == idle]:
            closing = asyncio.ensure_future(self._of_pages.pop(key).close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)


@asynccontextmanager
async def _converting_failures(request: SearchRequest) -> AsyncIterator[None]:
    """Convert errors of an engine to Refusal."""
    name = request.engine
    try:
        yield
    except EngineError as error:
        raise Refusal(502, Fact("serve.engine_failed", name=name, why=outside(error))) from error
    except asyncio.TimeoutError as error:
        raise Refusal(504, Fact("serve.engine_silent", name=name)) from error


class PageEngines:
    """Engines of one page for one purpose; one of them searches at a time."""

    def __init__(self, commands: Mapping[str, str]) -> None:
        self._commands = commands
        self._ours: Engine | None = None
        self._engines: dict[str, AsyncEngine] = {}
        self._leaving: set[asyncio.Future[None]] = set()
        self._turn = asyncio.Lock()
        self._requests = 0
        self._search: AnalysisResult | None = None
        self.name = ""
        """Name of the current search."""

    @property
    def is_busy(self) -> bool:
        """Is a search running or waiting?"""
        return self._turn.locked() or (self._ours is not None and self._ours.is_thinking)

    def stop(self) -> None:
        """Stop the current search; it returns its result so far."""
        if self._search is not None:
            self._search.stop()

    @asynccontextmanager
    async def searching(
        self, request: SearchRequest, *, plays: bool = False
    ) -> AsyncIterator[AnalysisResult]:
        """Start a search; it stops the previous one and is stopped by the next."""
        self._requests += 1
        number = self._requests
        self.stop()
        async with self._turn:
            self.name = request.name
            try:
                self._search = await in_time(self._begin(request, plays))
                if number != self._requests:
                    self._search.stop()
                with self._search:
                    yield self._search
            except (EngineTerminatedError, asyncio.TimeoutError):
                self._drop(request.engine)
                raise
            finally:
                self.name, self._search = "", None

    async def _begin(self, request: SearchRequest, plays: bool) -> AnalysisResult:
        board, limit, rules = request.board, limit_of(request), request.rules
        assert board is not None
        engine = await self._engine(request.engine)
        if isinstance(engine, AsyncMeihua):
            options = _strength(request.level, engine.options)
            return await engine.analysis(
                board, limit, multipv=request.lines, rules=rules, plays=plays, options=options
            )
        has_lines = request.lines > 1 and "MultiPV" in engine.options
        lines = min(request.lines, engine.options["MultiPV"].max or 1) if has_lines else None
        banned = board.barred_moves(rules) if engine.can_ban else ()
        options = _strength(request.level, engine.options)
        return await engine.analysis(board, limit, multipv=lines, banned=banned, options=options)

    async def _engine(self, name: str) -> AsyncEngine:
        """Return the engine of this name; start it if it is not running."""
        engine = self._engines.get(name)
        if isinstance(engine, XiangqiProtocol) and engine.returncode.done():
            self._drop(name)
            engine = None
        if engine is None:
            if name == OWN_ENGINE:
                self._ours = Engine()
                engine = AsyncMeihua(engine=self._ours)
            else:
                engine = await open_engine(self._commands[name], timeout=_START_S)
            self._engines[name] = engine
        return engine

    def _drop(self, name: str) -> None:
        """Kill an engine; the next request starts it again."""
        engine = self._engines.pop(name, None)
        if isinstance(engine, XiangqiProtocol):
            engine.kill()
            leaving = asyncio.ensure_future(_quit(engine))
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)

    async def close(self) -> None:
        self.stop()
        engines = list(self._engines.values())
        self._engines.clear()
        await asyncio.gather(*map(_quit, engines), *self._leaving)


async def _quit(engine: AsyncEngine) -> None:
    with suppress(EngineError, asyncio.TimeoutError):
        await asyncio.wait_for(engine.quit(), _QUIT_S)
    if isinstance(engine, XiangqiProtocol):
        if not engine.returncode.done():
            engine.kill()
        await asyncio.wait({engine.returncode}, timeout=_QUIT_S)
        if engine.transport is not None:
            engine.transport.close()


def _strength(level: int, known: Mapping[str, Option]) -> dict[str, int | bool]:
    """Return the options for a playing level; raises EngineError if the engine has none.

    An engine with ``UCI_Elo`` gets the level's Elo, though its scale may differ from Meihua's.
    """
    if not level:
        return {}
    if "UCI_LimitStrength" in known and "UCI_Elo" in known:
        least, most = known["UCI_Elo"].min, known["UCI_Elo"].max
        elo = find_level(level).elo
        elo = max(elo if least is None else least, min(elo, elo if most is None else most))
        return {"UCI_LimitStrength": True, "UCI_Elo": elo}
    if "Skill Level" in known:
        most = known["Skill Level"].max or FULL_SKILL
        return {"Skill Level": round(most * (level - 1) / (len(LEVELS) - 1))}
    raise EngineError(Fact("driver.no_levels"))
