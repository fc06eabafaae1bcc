"""PGN as text: header lines, and a writer that visits a game.

:meth:`Game.accept <xiangqi.games.tree.Game.accept>` calls a visitor for the parts of a game in the
order of PGN, as in ``chess.pgn`` of python-chess; this module does not depend on the game tree. The
text follows the PGN standard, sections 7 and 8
(https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, get_args

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.games.record import RESULTS
from xiangqi.ground.errors import Fact, FormatError, outside
from xiangqi.notation import (
    format_chinese,
    format_coordinates,
    format_iccs,
    format_san,
    format_vietnamese,
    format_wxf,
)
from xiangqi.pieces import BLACK
from xiangqi.pieces.fen import STARTING_FEN

__all__ = [
    "MAX_NESTED",
    "MAX_PLIES",
    "NOTATIONS",
    "RED_BLACK",
    "WHITE_BLACK",
    "GameVisitor",
    "MovetextWriter",
    "Notation",
    "PgnWriter",
    "Style",
    "WriteOptions",
    "encode",
    "fill_lines",
    "find_header_after_blank",
    "format_header",
    "is_header_line",
    "read_header_line",
]

Notation: TypeAlias = Literal["chinese", "wxf", "vietnamese", "iccs", "uci", "san"]
NOTATIONS: Final[tuple[Notation, ...]] = get_args(Notation)
"""Notations of moves: 炮二平五, C2.5, P2-5, H2-E2, h3e3, Che3 (both with ranks from 1 to 10)."""


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """Options for writing a file in any format."""

    notation: Notation | None = None
    """Notation of the moves; None for the default of the format."""
    encoding: str = "utf-8"
    """Encoding of a text format, ``utf-8`` or for old programs ``gb18030``."""
    lossy: bool = False
    """Leave out what the format cannot hold, instead of raising FormatError."""


MAX_PLIES: Final = 10_000
"""Maximum number of plies in a line of a file; human games have less than a tenth."""
MAX_NESTED: Final = 1000
"""Maximum nesting of variations."""

# Header lines

_TAG: Final = re.compile(r'\s*\[\s*([^\s"\[\]]+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_TAGS: Final = re.compile(rf"(?:{_TAG.pattern})+\s*")
_LOOSE_TAG: Final = re.compile(r'\s*\[\s*([^\s"\[\]]+)\s+"(.*)"\s*\]\s*')
_ESCAPED: Final = re.compile(r'\\(["\\])')


def is_header_line(line: str) -> bool:
    """Does a line consist of headers that conform to the standard?"""
    return _TAGS.fullmatch(line) is not None


def read_header_line(line: str) -> list[tuple[str, str]]:
    """Parse the headers of a line; none unless it consists of headers.

    The starting position is a header ``FEN``, also if a program writes ``Fen``.
    """
    if is_header_line(line):
        headers = [(match[1], _ESCAPED.sub(r"\1", match[2])) for match in _TAG.finditer(line)]
    else:
        match = _LOOSE_TAG.fullmatch(line)  # a value with unescaped quotes
        headers = [] if match is None else [(match[1], match[2])]
    return [("FEN" if name.upper() == "FEN" else name, value) for name, value in headers]


def format_header(name: str, value: str) -> str:
    r"""Format a header as a line.

    >>> format_header("Event", 'The "Cup"')
    '[Event "The \\"Cup\\""]'
    """
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def find_header_after_blank(text: str) -> bool:
    """Does a header line follow an empty line, so that a reader would take it for the next game?"""
    after_blank = False
    for line in text.split("\n"):
        if after_blank and is_header_line(line):
            return True
        after_blank = not line or line.isspace()
    return False


# Visitors


class GameVisitor:
    """Callbacks for the parts of a game, in the order of PGN."""

    def visit_headers(self, headers: Mapping[str, str], fen: str) -> None:
        """Begin a game with these headers and starting position."""

    def visit_move(self, board: Board, move: Move) -> None:
        """Visit a move on the board before it; the board changes after the call."""

    def visit_nag(self, nag: int) -> None:
        """Visit an annotation glyph (NAG) of the last move."""

    def visit_comment(self, comment: str) -> None:
        """Visit the comment after the last move, or before the first one."""

    def begin_variation(self) -> None:
        """Begin an alternative to the last move."""

    def end_variation(self) -> None:
        """Return to the line that the variation left."""

    def visit_result(self, result: str) -> None:
        """End the game."""


class MovetextWriter(GameVisitor):
    """Writer of numbered moves, marks, comments and variations.

    With a ``width``, lines are filled up to it, keeping a move and its comment on one line if they
    fit; without, each round of the main line begins a line. With ``renumber``, a move of Black
    after a comment is numbered.
    """

    def __init__(
        self,
        format_move: Callable[[Board, Move], str] = lambda _, move: format_iccs(move),
        format_nag: Callable[[int], str] = "${}".format,
        *,
        renumber: bool = True,
        width: int = 0,
    ) -> None:
        self._format_move = format_move
        self._format_nag = format_nag
        self._renumber = renumber
        self._width = width
        self._words: list[str] = []
        self._depth = 0
        self._needs_number = True

    def visit_move(self, board: Board, move: Move) -> None:
        """Write the move, with its number if PGN requires it."""
        text = self._format_move(board, move)
        self.write_move(text, board.fullmove_number, is_black=board.turn == BLACK)

    def write_move(self, text: str, number: int, *, is_black: bool) -> None:
        """Write a formatted move of round ``number``."""
        words = self._words
        if not self._depth and words and (self._width or not is_black):
            words.append("\n")
        if not is_black:
            words.append(f"{number}.")
        elif self._needs_number:
            words.append(f"{number}...")
        words.append(text)
        self._needs_number = False

    def visit_nag(self, nag: int) -> None:
        self._words.append(self._format_nag(nag))

    def visit_comment(self, comment: str) -> None:
        """Write the comment in braces, or after semicolons if braces would be ambiguous."""
        comment = comment.replace("\r\n", "\n").replace("\r", "\n")
        if "}" in comment or find_header_after_blank(comment):
            self._words += [f"; {line} \n" for line in comment.split("\n")]
        else:
            before = " " if comment[0] == " " else ""
            after = " " if comment[-1] == " " else ""
            self._words.append("{" + before + comment + after + "}")
        self._needs_number = self._needs_number or self._renumber

    def begin_variation(self) -> None:
        """Write an opening parenthesis."""
        self._depth += 1
        self._words.append("(")
        self._needs_number = True

    def end_variation(self) -> None:
        """Write a closing parenthesis."""
        self._depth -= 1
        self._words.append(")")
        self._needs_number = True

    def text(self, end: str) -> str:
        """Return the text, ending with the word ``end``."""
        if not self._width:
            return "".join(_spaced([*self._words, end]))
        units = "".join(_spaced([*self._words, "\n", end])).split("\n")
        return "\n".join(fill_lines(filter(None, map(str.rstrip, units)), self._width))


def _spaced(words: Iterable[str]) -> Iterator[str]:
    """Iterate over words and the blanks between them."""
    last = "\n"
    for word in words:
        if last.endswith("\n"):
            word = word.removeprefix("\n")
        elif word != ")" and not word.startswith("\n") and last != "(":
            yield " "
        yield word
        last = word or last


_BREAK: Final = re.compile(r" (?![\[%])")
"""A blank that may become a line break: no line of movetext may begin with [ or %."""


def fill_lines(units: Iterable[str], width: int) -> Iterator[str]:
    """Fill lines with units; only a unit longer than a line is broken at its blanks."""
    line = ""
    for unit in units:
        for word in [unit] if len(unit) <= width else _BREAK.split(unit):
            if line and len(line) + 1 + len(word) > width:
                yield line
                line = word
            else:
                line = f"{line} {word}" if line else word
    if line:
        yield line


# Whole games

_BREAKS: Final = re.compile(r"(?<!\s)\s*?[\r\n]\s*")
_GENERATED: Final = frozenset(("FEN", "Format", "SetUp"))  # headers that the writer itself makes
_NAME: Final = re.compile(r'[^\s"\[\]]+')

_FORMATTERS: Final[dict[Notation, Callable[[Board, Move], str]]] = {
    "chinese": format_chinese,
    "wxf": format_wxf,
    "vietnamese": format_vietnamese,
    "iccs": lambda _, move: format_iccs(move),
    "uci": lambda _, move: format_coordinates(move, rank_base=1),
    "san": format_san,
}


@dataclass(frozen=True, slots=True)
class Style:
    """Dialect of PGN; its first notation is the default."""

    format: str
    notations: dict[Notation, str]
    """Value of the header ``Format`` for each notation."""
    game: tuple[str, str]
    """Name and value of the header that identifies the game."""
    is_white: bool
    """Is the side that begins called White?"""


RED_BLACK: Final = Style(
    "pgn",
    {"chinese": "Chinese", "wxf": "WXF", "vietnamese": "Vietnamese", "iccs": "ICCS"},
    ("Game", "Chinese Chess"),
    is_white=False,
)
WHITE_BLACK: Final = Style(
    "white-pgn", {"san": "SAN", "uci": "UCI"}, ("Variant", "xiangqi"), is_white=True
)


class PgnWriter(MovetextWriter):
    """Writer of a game in one of the notations of a style.

    Raises FormatError for a header that the file cannot hold, and for a line or a nesting that a
    reader would refuse.
    """

    def __init__(self, style: Style, options: WriteOptions, notation: Notation) -> None:
        super().__init__(_FORMATTERS[notation])
        self._style = style
        self._options = options
        self._form = style.notations[notation]
        self._headers: list[str] = []
        self._result = "*"

    def visit_headers(self, headers: Mapping[str, str], fen: str) -> None:
        style = self._style
        name, value = style.game
        lines = [self._header(name, headers.get(name, value))]
        for name, value in headers.items():
            if name in _GENERATED and not self._options.lossy:
                raise FormatError(style.format, "", Fact("write.own_header", name=name))
            if name != style.game[0] and name not in _GENERATED:
                is_renamed = style.is_white and name.startswith("Red")
                name = f"White{name.removeprefix('Red')}" if is_renamed else name
                lines.append(self._header(name, value))
        lines.append(format_header("Format", self._form))
        if fen != STARTING_FEN:
            if style.is_white:
                lines.append(format_header("SetUp", "1"))
            lines.append(self._header("FEN", fen))
        self._headers = lines

    def visit_move(self, board: Board, move: Move) -> None:
        """Write the move; see :meth:`MovetextWriter.visit_move`."""
        if board.ply() >= MAX_PLIES:
            raise FormatError(self._style.format, "", Fact("record.moves", most=MAX_PLIES))
        super().visit_move(board, move)

    def begin_variation(self) -> None:
        """Write an opening parenthesis."""
        if self._depth == MAX_NESTED:
            raise FormatError(self._style.format, "", Fact("record.nested", most=MAX_NESTED))
        super().begin_variation()

    def visit_result(self, result: str) -> None:
        self._result = result if result in RESULTS else "*"

    def encoded(self) -> bytes:
        """Encode the game with an empty line at the end; raises FormatError, see :func:`encode`."""
        text = "\n".join([*self._headers, "", self.text(self._result), "", ""])
        return encode(self._style.format, text, self._options)

    def _header(self, name: str, value: str) -> str:
        if not self._options.lossy:
            format = self._style.format
            if _NAME.fullmatch(name) is None:
                raise FormatError(format, "", Fact("write.header_name", name=name))
            if _BREAKS.search(value) is not None:
                raise FormatError(format, "", Fact("write.header_breaks", name=name))
        return format_header("_".join(_NAME.findall(name)) or "_", _BREAKS.sub(" ", value))


def encode(format: str, text: str, options: WriteOptions) -> bytes:
    """Encode a text; raises FormatError for an unknown encoding, and for a character that it lacks
    unless ``lossy``."""
    try:
        return text.encode(options.encoding, "backslashreplace" if options.lossy else "strict")
    except UnicodeEncodeError as error:
        found = error.object[error.start : error.end]
        why = Fact("write.encoding", encoding=options.encoding, found=found)
        raise FormatError(format, "", why) from error
    except LookupError as error:
        place = Fact("place.encoding", name=options.encoding)
        raise FormatError(format, place, outside(error)) from error
