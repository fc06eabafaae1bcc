"""Playing, taking back and refusing moves, and the counters."""

import pickle
from collections.abc import Callable

import pytest
from hypothesis import given

from tests.support.helpers import iccs, wild
from tests.support.played_boards import BARE, played
from xiangqi import (
    BLACK,
    RED,
    SQUARES,
    STARTING_FEN,
    Board,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    XiangqiError,
)

# Playing


def test_push_and_pop() -> None:
    board = Board()
    move = Move.from_iccs("h2e2")
    board.push(move)
    assert board.turn is BLACK
    assert board.peek() == move
    assert board.fen() == "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1"
    assert board.pop() == move
    assert board.fen() == STARTING_FEN
    assert board.ply() == 0


def test_move_stack_is_a_list_of_ones_own() -> None:
    board = played("h2e2 h9g7")
    stack = board.move_stack
    assert iccs(stack) == ["h2e2", "h9g7"]
    stack.clear()
    assert board.ply() == 2
    assert [move.iccs() for move in board.move_stack] == ["h2e2", "h9g7"]


@pytest.mark.parametrize("ask", [Board.pop, Board.peek])
def test_there_is_no_move_to_take_back(ask: Callable[[Board], Move]) -> None:
    board = Board()
    with pytest.raises(IndexError, match="no move has been played"):
        ask(board)
    board.push_iccs("h2e2")
    board.pop()
    with pytest.raises(IndexError, match="no move has been played"):
        ask(board)
    assert board.fen() == STARTING_FEN


@pytest.mark.parametrize("text", ["h2e2", "H2-E2", " h2e2 ", "h2\N{EN DASH}e2"])
def test_push_iccs_reads_all_spellings(text: str) -> None:
    board = Board()
    assert board.push_iccs(text) == Move.from_iccs("h2e2") == board.peek()


@pytest.mark.parametrize("text", ["", "h2", "h2h2", "h2j2", "C2=5"])
def test_push_iccs_refuses_what_is_no_move(text: str) -> None:
    board = Board()
    with pytest.raises(InvalidMoveError):
        board.push_iccs(text)
    assert board.raw() == Board().raw()
    assert board.ply() == 0


ILLEGAL = [
    ("a1a2", "there is no piece on a1"),
    ("a9a8", "the black chariot on a9 cannot move, it is red's turn"),
    ("a0a3", "a3 is occupied by red's own soldier"),
    ("a0b0", "b0 is occupied by red's own horse"),
    ("a0a4", "the red chariot on a0 cannot reach a4"),
    ("h2h8", "the red cannon on h2 cannot reach h8"),
    ("e0e2", "the red general on e0 cannot reach e2"),
    ("a9a0", "the black chariot on a9 cannot move, it is red's turn"),
]


@pytest.mark.parametrize(("text", "why"), ILLEGAL)
def test_illegal_moves_and_why(text: str, why: str) -> None:
    board = Board()
    move = Move.from_iccs(text)
    assert board.why_illegal(move) == why
    asks: list[Callable[[], object]] = [
        lambda: board.push(move),
        lambda: board.push_iccs(text),
        lambda: board.parse_iccs(text),
        lambda: board.require_legal(move),
        lambda: board.gives_check(move),
        lambda: board.see_ge(move),
    ]
    for ask in asks:
        with pytest.raises(IllegalMoveError) as caught:
            ask()
        error = caught.value
        assert (error.move, error.fen, error.why) == (text, STARTING_FEN, why)
        assert str(error) == f"illegal move '{text}' in '{STARTING_FEN}': {why}"
    assert not board.is_legal(move)
    assert move not in board.legal_moves
    assert board.raw() == Board().raw()
    assert board.ply() == 0


@pytest.mark.parametrize(
    ("fen", "move"),
    [
        ("4k4/9/9/9/9/9/4N4/9/9/4K4 w", "e3c2"),
        ("4k4/9/9/9/9/9/9/9/9/3K5 w", "d0e0"),
        ("3c1k3/9/9/9/R8/9/9/9/9/3K5 w", "a5d5"),
    ],
)
def test_a_general_may_not_be_left_in_check(fen: str, move: str) -> None:
    board = Board(fen)
    assert board.is_pseudo_legal(Move.from_iccs(move))
    with pytest.raises(IllegalMoveError, match="it leaves the red general in check"):
        board.push_iccs(move)


def test_a_legal_move_has_no_reason_against_it() -> None:
    board = Board()
    for move in board.legal_moves:
        assert board.why_illegal(move) is None
        board.require_legal(move)


@given(wild)
def test_every_other_move_has_a_reason(board: Board) -> None:
    """Each reason but the last is given for moves that are not pseudo-legal."""
    for origin in SQUARES[::4]:
        for target in SQUARES[::3]:
            if origin == target:
                continue
            move = Move(origin, target)
            why = board.why_illegal(move)
            assert (why is None) == board.is_legal(move)
            if why is not None:
                assert why.endswith("general in check") == board.is_pseudo_legal(move)


def test_push_unchecked_plays_a_move() -> None:
    board = Board()
    board.push_unchecked(Move.from_iccs("h2e2"))
    assert board == played("h2e2")
    assert board.pop() == Move.from_iccs("h2e2")


@pytest.mark.parametrize("wrong", [None, "h2e2", 25, (25, 22)])
def test_methods_refuse_objects_other_than_moves(wrong: object) -> None:
    board = Board()
    asks = [
        *(board.push, board.push_unchecked, board.is_legal, board.is_pseudo_legal),
        *(board.gives_check, board.is_capture, board.see_ge, board.require_legal),
        board.why_illegal,
    ]
    for ask in asks:
        with pytest.raises(TypeError):
            ask(wrong)  # type: ignore[arg-type]
    assert board.raw() == Board().raw()


@pytest.mark.parametrize("wrong", [None, b"h2e2", 25, Move.from_iccs("h2e2")])
def test_push_iccs_refuses_other_types(wrong: object) -> None:
    board = Board()
    for ask in (board.push_iccs, board.parse_iccs):
        with pytest.raises(TypeError):
            ask(wrong)  # type: ignore[arg-type]
    assert board.ply() == 0


def test_parse_iccs_plays_nothing() -> None:
    board = Board()
    assert board.parse_iccs("H2-E2") == Move.from_iccs("h2e2")
    with pytest.raises(InvalidMoveError):
        board.parse_iccs("h2")
    assert board.fen() == STARTING_FEN


def test_a_long_game() -> None:
    """More moves than the initial capacity of the history."""
    board = Board()
    for _ in range(500):
        for move in "h2h4 h7h5 h4h2 h5h7".split():
            board.push_iccs(move)
    assert (board.ply(), board.halfmove_clock, board.fullmove_number) == (2000, 2000, 1001)
    assert board.repetitions() == 501
    board.go_to_start()
    assert board == Board()


# Counters


def test_clock_and_number_in_a_game() -> None:
    """The clock counts plies since the last capture, the number increases after Black's moves."""
    board = Board()
    line = [("h2e2", 1, 1), ("h9g7", 2, 2), ("e2e6", 0, 2), ("i9h9", 1, 3), ("e6e4", 2, 3)]
    for move, clock, number in line:
        board.push_iccs(move)
        assert (board.halfmove_clock, board.fullmove_number) == (clock, number), move
    for _, clock, number in reversed(line):
        assert (board.halfmove_clock, board.fullmove_number) == (clock, number)
        board.pop()


def test_number_when_black_began() -> None:
    board = Board(BARE.replace(" w - - 0 1", " b - - 3 7"))
    expected = [(BLACK, 3, 7), (RED, 4, 8), (BLACK, 5, 8), (RED, 6, 9)]
    for move, counters in zip(["d9d8", "f0f1", "d8d9", "f1f0"], expected, strict=True):
        assert (board.turn, board.halfmove_clock, board.fullmove_number) == counters
        board.push_iccs(move)
    assert board.fen() == "3k5/9/9/9/9/9/9/9/9/5K3 b - - 7 9"
    assert board.root_fen() == "3k5/9/9/9/9/9/9/9/9/5K3 b - - 3 7"
    assert board.copy(stack=False).fen() == board.fen()


def test_counters_stop_where_fen_ends() -> None:
    """The board counts beyond 99,999, the maximum in a FEN."""
    board = Board(BARE.replace("0 1", "99999 99999"))
    for move in ["f0f1", "d9d8"]:
        board.push_iccs(move)
    assert (board.halfmove_clock, board.fullmove_number) == (100_001, 100_000)
    assert board.fen().endswith(" w - - 99999 99999")
    assert Board(board.fen()) == board
    assert pickle.loads(pickle.dumps(board)) == board


@pytest.mark.parametrize("text", ["Che2", "C2.5", "炮二平五", "h2e2", "H2-E2"])
def test_a_user_of_python_chess_may_push_any_notation_as_san(text: str) -> None:
    board = Board()
    assert board.parse_san(text) == board.push_san(text) == Move.from_iccs("h2e2")


@pytest.mark.parametrize("text", ["Che3", "C2.5", "h3e3"])
def test_algebraic_and_coordinates_share_their_count_of_ranks(text: str) -> None:
    assert Board().parse_san(text, 1) == Move.from_iccs("h2e2")


@pytest.mark.parametrize(
    ("text", "reason"),
    [("xx", "'Che3'"), ("", "'Che3'"), ("C2.9", "C2.9"), ("炮二平九", "炮二平九")],
)
def test_push_san_refuses_other_texts(text: str, reason: str) -> None:
    with pytest.raises(XiangqiError, match=reason):
        Board().push_san(text)
