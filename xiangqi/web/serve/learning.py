"""Lessons of the page: a game analysed as a whole, puzzles, and repetitions to be ruled."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Generator, Mapping
from typing import Any, Final

from xiangqi.analysis import AnalysisSettings, Effort, GameAnalysis, OurAnalyst
from xiangqi.analysis.annotation import analysis_to_dict, describe_plies
from xiangqi.analysis.game import analyse_stepwise
from xiangqi.analysis.puzzles import CyclePuzzle, load_cycles, load_puzzles
from xiangqi.analysis.values import Value
from xiangqi.board import Board
from xiangqi.casebook.cases import Case, load_cases
from xiangqi.core.move import Move
from xiangqi.games.record import GameRecord
from xiangqi.notation import format_chinese, format_wxf
from xiangqi.pieces import COLOR_NAMES
from xiangqi.referee.rules import WXF, RuleSet
from xiangqi.web.serve.messages import number_of
from xiangqi.web.serve.positions import read_record
from xiangqi.words.voice import Voice

__all__ = ["Reviewer", "describe_cycles", "describe_puzzles", "read_review"]

MIN_NODES: Final = 200
MAX_NODES: Final = 200_000
USUAL_NODES: Final = 10_000
LINE_PLIES: Final = 8
"""Length of a better line that is shown."""
_DECIDED_CP: Final = 20_000


class Reviewer:
    """Analyses games with our engine, one at a time, search by search.

    With ``in_threads`` each search runs in a thread; otherwise other questions are answered between
    two searches, as in a browser.
    """

    def __init__(self, *, in_threads: bool) -> None:
        self._in_threads = in_threads
        self._turn: asyncio.Lock | None = None

    async def review(
        self, board: Board, settings: AnalysisSettings, voice: Voice
    ) -> AsyncGenerator[dict[str, Any], None]:
        """Analyse the moves of a game.

        Yields ``searched`` of ``positions`` as they grow, at last the ``review``.
        """
        self._turn = self._turn or asyncio.Lock()
        async with self._turn:
            analyst = OurAnalyst(settings.rules)
            steps = analyse_stepwise(board.root_fen(), tuple(board.move_stack), analyst, settings)
            positions, before = board.ply() + 1, -1
            while True:
                step = await self._step(steps)
                if isinstance(step, GameAnalysis):
                    break
                if step != before:
                    yield {"searched": step, "positions": positions}
                before = step
            yield {"review": describe_review(board, step, settings, voice), "final": True}

    async def _step(self, steps: Generator[int, None, GameAnalysis]) -> int | GameAnalysis:
        if self._in_threads:
            return await asyncio.to_thread(_next, steps)
        await asyncio.sleep(0)
        return _next(steps)


def read_review(
    data: Mapping[str, Any], rules: RuleSet, voice: Voice
) -> tuple[Board, AnalysisSettings, Voice]:
    """The game to be analysed, the settings with the ``nodes`` for each position, and the voice.

    Raises as :func:`read_record` does, and Refusal.
    """
    nodes = int(number_of(data, "nodes", USUAL_NODES, MIN_NODES, MAX_NODES))
    settings = AnalysisSettings(effort=Effort(nodes=nodes), rules=rules)
    return read_record(data).play(), settings, voice


def _next(steps: Generator[int, None, GameAnalysis]) -> int | GameAnalysis:
    """Run to the next yield, or to the result."""
    try:
        return next(steps)
    except StopIteration as end:
        analysis: GameAnalysis = end.value
        return analysis


def describe_review(
    board: Board, analysis: GameAnalysis, settings: AnalysisSettings, voice: Voice
) -> dict[str, Any]:
    """An analysis as :func:`analysis_to_dict` has it, with words for the page.

    Each ply has ``notes``, sentences about the move; ``better``, the better line in each notation;
    and ``evaluation``, the value after it as the page's engine reports it. ``first`` is that of the
    first position.
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
    """``red``, a number for Red, and ``score``: ``mate``, ``rule`` or ``cp``; None at the end."""
    if value.kind == "over":
        return None
    if value.kind == "cp":
        return {"red": value.number, "score": {"cp": value.number}}
    sign = (value.number > 0) - (value.number < 0)
    score = {"mate": value.number} if value.kind == "mate" else {"rule": value.number}
    return {"red": sign * _DECIDED_CP, "score": score}


def name_line(board: Board, moves: tuple[Move, ...]) -> dict[str, list[str]]:
    """A line of play in each notation."""
    work = board.copy(stack=False)
    named: dict[str, list[str]] = {"iccs": [], "chinese": [], "wxf": []}
    for move in moves:
        named["iccs"].append(move.iccs())
        named["chinese"].append(format_chinese(work, move))
        named["wxf"].append(format_wxf(work, move))
        work.push(move)
    return named


# Puzzles


def describe_puzzles(_data: Mapping[str, Any], _rules: RuleSet, _voice: Voice) -> dict[str, Any]:
    """All puzzles of the package: ``[fen, moves, goal, mate, rating, themes]`` each."""
    return {
        "puzzles": [
            [one.fen, list(one.moves), one.goal.value, one.mate, one.rating, list(one.themes)]
            for one in load_puzzles()
        ]
    }


def describe_cycles(_data: Mapping[str, Any], _rules: RuleSet, voice: Voice) -> dict[str, Any]:
    """Cycles for the reader to rule, and positions where a repetition loses, by the WXF rules.

    ``who`` lists games that repeat: ``fen``, ``moves``, ``shown`` (how many of them do not give the
    ruling away), ``answer`` (the side that has to change, or ``nobody``) and ``title``. ``find``
    lists positions with a history, and the moves that hold. Every answer is the referee's.
    """
    cases = (_ask_case(case, voice) for case in load_cases())
    games = (_ask_game(puzzle) for puzzle in load_cycles())
    return {
        "who": [row for row in (*cases, *games) if row is not None],
        "find": [
            {"fen": one.fen, "moves": list(one.moves), "holding": list(one.holding)}
            for one in load_cycles()
            if one.holding
        ],
    }


def _ask_case(case: Case, voice: Voice) -> dict[str, Any] | None:
    board = case.play_until(WXF.occurrences)
    return _ask(board, f"{case.id}: {case.titles[voice.language]}")


def _ask_game(puzzle: CyclePuzzle) -> dict[str, Any] | None:
    return None if puzzle.holding else _ask(GameRecord(puzzle.fen, puzzle.moves).play(), "")


def _ask(board: Board, title: str) -> dict[str, Any] | None:
    """The question who has to change in a game that ends with a repetition, if it does."""
    shown = _plies_before_recurrence(board)
    if shown == board.ply():
        return None
    loser = board.judge(WXF).verdict.loser
    return {
        "fen": board.root_fen(),
        "moves": [move.iccs() for move in board.move_stack],
        "shown": shown,
        "answer": "nobody" if loser is None else COLOR_NAMES[loser],
        "title": title,
    }


def _plies_before_recurrence(board: Board) -> int:
    """Number of moves before any position occurs again."""
    work = Board(board.root_fen())
    for ply, move in enumerate(board.move_stack):
        work.push_unchecked(move)
        if work.repetitions() > 1:
            return ply
    return board.ply()
