"""Tables of the community, in files that a small writer makes from the description of the format.

The writer goes its own way: it lists the placements of pieces as the description has it, one after
the other, and looks up which have been met.
"""

from __future__ import annotations

import itertools
import lzma
import random
import struct
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.support.helpers import wild_boards
from xiangqi import Board, PositionError
from xiangqi.cli.main import main
from xiangqi.errors import TableError
from xiangqi.tables.lzdtm import WARNING, find_place, probe_lzdtm
from xiangqi.tables.probing import TableValue

Square = tuple[int, int]
"""File, counted from i, and rank."""
Placement = frozenset[tuple[str, Square]]
"""Letters of pieces, capitals for the side that counts more, and their squares."""
Value = Callable[[Placement, int], int]

GROUPS = ("KAB", "R", "N", "C", "P")
MAGIC = 0xC7B382A6
ELEPHANTS = [(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]


def squares_of(letter: str) -> list[Square]:
    found = []
    for rank, file in itertools.product(range(10), range(9)):
        own, kind = rank if letter.isupper() else 9 - rank, letter.upper()
        in_palace = own < 3 and 3 <= file <= 5
        may_stand = {
            "K": in_palace,
            "A": in_palace and (file + own) % 2 == 1,
            "B": (file, own) in ELEPHANTS,
            "P": own > 4 or (own > 2 and file % 2 == 0),
        }
        if may_stand.get(kind, True):
            found.append((file, rank))
    return found


def mirror(placement: Placement) -> Placement:
    return frozenset((letter, (8 - file, rank)) for letter, (file, rank) in placement)


def list_group(letters: str) -> tuple[list[Placement], int]:
    """All placements of some pieces in their order; of how many the mirror image comes behind."""
    first: dict[Placement, None] = {}
    images: dict[Placement, None] = {}
    for squares in itertools.product(*map(squares_of, reversed(letters))):
        placement = frozenset(zip(letters, reversed(squares), strict=True))
        if len(set(squares)) < len(letters) or placement in first or placement in images:
            continue
        (images if mirror(placement) in first else first)[placement] = None
    return [*first, *images], len(first)


def list_positions(name: str) -> list[Placement]:
    """All positions of a class, as ``KRKN``, in their order."""
    below, above = name[1:].split("K")
    letters = ["K" + below, ("K" + above).lower()]
    groups = []
    for side in letters:
        for group in GROUPS:
            kinds = "".join(letter for letter in side if letter.upper() in group)
            if kinds:
                groups.append(list_group(kinds))
    shares = [folded / len(placements) for placements, folded in groups]
    chosen = shares.index(min(shares))
    lists = [placements for placements, _ in groups]
    lists[chosen] = lists[chosen][: groups[chosen][1]]
    return [frozenset().union(*parts) for parts in itertools.product(*reversed(lists))]


def pack_values(values: Sequence[int], block: int, marks: int) -> tuple[bytes, bytes, bytes]:
    """One side's header, the places of its blocks, and the blocks."""
    if len(set(values)) == 1:
        return struct.pack("<BB", 0x80, values[0]), b"", b""
    data = struct.pack(f"<{len(values)}H", *values)
    cut = [data[at : at + block] for at in range(0, len(data), block)]
    blocks, places = b"", b""
    for one in cut:
        packed = lzma.compress(one, lzma.FORMAT_ALONE)
        packed = packed[13:] + packed[:5]
        places += struct.pack("<Q", len(blocks) << 20 | len(packed))
        blocks += packed
    head = struct.pack("<BBIIIQ", 0, marks, len(cut[-1]), block, len(cut), len(blocks))
    return head, places, blocks


def write_table(
    folder: Path, name: str, value: Value, sides: int = 2, block: int = 1000, marks: int = 1
) -> Path:
    positions = list_positions(name)
    packed = [
        pack_values([value(one, side) for one in positions], block, marks) for side in range(sides)
    ]
    data = struct.pack("<II", MAGIC, 0xABCD00 | sides)
    data += b"".join(head for head, _, _ in packed) + b"".join(places for _, places, _ in packed)
    for _, _, blocks in packed:
        if blocks:
            data += bytes(-len(data) % 64) + blocks
    path = folder / f"{name}.lzdtm"
    path.write_bytes(data)
    return path


def some_value(placement: Placement, side: int) -> int:
    """Any value, the same for a position and its mirror image."""
    key = min(sorted(placement), sorted(mirror(placement)))
    return zlib.crc32(repr((key, side)).encode()) % 0xF000


def placement_of(board: Board, is_turned: bool) -> Placement:
    """The pieces of a board as the table sees them."""
    found = []
    for square, piece in board.piece_map().items():
        rank, file = divmod(square, 9)
        letter = piece.symbol().swapcase() if is_turned else piece.symbol()
        found.append((letter, (8 - file, 9 - rank if is_turned else rank)))
    return frozenset(found)


def meaning(value: int) -> TableValue:
    steps = value % 2048
    if not steps:
        return TableValue(0, 0, 0)
    return TableValue(1 if value & 2048 else -1, steps - 1, int(value >= 4096))


def random_board(name: str, rng: random.Random) -> tuple[Board, bool]:
    """A position of a class, and whether Black has the side that counts more."""
    below, above = name[1:].split("K")
    while True:
        is_turned = rng.random() < 0.5
        letters = f"K{below}" + f"K{above}".lower()
        squares = [rng.choice(squares_of(letter)) for letter in letters]
        if len(set(squares)) < len(squares):
            continue
        rows = [["1"] * 9 for _ in range(10)]
        for letter, (file, rank) in zip(letters, squares, strict=True):
            if is_turned:
                letter, rank = letter.swapcase(), 9 - rank
            rows[9 - rank][8 - file] = letter
        try:
            return Board(f"{'/'.join(map(''.join, rows))} {rng.choice('wb')}"), is_turned
        except PositionError:
            continue


@pytest.mark.parametrize(("name", "block"), [("KRK", 1000), ("KPKA", 4096), ("KPPK", 2000)])
def test_every_value_is_found(name: str, block: int, tmp_path: Path) -> None:
    """In positions of both colours, also mirrored."""
    write_table(tmp_path, name, some_value, block=block)
    rng = random.Random(1)
    for _ in range(150):
        board, is_turned = random_board(name, rng)
        side = int(board.turn == is_turned)
        expected = meaning(some_value(placement_of(board, is_turned), side))
        assert probe_lzdtm(board, tmp_path) == expected
        assert probe_lzdtm(board.mirror(), tmp_path) == expected
        assert probe_lzdtm(board.flip_colors(), tmp_path) == expected


def test_advisors_and_elephants_are_numbered_with_their_general() -> None:
    numbers = {one: number for number, one in enumerate(list_positions("KABPK"))}
    rng = random.Random(5)
    for _ in range(100):
        board, is_turned = random_board("KABPK", rng)
        place = find_place(board.setup())
        assert place is not None
        placement = placement_of(board, is_turned)
        assert place.number in (numbers.get(placement), numbers.get(mirror(placement)))
        assert (place.name, place.size) == ("KABPK", len(numbers))


def test_equal_sides_have_values_for_one_of_them(tmp_path: Path) -> None:
    write_table(tmp_path, "KPKP", some_value, sides=1, block=1 << 16)
    rng = random.Random(2)
    for _ in range(60):
        board, _ = random_board("KPKP", rng)
        expected = meaning(some_value(placement_of(board, not board.turn), 0))
        assert probe_lzdtm(board, tmp_path) == expected


def test_what_the_numbers_mean(tmp_path: Path) -> None:
    mated = Board("3k5/3R5/9/9/9/9/9/9/9/4K4 b")
    board = Board("4k4/9/9/9/9/9/9/9/R8/3K5 w")

    def worth(value: int, marks: int = 1) -> TableValue | None:
        other = ("R", (0, 1))
        write_table(tmp_path, "KRK", lambda one, _: 2 if other in one else value, marks=marks)
        return probe_lzdtm(mated, tmp_path)

    assert worth(1) == TableValue(-1, 0, 0)
    assert worth(2048 + 7) == TableValue(1, 6, 0)
    assert worth(0x4000 + 9) == TableValue(-1, 8, 1)
    assert worth(0) == TableValue(0, 0, 0)
    write_table(tmp_path, "KRK", lambda one, _: 0xFFFF if ("R", (0, 1)) in one else 0x4000 + 9)
    assert probe_lzdtm(board, tmp_path) is None
    write_table(tmp_path, "KRK", some_value, marks=0)
    found = probe_lzdtm(board, tmp_path)
    assert found is not None
    assert found.level == 0


def test_what_is_not_there(tmp_path: Path) -> None:
    assert probe_lzdtm(Board(), tmp_path) is None
    assert probe_lzdtm(Board("4k4/9/9/9/9/9/9/9/R8/3K5 w"), tmp_path) is None
    assert probe_lzdtm(Board("4k4/9/9/9/9/9/9/9/4A4/3K5 w"), tmp_path) == TableValue(0, 0, 0)
    write_table(tmp_path, "KRK", some_value, sides=1)
    with pytest.raises(TableError, match=r"KRK\.lzdtm: it has no values for this side"):
        probe_lzdtm(Board("4k4/9/9/9/9/9/9/9/R8/3K5 b"), tmp_path)


def test_damage_is_told(tmp_path: Path) -> None:
    path = write_table(tmp_path, "KRK", some_value)
    whole = path.read_bytes()
    for damaged, complaint in [
        (b"", "the table is damaged"),
        (whole[:40], "the table is damaged"),
        (bytes(len(whole)), "found the magic 00000000, expected C7B382A6"),
        (whole[:10] + b"\1" + whole[11:], "bytes of values, expected 8100"),
        (whole[:270], "the table is damaged"),
    ]:
        path.write_bytes(damaged)
        with pytest.raises(TableError, match=r"KRK\.lzdtm: .*" + complaint):
            probe_lzdtm(Board("4k4/9/9/9/9/9/9/9/R8/3K5 w"), tmp_path)


def test_random_bytes_raise_nothing_else(tmp_path: Path) -> None:
    path = write_table(tmp_path, "KRK", some_value)
    whole = bytearray(path.read_bytes())
    rng = random.Random(3)
    board = Board("4k4/9/9/9/9/9/9/9/R8/3K5 w")
    for _ in range(150):
        data = whole[:]
        for _ in range(rng.randrange(1, 4)):
            data[rng.choice((rng.randrange(60), rng.randrange(len(data))))] = rng.randrange(256)
        path.write_bytes(data)
        try:
            probe_lzdtm(board, tmp_path)
        except TableError:
            continue


def test_no_position_is_too_large_to_be_asked(tmp_path: Path) -> None:
    boards = wild_boards(random.Random(4))
    assert all(
        probe_lzdtm(next(boards), tmp_path) in (None, TableValue(0, 0, 0)) for _ in range(30)
    )


def test_the_command_warns(tmp_path: Path) -> None:
    write_table(tmp_path, "KRK", some_value)
    fen = "4k4/9/9/9/9/9/9/9/R8/3K5 w"
    result = CliRunner().invoke(main, ["tables", "probe", fen, "--lzdtm", str(tmp_path)])
    assert result.exit_code == 0
    assert result.stderr == f"{WARNING}\n"
    lines = result.stdout.splitlines()
    assert lines[0].startswith("lzdtm: ")
    assert len(lines) == 1 + len(Board(fen).list_moves())
    (tmp_path / "KRK.lzdtm").unlink()
    result = CliRunner().invoke(main, ["tables", "probe", fen, "--lzdtm", str(tmp_path)])
    assert result.exit_code != 0
    assert "has no .lzdtm for" in result.stderr


def test_one_value_for_all_has_a_sign(tmp_path: Path) -> None:
    """The byte of all ones is that of no position, as in sixteen bits."""
    board = Board("3k5/9/9/9/9/9/9/9/4R4/5K2n w")
    for byte, expected in ((0xFF, None), (0, TableValue(0, 0, 0)), (5, TableValue(-1, 4, 0))):
        data = struct.pack("<IIBBBB", 0xC7B382A6, 2, 0x80, byte, 0x80, byte)
        (tmp_path / "KRKN.lzdtm").write_bytes(data)
        assert probe_lzdtm(board, tmp_path) == expected
