"""Limits, scores, info and results of all engines.

They are the types of python-chess (https://python-chess.readthedocs.io/en/latest/engine.html) with
Xiangqi's moves, and Red in place of White. Both :class:`xiangqi.Meihua` and
:class:`xiangqi.SimpleEngine`, which drives other engines, take a :class:`Limit` and return an
:class:`InfoDict`.

>>> score = PovScore(Cp(35), BLACK)
>>> score.relative, score.red(), score.black()
(Cp(+35), Cp(-35), Cp(+35))
>>> score.wdl().red().expectation()
0.488
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, cast, overload

import chess.engine
from chess.engine import (
    INFO_ALL,
    INFO_BASIC,
    INFO_NONE,
    INFO_PV,
    INFO_SCORE,
    AnalysisComplete,
    EngineError,
    EngineTerminatedError,
    Info,
    Limit,
    Mate,
    MateGiven,
    Option,
    Score,
    Wdl,
)

from xiangqi.core.board import CoreBoard
from xiangqi.ground.chances import expect_result
from xiangqi.ground.errors import Fact, quote
from xiangqi.ground.errors.copies import NotCopied
from xiangqi.pieces import BLACK, RED, Color, require_color

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

    from xiangqi.core.move import Move

__all__ = [
    "INFO_ALL",
    "INFO_BASIC",
    "INFO_NONE",
    "INFO_PV",
    "INFO_SCORE",
    "AnalysisComplete",
    "AnalysisResult",
    "AnyAnalysis",
    "AnyEngine",
    "AsyncAnalysing",
    "BestMove",
    "Cp",
    "EngineError",
    "EngineTerminatedError",
    "Info",
    "InfoDict",
    "Limit",
    "Mate",
    "MateGiven",
    "Option",
    "PlayResult",
    "PovScore",
    "PovWdl",
    "RuleWin",
    "Score",
    "Wdl",
    "add_info",
    "require_end",
    "require_search",
]

MODEL = "meihua"
"""Name of the win, draw and loss model of :func:`~xiangqi.ground.chances.expect_result`; those of
python-chess are for chess."""


# Scores


class Cp(chess.engine.Cp):
    """Centipawns, with a win, draw and loss model of Xiangqi.

    >>> Cp(463).wdl()
    Wdl(wins=500, draws=496, losses=4)
    """

    def wdl(self, *, model: str = MODEL, ply: int = 30) -> Wdl:
        """Expected wins, draws and losses in 1000 games; ``ply`` has no effect."""
        if model != MODEL:
            return super().wdl(model=cast(Any, model), ply=ply)
        return Wdl(*expect_result(self.cp))

    def __neg__(self) -> Self:
        return type(self)(-self.cp)

    def __pos__(self) -> Self:
        return self

    def __abs__(self) -> Self:
        return type(self)(abs(self.cp))


class RuleWin(Cp):
    """Win by the repetition rules, found by Meihua; a loss if negative.

    It exceeds all evaluations and is exceeded by all mates; later wins have lower values.

    >>> Cp(900) < RuleWin(28_990) < Mate(9)
    True
    """

    def __repr__(self) -> str:
        return f"RuleWin({self})"


class PovScore(chess.engine.PovScore):
    """Score with its point of view."""

    def __init__(self, relative: Score, turn: Color) -> None:
        super().__init__(relative, require_color(turn))

    def pov(self, color: Color) -> Score:
        """Score from a side's point of view."""
        return super().pov(require_color(color))

    def red(self) -> Score:
        """Score from Red's point of view."""
        return self.pov(RED)

    def wdl(self, *, model: str = MODEL, ply: int = 30) -> PovWdl:
        """Expected wins, draws and losses in 1000 games."""
        return PovWdl(self.relative.wdl(model=cast(Any, model), ply=ply), self.turn)

    def rule_winner(self) -> Color | None:
        """Side that wins by the repetition rules; None for any other score.

        >>> PovScore(RuleWin(-28_990), RED).rule_winner() == BLACK
        True
        """
        if not isinstance(self.relative, RuleWin):
            return None
        return RED if (self.relative.cp > 0) == (self.turn == RED) else BLACK

    def __repr__(self) -> str:
        return f"PovScore({self.relative!r}, {'RED' if self.turn == RED else 'BLACK'})"


class PovWdl(chess.engine.PovWdl):
    """Wins, draws and losses with their point of view."""

    def __init__(self, relative: Wdl, turn: Color) -> None:
        super().__init__(relative, require_color(turn))

    def pov(self, color: Color) -> Wdl:
        """Wins, draws and losses from a side's point of view."""
        return super().pov(require_color(color))

    def red(self) -> Wdl:
        """Wins, draws and losses from Red's point of view."""
        return self.pov(RED)

    def __repr__(self) -> str:
        return f"PovWdl({self.relative!r}, {'RED' if self.turn == RED else 'BLACK'})"


# Info


class InfoDict(TypedDict, total=False):
    """Info of a search, with only the keys that the engine sent."""

    score: PovScore
    lowerbound: bool
    """Is the score a lower bound?"""
    upperbound: bool
    """Is the score an upper bound?"""
    wdl: PovWdl
    pv: list[Move]
    """Principal variation, all moves legal."""
    multipv: int
    """Number of the line, from 1."""
    depth: int
    seldepth: int
    nodes: int
    nps: int
    time: float
    """Time in seconds."""
    hashfull: int
    """Permille of the hash table in use."""
    tbhits: int
    cpuload: int
    currmove: Move
    currmovenumber: int
    string: str


def add_info(lines: list[InfoDict], info: InfoDict) -> None:
    """Merge an info into those of all lines, by its ``multipv``; a new score clears the bounds."""
    number = info.get("multipv", 1)
    while len(lines) < number:
        lines.append({})
    line = lines[number - 1]
    if "score" in info:
        line.pop("lowerbound", None)
        line.pop("upperbound", None)
    line.update(info)


class BestMove(chess.engine.BestMove):
    """Best move and expected reply of an analysis."""

    move: Move | None  # type: ignore[assignment]
    ponder: Move | None  # type: ignore[assignment]

    def __init__(self, move: Move | None, ponder: Move | None = None) -> None:
        super().__init__(cast(Any, move), cast(Any, ponder))


class PlayResult(chess.engine.PlayResult):
    """Move of an engine; None if it has no move or resigns."""

    move: Move | None  # type: ignore[assignment]
    ponder: Move | None  # type: ignore[assignment]
    info: InfoDict  # type: ignore[assignment]

    def __init__(
        self,
        move: Move | None,
        ponder: Move | None = None,
        info: InfoDict | None = None,
        *,
        draw_offered: bool = False,
        resigned: bool = False,
        seconds: float = 0.0,
    ) -> None:
        super().__init__(None, None, None, draw_offered=draw_offered, resigned=resigned)
        self.move = move
        self.ponder = ponder
        self.info = info or {}
        self.seconds = seconds
        """Seconds from the request to the answer."""


class AnalysisResult(NotCopied, chess.engine.AnalysisResult):
    """A running search in an event loop: iterate over it with ``async for``."""

    HOLDS = "a running search"

    multipv: list[InfoDict]  # type: ignore[assignment]

    @property
    def info(self) -> InfoDict:  # type: ignore[override]
        """Info of the best line so far."""
        return self.multipv[0]

    def post(self, info: InfoDict) -> None:  # type: ignore[override]
        """Add an info of the engine."""
        if info:
            add_info(self.multipv, info)
            self._queue.put_nowait(cast(Any, info))

    def __enter__(self) -> Self:
        return self


# Engines


class AnyAnalysis(Protocol):
    """A running search of any engine, with its info so far."""

    @property
    def info(self) -> InfoDict:
        """Info of the best line so far."""

    @property
    def multipv(self) -> list[InfoDict]:
        """Info of each line so far."""

    def stop(self) -> None:
        """Stop the search; its last infos may still arrive."""

    def wait(self) -> BestMove:
        """Wait until the search ends."""

    def would_block(self) -> bool:
        """Would :meth:`get` have to wait?"""

    def empty(self) -> bool:
        """Has all info that arrived been read?"""

    def get(self) -> InfoDict:
        """Wait for the next info; raises AnalysisComplete after the last one."""

    def next(self) -> InfoDict | None:
        """Wait for the next info; None after the last one."""

    def __iter__(self) -> Iterator[InfoDict]: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class AnyEngine(Protocol):
    """Any engine: Meihua in this process, or one that speaks a protocol."""

    @property
    def id(self) -> Mapping[str, str]:
        """Declared identity: ``name``, ``author``."""

    def configure(self, options: Mapping[str, Any]) -> None:
        """Set options permanently; None presses a button."""

    def play(
        self, board: Any, limit: Limit, *, game: object = None, rules: Any = None
    ) -> PlayResult:
        """Search for a move, with ``rules`` as the rule set if given."""

    @overload
    def analyse(
        self,
        board: Any,
        limit: Limit,
        *,
        multipv: None = None,
        game: object = None,
        rules: Any = None,
    ) -> InfoDict: ...
    @overload
    def analyse(
        self, board: Any, limit: Limit, *, multipv: int, game: object = None, rules: Any = None
    ) -> list[InfoDict]: ...
    @overload
    def analyse(
        self,
        board: Any,
        limit: Limit,
        *,
        multipv: int | None,
        game: object = None,
        rules: Any = None,
    ) -> InfoDict | list[InfoDict]: ...
    def analyse(
        self,
        board: Any,
        limit: Limit,
        *,
        multipv: int | None = None,
        game: object = None,
        rules: Any = None,
    ) -> InfoDict | list[InfoDict]:
        """Search, wait, and return the last info, or a list of infos if ``multipv`` is given."""

    def analysis(
        self,
        board: Any,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        game: object = None,
        rules: Any = None,
    ) -> AnyAnalysis:
        """Start a search, without a limit until stopped, and iterate over its info."""

    def close(self) -> None:
        """Close the engine."""


class AsyncAnalysing:
    """Common part of asynchronous engines: an analysis that can be awaited."""

    analysis: Callable[..., Coroutine[Any, Any, AnalysisResult]]

    @overload
    async def analyse(
        self, board: CoreBoard, limit: Limit, *, multipv: None = None, **arguments: Any
    ) -> InfoDict: ...
    @overload
    async def analyse(
        self, board: CoreBoard, limit: Limit, *, multipv: int, **arguments: Any
    ) -> list[InfoDict]: ...
    @overload
    async def analyse(
        self, board: CoreBoard, limit: Limit, *, multipv: int | None, **arguments: Any
    ) -> InfoDict | list[InfoDict]: ...
    async def analyse(
        self, board: CoreBoard, limit: Limit, *, multipv: int | None = None, **arguments: Any
    ) -> InfoDict | list[InfoDict]:
        """Search, wait, and return the last info, or a list of infos if ``multipv`` is given.

        ``arguments`` are those of ``analysis``. Cancelling this ends the search. Raises EngineError
        for an empty limit.
        """
        require_end(limit, board)
        with await self.analysis(board, limit, multipv=multipv, **arguments) as seen:
            await seen.wait()
        return seen.info if multipv is None else seen.multipv


def require_search(board: object, limit: object) -> None:
    """Raise TypeError unless these are a board and a limit."""
    if not isinstance(board, CoreBoard):
        raise TypeError(f"board {quote(board)}: expected a Board")
    if not isinstance(limit, Limit):
        raise TypeError(f"limit {quote(limit)}: expected a Limit, as in Limit(time=1.0)")


def require_end(limit: Limit, board: CoreBoard) -> None:
    """Raise EngineError for a limit that would not end a search of this board; TypeError as
    :func:`require_search`."""
    require_search(board, limit)
    clock = limit.white_clock if board.turn == RED else limit.black_clock
    if all(one is None for one in (limit.time, limit.depth, limit.nodes, limit.mate, clock)):
        raise EngineError(Fact("driver.endless", limit=repr(limit), side=board.turn == RED))
