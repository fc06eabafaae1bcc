"""The evaluation of the engine: network files, the choice among them, and values of positions.

A file is the magic ``MEIHUANN``; the version and the length of the header, two unsigned 32-bit
numbers; the header, a JSON object in UTF-8; and the payload, the weights as
:class:`xiangqi.core.network.Network` reads them. All numbers are little-endian. The header has

* ``architecture``: the layout of the weights, see :func:`xiangqi.core.network.architecture` and
  :class:`Shape`; the oldest files lack its field ``kings``, which defaults to ``files``;
* ``sha256``: the hash of the payload, in hexadecimal digits;
* ``training``: how the network was made, for readers: positions, epochs, data, command, date.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

from xiangqi.board import Board
from xiangqi.core.board import CoreBoard
from xiangqi.core.evaluator import evaluate_board, piece_contributions, searched_value
from xiangqi.core.network import KING_BUCKETS, WIDTHS, Network, architecture, payload_size
from xiangqi.engine.options import DEFAULT
from xiangqi.ground.errors import Fact, NetworkError, outside, quote, reason_of
from xiangqi.pieces import FILE_NAMES, RANK_NAMES, square

__all__ = [
    "DEFAULT",
    "NetworkFile",
    "Shape",
    "choose_network",
    "format_evaluation",
    "pack_network",
    "read_network",
    "unpack_network",
    "unpack_payload",
    "value_of",
]

DEFAULT_PATH: Final = Path(__file__).parent / "networks" / DEFAULT

MAGIC: Final = b"MEIHUANN"
VERSION: Final = 1
MAX_HEADER: Final = 1 << 20
DEFAULT_KINGS: Final = "files"

_T = TypeVar("_T")
_PROLOGUE: Final = struct.Struct("<8sII")
_MAX_BYTES: Final = (
    MAX_HEADER + _PROLOGUE.size + max(payload_size(max(WIDTHS), kings) for kings in KING_BUCKETS)
)
_MAX_CACHED: Final = 8


class Shape(NamedTuple):
    """Parameters of a network's architecture."""

    hidden: int
    """Hidden neurons of each side, one of WIDTHS."""
    kings: str
    """Scheme of the king buckets, one of KING_BUCKETS."""


@dataclass(frozen=True)
class NetworkFile:
    """Loaded network; all users share its weights."""

    name: str
    """File name without the folder."""
    training: Mapping[str, Any]
    """Record of the training."""
    sha256: str
    weights: Network


def choose_network(name: str = DEFAULT) -> NetworkFile:
    """Load the network ``name``: DEFAULT or a path; raises NetworkError."""
    return read_network(DEFAULT_PATH if name.lower() == DEFAULT else Path(name))


def read_network(path: Path) -> NetworkFile:
    """Read a network file, or return the cached network; raises NetworkError."""
    try:
        if not path.is_file():
            raise NetworkError(str(path), Fact("no_file"), Fact("network.file"))
        stat = path.stat()
        return _read(path.resolve(), stat.st_size, stat.st_mtime_ns)
    except NetworkError as error:
        raise NetworkError(str(path), error.found, error.expected) from error
    except (OSError, ValueError) as error:  # a ValueError for a path with a zero byte
        why = Fact("failure", why=reason_of(error))
        raise NetworkError(str(path), why, Fact("network.file")) from error


@lru_cache(_MAX_CACHED)
def _read(path: Path, size: int, changed: int) -> NetworkFile:
    """Read a network file; cached until its size or time changes."""
    with path.open("rb") as file:
        return unpack_network(file.read(_MAX_BYTES + 1), path)


def pack_network(payload: bytes, shape: Shape, training: Mapping[str, Any]) -> bytes:
    """Pack a network file; ``training`` records how the network was made."""
    header = {
        "architecture": architecture(*shape),
        "sha256": hashlib.sha256(payload).hexdigest(),
        "training": dict(training),
    }
    text = json.dumps(header, ensure_ascii=False, sort_keys=True).encode()
    return _PROLOGUE.pack(MAGIC, VERSION, len(text)) + text + payload


def unpack_network(data: bytes, path: Path) -> NetworkFile:
    """Parse the bytes of a network file; raises NetworkError, which names the path."""
    shape, header, payload = _unpack(data, path)
    try:
        weights = Network(payload, hidden=shape.hidden, kings=shape.kings)
    except ValueError as error:
        raise NetworkError(str(path), outside(error), Fact("network.smaller")) from error
    return NetworkFile(path.name, header["training"], header["sha256"], weights)


def unpack_payload(data: bytes, path: Path) -> tuple[Shape, bytes]:
    """Shape and weights from the bytes of a network file, for training; raises NetworkError."""
    shape, _, payload = _unpack(data, path)
    return shape, payload


def _unpack(data: bytes, path: Path) -> tuple[Shape, dict[str, Any], bytes]:
    """Validate a network file; return its shape, header and weights."""
    header, payload = _split(data, str(path))
    shape = _check_header(header, str(path))
    if len(payload) != payload_size(*shape):
        found = Fact("network.weights", count=len(payload))
        raise NetworkError(str(path), found, Fact("value", value=payload_size(*shape)))
    digest = hashlib.sha256(payload).hexdigest()
    if digest != header["sha256"]:
        found = Fact("network.hash", digest=digest)
        raise NetworkError(str(path), found, Fact("value", value=quote(header["sha256"])))
    return shape, header, payload


def _split(data: bytes, path: str) -> tuple[dict[str, Any], bytes]:
    """Split a network file into header and payload."""
    if len(data) < _PROLOGUE.size or not data.startswith(MAGIC):
        found = Fact("beginning", found=quote(data[:8]))
        raise NetworkError(path, found, Fact("value", value=repr(MAGIC)))
    _, version, length = _PROLOGUE.unpack_from(data)
    if version != VERSION:
        raise NetworkError(path, Fact("version", version=version), Fact("version", version=VERSION))
    text, payload = data[_PROLOGUE.size :][:length], data[_PROLOGUE.size + length :]
    if length > MAX_HEADER or len(text) < length:
        most = min(MAX_HEADER, len(data) - _PROLOGUE.size)
        found = Fact("network.header_size", count=length)
        raise NetworkError(path, found, Fact("at_most", most=most))
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        found = Fact("network.bad_json", header=text, error=str(error))
        raise NetworkError(path, found, Fact("json")) from error
    if not isinstance(header, dict):
        raise NetworkError(path, Fact("network.header", header=header), Fact("json_object"))
    return header, payload


def _check_header(header: Mapping[str, Any], path: str) -> Shape:
    """Architecture of a header; raises NetworkError if it is unknown or a field has the wrong
    type."""
    found = header.get("architecture")
    if not isinstance(found, dict):
        raise NetworkError(path, Fact("network.architecture", found=found), Fact("json_object"))
    fields = {"kings": DEFAULT_KINGS, **found}
    shape = Shape(
        _choose(fields, "hidden", tuple(WIDTHS), path),
        _choose(fields, "kings", (*KING_BUCKETS,), path),
    )
    expected = architecture(*shape)
    for name in sorted(fields.keys() | expected.keys()):
        if fields.get(name) != expected.get(name) or isinstance(fields.get(name), bool):
            raise _refuse(fields, name, quote(expected.get(name)), path)
    for name, kind in (("sha256", str), ("training", dict)):
        if not isinstance(header.get(name), kind):
            wanted = Fact("network.digits" if kind is str else "json_object")
            raise NetworkError(
                path, Fact("network.field", found=header.get(name), name=name), wanted
            )
    return shape


def _choose(fields: Mapping[str, Any], name: str, known: tuple[_T, ...], path: str) -> _T:
    """Choose the value of an architecture's field among the known ones."""
    for value in known:
        if fields.get(name) == value and type(fields[name]) is type(value):
            return value
    raise _refuse(fields, name, " or ".join(map(quote, known)), path)


def _refuse(fields: Mapping[str, Any], name: str, expected: str, path: str) -> NetworkError:
    found = Fact("network.part", found=fields.get(name), name=name)
    return NetworkError(path, found, Fact("value", value=expected))


def value_of(board: CoreBoard, network: NetworkFile) -> int:
    """Static evaluation of the search, from the side to move's point of view."""
    return searched_value(board, network.weights)


def format_evaluation(board: Board, network: NetworkFile) -> str:
    """The network's value, the board with the contribution of each piece, and the search's value,
    if it differs; in centipawns, from the side to move's point of view.

    The contribution of a piece is the value less that without it, as in Stockfish's ``eval``.
    """
    value = evaluate_board(board, network.weights)
    lines = [f"network {network.name}: value {value} centipawns for the side to move"]
    if (searched := value_of(board, network)) != value:
        lines.append(f"one attacker at most: searched as {searched}")
    lines.append("contribution of each piece, the value less that without it:")
    contributions = piece_contributions(board, network.weights)
    for rank in reversed(range(len(RANK_NAMES))):
        squares = [square(file, rank) for file in range(len(FILE_NAMES))]
        pieces = [board.piece_at(there) for there in squares]
        letters = "".join(f"{piece.symbol() if piece else '.':>6}" for piece in pieces)
        numbers = "".join(f"{contributions.get(there, ''):>6}" for there in squares)
        lines += [f"{RANK_NAMES[rank]}{letters}", f" {numbers}".rstrip()]
    lines.append(" " + "".join(f"{name:>6}" for name in FILE_NAMES))
    return "\n".join(lines)
