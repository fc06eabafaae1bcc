"""Parsing of ``option`` and ``info`` lines and of principal variations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Final, TypeAlias, cast

from chess.engine import ConfigValue, Option, UciOptionMap

from xiangqi.board import Board
from xiangqi.board.scores import (
    INFO_BASIC,
    INFO_PV,
    INFO_SCORE,
    Cp,
    EngineError,
    Info,
    InfoDict,
    Mate,
    PlayResult,
    PovScore,
    PovWdl,
    Wdl,
)
from xiangqi.core.move import Move
from xiangqi.ground.errors import Fact, XiangqiError, quote
from xiangqi.ground.lines import CHECK_WORDS
from xiangqi.pieces import Color

__all__ = [
    "Identity",
    "IllegalBestMoveError",
    "PlayResult",
    "RawInfo",
    "complete_info",
    "format_value",
    "parse_value",
    "read_info",
    "read_mate",
    "read_option",
]

OPTION_TYPES: Final = frozenset("check spin combo button string file path reset save label".split())


@dataclass
class Identity:
    """Name, author and options of an engine from the handshake."""

    id: dict[str, str] = field(default_factory=dict)
    options: UciOptionMap[Option] = field(default_factory=UciOptionMap)


def read_option(words: Sequence[str]) -> Option | None:
    """Parse the words after ``option``; None if they declare no option.

    Names may have several words, and follow the word ``name`` or not. An invalid default counts as
    none.

    >>> read_option("name Clear Hash type button".split()).name
    'Clear Hash'
    >>> read_option("style type combo var solid var very risky default solid".split()).var
    ['solid', 'very risky']
    """
    places = [
        place
        for place in range(1, len(words) - 1)
        if words[place] == "type" and words[place + 1] in OPTION_TYPES
    ]
    if not places:
        return None
    name, kind = list(words[: places[0]]), words[places[0] + 1]
    if name[0] == "name" and len(name) > 1:
        name = name[1:]
    parts: dict[str, list[list[str]]] = {key: [] for key in ("default", "min", "max", "var")}
    current: list[str] = []
    for word in words[places[0] + 2 :]:
        if word in parts:
            current = []
            parts[word].append(current)
        else:
            current.append(word)
    texts = {key: [" ".join(part) for part in found] for key, found in parts.items()}
    bare = Option(
        " ".join(name), kind, None, _number(texts["min"]), _number(texts["max"]), texts["var"]
    )
    default: ConfigValue = None
    if texts["default"]:
        with suppress(EngineError):
            default = parse_value(bare, texts["default"][0])
    return Option(bare.name, kind, default, bare.min, bare.max, bare.var)


def _number(texts: Sequence[str]) -> int | None:
    try:
        return int(texts[0]) if texts else None
    except ValueError:
        return None


def parse_value(option: Option, value: ConfigValue) -> ConfigValue:
    """Convert a value to the option's type; raises EngineError if that is impossible.

    >>> parse_value(Option("Ponder", "check", False, None, None, None), "true")
    True
    """
    if option.type == "check" and not isinstance(value, bool):
        if str(value).lower() not in CHECK_WORDS:
            raise EngineError(Fact("driver.option_value", name=option.name, value=value))
        return CHECK_WORDS[str(value).lower()]
    return option.parse(value)


def format_value(value: ConfigValue) -> str:
    """Format an option value for UCCI and UCI; empty for a button."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


class IllegalBestMoveError(EngineError):
    """The engine's best move is unreadable or illegal.

    >>> print(IllegalBestMoveError("a0a9", "the red rook on a0 cannot reach a9"))
    the engine played 'a0a9': the red rook on a0 cannot reach a9
    """

    def __init__(self, text: str, why: str) -> None:
        super().__init__(text, why)
        self.text = text
        """Move text of the engine."""
        self.why = why

    def __str__(self) -> str:
        return f"the engine played {quote(self.text)}: {self.why}"


RawInfo: TypeAlias = dict[str, Any]
"""Incomplete ``InfoDict``: moves as text, scores without a point of view."""

MoveReader: TypeAlias = Callable[[str, Board], Move]

_NUMBERS: Final = frozenset(
    "depth seldepth nodes multipv currmovenumber hashfull nps tbhits cpuload".split()
)
_TEXTS: Final = frozenset({"string", "message"})


def read_info(line: str) -> RawInfo:
    """Parse an ``info`` line; unreadable parts are skipped.

    A score may have a unit, as in UCI, or none, as in UCCI.

    >>> read_info("info depth 5 score -12 time 40 pv h2e2 h9g7")
    {'depth': 5, 'score': Cp(-12), 'time': 0.04, 'pv': ['h2e2', 'h9g7']}
    """
    words = line.split()
    if words[:1] != ["info"]:
        return {}
    info: RawInfo = {}
    place = 1
    while place < len(words):
        word, rest = words[place], words[place + 1 : place + 4]
        place += 1
        if word in _TEXTS:
            info["string"] = line.split(word, 1)[1].strip()
            break
        if word in ("pv", "currmove"):
            texts = words[place:] if word == "pv" else rest[:1]
            moves = list(takewhile(lambda text: any(map(str.isdigit, text)), texts))
            info[word] = moves
            place += len(moves)
            continue
        try:
            place += _read_value(info, word, rest)
        except (ValueError, IndexError):
            continue
    return info


def _read_value(info: RawInfo, word: str, rest: list[str]) -> int:
    """Parse the value after the key ``word``; return the number of words consumed."""
    if word in _NUMBERS:
        info[word] = int(rest[0])
        return 1
    if word == "time":
        info["time"] = int(rest[0]) / 1000
        return 1
    if word == "score":
        kind = rest[0] if rest[0] in ("mate", "cp") else ""
        number = int(rest[1 if kind else 0])
        info["score"] = Mate(number) if kind == "mate" else Cp(number)
        return 2 if kind else 1
    if word in ("lowerbound", "upperbound"):
        info[word] = True
    elif word == "wdl":
        info["wdl"] = Wdl(*map(int, rest[:3]))
        return 3
    return 0


def read_mate(score: int, mated: int, plies: int) -> Mate | None:
    """Decode a mate score, or return None.

    Being mated scores ``-mated``, and a mate in N plies N less than ``mated``, up to ``plies``.

    >>> read_mate(29_997, 30_000, 500), read_mate(-29_996, 30_000, 500), read_mate(900, 30_000, 500)
    (Mate(+2), Mate(-2), None)
    """
    left = mated - abs(score)
    if not 0 <= left < plies:
        return None
    return Mate(max(1, (left + 1) // 2) if score > 0 else -(left // 2))


def complete_info(
    raw: RawInfo, board: Board, read_move: MoveReader, wanted: Info, turn: Color
) -> InfoDict:
    """Convert the ``wanted`` parts of an info: moves from text, scores with a point of view.

    Principal variations end before the first illegal move. ``board`` is not changed.
    """
    info: RawInfo = {}
    for key, value in raw.items():
        if key in ("score", "lowerbound", "upperbound"):
            if wanted & INFO_SCORE:
                info[key] = PovScore(value, turn) if key == "score" else value
        elif key == "wdl":
            info[key] = PovWdl(value, turn)
        elif key == "pv":
            if wanted & INFO_PV:
                info[key] = read_line(value, board, read_move)
        elif key == "currmove":
            moves = read_line(value, board, read_move)
            info.update({key: moves[0]} if moves else {})
        elif wanted & INFO_BASIC:
            info[key] = value
    return cast(InfoDict, info)


def read_line(texts: list[str], board: Board, read_move: MoveReader) -> list[Move]:
    """Parse a principal variation up to the first illegal move."""
    work = board.copy(stack=False)
    moves = []
    for text in texts:
        try:
            move = read_move(text, work)
        except XiangqiError:
            break
        work.push_unchecked(move)
        moves.append(move)
    return moves
