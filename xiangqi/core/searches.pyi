from collections.abc import Callable, Sequence
from typing import Final, Literal

from xiangqi.core.move import Move

_Bound = Literal["none", "upper", "lower", "exact"]

MAX_DEPTH: Final[int]
BOUNDS: Final[dict[int, _Bound]]
SCORES: Final[dict[str, int]]

class SearchLimits:
    depth: int
    nodes: int
    soft_ms: int
    hard_ms: int
    ponder: bool
    multipv: int
    moves: tuple[Move, ...] | None
    mate: int
    no_capture_limit: int
    soft_nodes: int
    contempt: int
    nodes_per_ms: int
    replan: Callable[[int, Move, int, float], tuple[int, int]] | None
    def __init__(
        self,
        *,
        depth: int = 0,
        nodes: int = 0,
        soft_ms: int = 0,
        hard_ms: int = 0,
        ponder: bool = False,
        multipv: int = 1,
        moves: Sequence[Move] | None = None,
        mate: int = 0,
        no_capture_limit: int = 120,
        soft_nodes: int = 0,
        contempt: int = 0,
        nodes_per_ms: int = 0,
        replan: Callable[[int, Move, int, float], tuple[int, int]] | None = None,
    ) -> None: ...

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
