"""The engine as an object with the commands play, analyse, configure, ping and quit.

Its methods are those of ``chess.engine.Protocol`` of python-chess
(https://python-chess.readthedocs.io/en/latest/engine.html), with Xiangqi's boards and moves, and
Red in place of White.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import chess.engine
from chess.engine import BaseCommand, ConfigMapping, ConfigValue

from xiangqi.board import Board
from xiangqi.board.scores import (
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
from xiangqi.ground.errors import Fact, outside
from xiangqi.ground.lines import REPETITION_RULES
from xiangqi.pieces import Color, require_color
from xiangqi.referee.rules import RULE_SETS, RuleSet, find_rule_set

__all__ = [
    "InitializeCommand",
    "UnknownDialectError",
    "XiangqiProtocol",
    "open_engine",
    "rule_options",
]


class UnknownDialectError(EngineError):
    """The engine rejected all dialects that were tried."""


class InitializeCommand(BaseCommand[None]):
    """The handshake: try one dialect after the other until the engine answers one.

    If several were tried, a late answer to an earlier one may follow: so the engine is pinged, and
    the dialect of its last greeting is used. Raises UnknownDialectError if it rejects them all.
    """

    def __init__(self, engine: Session) -> None:
        super().__init__(engine)
        self.engine = engine
        self._tried: list[tuple[Dialect, Identity]] = []
        self._greeted: tuple[Dialect, Identity] | None = None
        self._rejected: set[str] = set()

    def check_initialized(self) -> None:
        """Check that the handshake has not been made yet."""
        if self.engine.initialized:
            raise EngineError(Fact("driver.initialized"))

    def start(self) -> None:
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
        """Handle a greeting, or a rejection of an unknown command."""
        if self._greeted is not None and self._greeted[0].is_pong(line):
            self._finish()
        elif "unknown command" in line.lower():
            names = [dialect.NAME for dialect, _ in self._tried]
            self._rejected.update(name for name in names if re.search(rf"\b{name}\b", line))
            if self.engine.untried or self._greeted is not None:
                self._try_next()
            elif len(self._rejected) == len(names) and not self.result.done():
                why = Fact("driver.knows_none", names=tuple(names))
                self.result.set_exception(UnknownDialectError(why))
                self.set_finished()
        greetings = [tried for tried in self._tried if tried[0].read_greeting(line, tried[1])]
        for dialect, identity in greetings:
            self._tried = [(tried, Identity()) for tried, _ in self._tried]
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
        """Finish; there is no search to stop."""
        self.set_finished()


_REPETITION: Final = ("Repetition Rule", "repetition")
"""Names of the rule set's option in UCI and UCCI."""
_NO_CAPTURE: Final = ("No Capture Rounds", "drawmoves")
"""Names of the option for the number of rounds without a capture until a draw."""


def rule_options(rules: RuleSet | str, known: Mapping[str, Option]) -> dict[str, ConfigValue]:
    """Option values that make an engine with the ``known`` options use a rule set.

    Raises EngineError if there are none.
    """
    rules = find_rule_set(rules)

    def refuse(why: Fact) -> EngineError:
        return EngineError(Fact("driver.rules", rules=rules.describe(), why=why))

    option = _find(_REPETITION, known)
    if option is None:
        raise refuse(Fact("driver.lacks_option", name=_REPETITION[0]))
    choices = option.var or []
    choice, chosen = _find_choice(rules, choices)
    if chosen is None:
        raise refuse(Fact("driver.choices", name=option.name, choices=tuple(choices)))
    limit = _find(_NO_CAPTURE, known)
    if limit is None and rules.no_capture_limit == chosen.no_capture_limit:
        return {option.name: choice}
    if limit is None:
        raise refuse(Fact("driver.lacks_option", name=_NO_CAPTURE[0]))
    rounds, rest = divmod(rules.no_capture_limit or 0, 2)
    if rest:
        raise refuse(Fact("driver.rounds", name=limit.name))
    return {option.name: choice, limit.name: rounds}


def _find(names: Iterable[str], known: Mapping[str, Option]) -> Option | None:
    return next((known[name] for name in names if name in known), None)


def _find_choice(rules: RuleSet, choices: Iterable[str]) -> tuple[str, RuleSet | None]:
    """Option value for these rules, and the rule set that it selects, which may differ in its name
    and its limit without a capture; the rules' own name is preferred."""
    limit = rules.no_capture_limit
    for choice in sorted(choices, key=lambda choice: choice.lower() != rules.name):
        found = RULE_SETS.get(REPETITION_RULES.get(choice.lower(), ""))
        if found is None:
            continue
        free_checks = None if limit is None else found.free_checks
        same = replace(found, name=rules.name, no_capture_limit=limit, free_checks=free_checks)
        if rules == same:
            return choice, found
    return "", None


PROBE_SHARE: Final = 0.2
"""Share of the start timeout after which the next dialect is tried."""
QUIT_PATIENCE_S: Final = 5.0
"""Seconds to wait for an engine to exit before it is killed."""


class XiangqiProtocol(AsyncAnalysing, Session):  # type: ignore[misc]
    """An engine with any dialect, made by :func:`open_engine`.

    Errors are those of python-chess: EngineError for a request that the engine cannot fulfil and
    for a fault of the engine, EngineTerminatedError when its process has ended.
    """

    def _make_request(
        self,
        board: Board,
        limit: Limit | None,
        draw_offered: bool,
        root_moves: Iterable[Move] | None,
        banned: Iterable[Move],
    ) -> SearchRequest:
        board.require_position()
        legal = board.list_moves()
        forbidden = set(banned).intersection(legal)
        if root_moves is not None:
            forbidden |= set(legal).difference(root_moves)
        if len(forbidden) == len(legal):
            forbidden.clear()
        return SearchRequest(
            board,
            limit or Limit(),
            infinite=limit is None,
            draw_offered=draw_offered,
            forbidden=[move for move in legal if move in forbidden],
        )

    def _with_rules(self, rules: RuleSet | str | None, options: ConfigMapping) -> ConfigMapping:
        """Options of one search, including those for its rules."""
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
        engine; this has no effect if all moves are banned. ``rules`` is the rule set for this
        search only. The result's move is None if the engine has no move. With ``draw_offered`` the
        engine accepts by offering a draw itself. Raises IllegalBestMoveError; EngineError for an
        empty limit, a limit that the dialect cannot express, or rules that the engine has no option
        for.
        """
        require_end(limit, board)
        search = self._make_request(board, limit, draw_offered, root_moves, banned)
        request = CommandRequest(search, game, info, self._with_rules(rules, options))
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
        """Start a search, without a limit until stopped, and return its analysis."""
        require_search(board, Limit() if limit is None else limit)
        wanted = None if limit == Limit() else limit
        search = self._make_request(board.copy(), wanted, False, root_moves, banned)
        request = CommandRequest(search, game, info, self._with_rules(rules, options), multipv)
        return await self.communicate(lambda _: AnalysisCommand(self, request))

    async def send_opponent_information(
        self, *, opponent: chess.engine.Opponent | None = None, engine_rating: int | None = None
    ) -> None:
        """Do nothing: no dialect can express this."""

    async def send_game_result(  # type: ignore[override]
        self,
        board: Board,
        winner: Color | None = None,
        game_ending: str | None = None,
        game_complete: bool = True,
    ) -> None:
        """Do nothing: the next game is announced when it begins."""
        if winner is not None:
            require_color(winner)

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

    ``dialect`` is "ucci", "uci" or "xboard"; by default they are tried in this order, and an engine
    that exits at an unknown command, or rejects UCCI and UCI, is started again. On Linux the engine
    does not outlive the thread that runs the event loop.

    Raises EngineError if there is no such program, or if it does not answer within ``timeout``
    seconds, in which case it is killed.
    """
    if dialect is not None and dialect not in DIALECTS:
        raise EngineError(Fact("driver.dialect", value=dialect, choices=tuple(DIALECTS)))
    others = [[name] for name in DIALECTS if name != PROBED[0]]
    attempts = [[dialect]] if dialect is not None else [list(PROBED), *others]
    for names in attempts:
        make = partial(XiangqiProtocol, names, probe_seconds=timeout * PROBE_SHARE, on_line=on_line)
        engine = await start_process(make, command, cwd)
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


async def _end(engine: XiangqiProtocol) -> None:
    engine.kill()
    await asyncio.shield(engine.returncode)
