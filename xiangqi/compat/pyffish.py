"""Drop-in interface of pyffish for the variant ``xiangqi``.

A program that uses pyffish only for Xiangqi changes one line::

    from xiangqi.compat import pyffish

Moves are coordinates with ranks counted from 1 (``h3e3``); values are for the side to move. Three
differences are deliberate: repetitions are judged by Meihua's WXF rules, invalid input raises an
error that quotes it (pyffish returns a value or crashes), and :func:`game_result` raises an error
while the game goes on.

>>> get_fen("xiangqi", start_fen("xiangqi"), ["h3e3"])
'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1'
>>> get_san("xiangqi", start_fen("xiangqi"), "h3e3")
'Che3'
>>> perpetual_check = ["f1e1", "e9f9", "e1f1", "f9e9"] * 2
>>> is_optional_game_end("xiangqi", "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w", perpetual_check)
(True, -32000)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.ground.errors import (
    Fact,
    IllegalMoveError,
    InvalidMoveError,
    InvalidTextError,
    RecordError,
)
from xiangqi.notation import format_coordinates, format_san, format_wxf, parse_coordinates
from xiangqi.pieces.fen import STARTING_FEN
from xiangqi.referee.outcome import Outcome, Termination

__all__ = [
    "NOTATION_DEFAULT",
    "NOTATION_SAN",
    "NOTATION_XIANGQI_WXF",
    "VALUE_DRAW",
    "VALUE_MATE",
    "game_result",
    "get_fen",
    "get_san",
    "gives_check",
    "is_optional_game_end",
    "legal_moves",
    "start_fen",
]

VALUE_DRAW: Final = 0
VALUE_MATE: Final = 32_000
NOTATION_DEFAULT: Final = 0
NOTATION_SAN: Final = 1
NOTATION_XIANGQI_WXF: Final = 7

_VARIANT: Final = "xiangqi"
_RANK_BASE: Final = 1
_NO_MOVES: Final = (Termination.CHECKMATE, Termination.STALEMATE)


def start_fen(variant: str) -> str:
    """FEN of the starting position; InvalidTextError for another variant."""
    _require_variant(variant)
    return STARTING_FEN


def legal_moves(
    variant: str, fen: str, movelist: Sequence[str], chess960: bool = False
) -> list[str]:
    """Legal moves after ``movelist``, in another order than pyffish's.

    Like all functions here it ignores ``chess960``, and raises InvalidTextError for another
    variant, FenError or PositionError for ``fen``, and RecordError for the first invalid move.
    """
    board = _play(variant, fen, movelist)
    return [format_coordinates(move, _RANK_BASE) for move in board.list_moves()]


def get_fen(variant: str, fen: str, movelist: Sequence[str], chess960: bool = False) -> str:
    """FEN of the position after the moves."""
    return _play(variant, fen, movelist).fen()


def get_san(
    variant: str, fen: str, move: str, chess960: bool = False, notation: int = NOTATION_DEFAULT
) -> str:
    """A legal move in algebraic notation, or in WXF notation as pyffish writes it (``C2=5``).

    Raises InvalidTextError for another notation, RecordError for an illegal move.
    """
    board = _play(variant, fen, ())
    parsed = _parse_legal(board, move)
    if notation == NOTATION_XIANGQI_WXF:
        return format_wxf(board, parsed, "fairy")
    if notation not in (NOTATION_DEFAULT, NOTATION_SAN):
        raise InvalidTextError(str(notation), Fact("pyffish.notation"))
    return format_san(board, parsed, _RANK_BASE)


def gives_check(variant: str, fen: str, movelist: Sequence[str], chess960: bool = False) -> bool:
    """Is the side to move in check after the moves?"""
    return _play(variant, fen, movelist).is_check()


def is_optional_game_end(
    variant: str, fen: str, movelist: Sequence[str], chess960: bool = False
) -> tuple[bool, int]:
    """Whether a repetition or a move limit ends the game, and its value for the side to move.

    The value is 0 if the game goes on, or has ended by mate or stalemate.
    """
    board = _play(variant, fen, movelist)
    outcome = board.outcome()
    if outcome is None or outcome.termination in _NO_MOVES:
        return False, VALUE_DRAW
    return True, _value(board, outcome)


def game_result(variant: str, fen: str, movelist: Sequence[str], chess960: bool = False) -> int:
    """Value of a finished game for the side to move: by mate, stalemate, repetition or a limit.

    Raises RecordError if the game goes on.
    """
    board = _play(variant, fen, movelist)
    outcome = board.outcome()
    if outcome is None:
        raise RecordError(None, board.fen(), Fact("record.ended"))
    return _value(board, outcome)


def _require_variant(variant: str) -> None:
    if variant != _VARIANT:
        raise InvalidTextError(variant, Fact("pyffish.variant", name=_VARIANT))


def _play(variant: str, fen: str, movelist: Sequence[str]) -> Board:
    _require_variant(variant)
    board = Board(fen)
    for text in movelist:
        board.push(_parse_legal(board, text))
    return board


def _parse_legal(board: Board, text: str) -> Move:
    """Parse a legal move; errors quote the text, with its place in the list."""
    try:
        move = parse_coordinates(text, _RANK_BASE)
        board.require_legal(move)
    except InvalidMoveError as error:
        raise RecordError(board.ply(), text, Fact("expected", what=error.expected)) from error
    except IllegalMoveError as error:
        raise RecordError(board.ply(), text, error.why) from error
    return move


def _value(board: Board, outcome: Outcome) -> int:
    if outcome.winner is None:
        return VALUE_DRAW
    return VALUE_MATE if outcome.winner == board.turn else -VALUE_MATE
