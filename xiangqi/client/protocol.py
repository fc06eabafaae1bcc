"""The engine as an object with commands: play, analyse, configure, ping, quit.

The shapes and their meaning are those of ``chess.engine.Protocol`` of python-chess
(https://python-chess.readthedocs.io/en/latest/engine.html), with Xiangqi's boards and moves.
Where it says White, Red is meant.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Final

import chess.engine
from chess.engine import (
    ConfigMapping,
)

from xiangqi.board import Board
from xiangqi.client.commands import (
    AnalysisCommand,
    ConfigureCommand,
    PingCommand,
    PlayCommand,
    Request,
)
from xiangqi.client.dialects import Search
from xiangqi.client.handshake import InitializeCommand, UnknownDialectError
from xiangqi.client.process import LineListener, start_process
from xiangqi.client.rules import rule_options
from xiangqi.client.session import DIALECTS, PROBED, Session
from xiangqi.core.move import Move
from xiangqi.errors import quote
from xiangqi.pieces import Color
from xiangqi.referee.rules import RuleSet
from xiangqi.scores import (
    INFO_ALL,
    AnalysisResult,
    AsyncAnalysing,
    EngineError,
    EngineTerminatedError,
    Info,
    Limit,
    PlayResult,
    require_end,
    require_search,
)

__all__ = ["XiangqiProtocol", "open_engine"]

PROBE_SHARE: Final = 0.2
"""The part of the time for the start after which another dialect is tried."""
QUIT_PATIENCE_S: Final = 5.0
"""How long an engine may take to leave before it is killed."""


class XiangqiProtocol(AsyncAnalysing, Session):  # type: ignore[misc]
    """One engine, whatever dialect it speaks; :func:`open_engine` makes one.

    Errors are python-chess's: EngineError for what the engine cannot do or does wrong,
    EngineTerminatedError when its process has ended.
    """

    def _search(
        self,
        board: Board,
        limit: Limit | None,
        draw_offered: bool,
        root_moves: Iterable[Move] | None,
        banned: Iterable[Move],
    ) -> Search:
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
        return Search(
            board,
            limit or Limit(),
            infinite=limit is None,
            draw_offered=draw_offered,
            forbidden=forbidden,
        )

    def _options(self, rules: RuleSet | str | None, options: ConfigMapping) -> ConfigMapping:
        """The options of one search, those that tell the rules among them."""
        return options if rules is None else {**rule_options(rules, self.options), **options}

    # Commands

    async def initialize(self) -> None:
        """Greet the engine and find out what it speaks."""
        await self.communicate(lambda _: InitializeCommand(self))

    async def ping(self) -> None:
        """Wait until the engine has processed all commands."""
        await self.communicate(lambda _: PingCommand(self))

    async def configure(self, options: ConfigMapping) -> None:
        """Set options for good; a button is pressed by None."""
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
        request = Request(search, game, info, self._options(rules, options))
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
        """Search, until stopped if there is no limit, and hand on what the engine tells."""
        require_search(board, Limit() if limit is None else limit)
        wanted = None if limit == Limit() else limit
        search = self._search(board.copy(), wanted, False, root_moves, banned)
        request = Request(search, game, info, self._options(rules, options), multipv)
        return await self.communicate(lambda _: AnalysisCommand(self, request))

    async def send_opponent_information(
        self, *, opponent: chess.engine.Opponent | None = None, engine_rating: int | None = None
    ) -> None:
        """None of the dialects has words for it."""

    async def send_game_result(  # type: ignore[override]
        self,
        board: Board,
        winner: Color | None = None,
        game_ending: str | None = None,
        game_complete: bool = True,
    ) -> None:
        """None of the dialects needs it: the next game is announced when it begins."""

    async def quit(self) -> None:
        """Ask the engine to leave, and see to it that it does."""
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
    """Start an engine and greet it.

    Without a ``dialect`` ("ucci", "uci", "xboard") they are tried in this order; an engine that
    ends at a word it does not know, or says of UCCI and UCI that it does not know them, is started
    again. It lives no longer than the thread that runs the event loop.

    Raises EngineError if there is no such program, or if it does not answer in ``timeout``
    seconds; then it has been killed.
    """
    if dialect is not None and dialect not in DIALECTS:
        known = ", ".join(DIALECTS)
        raise EngineError(f"unknown dialect {quote(dialect)}: expected one of {known}")
    others = [[name] for name in DIALECTS if name != PROBED[0]]
    attempts = [[dialect]] if dialect is not None else [list(PROBED), *others]
    for names in attempts:
        engine = await _start(command, names, timeout, cwd, on_line)
        try:
            await asyncio.wait_for(engine.initialize(), timeout)
        except (EngineTerminatedError, UnknownDialectError) as error:
            await _end(engine)
            if names == attempts[-1]:
                raise type(error)(f"cannot start {quote(command)}: {error}") from error
        except asyncio.TimeoutError:
            await _end(engine)
            tried = " or ".join(names)
            why = f"no answer to {tried} within {timeout:g} seconds"
            raise EngineError(f"cannot start {quote(command)}: {why}") from None
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
