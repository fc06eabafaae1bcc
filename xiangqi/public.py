"""The public names of the package, each imported from its module at first use."""

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

import xiangqi.pieces.squares
from xiangqi.ground.errors.absent import missing_name
from xiangqi.ground.installed import lazy_names, warn_about_conflict

if TYPE_CHECKING:
    from xiangqi.board import Board
    from xiangqi.board.scores import (
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
    from xiangqi.client import SimpleEngine, open_engine
    from xiangqi.contract.rulings import ruling_to_dict
    from xiangqi.core.move import Move
    from xiangqi.engine import AsyncMeihua, Meihua
    from xiangqi.games import Game, GameNode, read_games
    from xiangqi.ground.errors import (
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
    from xiangqi.ground.installed import __version__
    from xiangqi.pieces import (
        ADVISOR,
        BISHOP,
        BLACK,
        CANNON,
        COLORS,
        KING,
        KNIGHT,
        PAWN,
        PIECE_NAMES,
        PIECE_TYPES,
        RED,
        ROOK,
        SQUARES,
        Color,
        Piece,
        PieceType,
        Square,
        parse_square,
        piece_name,
        square,
        square_distance,
        square_file,
        square_name,
        square_rank,
    )
    from xiangqi.pieces.fen import STARTING_FEN, Setup, Status, format_fen, parse_fen
    from xiangqi.pieces.squares import *  # noqa: F403
    from xiangqi.referee.explanation import Explanation, explain, format_reason, format_ruling
    from xiangqi.referee.judging import Conduct, PlyReport, Reason, Referee, Ruling, Threat, Verdict
    from xiangqi.referee.outcome import Outcome, Termination
    from xiangqi.referee.rules import (
        ALL_DRAWS,
        CHECKS_ONLY,
        RULE_SETS,
        WXF,
        RuleSet,
    )
    from xiangqi.svg import Picture, draw_ruling
    from xiangqi.words.voice import Voice

__all__ = [
    "ADVISOR",
    "ALL_DRAWS",
    "BISHOP",
    "BLACK",
    "CANNON",
    "CHECKS_ONLY",
    "COLORS",
    "KING",
    "KNIGHT",
    "PAWN",
    "PIECE_NAMES",
    "PIECE_TYPES",
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
    "Explanation",
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
    "explain",
    "format_fen",
    "format_reason",
    "format_ruling",
    "open_engine",
    "parse_fen",
    "parse_square",
    "piece_name",
    "read_games",
    "ruling_to_dict",
    "square",
    "square_distance",
    "square_file",
    "square_name",
    "square_rank",
]
__all__ += xiangqi.pieces.squares.__all__  # type checkers see them in xiangqi/__init__.py

if not TYPE_CHECKING:  # with it, type checkers would accept any name
    _find = lazy_names(
        "xiangqi",
        {
            "board": "Board",
            "client": "SimpleEngine open_engine",
            "core.move": "Move",
            "engine": "AsyncMeihua Meihua",
            "ground.errors": (
                "AmbiguousMoveError FenError IllegalMoveError InvalidMoveError "
                "MissingPieceError PositionError RecordError RuleSetError XiangqiError"
            ),
            "pieces.fen": "STARTING_FEN Setup Status format_fen parse_fen",
            "games": "Game GameNode read_games",
            "svg": "Picture draw_ruling",
            "pieces": (
                "ADVISOR BISHOP BLACK CANNON COLORS Color KING KNIGHT PAWN PIECE_NAMES PIECE_TYPES "
                "Piece PieceType RED ROOK SQUARES Square parse_square piece_name square "
                "square_distance square_file square_name square_rank"
            ),
            "contract.rulings": "ruling_to_dict",
            "referee.explanation": "Explanation explain format_reason format_ruling",
            "referee.judging": "Conduct PlyReport Reason Referee Ruling Threat Verdict",
            "referee.outcome": "Outcome Termination",
            "referee.rule_parts": "CaptureChase GainChase Rounds",
            "referee.rules": ("ALL_DRAWS CHECKS_ONLY RULE_SETS WXF RuleSet"),
            "board.scores": (
                "Cp EngineError EngineTerminatedError InfoDict Limit Mate PlayResult PovScore "
                "PovWdl RuleWin Wdl"
            ),
            "ground.installed": "__version__",
            "words.voice": "Voice",
            "pieces.squares": " ".join(xiangqi.pieces.squares.__all__),
        },
        partial(missing_name, "chess"),
    )

    def __getattr__(name):
        if name in ("engine", "pgn", "svg"):  # as in python-chess, available without an import
            return import_module(f"xiangqi.{name}")
        return _find(name)


warn_about_conflict()
