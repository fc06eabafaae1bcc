"""Whole games: what decides them first, and what their records say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from xiangqi import ALL_DRAWS, RED, STARTING_FEN, WXF, Board, Move, Termination
from xiangqi.arbiter import GameRuling, format_game, rule_game
from xiangqi.cli import main
from xiangqi.game import Game
from xiangqi.rules import RuleSet

CHECK_FEN = "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w"
CYCLE = "f0e0 e8f8 e0f0 f8e8"


def played(fen: str, moves: str, result: str = "*") -> Game:
    game = Game(Board(fen).fen(), {"Red": "A", "Black": "B", "Result": result})
    game.add_line(map(Move.from_iccs, moves.split()))
    return game


def ruled(fen: str, moves: str, result: str = "*", rules: RuleSet = WXF) -> GameRuling:
    return rule_game(played(fen, moves, result), rules, source="games", number=7)


def test_a_perpetual_check_decides_at_the_third_occurrence() -> None:
    found = ruled(CHECK_FEN, " ".join([CYCLE] * 4), "1-0")
    assert found.outcome is not None
    assert found.ruling is not None
    assert found.outcome.termination is Termination.PERPETUAL_CHECK
    assert (found.ply, found.plies, found.warned) == (8, 16, 4)
    assert found.ruling.offender == RED
    assert found.agrees is False
    assert format_game(found) == (
        "games:7: A - B: after move 8: Black wins: Red checks perpetually and must change; "
        "Black: idle moves; the record says 1-0"
    )
    assert "a warning was due" in format_game(found, explain=True)
    assert "应予警告" in format_game(found, "zh", explain=True)


def test_the_rule_set_decides() -> None:
    found = ruled(CHECK_FEN, " ".join([CYCLE] * 2), "1/2-1/2", ALL_DRAWS)
    assert found.outcome is not None
    assert (found.outcome.termination, found.agrees) == (Termination.REPETITION, True)


@pytest.mark.parametrize(
    ("fen", "moves", "termination", "words"),
    [
        ("3k5/9/9/9/9/9/9/9/4R4/4K4 w", "e1d1", Termination.CHECKMATE, "checkmate"),
        ("4k4/9/3P1P3/9/9/9/9/9/9/3K5 w", "d7d8", None, "nothing decides it in 1 moves"),
        ("3k5/9/2P6/9/9/9/9/9/4R4/5K3 w", "c7c8", Termination.STALEMATE, "no legal move"),
    ],
)
def test_other_ends(fen: str, moves: str, termination: Termination | None, words: str) -> None:
    found = ruled(fen, moves)
    assert (found.outcome and found.outcome.termination) == termination
    assert words in format_game(found)
    assert found.agrees is None
    assert found.ruling is None


def test_a_game_that_is_decided_before_its_first_move() -> None:
    found = ruled("4k4/9/9/9/9/9/9/9/9/3K5 w - - 120 90", "")
    assert found.outcome is not None
    assert (found.outcome.termination, found.ply) == (Termination.NO_CAPTURE, 0)


def test_what_comes_after_the_end_is_not_looked_at() -> None:
    game = played(CHECK_FEN, " ".join([CYCLE] * 2) + " f0f5")
    found = rule_game(game)
    assert (found.ply, found.plies) == (8, 9)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["judge", *arguments], catch_exceptions=False)


def test_files(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.pgn"
    moves = " ".join([CYCLE] * 2).split()
    one.write_text(json.dumps({"fen": CHECK_FEN, "moves": moves}) + "\n" + '{"moves": ["h2e2"]}\n')
    other.write_text('[Red "A"]\n\n1. C2.5 H8+7 2. H2+5 *\n')
    result = run(str(one), str(other))
    assert result.exit_code == 1  # a move of the second file is illegal
    first, second, third, error, *_ = result.output.splitlines()
    assert "after move 8: Black wins" in first
    assert "nothing decides it in 1 moves" in second
    assert third.startswith(f"{other}:1: A - ?: nothing decides it in 2 moves")
    assert error.startswith(f"  {other}:1:3: 'H2+5'")
    data = json.loads(run(str(one), "--json").output.splitlines()[0])
    assert (data["termination"], data["ply"], data["result"]) == ("perpetual_check", 8, "0-1")
    assert data["ruling"]["offender"] == "red"


def test_a_file_that_is_no_game_does_not_stop_the_others(tmp_path: Path) -> None:
    story, game = tmp_path / "story.doc", tmp_path / "game.ucci"
    story.write_text("once upon a time")
    game.write_text("position startpos moves h2e2\n")
    result = run(str(story), str(game))
    assert result.exit_code == 1
    assert "story.doc: not a format of games that is known" in result.output
    assert "nothing decides it in 1 moves" in result.output


def test_files_and_a_position_are_two_things(tmp_path: Path) -> None:
    game = tmp_path / "game.ucci"
    game.write_text("position startpos moves h2e2\n")
    assert run(str(game), "--fen", STARTING_FEN).exit_code == 2
