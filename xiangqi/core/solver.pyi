from collections.abc import Iterable
from typing import Final, TypeAlias

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.pieces import Color, Square

MAX_CHECKS: Final[int]
MAX_MOVES: Final[int]
MAX_PLIES: Final[int]
MAX_BANNED: Final[int]
MATED: Final[int]
REPAID: Final[int]
FLOATED: Final[int]

_Line: TypeAlias = tuple[Move, ...]

def find_check_mate(
    board: CoreBoard,
    max_checks: int,
    node_limit: int,
    attacker: Color | None = None,
    banned: Iterable[Move] = (),
) -> tuple[_Line | None, bool, int]: ...
def find_mate(
    board: CoreBoard, max_moves: int, node_limit: int
) -> tuple[_Line | None, bool, int]: ...
def find_gains(
    board: CoreBoard,
    attacker: Color,
    node_limit: int,
    *,
    plies: int = 16,
    check_plies: int = 8,
    least: int = -50,
    most: int = ...,
    moves: Iterable[Move] | None = None,
    banned: Iterable[Move] = (),
    idle: Square | None = None,
    aims: Iterable[Square] = (),
    alone: bool = False,
    local: bool = False,
) -> tuple[list[tuple[Move, int, _Line]], bool, int]: ...
