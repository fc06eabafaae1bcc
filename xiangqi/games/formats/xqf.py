"""XQF, the files of XQStudio (象棋演播室): one game with its variations and comments.

Versions 1.0 to 1.8 are read (the version byte is 10 to 18), 1.0 is written. The layout is that of
XQStudio's ``XQFileRW.pas``, as known from other readers (``xqf2pgn.cpp`` of eleeye,
``docs/xqf-format.md`` of pikaboard): a header of 1024 bytes with fields of fixed width, then the
tree of moves, depth first. From version byte 11 on, squares, lengths and the tree are encrypted
with keys from the header. Text is in GB18030; other programs also write Big5 and UTF-8, and one
encoding is found for all strings of a file.

Headers too long for their field or without one are written before the text of the opening comment
(see :mod:`xiangqi.games.formats.plain`), so that no header is cut off.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import cycle
from typing import IO, Final, NamedTuple, TypeAlias

from xiangqi.games.formats.base import (
    DEFAULT_OPTIONS,
    Notation,
    WriteOptions,
    choose_notation,
    read_whole,
)
from xiangqi.games.formats.builder import GameBuilder
from xiangqi.games.formats.plain import (
    PlainMove,
    Record,
    TreeFault,
    fill_slots,
    find_turn,
    is_header_name,
    join_marks,
    play_tree,
    put_headers,
    read_tree,
    set_pieces,
    split_marks,
    take_headers,
    take_slots,
)
from xiangqi.games.tree import Game, GameNode, start_board
from xiangqi.ground.errors import Fact, FormatError, XiangqiError
from xiangqi.ground.lines import find_encoding
from xiangqi.pieces import BLACK, RED, SQUARES, Square, square, square_file, square_rank
from xiangqi.pieces.fen import Setup, format_fen

__all__ = ["XQF"]

_HEADER_SIZE: Final = 0x400
_MAGIC: Final = b"XQ"
_VERSION_AT: Final = 2
_PIECES_AT: Final = 0x10
_TURN_AT: Final = 0x32
_RESULT_AT: Final = 0x33
_TYPE_AT: Final = 0x40

_FIELDS: Final = (
    ("Title", 0x50, 63),
    ("Subtitle", 0x90, 63),
    ("Event", 0xD0, 63),
    ("Date", 0x110, 15),
    ("Site", 0x120, 15),
    ("Red", 0x130, 15),
    ("Black", 0x140, 15),
    ("TimeRule", 0x150, 63),
    ("RedTime", 0x190, 15),
    ("BlackTime", 0x1A0, 15),
    ("Annotator", 0x1D0, 15),
    ("Author", 0x1E0, 15),
)
"""Headers with a field: name, offset of the length byte, maximum size of the text after it."""

_RESULTS: Final = {0: "*", 1: "1-0", 2: "0-1", 3: "1/2-1/2", 4: "1/2-1/2"}
"""Results by code; XQStudio writes 0 to 3, a few files have 4."""
_TYPES: Final = {1: "布局", 2: "中局", 3: "残局"}
"""Types of games by code: opening, middlegame, endgame; 0 is a whole game."""

_SOURCE_OFFSET: Final = 0x18
_TARGET_OFFSET: Final = 0x20
_VERSION: Final = 10
_RESULT_CODES: Final = {"*": 0, "1-0": 1, "0-1": 2, "1/2-1/2": 3}
_TYPE_CODES: Final = {text: code for code, text in _TYPES.items()}
_ROOT: Final = b"\x18\x20"  # at the root, instead of the squares of a move
_CAPTURED: Final = 0xFF
_HAS_NEXT: Final = 0xF0
_HAS_VARIATION: Final = 0x0F


_Encode: TypeAlias = Callable[[str, Fact], bytes]
"""Encoder of a string, with its place for errors."""


def _encode_game(game: Game, lossy: bool = False) -> bytes:
    """Encode a game as an XQF file of version 1.0, in GB18030.

    It is in UTF-8, which is never taken for another encoding, if a reader would take the text in
    GB18030 for Big5 or UTF-8. Raises FormatError for text that cannot be encoded, which is only
    lone surrogates, and for an invalid starting position; with *lossy* such a character becomes
    ``?``.
    """
    errors = "replace" if lossy else "strict"
    head, tree = _encode_parts(game, partial(_encode, encoding="gb18030", errors=errors), lossy)
    if _find_encoding(head, _Tree(tree, _VERSION, _Keys())) != "gb18030":
        head, tree = _encode_parts(game, partial(_encode, encoding="utf-8", errors=errors), lossy)
    return head + tree


def _encode_parts(game: Game, encode: _Encode, lossy: bool) -> tuple[bytes, bytes]:
    """Encode header and tree of a game."""
    head = bytearray(_HEADER_SIZE)
    head[:2] = _MAGIC
    head[_VERSION_AT] = _VERSION
    try:
        setup = start_board(game.fen).setup()
    except XiangqiError as error:
        raise FormatError("xqf", Fact("place.start"), error.fact) from error
    head[_PIECES_AT : _PIECES_AT + 32] = bytes(map(_code, fill_slots(setup)))
    head[_TURN_AT] = setup.turn == BLACK

    others = _put_fields(head, game.headers, encode)
    if format_fen(Setup(setup.board, setup.turn)) != game.fen:
        others["FEN"] = game.fen
    if bad := [name for name in others if not is_header_name(name)]:
        if not lossy:
            place = Fact("place.header", name=bad[0])
            raise FormatError("xqf", place, Fact("write.xqf_header"))
        others = {name: value for name, value in others.items() if is_header_name(name)}
    return bytes(head), _encode_tree(game.root, others, encode)


def _put_fields(head: bytearray, headers: Mapping[str, str], encode: _Encode) -> dict[str, str]:
    """Write the headers that fit into their fields; return the others."""
    fields = {name: (start, size) for name, start, size in _FIELDS}
    codes = {"Result": (_RESULT_AT, _RESULT_CODES), "Type": (_TYPE_AT, _TYPE_CODES)}
    others = {}
    for name, value in headers.items():
        if name in codes and value in codes[name][1]:
            place, known = codes[name]
            head[place] = known[value]
        elif name in fields and "\r" not in value and not value.endswith("\0"):
            start, size = fields[name]
            data = encode(value, Fact("place.named_header", name=name))
            if len(data) <= size:
                head[start : start + 1 + len(data)] = bytes([len(data)]) + data
            else:
                others[name] = value
        else:
            others[name] = value
    return others


def _encode_tree(root: GameNode, headers: Mapping[str, str], encode: _Encode) -> bytes:
    opening = put_headers(headers, join_marks(root.nags, root.comment))
    tag = _HAS_NEXT if root.variations else 0
    data = bytearray(_record(_ROOT, tag, opening, 0, encode))
    waiting = root.variations[::-1]
    while waiting:
        node = waiting.pop()
        move, parent = node.move, node.parent
        assert move is not None
        assert parent is not None
        tag = (_HAS_NEXT if node.variations else 0) | (
            _HAS_VARIATION if parent.variations[-1] is not node else 0
        )
        squares = bytes(
            (_code(move.from_square) + _SOURCE_OFFSET, _code(move.to_square) + _TARGET_OFFSET)
        )
        data += _record(squares, tag, join_marks(node.nags, node.comment), node.ply, encode)
        waiting.extend(reversed(node.variations))
    return bytes(data)


def _record(squares: bytes, tag: int, comment: str, ply: int, encode: _Encode) -> bytes:
    text = encode(comment.replace("\n", "\r\n"), Fact("place.opening_comment", ply=ply))
    return squares + bytes((tag, 0)) + len(text).to_bytes(4, "little") + text


def _code(square: Square | None) -> int:
    if square is None:
        return _CAPTURED
    return 10 * square_file(square) + square_rank(square)


def _encode(text: str, place: Fact, encoding: str, errors: str) -> bytes:
    try:
        return text.encode(encoding, errors)
    except UnicodeEncodeError as error:
        bad = text[error.start : error.end]
        raise FormatError("xqf", place, Fact("write.character", found=bad)) from error


_LAST_PLAIN: Final = 10  # last version without encryption
_LAST_VERSION: Final = 18
_FIRST_ROTATED: Final = 12  # first version in which the list of pieces is rotated
_STREAM_TEXT: Final = b"[(C) Copyright Mr. Dong Shiwei.]"


class _Keys(NamedTuple):
    """Keys that are subtracted from encrypted data; all 0 without encryption."""

    piece: int = 0
    source: int = 0
    target: int = 0
    length: int = 0
    stream: bytes = bytes(len(_STREAM_TEXT))

    @classmethod
    def of(cls, head: bytes) -> _Keys:
        """Compute the keys from a header by XQStudio's formulas; all but ``length`` modulo 256."""
        if head[_VERSION_AT] <= _LAST_PLAIN:
            return cls()
        mask, ors, sums = head[3], head[8:12], head[12:16]
        piece = _square54(sums[1]) * sums[1] & 0xFF
        source = _square54(sums[2]) * piece & 0xFF
        target = _square54(sums[3]) * source & 0xFF
        length = (sums[0] << 8 | sums[1]) % 32000 + 767
        own = [ors[i] | (sums[i] & mask) for i in range(4)]
        stream = bytes(byte & key for byte, key in zip(_STREAM_TEXT, cycle(own), strict=False))
        return cls(piece, source, target, length, stream)


def _square54(key: int) -> int:
    return 54 * key * key + 221


class _Node(NamedTuple):
    """A move as it is stored: its squares are still encoded, its comment is in bytes."""

    source: int
    target: int
    comment: bytes
    has_next: bool
    has_variation: bool


class _Tree:
    """Reader of the tree after the header."""

    def __init__(self, data: bytes, version: int, keys: _Keys) -> None:
        self._data = bytes(
            (byte - key) & 0xFF for byte, key in zip(data, cycle(keys.stream), strict=False)
        )
        self._raw = data
        self._plain = version <= _LAST_PLAIN
        self._keys = keys
        self._at = 0
        self.opening = ""
        """Comment of the starting position."""
        self.fault: TreeFault | None = None
        """Fault at which the tree breaks off, if it does."""

    def comments(self) -> list[bytes]:
        """List all comments, to find their encoding; the tree is read from its start afterwards."""
        found = []
        while self._at < len(self._data) and (node := self._take()) is not None:
            found.append(node.comment)
        self._at, self.fault = 0, None
        return found

    def records(self, decode: Callable[[bytes], str]) -> Iterator[Record]:
        """Iterate over the moves."""
        root = self._take()
        if root is None:
            return
        self.opening = decode(root.comment)
        while self._at < len(self._data) and (node := self._take()) is not None:
            move = PlainMove.between(
                _square(node.source - _SOURCE_OFFSET - self._keys.source),
                _square(node.target - _TARGET_OFFSET - self._keys.target),
                decode(node.comment),
            )
            yield Record(move, node.has_next, node.has_variation)

    def check_end(self, builder: GameBuilder) -> None:
        """Report data after the end of the tree as an error of the game."""
        rest = self._raw[self._at :]
        if rest.strip(b"\0"):
            reason = Fact("binary.behind_end", count=len(rest))
            builder.add_error(rest[:16].hex(" "), reason, rest=rest.hex(" "))
        self._at = len(self._data)

    def _take(self) -> _Node | None:
        """Read the next move; None, with :attr:`fault` set, if it is cut off."""
        node = self._data[self._at : self._at + 4]
        if len(node) < 4:
            self._cut_off(Fact("binary.no_move", found=len(node)))
            return None
        source, target, tag, _ = node
        self._at += 4
        if self._plain:
            has_next, has_variation, has_comment = tag & 0xF0, tag & 0x0F, True
        else:
            has_next, has_variation, has_comment = tag & 0x80, tag & 0x40, bool(tag & 0x20)
        comment = b""
        if has_comment:
            head = self._data[self._at : self._at + 4]
            stored = int.from_bytes(head, "little", signed=True)
            length = stored - self._keys.length if stored else 0
            start = self._at + 4
            left = max(0, len(self._data) - start)
            if len(head) < 4 or not 0 <= length <= left:
                self._cut_off(Fact("binary.comment", size=length, left=left))
                return None
            self._at = start + length
            comment = self._data[start : self._at]
        return _Node(source, target, comment, bool(has_next), bool(has_variation))

    def _cut_off(self, reason: Fact) -> None:
        rest = self._data[self._at :]
        self.fault = TreeFault(rest[:16].hex(" "), reason, rest.hex(" "))
        self._at = len(self._data)


def _square(code: int) -> Square:
    """Decode ``10 * file + rank``; an off-board value for an invalid code."""
    code &= 0xFF
    return square(code // 10, code % 10) if code < 90 else len(SQUARES) + code


def _strings(head: bytes) -> dict[str, bytes]:
    """Headers that stand in the fields of a file's header."""
    return {
        name: head[start + 1 : start + 1 + min(head[start], size)] for name, start, size in _FIELDS
    }


def _find_encoding(head: bytes, tree: _Tree) -> str:
    """Find the encoding of all strings: GB18030, or as other programs write them, Big5 or UTF-8."""
    text = b"\n".join([*_strings(head).values(), *tree.comments()])
    return "gb18030" if text.isascii() else find_encoding(text)[0]


def _decode(data: bytes, builder: GameBuilder, encoding: str) -> str:
    """Decode a string, one that is not in the file's encoding as GB18030."""
    for name in (encoding, "gb18030"):
        try:
            text = data.decode(name)
            break
        except UnicodeDecodeError:
            continue
    else:
        text = data.decode(encoding, "backslashreplace")
        builder.add_error(text, Fact("binary.encoding"))
    return text.rstrip("\0").replace("\r\n", "\n").replace("\r", "\n")


class XqfFormat:
    """The format XQF; see the module."""

    name = "xqf"
    suffixes = (".xqf",)
    can_write = True
    notations: tuple[Notation, ...] = ()
    is_text = False
    single = True

    def detects(self, head: bytes) -> bool:
        return head[:2] == _MAGIC and len(head) > _VERSION_AT and head[_VERSION_AT] <= _LAST_VERSION

    def split(
        self, data: IO[bytes], source: str, encoding: str | None = None
    ) -> Iterator[tuple[bytes, bytes, str | None]]:
        """Split the file into header, tree and encoding of the strings, None if it is to be found;
        see :class:`~xiangqi.games.formats.base.Format`."""
        head = data.read(_HEADER_SIZE)
        if head[:2] != _MAGIC:
            raise FormatError(source, "", Fact("binary.xqf"))
        if len(head) < _HEADER_SIZE:
            why = Fact("binary.xqf_header", count=len(head), size=_HEADER_SIZE)
            raise FormatError(source, "", why)
        if head[_VERSION_AT] > _LAST_VERSION:
            why = Fact("binary.xqf_version", version=head[_VERSION_AT], last=_LAST_VERSION)
            raise FormatError(source, "", why)
        yield head, read_whole(data, source), encoding

    def build(self, cut: tuple[bytes, bytes, str | None], source: str, number: int) -> Game:
        head, body, encoding = cut
        builder = GameBuilder(source, number)
        game = builder.game
        keys = _Keys.of(head)
        tree = _Tree(body, head[_VERSION_AT], keys)
        encoding = encoding or _find_encoding(head, tree)
        decode = partial(_decode, builder=builder, encoding=encoding)
        for name, data in _strings(head).items():
            if text := decode(data):
                game.headers[name] = text
        game.headers["Result"] = _RESULTS.get(head[_RESULT_AT], "*")
        if kind := _TYPES.get(head[_TYPE_AT]):
            game.headers["Type"] = kind

        plain = read_tree(tree.records(decode))
        tree.check_end(builder)
        own, opening = take_headers(tree.opening)
        fen = own.pop("FEN", "")
        game.headers.update(own)
        game.root.nags, game.root.comment = split_marks(opening)

        codes = [(code - keys.piece) & 0xFF for code in head[_PIECES_AT : _PIECES_AT + 32]]
        if head[_VERSION_AT] >= _FIRST_ROTATED:
            codes = [codes[(place - keys.piece - 1) % 32] for place in range(32)]
        # a code beyond the board is a captured piece
        pieces = take_slots([_square(code) if code < 90 else None for code in codes], builder)
        stated = BLACK if head[_TURN_AT] == 1 else RED
        if fen:
            builder.set_start(fen)
        else:
            set_pieces(builder, pieces, find_turn(pieces, plain.first, stated))
        play_tree(builder, plain.first)
        if (fault := tree.fault) is not None:
            builder.add_error(fault.text, fault.reason, plain.missing_at, fault.rest)
        elif plain.missing_at is not None and plain.first:
            builder.add_error("", Fact("binary.break_off"), plain.missing_at)
        return game

    def write(
        self, games: Iterable[Game], out: IO[bytes], options: WriteOptions = DEFAULT_OPTIONS
    ) -> None:
        choose_notation(self, options)
        for number, game in enumerate(games, start=1):
            if number > 1:
                place = Fact("place.game", number=number)
                raise FormatError(self.name, place, Fact("write.xqf_one_game"))
            out.write(_encode_game(game, options.lossy))


XQF: Final = XqfFormat()
"""The format of XQF, as in :data:`xiangqi.games.formats.FORMATS`."""
