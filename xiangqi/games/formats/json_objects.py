"""JSON objects cut out of a file: one a line, over several lines, or the elements of an array.

Only the object that is being read is held. A line that is an object by itself, as in JSON lines,
is recognized by its ends and its braces; other lines are cut at their brackets.

A damaged object ends before the next line that begins with a brace where JSON allows none, or that
is not indented further than the damaged object, so that the sound ones behind it are read.

>>> import io
>>> text = b'{"moves": []}\\n[{\\n  "red": "}"\\n}, {}]\\n'
>>> [(cut.line, cut.text) for cut in split_objects(io.BytesIO(text), "a.json")]
[(1, '{"moves": []}'), (2, '{\\n  "red": "}"\\n}'), (4, '{}')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Final, NamedTuple

from xiangqi.ground.errors import Fact, FormatError
from xiangqi.ground.lines import MAX_FILE_LINE_LENGTH, LineReader

__all__ = ["ObjectText", "split_objects"]

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*("?)|[][{}]')
_SEVERAL: Final = re.compile(r"\}[\s,]*\{")
"""End of an object and beginning of another, which may be on one line."""
_BEFORE_OBJECT: Final = ("[", ",", ":")
"""Ends of a line behind which an object may begin within another."""


class ObjectText(NamedTuple):
    """Text of one object of a file."""

    text: str
    faults: list[tuple[str, Fact]]
    """Lines with invalid bytes, each with the reason."""
    line: int
    """Line of the file on which the text begins, from 1."""


def split_objects(data: IO[bytes], source: str) -> Iterator[ObjectText]:
    """Iterate over the objects of a file; text between them is cut out as well, to be reported.

    Raises FormatError for an object that is too long.
    """
    lines = LineReader(data, source)
    cutter = _Cutter(source)
    for line in lines:
        text = line.strip()
        if cutter.is_array:
            text = text.removesuffix(",").rstrip()
        if cutter.is_idle and _is_object(text):
            yield ObjectText(text, lines.take_faults(), lines.number)
            continue
        for cut, number in cutter.add(line, lines.number):
            yield ObjectText(cut, lines.take_faults(), number)
    for cut, number in cutter.end():
        yield ObjectText(cut, lines.take_faults(), number)


def _is_object(text: str) -> bool:
    if not text.startswith("{") or not text.endswith("}"):
        return False
    count = text.count("{")
    return count == text.count("}") and (count == 1 or _SEVERAL.search(text) is None)


class _Cutter:
    """Cutter of lines into objects."""

    def __init__(self, source: str) -> None:
        self._source = source
        self.is_array = False
        """Is an array of objects open?"""
        self._held: list[str] = []  # lines of the object that is open
        self._size = 0
        self._depth = 0  # number of its open brackets
        self._line = 0  # its first line
        self._indent = 0
        self._is_indented: bool | None = None  # is its second line indented further?
        self._is_damaged = False
        self._last = ""  # the last character that is no blank

    @property
    def is_idle(self) -> bool:
        """Is no object open?"""
        return not self._held

    def add(self, line: str, number: int) -> Iterator[tuple[str, int]]:
        """Add a line; iterate over the texts that it ends, each with the line where it begins."""
        if self._held and self._begins_anew(line):
            yield self._take()
        start = 0 if self._held else self._begin(line, 0, number)
        for token in _TOKEN.finditer(line):
            if self._is_damaged:
                break
            if token.start() < start:  # a bracket of an array
                continue
            if token[0].startswith('"'):
                self._is_damaged = not token[1]
                continue
            self._depth += 1 if token[0] in "[{" else -1
            if self._depth <= 0:
                self._hold(line[start : token.end()])
                yield self._take()
                start = self._begin(line, token.end(), number)
        if start < len(line) or self._depth:
            self._hold(line[start:])
        if self._held and not self._depth:  # text that is no object
            yield self._take()

    def end(self) -> Iterator[tuple[str, int]]:
        """End the file: iterate over the incomplete object, if there is one."""
        if self._held:
            yield self._take()

    def _begins_anew(self, line: str) -> bool:
        text = line.lstrip()
        indent = len(line) - len(text)
        if text and self._is_indented is None:
            self._is_indented = indent > self._indent
        if not text.startswith("{"):
            return False
        if self._is_damaged or self._is_indented or not self._held[0].startswith("{"):
            return indent <= self._indent
        return self._last not in _BEFORE_OBJECT

    def _begin(self, line: str, start: int, number: int) -> int:
        """Begin a text at its first character that is no separator; return the place of it."""
        while start < len(line):
            if line[start] == "[" and not self.is_array:
                self.is_array = True
            elif line[start] == "]" and self.is_array:
                self.is_array = False
            elif line[start] != "," and not line[start].isspace():
                break
            start += 1
        self._line = number
        self._indent = len(line) - len(line.lstrip())
        self._is_indented = None
        return start

    def _hold(self, text: str) -> None:
        self._held.append(text)
        self._last = text.rstrip()[-1:] or self._last
        self._size += len(text) + 1
        if self._size > MAX_FILE_LINE_LENGTH:
            place = Fact("place.line", line=self._line)
            raise FormatError(self._source, place, Fact("file.bytes", most=MAX_FILE_LINE_LENGTH))

    def _take(self) -> tuple[str, int]:
        text = "\n".join(self._held).rstrip()
        self._held, self._size, self._depth, self._is_damaged = [], 0, 0, False
        return text, self._line
