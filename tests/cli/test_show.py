"""``xiangqi show``: a position, or the last one of a pasted game, in letters or characters."""

from __future__ import annotations

from click.testing import CliRunner

from xiangqi.board import Board
from xiangqi.cli.main import main


def test_the_last_position_of_a_pasted_game_is_shown() -> None:
    result = CliRunner().invoke(main, ["show", "炮二平五马8进7", "--lettering", "traditional"])
    board = Board()
    board.push_iccs("h2e2")
    board.push_iccs("h9g7")
    assert board.fen() in result.output
    assert "帥" in result.output.splitlines()[9]
    letters = CliRunner().invoke(main, ["show", board.fen()]).output.splitlines()
    assert "K" in letters[9]
    assert "帥" not in letters[9]


def test_a_word_that_is_not_understood_is_reported_with_its_place() -> None:
    result = CliRunner().invoke(main, ["show", "炮二平五马8进7 马二进九"])
    assert result.exit_code == 2
    assert "line 1, column 10: move 3: '马二进九'" in result.stderr
