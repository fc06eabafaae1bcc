"""CBR and CBL, the records and libraries of CCBridge (象棋桥); read only.

A record has a header with fields of fixed width in UTF-16, the board, and the tree of moves, depth
first. A library has a header, an index, and records, each aligned to 4096 bytes from the first one
on; it is read record by record. The gaps between fields hold uncleared memory of the program.
Layout: ``docs/ccbridge-format.md`` of pikaboard for version 2, vschess (``binaryToNode_CBR``) for
version 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import IO, Final, NamedTuple

from xiangqi.games.formats.base import MAX_GAME_SIZE, ReadOnlyFormat, read_whole
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.plain import (
    PlainMove,
    Record,
    TreeFault,
    find_turn,
    play_tree,
    read_tree,
    set_pieces,
    split_marks,
)
from xiangqi.games.tree import Game
from xiangqi.ground.errors import Fact, FormatError, plural
from xiangqi.pieces import BLACK, RED, SQUARES, Piece, Square, square, square_flip

__all__ = ["CBR"]

_RECORD_MAGIC: Final = b"CCBridge Record\0"
_LIBRARY_MAGIC: Final = b"CCBridgeLibrary\0"
_VERSION_AT: Final = 19
_SLOT: Final = 4096
_INDEX_AT: Final = 66624  # offset of a library's index, which precedes its first record
_BOARD_SIZE: Final = 90
_TEXT_FIELD: Final = 64  # bytes of most fields
_END, _BRANCH, _COMMENT = 1, 2, 4

_RESULTS: Final = {0: "*", 1: "1-0", 2: "0-1", 3: "1/2-1/2"}
_PIECES: Final = {
    first + number: Piece.from_symbol(letter)
    for first, letters in ((0x11, "RNBAKCP"), (0x21, "rnbakcp"))
    for number, letter in enumerate(letters)
}
_NO_PIECES: Final = (0, 1)


class _Layout(NamedTuple):
    """Offsets of the fields in a version."""

    fields: Mapping[str, tuple[int, int]]
    """Offset and size of each header's text."""
    result: int
    position: int
    """Side to move, followed at 4 by the number of the move, at 8 by the board, at 102 by the
    tree."""

    @property
    def board(self) -> int:
        """Offset of the board, whose squares are in the order of a FEN."""
        return self.position + 8

    @property
    def tree(self) -> int:
        """Offset of the tree."""
        return self.position + 102


def _fields(start: int, *names: str) -> dict[str, tuple[int, int]]:
    """Lay out consecutive fields, given as ``name``, ``name:size`` or, for a gap, ``:size``."""
    fields = {}
    for item in names:
        name, _, size = item.partition(":")
        width = int(size or _TEXT_FIELD)
        if name:
            fields[name] = (start, width)
        start += width
    return fields


_PLAYERS: Final = (
    "Red", "RedTeam", "RedTime", "RedRating:32",
    "Black", "BlackTeam", "BlackTime", "BlackRating:32",
)  # fmt: skip
_EVENT: Final = ("Source", "EventClass", "Event", "Round", "Group:32", "Table:32", "Date", "Site")
_AUTHORS: Final = ("Annotator", "AnnotatorEmail", "Author", "AuthorEmail", "Created", "Saved")

_LAYOUTS: Final = {
    1: _Layout(
        _fields(52, "Title:128", "Category:256", *_EVENT, "TimeRule", *_PLAYERS, *_AUTHORS)
        | _fields(1788, "GameType:32", ":4", "Termination:32"),
        1820,
        1856,
    ),
    2: _Layout(
        _fields(52, "Script:128", "Title:128", "Category:256", *_EVENT, "TimeRule", *_PLAYERS)
        | _fields(1524, "Referee", "Recorder", *_AUTHORS)
        | _fields(2044, "GameType:32", ":4", "Termination:32"),
        2076,
        2112,
    ),
}
_LIBRARY_FIELDS: Final = _fields(
    64, "Library:512", "LibrarySource:256", "LibraryAuthor", "LibraryAuthorEmail",
    "LibraryCreated", "LibrarySaved", "LibraryRemarks:65536",
)  # fmt: skip


class _Cut(NamedTuple):
    """Record cut out of a file."""

    record: bytes
    library: Mapping[str, str]
    """Headers from the library."""


class CbrFormat(ReadOnlyFormat):
    """The formats CBR and CBL; see the module."""

    name = "cbr"
    suffixes = (".cbr", ".cbl")
    is_text = False
    single = False

    def detects(self, head: bytes) -> bool:
        return head.startswith((_RECORD_MAGIC, _LIBRARY_MAGIC))

    def split(self, data: IO[bytes], source: str) -> Iterator[_Cut]:
        """Cut a library into its records; see :class:`~xiangqi.games.formats.base.Format`."""
        magic = data.read(len(_RECORD_MAGIC))
        if magic == _RECORD_MAGIC:
            yield _Cut(magic + read_whole(data, source), {})
        elif magic == _LIBRARY_MAGIC:
            library = _read_fields(magic + data.read(_INDEX_AT - len(magic)), _LIBRARY_FIELDS)
            is_empty = True
            for record in _split_records(data, source):
                is_empty = False
                yield _Cut(record, library)
                # other fields of the library become headers of its first game only
                library = {name: text for name, text in library.items() if name == "Library"}
            if is_empty:
                raise FormatError(source, "", Fact("binary.empty_library"))
        else:
            raise FormatError(source, "", Fact("binary.cbr"))

    def build(self, cut: _Cut, source: str, number: int) -> Game:
        builder = GameBuilder(source, number)
        game, record = builder.game, cut.record
        game.headers.update(cut.library)
        version = record[_VERSION_AT] if len(record) > _VERSION_AT else 0
        layout = _LAYOUTS.get(version)
        if layout is None:
            known = " or ".join(map(str, _LAYOUTS))
            builder.add_error(f"version {version}", Fact("binary.version", known=known))
            return game
        if len(record) < layout.tree:
            reason = Fact("binary.cut_off", count=layout.tree)
            builder.add_error(plural(len(record), "byte"), reason)
            return game
        game.headers.update(_read_fields(record, layout.fields))
        result = record[layout.result]
        game.headers["Result"] = _RESULTS.get(result, "*")

        stream = _Stream(record[layout.tree :], version)
        plain = read_tree(stream.records())
        game.root.nags, game.root.comment = split_marks(stream.opening)
        pieces = {}
        for place, code in enumerate(record[layout.board : layout.board + _BOARD_SIZE]):
            if code in _PIECES:
                pieces[square_flip(place)] = _PIECES[code]
            elif code not in _NO_PIECES:
                builder.add_error(f"piece {code:#04x}", Fact("binary.piece", place=place))
        stated = BLACK if record[layout.position] == 2 else RED
        turn = find_turn(pieces, plain.first, stated)
        number = int.from_bytes(record[layout.position + 4 : layout.position + 6], "little")
        set_pieces(builder, pieces, turn, number)
        play_tree(builder, plain.first)
        if (fault := stream.fault) is not None:
            builder.add_error(fault.text, fault.reason, plain.missing_at, fault.rest)
        return game


CBR: Final = CbrFormat()
"""The format of CBR and CBL, as in :data:`xiangqi.games.formats.FORMATS`."""


# A library


def _split_records(data: IO[bytes], source: str) -> Iterator[bytes]:
    """Iterate over the records after the index, each made of whole slots."""
    slot = data.read(_SLOT)
    while (found := slot.find(_RECORD_MAGIC)) < 0:
        more = data.read(_SLOT)
        if not more:
            return
        slot = slot[1 - len(_RECORD_MAGIC) :] + more
    slots: list[bytes] = []
    ahead = slot[found:]
    while slot := ahead[:_SLOT] + data.read(max(0, _SLOT - len(ahead))):
        ahead = ahead[_SLOT:]
        if slots and slot.startswith(_RECORD_MAGIC):
            yield b"".join(slots)
            slots = []
        slots.append(slot)
        if len(slots) > MAX_GAME_SIZE // _SLOT:
            raise FormatError(source, "", Fact("binary.long_record", most=MAX_GAME_SIZE))
    yield b"".join(slots)


# A record


def _read_fields(data: bytes, fields: Mapping[str, tuple[int, int]]) -> dict[str, str]:
    texts = {name: _decode(data[start : start + size]) for name, (start, size) in fields.items()}
    return {name: text for name, text in texts.items() if text}


def _decode(data: bytes) -> str:
    """Decode UTF-16 up to a NUL; invalid characters become escapes."""
    text = data.decode("utf-16-le", "backslashreplace").partition("\0")[0]
    return text.replace("\r\n", "\n").replace("\r", "\n")


class _Stream:
    """Reader of the tree of a record."""

    def __init__(self, data: bytes, version: int) -> None:
        self._data = data
        self._version = version
        self._at = 0
        self.opening = ""
        """Comment of the starting position."""
        self.fault: TreeFault | None = None
        """Fault at which the tree breaks off, if it does."""

    def records(self) -> Iterator[Record]:
        """Iterate over the moves; four zero bytes, with which some files end, are not a move."""
        root = self._take()
        if root is None:
            return
        self.opening = root.move.comment
        while root.has_next and self._data[self._at : self._at + 4] != bytes(4):
            record = self._take()
            if record is None:
                return
            yield record

    def _take(self) -> Record | None:
        node = self._data[self._at : self._at + 4]
        if len(node) < 4 or node[0] > (_END | _BRANCH | _COMMENT):
            self._stop(node, Fact("binary.mark"))
            return None
        mark, _, source, target = node
        self._at += 4
        comment = ""
        if mark & _COMMENT:
            head = self._data[self._at : self._at + 4]
            length = int.from_bytes(head, "little", signed=True)
            start = self._at + 4
            left = len(self._data) - start
            if not 0 <= length <= left:
                self._stop(head, Fact("binary.comment", size=length, left=max(0, left)))
                return None
            self._at = start + length
            comment = _decode(self._data[start : self._at])
        move = PlainMove.between(self._square(source), self._square(target), comment)
        return Record(move, not mark & _END, bool(mark & _BRANCH))

    def _square(self, code: int) -> Square:
        """Decode a square; an off-board value for an invalid code."""
        if self._version == 1:
            file, rank = code >> 4, 9 - (code & 15)
            return square(file, rank) if file < 9 and rank >= 0 else len(SQUARES) + code
        return square_flip(code) if code in SQUARES else len(SQUARES) + code

    def _stop(self, found: bytes, reason: Fact) -> None:
        rest = self._data[self._at :].rstrip(b"\0")
        self.fault = TreeFault(found.hex(" "), reason, rest.hex(" "))
