"""PFC, records of Peng Fei (鹏飞象棋) in XML; read only.

Each position is an element ``n`` within the one before it::

    <n version="2" win="1-0" m="rnbakabnr/... w - - 0 1" c="Opening comment" red="A" black="B">
      <n m="h2e2" c="Comment" default="true">
        <n m="h9g7" c="" />
        <n m="b9c7" c="" default="true" />
      </n>
    </n>

The outermost one has the starting position, the result and the headers, named as the tags of
DhtmlXQ; ``create-time`` is the date. The others have a move in coordinates with ranks from 0 at
Red's side. ``default`` marks the main line among moves that replace each other, otherwise the first
is. The layout is that of vschess (``nodeToData_PengFei``, ``dataToNode_PFC``), which writes
``&``, ``<`` and line ends of comments as they are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from xiangqi.games.formats.base import OneGameFormat
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.dhtmlxq import HEADERS
from xiangqi.games.formats.plain import PlainMove, play_tree
from xiangqi.games.formats.xml_parser import XmlParser, decode_xml
from xiangqi.games.pgn import MAX_PLIES
from xiangqi.games.tree import Game
from xiangqi.pieces import parse_square
from xiangqi.pieces.fen import STARTING_FEN

__all__ = ["PFC"]

_ROOT: Final = "n"
_BEGINNING: Final = re.compile(r"<n\s[^>]*?\bversion\s*=")
_HEADERS: Final = {**HEADERS, "create-time": "Date"}
_VALUE: Final = re.compile(r'"[^"]*"')
"""Value of an attribute."""
_SPECIAL: Final = re.compile(r"[<\n]|&(?!(?:amp|lt|gt|quot|apos|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});)")
"""Characters that XML would refuse within a value, or read as a blank."""
_ESCAPES: Final = {"<": "&lt;", "\n": "&#10;\n", "&": "&amp;"}
"""Their escapes. A line end is kept behind its own, so that errors give the lines of the file; XML
makes a blank of it, which is dropped."""
_MOVE: Final = re.compile(r"\s*([a-i][0-9])-?([a-i][0-9])\s*", re.ASCII)


class PfcFormat(OneGameFormat):
    """The format PFC; see the module."""

    name = "pfc"
    suffixes = (".pfc",)

    def detects(self, head: bytes) -> bool:
        return _BEGINNING.match(decode_xml(head).lstrip()) is not None

    def build(self, cut: bytes, source: str, number: int) -> Game:
        builder = GameBuilder(source, number)
        record = _Record()
        fault = record.parse(_VALUE.sub(_escape, decode_xml(cut)))
        fields = {name: value.strip() for name, value in record.fields.items() if value.strip()}
        fen = fields.pop("m", STARTING_FEN)
        results = [fields.pop(name, "*") for name in ("win", "result")]
        headers = builder.game.headers
        for name, value in fields.items():
            if name not in ("version", "c"):
                headers[_HEADERS.get(name, name)] = value
        builder.set_result(next((result for result in results if result != "*"), "*"))
        if fen != STARTING_FEN:
            builder.set_start(fen)
        builder.game.root.comment = record.start.comment
        play_tree(builder, record.start.next)
        if fault:
            builder.add_error(*fault)
        return builder.game


PFC: Final = PfcFormat()
"""The format of PFC, as in :data:`xiangqi.games.formats.FORMATS`."""


def _escape(value: re.Match[str]) -> str:
    return _SPECIAL.sub(lambda found: _ESCAPES[found[0]], value[0])


class _Record(XmlParser):
    """Parser of a record."""

    root = _ROOT
    max_depth = MAX_PLIES + 1

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, str] = {}
        self.start = PlainMove("", None)
        self._line: list[PlainMove] = []

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        comment = attributes.get("c", "").replace("\n ", "\n").strip()
        if not self._line:
            self.fields = dict(attributes)
            self.start.comment = comment
            self._line.append(self.start)
            return
        move = _read_move(attributes.get("m", ""), comment)
        siblings = self._line[-1].next
        is_main = attributes.get("default", "").lower() in ("true", "1")
        siblings.insert(0 if is_main else len(siblings), move)
        self._line.append(move)

    def end(self) -> None:
        self._line.pop()


def _read_move(text: str, comment: str) -> PlainMove:
    found = _MOVE.fullmatch(text.lower())
    if found is None or found[1] == found[2]:
        return PlainMove(text, None, comment)
    return PlainMove.between(parse_square(found[1]), parse_square(found[2]), comment)
