from collections.abc import Iterable, Sequence
from typing import Final

from typing_extensions import Self, disjoint_base

from xiangqi.core.board import CoreBoard
from xiangqi.core.move import Move
from xiangqi.core.network import Network

WEIGHT_COUNT: Final[int]
LIMITS: Final[dict[str, int]]
GROUP_STARTS: Final[dict[str, int]]

@disjoint_base
class Terms:
    def __new__(cls, values: Iterable[tuple[int, int]]) -> Self: ...

def evaluate_board(board: CoreBoard, evaluation: Network | Terms) -> int: ...
def searched_value(board: CoreBoard, evaluation: Network | Terms) -> int: ...
def wins_alone(board: CoreBoard) -> bool | None: ...
def trace_board(board: CoreBoard, terms: Terms) -> tuple[int, int, list[tuple[int, int]]]: ...
def values_along(
    board: CoreBoard, moves: Sequence[Move | None], evaluation: Network | Terms, every: int = 1
) -> tuple[list[int], list[int]]: ...
