"""Writes games as PGN, in either style."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from xiangqi.board import Board
from xiangqi.core.move import Move
from xiangqi.errors import FormatError, quote
from xiangqi.fen import STARTING_FEN
from xiangqi.games.formats.base import Notation, WriteOptions
from xiangqi.games.formats.pgn_tokens import find_header_after_blank, format_header
from xiangqi.games.results import RESULTS
from xiangqi.games.tree import Game, GameCursor, GameNode, bracket_variations
from xiangqi.notation import (
    format_chinese,
    format_coordinates,
    format_iccs,
    format_san,
    format_wxf,
)
from xiangqi.pieces import BLACK

__all__ = ["RED_BLACK", "WHITE_BLACK", "Movetext", "Style", "encode", "write_pgn"]

_BREAKS: Final = re.compile(r"(?<!\s)\s*?[\r\n]\s*")
_OF_THE_FILE: Final = frozenset(("FEN", "Format", "SetUp"))
_NAME: Final = re.compile(r'[^\s"\[\]]+')

_FORMATTERS: Final[dict[Notation, Callable[[Board, Move], str]]] = {
    "chinese": format_chinese,
    "wxf": format_wxf,
    "iccs": lambda _, move: format_iccs(move),
    "uci": lambda _, move: format_coordinates(move, rank_base=1),
    "san": format_san,
}


@dataclass(frozen=True, slots=True)
class Style:
    """One of the two ways to write PGN; its first notation is the usual one."""

    format: str
    notations: dict[Notation, str]
    """What the header ``Format`` says."""
    game: tuple[str, str]
    """The header by which the style is known."""
    is_white: bool
    """Is the side that begins called White?"""


RED_BLACK: Final = Style(
    "pgn",
    {"chinese": "Chinese", "wxf": "WXF", "iccs": "ICCS"},
    ("Game", "Chinese Chess"),
    is_white=False,
)
WHITE_BLACK: Final = Style(
    "white-pgn", {"san": "SAN", "uci": "UCI"}, ("Variant", "xiangqi"), is_white=True
)


def write_pgn(game: Game, style: Style, options: WriteOptions, notation: Notation) -> bytes:
    """The game as PGN in one of the style's notations, ending with an empty line.

    Raises FormatError for what the file could not hold, IllegalMoveError for a game that has
    been given an illegal move.
    """
    lines = list(_headers(game, style, options, style.notations[notation]))
    result = game.headers.get("Result", "")
    end = result if result in RESULTS else "*"
    moves = Movetext(game, _FORMATTERS[notation]).text(end)
    return encode(style.format, "\n".join([*lines, "", moves, "", ""]), options)


def encode(format: str, text: str, options: WriteOptions) -> bytes:
    """The text as bytes; raises FormatError where the encoding has no such character."""
    try:
        return text.encode(options.encoding, "backslashreplace" if options.lossy else "strict")
    except UnicodeEncodeError as error:
        what = quote(error.object[error.start : error.end])
        raise FormatError(format, "", f"{options.encoding} cannot write {what}") from error
    except LookupError as error:
        raise FormatError(format, f"encoding {quote(options.encoding)}", str(error)) from error


def _headers(game: Game, style: Style, options: WriteOptions, form: str) -> Iterator[str]:
    name, value = style.game
    yield _header(style, options, name, game.headers.get(name, value))
    for name, value in game.headers.items():
        if name in _OF_THE_FILE and not options.lossy:
            raise FormatError(style.format, "", f"the header {name} is the file's own")
        if name != style.game[0] and name not in _OF_THE_FILE:
            is_renamed = style.is_white and name.startswith("Red")
            name = f"White{name.removeprefix('Red')}" if is_renamed else name
            yield _header(style, options, name, value)
    yield format_header("Format", form)
    if game.fen != STARTING_FEN:
        if style.is_white:
            yield format_header("SetUp", "1")
        yield _header(style, options, "FEN", game.fen)


def _header(style: Style, options: WriteOptions, name: str, value: str) -> str:
    if not options.lossy:
        if _NAME.fullmatch(name) is None:
            raise FormatError(style.format, "", f"no header can have the name {quote(name)}")
        if _BREAKS.search(value) is not None:
            why = f"the line breaks of the header {quote(name)} would be lost"
            raise FormatError(style.format, "", why)
    return format_header("_".join(_NAME.findall(name)) or "_", _BREAKS.sub(" ", value))


class Movetext:
    """Writes the moves of a game, a round of the main line on each line."""

    def __init__(
        self,
        game: Game,
        format: Callable[[Board, Move], str],
        format_nag: Callable[[int], str] = "${}".format,
    ) -> None:
        self._game = game
        self._format = format
        self._format_nag = format_nag
        self._words: list[str] = []
        self._needs_number = True

    def text(self, end: str) -> str:
        """The moves, and a last word."""
        self._add_remarks(self._game.root)
        if self._game.root.variations:
            self._add_tree()
        self._words.append(end)
        return "".join(self._spaced())

    def _spaced(self) -> Iterator[str]:
        """The words with what stands between them."""
        last = "\n"
        for word in self._words:
            if last.endswith("\n"):
                word = word.removeprefix("\n")
            elif word != ")" and not word.startswith("\n") and last != "(":
                yield " "
            yield word
            last = word or last

    def _add_tree(self) -> None:
        cursor = GameCursor(self._game)
        board, words = cursor.board, self._words
        first = board.fullmove_number * 2 + (board.turn == BLACK)
        depth = 0
        for node in bracket_variations(self._game.root.variations[0]):
            if isinstance(node, str):
                depth += 1 if node == "(" else -1
                words.append(node)
                self._needs_number = True
                continue
            assert node.parent is not None  # only the root has none
            assert node.move is not None
            cursor.go_to(node.parent)
            count, is_black = divmod(first + node.parent.ply, 2)
            if not is_black:
                if not depth and words:
                    words.append("\n")
                words.append(f"{count}.")
            elif self._needs_number:
                words.append(f"{count}...")
            words.append(self._format(board, node.move))
            self._needs_number = False
            self._add_remarks(node)

    def _add_remarks(self, node: GameNode) -> None:
        self._words += map(self._format_nag, node.nags)
        if node.comment:
            self._words += _comment(node.comment)
            self._needs_number = True


def _comment(text: str) -> list[str]:
    """A comment in braces; on lines of its own where that would break something."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if "}" in text or find_header_after_blank(text):
        return [f"; {line} \n" for line in text.split("\n")]
    before = " " if text[0] == " " else ""
    after = " " if text[-1] == " " else ""
    return ["{" + before + text + after + "}"]
