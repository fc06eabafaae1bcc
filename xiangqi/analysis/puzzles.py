"""Puzzles: positions of a game in which exactly one move wins, or saves the game.

In a position to win, the best move wins (:data:`WINNING` expected points or more) and every other
move clearly does not (:data:`NOT_WINNING` or less). In a position to save, the best move holds
(:data:`HOLDING` or more, without winning) and every other move loses (:data:`LOSING` or less). The
values come from searches of :data:`LONGER` times the effort, without the game that led there. The
solution continues as long as the same is true of the solver's next move. A recapture is not a
puzzle, and neither is an only legal move.

Mates by checks alone are proved by a solver: the shortest mate against the longest defence, and
that no other first move mates.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from importlib import resources
from typing import Any, Final, NamedTuple

from xiangqi.analysis.engines import Analyst, Effort, EngineLine
from xiangqi.analysis.game import GameAnalysis, PlyAnalysis
from xiangqi.analysis.values import Value
from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.core.solver import MAX_CHECKS, find_check_mate
from xiangqi.games.tree import start_board
from xiangqi.pieces import RED, Color
from xiangqi.referee.rules import RuleSet, find_rule_set

__all__ = [
    "LONGER",
    "NOT_WINNING",
    "WINNING",
    "CyclePuzzle",
    "Goal",
    "Puzzle",
    "PuzzleMaker",
    "RatedPuzzle",
    "find_puzzles",
    "load_cycles",
    "load_puzzles",
    "position_of",
]

WINNING: Final = 0.75
NOT_WINNING: Final = 0.60
HOLDING: Final = 0.40
LOSING: Final = 0.25
LONGER: Final = 10
MAX_MOVES: Final = 6
"""The solver's moves of a solution, at most."""
PROOF_NODES: Final = 200_000
"""Node limit to prove or refute a mate by checks: some milliseconds."""


class Goal(Enum):
    """Task of the solver."""

    WIN = "win"
    SAVE = "save"
    MATE = "mate"
    """Mate by checks; other moves may win more slowly."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position to be solved by the side to move."""

    fen: str
    """Position, without the game that led to it."""
    ply: int
    """Number of moves that led to the position."""
    solution: tuple[Move, ...]
    """The solver's moves and the best replies; the last one is the solver's."""
    mate: int | None
    """Number of moves of the mate, if it is one."""
    depth: int
    """Depth at which the search settles on the solver's moves, the deepest of them."""
    goal: Goal = Goal.WIN

    @property
    def rating(self) -> int:
        """Difficulty, for ordering puzzles: 800, and 100 a ply of depth and a further move."""
        return 800 + 100 * self.depth + 100 * (len(self.solution) // 2)

    def to_dict(self) -> dict[str, Any]:
        """JSON data that is read as a game with the solution as its moves."""
        return {
            "fen": self.fen,
            "moves": [move.iccs() for move in self.solution],
            "goal": self.goal.value,
            "mate": self.mate,
            "depth": self.depth,
            "rating": self.rating,
            "ply": self.ply,
        }


def position_of(fen: str) -> str:
    """Piece placement and side to move, which identify a puzzle."""
    return " ".join(fen.split()[:2])


def find_puzzles(
    fen: str,
    moves: Iterable[Move],
    analysis: GameAnalysis,
    analyst: Analyst,
    effort: Effort,
    rules: RuleSet | str,
) -> Iterator[Puzzle]:
    """Puzzles in the main line of a game that has been analysed with this effort."""
    rules = find_rule_set(rules)
    board = start_board(fen)
    last: Move | None = None  # if it was a capture
    for move, ply in zip(moves, analysis.plies, strict=True):
        if board.outcome(rules) is None and _may_be_one(board, ply, last):
            puzzle = PuzzleMaker(board, analyst, effort, rules).make()
            if puzzle is not None:
                yield puzzle
        last = move if board.is_capture(move) else None
        board.push_unchecked(move)


def _may_be_one(board: Board, ply: PlyAnalysis, last: Move | None) -> bool:
    """Select candidates by the values of the analysis."""
    best = ply.best
    if best is None or board.legal_moves.count() < 2:
        return False
    if last is not None and best.moves[0].to_square == last.to_square:
        return False
    goal = goal_of(best.value, ply.side)
    if goal is None:
        return False
    return ply.move == best.moves[0] or fails(goal, ply.after, ply.side)


def goal_of(value: Value, side: Color) -> Goal | None:
    """Goal in a position with this value; None if the side to move is lost, or only better."""
    points = value.points(side)
    if points >= WINNING:
        return Goal.WIN
    return Goal.SAVE if HOLDING <= points <= NOT_WINNING else None


def fails(goal: Goal, value: Value, side: Color) -> bool:
    """Does a move with this value miss the goal?"""
    return value.points(side) <= (NOT_WINNING if goal is Goal.WIN else LOSING)


class PuzzleMaker:
    """Maker of a puzzle from one position; ``board`` itself is not changed."""

    def __init__(
        self, board: Board, analyst: Analyst, effort: Effort, rules: RuleSet | str
    ) -> None:
        setup = board.setup()
        pieces = board.fen().split()[0]
        self._board = Board(f"{pieces} {'w' if setup.turn else 'b'} - - 0 1")
        self._fen = self._board.fen()
        self._ply = board.ply()
        self._analyst = analyst
        self._effort = effort
        self._rules = find_rule_set(rules)

    def make(self) -> Puzzle | None:
        """Make the puzzle, with its solution as long as each of the solver's moves is the only
        one."""
        side = self._board.turn
        first = self._find_only()
        if first is None:
            return None
        goal = goal_of(first.value, side)
        assert goal is not None  # or it would not have been found
        mate = first.value.mates(side)
        solution, depth = [first.moves[0]], first.settled
        line: EngineLine | None = first
        while len(solution) // 2 + 1 < MAX_MOVES and line is not None:
            reply = self._play_on(line)
            line = None if reply is None else self._find_only(goal)
            if reply is not None and line is not None:
                solution += [reply, line.moves[0]]
                depth = max(depth, line.settled)
        return Puzzle(self._fen, self._ply, tuple(solution), mate, depth, goal)

    def make_mate(self) -> Puzzle | None:
        """Make a puzzle of a mate by checks in two or more moves with a unique first move, if there
        is one. The solution ends before a move with a choice, but a last move that mates belongs to
        it in any case."""
        board, checks = self._board, MAX_CHECKS
        mate, solution = 0, list[Move]()
        while True:
            line, is_shortest = self._prove_mate(max_checks=checks)
            if line is None or not is_shortest or (not solution and len(line) < 3):
                break
            checks = (len(line) + 1) // 2
            if checks > 1 and not self._is_only_mate(line[0], checks):
                break
            mate = mate or checks
            solution += line[:2]  # a mate and nothing else, or a check and the reply
            if checks == 1:
                break
            for move in line[:2]:
                board.push(move)
        if len(solution) % 2 == 0:
            solution = solution[:-1]
        if not solution:
            return None
        return Puzzle(self._fen, self._ply, tuple(solution), mate, 2 * mate - 1, Goal.MATE)

    def _is_only_mate(self, move: Move, moves: int) -> bool:
        """Does no other first move mate: by checks at all, or in so many moves?"""
        other_mate, is_proved = self._prove_mate((move,))
        if other_mate is not None or not is_proved:
            return False
        side = self._board.turn
        self._analyst.new_game()
        other = self._analyst.search(self._board, self._effort.times(LONGER), [move])
        found = None if other is None else other.value.mates(side)
        return found is None or found > moves

    def _find_only(self, goal: Goal | None = None) -> EngineLine | None:
        """The line that reaches the goal, if every other first move fails.

        The solver's first move may have any goal, and a shorter search must find it, too.
        """
        board, side, effort = self._board, self._board.turn, self._effort.times(LONGER)
        is_first = goal is None
        if is_first and not self._is_worth_it():
            return None
        self._analyst.new_game()
        line = self._analyst.search(board, effort)
        found = None if line is None else goal_of(line.value, side)
        if line is None or found is None or (goal or found) is not found:
            return None
        if found is Goal.WIN and self._find_mate(line.moves[:1]) is not None:
            return None
        other = self._analyst.search(board, effort, line.moves[:1])
        if other is None:
            return None if is_first else self._settle_mate(line)
        return self._settle_mate(line) if fails(found, other.value, side) else None

    def _find_mate(self, banned: tuple[Move, ...] = ()) -> tuple[Move, ...] | None:
        """A mate by checks alone that does not begin with a banned move, if one can be proved."""
        return self._prove_mate(banned)[0]

    def _prove_mate(
        self, banned: tuple[Move, ...] = (), *, max_checks: int = MAX_CHECKS
    ) -> tuple[tuple[Move, ...] | None, bool]:
        """Prove a mate by checks alone: (mate, is it proved to be the shortest, or that there is
        none)."""
        line, is_settled, _ = find_check_mate(self._board, max_checks, PROOF_NODES, banned=banned)
        return line, is_settled

    def _settle_mate(self, line: EngineLine) -> EngineLine:
        """The same line, exact if it is a mate by checks alone."""
        mate = self._find_mate()
        if mate is None:
            return line
        moves = (len(mate) + 1) // 2
        value = Value.of_mate(moves if self._board.turn == RED else -moves)
        return line._replace(value=value, moves=mate)

    def _is_worth_it(self) -> bool:
        """Does the usual effort find only one move that reaches a goal?"""
        side = self._board.turn
        self._analyst.new_game()
        line = self._analyst.search(self._board, self._effort)
        goal = None if line is None else goal_of(line.value, side)
        if line is None or goal is None:
            return False
        other = self._analyst.search(self._board, self._effort, line.moves[:1])
        return other is not None and fails(goal, other.value, side)

    def _play_on(self, line: EngineLine) -> Move | None:
        """Play the solver's move and the best reply; None if the game ends before."""
        board = self._board
        board.push(line.moves[0])
        if board.outcome(self._rules) is not None:
            return None
        reply = line.moves[1] if len(line.moves) > 1 else None
        if reply is None:
            found = self._analyst.search(board, self._effort)
            reply = None if found is None else found.moves[0]
        if reply is None:
            return None
        board.push(reply)
        return None if board.outcome(self._rules) is not None else reply


# The package's own puzzles


@dataclass(frozen=True, slots=True)
class RatedPuzzle:
    """A puzzle of the package."""

    fen: str
    moves: tuple[str, ...]
    """The solver's moves and the replies."""
    goal: Goal
    mate: int | None
    rating: int
    """Elo of the engine's levels (docs/levels.md) that solve it half of the time."""
    themes: tuple[str, ...]


class CyclePuzzle(NamedTuple):
    """A game of the engine's levels with a repetition."""

    fen: str
    moves: tuple[str, ...]
    holding: tuple[str, ...]
    """Moves in the last position that hold where the repetition loses; empty in a repetition that
    was played to its end."""


def load_puzzles() -> Iterator[RatedPuzzle]:
    """Puzzles that our engine made from its own games (docs/puzzles.md)."""
    for line in _read_lines("puzzles.txt.gz"):
        pieces, turn, moves, goal, mate, rating, *themes = line.split()
        yield RatedPuzzle(
            f"{pieces} {turn} - - 0 1",
            tuple(moves.split(",")),
            Goal(goal),
            int(mate) or None,
            int(rating),
            tuple(themes),
        )


def load_cycles() -> Iterator[CyclePuzzle]:
    """Repetitions of our engine's own games (docs/puzzles.md)."""
    for line in _read_lines("cycles.txt.gz"):
        pieces, turn, moves, *holding = line.split()
        yield CyclePuzzle(f"{pieces} {turn} - - 0 1", tuple(moves.split(",")), tuple(holding))


def _read_lines(name: str) -> list[str]:
    packed = resources.files("xiangqi.analysis").joinpath(name).read_bytes()
    return gzip.decompress(packed).decode("ascii").splitlines()
