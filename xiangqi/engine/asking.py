"""Our engine with the types of :mod:`xiangqi.scores`: limits in, infos and results out."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from chess.engine import UciOptionMap

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.engine.declarations import UCI
from xiangqi.engine.engine import BusyError, Engine, SearchInfo, SearchJob, SearchResult
from xiangqi.engine.options import OPTIONS, OptionValue
from xiangqi.engine.scores import is_decided, moves_to_mate
from xiangqi.engine.timing import Clock, Limits
from xiangqi.engine.ucci import likes_draw
from xiangqi.errors import XiangqiError, quote
from xiangqi.pieces import RED, Color
from xiangqi.referee.rules import RuleSet, find_rule_set
from xiangqi.scores import (
    INFO_ALL,
    INFO_BASIC,
    INFO_PV,
    INFO_SCORE,
    Cp,
    EngineError,
    EngineTerminatedError,
    Info,
    InfoDict,
    Limit,
    Mate,
    Option,
    PlayResult,
    PovScore,
    PovWdl,
    RuleWin,
    Score,
    require_search,
)
from xiangqi.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Asked", "Desk", "limits_of", "read_info", "score_of"]

MANAGED: Final = frozenset({"multipv", "ponder"})
"""Options that each search sets for itself."""
CLEAR: Final = "Clear Hash"
"""The button that makes the engine forget what it has learnt."""


# Words


def score_of(score: int) -> Score:
    """A score of the engine as a value.

    >>> score_of(-35), score_of(29_997), score_of(-30_000), score_of(-28_990)
    (Cp(-35), Mate(+2), Mate(-0), RuleWin(-28990))
    """
    moves = moves_to_mate(score)
    if moves is not None:
        return Mate(moves)
    return RuleWin(score) if is_decided(score) else Cp(score)


def read_info(seen: SearchInfo, turn: Color, wanted: Info = INFO_ALL) -> InfoDict:
    """Info of a search, reduced to the requested parts; ``turn`` is the side to move."""
    info: InfoDict = {"multipv": seen.multipv}
    if wanted & INFO_BASIC:
        info["depth"] = seen.depth
        info["seldepth"] = seen.seldepth
        info["nodes"] = seen.nodes
        info["time"] = seen.milliseconds / 1000
        info["nps"] = seen.nodes * 1000 // max(1, seen.milliseconds)
        info["hashfull"] = seen.hashfull
    if wanted & INFO_SCORE:
        score = score_of(seen.score)
        info["score"] = PovScore(score, turn)
        info["wdl"] = PovWdl((score if isinstance(score, Mate) else Cp(seen.score)).wdl(), turn)
        if seen.bound == "lower":
            info["lowerbound"] = True
        elif seen.bound == "upper":
            info["upperbound"] = True
    if wanted & INFO_PV:
        info["pv"] = list(seen.pv)
    return info


def limits_of(limit: Limit, board: Board) -> Limits:
    """The limits of a search of this board; raises EngineError for numbers that are none."""
    for name in ("time", "depth", "nodes", "mate"):
        number = getattr(limit, name)
        if number is not None and not number >= 0:
            raise EngineError(f"invalid limit {name} {number!r}: expected 0 or more")
    red = _clock(limit.white_clock, limit.white_inc, limit.remaining_moves)
    black = _clock(limit.black_clock, limit.black_inc, limit.remaining_moves)
    own, other = (red, black) if board.turn == RED else (black, red)
    return Limits(
        depth=_least_one(limit.depth),
        nodes=_least_one(limit.nodes),
        mate=_least_one(limit.mate),
        movetime_ms=_least_one(None if limit.time is None else 1000 * limit.time),
        clock=own,
        opponent=other,
    )


def _least_one(number: float | None) -> int:
    return 0 if number is None else max(1, round(min(number, 1e18)))


def _clock(seconds: float | None, increment: float | None, moves: int | None) -> Clock | None:
    if seconds is None:
        return None
    return Clock(round(1000 * seconds), round(1000 * (increment or 0.0)), moves or 0)


def _declared() -> UciOptionMap[Option]:
    """The options by the names that they have in UCI."""
    found: UciOptionMap[Option] = UciOptionMap()
    for name, own in UCI.names.items():
        option = OPTIONS[own]
        least, most = (option.least, option.most) if option.kind == "spin" else (None, None)
        found[name] = Option(name, option.kind, option.default, least, most, [*option.choices])
    found[CLEAR] = Option(CLEAR, "button", None, None, None, None)
    return found


# The desk


@dataclass(frozen=True)
class Asked:
    """A search that is wanted."""

    board: Board
    """Nobody else's, and not changed any more."""
    limits: Limits
    info: Info
    multipv: int | None = None
    game: object = None
    rules: RuleSet | None = None
    options: Mapping[str, OptionValue] | None = None
    plays: bool = False
    draw_offered: bool = False


def _make_engine() -> Engine:
    """Engine without move overhead, as no GUI lag is lost in this process."""
    engine = Engine()
    engine.set_option("move_overhead", 0)
    return engine


class Desk:
    """Search requests, one after the other: the common part of :class:`Meihua` and its async twin.

    A new request ends the running search. Errors are those of python-chess: EngineError for a
    request that the engine cannot fulfil, EngineTerminatedError after it has been closed.
    """

    def __init__(
        self, options: Mapping[str, OptionValue] | None = None, *, engine: Engine | None = None
    ) -> None:
        self.engine = engine or _make_engine()
        """The engine itself, for what the words here do not tell."""
        self.id: Mapping[str, str] = {
            "name": f"Meihua {__version__}",
            "author": "the Meihua project",
        }
        self.options = _declared()
        """The options that it has; their names are those of UCI, and are found in any case."""
        self._kept: dict[str, OptionValue] = dict(self.engine.options)
        self._game: object = None
        self._is_fresh = True
        self._is_closed = False
        self._lock = threading.RLock()
        if options:
            self.keep(options)

    def keep(self, options: Mapping[str, OptionValue]) -> None:
        """Set options for good, and press buttons."""
        with self._lock:
            self._end_search()
            self._set({**self._kept, **self._own_names(options)})
            self._kept = dict(self.engine.options)

    def ask(
        self,
        board: Board,
        limit: Limit | None,
        *,
        info: Info = INFO_ALL,
        root_moves: Iterable[Move] | None = None,
        banned: Iterable[Move] = (),
        rules: RuleSet | str | None = None,
        **rest: Any,
    ) -> Asked:
        """A question about a copy of this board; raises PositionError for a draft."""
        limit = Limit() if limit is None else limit
        require_search(board, limit)
        board.require_position()
        limits = limits_of(limit, board)
        moves = None if root_moves is None else tuple(root_moves)
        limits = replace(limits, moves=moves, banned=tuple(banned))
        chosen = None if rules is None else find_rule_set(rules)
        return Asked(board.copy(), limits, info, rules=chosen, **rest)

    def begin(
        self,
        asked: Asked,
        on_info: Callable[[InfoDict], None],
        on_best: Callable[[SearchResult], None],
    ) -> SearchJob:
        """Search in the background; what is found and the answer come in another thread."""
        turn = asked.board.turn

        def tell(seen: SearchInfo) -> None:
            on_info(read_info(seen, turn, asked.info))

        def say(message: str) -> None:
            if asked.info & INFO_BASIC:
                on_info({"string": message})

        def answer(result: SearchResult) -> None:
            if result.best is None and asked.info & INFO_SCORE:
                on_info({"depth": 0, "score": PovScore(Mate(0), turn), "pv": []})
            on_best(result)

        with self._lock:
            self._end_search()
            if not self._is_fresh and asked.game != self._game:
                self.engine.new_game()
            self._game, self._is_fresh = asked.game, False
            wanted = {**self._kept, **self._own_names(asked.options or {})}
            self._set({**wanted, "multipv": 1 if asked.multipv is None else asked.multipv})
            self.engine.on_message = say
            with _as_engine_errors():
                return self.engine.begin(
                    asked.board, asked.limits, tell, answer, rules=asked.rules, plays=asked.plays
                )

    def close(self) -> None:
        """End the search that goes on; nothing more can be asked."""
        with self._lock:
            self._is_closed = True
            self.engine.quit()

    def _end_search(self) -> None:
        if self._is_closed:
            raise EngineTerminatedError("the engine has been closed")
        self.engine.stop()
        try:
            self.engine.require_idle()
        except BusyError as error:
            raise EngineError("the search before heeds no stop") from error

    def _own_names(self, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
        values: dict[str, OptionValue] = {}
        for name, value in options.items():
            option = self.options.get(name)
            if option is not None and option.type == "button":
                self.engine.new_game()
                continue
            if option is None:
                known = ", ".join(self.options)
                raise EngineError(f"no such option: {quote(name)}; the engine has: {known}")
            own = UCI.names[option.name]
            if own in MANAGED:
                raise EngineError(f"cannot set option {option.name}: it is set automatically")
            values[own] = value
        return values

    def _set(self, values: Mapping[str, OptionValue]) -> None:
        for name, value in values.items():
            if self.engine.options[name] != value:
                with _as_engine_errors():
                    self.engine.set_option(name, value)


@contextmanager
def _as_engine_errors() -> Iterator[None]:
    try:
        yield
    except XiangqiError as error:
        raise EngineError(str(error)) from error


def play_result(
    asked: Asked, lines: Sequence[InfoDict], result: SearchResult, began: float
) -> PlayResult:
    """Move played, with the last info."""
    accepts = asked.draw_offered and likes_draw(asked.board, result)
    return PlayResult(
        result.best,
        result.ponder,
        lines[0] if lines else {},
        draw_offered=accepts,
        seconds=time.perf_counter() - began,
    )
