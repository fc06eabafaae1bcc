"""The engines of a server: ours in this process, and others by their names.

Each page has engines of its own, so that pages do not end each other's searches: one that plays and
one that analyses. They are started when they are first asked for, stay for the next question, and
are started anew when they have died. So many pages have engines at a time; the one that has been
silent for longest gives its place away.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any, Final, TypeAlias, cast

from xiangqi.board import Board
from xiangqi.client import XiangqiProtocol, open_engine
from xiangqi.core.move import Move
from xiangqi.engine import AsyncMeihua, Engine
from xiangqi.engine.levels import FULL_SKILL, LEVELS, find_level
from xiangqi.engine.scores import MATE
from xiangqi.pieces import RED
from xiangqi.referee.rules import RuleSet
from xiangqi.scores import (
    AnalysisComplete,
    AnalysisResult,
    BestMove,
    Cp,
    EngineError,
    EngineTerminatedError,
    InfoDict,
    Limit,
    Option,
    PovScore,
    RuleWin,
)
from xiangqi.web.serve.labels import label
from xiangqi.web.serve.messages import Refusal
from xiangqi.web.serve.thinking import NOTHING, OURS, Line, Question, Seen, Teller

__all__ = ["MOST_PAGES", "Engines"]

MOST_PAGES: Final = 8
"""How many pages have engines at a time."""
_MOST_STOPPED: Final = 32
"""How many searches to be stopped are remembered; one may be named before it has begun."""
_PAUSE_S: Final = 0.05
"""A page is told so often at most."""
_PATIENCE_S: Final = 15.0
"""How long an engine may take to heed a command."""
_START_S: Final = 10.0
"""How long it may take to start."""
_FAREWELL_S: Final = 1.0
"""How long it may take to leave."""
_OVERHEAD_S: Final = 3.0
"""How long a move may take beyond its time, before the engine is told to stop."""
_HASH_MB: Final = 32
_MOST_CP: Final = 20_000
"""No evaluation of another engine is taken for a decided game."""

AsyncEngine: TypeAlias = AsyncMeihua | XiangqiProtocol


class Engines:
    """All engines, ours first. ``commands`` start the others, by their names."""

    def __init__(self, commands: Mapping[str, str] | None = None) -> None:
        self._commands = dict(commands or {})
        self._seats: dict[tuple[str, str], _Seat] = {}
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
        return not any(seat.is_busy for seat in self._seats.values())

    def stop(self, name: str) -> None:
        """End the search of this name: it answers what it has found."""
        self._stopped = (*self._stopped[1 - _MOST_STOPPED :], name)
        for seat in self._seats.values():
            if name and seat.name == name:
                seat.stop()

    async def close(self) -> None:
        """End all searches and all engines."""
        self._is_closed = True
        await asyncio.gather(*(seat.close() for seat in self._seats.values()))

    async def play(self, question: Question) -> dict[str, Any]:
        """The move that an engine would play by the rules; raises Refusal where it fails."""
        board = question.board
        assert board is not None
        teller = Teller(board, question.language)
        if not board.allowed_moves(question.rules):
            return teller.tell_move(None, Seen())
        seat = self._seat(question, "play")
        async with _telling_failures(question), seat.searching(question, plays=True) as search:
            if question.name and question.name in self._stopped:
                search.stop()
            best = await _wait(search, _time_of(question))
            _require_move(best, board, question.rules)
            return teller.tell_move(best, _seen(search.multipv))

    async def analyse(self, question: Question) -> AsyncGenerator[dict[str, Any], None]:
        """What an engine finds, as it finds it; an ``error`` where it fails.

        It thinks no slower where the page takes its time to listen.
        """
        if question.board is None:
            yield {**NOTHING, "final": True}
            return
        if not question.board.allowed_moves(question.rules):
            yield Teller(question.board, question.language).tell_end()
            return
        news: asyncio.Queue[dict[str, Any]] = asyncio.Queue(maxsize=1)
        watching = asyncio.ensure_future(self._watch(question, question.board, news))
        try:
            while True:
                found = await news.get()
                yield found
                if found["final"]:
                    return
        finally:
            watching.cancel()

    async def _watch(
        self, question: Question, board: Board, news: asyncio.Queue[dict[str, Any]]
    ) -> None:
        """Tell what a search finds, each time in place of what has not been read yet."""

        def tell(found: dict[str, Any]) -> None:
            with suppress(asyncio.QueueEmpty):
                news.get_nowait()
            news.put_nowait(found)

        teller = Teller(board, question.language)
        found = {**NOTHING}
        try:
            seat = self._seat(question, "analyse")
            async with _telling_failures(question), seat.searching(question) as search:
                with _stopping_after(_time_of(question), search):
                    async for seen in _news(search):
                        found = teller.tell(seen)
                        tell(found)
        except Refusal as refusal:
            found = {**found, "error": refusal.why}
        except Exception as error:
            found = {**found, "error": f"a fault of the program: {error!r}"}
            raise
        finally:
            tell({**found, "final": True})

    def _seat(self, question: Question, purpose: str) -> _Seat:
        """Where a page asks its engines; raises Refusal where there is no room for another one."""
        if question.engine not in self.names:
            why = label(question.language, "no_such_engine", name=question.engine)
            raise Refusal(404, why)
        if self._is_closed:
            raise Refusal(503, label(question.language, "offline"))
        key = (question.page, purpose)
        seat = self._seats.pop(key, None)
        if seat is None:
            self._make_room(question)
            seat = _Seat(self._commands)
        self._seats[key] = seat  # the last one that was asked
        return seat

    def _make_room(self, question: Question) -> None:
        pages = {page for page, _ in self._seats}
        if question.page in pages or len(pages) < MOST_PAGES:
            return
        busy = {page for (page, _), seat in self._seats.items() if seat.is_busy}
        silent = next((page for page, _ in self._seats if page not in busy), None)
        if silent is None:
            raise Refusal(503, label(question.language, "engines_busy", pages=MOST_PAGES))
        for key in [key for key in self._seats if key[0] == silent]:
            closing = asyncio.ensure_future(self._seats.pop(key).close())
            self._closing.add(closing)
            closing.add_done_callback(self._closing.discard)


class _Seat:
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
        """What the search that goes on is called."""

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
                self._search = await _in_time(self._begin(question, plays))
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
        board, limit, rules = question.board, _limit_of(question), question.rules
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


@asynccontextmanager
async def _telling_failures(question: Question) -> AsyncIterator[None]:
    """What an engine does wrong, in words for the page."""
    name, lang = question.engine, question.language
    try:
        yield
    except EngineError as error:
        raise Refusal(502, label(lang, "engine_failed", name=name, why=error)) from error
    except asyncio.TimeoutError as error:
        raise Refusal(504, label(lang, "engine_silent", name=name)) from error


def _strength(level: int, known: Mapping[str, Option]) -> dict[str, int | bool]:
    """The options with which an engine plays at a level; raises EngineError where it has none.

    A level means its Elo to those that can be told one, though theirs are not on our scale.
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
    raise EngineError("it has no levels")


def _require_move(best: Move | None, board: Board, rules: RuleSet) -> None:
    """Raise EngineError where an engine has no move though there is one, and for a move that the
    rules bar: to some no move can be forbidden."""
    if best is None:
        raise EngineError("it plays no move")
    if best in board.barred_moves(rules):
        raise EngineError(f"it plays {best.iccs()}, which the rules bar, and cannot be told so")


# Searches


def _time_of(question: Question) -> float | None:
    """How many seconds the engine may take; None if that is not bounded."""
    clocks = question.clocks
    if clocks is None or question.board is None:
        return question.seconds
    if question.board.turn == RED:
        return (clocks.red_ms + clocks.red_increment_ms) / 1000
    return (clocks.black_ms + clocks.black_increment_ms) / 1000


def _limit_of(question: Question) -> Limit | None:
    clocks = question.clocks
    if clocks is not None:
        return Limit(
            white_clock=clocks.red_ms / 1000,
            black_clock=clocks.black_ms / 1000,
            white_inc=clocks.red_increment_ms / 1000,
            black_inc=clocks.black_increment_ms / 1000,
        )
    if question.seconds is None and question.depth is None:
        return None
    return Limit(time=question.seconds, depth=question.depth)


async def _in_time(beginning: Coroutine[None, None, AnalysisResult]) -> AnalysisResult:
    """A search that has begun; raises TimeoutError. Nobody else ends it if this is cancelled.

    (Until Python 3.11 asyncio.wait_for forgets that it has been cancelled if it is done as well.)
    """

    def end(begun: asyncio.Future[AnalysisResult]) -> None:
        if not begun.cancelled() and begun.exception() is None:
            begun.result().stop()

    begun = asyncio.ensure_future(beginning)
    try:
        await asyncio.wait({begun}, timeout=_PATIENCE_S)
        if begun.done():
            return begun.result()
        raise asyncio.TimeoutError
    except (asyncio.CancelledError, asyncio.TimeoutError):
        begun.cancel()
        begun.add_done_callback(end)
        raise


async def _wait(search: AnalysisResult, seconds: float | None) -> Move | None:
    """What a search comes to; one that takes longer than that is told to stop.

    Raises TimeoutError where the engine does not heed it.
    """
    waiting = asyncio.ensure_future(search.wait())
    try:
        if seconds is not None:
            await asyncio.wait({waiting}, timeout=seconds + _OVERHEAD_S)
            search.stop()
            await asyncio.wait({waiting}, timeout=_PATIENCE_S)
            if not waiting.done():
                raise asyncio.TimeoutError
        return cast(BestMove, await waiting).move
    finally:
        waiting.cancel()


@contextmanager
def _stopping_after(seconds: float | None, search: AnalysisResult) -> Iterator[None]:
    """See to it that a search ends in time, where the engine does not."""
    if seconds is None:
        yield
        return
    late = asyncio.get_running_loop().call_later(seconds + _OVERHEAD_S, search.stop)
    try:
        yield
    finally:
        late.cancel()


async def _news(search: AnalysisResult) -> AsyncIterator[Seen]:
    """What a search finds, as often as anybody can read it; its last word is the last one."""
    is_over = False
    while not is_over:
        try:
            await search.get()
            while not search.empty():
                await search.get()
        except AnalysisComplete:
            is_over = True
        seen = _seen(search.multipv)
        if seen.lines:
            yield seen
        if not is_over:
            await asyncio.sleep(_PAUSE_S)


def _seen(infos: Sequence[InfoDict]) -> Seen:
    """What an engine has told so far, in our words."""
    first = infos[0]
    return Seen(
        depth=first.get("depth", 0),
        seldepth=first.get("seldepth", 0),
        nodes=first.get("nodes", 0),
        seconds=first.get("time", 0.0),
        lines=tuple(
            Line(_number(info["score"]), tuple(info["pv"]))
            for info in infos
            if "score" in info and "pv" in info
        ),
    )


def _number(score: PovScore) -> int:
    """The score for the side to move, as our engine counts."""
    relative = score.relative
    if isinstance(relative, RuleWin):
        return relative.cp
    moves = relative.mate()
    if moves is not None:
        is_won = relative > Cp(0)
        return MATE + 1 - 2 * max(moves, 1) if is_won else -(MATE + 2 * moves)
    cp = relative.score()
    return max(-_MOST_CP, min(cp or 0, _MOST_CP))
