"""Training on the page: analysis of whole games, puzzles, and rulings to guess."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator, Mapping
from typing import Any, Final

from xiangqi.analysis import AnalysisSettings, Effort, GameAnalysis, OurAnalyst
from xiangqi.analysis.annotation import analysis_to_dict, describe_plies
from xiangqi.analysis.game import analyse_stepwise
from xiangqi.analysis.puzzles import load_cycles, load_puzzles
from xiangqi.analysis.values import Value
from xiangqi.board import Board
from xiangqi.casebook.cases import load_cases
from xiangqi.contract.answers import name_line
from xiangqi.games.record import GameRecord
from xiangqi.pieces import COLOR_NAMES
from xiangqi.referee.rules import WXF, RuleSet
from xiangqi.web.serve.messages import number_of
from xiangqi.web.serve.positions import play_game
from xiangqi.words.voice import Voice

__all__ = ["Reviewer", "describe_cycles", "describe_puzzles", "read_review"]

MIN_NODES: Final = 200
MAX_NODES: Final = 200_000
DEFAULT_NODES: Final = 10_000
LINE_PLIES: Final = 8
"""Maximum length of a better line."""
_DECIDED_CP: Final = 20_000


class Reviewer:
    """Analyses games with the built-in engine, one at a time.

    With ``in_threads`` each search runs in a thread; otherwise, as in a browser, other requests are
    handled between two searches.
    """

    def __init__(self, *, in_threads: bool) -> None:
        self._in_threads = in_threads
        self._turn: asyncio.Lock | None = None

    async def review(
        self, board: Board, settings: AnalysisSettings, voice: Voice
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Analyse the moves of a game.

        Yields the progress, ``searched`` of ``positions``, and finally the ``review``.
        """
        self._turn = self._turn or asyncio.Lock()
        async with self._turn:
            analyst = OurAnalyst(settings.rules)
            steps = analyse_stepwise(board.root_fen(), tuple(board.move_stack), analyst, settings)
            positions, before = board.ply() + 1, -1
            while True:
                if self._in_threads:
                    step = await asyncio.to_thread(_next, steps)
                else:
                    await asyncio.sleep(0)
                    step = _next(steps)
                if isinstance(step, GameAnalysis):
                    break
                if step != before:
                    yield {"searched": step, "positions": positions}
                before = step
            yield {"review": describe_review(board, step, settings, voice), "final": True}


def read_review(
    data: Mapping[str, Any], rules: RuleSet, voice: Voice
) -> tuple[Board, AnalysisSettings, Voice]:
    """Read the game and the ``nodes`` for each position.

    Raises as :func:`play_game` does, and Refusal.
    """
    nodes = int(number_of(data, "nodes", DEFAULT_NODES, MIN_NODES, MAX_NODES))
    settings = AnalysisSettings(effort=Effort(nodes=nodes), rules=rules)
    return play_game(data), settings, voice


def _next(steps: Generator[int, None, GameAnalysis]) -> int | GameAnalysis:
    """Return the next yielded value, or the generator's result."""
    try:
        return next(steps)
    except StopIteration as end:
        analysis: GameAnalysis = end.value
        return analysis


def describe_review(
    board: Board, analysis: GameAnalysis, settings: AnalysisSettings, voice: Voice
) -> dict[str, Any]:
    """Extend the data of :func:`analysis_to_dict` for the page.

    Each ply has ``notes``, sentences about the move; ``better``, the better line in each notation;
    and ``evaluation``, the value after the move. ``first`` is the evaluation of the first position.
    """
    data = analysis_to_dict(analysis, settings)
    work = Board(board.root_fen())
    words = describe_plies(board.root_fen(), analysis, settings, voice)
    for row, ply, notes in zip(data["plies"], analysis.plies, words, strict=True):
        best = ply.best if ply.loss else None
        row["notes"] = notes
        row["better"] = None if best is None else name_line(work, best.moves[:LINE_PLIES])
        row["evaluation"] = _describe_value(ply.after)
        work.push_unchecked(ply.move)
    data["first"] = None if analysis.first is None else _describe_value(analysis.first)
    return data


def _describe_value(value: Value) -> dict[str, Any] | None:
    """Describe a value: ``red``, centipawns for Red, and ``score``; None if the game is over."""
    if value.kind == "over":
        return None
    if value.kind == "cp":
        return {"red": value.number, "score": {"cp": value.number}}
    sign = (value.number > 0) - (value.number < 0)
    score = {"mate": value.number} if value.kind == "mate" else {"rule": value.number}
    return {"red": sign * _DECIDED_CP, "score": score}


# Puzzles


def describe_puzzles(_data: Mapping[str, Any], _rules: RuleSet, _voice: Voice) -> dict[str, Any]:
    """List all puzzles, each as ``[fen, moves, goal, mate, rating, themes]``."""
    return {
        "puzzles": [
            [one.fen, list(one.moves), one.goal.value, one.mate, one.rating, list(one.themes)]
            for one in load_puzzles()
        ]
    }


def describe_cycles(_data: Mapping[str, Any], _rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """List repetitions to rule on, and positions where a repetition loses, by the WXF rules.

    ``who`` lists games with a repetition: ``fen``, ``moves``, ``shown`` (the number of moves before
    the repetition), ``answer`` (the side that must change, or ``nobody``) and ``title``. ``find``
    lists positions with their game, and the moves that hold. All answers are the referee's.
    """
    cases = (
        _describe_repetition(
            case.play_until(WXF.occurrences), f"{case.id}: {case.titles[voice.language]}"
        )
        for case in load_cases()
    )
    games = (
        _describe_repetition(GameRecord(one.fen, one.moves).play(), "")
        for one in load_cycles()
        if not one.holding
    )
    return {
        "who": [row for row in (*cases, *games) if row is not None],
        "find": [
            {"fen": one.fen, "moves": list(one.moves), "holding": list(one.holding)}
            for one in load_cycles()
            if one.holding
        ],
    }


def _describe_repetition(board: Board, title: str) -> dict[str, Any] | None:
    """Describe a game with a repetition as a task; None if no position recurs."""
    work = Board(board.root_fen())
    for move in board.move_stack:
        work.push_unchecked(move)
        if work.repetitions() > 1:
            break
    else:
        return None
    loser = board.judge(WXF).verdict.loser
    return {
        "fen": board.root_fen(),
        "moves": [move.iccs() for move in board.move_stack],
        "shown": work.ply() - 1,
        "answer": "nobody" if loser is None else COLOR_NAMES[loser],
        "title": title,
    }
