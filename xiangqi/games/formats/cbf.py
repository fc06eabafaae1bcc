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
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import IO, Final
from xml.parsers import expat

from xiangqi.games.formats.base import ReadOnlyFormat, read_whole
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.plain import PlainMove, play_tree
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact
from xiangqi.ground.lines import decode_line
from xiangqi.pieces import square
from xiangqi.pieces.fen import STARTING_FEN

__all__ = ["CBF"]

_ROOT: Final = "ChineseChessRecord"
_MAX_DEPTH: Final = 8
"""Maximum nesting of elements; a record has four."""
_NO_MOVE: Final = "00-00"
_MOVE: Final = re.compile(r"\s*([0-9])([0-9])-([0-9])([0-9])\s*", re.ASCII)
_DECLARATION: Final = re.compile(r"<\?xml\b[^>]*\?>")
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


class CbfFormat(ReadOnlyFormat):
    """The format CBF; see the module."""

    name = "cbf"
    suffixes = (".cbf",)
    is_text = False
    single = True

    def detects(self, head: bytes) -> bool:
        """Does the beginning have the root element of a record?"""
        text = _decode(head).lstrip()
        return text.startswith("<") and f"<{_ROOT}" in text

    def split(self, data: IO[bytes], source: str) -> Iterator[bytes]:
        """Return the whole file as one game."""
        yield read_whole(data, source)

    def build(self, cut: bytes, source: str, number: int) -> Game:
        builder = GameBuilder(source, number)
        record = _Record()
        fault = record.parse(_decode(cut))
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


def _decode(data: bytes) -> str:
    """Decode a file and drop its XML declaration; the bytes show the encoding."""
    text = decode_line(data).removeprefix("\ufeff").lstrip()
    found = _DECLARATION.match(text)
    return text if found is None else text[found.end() :]


class _NotARecord(Exception):
    """Raised at a text that ends parsing, with the reason."""


@dataclass
class _Record:
    """Parser of a file's elements."""

    headers: dict[str, str] = field(default_factory=dict)
    moves: list[tuple[str, bool]] = field(default_factory=list)
    """Value of each move, and whether it ends the line."""
    _open: list[str] = field(default_factory=list)

    def parse(self, text: str) -> tuple[str, Fact] | None:
        """Parse a file; if it is damaged or no record, return the faulty text and the reason."""
        parser = expat.ParserCreate("utf-8")
        parser.buffer_text = True
        parser.StartDoctypeDeclHandler = self._refuse_document_type
        parser.StartElementHandler = self._begin
        parser.EndElementHandler = lambda _: self._open.pop()
        parser.CharacterDataHandler = self._add_text
        try:
            parser.Parse(text.encode("utf-8", "replace"), True)
        except _NotARecord as error:
            found, reason = error.args
            return found, reason
        except expat.ExpatError as error:
            line = "".join(text.splitlines()[error.lineno - 1 : error.lineno])
            place = {"line": error.lineno, "column": error.offset + 1}
            return line.strip(), Fact("xml.bad", **place, error=expat.ErrorString(error.code))
        return None

    def _refuse_document_type(self, name: str, *_: object) -> None:
        raise _NotARecord(f"<!DOCTYPE {name}", Fact("xml.document_type"))

    def _begin(self, name: str, attributes: Mapping[str, str]) -> None:
        if not self._open and name != _ROOT:
            raise _NotARecord(f"<{name}", Fact("xml.element", name=f"<{_ROOT}>"))
        if len(self._open) == _MAX_DEPTH:
            raise _NotARecord(f"<{name}", Fact("xml.nested", most=_MAX_DEPTH))
        if self._open[1:] == ["MoveList"] and name == "Move":
            self.moves.append((attributes.get("value", ""), attributes.get("end") == "1"))
        self._open.append(name)

    def _add_text(self, text: str) -> None:
        if len(self._open) == 3 and self._open[1] == "Head":
            self.headers[self._open[2]] = self.headers.get(self._open[2], "") + text


def _read_move(value: str) -> PlainMove:
    found = _MOVE.fullmatch(value)
    files = [int(found[1]), int(found[3])] if found else []
    if found is None or max(files) > 8:
        return PlainMove(value, None)
    source, target = square(files[0], 9 - int(found[2])), square(files[1], 9 - int(found[4]))
    return PlainMove.between(source, target)
