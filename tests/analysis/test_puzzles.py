"""Positions with one winning line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from xiangqi import Board, Move
from xiangqi.analysis.engines import Analyst, Effort, EngineLine, OurAnalyst
from xiangqi.analysis.game import AnalysisSettings, analyse_moves
from xiangqi.analysis.puzzles import NOT_WINNING, Puzzle, find_puzzles, position_of
from xiangqi.analysis.values import Value
from xiangqi.cli.main import main
from xiangqi.games.formats import read_games
from xiangqi.games.tree import start_board

ONLY = "2n2P3/3ck4/N8/8C/6r2/9/9/9/5K3/3R5 w"
"""Only the chariot's check wins, by a mate in two. That the other moves clearly do not, the search
sees after some 200,000 nodes."""
SOLUTION = "d0e0 g5e5 e0e5"
TWO_WAYS = "4k4/R8/9/9/9/9/9/1Rr6/9/3K5 w"
"""The mate wins, and so does taking the chariot."""
EFFORT = Effort(nodes=20_000)


def find(fen: str, played: str, analyst: Analyst | None = None) -> list[Puzzle]:
    analyst, settings = analyst or OurAnalyst(), AnalysisSettings(effort=EFFORT)
    moves = tuple(map(Move.from_iccs, played.split()))
    fen = Board(fen).fen()
    analysis = analyse_moves(fen, moves, analyst, settings)
    return list(find_puzzles(fen, moves, analysis, analyst, EFFORT, settings.rules))


@pytest.mark.parametrize("played", [SOLUTION, "d0d1 g5d5"])
def test_a_puzzle_is_found_whether_it_was_solved_or_not(played: str) -> None:
    puzzle = find(ONLY, played)[0]
    assert puzzle.solution == tuple(map(Move.from_iccs, SOLUTION.split()))
    assert (puzzle.mate, puzzle.ply) == (2, 0)
    assert puzzle.rating == 800 + 100 * puzzle.depth + 100


def test_the_solution_is_legal_and_no_other_move_wins() -> None:
    (puzzle, *_) = find(ONLY, SOLUTION)
    board = start_board(puzzle.fen)
    analyst = OurAnalyst()
    for number, move in enumerate(puzzle.solution):
        if number % 2 == 0:
            side = board.turn
            other = analyst.search(board, Effort(nodes=200_000), [move])
            assert other is None or other.value.points(side) <= NOT_WINNING
        board.push(move)  # raises for a move that is not legal
    assert board.is_checkmate()


def test_position_with_two_winning_moves_is_no_puzzle() -> None:
    assert find(TWO_WAYS, "b2b9") == []
    assert find(TWO_WAYS, "d0d1") == []


class Blind:
    """Sees no mate, but that a move wins material; all others win nothing."""

    name = "blind"

    def __init__(self, move: str) -> None:
        self._move = Move.from_iccs(move)

    def new_game(self) -> None:
        """Forget nothing."""

    def close(self) -> None:
        """Go home."""

    def search(
        self, board: Board, effort: Effort, banned: Sequence[Move] = ()
    ) -> EngineLine | None:
        if self._move in banned or self._move not in board.legal_moves:
            return EngineLine(Value.of_cp(0), (next(iter(board.legal_moves)),), 3, 2)
        return EngineLine(Value.of_cp(3_000), (self._move,), 3, 2)


def test_a_mate_by_checks_is_proved_whatever_is_seen() -> None:
    puzzle = find(ONLY, SOLUTION, Blind("d0e0"))[0]
    assert (puzzle.mate, puzzle.solution[0].iccs()) == (2, "d0e0")


def test_beside_a_mate_by_checks_no_other_move_is_the_only_one() -> None:
    assert find(ONLY, "a7c8", Blind("a7c8")) == []


def test_recapture_is_no_puzzle() -> None:
    """Black's chariot has just taken, and taking it wins."""
    before = "4k4/9/9/9/9/4r4/4P4/4R4/9/3K5 b"
    assert find(before, "e4e3 e2e3") == []


def test_the_only_legal_move_is_no_puzzle() -> None:
    assert all(Board(one.fen).legal_moves.count() > 1 for one in find(ONLY, SOLUTION))


def test_the_game_before_makes_no_difference() -> None:
    """The position counts from its own beginning, and is found again under the same name."""
    late = find(f"{ONLY} - - 31 44", SOLUTION)[0]
    assert late == find(ONLY, SOLUTION)[0]
    assert late.fen.endswith("w - - 0 1")
    assert position_of(late.fen) == position_of(f"{ONLY} - - 3 9")


def test_the_command_collects_each_position_once(tmp_path: Path) -> None:
    game = {"fen": ONLY, "moves": SOLUTION.split()}
    source, out, file = (tmp_path / name for name in ("in.jsonl", "out.pgn", "puzzles.jsonl"))
    source.write_text("".join(json.dumps(game) + "\n" for _ in range(3)))
    words = ["analyse", str(source), "-o", str(out), "--puzzles", str(file), "--workers", "1"]
    words += ["--nodes", str(EFFORT.nodes)]
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    assert [row["game"] for row in rows if row["ply"] == 0] == [1]
    assert len({row["fen"] for row in rows}) == len(rows)
    assert f"{len(rows)} puzzle" in done.output
    first = next(read_games(file))
    assert [move.iccs() for move in first.moves()] == SOLUTION.split()
    again = CliRunner().invoke(main, words)
    assert again.exit_code == 2
    assert "file exists; use --" in again.output
