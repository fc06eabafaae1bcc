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
from typing import Any, Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.errors import Fact, outside
from xiangqi.referee.rules import RuleSet
from xiangqi.scores import EngineError
from xiangqi.web.serve.messages import Refusal
from xiangqi.web.serve.searches import news, seen_in, stopping_after, time_of, wait
from xiangqi.web.serve.seats import Seat
from xiangqi.web.serve.thinking import NOTHING, OURS, Question, Seen, Teller

__all__ = ["MAX_PAGES", "Engines"]

MAX_PAGES: Final = 8
"""Maximum number of pages with engines at a time."""
_MAX_STOPPED: Final = 32
"""Maximum number of pending stop requests; a search may be stopped before it begins."""


class Engines:
    """All engines, ours first. ``commands`` start the others, by their names."""

    def __init__(self, commands: Mapping[str, str] | None = None) -> None:
        self._commands = dict(commands or {})
        self._seats: dict[tuple[str, str], Seat] = {}
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
        self._stopped = (*self._stopped[1 - _MAX_STOPPED :], name)
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
            seat = self._seat(question, "analyse")
            async with _telling_failures(question), seat.searching(question) as search:
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

    def _seat(self, question: Question, purpose: str) -> Seat:
        """Engines of a page for a purpose; raises Refusal if too many pages have some."""
        if question.engine not in self.names:
            raise Refusal(404, Fact("serve.no_engine", name=question.engine))
        if self._is_closed:
            raise Refusal(503, Fact("serve.closing"))
        key = (question.page, purpose)
        seat = self._seats.pop(key, None)
        if seat is None:
            self._make_room(question)
            seat = Seat(self._commands)
        self._seats[key] = seat  # the last one in use
        return seat

    def _make_room(self, question: Question) -> None:
        pages = {page for page, _ in self._seats}
        if question.page in pages or len(pages) < MAX_PAGES:
            return
        busy = {page for (page, _), seat in self._seats.items() if seat.is_busy}
        silent = next((page for page, _ in self._seats if page not in busy), None)
        if silent is None:
            raise Refusal(503, Fact("serve.engines_busy", pages=MAX_PAGES))
        for key in [key for key in self._seats if key[0] == silent]:
            closing = asyncio.ensure_future(self._seats.pop(key).close())
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
