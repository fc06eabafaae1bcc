"""Reading PGN: cutting a file into games, their headers, and the words of their moves.

PGN standard, sections 7 and 8 (https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm). A
game that breaks off, even within a comment, does not hide the next one. Lines that some programs
write after the result, such as the web address of XQWizard, are skipped.

The headers ``Game``, ``Format``, ``Variant`` and ``SetUp`` with standard values are dropped, as the
writer makes them; ``FEN`` is the starting position. ``White`` becomes ``Red``, also at the
beginning of other names such as ``WhiteElo``, unless the game has both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO, Final

from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.pgn import is_header_line, read_header_line
from xiangqi.ground.errors import Fact, RecordError
from xiangqi.ground.lines import FaultyText, LineReader
from xiangqi.notation import (
    MoveStyle,
    RankBase,
)

__all__ = [
    "RawGame",
    "find_other_game",
    "find_rank_base",
    "find_style",
    "read_game",
    "read_headers",
    "read_words",
    "split_games",
    "take_headers",
    "western_reason",
]

_WORD: Final = re.compile(r"[{()]|;.*|[^\s{}();]+|\}")


@dataclass(slots=True)
class RawGame:
    """A game split into headers and words."""

    headers: list[tuple[str, str]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """Everything after the headers: ``(``, ``)``, ``{comment}``, ``;comment``, other words."""
    faults: list[tuple[str, Fact]] = field(default_factory=list)
    """Faulty headers, unfinished comments and undecodable lines, each with the reason."""


def split_games(lines: LineReader) -> Iterator[FaultyText]:
    """Cut a file into its games, leaving out empty lines outside comments."""
    cut: list[str] = []
    faults: list[tuple[str, Fact]] = []
    for is_first, _, line in _classify(lines):
        if is_first:
            yield FaultyText("\n".join(cut), faults)
            cut, faults = [], []
        cut.append(line)
        faults += lines.take_faults()
    if cut:
        yield FaultyText("\n".join(cut), faults)


def read_headers(
    stream: IO[bytes],
    name: str = "",
    on_error: Callable[[RecordError], object] | None = None,
) -> Iterator[dict[str, str]]:
    """Iterate over the headers of each game of a PGN file, without reading the moves.

    Text may be UTF-8, with or without a byte order mark, or GB18030; lines may end in CRLF. A game
    without headers gives an empty dictionary.

    ``name`` is the file's name in messages. A faulty header raises RecordError with file and line;
    if ``on_error`` is given, it is called with the error and the header is skipped.

    >>> import io
    >>> list(read_headers(io.BytesIO(b'[White "A"]\\n[Result "1-0"]\\n\\n1. H2-E2 1-0\\n')))
    [{'White': 'A', 'Result': '1-0'}]
    """
    source = name or str(getattr(stream, "name", "PGN"))
    lines = LineReader(stream, source)
    headers: dict[str, str] = {}
    has_begun = False
    for is_first, found, line in _classify(line.removeprefix("\ufeff") for line in lines):
        if is_first and has_begun:
            yield headers
            headers = {}
        has_begun = has_begun or found is not None or line[0] != "%"
        if found:
            headers.update(found)
        elif found is not None:
            why = Fact("match.header")
            error = RecordError(None, line.rstrip(), why, f"{source}:{lines.number}")
            if on_error is None:
                raise error
            on_error(error)
    if has_begun:
        yield headers


def _classify(
    lines: Iterable[str],
) -> Iterator[tuple[bool, list[tuple[str, str]] | None, str]]:
    """Iterate over the lines of games: whether the line begins the next game, its headers (None for
    moves, an empty list for a faulty header), and its text. Empty lines outside comments are left
    out."""
    known: set[str] = set()  # names of the headers of the game
    has_words = is_comment = False
    after_blank = True
    for line in lines:
        is_blank = not line or line.isspace()
        if is_comment and after_blank and is_header_line(line):
            is_comment = False
        if is_blank and not is_comment:
            after_blank = True
            continue
        is_first, headers = False, None
        if not is_comment and line.lstrip()[0] == "[":
            headers = read_header_line(line)
            names = {name for name, _ in headers}
            is_first = has_words or (after_blank and not names.isdisjoint(known))
            known = names if is_first else known | names
            has_words = False
        elif is_comment or line[0] != "%":
            has_words = True
            if is_comment or "{" in line:
                is_comment = read_words(RawGame(), line, [] if is_comment else None) is not None
        yield is_first, headers, line
        after_blank = is_blank


def read_game(cut: FaultyText) -> RawGame:
    """Split a game cut out of a file into headers and words."""
    game = RawGame()
    comment: list[str] | None = None
    for line in cut.text.split("\n"):
        if comment is None and line.lstrip()[0] == "[":
            headers = read_header_line(line)
            game.headers += headers
            if not headers:
                game.faults.append((line.strip(), Fact("text.no_header")))
        elif comment is None and line[0] == "%":
            game.words.append(f";{line}")
        else:
            comment = read_words(game, line, comment)
    if comment is not None:
        text = "\n".join(comment)
        game.words.append(f"{text}}}")
        game.faults.append((text.strip(), Fact("text.comment")))
    game.faults += cut.faults
    return game


def read_words(game: RawGame, line: str, comment: list[str] | None) -> list[str] | None:
    """Add the words of a line to a game.

    ``comment`` has the lines of the comment that is open at the beginning of the line, or is None;
    the return value is the same for its end.
    """
    place = 0
    if comment is not None:
        place = line.find("}") + 1
        if not place:
            comment.append(line)
            return comment
        comment.append(line[:place])
        game.words.append("\n".join(comment))
    while (match := _WORD.search(line, place)) is not None:
        word = match[0]
        place = match.end()
        if word == "{":
            end = line.find("}", place) + 1
            if not end:
                return [line[place - 1 :]]
            word = line[place - 1 : end]
            place = end
        game.words.append(word)
    return None


_OTHER_GAMES: Final = ("record.not_xiangqi", "record.other_board", "record.western")
"""Reasons for which a game is not read at all."""
_STANDARD_VALUES: Final = {
    "Game": ("chinese chess", "xiangqi"),
    "Format": ("chinese", "wxf", "vietnamese", "iccs", "san", "uci"),
    "Variant": ("xiangqi",),
    "SetUp": ("0", "1"),
}
_RANK_BASES: Final[dict[str, RankBase]] = {"iccs": 0, "san": 1, "uci": 1}
_STYLES: Final[dict[str, MoveStyle]] = {"wxf": "wxf", "vietnamese": "vietnamese"}
_XIANGQI: Final = ("", "?", "xiangqi", "cchess", "chinesechess")
"""Values of the header ``Variant`` for Xiangqi, in lower case without separators."""
_SEPARATORS: Final = re.compile(r"[\W_]+")
_RANKS: Final = 10


def find_rank_base(headers: Iterable[tuple[str, str]]) -> RankBase | None:
    """Number of Red's back rank, from the header ``Format``."""
    for name, value in headers:
        if name == "Format":
            return _RANK_BASES.get(value.lower())
    return None


def find_style(headers: Iterable[tuple[str, str]]) -> MoveStyle | None:
    """Style of moves in letters and digits, from the header ``Format``."""
    for name, value in headers:
        if name == "Format":
            return _STYLES.get(value.lower())
    return None


def find_other_game(headers: Iterable[tuple[str, str]]) -> tuple[str, Fact] | None:
    """Find a header that shows another game than Xiangqi; return its value and the reason.

    A ``Variant`` in Chinese is taken for the name of an opening.
    """
    for name, value in headers:
        variant = _SEPARATORS.sub("", value).lower()
        if name == "Variant" and value.isascii() and variant not in _XIANGQI:
            return value, Fact("record.not_xiangqi", value=value)
        ranks = value.split(" ")[0].count("/") + 1
        if name == "FEN" and ranks == 8:
            return value, Fact("record.other_board", count=ranks, ranks=_RANKS)
    return None


def western_reason(move: str) -> Fact:
    return Fact("record.western", move=move)


def is_other_game(reason: Fact) -> bool:
    return reason.code in _OTHER_GAMES


def take_headers(headers: Iterable[tuple[str, str]], builder: GameBuilder) -> None:
    """Set the headers and the starting position of a game; faults become errors."""
    first: dict[str, str] = {}
    for name, value in headers:
        if first.setdefault(name, value) != value:
            builder.add_error(value, Fact("text.second_header", name=name))
    result = builder.game.headers
    for name, value in first.items():
        if name == "FEN":
            if value.strip():
                builder.set_start(value)
        elif name == "Result":
            builder.set_result(value)
        elif name.startswith("White"):
            red = f"Red{name.removeprefix('White')}"
            if red not in first:
                result[red] = value
            elif value != first[red]:
                result[name] = value
        elif value.lower() not in _STANDARD_VALUES.get(name, ()):
            result[name] = value
