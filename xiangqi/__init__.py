"""Meihua: a Xiangqi (Chinese chess) board, engine and referee.

>>> import xiangqi
>>> board = xiangqi.Board()
>>> board.push_iccs("h2e2")
Move.from_iccs('h2e2')
"""

from xiangqi.board import Board, Outcome, Termination
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
from xiangqi.referee import Conduct, PlyReport, Reason, Referee, Ruling, Threat, Verdict
from xiangqi.rules import ALL_DRAWS, CHECKS_ONLY, RULE_SETS, WXF, RuleSet
from xiangqi.version import __version__

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
    "XiangqiError",
    "__version__",
    "format_fen",
    "parse_fen",
    "parse_square",
    "square",
    "square_file",
    "square_name",
    "square_rank",
]
