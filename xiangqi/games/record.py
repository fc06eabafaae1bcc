"""Game records: results, and a starting position with moves as text, unchecked."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from xiangqi.board import Board
from xiangqi.contract.errors import FieldError
from xiangqi.core.move import Move
from xiangqi.ground.errors import Fact, IllegalMoveError, InvalidMoveError, RecordError
from xiangqi.ground.lines import decode_escaped
from xiangqi.pieces.fen import STARTING_FEN

__all__ = [
    "POINTS",
    "RESULTS",
    "GameRecord",
    "Result",
    "parse_json_line",
    "parse_json_object",
    "parse_position",
    "play_moves",
    "record_of",
]

Result: TypeAlias = Literal["1-0", "0-1", "1/2-1/2", "*"]
"""Result of a game as in PGN; ``*`` is an unfinished game."""

POINTS: Final[Mapping[str, float]] = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
"""Points that Red scores by each result of a finished game."""
RESULTS: Final = frozenset((*POINTS, "*"))


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A starting position and moves in coordinates, as unchecked text."""

    fen: str = STARTING_FEN
    moves: tuple[str, ...] = ()

    def play(self) -> Board:
        """Return the board after all moves.

        Raises FenError or PositionError for the starting position, RecordError for an unreadable or
        illegal move, with the move and the reason.
        """
        board = Board(self.fen)
        play_moves(board, self.moves)
        return board


def play_moves(board: Board, moves: Iterable[str | Move]) -> None:
    """Play moves on a board; text is read as coordinates.

    Raises RecordError, with its ply, for the first unreadable or illegal move, which leaves the
    board before it.
    """
    for move in moves:
        try:
            if isinstance(move, Move):
                board.push(move)
            else:
                board.push_iccs(move)
        except InvalidMoveError as error:
            why = Fact("expected", what=error.expected)
            raise RecordError(board.ply(), str(move), why) from error
        except IllegalMoveError as error:
            raise RecordError(board.ply(), str(move), error.why) from error


def parse_position(text: str) -> GameRecord:
    """Read a UCCI or UCI position: ``position fen F moves ...``, ``position startpos ...``.

    The word ``position`` may be missing, as in UCI-Cyclone.

    >>> parse_position("position startpos moves h2e2 h9g7").moves
    ('h2e2', 'h9g7')

    Raises RecordError.
    """
    words = text.split()
    if words[:1] == ["position"]:
        words = words[1:]
    place = words.index("moves") if "moves" in words else len(words)
    position, moves = words[:place], tuple(words[place + 1 :])
    if position == ["startpos"]:
        return GameRecord(moves=moves)
    if position[:1] == ["fen"] and len(position) > 1:
        return GameRecord(" ".join(position[1:]), moves)
    raise RecordError(None, text, Fact("record.position"))


def parse_json_line(line: bytes) -> dict[str, Any]:
    """Parse a line of UTF-8 that is a JSON object. Raises RecordError."""
    try:
        return parse_json_object(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        why = Fact("record.utf8", error=error.reason)
        raise RecordError(None, decode_escaped(line), why) from error


def parse_json_object(text: str, first_line: int | None = None) -> dict[str, Any]:
    """Parse a text that is a JSON object. Raises RecordError.

    ``first_line`` is the number of its first line in a file; with it, the error gives the line and
    the column, and quotes that line.
    """
    try:
        data = json.loads(text)
    except RecursionError:
        raise RecordError(None, text, Fact("record.json_depth")) from None
    except json.JSONDecodeError as error:
        if first_line is None:
            raise RecordError(None, text, Fact("record.json", error=str(error))) from error
        line = text.split("\n")[error.lineno - 1]
        place = {"line": first_line + error.lineno - 1, "column": error.colno}
        why = Fact("record.json_at", **place, error=error.msg)
        raise RecordError(None, line.strip() or text, why) from error
    except ValueError as error:  # a number with thousands of digits
        raise RecordError(None, text, Fact("record.json", error=str(error))) from error
    if not isinstance(data, dict):
        raise RecordError(None, text, Fact("record.object"))
    return data


def record_of(data: Mapping[str, Any]) -> GameRecord:
    """Make a game record of a JSON object with the keys ``fen`` (text) and ``moves`` (texts).

    The defaults are the starting position of Xiangqi and no moves; other keys are ignored. Raises
    FieldError.
    """
    fen = data.get("fen", STARTING_FEN)
    if not isinstance(fen, str):
        raise FieldError("fen", fen, Fact("a_text"))
    moves = data.get("moves", [])
    if not isinstance(moves, list):
        raise FieldError("moves", moves, Fact("or", one=Fact("a_text"), other=Fact("texts")))
    for ply, move in enumerate(moves):
        if not isinstance(move, str):
            raise FieldError(f"moves[{ply}]", move, Fact("a_text"))
    return GameRecord(fen, tuple(moves))
