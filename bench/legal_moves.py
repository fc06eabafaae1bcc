"""Listing legal moves as Python objects, in positions from all stages of random games."""

from __future__ import annotations

from typing import Any, Final

from bench.games import random_positions
from bench.measure import Result, Row, Run, Scale, compare, repeated, require_equal
from bench.peers import CCHESS, MISSING, PYFFISH, VARIANT, fixed_cost_note, load_module, peer_move
from xiangqi import Board, Move
from xiangqi.pieces import square

POSITIONS: Final = 48
ROUNDS: Final = 30
CCHESS_ROUNDS: Final = 1  # it is slow


def measure(runs: int) -> Result:
    """Measure positions per second, with an existing board and with reading the FEN each time."""
    result = Result(f"Listing the legal moves of {POSITIONS} positions in Python")
    boards = random_positions(POSITIONS)
    result.rows.extend(_beside_pyffish(runs, boards, result.notes))
    result.rows.extend(_beside_cchess(runs, boards, result.notes))
    return result


def _scale(rounds: int) -> Scale:
    return Scale("positions/s", POSITIONS * rounds)


def _beside_pyffish(runs: int, boards: list[Board], notes: list[str]) -> list[Row]:
    """Compare with pyffish, which reads the FEN at each call and returns moves as text, so that
    only the last row compares the same work."""
    fens = [board.fen() for board in boards]
    pyffish = load_module(PYFFISH)
    theirs: Run | None = None
    if pyffish is None:
        notes.append(f"{PYFFISH}: {MISSING[PYFFISH]}")
    else:
        for board in boards:
            _require_same_moves(board, pyffish.legal_moves(VARIANT, board.fen(), []))
        notes.append(fixed_cost_note(pyffish))
        theirs = repeated(ROUNDS, lambda fen: pyffish.legal_moves(VARIANT, fen, []), fens)
    ours: dict[str, Run] = {
        "board at hand": repeated(ROUNDS, lambda board: list(board.legal_moves), boards),
        "from FEN": repeated(ROUNDS, lambda fen: list(Board(fen).legal_moves), fens),
        "from FEN, as text": repeated(
            ROUNDS, lambda fen: [move.iccs() for move in Board(fen).legal_moves], fens
        ),
    }
    return [compare(what, _scale(ROUNDS), runs, run, theirs, PYFFISH) for what, run in ours.items()]


def _beside_cchess(runs: int, boards: list[Board], notes: list[str]) -> list[Row]:
    """Compare with cchess, in pure Python: it generates pseudo-legal moves and tests each."""
    cchess = load_module(CCHESS)
    if cchess is None:
        notes.append(f"{CCHESS}: {MISSING[CCHESS]}")
        return []
    peers = [cchess.ChessBoard(board.fen()) for board in boards]
    for board, peer in zip(boards, peers, strict=True):
        _require_same_moves(board, [_format_cchess_move(*move) for move in _cchess_moves(peer)])
    ours = repeated(ROUNDS, lambda board: list(board.legal_moves), boards)
    theirs = repeated(CCHESS_ROUNDS, _cchess_moves, peers)
    what = "board at hand, against a library in Python"
    return [
        compare(what, _scale(ROUNDS), runs, ours, theirs, CCHESS, their_scale=_scale(CCHESS_ROUNDS))
    ]


def _cchess_moves(board: Any) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    return [move for move in board.create_moves() if not board.is_checked_move(*move)]


def _format_cchess_move(origin: tuple[int, int], target: tuple[int, int]) -> str:
    return peer_move(Move(square(*origin), square(*target)))


def _require_same_moves(board: Board, theirs: list[str]) -> None:
    """Raise WrongResultError if the lists of moves differ."""
    ours = {peer_move(move) for move in board.legal_moves}
    require_equal(f"legal moves of {board.fen()}", ours, set(theirs))
    require_equal(f"number of legal moves of {board.fen()}", len(ours), len(theirs))
