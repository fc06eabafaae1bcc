"""Engines of a page: they are started, given one request at a time, and sent away."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Final, TypeAlias

from xiangqi.client import XiangqiProtocol, open_engine
from xiangqi.engine import AsyncMeihua, Engine
from xiangqi.engine.levels import FULL_SKILL, LEVELS, find_level
from xiangqi.errors import Fact
from xiangqi.scores import AnalysisResult, EngineError, EngineTerminatedError, Option
from xiangqi.web.serve.searches import in_time, limit_of
from xiangqi.web.serve.thinking import OURS, Question

__all__ = ["Seat"]

_START_S: Final = 10.0
"""Time limit for the start of an engine."""
_FAREWELL_S: Final = 1.0
"""Time limit for its exit."""
_HASH_MB: Final = 32

AsyncEngine: TypeAlias = AsyncMeihua | XiangqiProtocol


class Seat:
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
