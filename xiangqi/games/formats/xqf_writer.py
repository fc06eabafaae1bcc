"""The layout of XQF's header, and XQF written in version 1.0, which is not encrypted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from xiangqi.errors import FormatError, XiangqiError, quote
from xiangqi.fen import Setup, format_fen
from xiangqi.games.formats.notes import is_header_name, join_marks, put_headers
from xiangqi.games.formats.slots import fill_slots
from xiangqi.games.tree import Game, GameNode, start_board
from xiangqi.pieces import BLACK, Square, square_file, square_rank

__all__ = [
    "FIELDS",
    "HEADER_SIZE",
    "MAGIC",
    "PIECES_AT",
    "RESULTS",
    "RESULT_AT",
    "SOURCE_OFFSET",
    "TARGET_OFFSET",
    "TURN_AT",
    "TYPES",
    "TYPE_AT",
    "VERSION_AT",
    "encode_game",
]

HEADER_SIZE: Final = 0x400
MAGIC: Final = b"XQ"
VERSION_AT: Final = 2
PIECES_AT: Final = 0x10
TURN_AT: Final = 0x32
RESULT_AT: Final = 0x33
TYPE_AT: Final = 0x40

FIELDS: Final = (
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
"""Headers with a field: where its length byte stands, and how many bytes of text follow."""

RESULTS: Final = {0: "*", 1: "1-0", 2: "0-1", 3: "1/2-1/2", 4: "1/2-1/2"}
"""Results by their byte; XQStudio writes 0 to 3, a few files have 4."""
TYPES: Final = {1: "布局", 2: "中局", 3: "残局"}
"""What a game shows, as XQStudio names it; the byte 0 is a whole game."""

SOURCE_OFFSET: Final = 0x18
TARGET_OFFSET: Final = 0x20
_VERSION: Final = 10
_RESULT_CODES: Final = {"*": 0, "1-0": 1, "0-1": 2, "1/2-1/2": 3}
_TYPE_CODES: Final = {text: code for code, text in TYPES.items()}
_ROOT: Final = b"\x18\x20"  # where a move has its squares
_CAPTURED: Final = 0xFF
_HAS_NEXT: Final = 0xF0
_HAS_VARIATION: Final = 0x0F


def encode_game(game: Game, lossy: bool = False) -> bytes:
    """An XQF file of version 1.0 with a game.

    Raises FormatError where a text cannot be written in GB18030, which has all characters, and
    where the game has no starting position; with *lossy* a ``?`` stands for a bad character.
    """
    head = bytearray(HEADER_SIZE)
    head[:2] = MAGIC
    head[VERSION_AT] = _VERSION
    try:
        setup = start_board(game.fen).setup()
    except XiangqiError as error:
        raise FormatError("xqf", "starting position", str(error)) from error
    head[PIECES_AT : PIECES_AT + 32] = bytes(map(_code, fill_slots(setup)))
    head[TURN_AT] = setup.turn == BLACK

    others = _put_fields(head, game.headers, lossy)
    if format_fen(Setup(setup.board, setup.turn)) != game.fen:
        others["FEN"] = game.fen
    if bad := [name for name in others if not is_header_name(name)]:
        if not lossy:
            raise FormatError("xqf", f"header {quote(bad[0])}", "no field of XQF has this name")
        others = {name: value for name, value in others.items() if is_header_name(name)}
    return bytes(head) + _encode_tree(game.root, others, lossy)


def _put_fields(head: bytearray, headers: Mapping[str, str], lossy: bool) -> dict[str, str]:
    """Write the headers that fit into their fields; those that do not."""
    fields = {name: (start, size) for name, start, size in FIELDS}
    codes = {"Result": (RESULT_AT, _RESULT_CODES), "Type": (TYPE_AT, _TYPE_CODES)}
    others = {}
    for name, value in headers.items():
        if name in codes and value in codes[name][1]:
            place, known = codes[name]
            head[place] = known[value]
        elif name in fields and "\r" not in value and not value.endswith("\0"):
            start, size = fields[name]
            data = _encode(value, f"header {name}", lossy)
            if len(data) <= size:
                head[start : start + 1 + len(data)] = bytes([len(data)]) + data
            else:
                others[name] = value
        else:
            others[name] = value
    return others


def _encode_tree(root: GameNode, headers: Mapping[str, str], lossy: bool) -> bytes:
    opening = put_headers(headers, join_marks(root.nags, root.comment))
    tag = _HAS_NEXT if root.variations else 0
    data = bytearray(_record(_ROOT, tag, opening, 0, lossy))
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
            (_code(move.from_square) + SOURCE_OFFSET, _code(move.to_square) + TARGET_OFFSET)
        )
        data += _record(squares, tag, join_marks(node.nags, node.comment), node.ply, lossy)
        waiting.extend(reversed(node.variations))
    return bytes(data)


def _record(squares: bytes, tag: int, comment: str, ply: int, lossy: bool) -> bytes:
    text = _encode(comment.replace("\n", "\r\n"), f"comment at ply {ply}", lossy)
    return squares + bytes((tag, 0)) + len(text).to_bytes(4, "little") + text


def _code(square: Square | None) -> int:
    if square is None:
        return _CAPTURED
    return 10 * square_file(square) + square_rank(square)


def _encode(text: str, place: str, lossy: bool) -> bytes:
    try:
        return text.encode("gb18030", "replace" if lossy else "strict")
    except UnicodeEncodeError as error:
        bad = text[error.start : error.end]
        raise FormatError("xqf", place, f"{quote(bad)} is not a character") from error
