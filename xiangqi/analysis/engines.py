"""Engines for analysis: Meihua in this process, or any UCCI, UCI or XBoard program.

The :class:`Analyst` of a thread is reused for its next game, after clearing the state of earlier
games, so that results depend neither on the worker nor on the games before.
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from xiangqi.analysis.values import Value
from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.engine import Engine, Limits, SearchInfo, is_decided, moves_to_mate
from xiangqi.ground.errors import Fact
from xiangqi.ground.errors.copies import NotCopied
from xiangqi.pieces import RED, Color
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set
from xiangqi.words.voice import PLAIN_VOICE, Voice

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

    from xiangqi.board.scores import AnyEngine, InfoDict

__all__ = [
    "Analyst",
    "Effort",
    "EngineAnalyst",
    "EngineLine",
    "OurAnalyst",
    "borrow_analyst",
    "return_analyst",
]

PATIENCE_S: Final = 120.0
"""Seconds without output, beyond the search time, after which an external engine counts as hung."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Search limits for a position; 0 means no limit."""

    nodes: int = 0
    seconds: float = 0.0
    depth: int = 0

    def times(self, factor: float) -> Effort:
        """The effort multiplied by a factor; doubling it adds a ply of depth."""
        return Effort(
            max(1, round(self.nodes * factor)) if self.nodes else 0,
            self.seconds * factor,
            max(1, self.depth + round(math.log2(factor))) if self.depth else 0,
        )

    def describe(self, voice: Voice = PLAIN_VOICE) -> str:
        """Describe the effort in words.

        >>> Effort(nodes=20_000, depth=12).describe()
        '20000 nodes, depth 12'
        """
        limits = [
            voice.say("effort_nodes", nodes=self.nodes) if self.nodes else "",
            voice.say("effort_seconds", seconds=f"{self.seconds:g}") if self.seconds else "",
            voice.say("effort_depth", depth=self.depth) if self.depth else "",
        ]
        return ", ".join(filter(None, limits))


class EngineLine(NamedTuple):
    """Principal variation of a search."""

    value: Value
    moves: tuple[Move, ...]
    """At least one move."""
    depth: int
    settled: int
    """Depth from which on the first move has been the best one."""


class Analyst(Protocol):
    """Interface of engines that evaluate positions."""

    @property
    def name(self) -> str:
        """Name of the engine."""

    def new_game(self) -> None:
        """Clear all state of earlier games."""

    def search(
        self, board: Board, effort: Effort, banned: Sequence[Move] = ()
    ) -> EngineLine | None:
        """Search for the best line that does not begin with a banned move; None without one."""

    def close(self) -> None:
        """Stop the engine."""


# Meihua


class OurAnalyst(NotCopied):
    """Meihua, under a given rule set."""

    HOLDS = "an engine"

    name = "Meihua"

    def __init__(self, rules: RuleSet | str = WXF) -> None:
        self._engine = Engine()
        self._rules = find_rule_set(rules)

    def new_game(self) -> None:
        self._engine.new_game()

    def search(
        self, board: Board, effort: Effort, banned: Sequence[Move] = ()
    ) -> EngineLine | None:
        """Search for the best line."""
        if len(banned) and len(board.allowed_moves(self._rules)) <= len(banned):
            return None
        limits = Limits(
            nodes=effort.nodes,
            movetime_ms=round(effort.seconds * 1000),
            depth=effort.depth,
            banned=tuple(banned),
        )
        infos: list[SearchInfo] = []
        result = self._engine.play(board, limits, infos.append, rules=self._rules)
        if result.best is None:
            return None
        lines, settled = [], 0
        for info in infos:
            if info.pv[:1] == (result.best,):
                lines.append(info.pv)
                settled = settled or info.depth
            else:
                settled = 0
        # Lines of one or two moves come with a bound for a score.
        lines = [line for line in lines if len(line) > 2] or lines
        moves = lines[-1] if lines else (result.best,)
        return EngineLine(_value_of_score(result.score, board.turn), moves, result.depth, settled)

    def close(self) -> None:
        """Do nothing: the engine of this thread is reused."""


def _value_of_score(score: int, turn: Color) -> Value:
    moves = moves_to_mate(score)
    if moves is not None:
        return Value.of_mate(moves if turn == RED else -moves)
    if is_decided(score):
        return Value.of_winner(turn if score > 0 else not turn, "rule")
    return Value.of_cp(score if turn == RED else -score)


# External engines


class EngineAnalyst(NotCopied):
    """Any engine with the interface of :mod:`xiangqi.board.scores`, which applies its own rules.

    Raises EngineError, also if the engine is silent for :data:`PATIENCE_S` or its first move comes
    without a score.
    """

    HOLDS = "an engine"

    def __init__(self, engine: AnyEngine) -> None:
        self._engine = engine
        self._game = object()
        self._has_scored = False
        self.name = engine.id.get("name", "?")

    @classmethod
    def popen(cls, command: str, options: Sequence[tuple[str, str]] = ()) -> Self:
        """Start a UCCI, UCI or XBoard engine."""
        from xiangqi.client import SimpleEngine  # slow to import

        engine = SimpleEngine.popen(command)
        try:
            engine.configure(dict(options))
        except BaseException:
            engine.close()
            raise
        return cls(engine)

    def new_game(self) -> None:
        self._game = object()

    def search(
        self, board: Board, effort: Effort, banned: Sequence[Move] = ()
    ) -> EngineLine | None:
        """Search; the last score and line count.

        None without a score, or if the engine cannot exclude the banned moves.
        """
        from xiangqi.board.scores import EngineError, InfoDict, Limit

        if board.legal_moves.count() <= len(banned):
            return None
        if banned and not getattr(self._engine, "can_ban", True):
            return None
        limit = Limit(
            time=effort.seconds or None, nodes=effort.nodes or None, depth=effort.depth or None
        )
        settled, last = 0, InfoDict()
        bans: dict[str, Any] = {"banned": banned} if banned else {}
        watch = _Watch(self._engine.close, PATIENCE_S + effort.seconds)
        analysis = self._engine.analysis(board, limit, game=self._game, **bans)
        with watch, analysis:
            for info in analysis:
                watch.restart()
                if "score" not in info or (last.get("pv") and not info.get("pv")):
                    continue
                if not last or last.get("pv", [])[:1] != info.get("pv", [])[:1]:
                    settled = info.get("depth", 0)
                last = info
            best = analysis.wait().move
        if best is None or not last:
            if best is not None and not self._has_scored:  # later forced moves may lack a score
                raise EngineError(Fact("driver.no_score", name=self.name, move=best.iccs()))
            return None
        self._has_scored = True
        return _line_of_info(last, best, settled)

    def close(self) -> None:
        self._engine.close()


class _Watch:
    """Watchdog that closes an engine after a time without output."""

    def __init__(self, end: Callable[[], None], seconds: float) -> None:
        self._end = end
        self._seconds = seconds
        self._deadline = math.inf
        self._is_over = threading.Event()

    def restart(self) -> None:
        """Restart the time after output of the engine."""
        self._deadline = time.monotonic() + self._seconds

    def _wait(self) -> None:
        while not self._is_over.wait(self._deadline - time.monotonic()):
            if time.monotonic() >= self._deadline:
                self._end()
                return

    def __enter__(self) -> Self:
        self.restart()
        threading.Thread(target=self._wait, name="watch", daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()


def _line_of_info(info: InfoDict, best: Move, settled: int) -> EngineLine:
    score, pov_wdl = info["score"], info.get("wdl")
    mate, winner = score.red().mate(), score.rule_winner()
    if mate is not None:
        value = Value.of_mate(mate)
    elif winner is not None:
        value = Value.of_winner(winner, "rule")
    else:
        wdl = None if pov_wdl is None else pov_wdl.red()
        chances = None if wdl is None or wdl.total() != 1000 else (wdl.wins, wdl.losses)
        value = Value.of_cp(score.red().score() or 0, chances)
    moves = tuple(info.get("pv") or [best])
    return EngineLine(value, moves, info.get("depth", 0), settled)


# The analyst of each thread


_LOCAL = threading.local()


def borrow_analyst(
    command: str = "", options: Sequence[tuple[str, str]] = (), rules: RuleSet | str = WXF
) -> Analyst:
    """Get the analyst of this thread, made on first use: Meihua unless there is a command.

    It is kept for the next game, since loading a network takes longer than searching a position; an
    analyst with other settings is closed. Only this thread may use it.
    """
    settings = (command, tuple(options), find_rule_set(rules))
    if getattr(_LOCAL, "settings", None) != settings:
        return_analyst()
        _LOCAL.analyst = EngineAnalyst.popen(command, options) if command else OurAnalyst(rules)
        _LOCAL.settings = settings
    analyst: Analyst = _LOCAL.analyst
    return analyst


def return_analyst() -> None:
    """Close the analyst of this thread, if any."""
    analyst: Analyst | None = getattr(_LOCAL, "analyst", None)
    _LOCAL.settings = _LOCAL.analyst = None
    if analyst is not None:
        analyst.close()
