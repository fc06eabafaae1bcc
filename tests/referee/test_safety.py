"""Safety of pieces, and the command that prints it."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner
from hypothesis import given

from tests.support.helpers import boards, squares
from xiangqi import BLACK, RED, Board, Color, Piece, Reason, Setup, parse_square
from xiangqi.cli.main import main
from xiangqi.ground.errors import PositionError
from xiangqi.pieces import ROOK
from xiangqi.referee.judging import SafetyMark, find_safety


def marks(fen: str, square: str) -> str:
    return "".join(mark.value for mark in find_safety(Board(fen))[parse_square(square)].marks())


@pytest.mark.parametrize(
    ("fen", "square", "expected"),
    [
        # A bare horse before a chariot; one that an elephant protects; the chariot itself
        ("3k5/9/9/9/9/9/r1N6/9/9/4K4 w", "c3", "!"),
        ("3k5/9/9/9/9/r1N6/9/4B4/9/4K4 w", "c4", "p"),
        ("3k5/9/9/9/9/9/r1N6/9/9/4K4 w", "a3", ""),
        # The advisor on e1 is pinned by the chariot and protected by the other one
        ("4k4/9/9/9/9/9/9/4r4/4A4/3AK4 w", "e1", "xp"),
        # The chariot on e3 protects the horse in appearance only: it must stay before its general
        ("3kr4/9/9/9/9/9/r1N1R4/9/9/4K4 w", "c3", "!f"),
        ("3kr4/9/9/9/9/9/r1N1R4/9/9/4K4 w", "e3", "x"),
        ("3k5/9/9/9/9/9/r1N1R4/9/9/4K4 w", "c3", "p"),
    ],
)
def test_marks(fen: str, square: str, expected: str) -> None:
    assert marks(fen, square) == expected


def test_attacks_come_with_their_reasons() -> None:
    safety = find_safety(Board("3kr4/9/9/9/9/9/r1N1R4/9/9/4K4 w"))
    (threat,) = safety[parse_square("c3")].attacks
    assert (threat.attacker, threat.reason) == (parse_square("a3"), Reason.PROFIT)
    assert threat.root == parse_square("e3")
    assert safety[parse_square("c3")].false_protectors == squares("e3")
    assert {one.reason for one in safety[parse_square("e3")].attacks} == {Reason.EXCHANGE}


@given(boards())
def test_protectors_are_those_that_could_recapture(board: Board) -> None:
    for square, piece in board.piece_map().items():
        recaptures = recaptures_on(board, square, piece.color)
        if recaptures is not None:
            assert board.protectors(square)[0] == recaptures
            assert board.protectors(square)[1] == board.attackers(piece.color, square) - recaptures


def recaptures_on(board: Board, square: int, color: Color) -> frozenset[int] | None:
    """Pieces that can legally capture an enemy chariot on a square; None if it cannot be there."""
    pieces = board.piece_map() | {square: Piece(ROOK, not color)}
    try:
        changed = Board(Setup.from_piece_map(pieces, turn=color))
    except PositionError:
        return None
    return frozenset(move.from_square for move in changed.legal_moves if move.to_square == square)


@given(boards())
def test_attacks_are_those_of_both_sides(board: Board) -> None:
    safety = find_safety(board)
    for color in (RED, BLACK):
        for square, one in safety.items():
            if one.piece.color != color and square != board.king(not color):
                attackers = {threat.attacker for threat in one.attacks}
                assert attackers == board.attackers(color, square)


def run(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["show", *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    return result.output


def test_show() -> None:
    output = run("3kr4/9/9/9/9/9/r1N1R4/9/9/4K4 w")
    assert "3 r   .   N!f .   Rx" in output
    assert "the black chariot on a3 attacks the red horse on c3: at a profit" in output
    assert "! can be captured at a profit" in output
    assert "得子" in run("3kr4/9/9/9/9/9/r1N1R4/9/9/4K4 w", "--lang", "zh")


def test_show_as_data() -> None:
    data = json.loads(run("3kr4/9/9/9/9/9/r1N1R4/9/9/4K4 w", "--json"))
    horse = data["pieces"]["c3"]
    assert horse["marks"] == [SafetyMark.ATTACKED.name.lower(), SafetyMark.FALSE.name.lower()]
    assert horse["false_protectors"] == ["e3"]
    assert horse["attacks"][0]["reason"] == "profit"


def test_show_refuses_what_is_no_position() -> None:
    result = CliRunner().invoke(main, ["show", "9/9 w"])
    assert result.exit_code == 2
    assert "9/9 w" in result.output
