"""Detecting repetitions: the list of keys of the core against other algorithms.

The detectors are in ``detectors.pyx``. Each follows the same walks through random trees of moves,
like a search, and is called at every node; the walks begin after a number of reversible moves,
which the list has to scan. Complete detectors must agree with the list; a note counts the
detections of each.

The cost inside the search could only be measured by building the engine with each detector; those
results are recorded in :data:`IN_THE_SEARCH`.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Final

from bench.building import BuildError, build
from bench.measure import Result, Run, Scale, compare, require_equal, seconds_of
from xiangqi import PAWN, Board

if TYPE_CHECKING:
    from bench.detectors import Detector, Walk

BEHIND: Final = (0, 20, 100)  # reversible plies before a walk
TREES: Final = 4  # walks for each
TREE_DEPTH: Final = 6
TREE_WIDTH: Final = 3  # moves tried at each node
LAPS: Final = 20  # few, so that most runs are undisturbed
OPENING_PLIES: Final = 30
LIST: Final = "list of keys"

IN_THE_SEARCH: Final = (
    "In the search itself, on 2026-11-21, with one build of the core for each detector: the twelve "
    "positions of the bench, and eight middlegames after 80 quiet plies, the worst case of the "
    "list. All detectors that answer the same question as the list searched the same nodes. "
    "Figures are for the two sets of positions; instructions a node are by cachegrind at depth 8, "
    "which does not depend on other load.",
    "List of keys: 5,183 / 4,975 instructions, 15.6 / 18.3 misses of a data cache of 32 KB. A "
    "search without detection has 55 / 67 fewer (in other trees): 1 % is all that can be gained.",
    "Counting table of 16 KB: +9 / -8 instructions, +1.3 / +1.1 misses; speed 0.99 / 0.97. Open"
    " flags: +30 / +21, +1.9 / +1.8 misses; 1.00 / 1.01. Chains of moves: +48 / +146, +0.2 / "
    "+1.1 misses; 1.00 / 0.98. Keys in a separate array: +19 / +13; 1.01 / 1.00. Soldier moves "
    "forward as an end of the list: +36 / +37; 1.01 / 1.01. (Speed in CPU time to depth 12 / 11, "
    "median of 21 pairs of runs; a build against itself had 1.01 / 0.99.)",
    "The list is cheap because 52 % / 87 % of the nodes come after fewer than four reversible "
    "plies: lines end in captures, and no cycle extends over a null move. On average it compares "
    "1.4 / 2.2 keys a node.",
    "Upcoming repetitions, with the move then scored by the rules: +255 / +136 instructions a "
    "node, and no smaller trees. Nodes to a depth in 233 positions of games, geometric mean with "
    "95 % interval: depth 8 +5 % (+1 to +10), depth 11 -6 % (-11 to 0), depth 13 +8 % (+2 to +15). "
    "In 80 games with 40,000 nodes a move against the search without it, on 2026-11-23: 16 won, 42 "
    "drawn, 22 lost, -26 Elo [-69, 17].",
    "The core therefore keeps the list: no alternative is measurably faster in the search, or as "
    "simple.",
)

_SEED: Final = 2024


def measure(runs: int) -> Result:
    """Measure nanoseconds a node: make a move, query the detector, unmake the move."""
    result = Result("Repetition detectors: the core's list of keys against others")
    try:
        build()
    except BuildError as error:
        result.notes.append(str(error))
        return result
    from bench import detectors as kit

    others: dict[str, Detector] = {
        "counting table": kit.CountingTable(),
        "open flags": kit.OpenFlag(),
        "chains of moves": kit.MoveChains(),
        "upcoming, a ply sooner": kit.Upcoming(),
    }
    keys, idle = kit.KeyList(), kit.Detector()
    rng = Random(_SEED)
    for behind in BEHIND:
        walks = [_random_walk(rng, behind, kit.Walk) for _ in range(TREES)]
        nodes = sum(map(len, walks))
        result.notes.append(_agreement(behind, walks, keys, others))
        ours = _laps(walks, keys)
        for name, detector in others.items():
            scale = Scale("ns", nodes * LAPS / 1e9, per_second=False)
            what = f"after {behind} reversible plies"
            result.rows.append(compare(what, scale, runs, ours, _laps(walks, detector), name))
    seconds = median(seconds_of(_laps(walks, idle)) for _ in range(runs))
    result.notes.append(f"The walk itself takes {seconds / nodes / LAPS * 1e9:.1f} ns a node.")
    result.notes.extend(IN_THE_SEARCH)
    return result


def _laps(walks: list[Walk], detector: Detector) -> Run:
    def run() -> None:
        for walk in walks:
            walk.count_answers(detector, LAPS)

    return run


def _agreement(behind: int, walks: list[Walk], keys: Detector, others: dict[str, Detector]) -> str:
    """Check that detectors agree with the list if they must; count the detections of each."""
    counts = {
        name: [walk.count_answers(detector, 1) for walk in walks]
        for name, detector in {LIST: keys, **others}.items()
    }
    for name in ("counting table", "open flags"):
        require_equal(f"the number of repetitions, {name}", counts[LIST], counts[name])
    found = ", ".join(f"{name} {sum(each)}" for name, each in counts.items())
    return (
        f"After {behind} reversible plies, detections in {sum(map(len, walks)):,} nodes: {found}."
    )


def _random_walk(rng: Random, behind: int, start: Callable[[Board], Walk]) -> Walk:
    """Walk through a tree of random moves, after a random game that ends in reversible moves."""
    while True:
        board = _random_game(rng, behind)
        if board is not None:
            walk = start(board)
            _grow(walk, rng, TREE_DEPTH)
            return walk


def _grow(walk: Walk, rng: Random, depth: int) -> None:
    moves = list(walk.board.legal_moves)
    for move in rng.sample(moves, min(TREE_WIDTH, len(moves))):
        walk.push(move)
        if depth > 1:
            _grow(walk, rng, depth - 1)
        walk.pop()


def _random_game(rng: Random, behind: int) -> Board | None:
    """Play random moves, then a capture, then ``behind`` reversible moves: quiet ones of pieces
    other than soldiers. None if one of them is impossible."""
    board = Board()
    for ply in range(OPENING_PLIES + 1 + behind):
        if ply < OPENING_PLIES:
            moves = list(board.legal_moves)
        elif ply == OPENING_PLIES:
            moves = board.list_moves("captures")
        else:
            quiets = board.list_moves("quiets")
            moves = [move for move in quiets if board.piece_code_at(move.from_square) % 8 != PAWN]
        if not moves:
            return None
        board.push(rng.choice(moves))
    return board
