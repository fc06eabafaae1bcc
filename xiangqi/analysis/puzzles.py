"""Puzzles: positions of a game in which exactly one move wins or saves the game.

If the goal is to win, the best move wins (:data:`WINNING` expected points or more) and all other
moves clearly do not (:data:`NOT_WINNING` or less). If it is to save the game, the best move holds
(:data:`HOLDING` or more, without winning) and all other moves lose (:data:`LOSING` or less). The
values come from searches with :data:`LONGER` times the effort, without the history of the game. The
solution continues as long as the solver's next move is an only move in the same sense. Recaptures
and only legal moves are not puzzles.

Mates by consecutive checks are proved by a solver: that the mate is the shortest against the
longest defence, and that no other first move mates.
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
    "PUZZLE_THEMES",
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
"""Maximum number of the solver's moves in a solution."""
PROOF_NODES: Final = 200_000
"""Node limit for proving or refuting a mate by checks: a few milliseconds."""


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
    """Position, without its history."""
    ply: int
    """Ply of the position in its game."""
    solution: tuple[Move, ...]
    """The solver's moves and the best replies; the last one is the solver's."""
    mate: int | None
    """Number of moves to mate, if the puzzle is a mate."""
    depth: int
    """Maximum, over the solver's moves, of the depth from which the search prefers the move."""
    goal: Goal = Goal.WIN

    @property
    def rating(self) -> int:
        """Difficulty, for sorting: 800, plus 100 for each ply of depth and each further move."""
        return 800 + 100 * self.depth + 100 * (len(self.solution) // 2)

    def to_dict(self) -> dict[str, Any]:
        """JSON data, which can be read as a game whose moves are the solution."""
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
    """Find the puzzles in the main line of a game that was analysed with this effort."""
    rules = find_rule_set(rules)
    board = start_board(fen)
    capture: Move | None = None  # the last move, if it was a capture
    for move, ply in zip(moves, analysis.plies, strict=True):
        if board.outcome(rules) is None and _is_candidate(board, ply, capture):
            puzzle = PuzzleMaker(board, analyst, effort, rules).make()
            if puzzle is not None:
                yield puzzle
        capture = move if board.is_capture(move) else None
        board.push_unchecked(move)


def _is_candidate(board: Board, ply: PlyAnalysis, capture: Move | None) -> bool:
    """Is a puzzle possible, by the values of the analysis?"""
    best = ply.best
    if best is None or board.legal_moves.count() < 2:
        return False
    if capture is not None and best.moves[0].to_square == capture.to_square:
        return False
    goal = goal_of(best.value, ply.side)
    if goal is None:
        return False
    return ply.move == best.moves[0] or fails(goal, ply.after, ply.side)


def goal_of(value: Value, side: Color) -> Goal | None:
    """Goal in a position with this value; None if the side to move is losing or merely better."""
    points = value.points(side)
    if points >= WINNING:
        return Goal.WIN
    return Goal.SAVE if HOLDING <= points <= NOT_WINNING else None


def fails(goal: Goal, value: Value, side: Color) -> bool:
    """Does a move with this value miss the goal?"""
    return value.points(side) <= (NOT_WINNING if goal is Goal.WIN else LOSING)


class PuzzleMaker:
    """Makes a puzzle from the position of ``board``, which is not changed."""

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
        """Make a puzzle, whose solution continues while the solver has an only move."""
        side = self._board.turn
        first = self._find_only()
        if first is None:
            return None
        goal = goal_of(first.value, side)
        assert goal is not None  # required by _find_only()
        mate = first.value.mates(side)
        solution, depth = [first.moves[0]], first.settled
        line: EngineLine | None = first
        while len(solution) // 2 + 1 < MAX_MOVES and line is not None:
            reply = self._play_reply(line)
            line = None if reply is None else self._find_only(goal)
            if reply is not None and line is not None:
                solution += [reply, line.moves[0]]
                depth = max(depth, line.settled)
        return Puzzle(self._fen, self._ply, tuple(solution), mate, depth, goal)

    def make_mate(self) -> Puzzle | None:
        """Make a puzzle of a mate by checks in two or more moves with a unique first move.

        The solution ends before the first move that is not unique, but a mating move always belongs
        to it. None without such a mate.
        """
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
            solution += line[:2]  # the mating move, or a check and the reply
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
        """Does no other first move mate by checks, or by any moves in this number or fewer?"""
        other_mate, is_proved = self._prove_mate((move,))
        if other_mate is not None or not is_proved:
            return False
        side = self._board.turn
        self._analyst.new_game()
        other = self._analyst.search(self._board, self._effort.times(LONGER), [move])
        found = None if other is None else other.value.mates(side)
        return found is None or found > moves

    def _find_only(self, goal: Goal | None = None) -> EngineLine | None:
        """Find the line that reaches the goal, if all other first moves fail.

        Without a goal, for the first move of a solution, any goal will do; a search with the normal
        effort must then find the only move too.
        """
        board, side, effort = self._board, self._board.turn, self._effort.times(LONGER)
        is_first = goal is None
        if is_first and not self._is_promising():
            return None
        self._analyst.new_game()
        line = self._analyst.search(board, effort)
        found = None if line is None else goal_of(line.value, side)
        if line is None or found is None or (goal or found) is not found:
            return None
        if found is Goal.WIN and self._prove_mate(line.moves[:1])[0] is not None:
            return None
        other = self._analyst.search(board, effort, line.moves[:1])
        if other is None:
            return None if is_first else self._with_exact_mate(line)
        return self._with_exact_mate(line) if fails(found, other.value, side) else None

    def _prove_mate(
        self, banned: tuple[Move, ...] = (), *, max_checks: int = MAX_CHECKS
    ) -> tuple[tuple[Move, ...] | None, bool]:
        """Search for a mate by checks; return it (None without one), and whether it is proved to be
        the shortest, or that there is none."""
        line, is_proved, _ = find_check_mate(self._board, max_checks, PROOF_NODES, banned=banned)
        return line, is_proved

    def _with_exact_mate(self, line: EngineLine) -> EngineLine:
        """Replace the line by a mate by checks, if one can be proved."""
        mate, _ = self._prove_mate()
        if mate is None:
            return line
        moves = (len(mate) + 1) // 2
        value = Value.of_mate(moves if self._board.turn == RED else -moves)
        return line._replace(value=value, moves=mate)

    def _is_promising(self) -> bool:
        """Does a search with the normal effort find an only move that reaches a goal?"""
        side = self._board.turn
        self._analyst.new_game()
        line = self._analyst.search(self._board, self._effort)
        goal = None if line is None else goal_of(line.value, side)
        if line is None or goal is None:
            return False
        other = self._analyst.search(self._board, self._effort, line.moves[:1])
        return other is not None and fails(goal, other.value, side)

    def _play_reply(self, line: EngineLine) -> Move | None:
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


# Bundled puzzles


@dataclass(frozen=True, slots=True)
class RatedPuzzle:
    """A bundled puzzle with its rating."""

    fen: str
    moves: tuple[str, ...]
    """The solver's moves and the replies."""
    goal: Goal
    mate: int | None
    rating: int
    """Elo of an engine level (docs/levels.md) that would solve it half of the time."""
    themes: tuple[str, ...]


PUZZLE_THEMES: Final = (
    *("opening", "middlegame", "endgame", "win", "save"),
    *("sacrifice", "quiet", "double-check", "discovered-check"),
    *("mate-chariot", "mate-horse", "mate-cannon", "mate-soldier"),
)
"""Themes to choose puzzles by: phases, goals without a mate, first moves, and mating pieces."""


class CyclePuzzle(NamedTuple):
    """A game of the engine's levels that ends in a repetition."""

    fen: str
    moves: tuple[str, ...]
    holding: tuple[str, ...]
    """Moves that hold in the last position, where repeating loses; empty if the repetition was
    completed."""


def load_puzzles() -> Iterator[RatedPuzzle]:
    """Load the bundled puzzles, made from Meihua's self-play games (docs/puzzles.md)."""
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
    """Load the bundled repetitions, from Meihua's self-play games (docs/puzzles.md)."""
    for line in _read_lines("cycles.txt.gz"):
        pieces, turn, moves, *holding = line.split()
        yield CyclePuzzle(f"{pieces} {turn} - - 0 1", tuple(moves.split(",")), tuple(holding))


def _read_lines(name: str) -> list[str]:
    packed = resources.files("xiangqi.analysis").joinpath(name).read_bytes()
    return gzip.decompress(packed).decode("ascii").splitlines()
