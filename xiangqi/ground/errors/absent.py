"""Names of python-chess that Meihua lacks, with what to use instead.

Objects modelled on python-chess raise :func:`missing_name` for a missing attribute. The tables have
a hint for each public name of ``chess.Board``, ``Move``, ``SquareSet`` and of the modules
(version 1.11).

>>> print(missing_name("chess", "module 'xiangqi'", "WHITE"))
module 'xiangqi' has no attribute 'WHITE': RED
>>> print(missing_name("chess.Board", "'Board' object", "has_castling_rights"))
'Board' object has no attribute 'has_castling_rights': Xiangqi has no castling, en passant, \
promotion, drops, queens or variants
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final, NoReturn

__all__ = ["HintingType", "find_hint", "missing_name"]

CHESS_ONLY: Final = "Xiangqi has no castling, en passant, promotion, drops, queens or variants"

_UCI: Final = (
    "UCI engines count ranks from 0 or from 1; push_iccs, parse_iccs and iccs count from 0"
)
_CLAIM: Final = "there are no claims: outcome(rules) is the outcome under a rule set"
_ATTACKERS: Final = "can_anyone_attack(): has either side a piece that may cross the river?"
_OUTCOME: Final = "outcome(rules) is the outcome under a rule set"
_COPIES: Final = "mirror() and flip_colors(), which return copies"
_IMMUTABLE: Final = "a SquareSet is immutable: use the operators | & - ^, which return new sets"
_CLIENT: Final = "xiangqi.client drives engines: await xiangqi.open_engine(command)"
_PIECES: Final = "it is in xiangqi.pieces"
_SCORES: Final = "it is in xiangqi.board.scores"
_TIME_CONTROL: Final = "game.headers['TimeControl'], a text"
_NODE: Final = "game.root has the methods of a node"
_VISITORS: Final = "GameVisitor of xiangqi.games.pgn, for game.accept(visitor)"
_DRAWING: Final = "drawings have a style of their own; board(size=, lettering=) changes it"


def _each(names: str, hint: str) -> dict[str, str]:
    return dict.fromkeys(names.split(), hint)


_HINTS: Final[Mapping[str, Mapping[str, str]]] = {
    "chess.Board": {
        **_each("push_uci parse_uci uci push_xboard parse_xboard xboard", _UCI),
        **_each("can_claim_draw can_claim_threefold_repetition can_claim_fifty_moves", _CLAIM),
        **_each("is_fifty_moves is_seventyfive_moves", _OUTCOME),
        **_each("is_insufficient_material has_insufficient_material", _ATTACKERS),
        **_each("apply_mirror apply_transform transform", _COPIES),
        "lan": "san writes short algebraic notation, iccs coordinates",
        "san_and_push": "san(move), then push(move)",
        "is_fivefold_repetition": "is_repetition(5)",
        "is_zeroing": "is_capture(move): only captures reset the halfmove clock",
        "is_irreversible": "is_capture(move), or a soldier's step forward",
        "was_into_check": "a move that leaves its own general in check cannot be played",
        "pin": "several lines may pin one piece: is_pinned",
        "occupied": "piece_map() or pieces(piece_type, color)",
        "reset_board": "reset(), which also resets the side to move and the counters",
        "starting_fen": "xiangqi.STARTING_FEN",
    },
    "chess.Move": {
        "xboard": "iccs()",
        "null": "no side may pass: there is no null move",
    },
    "chess.SquareSet": {
        **_each("add remove discard clear pop update", _IMMUTABLE),
        **_each("intersection_update difference_update symmetric_difference_update", _IMMUTABLE),
        "carry_rippler": "itertools.combinations(squares, count) for each count",
    },
    "chess": {
        "WHITE": "RED",
        "PIECE_SYMBOLS": "PIECE_LETTERS of xiangqi.pieces",
        **_each("COLOR_NAMES FILE_NAMES RANK_NAMES SQUARE_NAMES", _PIECES),
        "piece_symbol": "Piece(piece_type, color).symbol()",
        "UNICODE_PIECE_SYMBOLS": "Piece.chinese(), or Piece.unicode_symbol(), which few fonts have",
        "STARTING_BOARD_FEN": "STARTING_FEN.split()[0]",
        "SQUARES_180": "map(square_flip, SQUARES), with square_flip of xiangqi.pieces",
        "square_mirror": (
            "square_flip of xiangqi.pieces exchanges the sides of the board, square_mirror there "
            "left and right"
        ),
        "square_manhattan_distance": "the distances of square_file and of square_rank, added",
        "square_knight_distance": "a horse can be blocked: board.attacks(square)",
        **_each("BaseBoard BaseBoardT BoardT", "Board"),
        **_each("LegalMoveGenerator PseudoLegalMoveGenerator", "board.legal_moves"),
        **_each("between ray", "SquareSet.between and SquareSet.ray"),
        **_each("polyglot", "xiangqi.books"),
        **_each("syzygy gaviota", "xiangqi.tables"),
    },
    "chess.engine": {
        **{
            name: f"it is xiangqi.{name}"
            for name in (
                "Cp EngineError EngineTerminatedError InfoDict Limit Mate PlayResult PovScore "
                "PovWdl SimpleEngine Wdl open_engine"
            ).split()
        },
        **_each("Score MateGiven MateGivenType", "xiangqi.Cp and xiangqi.Mate"),
        **_each("AnalysisComplete AnalysisResult Info Option", _SCORES),
        **_each("INFO_ALL INFO_BASIC INFO_NONE INFO_PV INFO_SCORE", _SCORES),
        **_each("INFO_CURRLINE INFO_REFUTATION", "engines of Xiangqi do not send this"),
        "BestMove": "what wait() of an analysis returns",
        "SimpleAnalysisResult": "what analysis() of xiangqi.SimpleEngine returns",
        **_each("popen_uci popen_xboard", "await xiangqi.open_engine(command)"),
        **_each("UciProtocol XBoardProtocol Protocol ProtocolT", _CLIENT),
        **_each("BaseCommand CommandState MockTransport UciOptionMap", _CLIENT),
        "MANAGED_OPTIONS": "configure() refuses the options that the client sets itself",
        "Opponent": "engines are not told their opponent",
        "run_in_background": "asyncio.run, or xiangqi.SimpleEngine, which has its own event loop",
        "override": "typing.override",
    },
    "chess.pgn": {
        "ChildNode": "GameNode",
        "FileExporter": "print(game, file=file)",
        **_each("StringExporter StringExporterMixin", "str(game)"),
        **_each("Headers HeadersBuilder HeadersT TAG_ROSTER", "game.headers, a dict"),
        "read_game": "iterate over read_games(file)",
        "skip_game": "iterate over read_games(file)",
        "read_headers": "game.headers of each game of read_games(file)",
        **_each("BaseVisitor SKIP SkipType SkipVisitor ResultT", _VISITORS),
        **_each("GameBuilder BoardBuilder", "game.nodes() and game.mainline()"),
        **_each("Mainline MainlineMapT", "game.mainline() and game.mainline_moves()"),
        "GameT": "Game",
        **_each("TimeControl TimeControlPart TimeControlType parse_time_control", _TIME_CONTROL),
    },
    "chess.svg": {
        "piece": "board(position) draws pieces on a board only",
        "SvgWrapper": "Picture",
        **_each("PIECES XX CHECK_GRADIENT DEFAULT_COLORS COORDS SQUARE_SIZE MARGIN", _DRAWING),
    },
    "chess.pgn.Game": {
        **_each("eval set_eval eval_depth clock set_clock emt set_emt arrows set_arrows", _NODE),
        **_each("ply starts_variation is_main_variation is_mainline is_end", _NODE),
        **_each("game turn", "game.root.board().turn is the side that begins"),
        "accept_subgame": _VISITORS,
        "setup": "Game(fen)",
        "builder": _VISITORS,
        "time_control": _TIME_CONTROL,
        "without_tag_roster": "Game()",
    },
    "chess.pgn.GameNode": {
        **_each("accept accept_subgame", f"of the whole game: {_VISITORS}"),
        "game": "node.root(): a node has no reference to its game",
        "turn": "node.board().turn",
        "san": "node.write('san')",
        "uci": "node.write('iccs')",
        "eval_depth": "the comment's text has it: [%eval 0.35,18]",
    },
}
"""Hints for names by their owner in python-chess."""

_FAMILIES: Final = (
    (
        "castl|chess960|shredder|passant|(^|_)ep(_|$)|promot|(^|_)drop|queen|variant"
        "|tb[wz]_|^aliases$|^captures_compulsory$|^one_king$|^connected_kings$",
        CHESS_ONLY,
    ),
    (
        "^BB_|_mask$|^(lsb|msb|popcount|scan_|shift_|flip_)",
        "a SquareSet replaces a bitboard: int(squares), SquareSet(bitboard)",
    ),
    ("^STATUS_", "the flags of xiangqi.Status, such as Status.NO_RED_KING"),
    ("^NAG_", "node.nags has the numbers of PGN's table: 1 for '!', 2 for '?', 4 for '??'"),
    ("^[FT]$", "a type variable of python-chess"),
)
"""Patterns of names with a hint in common, in every owner."""


def find_hint(owner: str, name: str) -> str | None:
    """Find what to use instead of a name of python-chess; None if the name is unknown.

    ``owner`` is its class or module, such as ``chess.Board``.
    """
    return next(_hints(owner, name), None)


def _hints(owner: str, name: str) -> Iterator[str]:
    if name in _HINTS[owner]:
        yield _HINTS[owner][name]
    for pattern, hint in _FAMILIES:
        if re.search(pattern, name, re.IGNORECASE if hint is CHESS_ONLY else 0):
            yield hint


def missing_name(owner: str, shown: str, name: str, obj: object = None) -> AttributeError:
    """Make the error for a missing attribute, with the hint for a name of python-chess.

    ``owner`` is as for :func:`find_hint`, ``shown`` what lacks the name, and ``obj`` that object.
    """
    hint = find_hint(owner, name)
    message = f"{shown} has no attribute {name!r}{f': {hint}' if hint else ''}"
    return AttributeError(message, name=name, obj=obj)


class HintingType(type):
    """Class whose errors for missing attributes have the hints of its ``_COUNTERPART``."""

    _COUNTERPART: str
    """Owner of the names in python-chess."""

    if not TYPE_CHECKING:  # a type checker would accept any attribute

        def __getattr__(cls, name: str) -> NoReturn:
            raise missing_name(cls._COUNTERPART, f"type object {cls.__name__!r}", name, cls)
