"""Protocol dialects of engines: formatting commands, parsing answers.

A dialect converts search requests to lines, and lines to answers and info; it does no input or
output. Units are those of python-chess: seconds, and scores as ``Cp`` or ``Mate``
(:mod:`xiangqi.board.scores`). ``Cp`` holds the engine's own number: hundredths of a pawn in UCI,
while about 100 is a knight or a cannon in UCCI. Mates are ``Mate`` in every dialect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from chess.engine import ConfigValue

from xiangqi.board import Board
from xiangqi.board.scores import Cp, EngineError, Limit
from xiangqi.client.info import Identity, RawInfo, format_value, read_info, read_mate, read_option
from xiangqi.core.move import Move
from xiangqi.ground.errors import Fact, InvalidMoveError
from xiangqi.notation import RankBase, format_coordinates, parse_coordinates
from xiangqi.pieces import RED
from xiangqi.pieces.fen import STARTING_FEN

__all__ = ["Dialect", "EngineAnswer", "SearchRequest", "Ucci", "Uci"]

KNOW_MOVETIME: Final = ("Meihua", "Fairy-Stockfish")
"""Prefixes of the names of engines that understand ``movetime`` in UCCI, too."""
COUNT_MILLISECONDS: Final = ("Fairy-Stockfish",)
"""Engines that count milliseconds in UCCI without declaring ``usemillisec``."""
MATED: Final[Mapping[str, tuple[int, int]]] = {"ElephantEye": (10_000, 100)}
"""Values for engines that differ from :data:`DEFAULT_MATED`."""
DEFAULT_MATED: Final = (30_000, 500)
"""Negated score of being mated, and maximum plies to mate, in UCCI, which has no mate scores."""
_NO_MOVE: Final = frozenset({"(none)", "none", "null", "0000", "a0a0"})


@dataclass(frozen=True)
class SearchRequest:
    """Request for a search."""

    board: Board
    limit: Limit
    infinite: bool = False
    ponder: bool = False
    draw_offered: bool = False
    forbidden: Sequence[Move] = ()
    """Legal moves that must not be played; never all of them."""


@dataclass(frozen=True)
class EngineAnswer:
    """Answer to a search, with moves as text, or None for no move."""

    move: str | None = None
    ponder: str | None = None
    draw_offered: bool = False
    resigned: bool = False


class Dialect:
    """A text protocol: a method for each command and each kind of answer."""

    NAME: ClassVar[str]
    HELLO: ClassVar[Sequence[str]]
    """Lines that begin the handshake."""
    ANSWER: ClassVar[str] = "bestmove"
    """First word of the answer to a search."""
    STOP: ClassVar[str] = "stop"
    QUIT: ClassVar[str] = "quit"
    MANAGED: ClassVar[frozenset[str]] = frozenset({"ponder", "multipv", "uci_variant"})
    """Options, in lower case, that only the client sets."""
    CAN_BAN = True
    """Can single moves be forbidden?"""
    CAN_PONDER = True
    ANSWERS_MATE = True
    """Do engines answer if there is no legal move?"""

    def read_greeting(self, line: str, identity: Identity) -> bool:
        """Parse a line of the handshake; is it the last one?"""
        words = line.split()
        if words[:1] == ["id"] and len(words) > 1:
            identity.id[words[1]] = " ".join(words[2:])
        elif words[:1] == ["option"]:
            option = read_option(words[1:])
            if option is not None:
                identity.options[option.name] = option
        return words == [self.last_greeting()]

    def last_greeting(self) -> str:
        """Last line of the handshake."""
        return f"{self.NAME}ok"

    def opening_lines(self, identity: Identity) -> list[str]:
        """Lines to send once after the handshake."""
        return []

    def ping(self, number: int) -> str:
        """Line that the engine answers once it has executed all earlier commands."""
        return "isready"

    def pong(self, number: int) -> str:
        """The answer to :meth:`ping`."""
        return "readyok"

    def is_pong(self, line: str) -> bool:
        """Is this the answer to a :meth:`ping`?"""
        return line.strip() == "readyok"

    def new_game_lines(self, identity: Identity) -> list[str]:
        """Lines that announce a new game."""
        raise NotImplementedError

    def option_line(self, name: str, value: ConfigValue) -> str:
        """Line that sets an option, or presses a button."""
        raise NotImplementedError

    def search_lines(self, search: SearchRequest) -> list[str]:
        """Lines that set up the position and start the search.

        Raises EngineError for limits that the dialect cannot express.
        """
        raise NotImplementedError

    def ponderhit(self, *, draw_offered: bool) -> str:
        """Line that reports a ponder hit."""
        return "ponderhit"

    def read_answer(self, line: str) -> EngineAnswer | None:
        """Parse the answer to a search; None for any other line."""
        words = line.split()
        if not words:
            return None
        if words[0] == "nobestmove":
            return EngineAnswer()
        if words[0] != "bestmove":
            return None
        move = words[1] if len(words) > 1 else None
        if move == "resign":
            return EngineAnswer(resigned=True)
        if move is None or move.lower() in _NO_MOVE:
            return EngineAnswer()
        rest = words[2:]
        ponder = rest[1] if rest[:1] == ["ponder"] and len(rest) > 1 else None
        if ponder is not None and ponder.lower() in _NO_MOVE:
            ponder = None
        return EngineAnswer(move, ponder, "draw" in rest, "resign" in rest)

    def read_info(self, line: str) -> RawInfo:
        """Parse an info line; empty for any other line."""
        return read_info(line)

    def format_move(self, move: Move) -> str:
        """Format a move for the engine."""
        return move.iccs()

    def read_move(self, text: str, board: Board) -> Move:
        """Parse a move of the engine; raises InvalidMoveError or IllegalMoveError."""
        return board.parse_iccs(text)


class Ucci(Dialect):
    """UCCI 3.0.

    As the specification advises, the position after the last capture is sent with the moves since
    then. A search has one limit: the first one given of depth, nodes, time and clocks. UCCI has no
    fixed time per move: it is sent as ``movetime`` to the engines in KNOW_MOVETIME, and as a clock
    for one move to others, which may use less of it.
    """

    NAME = "ucci"
    HELLO = ("ucci",)
    MANAGED = Dialect.MANAGED | {"usemillisec", "batch"}

    def __init__(self) -> None:
        self._unit_s = 1.0
        self._knows_movetime = False
        self._mated = DEFAULT_MATED

    def opening_lines(self, identity: Identity) -> list[str]:
        """Select milliseconds if the engine has the option."""
        name = identity.id.get("name", "")
        self._knows_movetime = name.startswith(KNOW_MOVETIME)
        self._mated = next((MATED[one] for one in MATED if name.startswith(one)), DEFAULT_MATED)
        has_option = "usemillisec" in identity.options
        if has_option or name.startswith(COUNT_MILLISECONDS):
            self._unit_s = 0.001
        return ["setoption usemillisec true"] if has_option else []

    def new_game_lines(self, identity: Identity) -> list[str]:
        return ["setoption newgame"] if "newgame" in identity.options else []

    def option_line(self, name: str, value: ConfigValue) -> str:
        return f"setoption {name} {format_value(value)}".rstrip()

    def search_lines(self, search: SearchRequest) -> list[str]:
        """Lines for the position, the forbidden moves and the search."""
        lines = [format_position(_since_capture(search.board), self)]
        if search.forbidden:
            lines.append(" ".join(["banmoves", *map(self.format_move, search.forbidden)]))
        mode = self._mode(search)
        flags = ["ponder"] if search.ponder else ["draw"] if search.draw_offered else []
        return [*lines, " ".join(["go", *flags, *mode])]

    def _mode(self, search: SearchRequest) -> list[str]:
        limit = search.limit
        if search.infinite:
            return ["infinite"]
        if limit.depth is not None:
            return ["depth", str(max(1, limit.depth))]
        if limit.nodes is not None:
            return ["nodes", str(max(1, limit.nodes))]
        if limit.time is not None and self._knows_movetime:
            return ["movetime", self._time(limit.time)]
        if limit.time is not None:
            return ["time", self._time(limit.time), "movestogo", "1"]
        red = (limit.white_clock, limit.white_inc)
        black = (limit.black_clock, limit.black_inc)
        own, other = (red, black) if search.board.turn == RED else (black, red)
        if own[0] is None:
            raise EngineError(Fact("driver.ucci_limit", limit=repr(limit)))
        words = ["time", self._time(own[0])]
        if limit.remaining_moves:
            words += ["movestogo", str(limit.remaining_moves)]
        else:
            words += ["increment", self._time(own[1] or 0.0, least=0)]
        if other[0] is not None:
            words += ["opptime", self._time(other[0])]
            words += ["oppincrement", self._time(other[1] or 0.0, least=0)]
        return words

    def _time(self, seconds: float, least: int = 1) -> str:
        return str(max(least, int(seconds / self._unit_s + 1e-6)))

    def read_info(self, line: str) -> RawInfo:
        """Parse an info line, and decode mate scores."""
        info = super().read_info(line)
        score = info.get("score")
        if isinstance(score, Cp):
            info["score"] = read_mate(score.cp, *self._mated) or score
        return info

    def ponderhit(self, *, draw_offered: bool) -> str:
        return "ponderhit draw" if draw_offered else "ponderhit"


class Uci(Dialect):
    """UCI, with ranks from 0 as in Pikafish, or from 1 as in Fairy-Stockfish.

    Engines with the option ``UCI_Variant``, which know many variants, are assumed to count from 1,
    others from 0, until an engine sends a move that is legal only with one of the counts.
    """

    NAME = "uci"
    HELLO = ("uci",)
    MANAGED = Dialect.MANAGED | {"uci_chess960"}

    def __init__(self) -> None:
        self.first_rank: RankBase = 0
        self._is_settled = False

    def opening_lines(self, identity: Identity) -> list[str]:
        """Set ``UCI_Variant`` if supported; raises EngineError if Xiangqi is not offered."""
        variant = identity.options.get("UCI_Variant")
        if variant is None:
            return []
        if variant.var and "xiangqi" not in variant.var:
            raise EngineError(Fact("driver.variant_option", known=tuple(variant.var)))
        self.first_rank = 1
        return [self.option_line(variant.name, "xiangqi")]

    def new_game_lines(self, identity: Identity) -> list[str]:
        return ["ucinewgame"]

    def option_line(self, name: str, value: ConfigValue) -> str:
        """Line that sets an option, or presses a button."""
        text = format_value(value)
        return f"setoption name {name} value {text}" if text else f"setoption name {name}"

    def search_lines(self, search: SearchRequest) -> list[str]:
        words = ["go"]
        if search.ponder:
            words.append("ponder")
        limit = search.limit
        for word, seconds in (("wtime", limit.white_clock), ("btime", limit.black_clock)):
            if seconds is not None:
                words += [word, str(max(1, round(seconds * 1000)))]
        for word, seconds in (("winc", limit.white_inc), ("binc", limit.black_inc)):
            if seconds is not None:
                words += [word, str(round(seconds * 1000))]
        if limit.remaining_moves:
            words += ["movestogo", str(limit.remaining_moves)]
        for word, number in (("depth", limit.depth), ("nodes", limit.nodes), ("mate", limit.mate)):
            if number is not None:
                words += [word, str(max(1, number))]
        if limit.time is not None:
            words += ["movetime", str(max(1, round(limit.time * 1000)))]
        if search.infinite:
            words.append("infinite")
        if search.forbidden:
            allowed = [move for move in search.board.legal_moves if move not in search.forbidden]
            words += ["searchmoves", *map(self.format_move, allowed)]
        return [format_position(search.board, self), " ".join(words)]

    def format_move(self, move: Move) -> str:
        """Format a move with the engine's rank numbers."""
        return format_coordinates(move, self.first_rank)

    def read_move(self, text: str, board: Board) -> Move:
        """Parse a move with the engine's rank numbers; the first move that is legal with only one
        count settles which."""
        if not self._is_settled:
            fits = _fits(text, 0, board), _fits(text, 1, board)
            if fits[0] != fits[1]:
                self.first_rank, self._is_settled = 0 if fits[0] else 1, True
        move = parse_coordinates(text, self.first_rank)
        board.require_legal(move)
        return move


def _fits(text: str, first_rank: RankBase, board: Board) -> bool:
    try:
        return board.is_legal(parse_coordinates(text, first_rank))
    except InvalidMoveError:
        return False


def format_position(board: Board, dialect: Dialect) -> str:
    """Line ``position`` for a board and its moves."""
    fen = board.root_fen()
    words = ["position", *(["startpos"] if fen == STARTING_FEN else ["fen", fen])]
    moves = board.move_stack
    if moves:
        words += ["moves", *map(dialect.format_move, moves)]
    return " ".join(words)


def _since_capture(board: Board) -> Board:
    """The same position with only the moves since the last capture."""
    if board.halfmove_clock >= board.ply():
        return board
    moves = board.move_stack[board.ply() - board.halfmove_clock :]
    start = board.copy()
    for _ in moves:
        start.pop()
    short = Board(start.setup())
    for move in moves:
        short.push_unchecked(move)
    return short
