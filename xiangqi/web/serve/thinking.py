"""The engine as the opponent: one search at a time, stopped when nobody waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

from xiangqi.board import Board
from xiangqi.engine import Engine, Limits, SearchInfo, is_decided, moves_to_mate
from xiangqi.notation import format_chinese, format_wxf
from xiangqi.referee.rules import WXF, RuleSet
from xiangqi.web.serve.labels import label
from xiangqi.web.serve.messages import Refusal, number_of, text_of
from xiangqi.web.serve.positions import read_record
from xiangqi.words import Language, name_side

__all__ = ["LONGEST_THOUGHT_S", "SHORTEST_THOUGHT_S", "Thinker"]

LONGEST_THOUGHT_S: Final = 10.0
SHORTEST_THOUGHT_S: Final = 0.05
_POLL_S: Final = 0.05
"""How often a search looks whether anybody still waits for it."""
_PATIENCE_S: Final = 2.0
"""How long a request waits for the search of another one."""
_MOST_STOPPED: Final = 32
"""How many searches to be stopped are remembered; one may be named before it has begun."""


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

    def think(
        self,
        data: Mapping[str, Any],
        rules: RuleSet,
        lang: Language,
        is_abandoned: Callable[[], bool],
    ) -> dict[str, Any]:
        """The move that the engine would play after the game of a request, by the rules.

        It thinks for ``seconds``, or until :meth:`stop` names its ``search``, and has the whole
        game before it, so that it knows which moves would repeat a position. ``move`` is None where
        there is no legal move. Raises RecordError and its like for the game, Refusal while another
        search goes on.
        """
        board = read_record(data).play()
        seconds = number_of(data, "seconds", 1.0, SHORTEST_THOUGHT_S, LONGEST_THOUGHT_S)
        name = text_of(data, "search", "")
        if not self._turn.acquire(timeout=_PATIENCE_S):
            raise Refusal(503, "the engine is thinking about another game")
        try:
            self._choose(rules)

            def is_over() -> bool:
                return (bool(name) and name in self._stopped) or is_abandoned()

            return self._search(board, seconds, lang, is_over)
        finally:
            self._turn.release()

    def _choose(self, rules: RuleSet) -> None:
        """Play by these rules; what was found under other ones is forgotten."""
        if rules != self._engine.chosen:
            self._engine.new_game()
            self._engine.chosen = rules

    def _search(
        self, board: Board, seconds: float, lang: Language, is_over: Callable[[], bool]
    ) -> dict[str, Any]:
        engine = self._engine
        with engine.analysis(board, Limits(movetime_ms=int(seconds * 1000))) as search:
            while not engine.wait(_POLL_S):
                if is_over():
                    search.stop()
            result = search.stop()
            infos = list(search)
        return {
            "move": None if result.best is None else result.best.iccs(),
            "depth": result.depth,
            "nodes": result.nodes,
            "score": result.score,
            "words": _say_score(result.score, board, lang),
            **_line(board, infos),
        }


def _line(board: Board, infos: list[SearchInfo]) -> dict[str, list[str]]:
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
