"""Reading ``.lzdtm`` files: the end-game tables of the community, with the distance to mate.

They are made by the generator behind chessdb.cn; its prober (extensions/PHP7/ccegtbprobe of
https://github.com/noobpwnftw/chessdb) shows the format. A file is named by its pieces,
``KRKN.lzdtm``, the side that counts more first. All numbers are little-endian:

* a magic and a key, 32 bits each; the last two bits of the key tell how many sides to move it has;
* for each side to move a byte that is 128 or more where all values are the same, and that value
  in a byte with its sign; or else 0, and a byte that is not 0 where values have marks of
  repetition. In that case follow the bytes of the last block and of the others, the number of
  blocks (32 bits each) and the bytes of all blocks (64);
* for each side the place and the size of each block, 64 bits: the size is the lowest 20;
* for each side, at a multiple of 64, the blocks: LZMA, its five bytes of properties at the end.

A value has 16 bits: 0 is a draw, 65,535 no position. Else the lowest 11 are the plies to mate and
one more, the next one is set for a win, and the highest four tell that repetitions matter.

**What these tables say where repetitions matter is not what the rule book says**: their makers
ruled them by a reading of their own, which is known to be wrong in places (chessdb issues 8 and
19). See :data:`WARNING`.
"""

from __future__ import annotations

import itertools
import lzma
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from xiangqi.core.board import CoreBoard
from xiangqi.errors import TableError
from xiangqi.fen import Setup
from xiangqi.pieces import PIECE_LETTERS, RED
from xiangqi.tables.probing import TableValue

__all__ = ["SUFFIX", "WARNING", "probe_lzdtm"]

SUFFIX: Final = ".lzdtm"
WARNING: Final = (
    "a table of the community: where repetitions matter, it does not follow the rule book"
)

_MAGIC: Final = 0xC7B382A6
_HEAD: Final = struct.Struct("<II")
_SIDE: Final = struct.Struct("<BB")
_BLOCKS: Final = struct.Struct("<IIIQ")
_BLOCK: Final = struct.Struct("<Q")
_VALUE: Final = struct.Struct("<H")
_SINGLE: Final = struct.Struct("<f")
_ALIGNED: Final = 64
_PROPERTIES: Final = 5
_MOST_BLOCK: Final = 1 << 26
_UNKNOWN_SIZE: Final = b"\xff" * 8
_NO_POSITION: Final = 0xFFFF

_WORTH: Final = {"R": 4000, "N": 600, "C": 603, "A": 11, "B": 10, "P": 80, "K": 0}
"""By these numbers it is decided which side counts more."""
_GROUPS: Final = ("KAB", "R", "N", "C", "P")
"""Pieces of a side whose placements are numbered together."""
_MOST: Final = {"K": 1, "A": 2, "B": 2, "R": 2, "N": 2, "C": 2, "P": 3}

Pieces = Mapping[str, tuple[int, ...]]
"""The squares of a side's pieces by their letters, numbered from i0 to a9."""


# Numbering positions


def _squares(letter: str) -> Iterator[int]:
    """Where a piece of the side below may stand, in ascending order."""
    for square in range(90):
        rank, file = divmod(square, 9)
        if (
            letter in "RNC"
            or (letter == "K" and rank < 3 and 3 <= file <= 5)
            or (letter == "A" and square in (3, 5, 13, 21, 23))
            or (letter == "B" and square in (2, 6, 18, 22, 26, 38, 42))
            or (letter == "P" and (rank > 4 or (rank > 2 and file % 2 == 0)))
        ):
            yield square


def _mirror(square: int) -> int:
    return square + 8 - 2 * (square % 9)


def _turn(square: int) -> int:
    """The same file, seen by the other side."""
    return square + 9 * (9 - 2 * (square // 9))


Placement = tuple[int, ...]
"""The squares of a group's pieces, those of a kind from the highest to the lowest."""


@dataclass(frozen=True)
class _Group:
    """Numbering of the placements of some pieces.

    They are numbered while each piece runs over its squares in ascending order, the first piece
    fastest; placements whose mirror image already has a number come after all others.
    """

    numbers: Mapping[Placement, int]
    folded: int
    """How many there are without the mirror images of others."""

    @property
    def size(self) -> int:
        return len(self.numbers)

    @property
    def share(self) -> float:
        """Cost in single precision, as the tables' makers compare it; the first minimum wins."""
        (share,) = _SINGLE.unpack(_SINGLE.pack(self.folded / self.size))
        return float(share)


@lru_cache(maxsize=256)
def _make_group(kinds: str, is_upper: bool) -> _Group:
    """The group of some pieces, ``KAAB``, of the side below or of the one above."""
    parts = []
    for kind, count in _counts(kinds):
        squares = sorted(map(_turn, _squares(kind)) if is_upper else _squares(kind), reverse=True)
        parts.append(list(itertools.combinations(squares, count)))
    placements = [sum(chosen, ()) for chosen in itertools.product(*parts)]
    met: dict[Placement, bool] = {}  # whether the mirror image has been met before
    for placement in sorted(placements, key=lambda one: one[::-1]):
        if len(set(placement)) == len(placement):
            met[placement] = _normal(kinds, map(_mirror, placement)) in met
    ordered = sorted(met, key=met.__getitem__)  # stable: those that are not come first
    folded = sum(not was_met for was_met in met.values())
    return _Group({placement: number for number, placement in enumerate(ordered)}, folded)


def _counts(kinds: str) -> Iterator[tuple[str, int]]:
    """The kinds with their numbers, in their order."""
    for kind, same in itertools.groupby(kinds):
        yield kind, len(list(same))


def _normal(kinds: str, squares: Iterable[int]) -> Placement:
    """The squares with those of a kind from the highest to the lowest: so they are met first."""
    rest = iter(squares)
    parts = (itertools.islice(rest, count) for _, count in _counts(kinds))
    return tuple(square for part in parts for square in sorted(part, reverse=True))


class Place(NamedTuple):
    """Where the value of a position stands."""

    name: str
    """Of the file, without its suffix."""
    side: int
    """0 where the side that counts more is to move."""
    number: int
    size: int
    """How many positions there are."""


def find_place(setup: Setup) -> Place | None:
    """Where the value of a position stands; None for more pieces than these tables have."""
    red, black = _sides(setup)
    worth = [sum(_WORTH[letter] * len(side[letter]) for letter in side) for side in (red, black)]
    is_turned = worth[1] > worth[0] or (worth[1] == worth[0] and setup.turn != RED)
    sides = [_turned(black), _turned(red)] if is_turned else [red, black]
    if any(len(side[letter]) > most for side in sides for letter, most in _MOST.items()):
        return None
    name = "".join(letter * len(side[letter]) for side in sides for letter in "KABRNCP")
    number, size = _number(sides)
    return Place(name, int((setup.turn == RED) == is_turned), number, size)


def _sides(setup: Setup) -> list[Pieces]:
    """Red's and Black's pieces."""
    found: list[dict[str, tuple[int, ...]]] = [dict.fromkeys(_MOST, ()), dict.fromkeys(_MOST, ())]
    for square, piece in setup.piece_map().items():
        letter = PIECE_LETTERS[piece.piece_type - 1]
        found[piece.color != RED][letter] += (_mirror(square),)
    return list(found)


def _turned(side: Pieces) -> Pieces:
    return {letter: tuple(map(_turn, squares)) for letter, squares in side.items()}


def _number(sides: Sequence[Pieces]) -> tuple[int, int]:
    """The number of a position, and how many there are.

    The group that loses the largest part by it is folded; if its placement is the mirror image of
    one that is kept, the whole board is mirrored.
    """
    groups: list[_Group] = []
    placements: list[tuple[str, Placement]] = []
    for side, group in itertools.product((0, 1), _GROUPS):
        kinds = "".join(letter * len(sides[side][letter]) for letter in group)
        if kinds:
            groups.append(_make_group(kinds, side == 1))
            squares = [square for letter in group for square in sides[side][letter]]
            placements.append((kinds, tuple(squares)))
    chosen = min(range(len(groups)), key=lambda at: groups[at].share)
    sizes = [group.size for group in groups]
    sizes[chosen] = groups[chosen].folded
    numbers = _numbers(groups, placements)
    if numbers[chosen] >= groups[chosen].folded:
        mirrored = [(kinds, tuple(map(_mirror, squares))) for kinds, squares in placements]
        numbers = _numbers(groups, mirrored)
    weights = [prod(sizes[:at]) for at in range(len(sizes))]
    number = sum(part * weight for part, weight in zip(numbers, weights, strict=True))
    return number, prod(sizes)


def _numbers(groups: Sequence[_Group], placements: Sequence[tuple[str, Placement]]) -> list[int]:
    return [
        group.numbers[_normal(kinds, squares)]
        for group, (kinds, squares) in zip(groups, placements, strict=True)
    ]


# Reading files


def probe_lzdtm(board: CoreBoard, folder: Path) -> TableValue | None:
    """Value of a position by the tables of a folder; None if no table covers it.

    The level of a value is 1 where the table says that repetitions matter: see :data:`WARNING`.
    Raises TableError for a file that is damaged.
    """
    setup = board.setup()
    if not board.can_anyone_attack():
        return TableValue(0, 0, 0)
    place = find_place(setup)
    if place is None:
        return None
    path = folder / f"{place.name}{SUFFIX}"
    if not path.is_file():
        return None
    try:
        with path.open("rb") as file:
            return _decode(*_read_value(file, place))
    except TableError:
        raise
    except (OSError, struct.error, lzma.LZMAError, EOFError, ValueError) as error:
        raise TableError(str(path), f"the table is damaged: {error}") from error


def _decode(value: int, has_marks: bool) -> TableValue | None:
    if value == _NO_POSITION:
        return None
    steps, is_won, marks = value & 0x7FF, value >> 11 & 1, value >> 12
    if not steps:
        return TableValue(0, 0, 0)
    return TableValue(1 if is_won else -1, steps - 1, int(bool(has_marks and marks)))


class _Side(NamedTuple):
    """The values of the positions with a side to move."""

    is_one: bool
    """Are they all the same?"""
    value: int
    last: int = 0
    block: int = 0
    blocks: int = 0
    bytes: int = 0


def _read_value(file: BinaryIO, place: Place) -> tuple[int, bool]:
    """The value, and whether it may have marks of repetition."""
    magic, key = _unpack(file, _HEAD)
    if magic != _MAGIC:
        raise TableError(file.name, f"found the magic {magic:08X}, expected {_MAGIC:08X}")
    sides = [_read_side(file) for _ in range(key & 3)]
    if place.side >= len(sides):
        raise TableError(file.name, "it has no values for this side to move")
    side = sides[place.side]
    if side.is_one:
        return side.value, False
    _check(file.name, side, place)
    number, offset = divmod(2 * place.number, side.block)
    tables = file.tell()
    before = sum(one.blocks for one in sides[: place.side])
    file.seek(tables + _BLOCK.size * (before + number))
    (found,) = _unpack(file, _BLOCK)
    start = tables + _BLOCK.size * sum(one.blocks for one in sides)
    for one in sides[: place.side + 1]:
        start += -start % _ALIGNED if one.blocks else 0
        start += one.bytes if one is not side else 0
    file.seek(start + (found >> 20))
    size = side.last if number == side.blocks - 1 else side.block
    data = _unpack_block(file.read(found & 0xFFFFF), size)
    (value,) = _VALUE.unpack_from(data, offset)
    return value, side.value != 0


def _read_side(file: BinaryIO) -> _Side:
    kind, value = _unpack(file, _SIDE)
    if not kind & 0x80:
        return _Side(False, value, *_unpack(file, _BLOCKS))
    return _Side(True, value | 0xFF00 if value & 0x80 else value)  # the byte has a sign


def _check(name: str, side: _Side, place: Place) -> None:
    """Are there as many values as positions?"""
    is_sane = 0 < side.block <= _MOST_BLOCK and side.block % 2 == 0 and side.blocks > 0
    found = (side.blocks - 1) * side.block + side.last
    if not is_sane or found != 2 * place.size:
        raise TableError(name, f"found {found} bytes of values, expected {2 * place.size}")


def _unpack(file: BinaryIO, form: struct.Struct) -> tuple[int, ...]:
    return form.unpack(file.read(form.size))


def _unpack_block(data: bytes, size: int) -> bytes:
    """Unpack a block, with a header of an LZMA file of unknown size put before it."""
    packed, properties = data[:-_PROPERTIES], data[-_PROPERTIES:]
    unpacker = lzma.LZMADecompressor(lzma.FORMAT_ALONE)
    found = unpacker.decompress(properties + _UNKNOWN_SIZE + packed, max_length=size)
    if len(found) != size:
        raise ValueError(f"a block of {len(found)} bytes, expected {size}")
    return found
