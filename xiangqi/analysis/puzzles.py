"""Positions of a game with one winning line, for solvers.

A position is one where the best move wins (:data:`WINNING` points or more) and every other one does
clearly not (:data:`NOT_WINNING` or less), by searches of :data:`LONGER` times the effort, without
the game that led there. The solution goes on as long as that holds for the next move of the solver,
too. To take back what has just taken is no puzzle, nor is the only legal move.

Mates by checks alone are not left to searches: a solver proves the shortest, against the longest
defence, and that none begins with another move.

The rating grows with the depth at which a search settles on the solver's moves, the deepest of
them, and with their number: 800 + 100 a ply + 100 for each move behind the first. It orders
puzzles; it is not calibrated with people.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from xiangqi.analysis.engines import Analyst, Effort, Line
from xiangqi.analysis.game import GameAnalysis, PlyAnalysis
from xiangqi.analysis.values import Value
from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.core.solver import MAX_CHECKS, find_check_mate
from xiangqi.games.tree import start_board
from xiangqi.pieces import RED
from xiangqi.referee.rules import RuleSet, find_rule_set

__all__ = ["LONGER", "NOT_WINNING", "WINNING", "Puzzle", "find_puzzles", "position_of"]

WINNING: Final = 0.85
NOT_WINNING: Final = 0.65
LONGER: Final = 10
MAX_MOVES: Final = 6
"""The solver's moves of a solution, at most."""
PROOF_NODES: Final = 200_000
"""To prove or refute a mate by checks: some milliseconds."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position to be solved by the side to move."""

    fen: str
    """Counted from its own beginning."""
    ply: int
    """How many moves of the game led there."""
    solution: tuple[Move, ...]
    """The solver's moves and the best replies; the last one is the solver's."""
    mate: int | None
    """The moves of the mate, if it is one."""
    depth: int

    @property
    def rating(self) -> int:
        """Difficulty, for ordering puzzles."""
        return 800 + 100 * self.depth + 100 * (len(self.solution) // 2)

    def to_dict(self) -> dict[str, Any]:
        """JSON data that is read as a game with the solution as its moves."""
        return {
            "fen": self.fen,
            "moves": [move.iccs() for move in self.solution],
            "mate": self.mate,
            "depth": self.depth,
            "rating": self.rating,
            "ply": self.ply,
        }


def position_of(fen: str) -> str:
    """The pieces and the side to move: puzzles that have the same are one."""
    return " ".join(fen.split()[:2])


def find_puzzles(
    fen: str,
    moves: Iterable[Move],
    analysis: GameAnalysis,
    analyst: Analyst,
    effort: Effort,
    rules: RuleSet | str,
) -> Iterator[Puzzle]:
    """The puzzles in the main line of a game that has been analysed with this effort."""
    rules = find_rule_set(rules)
    board = start_board(fen)
    last: Move | None = None  # if it took something
    for move, ply in zip(moves, analysis.plies, strict=True):
        if board.outcome(rules) is None and _may_be_one(board, ply, last):
            puzzle = _Maker(board, analyst, effort, rules).make()
            if puzzle is not None:
                yield puzzle
        last = move if board.is_capture(move) else None
        board.push_unchecked(move)


def _may_be_one(board: Board, ply: PlyAnalysis, last: Move | None) -> bool:
    """Candidates by the values of the analysis."""
    best = ply.best
    if best is None or best.value.points(ply.side) < WINNING or board.legal_moves.count() < 2:
        return False
    takes_back = last is not None and best.moves[0].to_square == last.to_square
    if takes_back:
        return False
    return ply.move == best.moves[0] or ply.after.points(ply.side) <= NOT_WINNING


class _Maker:
    """Makes a puzzle of a position, if it is one."""

    def __init__(self, board: Board, analyst: Analyst, effort: Effort, rules: RuleSet) -> None:
        setup = board.setup()
        pieces = board.fen().split()[0]
        self._board = Board(f"{pieces} {'w' if setup.turn else 'b'} - - 0 1")
        self._fen = self._board.fen()
        self._ply = board.ply()
        self._analyst = analyst
        self._effort = effort
        self._rules = rules

    def make(self) -> Puzzle | None:
        first = self._find_only(is_first=True)
        if first is None:
            return None
        mate = first.value.mates(self._board.turn)
        solution, depth = [first.moves[0]], first.settled
        line: Line | None = first
        while len(solution) // 2 + 1 < MAX_MOVES and line is not None:
            reply = self._play_on(line)
            line = None if reply is None else self._find_only()
            if reply is not None and line is not None:
                solution += [reply, line.moves[0]]
                depth = max(depth, line.settled)
        return Puzzle(self._fen, self._ply, tuple(solution), mate, depth)

    def _find_only(self, *, is_first: bool = False) -> Line | None:
        """The winning line of the side to move, if every other first move does not win."""
        board, side, effort = self._board, self._board.turn, self._effort.times(LONGER)
        self._analyst.new_game()
        if is_first and not self._is_worth_it():
            return None
        self._analyst.new_game()
        line = self._analyst.search(board, effort)
        if line is None or line.value.points(side) < WINNING:
            return None
        if self._find_mate(line.moves[:1]) is not None:
            return None
        other = self._analyst.search(board, effort, line.moves[:1])
        if other is None:
            return None if is_first else self._settle_mate(line)
        return self._settle_mate(line) if other.value.points(side) <= NOT_WINNING else None

    def _find_mate(self, banned: tuple[Move, ...] = ()) -> tuple[Move, ...] | None:
        """A mate by checks alone that does not begin with a banned move, if one can be proved."""
        line, _, _ = find_check_mate(self._board, MAX_CHECKS, PROOF_NODES, banned=banned)
        return line

    def _settle_mate(self, line: Line) -> Line:
        """The only winning line, exact where it is a mate by checks alone."""
        mate = self._find_mate()
        if mate is None:
            return line
        moves = (len(mate) + 1) // 2
        value = Value.of_mate(moves if self._board.turn == RED else -moves)
        return line._replace(value=value, moves=mate)

    def _is_worth_it(self) -> bool:
        """Does the usual effort see only one winning move?"""
        side = self._board.turn
        line = self._analyst.search(self._board, self._effort)
        if line is None or line.value.points(side) < WINNING:
            return False
        other = self._analyst.search(self._board, self._effort, line.moves[:1])
        return other is not None and other.value.points(side) <= NOT_WINNING

    def _play_on(self, line: Line) -> Move | None:
        """Play the solver's move and the best reply; None where it ends before."""
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
