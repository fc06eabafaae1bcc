from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, Final, Literal

from typing_extensions import Self, disjoint_base

from xiangqi.core.board import CoreBoard, RuleSwitches
from xiangqi.core.evaluator import Terms
from xiangqi.core.move import Move
from xiangqi.core.network import Network
from xiangqi.core.tablebase import Tables

_Bound = Literal["none", "upper", "lower", "exact"]

BOUNDS: Final[dict[int, _Bound]]
SCORES: Final[dict[str, int]]

@disjoint_base
class Parameters:
    names: ClassVar[tuple[str, ...]]
    def __new__(cls, values: Mapping[str, int]) -> Self: ...

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

@disjoint_base
class Searcher:
    def __new__(
        cls,
        parameters: Parameters,
        evaluation: Network | Terms,
        *,
        hash_mb: int = 16,
        threads: int = 1,
    ) -> Self: ...
    @property
    def hash_mb(self) -> int: ...
    @property
    def threads(self) -> int: ...
    @property
    def parameters(self) -> Parameters: ...
    @property
    def evaluation(self) -> Network | Terms: ...
    @property
    def tables(self) -> Tables | None: ...
    def set_hash(self, megabytes: int) -> None: ...
    def set_threads(self, threads: int) -> None: ...
    def set_evaluation(self, evaluation: Network | Terms) -> None: ...
    def set_tables(self, tables: Tables | None) -> None: ...
    def set_parameters(self, parameters: Parameters) -> None: ...
    def clear(self) -> None: ...
    def stop(self) -> None: ...
    def ponderhit(self) -> None: ...
    def probe(self, board: CoreBoard) -> tuple[Move | None, _Bound, int, int] | None: ...
    def current_move(self) -> tuple[int, Move, int] | None: ...
    def search(
        self,
        board: CoreBoard,
        limits: SearchLimits,
        switches: RuleSwitches,
        on_info: Callable[[SearchInfo], None] | None = None,
    ) -> SearchResult: ...
    def total_nodes(self) -> int: ...
