"""The game of a request in JSON, read alike by ``judge --jsonl``, the HTTP service and npm."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from xiangqi.board import Board
from xiangqi.contract.errors import FieldError
from xiangqi.games.record import parse_position, record_of
from xiangqi.ground.errors import Fact, RecordError, XiangqiError
from xiangqi.pieces.fen import STARTING_FEN

__all__ = ["GAME_KEYS", "check_keys", "play_request"]

GAME_KEYS: Final = ("fen", "moves", "position")
"""Keys that describe a game."""


def check_keys(data: Mapping[str, Any], known: Collection[str]) -> None:
    """Raise FieldError for the first key that is not known."""
    for key, value in data.items():
        if key not in known:
            raise FieldError(key, value, Fact("one_of", choices=tuple(sorted(known))))


def play_request(data: Mapping[str, Any]) -> Board:
    """Play the game of a request and return the board after it.

    The game is given by ``position``, a command of UCI or UCCI, or by ``fen`` and ``moves``: a list
    or one text, in any notation, with ranks from 0 or from 1. Other keys are ignored.

    >>> play_request({"position": "position startpos moves h2e2"}) == play_request(
    ...     {"moves": ["炮二平五"]}
    ... )
    True

    Raises FenError or PositionError for the starting position, FieldError for a value of a wrong
    kind, RecordError for all else.
    """
    # a command that rules on a case needs no readers of records
    from xiangqi.games.formats.builder import choose_parser, explain_move_error
    from xiangqi.games.pasting import read_moves

    moves = data.get("moves")
    if "position" in data:
        text = data["position"]
        if not isinstance(text, str) or "fen" in data or "moves" in data:
            raise FieldError("position", text, Fact("record.position_alone"))
        record = parse_position(text)
    elif isinstance(moves, str):
        return read_moves(moves, record_of({"fen": data.get("fen", STARTING_FEN)}).fen).play()
    else:
        record = record_of(data)
    board = Board(record.fen)
    parse = choose_parser(board, record.moves)
    for move in record.moves:
        try:
            board.push(parse(board, move))
        except XiangqiError as error:
            raise RecordError(board.ply(), move, explain_move_error(error)) from error
    return board
