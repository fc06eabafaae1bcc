"""The engines of a server: ours in this process, and others by their names.

Each page has engines of its own, so that pages do not end each other's searches: one that plays and
one that analyses. They are started when they are first needed, stay for the next question, and are
started anew when they have died. So many pages have engines at a time; the one that has been silent
for longest gives its place away.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Final, TypeAlias

from xiangqi.board import Board
from xiangqi.client import XiangqiProtocol, open_engine
from xiangqi.core.move import Move
from xiangqi.engine import AsyncMeihua, Engine
from xiangqi.engine.levels import FULL_SKILL, LEVELS, find_level
from xiangqi.errors import Fact, outside
from xiangqi.referee.rules import RuleSet
from xiangqi.scores import AnalysisResult, EngineError, EngineTerminatedError, Option
from xiangqi.web.serve.messages import Refusal
from xiangqi.web.serve.searches import (
    in_time,
    limit_of,
    news,
    seen_in,
    stopping_after,
    time_of,
    wait,
)
from xiangqi.web.serve.thinking import NOTHING, OURS, Question, Seen, Teller

__all__ = ["MAX_PAGES", "Engines"]

MAX_PAGES: Final = 8
"""Maximum number of pages with engines at a time."""
_MAX_STOPPED: Final = 32
"""Maximum number of pending stop requests; a search may be stopped before it begins."""

_START_S: Final = 10.0
"""Time limit for the start of an engine."""
_FAREWELL_S: Final = 1.0
"""Time limit for its exit."""
_HASH_MB: Final = 32

AsyncEngine: TypeAlias = AsyncMeihua | XiangqiProtocol


class Engines:
    """All engines, ours first. ``commands`` start the others, by their names."""

    def __init__(self, commands: Mapping[str, str] | None = None) -> None:
        self._commands = dict(commands or {})
        self._of_pages: dict[tuple[str, str], PageEngines] = {}
        self._stopped: tuple[str, ...] = ()
        self._is_closed = False
        self._closing: set[asyncio.Future[None]] = set()

    @property
    def names(self) -> Sequence[str]:
        """The names of the engines, ours first."""
        return (OURS, *self._commands)

    @property
    def is_idle(self) -> bool:
        """Does nobody think?"""
        return not any(engines.is_busy for engines in self._of_pages.values())

    def stop(self, name: str) -> None:
        """Stop the search of this name; it answers with its result so far."""
        self._stopped = (*self._stopped[1 - _MAX_STOPPED :], name)
        for engines in self._of_pages.values():
            if name and engines.name == name:
                engines.stop()

    async def close(self) -> None:
        """End all searches and all engines."""
        self._is_closed = True
        await asyncio.gather(*(engines.close() for engines in self._of_pages.values()))

    async def play(self, question: Question) -> dict[str, Any]:
        """The move that an engine would play by the rules; raises Refusal where it fails."""
        board = question.board
        assert board is not None
        teller = Teller(board, question.language)
        if not board.allowed_moves(question.rules):
            return teller.tell_move(None, Seen())
        engines = self._engines_of(question, "play")
        async with _telling_failures(question), engines.searching(question, plays=True) as search:
            if question.name and question.name in self._stopped:
                search.stop()
            best = await wait(search, time_of(question))
            _require_move(best, board, question.rules)
            return teller.tell_move(best, seen_in(search.multipv))

    async def analyse(self, question: Question) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the results of an engine as they come; an ``error`` where it fails.

        It thinks no slower where the page takes its time to listen.
        """
        if question.board is None:
            yield {**NOTHING, "final": True}
            return
        if not question.board.allowed_moves(question.rules):
            yield Teller(question.board, question.language).tell_end()
            return
        mail: asyncio.Queue[dict[str, Any]] = asyncio.Queue(maxsize=1)
        watching = asyncio.ensure_future(self._watch(question, question.board, mail))
        try:
            while True:
                found = await mail.get()
                yield found
                if found["final"]:
                    return
        finally:
            watching.cancel()

    async def _watch(
        self, question: Question, board: Board, mail: asyncio.Queue[dict[str, Any]]
    ) -> None:
        """Report what a search finds, each time in place of what has not been read yet."""

        def tell(found: dict[str, Any]) -> None:
            with suppress(asyncio.QueueEmpty):
                mail.get_nowait()
            mail.put_nowait(found)

        teller = Teller(board, question.language)
        found = {**NOTHING}
        try:
            engines = self._engines_of(question, "analyse")
            async with _telling_failures(question), engines.searching(question) as search:
                with stopping_after(time_of(question), search):
                    async for seen in news(search):
                        found = teller.tell(seen)
                        tell(found)
        except Refusal as refusal:
            found = {**found, "error": refusal.why.say(question.language)}
        except Exception as error:
            fault = Fact("serve.fault", error=repr(error))
            found = {**found, "error": fault.say(question.language)}
            raise
        finally:
            tell({**found, "final": True})

    def _engines_of(self, question: Question, purpose: str) -> PageEngines:
        """Engines of a page for a purpose; raises Refusal if too many pages have some."""
        if question.engine not in self.names:
            raise Refusal(404, Fact("serve.no_engine", name=question.engine))
        if self._is_closed:
            raise Refusal(503, Fact("serve.closing"))
        key = (question.page, purpose)
        engines = self._of_pages.pop(key, None)
        if engines is None:
            self._make_room(question)
            engines = PageEngines(self._commands)
        self._of_pages[key] = engines  # the last one in use
        return engines

    def _make_room(self, question: Question) -> None:
        pages = {page for page, _ in self._of_pages}
        if question.page in pages or len(pages) < MAX_PAGES:
            return
        busy = {page for (page, _), engines in self._of_pages.items() if engines.is_busy}
        silent = next((page for page, _ in self._of_pages if page not in busy), None)
        if silent is None:
            raise Refusal(503, Fact("serve.engines_busy", pages=MAX_PAGES))
        for key in [key for key in self._of_pages if key[0] == silent]:
            closing = asyncio.ensure_future(self._of_pages.pop(key).close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)


@asynccontextmanager
async def _telling_failures(question: Question) -> AsyncIterator[None]:
    """Raise Refusal where an engine fails."""
    name = question.engine
    try:
        yield
    except EngineError as error:
        raise Refusal(502, Fact("serve.engine_failed", name=name, why=outside(error))) from error
    except asyncio.TimeoutError as error:
        raise Refusal(504, Fact("serve.engine_silent", name=name)) from error


def _require_move(best: Move | None, board: Board, rules: RuleSet) -> None:
    """Raise EngineError where an engine has no move though there is one, and for a move that the
    rules bar: to some no move can be forbidden."""
    if best is None:
        raise EngineError(Fact("driver.no_move"))
    if best in board.barred_moves(rules):
        raise EngineError(Fact("driver.barred", move=best.iccs()))


class PageEngines:
    """One page's engines for one purpose, of which one searches at a time."""

    def __init__(self, commands: Mapping[str, str]) -> None:
        self._commands = commands
        self._ours: Engine | None = None
        self._engines: dict[str, AsyncEngine] = {}
        self._leaving: set[asyncio.Future[None]] = set()
        self._turn = asyncio.Lock()
        self._asked = 0
        self._search: AnalysisResult | None = None
        self.name = ""
        """Name of the current search."""

    @property
    def is_busy(self) -> bool:
        """Does an engine think here, or is it to?"""
        return self._turn.locked() or (self._ours is not None and self._ours.is_thinking)

    def stop(self) -> None:
        """Have the search answer what it has found."""
        if self._search is not None:
            self._search.stop()

    @asynccontextmanager
    async def searching(
        self, question: Question, *, plays: bool = False
    ) -> AsyncIterator[AnalysisResult]:
        """A search, which ends the one before, and is ended by the next one."""
        self._asked += 1
        mine = self._asked
        self.stop()
        async with self._turn:
            self.name = question.name
            try:
                self._search = await in_time(self._begin(question, plays))
                if mine != self._asked:
                    self._search.stop()
                with self._search:
                    yield self._search
            except (EngineTerminatedError, asyncio.TimeoutError):
                self._drop(question.engine)
                raise
            finally:
                self.name, self._search = "", None

    async def _begin(self, question: Question, plays: bool) -> AnalysisResult:
        board, limit, rules = question.board, limit_of(question), question.rules
        assert board is not None
        engine = await self._engine(question.engine)
        if isinstance(engine, AsyncMeihua):
            options = _strength(question.level, engine.options)
            return await engine.analysis(
                board, limit, multipv=question.lines, rules=rules, plays=plays, options=options
            )
        has_lines = question.lines > 1 and "MultiPV" in engine.options
        lines = min(question.lines, engine.options["MultiPV"].max or 1) if has_lines else None
        banned = board.barred_moves(rules) if engine.can_ban else ()
        options = _strength(question.level, engine.options)
        return await engine.analysis(board, limit, multipv=lines, banned=banned, options=options)

    async def _engine(self, name: str) -> AsyncEngine:
        """An engine of this name that is alive."""
        engine = self._engines.get(name)
        if isinstance(engine, XiangqiProtocol) and engine.returncode.done():
            self._drop(name)
            engine = None
        if engine is None:
            if name == OURS:
                self._ours = Engine()
                self._ours.set_option("hash", _HASH_MB)
                engine = AsyncMeihua(engine=self._ours)
            else:
                engine = await open_engine(self._commands[name], timeout=_START_S)
            self._engines[name] = engine
        return engine

    def _drop(self, name: str) -> None:
        """Begin anew with this engine."""
        engine = self._engines.pop(name, None)
        if isinstance(engine, XiangqiProtocol):
            engine.kill()
            leaving = asyncio.ensure_future(_quit(engine))
            self._leaving.add(leaving)
            leaving.add_done_callback(self._leaving.discard)

    async def close(self) -> None:
        """End the search and the engines."""
        self.stop()
        engines = list(self._engines.values())
        self._engines.clear()
        await asyncio.gather(*map(_quit, engines), *self._leaving)


async def _quit(engine: AsyncEngine) -> None:
    with suppress(EngineError, asyncio.TimeoutError):
        await asyncio.wait_for(engine.quit(), _FAREWELL_S)
    if isinstance(engine, XiangqiProtocol):
        if not engine.returncode.done():
            engine.kill()
        await asyncio.wait({engine.returncode}, timeout=_FAREWELL_S)
        if engine.transport is not None:
            engine.transport.close()


def _strength(level: int, known: Mapping[str, Option]) -> dict[str, int | bool]:
    """The options with which an engine plays at a level; raises EngineError where it has none.

    A level means its Elo to those with an option for it, though theirs are not on our scale.
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
