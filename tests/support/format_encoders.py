"""Writers of binary game files for the tests, made from the descriptions of their layouts alone."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import quoteattr

XQF_ORDER = "RNBAKABNRCCPPPPPrnbakabnrccppppp"
USUAL_ROWS = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"


@dataclass
class Ply:
    """A move in coordinates, the comment behind it, and what was or could be played next."""

    move: str
    comment: str = ""
    next: list[Ply] = field(default_factory=list)


def line(*moves: str) -> list[Ply]:
    """A line of play without comments or variations."""
    plies: list[Ply] = []
    for move in reversed(moves):
        plies = [Ply(move, next=plies)]
    return plies


def tree() -> list[Ply]:
    """1. h2e2 {..} h9g7 (1... b9c7 {..} 2. b0c2 (2. c3c4)) 2. h0g2, and 1. b2e2 instead."""
    first = Ply("h2e2", "当头炮\n古谱", line("h9g7", "h0g2"))
    first.next.append(Ply("b9c7", "对进右马", [*line("b0c2", "h9g7"), Ply("c3c4")]))
    return [first, Ply("b2e2", "", line("b9c7"))]


TREE_SHAPE: list[tuple[int, str, str, list[int]]] = [
    (0, "None", "开局注解", []),
    (1, "h2e2", "当头炮\n古谱", []),
    (2, "h9g7", "", []),
    (3, "h0g2", "", []),
    (2, "b9c7", "对进右马", []),
    (3, "b0c2", "", []),
    (4, "h9g7", "", []),
    (3, "c3c4", "", []),
    (1, "b2e2", "", []),
    (2, "b9c7", "", []),
]
"""The same as :func:`tests.support.game_trees.shape` gives it."""


def squares_of(rows: str) -> list[tuple[str, int, int]]:
    """The pieces of a FEN's first field: letter, file 0-8, rank 0-9 from Red's side."""
    pieces = []
    for down, row in enumerate(rows.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                pieces.append((letter, file, 9 - down))
                file += 1
    return pieces


# XQF


@dataclass(frozen=True)
class XqfKeys:
    """The eight key bytes and the mask of an XQF header; what they give by the formulas.

    ``encoding`` is that of the file's strings.
    """

    mask: int = 0
    ors: tuple[int, int, int, int] = (0, 0, 0, 0)
    sums: tuple[int, int, int, int] = (0, 0, 0, 0)
    encoding: str = "gb18030"

    @property
    def piece(self) -> int:
        k = self.sums[1]
        return (54 * k * k + 221) * k % 256

    @property
    def source(self) -> int:
        k = self.sums[2]
        return (54 * k * k + 221) * self.piece % 256

    @property
    def target(self) -> int:
        k = self.sums[3]
        return (54 * k * k + 221) * self.source % 256

    @property
    def comment(self) -> int:
        return (self.sums[0] * 256 + self.sums[1]) % 32000 + 767

    def stream(self, size: int) -> bytes:
        text = b"[(C) Copyright Mr. Dong Shiwei.]"
        period = [text[i] & (self.ors[i % 4] | (self.sums[i % 4] & self.mask)) for i in range(32)]
        return bytes(period[i % 32] for i in range(size))


XQF_FIELDS = {
    "title": (0x50, 63),
    "event": (0xD0, 63),
    "date": (0x110, 15),
    "site": (0x120, 15),
    "red": (0x130, 15),
    "black": (0x140, 15),
    "time rule": (0x150, 63),
    "red time": (0x190, 15),
    "black time": (0x1A0, 15),
    "annotator": (0x1D0, 15),
    "author": (0x1E0, 15),
}


def encode_xqf(
    plies: Sequence[Ply],
    *,
    version: int = 10,
    keys: XqfKeys | None = None,
    fields: Mapping[str, str] | None = None,
    rows: str = USUAL_ROWS,
    black_first: bool = False,
    result: int = 0,
    kind: int = 0,
    comment: str = "",
) -> bytes:
    """An XQF file; version 11 and later are encrypted with the keys."""
    keys = keys or XqfKeys()
    head = bytearray(0x400)
    head[:4] = b"XQ" + bytes((version, keys.mask))
    head[8:16] = bytes(keys.ors + keys.sums)
    head[0x10:0x30] = _xqf_pieces(rows, version, keys)
    head[0x32], head[0x33], head[0x40] = int(black_first), result, kind
    for name, text in (fields or {}).items():
        at, most = XQF_FIELDS[name]
        data = text.encode(keys.encoding)
        assert len(data) <= most, name
        head[at : at + 1 + len(data)] = bytes([len(data)]) + data
    body = _xqf_node(88, 81, comment, bool(plies), False, version, keys)
    body += _xqf_nodes(plies, version, keys)
    if version > 10:
        stream = keys.stream(len(body))
        body = bytes((byte + key) % 256 for byte, key in zip(body, stream, strict=True))
    return bytes(head) + body


def _xqf_pieces(rows: str, version: int, keys: XqfKeys) -> bytes:
    slots = [0xFF] * 32
    for letter, file, rank in squares_of(rows):
        free = [i for i in range(32) if XQF_ORDER[i] == letter and slots[i] == 0xFF]
        slots[free[0]] = 10 * file + rank
    if version < 11:
        return bytes(slots)
    if version > 11:
        slots = [slots[(keys.piece + 1 + i) % 32] for i in range(32)]
    return bytes((slot + keys.piece) % 256 for slot in slots)


def _xqf_nodes(plies: Sequence[Ply], version: int, keys: XqfKeys) -> bytes:
    data = b""
    for number, ply in enumerate(plies):
        source, target = (
            10 * "abcdefghi".index(ply.move[at]) + int(ply.move[at + 1]) for at in (0, 2)
        )
        if version > 10:
            source, target = source + keys.source, target + keys.target
        more = number + 1 < len(plies)
        data += _xqf_node(
            source + 24, target + 32, ply.comment, bool(ply.next), more, version, keys
        )
        data += _xqf_nodes(ply.next, version, keys)
    return data


def _xqf_node(
    source: int,
    target: int,
    comment: str,
    has_next: bool,
    has_variation: bool,
    version: int,
    keys: XqfKeys,
) -> bytes:
    text = comment.replace("\n", "\r\n").encode(keys.encoding)
    if version < 11:
        tag = (0xF0 if has_next else 0) | (0x0F if has_variation else 0)
        length = struct.pack("<i", len(text))
    else:
        tag = 0x80 * has_next | 0x40 * has_variation | 0x20 * bool(text)
        length = struct.pack("<i", len(text) + keys.comment) if text else b""
    return bytes((source % 256, target % 256, tag, 0)) + length + text


# CBR and CBL

CBR_PIECES = {letter: 0x11 + i for i, letter in enumerate("RNBAKCP")} | {
    letter: 0x21 + i for i, letter in enumerate("rnbakcp")
}
CBR_FIELDS = {
    1: {
        "title": 52,
        "event": 564,
        "round": 628,
        "date": 756,
        "site": 820,
        "red": 948,
        "red team": 1012,
        "black": 1172,
        "black team": 1236,
    },
    2: {
        "title": 180,
        "event": 692,
        "round": 756,
        "date": 884,
        "site": 948,
        "red": 1076,
        "red team": 1140,
        "black": 1300,
        "black team": 1364,
    },
}


def encode_cbr(
    plies: Sequence[Ply],
    *,
    version: int = 2,
    fields: Mapping[str, str] | None = None,
    rows: str = USUAL_ROWS,
    black_first: bool = False,
    result: int = 0,
    comment: str = "",
) -> bytes:
    """A record of CCBridge."""
    start = {1: 1856, 2: 2112}[version]
    head = bytearray(start + 102)
    head[:16] = b"CCBridge Record\0"
    head[19] = version
    for name, text in (fields or {}).items():
        at = CBR_FIELDS[version][name]
        data = (text + "\0").encode("utf-16-le")
        head[at : at + len(data)] = data
        head[at + len(data) : at + len(data) + 2] = b"\xaa\xbb"  # memory that nobody cleared
    head[start - 36] = result
    head[start] = 2 if black_first else 1
    for letter, file, rank in squares_of(rows):
        head[start + 8 + 9 * (9 - rank) + file] = CBR_PIECES[letter]
    body = _cbr_node(0, 0, comment, not plies, False) + _cbr_nodes(plies, version)
    return bytes(head) + body


def _cbr_nodes(plies: Sequence[Ply], version: int) -> bytes:
    data = b""
    for number, ply in enumerate(plies):
        source, target = (_cbr_square(ply.move[at : at + 2], version) for at in (0, 2))
        data += _cbr_node(source, target, ply.comment, not ply.next, number + 1 < len(plies))
        data += _cbr_nodes(ply.next, version)
    return data


def _cbr_square(name: str, version: int) -> int:
    file, down = "abcdefghi".index(name[0]), 9 - int(name[1])
    return 16 * file + down if version == 1 else 9 * down + file


def _cbr_node(source: int, target: int, comment: str, ends: bool, branches: bool) -> bytes:
    text = comment.encode("utf-16-le")
    mark = 1 * ends | 2 * branches | 4 * bool(text)
    length = struct.pack("<i", len(text)) if text else b""
    return bytes((mark, 0, source, target)) + length + text


def encode_cbl(records: Iterable[bytes], *, name: str = "", slots: int = 128) -> bytes:
    """A library of CCBridge: a header, an index, the records in slots of 4096 bytes."""
    head = bytearray(66624 + 276 * slots)
    head[:16] = b"CCBridgeLibrary\0"
    head[60:64] = struct.pack("<i", slots)
    data = name.encode("utf-16-le")
    head[64 : 64 + len(data)] = data
    body = b"".join(record + bytes(-len(record) % 4096) for record in records)
    return bytes(head) + body


# PFC and CHE


def encode_pfc(
    plies: Sequence[Ply],
    *,
    fields: Mapping[str, str] | None = None,
    fen: str = f"{USUAL_ROWS} w - - 0 1",
    result: str = "*",
    comment: str = "",
    main: int = 0,
) -> str:
    """A record of Peng Fei; ``main`` is the place of each main line among its alternatives."""
    known = {"version": "2", "win": result, "m": fen, "c": comment, **(fields or {})}
    body = "".join(_pfc_nodes(plies, main))
    return f'<?xml version="1.0" encoding="utf-8"?><n{_attributes(known)}>{body}</n>'


def _pfc_nodes(plies: Sequence[Ply], main: int) -> list[str]:
    nodes = []
    for number, ply in enumerate(plies):
        known = {"m": ply.move, "c": ply.comment} | ({} if number else {"default": "true"})
        inner = "".join(_pfc_nodes(ply.next, main))
        nodes.append(
            f"<n{_attributes(known)}>{inner}</n>" if inner else f"<n{_attributes(known)} />"
        )
    if nodes:
        nodes.insert(main, nodes.pop(0))
    return nodes


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f" {name}={quoteattr(value)}" for name, value in values.items())


def encode_che(moves: Sequence[str], *, stated: int | None = None) -> str:
    """A record of QQ; the numbers of the pieces, which nobody reads, are 16 or 0."""
    words = ["1", str(len(moves) if stated is None else stated)]
    for number, move in enumerate(moves, start=1):
        squares = [
            str(value) for at in (0, 2) for value in (move[at + 1], "ihgfedcba".index(move[at]))
        ]
        side = str(number % 2)
        words += [str(16 * (number % 2)), "32", side, *squares, "0", str(number), "0"]
    return " ".join(words)
