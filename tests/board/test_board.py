"""The board as Python sees it: playing, asking, copying, ending, and all that is refused."""

import copy
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from types import FrameType
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given

from tests.support.helpers import boards, iccs, names, played_fens, squares, wild, wild_fens
from xiangqi import (
    ALL_DRAWS,
    BLACK,
    CHECKS_ONLY,
    RED,
    SQUARES,
    STARTING_FEN,
    WXF,
    Board,
    Color,
    FenError,
    IllegalMoveError,
    InvalidMoveError,
    Move,
    Outcome,
    Piece,
    PositionError,
    RuleSet,
    Setup,
    Status,
    Termination,
    parse_fen,
    parse_square,
)
from xiangqi.core.board import CoreBoard, LegalMoves, RuleSwitches

BARE = "3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1"
ADVISED = "3ak4/9/9/9/9/9/9/9/9/5K3 w - - 0 1"
SOLDIER = "3k5/9/9/9/8p/9/9/9/9/5K3 w - - 0 1"
MATED = "R3k4/R8/9/9/9/9/9/9/9/3K5 b - - 0 1"
STALEMATED = "3k5/4P4/9/9/9/9/9/9/9/4K4 b - - 0 1"


def played(moves: str, fen: str = STARTING_FEN) -> Board:
    board = Board(fen)
    for move in moves.split():
        board.push_iccs(move)
    return board


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


@pytest.mark.parametrize("wrong", [None, 3, b"9/9", [STARTING_FEN], Board()])
def test_neither_text_nor_setup(wrong: object) -> None:
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


def test_the_check_on_the_wrong_side_is_told() -> None:
    with pytest.raises(PositionError) as caught:
        Board("3k5/9/9/9/9/9/9/9/9/3R1K3 w - - 0 1")
    sentence = "red is to move, but the black general on d9 is in check"
    assert caught.value.problems == (sentence,)


def test_a_misplaced_soldier_is_tolerated() -> None:
    """It breaks no rule of movement: the position can be played and the soldier moves on."""
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
    ("a0a3", "a3 is held by red's own soldier"),
    ("a0b0", "b0 is held by red's own horse"),
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
    """And each reason but the last is given for moves that are not even pseudo-legal."""
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
def test_what_is_no_move_object_is_refused(wrong: object) -> None:
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
def test_what_is_no_text_is_refused(wrong: object) -> None:
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
    """More moves than a history has room for at first."""
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
    """The clock counts plies since the last capture, the number grows after Black's moves."""
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
    """Beyond 99,999 a FEN says 99,999; the board itself counts on."""
    board = Board(BARE.replace("0 1", "99999 99999"))
    for move in ["f0f1", "d9d8"]:
        board.push_iccs(move)
    assert (board.halfmove_clock, board.fullmove_number) == (100_001, 100_000)
    assert board.fen().endswith(" w - - 99999 99999")
    assert Board(board.fen()) == board
    assert pickle.loads(pickle.dumps(board)) == board


# Legal moves


def test_a_text_is_no_legal_move() -> None:
    """To say that it is not among them would hide that it should have been read first."""
    with pytest.raises(TypeError, match=r"'h2e2' in legal_moves: expected a Move, as of Move.from"):
        assert "h2e2" in Board().legal_moves


def test_legal_moves_are_made_when_asked_for() -> None:
    """The view is of the board as it is when asked, not of when the view was taken."""
    board = Board()
    moves = board.legal_moves
    assert moves.count() == len(moves) == len(list(moves)) == 44
    move = Move.from_iccs("h2e2")
    assert move in moves
    board.push(move)
    assert move not in moves
    assert Move.from_iccs("h9g7") in moves
    board.pop()
    assert move in moves


def test_a_board_may_be_played_on_while_its_moves_are_listed() -> None:
    board = Board()
    seen = []
    for move in board.legal_moves:
        board.push(move)
        seen.append(move)
        board.pop()
    assert seen == board.list_moves()


def test_legal_moves_as_a_truth() -> None:
    assert Board().legal_moves
    assert not Board(MATED).legal_moves
    assert len(Board(MATED).legal_moves) == 0


@pytest.mark.parametrize("other", [None, 2841, (25, 22), object(), Board()])
def test_foreign_objects_are_no_legal_moves(other: object) -> None:
    assert other not in Board().legal_moves


def test_legal_moves_show_themselves() -> None:
    text = repr(Board("3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1").legal_moves)
    assert text == f"<LegalMoves of {BARE!r}: f0e0, f0f1>"


def test_legal_moves_need_a_board() -> None:
    view = type(Board().legal_moves)
    for wrong in (None, BARE):
        with pytest.raises(TypeError):
            view(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("stage", ["", "all", "Legal", None])
def test_stages_have_names(stage: str) -> None:
    with pytest.raises(ValueError, match="'captures', 'quiets', 'evasions' or 'pseudo_legal'"):
        Board().list_moves(stage)  # type: ignore[arg-type]


def test_is_capture() -> None:
    board = Board()
    assert board.is_capture(Move.from_iccs("b2b9"))
    assert not board.is_capture(Move.from_iccs("b2e2"))


# Perft from the outside (its counts have a file of their own)


@pytest.mark.parametrize("depth", ["3", None, [1]])
def test_perft_counts_to_a_number(depth: object) -> None:
    with pytest.raises(TypeError):
        Board().perft(depth)  # type: ignore[arg-type]


@pytest.mark.parametrize("depth", [2**31, 2**64, 10**100])
def test_perft_refuses_depths_beyond_all_bounds(depth: int) -> None:
    with pytest.raises((OverflowError, ValueError)):
        Board().perft(depth)


def test_perft_survives_a_great_depth() -> None:
    """Refused or counting until it is stopped, but never crashing."""
    program = "import xiangqi\nxiangqi.Board().perft(10**6)"
    try:
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, timeout=5, check=False
        )
    except subprocess.TimeoutExpired:
        return
    assert done.returncode == 1, done.returncode
    assert "ValueError" in done.stderr


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs an alarm clock")
def test_control_c_ends_a_deep_perft() -> None:
    """KeyboardInterrupt comes out of it, and the board is as it was."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    board = played("h2e2 h9g7")
    before = board.raw()
    old = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.3)
        with pytest.raises(KeyboardInterrupt):
            board.perft(12)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert board.raw() == before
    assert board.is_consistent()
    assert board.perft(3) == Board(board.fen()).perft(3)
    assert [move.iccs() for move in board.move_stack] == ["h2e2", "h9g7"]


# Asking


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


# How a game ends

CHECKING = ("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1", "f0e0 e8f8 e0f0 f8e8")
CHASING = ("5k3/9/9/9/n8/9/9/9/9/1R1K5 w - - 0 1", "b0a0 a5b7 a0b0 b7a5")
IDLING = (STARTING_FEN, "e0e1 e9e8 e1e0 e8e9")


def cycled(case: tuple[str, str], times: int = 2) -> Board:
    fen, moves = case
    return played(" ".join([moves] * times), fen)


@pytest.mark.parametrize(
    ("board", "rules", "termination", "winner", "result"),
    [
        (Board(MATED), WXF, Termination.CHECKMATE, RED, "1-0"),
        (Board(MATED).flip_colors(), WXF, Termination.CHECKMATE, BLACK, "0-1"),
        (Board(STALEMATED), WXF, Termination.STALEMATE, RED, "1-0"),
        (Board(STALEMATED).flip_colors(), WXF, Termination.STALEMATE, BLACK, "0-1"),
        (cycled(CHECKING), WXF, Termination.PERPETUAL_CHECK, BLACK, "0-1"),
        (cycled(CHECKING).flip_colors(), WXF, Termination.PERPETUAL_CHECK, RED, "1-0"),
        (cycled(CHECKING), CHECKS_ONLY, Termination.PERPETUAL_CHECK, BLACK, "0-1"),
        (cycled(CHECKING), ALL_DRAWS, Termination.REPETITION, None, "1/2-1/2"),
        (cycled(CHASING), WXF, Termination.PERPETUAL_CHASE, BLACK, "0-1"),
        (cycled(CHASING).flip_colors(), WXF, Termination.PERPETUAL_CHASE, RED, "1-0"),
        (cycled(CHASING), CHECKS_ONLY, Termination.REPETITION, None, "1/2-1/2"),
        (cycled(IDLING), WXF, Termination.REPETITION, None, "1/2-1/2"),
        (
            cycled(IDLING, 1),
            RuleSet("twice", occurrences=2),
            Termination.REPETITION,
            None,
            "1/2-1/2",
        ),
        (Board(SOLDIER.replace("0 1", "120 61")), WXF, Termination.NO_CAPTURE, None, "1/2-1/2"),
        (Board(BARE.replace("0 1", "120 61")), WXF, Termination.NO_CAPTURE, None, "1/2-1/2"),
        (Board(BARE), WXF, Termination.NO_ATTACKERS, None, "1/2-1/2"),
        (cycled((BARE, "f0f1 d9d8 f1f0 d8d9")), WXF, Termination.REPETITION, None, "1/2-1/2"),
        (Board(ADVISED), ALL_DRAWS, Termination.NO_ATTACKERS, None, "1/2-1/2"),
    ],
    ids=str,
)
def test_outcomes(
    board: Board,
    rules: RuleSet,
    termination: Termination,
    winner: Color | None,
    result: str,
) -> None:
    outcome = board.outcome(rules)
    assert outcome == Outcome(termination, winner)
    assert outcome is not None
    assert outcome.result() == result == board.result(rules)
    assert board.is_game_over(rules)


@pytest.mark.parametrize(
    ("board", "rules"),
    [
        (Board(), WXF),
        (cycled(IDLING, 1), WXF),
        (cycled(CHECKING, 1), WXF),
        (cycled(CHASING, 1), WXF),
        (cycled(IDLING), RuleSet("four times", occurrences=4)),
        (Board(SOLDIER.replace("0 1", "119 60")), WXF),
        (Board(SOLDIER.replace("0 1", "500 300")), RuleSet("endless", no_capture_limit=None)),
        (Board(BARE), RuleSet("to the end", no_attackers="play_on")),
    ],
    ids=str,
)
def test_games_that_go_on(board: Board, rules: RuleSet) -> None:
    assert board.outcome(rules) is None
    assert board.result(rules) == "*"
    assert not board.is_game_over(rules)


def test_the_limit_of_plies_counts_from_the_last_capture() -> None:
    board = Board("3k5/9/9/9/9/9/9/9/8p/5K2R w - - 118 60")
    board.push_iccs("f0f1")
    assert board.outcome() is None
    board.push_iccs("d9d8")
    assert board.outcome() == Outcome(Termination.NO_CAPTURE, None)
    board.push_iccs("i0i1")
    assert board.outcome() is None


def test_mate_comes_before_the_limit_of_plies() -> None:
    board = Board(MATED.replace("0 1", "120 61"))
    assert board.outcome() == Outcome(Termination.CHECKMATE, RED)


def test_a_repetition_comes_before_the_limit_of_plies() -> None:
    fen, moves = CHECKING
    board = played(f"{moves} {moves}", fen.replace("0 1", "200 101"))
    assert board.outcome() == Outcome(Termination.PERPETUAL_CHECK, BLACK)


def test_the_last_attacker_taken_draws() -> None:
    board = Board("3ak4/9/9/9/9/9/9/9/5p3/5K3 w - - 0 1")
    assert board.outcome() is None
    board.push_iccs("f0f1")
    assert board.outcome() == Outcome(Termination.NO_ATTACKERS, None)


@pytest.mark.parametrize("attacker", "RNCPrncp")
def test_one_attacker_is_enough(attacker: str) -> None:
    board = Board(f"3ak4/9/9/9/8{attacker}/9/9/9/9/3K1A3 w")
    assert board.can_anyone_attack()
    assert board.outcome() is None


def test_advisors_and_elephants_attack_nobody() -> None:
    board = Board("3akab2/9/4b4/9/9/9/9/4B4/9/2BAKA3 w")
    assert not board.can_anyone_attack()
    assert board.outcome() == Outcome(Termination.NO_ATTACKERS, None)


def test_mate_and_stalemate_are_told_apart() -> None:
    assert (Board(MATED).is_checkmate(), Board(MATED).is_stalemate()) == (True, False)
    stalemated = Board(STALEMATED)
    assert (stalemated.is_checkmate(), stalemated.is_stalemate()) == (False, True)
    assert (Board().is_checkmate(), Board().is_stalemate()) == (False, False)


# Repetition


def test_repetitions_count_now_as_well() -> None:
    board = Board()
    counts = [board.repetitions()]
    for move in f"{IDLING[1]} {IDLING[1]}".split():
        board.push_iccs(move)
        counts.append(board.repetitions())
    assert counts == [1, 1, 1, 1, 2, 2, 2, 2, 3]
    while board.ply():
        assert board.repetitions() == counts[board.ply()]
        board.pop()


def test_a_capture_ends_what_can_repeat() -> None:
    """The position after it has never stood before, and no longer line back counts."""
    board = played(f"{IDLING[1]} h2h9 i9h9 {IDLING[1]}")
    assert board.repetitions() == 2
    board.pop()
    assert board.repetitions() == 1


def test_the_same_placement_with_the_other_side_to_move_is_another_position() -> None:
    """The chariot goes round in three moves, the king there and back in two."""
    fen = "3k5/9/9/9/9/9/9/9/9/R4K3 w - - 0 1"
    board = played("a0b0 d9d8 b0c0 d8d9 c0a0", fen)
    assert board.piece_map() == Board(fen).piece_map()
    assert board.turn is BLACK
    assert board.key != Board(fen).key
    assert board.repetitions() == 1


# Copies


def check_independent(board: Board, other: Board) -> None:
    """Whatever is done to the one, the other stays."""
    before, stack = board.raw(), board.move_stack
    while other.ply():
        other.pop()
    for move in other.list_moves()[:1]:
        other.push(move)
    assert board.raw() == before
    assert board.move_stack == stack


@given(boards())
def test_copies_are_equal_and_independent(board: Board) -> None:
    makers: list[Callable[[Board], Board]] = [
        Board.copy,
        copy.copy,
        copy.deepcopy,
        lambda board: pickle.loads(pickle.dumps(board)),
    ]
    for make in makers:
        other = make(board)
        assert type(other) is Board
        assert other == board
        assert other.raw() == board.raw()
        assert other.move_stack == board.move_stack
        assert other.root_fen() == board.root_fen()
        assert other.repetitions() == board.repetitions()
        check_independent(board, other)


@given(boards())
def test_copies_without_the_moves(board: Board) -> None:
    other = board.copy(stack=False)
    assert other == board
    assert other.raw() == board.raw()
    assert other.move_stack == []
    assert other.root_fen() == board.fen() == other.fen()
    assert other.repetitions() == 1
    with pytest.raises(IndexError):
        other.pop()


def test_copy_takes_its_choice_by_name() -> None:
    with pytest.raises(TypeError):
        Board().copy(False)  # type: ignore[call-arg]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_pickles_of_all_protocols(protocol: int) -> None:
    board = cycled(CHECKING)
    other = pickle.loads(pickle.dumps(board, protocol))
    assert other == board
    assert other.outcome() == board.outcome()


class Club(Board):
    """A board of somebody else's making."""


def test_copies_of_a_subclass() -> None:
    board = Club()
    board.push_iccs("h2e2")
    for other in (board.copy(), copy.deepcopy(board), pickle.loads(pickle.dumps(board))):
        assert type(other) is Club
        assert other == board


def test_a_deep_copy_inside_of_something() -> None:
    board = played("h2e2")
    both = copy.deepcopy({"one": board, "other": [board]})
    assert both["one"] == board
    assert both["one"] is not board


def test_equality() -> None:
    """Placement, side to move and counters; not the way there."""
    board = played("h2e2 h9g7")
    assert board == Board(board.fen())
    assert board == played("h2e2 h9g7")
    assert board != Board()
    assert board != Board(board.fen().replace(" 2 2", " 3 2"))
    assert board != Board(board.fen().replace(" 2 2", " 2 3"))
    assert board != Board(board.fen().replace(" w ", " b "))
    assert Board() == CoreBoard()
    for other in (STARTING_FEN, None, 1, Board().setup()):
        assert board != other
        assert (Board() == other) is False


def test_boards_change_and_so_have_no_hash() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Board())


# The board turned


@given(boards())
def test_mirror(board: Board) -> None:
    """Twice is not at all; the moves go along, and what is legal is mirrored too."""
    mirrored = board.mirror()
    assert mirrored.mirror() == board
    assert mirrored.mirror().move_stack == board.move_stack
    assert mirrored.move_stack == [move.mirror() for move in board.move_stack]
    assert mirrored.turn == board.turn
    assert sorted(mirrored.legal_moves) == sorted(move.mirror() for move in board.legal_moves)
    assert mirrored.is_check() == board.is_check()
    assert mirrored.repetitions() == board.repetitions()


@given(boards())
def test_flip_colors(board: Board) -> None:
    flipped = board.flip_colors()
    assert flipped.flip_colors() == board
    assert flipped.flip_colors().move_stack == board.move_stack
    assert flipped.move_stack == [move.flip() for move in board.move_stack]
    assert flipped.turn != board.turn
    assert sorted(flipped.legal_moves) == sorted(move.flip() for move in board.legal_moves)
    assert flipped.is_check() == board.is_check()
    assert flipped.mirror() == board.mirror().flip_colors()


@given(wild)
def test_turning_wild_positions(board: Board) -> None:
    assert board.mirror().perft(2) == board.flip_colors().perft(2) == board.perft(2)


def test_turning_by_hand() -> None:
    board = played("b0c2", "3k5/9/9/9/9/9/9/9/9/RN3K3 w - - 4 9")
    assert board.mirror().fen() == "5k3/9/9/9/9/9/9/6N2/9/3K4R b - - 5 9"
    assert board.mirror().peek().iccs() == "h0g2"
    assert board.flip_colors().fen() == "r4k3/9/2n6/9/9/9/9/9/9/3K5 w - - 5 10"
    assert board.flip_colors().peek().iccs() == "b9c7"


# Words and pictures


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
    """Well-formed SVG that has a title for each piece."""
    svg = board._repr_svg_()
    root = ET.fromstring(svg)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert len(root.findall(".//{*}title")) >= len(board.piece_map())


def test_the_drawing_shows_last_move_and_check() -> None:
    """Each of them makes the picture a different one from that of the bare position."""
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


def test_nothing_behind_the_door_is_made_half() -> None:
    """Without their arguments neither switches nor a view of moves can be had."""
    with pytest.raises(TypeError):
        RuleSwitches.__new__(RuleSwitches)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        LegalMoves.__new__(LegalMoves)  # type: ignore[call-arg]
