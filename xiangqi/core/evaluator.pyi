from collections.abc import Iterable, Sequence
from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.core.network import Network

WEIGHT_COUNT: Final[int]
LIMITS: Final[dict[str, int]]
GROUP_STARTS: Final[dict[str, int]]

def set_weights(values: Iterable[tuple[int, int]]) -> None: ...
def evaluate_board(board: CoreBoard, network: Network | None = None) -> int: ...
def trace_board(board: CoreBoard) -> tuple[int, int, list[tuple[int, int]]]: ...
def values_along(
    board: CoreBoard, moves: Sequence[Move | None], network: Network | None = None, every: int = 1
) -> tuple[list[int], list[int]]: ...
