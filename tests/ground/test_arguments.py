"""Text in place of a colour, a piece type or a square is a TypeError that names the constant."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import xiangqi
import xiangqi.svg
from xiangqi import (
    BLACK,
    E0,
    KNIGHT,
    PAWN,
    RED,
    ROOK,
    WXF,
    Board,
    Cp,
    Move,
    Outcome,
    Piece,
    PovScore,
    PovWdl,
    Referee,
    Setup,
    SquareSet,
    Termination,
    Voice,
    Wdl,
)
from xiangqi.analysis import Value, sum_up
from xiangqi.board.arrays import policy_index, policy_indices, policy_move
from xiangqi.pieces import COLORS, require_color, require_piece_type, require_square
from xiangqi.tables import TableValue
from xiangqi.tables.probing import describe_result, describe_value
from xiangqi.words import name_side
from xiangqi.words.phrases import Rounds

Call = Callable[[Any], object]
CANNON_MOVE = Move.from_iccs("h2e2")


def set_turn(color: Any) -> None:
    Board().turn = color


TAKES_COLOR: dict[str, Call] = {
    "pieces": lambda color: Board().pieces(KNIGHT, color),
    "pieces of a draft": lambda color: Board.empty().pieces(KNIGHT, color),
    "king": lambda color: Board().king(color),
    "attackers": lambda color: Board().attackers(color, E0),
    "is_attacked_by": lambda color: Board().is_attacked_by(color, E0),
    "pinned": lambda color: Board().pinned(color),
    "is_pinned": lambda color: Board().is_pinned(color, E0),
    "turn": set_turn,
    "unicode": lambda color: Board().unicode(orientation=color),
    "list_attacks": lambda color: Board().list_attacks(color, WXF.switches),
    "find_threats": lambda color: Referee().find_threats(Board(), color),
    "Piece": lambda color: Piece(ROOK, color),
    "Setup": lambda color: Setup(Board().cells(), color),
    "Setup.from_piece_map": lambda color: Setup.from_piece_map({}, color),
    "Outcome": lambda color: Outcome(Termination.CHECKMATE, color),
    "PovScore": lambda color: PovScore(Cp(5), color),
    "PovScore.pov": lambda color: PovScore(Cp(5), RED).pov(color),
    "PovWdl": lambda color: PovWdl(Wdl(1, 2, 3), color),
    "PovWdl.pov": lambda color: PovWdl(Wdl(1, 2, 3), RED).pov(color),
    "Value.of_winner": lambda color: Value.of_winner(color),
    "Value.points": lambda color: Value.of_cp(5).points(color),
    "Value.mates": lambda color: Value.of_mate(5).mates(color),
    "Value.cp": lambda color: Value.of_cp(5).cp(color),
    "sum_up": lambda color: sum_up([], color),
    "policy_index": lambda color: policy_index(CANNON_MOVE, color),
    "policy_indices": lambda color: policy_indices([], color),
    "policy_move": lambda color: policy_move(5, color),
    "describe_value": lambda color: describe_value(TableValue(0, 0, 0), color, "wxf"),
    "describe_result": lambda color: describe_result(TableValue(0, 0, 0), color),
    "name_side": lambda color: name_side("zh", color),
    "Voice.side": lambda color: Voice().side(color),
    "Rounds": lambda color: Rounds(1, color),
    "svg.board": lambda color: xiangqi.svg.board(orientation=color),
    "require_color": require_color,
}
TAKES_PIECE_TYPE: dict[str, Call] = {
    "pieces": lambda kind: Board().pieces(kind, RED),
    "Piece": lambda kind: Piece(kind, RED),
    "require_piece_type": require_piece_type,
}
TAKES_SQUARE: dict[str, Call] = {
    "piece_at": lambda square: Board().piece_at(square),
    "piece_type_at": lambda square: Board().piece_type_at(square),
    "color_at": lambda square: Board().color_at(square),
    "attackers": lambda square: Board().attackers(RED, square),
    "attacks": lambda square: Board().attacks(square),
    "protectors": lambda square: Board().protectors(square),
    "is_attacked_by": lambda square: Board().is_attacked_by(RED, square),
    "set_piece_at": lambda square: Board().set_piece_at(square, None),
    "remove_piece_at": lambda square: Board().remove_piece_at(square),
    "set_piece_map": lambda square: Board().set_piece_map({square: Piece(PAWN, RED)}),
    "Setup.piece_at": lambda square: Board().setup().piece_at(square),
    "find_move": lambda square: Board().find_move(square, E0),
    "Move": lambda square: Move(E0, square),
    "SquareSet": lambda square: SquareSet([square]),
    "from_square": lambda square: SquareSet.from_square(square),
    "between": lambda square: SquareSet.between(E0, square),
    "svg.board": lambda square: xiangqi.svg.board(check=square),
    "require_square": require_square,
}


@pytest.mark.parametrize("call", TAKES_COLOR.values(), ids=TAKES_COLOR)
def test_text_for_a_color_is_refused(call: Call) -> None:
    for text, constant in {
        "black": "BLACK",
        "b": "BLACK",
        "Red": "RED",
        "w": "RED",
        "黑方": "BLACK",
    }.items():
        with pytest.raises(TypeError, match=f"color '{text}': expected xiangqi.{constant}$"):
            call(text)
    wrong: Any
    for wrong in ("x", "", 2, 0.5, [], b"b"):
        with pytest.raises(TypeError, match=r"expected xiangqi.RED or xiangqi.BLACK"):
            call(wrong)
    for color in COLORS:
        call(color)


def test_winner_of_a_draw_is_none() -> None:
    assert Outcome(Termination.NO_CAPTURE, None).result() == "1/2-1/2"
    with pytest.raises(
        TypeError, match=r"termination 'checkmate': expected one of Termination.CHECK"
    ):
        Outcome("checkmate", RED)  # type: ignore[arg-type]


@pytest.mark.parametrize("call", TAKES_PIECE_TYPE.values(), ids=TAKES_PIECE_TYPE)
def test_text_for_a_piece_type_is_refused(call: Call) -> None:
    for text, constant in {
        "knight": "KNIGHT",
        "Horse": "KNIGHT",
        "p": "PAWN",
        "E": "BISHOP",
    }.items():
        with pytest.raises(TypeError, match=f"piece type '{text}': expected xiangqi.{constant}$"):
            call(text)
    for wrong in ("", "x", None, 1.5):
        with pytest.raises(TypeError, match=r"expected one of xiangqi.KING to xiangqi.PAWN"):
            call(wrong)
    for number in (0, 8, -1):
        with pytest.raises(ValueError, match=f"invalid piece type {number}: expected 1 to 7"):
            call(number)


@pytest.mark.parametrize("call", TAKES_SQUARE.values(), ids=TAKES_SQUARE)
def test_text_for_a_square_is_refused(call: Call) -> None:
    with pytest.raises(TypeError, match=r"square 'e2': expected xiangqi.E2$"):
        call("e2")
    for wrong in ("x", 1.5, b"e2"):
        with pytest.raises(TypeError, match=r"expected xiangqi.A0 to xiangqi.I9"):
            call(wrong)


def test_numbers_of_other_types_are_read() -> None:
    numpy = pytest.importorskip("numpy")
    board = Board()
    assert board.pieces(numpy.int64(KNIGHT), numpy.bool_(False)) == board.pieces(KNIGHT, BLACK)
    assert board.pieces(KNIGHT, 1) == board.pieces(KNIGHT, RED)  # type: ignore[arg-type]
    assert board.piece_at(numpy.int8(E0)) == board.piece_at(E0)
