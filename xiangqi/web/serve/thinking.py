"""The engine as the opponent: one search at a time, stopped when nobody waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from xiangqi.board import Board
from xiangqi.engine import Engine, Limits, SearchInfo, SearchResult, is_decided, moves_to_mate
from xiangqi.notation import format_chinese, format_wxf
from xiangqi.referee.rules import WXF, RuleSet
from xiangqi.web.serve.labels import label
from xiangqi.web.serve.messages import Refusal, number_of, text_of
from xiangqi.web.serve.positions import read_record
from xiangqi.words import Language, name_side

__all__ = [
    "LONGEST_THOUGHT_S",
    "SHORTEST_THOUGHT_S",
    "Question",
    "Thinker",
    "describe_thought",
    "read_question",
]

LONGEST_THOUGHT_S: Final = 10.0
SHORTEST_THOUGHT_S: Final = 0.05
_POLL_S: Final = 0.05
"""How often a search looks whether anybody still waits for it."""
_PATIENCE_S: Final = 2.0
"""How long a request waits for the search of another one."""
_MOST_STOPPED: Final = 32
"""How many searches to be stopped are remembered; one may be named before it has begun."""


@dataclass(frozen=True, slots=True)
class Question:
    """What the engine is asked."""

    board: Board
    """The position with the whole game before it, which tells what moves would repeat."""
    seconds: float
    name: str
    """What a request to stop the search calls it; empty where none may."""
    rules: RuleSet
    language: Language


def read_question(data: Mapping[str, Any], rules: RuleSet, language: Language) -> Question:
    """The question of a request: a game, ``seconds`` and ``search``, the name.

    Raises RecordError and its like for the game, Refusal for the others.
    """
    seconds = number_of(data, "seconds", 1.0, SHORTEST_THOUGHT_S, LONGEST_THOUGHT_S)
    return Question(read_record(data).play(), seconds, text_of(data, "search", ""), rules, language)


class _RuledEngine(Engine):
    """An engine that plays by any rule set, also by one that its options have no name for."""

    chosen: RuleSet = WXF

    @property
    def rules(self) -> RuleSet:
        """The rule set that was chosen."""
        return self.chosen


class Thinker:
    """One engine for all requests."""

    def __init__(self) -> None:
        self._engine = _RuledEngine()
        self._turn = threading.Lock()
        self._stopped: tuple[str, ...] = ()

    def stop(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """End the search that its request has named ``search``: it answers what it has found."""
        self._stopped = (*self._stopped[1 - _MOST_STOPPED :], text_of(data, "search"))
        return {}

    def think(self, question: Question, is_abandoned: Callable[[], bool]) -> dict[str, Any]:
        """The move that the engine would play, by the rules.

        It thinks for so many seconds, or until :meth:`stop` names the search. ``move`` is None
        where there is no legal move. Raises Refusal while another search goes on.
        """
        if not self._turn.acquire(timeout=_PATIENCE_S):
            raise Refusal(503, "the engine is thinking about another game")
        try:
            self._choose(question.rules)

            def is_over() -> bool:
                return (bool(question.name) and question.name in self._stopped) or is_abandoned()

            return self._search(question, is_over)
        finally:
            self._turn.release()

    def _choose(self, rules: RuleSet) -> None:
        """Play by these rules; what was found under other ones is forgotten."""
        if rules != self._engine.chosen:
            self._engine.new_game()
            self._engine.chosen = rules

    def _search(self, question: Question, is_over: Callable[[], bool]) -> dict[str, Any]:
        engine = self._engine
        limits = Limits(movetime_ms=int(question.seconds * 1000))
        with engine.analysis(question.board, limits) as search:
            while not engine.wait(_POLL_S):
                if is_over():
                    search.stop()
            result = search.stop()
            return describe_thought(question.board, result, list(search), question.language)


def describe_thought(
    board: Board, result: SearchResult, infos: Sequence[SearchInfo], language: Language
) -> dict[str, Any]:
    """What came of a search: the move, its line in each notation, and who stands better."""
    return {
        "move": None if result.best is None else result.best.iccs(),
        "depth": result.depth,
        "nodes": result.nodes,
        "score": result.score,
        "words": _say_score(result.score, board, language),
        **_line(board, infos),
    }


def _line(board: Board, infos: Sequence[SearchInfo]) -> dict[str, list[str]]:
    """The line of play that the engine expects, in each notation."""
    line: dict[str, list[str]] = {"iccs": [], "chinese": [], "wxf": []}
    work = board.copy()
    for move in infos[-1].pv if infos else ():
        line["iccs"].append(move.iccs())
        line["chinese"].append(format_chinese(work, move))
        line["wxf"].append(format_wxf(work, move))
        work.push(move)
    return line


def _say_score(score: int, board: Board, lang: Language) -> str:
    """Who stands better, and by how much."""
    if score == 0:
        return label(lang, "score_even")
    side = name_side(lang, board.turn if score > 0 else not board.turn)
    moves = moves_to_mate(score)
    if moves is not None:
        return label(lang, "score_mate", side=side, moves=abs(moves))
    if is_decided(score):
        return label(lang, "score_rule", side=side)
    return label(lang, "score_better", side=side, pawns=f"{abs(score) / 100:.2f}")
