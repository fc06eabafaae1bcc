"""The parts of a PGN file, before anyone asks what they mean.

PGN standard, sections 7 and 8 (https://www.saremba.de/chessgml/standards/pgn/pgn-complete.htm). A
game is its headers and the words of its moves, comments included. A game that breaks off, even
within a comment, does not hide the next one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from xiangqi.lines import FaultyText, LineReader

__all__ = [
    "RawGame",
    "find_header_after_blank",
    "format_header",
    "is_header_line",
    "read_game",
    "read_header_line",
    "read_words",
    "split_games",
]

_TAG: Final = re.compile(r'\s*\[\s*([^\s"\[\]]+)\s+"((?:[^"\\]|\\.)*)"\s*\]')
_TAGS: Final = re.compile(rf"(?:{_TAG.pattern})+\s*")
_LOOSE_TAG: Final = re.compile(r'\s*\[\s*([^\s"\[\]]+)\s+"(.*)"\s*\]\s*')
_ESCAPED: Final = re.compile(r'\\(["\\])')
_WORD: Final = re.compile(r"[{()]|;.*|[^\s{}();]+|\}")


@dataclass(slots=True)
class RawGame:
    """A game as it stands in the file."""

    headers: list[tuple[str, str]] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    """Everything after the headers: ``(``, ``)``, ``{comment}``, ``;comment``, other words."""
    faults: list[tuple[str, str]] = field(default_factory=list)
    """Texts that are no part of a game, each with what is wrong with it."""


def split_games(lines: LineReader) -> Iterator[FaultyText]:
    """Cut a file into its games, without the empty lines between their parts."""
    cut: list[str] = []
    faults: list[tuple[str, str]] = []
    known: set[str] = set()  # the names of the headers
    has_words = is_comment = False
    after_blank = True
    for line in lines:
        is_blank = _is_blank(line)
        if is_comment and after_blank and is_header_line(line):
            is_comment = False
        if is_blank and not is_comment:
            after_blank = True
            continue
        if not is_comment and line.lstrip()[0] == "[":
            names = {name for name, _ in read_header_line(line)}
            if has_words or (after_blank and names & known):
                yield FaultyText("\n".join(cut), faults)
                cut, faults, known, has_words = [], [], set(), False
            known |= names
        else:
            has_words = True
            if is_comment or ("{" in line and line[0] != "%"):
                is_comment = read_words(RawGame(), line, [] if is_comment else None) is not None
        cut.append(line)
        faults += lines.take_faults()
        after_blank = is_blank
    if cut:
        yield FaultyText("\n".join(cut), faults)


def _is_blank(line: str) -> bool:
    return not line or line.isspace()


def read_game(cut: FaultyText) -> RawGame:
    """Take a game that was cut out of a file to pieces."""
    game = RawGame()
    comment: list[str] | None = None
    for line in cut.text.split("\n"):
        if comment is None and line.lstrip()[0] == "[":
            headers = read_header_line(line)
            game.headers += headers
            if not headers:
                game.faults.append((line.strip(), 'no header: expected [Name "value"]'))
        elif comment is None and line[0] == "%":
            game.words.append(f";{line}")
        else:
            comment = read_words(game, line, comment)
    if comment is not None:
        text = "\n".join(comment)
        game.words.append(f"{text}}}")
        game.faults.append((text.strip(), "the comment is not closed: expected '}'"))
    game.faults += cut.faults
    return game


def read_header_line(line: str) -> list[tuple[str, str]]:
    """The headers of a line; none if it is not made of headers only."""
    if is_header_line(line):
        return [(match[1], _ESCAPED.sub(r"\1", match[2])) for match in _TAG.finditer(line)]
    match = _LOOSE_TAG.fullmatch(line)  # a value with quotes that nobody has escaped
    return [] if match is None else [(match[1], match[2])]


def read_words(game: RawGame, line: str, comment: list[str] | None) -> list[str] | None:
    """Take the words of a line.

    ``comment`` is what has been read of a comment that was open at its beginning; returned is
    that of one open at its end.
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


def is_header_line(line: str) -> bool:
    """Is a line made of headers as the standard writes them, and of nothing else?"""
    return _TAGS.fullmatch(line) is not None


def format_header(name: str, value: str) -> str:
    r"""A header as a line.

    >>> format_header("Event", 'The "Cup"')
    '[Event "The \\"Cup\\""]'
    """
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'[{name} "{escaped}"]'


def find_header_after_blank(text: str) -> bool:
    """Is there a line in the text that a reader would take for the headers of another game?"""
    after_blank = False
    for line in text.split("\n"):
        if after_blank and is_header_line(line):
            return True
        after_blank = _is_blank(line)
    return False
