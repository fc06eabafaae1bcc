"""The board in Python: setting up, queries, diagrams, and invalid arguments."""

from collections.abc import Callable
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given

from tests.support.helpers import iccs, names, played_fens, squares, wild, wild_fens
from tests.support.played_boards import CHECKING, MATED, cycled, played
from xiangqi import (
    BLACK,
    RED,
    STARTING_FEN,
    Board,
    FenError,
    Move,
    Piece,
    PositionError,
    Setup,
    Status,
    parse_fen,
    parse_square,
)
from xiangqi.core.board import RuleSwitches
from xiangqi.core.position_board import LegalMoves

# Setting up


def test_the_start() -> None:
    board = Board()
    assert board.fen() == board.root_fen() == STARTING_FEN
    assert board.turn is RED
    assert (board.halfmove_clock, board.fullmove_number, board.ply()) == (0, 1, 0)
    assert board.move_stack == []
    assert (board.king(RED), board.king(BLACK)) == (4, 85)
    assert board.status() == Status.VALID
    assert board.repetitions() == 1
    assert not board.is_check()
    assert board.checkers() == board.pinned(RED) == board.pinned(BLACK) == frozenset()


@pytest.mark.parametrize(
    "fen",
    [
        "rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w - - 0 1",
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR r",
        "rnbakabnr/54/1c5c1/p1p1p1p1p/9/18/P1P1P1P1P/1C5C1/9/RNBAKABNR",
        "  rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR   w - -  00 0\n",
    ],
)
def test_fen_has_one_normal_form(fen: str) -> None:
    assert Board(fen).fen() == STARTING_FEN


def test_fen_round_trip() -> None:
    for fen in played_fens(seed=6, games=3) + wild_fens(seed=6, count=300):
        assert Board(fen).fen() == fen
        assert Board(Board(fen).setup()).fen() == fen


def test_a_setup_is_as_good_as_a_text() -> None:
    assert Board(parse_fen(MATED)) == Board(MATED)


def test_no_text_is_an_empty_board() -> None:
    board = Board(None)
    assert board == Board.empty()
    assert not board.is_valid()
    assert board.piece_map() == {}


@pytest.mark.parametrize("wrong", [3, b"9/9", [STARTING_FEN], Board()])
def test_board_refuses_other_types(wrong: object) -> None:
    with pytest.raises(TypeError):
        Board(wrong)  # type: ignore[arg-type]


def test_a_text_that_cannot_be_read() -> None:
    with pytest.raises(FenError, match="side to move"):
        Board(STARTING_FEN.replace(" w ", " x "))


def test_all_problems_are_named_at_once() -> None:
    fen = "3kk4/9/9/9/9/4A4/9/RRR6/PC1C1C3/4KB3 b - - 7 30"
    with pytest.raises(PositionError) as caught:
        Board(fen)
    error = caught.value
    assert error.fen == fen
    assert error.status == (
        Status.TOO_MANY_KINGS
        | Status.TOO_MANY_ROOKS
        | Status.TOO_MANY_CANNONS
        | Status.MISPLACED_ADVISOR
        | Status.MISPLACED_BISHOP
        | Status.MISPLACED_PAWN
    )
    assert error.problems == (
        "red has 3 chariots (a2, b2, c2), expected at most 2",
        "red has 3 cannons (b1, d1, f1), expected at most 2",
        "black has 2 generals (d9, e9), expected at most 1",
        "red advisor on e4 stands outside the palace's five advisor points",
        "red elephant on f0 stands outside the seven elephant points of its half",
        "red soldier on a1 stands behind its starting rank",
    )
    assert all(problem in str(error) for problem in error.problems)


@pytest.mark.parametrize(
    ("fen", "status"),
    [
        ("9/9/9/9/9/9/9/9/9/9 w", Status.NO_RED_KING | Status.NO_BLACK_KING),
        ("4k4/9/9/9/9/9/9/9/9/9 w", Status.NO_RED_KING),
        ("9/9/9/9/9/9/9/9/9/4K4 w", Status.NO_BLACK_KING),
        ("4k4/9/9/9/9/9/9/9/9/4K4 w", Status.KINGS_FACING),
        ("4k4/9/9/9/9/9/9/9/9/4K4 b", Status.KINGS_FACING),
        ("3k5/9/9/9/9/9/9/9/9/3R1K3 w", Status.OPPOSITE_CHECK),
        ("3r1k3/9/9/9/9/9/9/9/9/3K5 b", Status.OPPOSITE_CHECK),
        ("3k5/9/9/9/9/9/9/9/9/2K6 w", Status.MISPLACED_KING),
        ("3k5/2k6/9/9/9/9/9/9/9/5K3 w", Status.TOO_MANY_KINGS | Status.MISPLACED_KING),
    ],
)
def test_impossible_positions(fen: str, status: Status) -> None:
    with pytest.raises(PositionError) as caught:
        Board(fen)
    assert caught.value.status == status


def test_the_check_on_the_wrong_side_is_reported() -> None:
    with pytest.raises(PositionError) as caught:
        Board("3k5/9/9/9/9/9/9/9/9/3R1K3 w - - 0 1")
    sentence = "red is to move, but the black general on d9 is in check"
    assert caught.value.problems == (sentence,)


def test_a_misplaced_soldier_is_tolerated() -> None:
    """The position is playable, and the soldier can move."""
    board = Board("3k5/9/9/9/9/1P7/9/9/9/P4K3 w - - 0 1")
    assert board.status() == Status.MISPLACED_PAWN
    assert {"a0a1", "b4b5"} <= set(iccs(board.legal_moves))
    board.push_iccs("a0a1")
    assert board.status() == Status.MISPLACED_PAWN
    assert board.fen() == "3k5/9/9/9/9/1P7/9/9/P8/5K3 b - - 1 1"


def test_a_misplaced_soldier_is_named_beside_other_problems() -> None:
    with pytest.raises(PositionError) as caught:
        Board("3k5/9/9/9/9/9/9/9/9/P2K5 w - - 0 1")
    assert caught.value.status == Status.MISPLACED_PAWN | Status.KINGS_FACING


@pytest.mark.parametrize("turn", [2, -1, 100, None, "w"])
def test_a_turn_is_a_color(turn: object) -> None:
    board = parse_fen(STARTING_FEN).board
    with pytest.raises((TypeError, ValueError)):
        Board(Setup(board, turn))  # type: ignore[arg-type]


def test_a_board_that_refuses_to_be_set_up_anew_stays_as_it_was() -> None:
    board = played("h2e2")
    before = board.raw()
    with pytest.raises(PositionError):
        board.__init__("3k5/9/9/9/9/9/9/9/9/3R1K3 w")  # type: ignore[misc]
    assert board.raw() == before
    assert board.pop() == Move.from_iccs("h2e2")
    assert board == Board()


# Queries


def test_pieces() -> None:
    board = Board()
    assert board.piece_at(parse_square("e0")) == Piece.from_symbol("K")
    assert board.piece_at(parse_square("h9")) == Piece.from_symbol("n")
    assert board.piece_at(parse_square("e4")) is None
    assert board.piece_code_at(parse_square("e4")) == 0
    assert board.piece_map() == parse_fen(STARTING_FEN).piece_map()
    assert list(board.piece_map()) == sorted(board.piece_map())
    assert len(board.piece_map()) == 32


@pytest.mark.parametrize("square", [-1, 90, 1000])
def test_squares_are_checked(square: int) -> None:
    board = Board()
    asks: list[Callable[[int], object]] = [
        board.piece_at,
        board.piece_code_at,
        lambda square: board.attackers(RED, square),
    ]
    for ask in asks:
        with pytest.raises(ValueError, match=f"invalid square {square}: expected 0 to 89"):
            ask(square)


def test_check_and_checkers() -> None:
    board = Board("3k5/9/9/3R5/9/9/9/9/9/5K3 b")
    assert board.is_check()
    assert names(board.checkers()) == "d6"
    assert not board.is_checkmate()
    assert board.king(BLACK) == parse_square("d9")


def test_attackers_takes_the_side_first() -> None:
    board = Board()
    assert board.attackers(RED, parse_square("e3")) == squares("")
    assert board.attackers(BLACK, parse_square("h0")) == squares("h7")
    assert board.attackers(RED, parse_square("h9")) == squares("h2")


# Text and drawings


def test_str() -> None:
    board = Board("3k5/9/9/9/9/4p4/9/9/9/R4K3 w")
    assert str(board) == "\n".join(
        [
            "9 . . . k . . . . .",
            "8 . . . . . . . . .",
            "7 . . . . . . . . .",
            "6 . . . . . . . . .",
            "5 . . . . . . . . .",
            "4 . . . . p . . . .",
            "3 . . . . . . . . .",
            "2 . . . . . . . . .",
            "1 . . . . . . . . .",
            "0 R . . . . K . . .",
            "  a b c d e f g h i",
        ]
    )


@given(wild)
def test_repr_is_how_to_make_it(board: Board) -> None:
    assert repr(board) == f"Board({board.fen()!r})"
    assert eval(repr(board)) == board


@pytest.mark.parametrize("board", [Board(), played("h2e2 h9g7"), cycled(CHECKING), Board(MATED)])
def test_notebooks_get_a_drawing(board: Board) -> None:
    """Well-formed SVG with a title for each piece."""
    svg = board._repr_svg_()
    root = ET.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(root.findall(".//{*}title")) >= len(board.piece_map())


def test_the_drawing_shows_last_move_and_check() -> None:
    """Each of them changes the drawing."""
    quiet = played("h2e2")
    assert quiet._repr_svg_() != quiet.copy(stack=False)._repr_svg_()
    checked = Board("3k5/9/9/3R5/9/9/9/9/9/5K3 b")
    free = Board("3k5/9/9/3R5/9/9/9/9/9/5K3 b".replace("3R5", "2R6"))
    assert checked._repr_svg_().count("<circle") > free._repr_svg_().count("<circle")


def test_numbers_are_whole() -> None:
    board = Board()
    with pytest.raises(TypeError):
        board.perft(2.9)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        board.piece_code_at(4.9)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="invalid square"):
        board.piece_code_at(2**40)


def test_switches_and_views_need_their_arguments() -> None:
    """Switches and views of moves cannot be created without arguments."""
    with pytest.raises(TypeError):
        RuleSwitches.__new__(RuleSwitches)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        LegalMoves.__new__(LegalMoves)  # type: ignore[call-arg]
