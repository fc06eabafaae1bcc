"""The engine as an object with commands: play, analyse, configure, ping, quit.

The shapes and their meaning are those of ``chess.engine.Protocol`` of python-chess
(https://python-chess.readthedocs.io/en/latest/engine.html), with Xiangqi's boards and moves.
Where it says White, Red is meant.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

import chess.engine
from chess.engine import (
    BaseCommand,
    ConfigMapping,
    ConfigValue,
)

from xiangqi.board import Board
from xiangqi.client.commands import (
    AnalysisCommand,
    CommandRequest,
    ConfigureCommand,
    PingCommand,
    PlayCommand,
)
from xiangqi.client.dialects import Dialect, SearchRequest
from xiangqi.client.info import Identity
from xiangqi.client.process import LineListener, not_started, start_process
from xiangqi.client.session import DIALECTS, PROBED, Session
from xiangqi.core.move import Move
from xiangqi.errors import Fact, outside
from xiangqi.lines import REPETITION_RULES
from xiangqi.pieces import Color
from xiangqi.referee.rules import RULE_SETS, RuleSet, find_rule_set
from xiangqi.scores import (
    INFO_ALL,
    AnalysisResult,
    AsyncAnalysing,
    EngineError,
    EngineTerminatedError,
    Info,
    Limit,
    Option,
    PlayResult,
    require_end,
    require_search,
)

__all__ = [
    "InitializeCommand",
    "UnknownDialectError",
    "XiangqiProtocol",
    "open_engine",
    "rule_options",
]


class UnknownDialectError(EngineError):
    """The engine has rejected all dialects that were tried."""


class InitializeCommand(BaseCommand[None]):
    """The handshake: one dialect after the other, until one is answered.

    After a second one was tried the engine is pinged, since the first may only have been slow, and
    the dialect is that of its last greeting. UnknownDialectError if it rejects each.
    """

    def __init__(self, engine: Session) -> None:
        super().__init__(engine)
        self.engine = engine
        self._tried: list[tuple[Dialect, Identity]] = []
        self._greeted: tuple[Dialect, Identity] | None = None
        self._refused: set[str] = set()

    def check_initialized(self) -> None:
        """Do nothing: this command comes first."""
        if self.engine.initialized:
            raise EngineError(Fact("driver.initialized"))

    def start(self) -> None:
        """Try the first dialect."""
        self._try_next()

    def _try_next(self) -> None:
        if not self.engine.untried or self._greeted is not None or self.finished.done():
            return
        dialect = self.engine.untried.pop(0)
        self._tried.append((dialect, Identity()))
        for line in dialect.HELLO:
            self.engine.send_line(line)
        self.engine.loop.call_later(self.engine.probe_seconds, self._try_next)

    def line_received(self, line: str) -> None:
        """Handle a greeting, or an error message about an unknown command."""
        if self._greeted is not None and self._greeted[0].is_pong(line):
            self._finish()
        elif "unknown command" in line.lower():
            self._complain(line)
        greetings = [tried for tried in self._tried if tried[0].read_greeting(line, tried[1])]
        for dialect, identity in greetings:
            self._tried = [(tried, Identity()) for tried, _ in self._tried]
            self._greet(dialect, identity)

    def _complain(self, line: str) -> None:
        names = [dialect.NAME for dialect, _ in self._tried]
        self._refused.update(name for name in names if re.search(rf"\b{name}\b", line))
        if self.engine.untried or self._greeted is not None:
            self._try_next()
        elif len(self._refused) == len(names) and not self.result.done():
            why = Fact("driver.knows_none", names=tuple(names))
            self.result.set_exception(UnknownDialectError(why))
            self.set_finished()

    def _greet(self, dialect: Dialect, identity: Identity) -> None:
        is_first = self._greeted is None
        self._greeted = (dialect, identity)
        if len(self._tried) == 1:
            self._finish()
        elif is_first:
            self.engine.send_line(dialect.ping(0))

    def _finish(self) -> None:
        assert self._greeted is not None
        if self.result.cancelled():
            self.set_finished()
            return
        self.engine.begin(*self._greeted)
        self.result.set_result(None)
        self.set_finished()

    def cancel(self) -> None:
        """Do nothing: there is no search to stop."""
        self.set_finished()


_REPETITION: Final = ("Repetition Rule", "repetition")
"""Names of the rule set option in UCI and UCCI."""
_NO_CAPTURE: Final = ("No Capture Rounds", "drawmoves")
"""Names of the option for the number of rounds without a capture after which a game is drawn."""


def rule_options(rules: RuleSet | str, known: Mapping[str, Option]) -> dict[str, ConfigValue]:
    """Options by which an engine with the ``known`` options plays by a rule set.

    Raises EngineError if it cannot.
    """

    rules = find_rule_set(rules)

    def refuse(why: Fact) -> EngineError:
        return EngineError(Fact("driver.rules", rules=rules.describe(), why=why))

    option = _find(_REPETITION, known)
    if option is None:
        raise refuse(Fact("driver.lacks_option", name=_REPETITION[0]))
    choices = option.var or []
    word, book = _choose_word(rules, choices)
    if book is None:
        raise refuse(Fact("driver.choices", name=option.name, choices=tuple(choices)))
    limit = _find(_NO_CAPTURE, known)
    if limit is None and rules.no_capture_limit == book.no_capture_limit:
        return {option.name: word}
    if limit is None:
        raise refuse(Fact("driver.lacks_option", name=_NO_CAPTURE[0]))
    rounds, rest = divmod(rules.no_capture_limit or 0, 2)
    if rest:
        raise refuse(Fact("driver.rounds", name=limit.name))
    return {option.name: word, limit.name: rounds}


def _find(names: Iterable[str], known: Mapping[str, Option]) -> Option | None:
    return next((known[name] for name in names if name in known), None)


def _choose_word(rules: RuleSet, words: Iterable[str]) -> tuple[str, RuleSet | None]:
    """Find the option value for these rules, their limit aside, and the rule book that it means;
    the book's own name comes first."""
    for word in sorted(words, key=lambda word: word.lower() != rules.name):
        book = RULE_SETS.get(REPETITION_RULES.get(word.lower(), ""))
        if book is not None and _differ_by_limit(book, rules):
            return word, book
    return "", None


def _differ_by_limit(book: RuleSet, rules: RuleSet) -> bool:
    """Are they equal except for their names and the limit without a capture?"""
    limit = rules.no_capture_limit
    free_checks = None if limit is None else book.free_checks
    alike = replace(book, name=rules.name, no_capture_limit=limit, free_checks=free_checks)
    return alike == rules


PROBE_SHARE: Final = 0.2
"""Share of the start time after which another dialect is tried."""
QUIT_PATIENCE_S: Final = 5.0
"""Seconds that an engine may take to exit before it is killed."""


class XiangqiProtocol(AsyncAnalysing, Session):  # type: ignore[misc]
    """One engine, in any dialect; :func:`open_engine` makes one.

    Errors are python-chess's: EngineError for requests that the engine cannot fulfil and for its
    faults, EngineTerminatedError when its process has ended.
    """

    def _search(
        self,
        board: Board,
        limit: Limit | None,
        draw_offered: bool,
        root_moves: Iterable[Move] | None,
        banned: Iterable[Move],
    ) -> SearchRequest:
        board.require_position()
        bans = set(banned)
        allowed = None if root_moves is None else set(root_moves)
        forbidden: list[Move] = []
        if bans or allowed is not None:
            legal = board.list_moves()
            forbidden = [
                m for m in legal if m in bans or (allowed is not None and m not in allowed)
            ]
            if len(forbidden) == len(legal):
                forbidden = []
        return SearchRequest(
            board,
            limit or Limit(),
            infinite=limit is None,
            draw_offered=draw_offered,
            forbidden=forbidden,
        )

    def _options(self, rules: RuleSet | str | None, options: ConfigMapping) -> ConfigMapping:
        """The options of one search, those for the rules included."""
        return options if rules is None else {**rule_options(rules, self.options), **options}

    # Commands

    async def initialize(self) -> None:
        """Perform the handshake and determine the dialect."""
        await self.communicate(lambda _: InitializeCommand(self))

    async def ping(self) -> None:
        """Wait until the engine has processed all commands."""
        await self.communicate(lambda _: PingCommand(self))

    async def configure(self, options: ConfigMapping) -> None:
        """Set options permanently; None presses a button."""
        await self.communicate(lambda _: ConfigureCommand(self, options))

    async def play(  # type: ignore[override]
        self,
        board: Board,
        limit: Limit,
        *,
        game: object = None,
        info: Info = INFO_ALL,
        ponder: bool = False,
        draw_offered: bool = False,
        root_moves: Iterable[Move] | None = None,
        banned: Iterable[Move] = (),
        rules: RuleSet | str | None = None,
        options: ConfigMapping = {},  # noqa: B006
        opponent: chess.engine.Opponent | None = None,
    ) -> PlayResult:
        """Search for a move; the engine gets the moves on the board as the game's history.

        ``banned`` moves must not be played, since the referee may know repetitions better than the
        engine; if no other move is left nothing is banned. ``rules`` is the rule set for this
        search alone. A result without a move means that the engine reports none. With
        ``draw_offered`` the engine accepts by offering a draw itself. Raises IllegalBestMoveError;
        EngineError for an empty limit, a limit that the dialect cannot express, or rules that the
        engine has no option for.
        """
        require_end(limit, board)
        search = self._search(board, limit, draw_offered, root_moves, banned)
        request = CommandRequest(search, game, info, self._options(rules, options))
        return await self.communicate(lambda _: PlayCommand(self, request, ponder=ponder))

    async def analysis(  # type: ignore[override]
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        info: Info = INFO_ALL,
        root_moves: Iterable[Move] | None = None,
        banned: Iterable[Move] = (),
        rules: RuleSet | str | None = None,
        options: ConfigMapping = {},  # noqa: B006
    ) -> AnalysisResult:
        """Search, until stopped if there is no limit, and pass on the engine's information."""
        require_search(board, Limit() if limit is None else limit)
        wanted = None if limit == Limit() else limit
        search = self._search(board.copy(), wanted, False, root_moves, banned)
        request = CommandRequest(search, game, info, self._options(rules, options), multipv)
        return await self.communicate(lambda _: AnalysisCommand(self, request))

    async def send_opponent_information(
        self, *, opponent: chess.engine.Opponent | None = None, engine_rating: int | None = None
    ) -> None:
        """Do nothing: no dialect can express it."""

    async def send_game_result(  # type: ignore[override]
        self,
        board: Board,
        winner: Color | None = None,
        game_ending: str | None = None,
        game_complete: bool = True,
    ) -> None:
        """Do nothing: the next game is announced when it begins."""

    async def quit(self) -> None:
        """Send ``quit``, and kill the engine if it does not exit."""
        self.send_line(self.speech.QUIT)
        try:
            await asyncio.wait_for(asyncio.shield(self.returncode), QUIT_PATIENCE_S)
        except asyncio.TimeoutError:
            self.kill()
            await asyncio.shield(self.returncode)


async def open_engine(
    command: str | Sequence[str],
    *,
    dialect: str | None = None,
    timeout: float = 10.0,
    cwd: str | None = None,
    on_line: LineListener | None = None,
) -> XiangqiProtocol:
    """Start an engine and perform the handshake.

    Without a ``dialect`` ("ucci", "uci", "xboard") they are tried in this order; an engine that
    exits at an unknown command, or rejects UCCI and UCI, is started again. It lives no longer than
    the thread that runs the event loop.

    Raises EngineError if there is no such program, or if it does not answer in ``timeout`` seconds;
    then it has been killed.
    """
    if dialect is not None and dialect not in DIALECTS:
        raise EngineError(Fact("driver.dialect", value=dialect, choices=tuple(DIALECTS)))
    others = [[name] for name in DIALECTS if name != PROBED[0]]
    attempts = [[dialect]] if dialect is not None else [list(PROBED), *others]
    for names in attempts:
        engine = await _start(command, names, timeout, cwd, on_line)
        try:
            await asyncio.wait_for(engine.initialize(), timeout)
        except (EngineTerminatedError, UnknownDialectError) as error:
            await _end(engine)
            if names == attempts[-1]:
                raise type(error)(not_started(command, outside(error))) from error
        except asyncio.TimeoutError:
            await _end(engine)
            why = Fact("driver.silent", names=tuple(names), seconds=f"{timeout:g}")
            raise EngineError(not_started(command, why)) from None
        except BaseException:
            await _end(engine)
            raise
        else:
            return engine
    raise AssertionError("there is at least one attempt")


async def _start(
    command: str | Sequence[str],
    dialects: Sequence[str],
    timeout: float,
    cwd: str | None,
    on_line: LineListener | None,
) -> XiangqiProtocol:
    def make() -> XiangqiProtocol:
        return XiangqiProtocol(dialects, probe_seconds=timeout * PROBE_SHARE, on_line=on_line)

    return await start_process(make, command, cwd)


async def _end(engine: XiangqiProtocol) -> None:
    engine.kill()
    await asyncio.shield(engine.returncode)
