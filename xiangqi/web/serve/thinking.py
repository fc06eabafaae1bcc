"""Requests of the page to engines, and their results.

Who thinks is another matter: a server has engines of its own (``engines``), and a browser without
one runs ours in slices (:mod:`xiangqi.web.site.answers`). Scores here are those of our engine
(:mod:`xiangqi.engine.searcher`), of any engine.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Protocol

from xiangqi.board import Board
from xiangqi.chances import expect_result
from xiangqi.core.move import Move
from xiangqi.core.searches import MAX_DEPTH
from xiangqi.engine import SearchInfo, is_decided, moves_to_mate
from xiangqi.engine.levels import LEVELS
from xiangqi.engine.searcher import MATE
from xiangqi.errors import Fact, PositionError
from xiangqi.notation import format_chinese, format_wxf
from xiangqi.pieces import COLOR_NAMES, RED
from xiangqi.referee.rules import RuleSet
from xiangqi.web.serve.labels import label
from xiangqi.web.serve.messages import number_of, text_of, wrong_field
from xiangqi.web.serve.positions import read_record
from xiangqi.words import Language, name_side
from xiangqi.words.voice import Voice

__all__ = [
    "MAX_LINES",
    "MAX_NAME_LENGTH",
    "MAX_THOUGHT_S",
    "MIN_THOUGHT_S",
    "NOTHING",
    "OURS",
    "Clocks",
    "Question",
    "Seen",
    "ShownLine",
    "Teller",
    "Thinker",
    "read_analysis",
    "read_question",
]

OURS: Final = "Meihua"
"""Name of our engine among others."""
MAX_THOUGHT_S: Final = 10.0
MIN_THOUGHT_S: Final = 0.05
MAX_ANALYSIS_S: Final = 3600.0
MAX_LINES: Final = 5
MAX_CLOCK_MS: Final = 10**8
NOTHING: Final[Mapping[str, Any]] = MappingProxyType(
    {"depth": 0, "seldepth": 0, "nodes": 0, "nps": 0, "seconds": 0.0, "lines": []}
)
"""Result of a search that cannot begin."""
MAX_NAME_LENGTH: Final = 64
"""Maximum length of the name of an engine, a page or a search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """Times left and increments of both sides, in milliseconds."""

    red_ms: int
    black_ms: int
    red_increment_ms: int = 0
    black_increment_ms: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Request to an engine. Without a time, clocks or a depth it thinks until it is stopped."""

    board: Board | None
    """The position with the whole game before it, which shows what moves would repeat; None where
    there is no such position."""
    rules: RuleSet
    language: Language
    engine: str = OURS
    page: str = ""
    """Name that the page gives itself: its next question ends this one, that of another does not.
    """
    name: str = ""
    """Name by which the search can be stopped; empty where none may."""
    seconds: float | None = None
    clocks: Clocks | None = None
    depth: int | None = None
    lines: int = 1
    level: int = 0
    """Playing strength, one of :data:`~xiangqi.engine.levels.LEVELS`; 0 for full strength."""


class Thinker(Protocol):
    """Interface of an owner of engines. Cancelling what it does ends the search."""

    @property
    def names(self) -> Sequence[str]:
        """The names of its engines, ours first."""

    async def play(self, question: Question) -> dict[str, Any]:
        """The move that the engine would play by the rules; ``move`` is None where there is none.

        Raises Refusal where the engine fails.
        """

    def analyse(self, question: Question) -> AsyncGenerator[dict[str, Any], None]:
        """Yield the results of the engine as they come; an ``error`` where it fails."""

    def stop(self, name: str) -> None:
        """End the search of this name: it answers what it has found."""

    async def close(self) -> None:
        """End all searches and all engines."""


# Questions


def read_question(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> Question:
    """A question for a move: a game, ``engine``, ``level``, ``page``, and ``search``, the name;
    ``seconds``, or clocks: ``red_ms``, ``black_ms``, ``red_increment_ms``, ``black_increment_ms``.

    Raises RecordError and its like for the game, Refusal for the others.
    """
    has_clocks = "red_ms" in data or "black_ms" in data
    return Question(
        board=read_record(data).play(),
        rules=rules,
        language=voice.language,
        engine=_name_of(data, "engine") or OURS,
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


def read_analysis(data: Mapping[str, Any], rules: RuleSet, voice: Voice) -> Question:
    """A question for an analysis: a game, ``engine`` and ``page``, ``lines``, how many; a limit of
    ``seconds``, of ``depth``, or ``endless``; and ``threats``, to have the other side move.

    Raises as :func:`read_question` does.
    """
    board: Board | None = read_record(data).play()
    assert board is not None
    if _flag_of(data, "threats"):
        board = _pass_move(board)
    seconds = depth = None
    if "depth" in data:
        depth = int(number_of(data, "depth", 0, 1, MAX_DEPTH))
    if not (_flag_of(data, "endless") or (depth and "seconds" not in data)):
        seconds = number_of(data, "seconds", 1.0, MIN_THOUGHT_S, MAX_ANALYSIS_S)
    return Question(
        board=board,
        rules=rules,
        language=voice.language,
        engine=_name_of(data, "engine") or OURS,
        page=_name_of(data, "page"),
        seconds=seconds,
        depth=depth,
        lines=int(number_of(data, "lines", 1, 1, MAX_LINES)),
    )


def _pass_move(board: Board) -> Board | None:
    """The position with the other side to move; None where that side could take the general."""
    pieces, turn, *rest = board.fen().split()
    try:
        return Board(" ".join([pieces, "b" if turn == "w" else "w", *rest]))
    except PositionError:
        return None


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


# Answers


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line of play, and what it is worth for the side to move."""

    score: int
    moves: tuple[Move, ...]
    chances: tuple[int, int, int] | None = None
    """Wins, draws and losses in permille, if the engine reports them."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Result of a search so far, the best line first."""

    depth: int = 0
    seldepth: int = 0
    nodes: int = 0
    seconds: float = 0.0
    lines: tuple[ShownLine, ...] = ()

    @classmethod
    def of(cls, infos: Sequence[SearchInfo]) -> Seen:
        """The same of the last reports of our engine on each line of play."""
        if not infos:
            return cls()
        lines = tuple(ShownLine(info.score, info.pv) for info in infos)
        best = infos[0]
        return cls(best.depth, best.seldepth, best.nodes, best.milliseconds / 1000, lines)


class Teller:
    """Puts what a search finds in a position into words."""

    def __init__(self, board: Board, language: Language) -> None:
        self._board = board
        self._language = language
        self._lines: dict[tuple[Move, ...], dict[str, list[str]]] = {}

    def tell(self, seen: Seen, *, is_final: bool = False) -> dict[str, Any]:
        """Data of the result so far, and whether it is final."""
        return {
            "depth": seen.depth,
            "seldepth": seen.seldepth,
            "nodes": seen.nodes,
            "nps": round(seen.nodes / seen.seconds) if seen.seconds else 0,
            "seconds": seen.seconds,
            "lines": [self._tell_line(line) for line in seen.lines],
            "final": is_final,
        }

    def tell_move(self, move: Move | None, seen: Seen) -> dict[str, Any]:
        """The move that was chosen, its line in each notation, and who stands better."""
        usual = seen.lines[0].score if seen.lines else 0
        line = ShownLine(usual, (move,)) if move else ShownLine(-MATE, ())
        line = next((one for one in seen.lines if one.moves[:1] == (move,)), line)
        return {
            "move": None if move is None else move.iccs(),
            "depth": seen.depth,
            "nodes": seen.nodes,
            "score": line.score,
            "words": self._say(line.score),
            **self._name(line.moves),
        }

    def tell_end(self) -> dict[str, Any]:
        """Data of a position without a legal move."""
        return self.tell(Seen(lines=(ShownLine(-MATE, ()),)), is_final=True)

    def _tell_line(self, line: ShownLine) -> dict[str, Any]:
        is_red = self._board.turn == RED
        chances = line.chances or expect_result(line.score)
        return {
            "score": self._as_data(line.score),
            "red": line.score if is_red else -line.score,
            "words": self._say(line.score),
            "wdl": chances if is_red else chances[::-1],
            **self._name(line.moves),
        }

    def _as_data(self, score: int) -> dict[str, Any]:
        """``mate`` in so many moves, ``rule``, the winner by it, or ``cp``, centipawns."""
        moves = moves_to_mate(score)
        if moves is not None:
            return {"mate": moves}
        if is_decided(score):
            return {"rule": COLOR_NAMES[self._board.turn if score > 0 else not self._board.turn]}
        return {"cp": score}

    def _name(self, moves: tuple[Move, ...]) -> dict[str, list[str]]:
        """A line in each notation. Lines stay for many depths, and are named once."""
        found = self._lines.get(moves)
        if found is None:
            work = self._board.copy(stack=False)
            found = {"iccs": [], "chinese": [], "wxf": []}
            for move in moves:
                found["iccs"].append(move.iccs())
                found["chinese"].append(format_chinese(work, move))
                found["wxf"].append(format_wxf(work, move))
                work.push(move)
            self._lines[moves] = found
        return found

    def _say(self, score: int) -> str:
        """Evaluation in words."""
        lang = self._language
        if score == 0:
            return label(lang, "score_even")
        side = name_side(lang, self._board.turn if score > 0 else not self._board.turn)
        moves = moves_to_mate(score)
        if moves == 0:
            return label(lang, "score_over", side=side)
        if moves is not None:
            return label(lang, "score_mate", side=side, moves=abs(moves))
        if is_decided(score):
            return label(lang, "score_rule", side=side)
        return label(lang, "score_better", side=side, pawns=f"{abs(score) / 100:.2f}")
