from collections.abc import Callable, Sequence
from typing import Final, Literal, TypedDict

from typing_extensions import Self, Unpack, disjoint_base

from xiangqi.core.move import Move

_Bound = Literal["none", "upper", "lower", "exact"]

MAX_DEPTH: Final[int]
BOUNDS: Final[dict[int, _Bound]]
SCORES: Final[dict[str, int]]

class _Limits(TypedDict, total=False):
    depth: int
    nodes: int
    soft_nodes: int
    soft_ms: int
    hard_ms: int
    nodes_per_ms: int
    ponder: bool
    multipv: int
    mate: int
    no_capture_limit: int
    contempt: int

@disjoint_base
class SearchLimits:
    def __init__(
        self,
        *,
        moves: Sequence[Move] | None = None,
        replan: Callable[[int, Move, int, float], tuple[int, int]] | None = None,
        **limits: Unpack[_Limits],
    ) -> None: ...
    def replace(
        self,
        *,
        moves: Sequence[Move] | None = ...,
        replan: Callable[[int, Move, int, float], tuple[int, int]] | None = ...,
        **changes: Unpack[_Limits],
    ) -> Self: ...
    @property
    def moves(self) -> tuple[Move, ...] | None: ...
    @property
    def replan(self) -> Callable[[int, Move, int, float], tuple[int, int]] | None: ...
    def __getattr__(self, name: str) -> int: ...

class SearchInfo:
    depth: int
    seldepth: int
    multipv: int
    score: int
    bound: _Bound
    nodes: int
    milliseconds: int
    hashfull: int
    pv: tuple[Move, ...]
    def __init__(
        self,
        depth: int,
        seldepth: int,
        multipv: int,
        score: int,
        bound: _Bound,
        nodes: int,
        milliseconds: int,
        hashfull: int,
        pv: tuple[Move, ...],
    ) -> None: ...

class SearchResult:
    best: Move | None
    ponder: Move | None
    score: int
    depth: int
    nodes: int
    milliseconds: int
    repetition_stages: tuple[int, ...]
    def __init__(
        self,
        best: Move | None,
        ponder: Move | None,
        score: int,
        depth: int,
        nodes: int,
        milliseconds: int,
        repetition_stages: tuple[int, ...],
    ) -> None: ...
