"""The view of a board's legal moves, and perft as called from Python."""

import signal
import subprocess
import sys
from types import FrameType

import pytest

from tests.support.played_boards import BARE, MATED, played
from xiangqi import Board, Move

# Legal moves


def test_a_text_is_no_legal_move() -> None:
    """A text raises an error; False would hide that it was not parsed."""
    with pytest.raises(TypeError, match=r"'h2e2' in legal_moves: expected a Move; Move.from"):
        assert "h2e2" in Board().legal_moves


def test_legal_moves_are_made_when_asked_for() -> None:
    """The view follows the board after its creation."""
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


# Perft as called from Python (another file tests its counts)


@pytest.mark.parametrize("depth", ["3", None, [1]])
def test_perft_counts_to_a_number(depth: object) -> None:
    with pytest.raises(TypeError):
        Board().perft(depth)  # type: ignore[arg-type]


@pytest.mark.parametrize("depth", [2**31, 2**64, 10**100])
def test_perft_refuses_depths_beyond_all_bounds(depth: int) -> None:
    with pytest.raises((OverflowError, ValueError)):
        Board().perft(depth)


def test_perft_survives_a_great_depth() -> None:
    """It raises an error or counts until it is stopped, but never crashes."""
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
    """It raises KeyboardInterrupt and leaves the board unchanged."""

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
