"""The names that the package offers, all in one place."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

import xiangqi.squares
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
from xiangqi.squares import *  # noqa: F403
from xiangqi.version import __version__
from xiangqi.words.voice import Voice

if TYPE_CHECKING:
    from xiangqi.client import SimpleEngine, open_engine
    from xiangqi.engine import AsyncMeihua, Meihua
    from xiangqi.games import Game, GameNode, read_games
    from xiangqi.pictures import Picture, draw_ruling
    from xiangqi.referee.explanation import format_ruling, ruling_to_dict
    from xiangqi.referee.reasons import format_reason
    from xiangqi.referee.rules import ALL_DRAWS, CHECKS_ONLY
    from xiangqi.scores import (
        Cp,
        EngineError,
        EngineTerminatedError,
        InfoDict,
        Limit,
        Mate,
        PlayResult,
        PovScore,
        PovWdl,
        RuleWin,
        Wdl,
    )

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
    "AsyncMeihua",
    "Board",
    "Color",
    "Conduct",
    "Cp",
    "EngineError",
    "EngineTerminatedError",
    "FenError",
    "Game",
    "GameNode",
    "IllegalMoveError",
    "InfoDict",
    "InvalidMoveError",
    "Limit",
    "Mate",
    "Meihua",
    "MissingPieceError",
    "Move",
    "Outcome",
    "Picture",
    "Piece",
    "PieceType",
    "PlayResult",
    "PlyReport",
    "PositionError",
    "PovScore",
    "PovWdl",
    "Reason",
    "RecordError",
    "Referee",
    "RuleSet",
    "RuleSetError",
    "RuleWin",
    "Ruling",
    "Setup",
    "SimpleEngine",
    "Square",
    "Status",
    "Termination",
    "Threat",
    "Verdict",
    "Voice",
    "Wdl",
    "XiangqiError",
    "__version__",
    "draw_ruling",
    "format_fen",
    "format_reason",
    "format_ruling",
    "open_engine",
    "parse_fen",
    "parse_square",
    "read_games",
    "ruling_to_dict",
    "square",
    "square_file",
    "square_name",
    "square_rank",
]
__all__ += xiangqi.squares.__all__  # which a type checker sees in the package itself

_LATE: Final = {
    "ALL_DRAWS": "xiangqi.referee.rules",
    "CHECKS_ONLY": "xiangqi.referee.rules",
    "AsyncMeihua": "xiangqi.engine",
    "Cp": "xiangqi.scores",
    "EngineError": "xiangqi.scores",
    "EngineTerminatedError": "xiangqi.scores",
    "Game": "xiangqi.games",
    "GameNode": "xiangqi.games",
    "InfoDict": "xiangqi.scores",
    "Limit": "xiangqi.scores",
    "Mate": "xiangqi.scores",
    "Meihua": "xiangqi.engine",
    "Picture": "xiangqi.pictures",
    "PlayResult": "xiangqi.scores",
    "PovScore": "xiangqi.scores",
    "PovWdl": "xiangqi.scores",
    "RuleWin": "xiangqi.scores",
    "SimpleEngine": "xiangqi.client",
    "Wdl": "xiangqi.scores",
    "draw_ruling": "xiangqi.pictures",
    "format_reason": "xiangqi.referee.reasons",
    "format_ruling": "xiangqi.referee.explanation",
    "open_engine": "xiangqi.client",
    "read_games": "xiangqi.games",
    "ruling_to_dict": "xiangqi.referee.explanation",
}
"""Where those are that only some need, who draw, explain, ask engines, read games or rule
otherwise: imported, or read from their files, when they are asked for."""

if not TYPE_CHECKING:  # a type checker would take any name for an object of this module

    def __getattr__(name):
        if name not in _LATE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        return getattr(import_module(_LATE[name]), name)
