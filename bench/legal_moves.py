"""Legal moves as Python objects, over positions from all stages of random games."""

from __future__ import annotations

from types import ModuleType

from bench.games import random_positions
from bench.measure import Result, Run, Scale, compare, repeated, require_equal
from bench.peers import MISSING, PYFFISH, VARIANT, fixed_cost_note, load_pyffish, peer_move
from xiangqi import Board

POSITIONS = 48
ROUNDS = 30


def measure(runs: int) -> Result:
    """Positions per second: moves of a board at hand, and with reading the FEN each time.

    The peer keeps no board but reads the FEN at each call, so that the later rows are the fair
    ones; in the last Meihua makes text of the moves, as the peer does.
    """
    result = Result(f"Listing the legal moves of {POSITIONS} positions in Python")
    boards = random_positions(POSITIONS)
    fens = [board.fen() for board in boards]
    pyffish = load_pyffish()
    theirs: Run | None = None
    if pyffish is None:
        result.notes.append(f"{PYFFISH}: {MISSING[PYFFISH]}")
    else:
        check_same_moves(boards, pyffish)
        result.notes.append(fixed_cost_note(pyffish))
        theirs = repeated(ROUNDS, lambda fen: pyffish.legal_moves(VARIANT, fen, []), fens)
    scale = Scale("positions/s", POSITIONS * ROUNDS)
    ours: dict[str, Run] = {
        "board at hand": repeated(ROUNDS, lambda board: list(board.legal_moves), boards),
        "from FEN": repeated(ROUNDS, lambda fen: list(Board(fen).legal_moves), fens),
        "from FEN, as text": repeated(
            ROUNDS, lambda fen: [move.iccs() for move in Board(fen).legal_moves], fens
        ),
    }
    for what, run in ours.items():
        result.rows.append(compare(what, scale, runs, run, theirs, PYFFISH))
    return result


def check_same_moves(boards: list[Board], pyffish: ModuleType) -> None:
    """Both list the same set of moves in every position."""
    for board in boards:
        ours = {peer_move(move.iccs()) for move in board.legal_moves}
        theirs = pyffish.legal_moves(VARIANT, board.fen(), [])
        require_equal(f"legal moves of {board.fen()}", ours, set(theirs))
        require_equal(f"number of legal moves of {board.fen()}", len(ours), len(theirs))
