"""The XBoard protocol (https://www.gnu.org/software/xboard/engine-intf.html), in the part that
matches between Xiangqi engines need.

The engine is kept in force mode between its moves and receives only the moves that are new to it.
HoiXiangqi has its own format of positions, does not answer when it is mated, exits at a command
that it rejects, and reads no input while it thinks, so that it can only be killed.
"""

from __future__ import annotations

import math
import re
from typing import Final

from chess.engine import ConfigValue

from xiangqi.board import Board
from xiangqi.board.scores import Cp, EngineError, Limit, Mate, Option, Score
from xiangqi.client.dialects import Dialect, EngineAnswer, SearchRequest
from xiangqi.client.info import Identity, RawInfo, read_mate
from xiangqi.core.move import Move
from xiangqi.ground.errors import Fact, InvalidMoveError
from xiangqi.pieces import RED
from xiangqi.pieces.fen import STARTING_FEN

__all__ = ["REFUSALS", "XBoard", "read_feature_option", "split_features"]

_FEATURE: Final = re.compile(r'(\w+)=("[^"]*"|\S+)')
_OPTION: Final = re.compile(r"(.+?) -(\w+)(?: (.*))?")
_CHOICES: Final = re.compile(r"\s*///\s*")
_MOVE: Final = re.compile(r"[A-Z]?([a-i]\d)[-x]?([a-i]\d)\+?")
"""Move of a principal variation: h2e2, or as HoiXiangqi writes it, Ch2-e2 and Ce2xe6+."""
_NO_MOVE: Final = re.compile(r"\d+\.?|\.+")
"""Text between moves: move numbers."""
_RESULT: Final = re.compile(r"(1-0|0-1|1/2-1/2)(\s|$)")
_LETTERS: Final = str.maketrans("nNbB", "hHeE")
_NO_DEPTH: Final = 99
"""Depth that means no depth limit."""
_FRACTION_MOVES: Final = 40
"""Moves of the time control that replaces a fixed time with a fraction of a second, which ``st``
cannot express."""
REFUSALS: Final = ("Illegal move", "Error (", "tellusererror")
"""Prefixes of lines by which an engine rejects a command."""
MATE: Final = 100_000
"""Mate score, to which the number of moves is added; HoiXiangqi subtracts the plies."""
_MAX_MOVES: Final = 500


class XBoard(Dialect):
    """The XBoard protocol, version 2."""

    NAME = "xboard"
    HELLO = ("xboard", "protover 2")
    ANSWER = "move"
    STOP = "?"
    CAN_BAN = False
    CAN_PONDER = False
    ANSWERS_MATE = False

    def __init__(self) -> None:
        self.features: dict[str, str] = {}
        """Protocol features that the engine requested, with their last values."""
        self._is_hoixiangqi = False
        self._known: tuple[str, list[Move]] | None = None  # FEN and moves that the engine has
        self._level = ""
        self._has_depth = False

    def read_greeting(self, line: str, identity: Identity) -> bool:
        """Parse a line of features; is it the last one?"""
        is_done = False
        for name, value in split_features(line)[0]:
            self.features[name] = value
            if name == "myname":
                identity.id["name"] = value
            elif name == "option":
                option = read_feature_option(value)
                if option is not None:
                    identity.options[option.name] = option
            is_done |= (name, value) == ("done", "1")
        return is_done

    def last_greeting(self) -> str:
        return "feature done=1"

    @property
    def variants(self) -> list[str]:
        """Variants that the engine declares; only ``normal``, chess, if it declares none."""
        return [name.strip() for name in self.features.get("variants", "normal").split(",")]

    def opening_lines(self, identity: Identity) -> list[str]:
        """Switch thinking output on and pondering off.

        Raises EngineError if the engine declares only other variants.
        """
        if "variants" in self.features and "xiangqi" not in self.variants:
            raise EngineError(Fact("driver.variants", known=tuple(self.variants)))
        self._is_hoixiangqi = identity.id.get("name", "").lower().startswith("hoixiangqi")
        return ["post", "easy"]

    def ping(self, number: int) -> str:
        return f"ping {number}"

    def pong(self, number: int) -> str:
        return f"pong {number}"

    def is_pong(self, line: str) -> bool:
        return line.startswith("pong ")

    def new_game_lines(self, identity: Identity) -> list[str]:
        self._known = (STARTING_FEN, [])
        self._level = ""
        return ["new", "variant xiangqi", "force"]

    def option_line(self, name: str, value: ConfigValue) -> str:
        """Line that sets an option, or presses a button."""
        if value is None:
            return f"option {name}"
        return f"option {name}={int(value) if isinstance(value, bool) else value}"

    def search_lines(self, search: SearchRequest) -> list[str]:
        """Lines that set up the position and start the search."""
        if search.forbidden:
            raise EngineError(Fact("driver.no_bans", protocol="XBoard"))
        limits = self._limit_lines(search.limit, search.board)
        lines = ["force", *self.position_lines(search.board), *limits]
        return [*lines, "draw", "go"] if search.draw_offered else [*lines, "go"]

    def position_lines(self, board: Board) -> list[str]:
        """Lines that set up a position and its moves, in force mode."""
        fen, moves = board.root_fen(), board.move_stack
        lines = []
        known = self._known
        if known is None or known[0] != fen or known[1] != moves[: len(known[1])]:
            known = (fen, [])
            lines = [f"setboard {self._format_fen(fen)}"]
            if fen == STARTING_FEN:
                lines = self.new_game_lines(Identity())
        lines += map(self.move_line, moves[len(known[1]) :])
        self._known = (fen, moves)
        return lines

    def move_line(self, move: Move) -> str:
        prefix = "usermove " if self.features.get("usermove") == "1" else ""
        return prefix + self.format_move(move)

    def _format_fen(self, fen: str) -> str:
        pieces, turn, *unused, halfmoves, fullmoves = fen.split()
        pieces = pieces.translate(_LETTERS)
        if self._is_hoixiangqi:
            return f"{pieces} {turn} {halfmoves} {fullmoves}"
        return " ".join([pieces, turn, *unused, halfmoves, fullmoves])

    def _limit_lines(self, limit: Limit, board: Board) -> list[str]:
        if limit.nodes is not None or limit.mate is not None:
            raise EngineError(Fact("driver.xboard_limit", limit=repr(limit)))
        had_depth, self._has_depth = self._has_depth, limit.depth is not None
        depth = []
        if limit.depth is not None:
            depth = [f"sd {max(1, limit.depth)}"]
        elif had_depth:  # some engines keep the limit even after `new`
            depth = [f"sd {_NO_DEPTH}"]
        if limit.time is not None:
            return [*depth, *self._time_lines(limit.time)]
        red, black = limit.white_clock, limit.black_clock
        own, other = (red, black) if board.turn == RED else (black, red)
        increment = (limit.white_inc if board.turn == RED else limit.black_inc) or 0.0
        if own is None:
            return depth
        lines = []
        level = f"level {limit.remaining_moves or 0} {{}} {int(increment)}"
        if limit.remaining_moves or level != self._level:
            lines.append(level.format(_minutes(own)))
            self._level = level
        lines.append(f"time {_hundredths(own)}")
        if other is not None:
            lines.append(f"otim {_hundredths(other)}")
        return [*depth, *lines]

    def _time_lines(self, seconds: float) -> list[str]:
        self._level = ""
        if seconds >= 1 and seconds == int(seconds):
            return [f"st {int(seconds)}"]
        total = seconds * _FRACTION_MOVES
        return [f"level {_FRACTION_MOVES} {_minutes(total)} 0", f"time {_hundredths(total)}"]

    def read_answer(self, line: str) -> EngineAnswer | None:
        """Parse a move, a resignation or a result; raises EngineError for a rejected command."""
        words = line.split()
        if words[:1] == ["move"] and len(words) > 1:
            if self._known is not None:
                fen, moves = self._known
                try:
                    self._known = (fen, [*moves, Move.from_iccs(words[1])])
                except InvalidMoveError:
                    self._known = None
            return EngineAnswer(words[1])
        if words[:1] == ["resign"]:
            return EngineAnswer(resigned=True)
        if _RESULT.match(line):
            return EngineAnswer()
        if line.startswith(REFUSALS):
            raise EngineError(Fact("driver.refused", line=line.strip()))
        return None

    def read_info(self, line: str) -> RawInfo:
        """Parse a line of thinking: depth, score, hundredths of a second, nodes, moves."""
        words = line.split()
        if len(words) < 4 or not all(re.fullmatch(r"-?\d+", word) for word in words[:4]):
            return {}
        depth, score, time, nodes = map(int, words[:4])
        info: RawInfo = {
            "depth": depth,
            "score": _read_score(score),
            "time": time / 100,
            "nodes": nodes,
        }
        if time > 0:
            info["nps"] = nodes * 100 // time
        pv = words[4:]
        if pv[:1] in (["(+)"], ["(-)"]):
            info["lowerbound" if pv.pop(0) == "(+)" else "upperbound"] = True
        moves = _read_moves(pv)
        if moves:
            info["pv"] = moves
        return info


def _read_moves(words: list[str]) -> list[str]:
    """Parse the moves of a principal variation, up to the first word that is not a move.

    >>> _read_moves("1. ... Cb7-e7 2. Ce2xe6+ h7e7 {forced}".split())
    ['b7e7', 'e2e6', 'h7e7']
    """
    moves = []
    for word in words:
        move = _MOVE.fullmatch(word)
        if move is not None:
            moves.append(move[1] + move[2])
        elif not _NO_MOVE.fullmatch(word):
            break
    return moves


def split_features(line: str) -> tuple[list[tuple[str, str]], str]:
    """Split a ``feature`` line into pairs of name and value, and the unreadable rest.

    >>> split_features('feature ping=1 myname="My Engine" san')
    ([('ping', '1'), ('myname', 'My Engine')], 'san')
    """
    words = line.split(maxsplit=1)
    if len(words) < 2 or words[0] != "feature":
        return [], ""
    features = [(name, value.strip('"')) for name, value in _FEATURE.findall(words[1])]
    return features, " ".join(_FEATURE.sub(" ", words[1]).split())


def read_feature_option(text: str) -> Option | None:
    """Parse the value of ``feature option``; None if it is unreadable.

    >>> read_feature_option("style -combo solid /// *normal /// wild").var
    ['solid', 'normal', 'wild']
    """
    match = _OPTION.fullmatch(text)
    if match is None:
        return None
    name, kind, rest = match[1], match[2], (match[3] or "").strip()
    if kind in ("spin", "slider"):
        numbers = rest.split()
        if len(numbers) != 3 or not all(re.fullmatch(r"-?\d+", number) for number in numbers):
            return None
        default, least, most = map(int, numbers)
        return Option(name, "spin", default, least, most, None)
    if kind == "check":
        return Option(name, kind, rest == "1", None, None, None) if rest in ("0", "1") else None
    if kind == "combo":
        choices = [choice for choice in _CHOICES.split(rest) if choice]
        chosen = next((choice[1:] for choice in choices if choice.startswith("*")), None)
        return Option(name, kind, chosen, None, None, [one.lstrip("*") for one in choices])
    if kind in ("string", "file", "path"):
        return Option(name, kind, rest, None, None, None)
    if kind in ("button", "save", "reset"):
        return Option(name, "button", None, None, None, None)
    return None


def _read_score(score: int) -> Score:
    """Convert a score: a mate in three moves is 100003, or 99995 (five plies) in HoiXiangqi.

    >>> _read_score(100_003), _read_score(-100_002), _read_score(99_995), _read_score(-35)
    (Mate(+3), Mate(-2), Mate(+3), Cp(-35))
    """
    moves = abs(score) - MATE
    if 0 < moves <= _MAX_MOVES:
        return Mate(moves if score > 0 else -moves)
    return read_mate(score, MATE, _MAX_MOVES) or Cp(score)


def _minutes(seconds: float) -> str:
    """Format a time for ``level``, rounded up.

    >>> _minutes(8), _minutes(61.5)
    ('0:08', '1:02')
    """
    minutes, rest = divmod(max(1, math.ceil(seconds)), 60)
    return f"{minutes}:{rest:02}"


def _hundredths(seconds: float) -> int:
    return max(1, int(seconds * 100))
