"""The names that the package offers, all in one place."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.errors import (
    AmbiguousMoveError,
    FenError,
    IllegalMoveError,
    InvalidMoveError,
    MissingPieceError,
    PositionError,
    RecordError,
    RuleSetError,
    XiangqiError,
)
from xiangqi.fen import STARTING_FEN, Setup, Status, format_fen, parse_fen
from xiangqi.pieces import (
    ADVISOR,
    BISHOP,
    BLACK,
    CANNON,
    KING,
    KNIGHT,
    PAWN,
    RED,
    ROOK,
    SQUARES,
    Color,
    Piece,
    PieceType,
    Square,
    parse_square,
    square,
    square_file,
    square_name,
    square_rank,
)
from xiangqi.referee.judging import Conduct, PlyReport, Reason, Referee, Ruling, Threat, Verdict
from xiangqi.referee.outcome import Outcome, Termination
from xiangqi.referee.rules import RULE_SETS, WXF, RuleSet
from xiangqi.version import __version__
from xiangqi.words.voice import Voice

if TYPE_CHECKING:
    from xiangqi.pictures import Picture, draw_ruling
    from xiangqi.referee.explanation import format_ruling, ruling_to_dict
    from xiangqi.referee.reasons import format_reason
    from xiangqi.referee.rules import ALL_DRAWS, CHECKS_ONLY

__all__ = [
    "ADVISOR",
    "ALL_DRAWS",
    "BISHOP",
    "BLACK",
    "CANNON",
    "CHECKS_ONLY",
    "KING",
    "KNIGHT",
    "PAWN",
    "RED",
    "ROOK",
    "RULE_SETS",
    "SQUARES",
    "STARTING_FEN",
    "WXF",
    "AmbiguousMoveError",
    "Board",
    "Color",
    "Conduct",
    "FenError",
    "IllegalMoveError",
    "InvalidMoveError",
    "MissingPieceError",
    "Move",
    "Outcome",
    "Picture",
    "Piece",
    "PieceType",
    "PlyReport",
    "PositionError",
    "Reason",
    "RecordError",
    "Referee",
    "RuleSet",
    "RuleSetError",
    "Ruling",
    "Setup",
    "Square",
    "Status",
    "Termination",
    "Threat",
    "Verdict",
    "Voice",
    "XiangqiError",
    "__version__",
    "draw_ruling",
    "format_fen",
    "format_reason",
    "format_ruling",
    "parse_fen",
    "parse_square",
    "ruling_to_dict",
    "square",
    "square_file",
    "square_name",
    "square_rank",
]

_LATE: Final = {
    "ALL_DRAWS": "xiangqi.referee.rules",
    "CHECKS_ONLY": "xiangqi.referee.rules",
    "Picture": "xiangqi.pictures",
    "draw_ruling": "xiangqi.pictures",
    "format_reason": "xiangqi.referee.reasons",
    "format_ruling": "xiangqi.referee.explanation",
    "ruling_to_dict": "xiangqi.referee.explanation",
}
"""Where those are that only some need, who draw, explain or rule otherwise: imported, or read from
their files, when they are asked for."""

if not TYPE_CHECKING:  # a type checker would take any name for an object of this module

    def __getattr__(name):
        if name not in _LATE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        return getattr(import_module(_LATE[name]), name)
