"""CBF, records of CCBridge (象棋桥) in XML; read only.

A file is one ``<ChineseChessRecord>``: the headers in ``<Head>``, each an element, the position in
``<FEN>`` among them, and the moves in ``<MoveList>``::

    <MoveList>
      <Move value="00-00" />
      <Move value="77-47" />
      <Move value="79-67" end="1" />
    </MoveList>

``00-00`` is the starting position; a move is the file and rank of both squares, counted from 0 at
a9. ``end`` marks the last move of the line. The layout is that of
icyElephant and cchess (``read_from_cbf``). Neither defines how variations are written: moves after
the end of the line are an error. A document type, and with it any entity, is refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from xiangqi.games.formats.base import OneGameFormat
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.plain import PlainMove, play_tree
from xiangqi.games.formats.xml_parser import XmlParser, decode_xml
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact
from xiangqi.pieces import square
from xiangqi.pieces.fen import STARTING_FEN

__all__ = ["CBF"]

_ROOT: Final = "ChineseChessRecord"
_NO_MOVE: Final = "00-00"
_MOVE: Final = re.compile(r"\s*([0-9])([0-9])-([0-9])([0-9])\s*", re.ASCII)
_HEADERS: Final = {
    "Name": "Title", "From": "Source", "ContestType": "EventClass", "Contest": "Event",
    "Round": "Round", "Group": "Group", "Table": "Table", "Date": "Date", "Site": "Site",
    "TimeRule": "TimeRule", "Red": "Red", "RedTeam": "RedTeam", "RedTime": "RedTime",
    "RedRating": "RedRating", "Black": "Black", "BlackTeam": "BlackTeam",
    "BlackTime": "BlackTime", "BlackRating": "BlackRating", "Referee": "Referee",
    "Recorder": "Recorder", "Commentator": "Annotator", "CommentatorURL": "AnnotatorEmail",
    "Creator": "Author", "CreatorURL": "AuthorEmail", "DateCreated": "Created",
    "DateModified": "Saved", "ECCO": "ECCO", "ResultType": "Termination",
}  # fmt: skip
"""Headers by element, with the names of CBR's headers; other elements keep their names."""
_RESULTS: Final = {"1": "1-0", "2": "0-1", "3": "1/2-1/2", "4": "1/2-1/2"}


class CbfFormat(OneGameFormat):
    """The format CBF; see the module."""

    name = "cbf"
    suffixes = (".cbf",)

    def detects(self, head: bytes) -> bool:
        """Does the beginning have the root element of a record?"""
        text = decode_xml(head).lstrip()
        return text.startswith("<") and f"<{_ROOT}" in text

    def build(self, cut: bytes, source: str, number: int) -> Game:
        builder = GameBuilder(source, number)
        record = _Record()
        fault = record.parse(decode_xml(cut))
        fields = {name: value.strip() for name, value in record.headers.items() if value.strip()}
        fen = fields.pop("FEN", STARTING_FEN)
        result = fields.pop("RecordResult", "0")
        headers = builder.game.headers
        headers.update({_HEADERS.get(name, name): value for name, value in fields.items()})
        headers["Result"] = _RESULTS.get(result, "*")
        if fen != STARTING_FEN:
            builder.set_start(fen)
        moves = record.moves[1:] if record.moves[:1] == [(_NO_MOVE, False)] else record.moves
        end = next((place for place, (_, is_end) in enumerate(moves, 1) if is_end), len(moves))
        line = [_read_move(value) for value, _ in moves[:end]]
        for move, following in pairwise(line):
            move.next.append(following)
        play_tree(builder, line[:1])
        if moves[end:] and moves[end][0] != _NO_MOVE:
            rest = " ".join(value for value, _ in moves[end:])
            builder.add_error(moves[end][0], Fact("text.behind_end"), rest=rest)
        if fault:
            builder.add_error(*fault)
        return builder.game


CBF: Final = CbfFormat()
"""The format of CBF, as in :data:`xiangqi.games.formats.FORMATS`."""


class _Record(XmlParser):
    """Parser of a record."""

    root = _ROOT
    max_depth = 8

    def __init__(self) -> None:
        super().__init__()
        self.headers: dict[str, str] = {}
        self.moves: list[tuple[str, bool]] = []
        """Value of each move, and whether it ends the line."""

    def begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if self.open[1:] == ["MoveList"] and name == "Move":
            self.moves.append((attributes.get("value", ""), attributes.get("end") == "1"))

    def add_text(self, text: str) -> None:
        if len(self.open) == 3 and self.open[1] == "Head":
            self.headers[self.open[2]] = self.headers.get(self.open[2], "") + text


def _read_move(value: str) -> PlainMove:
    found = _MOVE.fullmatch(value)
    files = [int(found[1]), int(found[3])] if found else []
    if found is None or max(files) > 8:
        return PlainMove(value, None)
    source, target = square(files[0], 9 - int(found[2])), square(files[1], 9 - int(found[4]))
    return PlainMove.between(source, target)
