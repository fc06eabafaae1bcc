"""Engines that evaluate positions: ours in this process, or any UCCI, UCI or XBoard program.

An :class:`Analyst` evaluates one position after another. Ours belongs to the calling thread and is
reused for the next game with an empty hash table, so that the numbers of a game depend neither on
the worker nor on the games before.
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
from xiangqi.errors import Fact
from xiangqi.pieces import RED, Color
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set
from xiangqi.words.voice import PLAIN_VOICE, Voice

if TYPE_CHECKING:
    from collections.abc import Callable

    from typing_extensions import Self

    from xiangqi.scores import AnyEngine, InfoDict

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
"""Seconds of silence, beyond the time of its search, after which a foreign engine counts as hung.
"""


@dataclass(frozen=True, slots=True)
class Effort:
    """Effort for a position; 0 means no limit."""

    nodes: int = 0
    seconds: float = 0.0
    depth: int = 0

    def times(self, factor: float) -> Effort:
        """The effort multiplied by a factor. A ply of depth takes about twice as long."""
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
        told = [
            voice.say("effort_nodes", nodes=self.nodes) if self.nodes else "",
            voice.say("effort_seconds", seconds=f"{self.seconds:g}") if self.seconds else "",
            voice.say("effort_depth", depth=self.depth) if self.depth else "",
        ]
        return ", ".join(filter(None, told))


class EngineLine(NamedTuple):
    """Best line of an engine in a position."""

    value: Value
    moves: tuple[Move, ...]
    """The line of play; at least one move."""
    depth: int
    settled: int
    """Depth from which on the first move was the best."""


class Analyst(Protocol):
    """Interface of engines that evaluate positions."""

    @property
    def name(self) -> str:
        """Name of the analyst."""

    def new_game(self) -> None:
        """Clear all state of earlier games."""

    def search(
        self, board: Board, effort: Effort, banned: Sequence[Move] = ()
    ) -> EngineLine | None:
        """Search for the best line that does not begin with a banned move; None if there is
        none."""

    def close(self) -> None:
        """Stop the engine."""


# Ours


class OurAnalyst:
    """Our engine, which searches by the rules that it is made with."""

    name = "Meihua"

    def __init__(self, rules: RuleSet | str = WXF) -> None:
        self._engine = Engine()
        self._rules = find_rule_set(rules)

    def new_game(self) -> None:
        """Clear the hash table."""
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
        lines = [info.pv for info in infos if info.pv[:1] == (result.best,)]
        moves = _last_whole(lines) or (result.best,)
        value = _value_of_score(result.score, board.turn)
        return EngineLine(value, moves, result.depth, _find_settled(infos, result.best))

    def close(self) -> None:
        """Do nothing: the engine of this thread is reused."""


def _value_of_score(score: int, turn: Color) -> Value:
    moves = moves_to_mate(score)
    if moves is not None:
        return Value.of_mate(moves if turn == RED else -moves)
    if is_decided(score):
        return Value.of_winner(turn if score > 0 else not turn, "rule")
    return Value.of_cp(score if turn == RED else -score)


def _last_whole(lines: Sequence[tuple[Move, ...]]) -> tuple[Move, ...]:
    """The last line longer than two moves; shorter ones come with a score that is only a bound."""
    for line in reversed(lines):
        if len(line) > 2:
            return line
    return lines[-1] if lines else ()


def _find_settled(infos: Sequence[SearchInfo], best: Move) -> int:
    settled = 0
    for info in infos:
        if info.pv[:1] != (best,):
            settled = 0
        elif not settled:
            settled = info.depth
    return settled


# Theirs


class EngineAnalyst:
    """Any engine of the interface of :mod:`xiangqi.scores`, with its own knowledge of the rules.
    Raises EngineError, also where it is silent for :data:`PATIENCE_S`, and where its first move
    comes without a score."""

    def __init__(self, engine: AnyEngine) -> None:
        self._engine = engine
        self._game = object()
        self._has_scored = False
        self.name = engine.id.get("name", "?")

    @classmethod
    def popen(cls, command: str, options: Sequence[tuple[str, str]] = ()) -> Self:
        """Start a program that speaks UCCI, UCI or XBoard's protocol."""
        from xiangqi.client import SimpleEngine  # asyncio and chess are for who needs them

        engine = SimpleEngine.popen(command)
        try:
            engine.configure(dict(options))
        except BaseException:
            engine.close()
            raise
        return cls(engine)

    def new_game(self) -> None:
        """Send the next search as that of a new game."""
        self._game = object()

    def search(
        self, board: Board, effort: Effort, banned: Sequence[Move] = ()
    ) -> EngineLine | None:
        """Search; its last score and line count. None without a score, or where it cannot exclude
        the banned moves."""
        from xiangqi.scores import InfoDict, Limit

        if board.legal_moves.count() <= len(banned):
            return None
        if banned and not getattr(self._engine, "can_ban", True):
            return None
        limit = Limit(
            time=effort.seconds or None, nodes=effort.nodes or None, depth=effort.depth or None
        )
        settled, last = 0, InfoDict()
        watch = _Watch(self._engine.close, PATIENCE_S + effort.seconds)
        analysis = self._engine.analysis(board, limit, game=self._game, **_bans(banned))
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
            self._require_scores(best)
            return None
        self._has_scored = True
        return _line_of_info(last, best, settled)

    def _require_scores(self, best: Move | None) -> None:
        """Raise EngineError if the first move comes without a score; later forced moves may."""
        from xiangqi.scores import EngineError

        if best is not None and not self._has_scored:
            raise EngineError(Fact("driver.no_score", name=self.name, move=best.iccs()))

    def close(self) -> None:
        """End the engine."""
        self._engine.close()


def _bans(banned: Sequence[Move]) -> dict[str, Any]:
    """Keyword arguments that ban these moves; none if there are none."""
    return {"banned": banned} if banned else {}


class _Watch:
    """Watchdog that ends an engine after so many silent seconds."""

    def __init__(self, end: Callable[[], None], seconds: float) -> None:
        self._end = end
        self._seconds = seconds
        self._deadline = math.inf
        self._is_over = threading.Event()

    def restart(self) -> None:
        """Restart the time: the engine has printed something."""
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
    score, told = info["score"], info.get("wdl")
    mate, winner = score.red().mate(), score.rule_winner()
    if mate is not None:
        value = Value.of_mate(mate)
    elif winner is not None:
        value = Value.of_winner(winner, "rule")
    else:
        wdl = None if told is None else told.red()
        chances = None if wdl is None or wdl.total() != 1000 else (wdl.wins, wdl.losses)
        value = Value.of_cp(score.red().score() or 0, chances)
    moves = tuple(info.get("pv") or [best])
    return EngineLine(value, moves, info.get("depth", 0), settled)


# One for each thread


_OWN = threading.local()


def borrow_analyst(
    command: str = "", options: Sequence[tuple[str, str]] = (), rules: RuleSet | str = WXF
) -> Analyst:
    """Analyst of this thread, made on first use; our engine if there is no command.

    It is kept for the next game, since loading a network takes longer than searching a position;
    one with other settings is closed. Only this thread may use it.
    """
    wanted = (command, tuple(options), find_rule_set(rules))
    if getattr(_OWN, "wanted", None) != wanted:
        return_analyst()
        _OWN.analyst = EngineAnalyst.popen(command, options) if command else OurAnalyst(rules)
        _OWN.wanted = wanted
    analyst: Analyst = _OWN.analyst
    return analyst


def return_analyst() -> None:
    """Close the analyst of this thread, if there is one."""
    analyst: Analyst | None = getattr(_OWN, "analyst", None)
    _OWN.wanted = _OWN.analyst = None
    if analyst is not None:
        analyst.close()
