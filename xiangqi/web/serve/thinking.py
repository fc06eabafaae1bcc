"""Requests of the page for moves and analyses, and descriptions of their results.

The searches run in ``engines``, or on the static site in :mod:`xiangqi.web.site.engines`. Scores of
all engines are on the scale of :mod:`xiangqi.engine.searcher`.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Protocol

from xiangqi.board import Board
from xiangqi.contract.answers import FoundData, LineData, NamesData, ScoreData, name_line
from xiangqi.core.move import Move
from xiangqi.core.searches import MAX_DEPTH
from xiangqi.engine import SearchInfo, is_decided, moves_to_mate
from xiangqi.engine.levels import LEVELS
from xiangqi.engine.searcher import MATE
from xiangqi.ground.chances import expect_result
from xiangqi.ground.errors import Fact, PositionError
from xiangqi.ground.texts import Language, say
from xiangqi.pieces import COLOR_NAMES, RED
from xiangqi.referee.rules import RuleSet
from xiangqi.web.serve.messages import number_of, text_of, wrong_field
from xiangqi.web.serve.positions import play_game
from xiangqi.words import name_side
from xiangqi.words.voice import Voice

__all__ = [
    "EMPTY_RESULT",
    "MAX_LINES",
    "MAX_NAME_LENGTH",
    "MAX_THOUGHT_S",
    "MIN_THOUGHT_S",
    "OWN_ENGINE",
    "Clocks",
    "EngineHost",
    "ScoredLine",
    "SearchDescriber",
    "SearchRequest",
    "SearchSnapshot",
    "read_analysis_request",
    "read_play_request",
]

OWN_ENGINE: Final = "Meihua"
"""Name of the built-in engine."""
MAX_THOUGHT_S: Final = 10.0
MIN_THOUGHT_S: Final = 0.05
MAX_ANALYSIS_S: Final = 3600.0
MAX_LINES: Final = 5
MAX_CLOCK_MS: Final = 10**8
EMPTY_RESULT: Final[Mapping[str, Any]] = MappingProxyType(
    {"depth": 0, "seldepth": 0, "nodes": 0, "nps": 0, "seconds": 0.0, "lines": []}
)
"""Result without lines."""
MAX_NAME_LENGTH: Final = 64
"""Maximum length of the name of an engine, a page or a search, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """Remaining times and increments of both sides, in milliseconds."""

    red_ms: int
    black_ms: int
    red_increment_ms: int = 0
    black_increment_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """Request for a search. Without seconds, clocks and depth it runs until stopped."""

    board: Board | None
    """Position with the game's history, for repetitions; None if the position is impossible."""
    rules: RuleSet
    language: Language
    engine: str = OWN_ENGINE
    page: str = ""
    """Identifier of the page, whose next request stops this search."""
    name: str = ""
    """Name for stopping the search; empty: it cannot be stopped by name."""
    seconds: float | None = None
    clocks: Clocks | None = None
    depth: int | None = None
    lines: int = 1
    level: int = 0
    """Playing strength, one of :data:`~xiangqi.engine.levels.LEVELS`; 0 for full strength."""


class EngineHost(Protocol):
    """Interface of a set of engines. Cancelling a call stops its search."""

    @property
    def names(self) -> Sequence[str]:
        """Names of the engines, the built-in one first."""

    async def play(self, request: SearchRequest) -> dict[str, Any]:
        """Search for a move to play; ``move`` is None if there is no legal move.

        Raises Refusal if the engine fails.
        """

    def analyse(self, request: SearchRequest) -> AsyncGenerator[Mapping[str, object], None]:
        """Yield the results of a search; a failure as ``error`` of the last one."""

    def stop(self, name: str) -> None:
        """Stop the search of this name; it returns its result so far."""

    async def close(self) -> None:
        """End all searches and engines."""


# Requests


def read_play_request(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> SearchRequest:
    """Read a request for a move.

    The data has a game, ``engine``, ``level``, ``page``, ``search`` (a name), and ``seconds`` or
    clocks: ``red_ms``, ``black_ms``, ``red_increment_ms``, ``black_increment_ms``. Raises as
    :func:`play_game` does for the game, Refusal for the other fields.
    """
    has_clocks = "red_ms" in data or "black_ms" in data
    return SearchRequest(
        board=play_game(data),
        rules=rules,
        language=voice.language,
        engine=_name_of(data, "engine") or OWN_ENGINE,
        page=_name_of(data, "page"),
        name=_name_of(data, "search"),
        seconds=None
        if has_clocks
        else number_of(data, "seconds", 1.0, MIN_THOUGHT_S, MAX_THOUGHT_S),
        clocks=_read_clocks(data) if has_clocks else None,
        level=int(number_of(data, "level", 0, 0, len(LEVELS))),
    )


def _read_clocks(data: Mapping[str, Any]) -> Clocks:
    def read(key: str, default: float) -> int:
        return int(number_of(data, key, default, 0, MAX_CLOCK_MS))

    return Clocks(
        red_ms=read("red_ms", -1),
        black_ms=read("black_ms", -1),
        red_increment_ms=read("red_increment_ms", 0),
        black_increment_ms=read("black_increment_ms", 0),
    )


def read_analysis_request(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> SearchRequest:
    """Read a request for an analysis.

    The data has a game, ``engine``, ``page``, the number of ``lines``, a limit (``seconds``,
    ``depth`` or ``endless``), and ``threats``: analyse with the opponent to move. Raises as
    :func:`read_play_request` does.
    """
    board: Board | None = play_game(data)
    assert board is not None
    if _flag_of(data, "threats"):
        pieces, turn, *rest = board.fen().split()
        try:
            board = Board(" ".join([pieces, "b" if turn == "w" else "w", *rest]))
        except PositionError:  # the opponent could capture the general
            board = None
    seconds = depth = None
    if "depth" in data:
        depth = int(number_of(data, "depth", 0, 1, MAX_DEPTH))
    if not (_flag_of(data, "endless") or (depth and "seconds" not in data)):
        seconds = number_of(data, "seconds", 1.0, MIN_THOUGHT_S, MAX_ANALYSIS_S)
    return SearchRequest(
        board=board,
        rules=rules,
        language=voice.language,
        engine=_name_of(data, "engine") or OWN_ENGINE,
        page=_name_of(data, "page"),
        seconds=seconds,
        depth=depth,
        lines=int(number_of(data, "lines", 1, 1, MAX_LINES)),
    )


def _name_of(data: Mapping[str, Any], key: str) -> str:
    name = text_of(data, key, "")
    if len(name) > MAX_NAME_LENGTH:
        raise wrong_field(key, name, Fact("request.characters", most=MAX_NAME_LENGTH))
    return name


def _flag_of(data: Mapping[str, Any], key: str) -> bool:
    value = data.get(key, False)
    if not isinstance(value, bool):
        raise wrong_field(key, value, Fact("true_or_false"))
    return value


# Results


@dataclass(frozen=True, slots=True)
class ScoredLine:
    """Line of play with its score for the side to move."""

    score: int
    moves: tuple[Move, ...]
    chances: tuple[int, int, int] | None = None
    """Wins, draws and losses in permille; None if the engine does not report them."""


@dataclass(frozen=True, slots=True)
class SearchSnapshot:
    """Result of a search so far, the best line first."""

    depth: int = 0
    seldepth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    lines: tuple[ScoredLine, ...] = ()

    @classmethod
    def of(cls, infos: Sequence[SearchInfo]) -> SearchSnapshot:
        """Make a snapshot of the built-in engine's last info of each line."""
        if not infos:
            return cls()
        lines = tuple(ScoredLine(info.score, info.pv) for info in infos)
        best = infos[0]
        return cls(best.depth, best.seldepth, best.nodes, best.milliseconds / 1000, lines)


class SearchDescriber:
    """Describes the results of searches of a position, as data and in words."""

    def __init__(self, board: Board, language: Language) -> None:
        self._board = board
        self._language = language
        self._names: dict[tuple[Move, ...], NamesData] = {}

    def describe(self, snapshot: SearchSnapshot, *, is_final: bool = False) -> FoundData:
        """Describe the result so far."""
        return {
            "depth": snapshot.depth,
            "seldepth": snapshot.seldepth,
            "nodes": snapshot.nodes,
            "nps": round(snapshot.nodes / snapshot.seconds) if snapshot.seconds else 0,
            "seconds": snapshot.seconds,
            "lines": [self._describe_line(line) for line in snapshot.lines],
            "final": is_final,
        }

    def describe_move(self, move: Move | None, snapshot: SearchSnapshot) -> dict[str, Any]:
        """Describe the chosen move: its line in each notation and its evaluation."""
        best_score = snapshot.lines[0].score if snapshot.lines else 0
        line = ScoredLine(best_score, (move,)) if move else ScoredLine(-MATE, ())
        line = next((one for one in snapshot.lines if one.moves[:1] == (move,)), line)
        return {
            "move": None if move is None else move.iccs(),
            "depth": snapshot.depth,
            "nodes": snapshot.nodes,
            "score": line.score,
            "words": self._format_score(line.score),
            **self._name(line.moves),
        }

    def describe_end(self) -> FoundData:
        """Describe a position without a legal move."""
        return self.describe(SearchSnapshot(lines=(ScoredLine(-MATE, ()),)), is_final=True)

    def _describe_line(self, line: ScoredLine) -> LineData:
        is_red = self._board.turn == RED
        red, draws, black = line.chances or expect_result(line.score)
        return {
            "score": self._as_data(line.score),
            "red": line.score if is_red else -line.score,
            "words": self._format_score(line.score),
            "wdl": (red, draws, black) if is_red else (black, draws, red),
            **self._name(line.moves),
        }

    def _as_data(self, score: int) -> ScoreData:
        """Convert a score to ``mate`` (moves), ``rule`` (its winner) or ``cp`` (centipawns)."""
        moves = moves_to_mate(score)
        if moves is not None:
            return {"mate": moves}
        if is_decided(score):
            return {"rule": COLOR_NAMES[self._board.turn if score > 0 else not self._board.turn]}
        return {"cp": score}

    def _name(self, moves: tuple[Move, ...]) -> NamesData:
        """Format a line in each notation; cached because lines recur at many depths."""
        if moves not in self._names:
            self._names[moves] = name_line(self._board, moves)
        return self._names[moves]

    def _format_score(self, score: int) -> str:
        lang = self._language
        if score == 0:
            return say(lang, "page.score_even")
        side = name_side(lang, self._board.turn if score > 0 else not self._board.turn)
        moves = moves_to_mate(score)
        if moves == 0:
            return say(lang, "page.score_over", side=side)
        if moves is not None:
            return say(lang, "page.score_mate", side=side, moves=abs(moves))
        if is_decided(score):
            return say(lang, "page.score_rule", side=side)
        return say(lang, "page.score_better", side=side, pawns=f"{abs(score) / 100:.2f}")
