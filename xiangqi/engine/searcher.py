"""The core's searcher with its parameters and an evaluation, and its scale of scores.

Scores are centipawns from the side to move's point of view. A mate in N plies is MATE - N, a win by
the repetition rules in N plies RULE_WIN - N.

PARAMETERS has the default, bounds, tuning step and meaning of each search parameter. Depths are in
plies, margins in centipawns unless stated otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Protocol

from xiangqi.core.board import CoreBoard, RuleSwitches
from xiangqi.core.move import Move
from xiangqi.core.network import Network
from xiangqi.core.searcher import Parameters, Searcher
from xiangqi.core.searches import SCORES, SearchInfo, SearchLimits, SearchResult
from xiangqi.core.tablebase import Tables
from xiangqi.engine.network import NetworkFile, choose_network

__all__ = [
    "MATE",
    "PARAMETERS",
    "RULE_WIN",
    "Parameter",
    "SearcherLike",
    "is_decided",
    "is_mate_score",
    "make_parameters",
    "make_searcher",
    "moves_to_mate",
]

MATE: Final = SCORES["mate"]
RULE_WIN: Final = SCORES["rule_win"]


def is_mate_score(score: int) -> bool:
    """Is the score a forced mate by either side?"""
    return abs(score) >= SCORES["mate_in_max"]


def is_decided(score: int) -> bool:
    """Is the score a forced win of either side, by mate or by the repetition rules?"""
    return abs(score) >= SCORES["win_in_max"]


def moves_to_mate(score: int) -> int | None:
    """Number of moves to mate, negative if the side to move is mated; None if the score is no mate.

    >>> moves_to_mate(MATE - 3), moves_to_mate(-MATE + 4), moves_to_mate(-MATE), moves_to_mate(35)
    (2, -2, 0, None)
    """
    if not is_mate_score(score):
        return None
    plies = MATE - abs(score)
    return (plies + 1) // 2 if score > 0 else -(plies // 2)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A search parameter."""

    name: str
    default: int
    least: int
    most: int
    step: int
    meaning: str


PARAMETERS: Final = tuple(
    Parameter(*row)
    for row in (
        ("ASPIRATION_WINDOW", 29, 5, 200, 5, "half width of the first aspiration window"),
        ("REVERSE_FUTILITY_DEPTH", 7, 0, 12, 1, "largest depth of reverse futility pruning"),
        ("REVERSE_FUTILITY_MARGIN", 99, 20, 250, 10, "margin above beta, per ply"),
        ("REVERSE_FUTILITY_BLEND", 66, 0, 100, 6, "pull of the returned score to beta, percent"),
        ("NULL_MOVE_DEPTH", 3, 1, 8, 1, "smallest depth of null move pruning"),
        ("NULL_MOVE_BASE", 292, 100, 600, 25, "reduction of a null move, in hundredths of a ply"),
        ("NULL_MOVE_SLOPE", 42, 10, 60, 2, "further reduction per ply of depth"),
        ("NULL_MOVE_EVAL_DIVISOR", 185, 50, 500, 20, "margin above beta for a further ply"),
        ("NULL_MOVE_VERIFY_DEPTH", 12, 6, 30, 1, "smallest depth of null move verification"),
        ("PROBCUT_DEPTH", 6, 3, 12, 1, "smallest depth of ProbCut"),
        ("PROBCUT_MARGIN", 190, 50, 500, 20, "margin above beta of ProbCut"),
        ("INTERNAL_REDUCTION_DEPTH", 7, 2, 12, 1, "smallest depth of internal reductions"),
        ("LATE_MOVE_PRUNING_DEPTH", 4, 0, 10, 1, "largest depth of late-move pruning"),
        ("LATE_MOVE_PRUNING_BASE", 7, 1, 40, 1, "number of moves that are never pruned"),
        ("LATE_MOVE_PRUNING_FACTOR", 1, 1, 10, 1, "further moves, per ply squared"),
        (
            "HISTORY_PRUNING",
            2049,
            1000,
            30000,
            300,
            "prune a move with less than minus this history per ply",
        ),
        ("FUTILITY_DEPTH", 5, 0, 12, 1, "largest reduced depth of futility pruning"),
        ("FUTILITY_BASE", 4, 0, 400, 20, "margin below alpha"),
        ("FUTILITY_MARGIN", 32, 20, 300, 10, "further margin per ply"),
        ("FUTILITY_HISTORY", 20693, 3000, 100000, 2000, "history worth a ply of reduced depth"),
        ("SEE_PRUNING_DEPTH", 9, 0, 12, 1, "largest depth of pruning by static exchange"),
        ("SEE_CAPTURE_MARGIN", 151, 20, 400, 10, "loss allowed to a capture, per ply"),
        ("SEE_QUIET_MARGIN", 33, 5, 200, 5, "loss allowed to a quiet move, per ply squared"),
        ("SINGULAR_DEPTH", 8, 5, 16, 1, "smallest depth of singular extensions"),
        ("SINGULAR_MARGIN", 35, 8, 128, 4, "singular margin, in sixteenths of a centipawn per ply"),
        ("DOUBLE_MARGIN", 41, 0, 200, 8, "further margin for a double extension"),
        ("TRIPLE_MARGIN", 94, 0, 1000, 16, "further margin for a triple extension"),
        ("REDUCTION_DEPTH", 3, 2, 8, 1, "smallest depth of late-move reductions"),
        ("REDUCTION_BASE", 128, 0, 200, 10, "reduction of a late move, in hundredths of a ply"),
        ("REDUCTION_DIVISOR", 173, 100, 500, 10, "divisor of the product of logarithms, times 100"),
        ("REDUCTION_HISTORY", 6737, 2000, 40000, 1000, "history worth a ply of reduction"),
        ("REDUCTION_CUT_NODE", 94, 0, 300, 15, "further reduction at expected cut nodes"),
        ("REDUCTION_PV", 193, 0, 300, 15, "smaller reduction at PV nodes"),
        ("REDUCTION_WORSE", 27, 0, 300, 15, "further reduction if not improving"),
        ("REDUCTION_CHECK", 97, 0, 300, 15, "smaller reduction of a check"),
        ("REDUCTION_TABLE_CAPTURE", 83, 0, 300, 15, "further reduction if the table move captures"),
        ("REDUCTION_CAPTURE", 109, 0, 600, 30, "smaller reduction of a losing capture"),
        ("DEEPER_MARGIN", 64, 0, 500, 20, "margin above the best for a deeper re-search"),
        ("SHALLOWER_MARGIN", 37, 0, 200, 3, "margin below which a re-search is shallower"),
        ("HINDSIGHT_DEEPER", 317, 100, 800, 30, "smallest reduction extended after no gain"),
        ("HINDSIGHT_MARGIN", 262, 0, 800, 30, "gain after which a reduced node is reduced further"),
        ("HISTORY_SLOPE", 190, 20, 600, 20, "history bonus per ply of depth"),
        ("HISTORY_MOST", 1444, 200, 8000, 100, "largest history bonus"),
        ("MALUS_SLOPE", 369, 20, 800, 20, "history malus per ply of depth"),
        ("MALUS_MOST", 1289, 200, 8000, 100, "largest history malus"),
        ("MALUS_FALL", 12, 0, 100, 4, "decrease of the malus per move tried, percent"),
        ("REFUTED_MALUS", 99, 0, 300, 12, "malus of an early quiet move when refuted, percent"),
        ("GAIN_BONUS", 4, 0, 40, 1, "bonus of a quiet move per centipawn gained"),
        ("GAIN_BONUS_MOST", 179, 100, 4000, 100, "largest bonus by centipawns gained"),
        (
            "GAIN_CONTINUATION",
            76,
            0,
            200,
            15,
            "weight of that bonus in the continuation history, percent",
        ),
        ("FAIL_LOW_BONUS", 132, 0, 300, 10, "bonus of a move after which all fail low, percent"),
        ("TABLE_CUTOFF_BONUS", 60, 0, 300, 10, "bonus of a table move that cuts off, percent"),
        ("CONTINUATION_FAR", 49, 0, 200, 8, "weight of the moves four and six plies ago, percent"),
        ("PAWN_HISTORY", 67, 0, 200, 8, "weight of the history by soldiers, percent"),
        ("HISTORY_KEPT", 69, 10, 100, 5, "history of quiet moves kept for a new search, percent"),
        ("CORRECTION_WEIGHT", 77, 64, 1024, 32, "inertia of the correction history"),
        ("CORRECTION_PAWNS", 66, 0, 512, 12, "weight of the correction by soldiers, in 128ths"),
        (
            "CORRECTION_PIECES",
            70,
            0,
            512,
            12,
            "weight of the corrections by each side's pieces, in 128ths",
        ),
        (
            "CORRECTION_LINE",
            47,
            0,
            512,
            12,
            "weight of the correction by the last two moves, in 128ths",
        ),
        ("FAIL_HIGH_BLEND", 91, 0, 100, 6, "pull of a fail-high to beta, percent at depth 0"),
        ("DELTA_MARGIN", 92, 0, 500, 10, "quiescence: margin of delta pruning"),
        ("QUIESCENCE_BLEND", 38, 0, 100, 6, "pull of standing pat to beta, percent"),
        ("RECAPTURE_DEPTH", 8, 2, 20, 1, "quiescence: plies before recaptures only"),
        ("TABLE_KEEP", 2, 0, 255, 1, "lead in depth that keeps a table entry"),
        ("BELIEVED_OCCURRENCES", 2, 2, 4, 1, "occurrences in the tree that count as a repetition"),
    )
)


def make_parameters(changes: Mapping[str, int] | None = None) -> Parameters:
    """Apply ``changes`` to the default search parameters; raises ValueError for a wrong one."""
    values = {parameter.name: parameter.default for parameter in PARAMETERS}
    for name, value in (changes or {}).items():
        if name not in values:
            raise ValueError(f"unknown parameter {name!r}: expected one of {', '.join(values)}")
        values[name] = value
    for parameter in PARAMETERS:
        if not parameter.least <= values[parameter.name] <= parameter.most:
            raise ValueError(
                f"{parameter.name} is {values[parameter.name]}, "
                f"expected {parameter.least} to {parameter.most}"
            )
    return Parameters(values)


class SearcherLike(Protocol):
    """Interface of a searcher: :class:`xiangqi.core.searcher.Searcher`, or a fake.

    Infos must start at depth 1: at the first one the engine repeats a ``stop`` or ``ponderhit``
    that arrived just before the search began.
    """

    def set_hash(self, megabytes: int) -> None:
        """Set the size of the hash table, which is then empty."""

    def set_threads(self, threads: int) -> None:
        """Set the number of search threads."""

    def set_network(self, network: Network) -> None:
        """Set the evaluation."""

    def set_tables(self, tables: Tables | None) -> None:
        """Set the endgame tables, or None, and clear results found with the old ones."""

    def clear(self) -> None:
        """Clear the hash table and the histories for a new game."""

    def search(
        self,
        board: CoreBoard,
        limits: SearchLimits,
        switches: RuleSwitches,
        on_info: Callable[[SearchInfo], None] | None = None,
    ) -> SearchResult:
        """Search a position; ``on_info`` is called for each line found."""

    def stop(self) -> None:
        """Stop the running search."""

    def ponderhit(self) -> None:
        """Start the clock after a ponder hit."""

    def probe(self, board: CoreBoard) -> tuple[Move | None, str, int, int] | None:
        """Hash table entry of a position: move, bound, score, depth."""

    def current_move(self) -> tuple[int, Move, int] | None:
        """Current root move: depth, move, number."""


def make_searcher(
    network: NetworkFile | None = None,
    *,
    changes: Mapping[str, int] | None = None,
    hash_mb: int = 16,
    threads: int = 1,
) -> Searcher:
    """Make a searcher, by default with the network of the package; raises NetworkError.

    ``changes`` override the defaults of search parameters. Searchers share only the weights of a
    network, which never change.
    """
    weights = (network or choose_network()).weights
    return Searcher(make_parameters(changes), weights, hash_mb=hash_mb, threads=threads)
