"""Conversations of the client with an engine that is only a script."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from chess.engine import (
    Limit,
    MockTransport,
)

from xiangqi import Board, Move
from xiangqi.client import XiangqiProtocol

ONE_S = Limit(time=1)
CLOCKS = Limit(white_clock=60, black_clock=50.5, white_inc=1, black_inc=0.25)


def talk(
    script: Callable[[XiangqiProtocol, MockTransport], Awaitable[None]],
    dialect: str = "ucci",
    options: Sequence[str] = ("option usemillisec type check default false",),
    after: Sequence[str] = ("setoption usemillisec true",),
) -> None:
    """A conversation after the handshake; all that was expected must have been said."""

    async def main() -> None:
        engine = XiangqiProtocol([dialect])
        transport = MockTransport(engine)
        transport.expect(dialect, ["id name Mock", *options, f"{dialect}ok"])
        for line in after:
            transport.expect(line)
        await engine.initialize()
        await script(engine, transport)
        transport.assert_done()

    asyncio.run(asyncio.wait_for(main(), 10))


def talk_uci(script: Callable[[XiangqiProtocol, MockTransport], Awaitable[None]]) -> None:
    talk(script, "uci", (), ())


def expect_new_game(transport: MockTransport) -> None:
    transport.expect("isready", ["readyok"])


def moves(text: str) -> list[Move]:
    return [Move.from_iccs(word) for word in text.split()]


def board_after(text: str) -> Board:
    board = Board()
    for word in text.split():
        board.push_iccs(word)
    return board
