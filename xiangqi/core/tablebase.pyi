from collections.abc import Callable
from typing import Final

from typing_extensions import Buffer, Self, disjoint_base

from xiangqi.core.board import CoreBoard, RuleSwitches
from xiangqi.core.move import Move
from xiangqi.pieces import Color

CELL_SIZE: Final[int]

@disjoint_base
class Tables:
    def __new__(cls) -> Self: ...
    def add(self, pieces: bytes, cells: Buffer) -> None: ...
    def probe(self, board: CoreBoard) -> tuple[int, int, int] | None: ...
    def solve(
        self,
        pieces: bytes,
        switches: RuleSwitches,
        on_progress: Callable[[str, float], None] | None = None,
    ) -> tuple[bytearray, int]: ...
    def audit(
        self,
        pieces: bytes,
        cells: Buffer,
        switches: RuleSwitches,
        on_progress: Callable[[str, float], None] | None = None,
    ) -> tuple[int, int, int]: ...

@disjoint_base
class Watched:
    def __new__(cls, on_progress: Callable[[str, float], None] | None) -> Self: ...

@disjoint_base
class HeldTable:
    def __new__(cls, pieces: bytes, cells: Buffer) -> Self: ...

def count_cells(pieces: bytes) -> int: ...
def decode_cell(cell: int) -> tuple[int, int, int] | None: ...
def find_cell(pieces: bytes, board: CoreBoard) -> int | None: ...
def move_marks(board: CoreBoard, move: Move, switches: RuleSwitches) -> tuple[bool, bool, bool]: ...
def place(pieces: bytes, index: int) -> tuple[bytes, Color] | None: ...
def take_census(pieces: bytes, cells: Buffer) -> dict[tuple[Color, int, int], tuple[int, int]]: ...
