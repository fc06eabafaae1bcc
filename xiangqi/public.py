"""The public names of the package, each imported from its module at first use."""

from importlib import import_module
from typing import TYPE_CHECKING, Final

import xiangqi.squares
from xiangqi.installed import warn_of_neighbours

if TYPE_CHECKING:
    from xiangqi.board import Board
    from xiangqi.client import SimpleEngine, open_engine
    from xiangqi.core.move import Move
    from xiangqi.engine import AsyncMeihua, Meihua
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
    from xiangqi.games import Game, GameNode, read_games
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
    from xiangqi.referee.explanation import format_ruling, ruling_to_dict
    from xiangqi.referee.judging import Conduct, PlyReport, Reason, Referee, Ruling, Threat, Verdict
    from xiangqi.referee.outcome import Outcome, Termination
    from xiangqi.referee.reasons import format_reason
    from xiangqi.referee.rules import ALL_DRAWS, CHECKS_ONLY, RULE_SETS, WXF, RuleSet
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
    from xiangqi.squares import *  # noqa: F403
    from xiangqi.svg import Picture, draw_ruling
    from xiangqi.version import __version__
    from xiangqi.words.voice import Voice

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

_HOMES: Final = {
    "xiangqi.board": "Board",
    "xiangqi.client": "SimpleEngine open_engine",
    "xiangqi.core.move": "Move",
    "xiangqi.engine": "AsyncMeihua Meihua",
    "xiangqi.errors": (
        "AmbiguousMoveError FenError IllegalMoveError InvalidMoveError MissingPieceError "
        "PositionError RecordError RuleSetError XiangqiError"
    ),
    "xiangqi.fen": "STARTING_FEN Setup Status format_fen parse_fen",
    "xiangqi.games": "Game GameNode read_games",
    "xiangqi.svg": "Picture draw_ruling",
    "xiangqi.pieces": (
        "ADVISOR BISHOP BLACK CANNON Color KING KNIGHT PAWN Piece PieceType RED ROOK SQUARES "
        "Square parse_square square square_file square_name square_rank"
    ),
    "xiangqi.referee.explanation": "format_ruling ruling_to_dict",
    "xiangqi.referee.judging": "Conduct PlyReport Reason Referee Ruling Threat Verdict",
    "xiangqi.referee.outcome": "Outcome Termination",
    "xiangqi.referee.reasons": "format_reason",
    "xiangqi.referee.rules": "ALL_DRAWS CHECKS_ONLY RULE_SETS RuleSet WXF",
    "xiangqi.scores": (
        "Cp EngineError EngineTerminatedError InfoDict Limit Mate PlayResult PovScore PovWdl "
        "RuleWin Wdl"
    ),
    "xiangqi.version": "__version__",
    "xiangqi.words.voice": "Voice",
}
"""The public names by module, except those of :mod:`xiangqi.squares`."""

_MODULES: Final = {name: module for module, names in _HOMES.items() for name in names.split()}
_SUBMODULES: Final = ("engine", "pgn", "svg")
"""Those that python-chess has, too; they need no import of their own."""

if not TYPE_CHECKING:  # a type checker would accept any name of a module with __getattr__

    def __getattr__(name):
        if name in _SUBMODULES:
            return import_module(f"xiangqi.{name}")
        if name not in __all__:
            raise AttributeError(f"module 'xiangqi' has no attribute {name!r}", name=name)
        return getattr(import_module(_MODULES.get(name, "xiangqi.squares")), name)


warn_of_neighbours()
