"""Knowing that a position has come back: the list of keys beside other ways.

The detectors stand in ``detectors.pyx``. Here each goes the same walks through random trees of
moves, as a search does, and is called at every node; the walks begin with so many reversible moves
behind them, which the list has to look through. That the detectors agree is required; where one
is known to differ, a note says how often.

What they cost inside the search cannot be measured without building it anew with each of them, so
that those figures are kept here as they were found, ``IN_THE_SEARCH``.
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

BEHIND: Final = (0, 20, 100)  # reversible plies
TREES: Final = 4  # walks of each length behind
TREE_DEPTH: Final = 6
TREE_WIDTH: Final = 3  # moves tried at each node
LAPS: Final = 20  # a run is short, so that few are disturbed
OPENING_PLIES: Final = 30
LIST: Final = "list of keys"

IN_THE_SEARCH: Final = (
    "In the search itself, on 2026-11-21, one build of the core for each detector: the bench's "
    "twelve positions, and eight middle games with 80 quiet plies behind them, where the list "
    "should suffer most. All that ask the list's question searched the same nodes. Figures are "
    "for the one set / the other; instructions a node, by cachegrind at depth 8, do not depend "
    "on what else the machine does.",
    "List of keys: 5,183 / 4,975 instructions, 15.6 / 18.3 misses of a data cache of 32 KB. A "
    "search that does not ask at all has 55 / 67 fewer (in other trees): 1 %, all there is to "
    "gain.",
    "Counting table of 16 KB: +9 / -8 instructions, +1.3 / +1.1 misses; speed 0.99 / 0.97. Open"
    " flags: +30 / +21, +1.9 / +1.8 misses; 1.00 / 1.01. Chains of moves: +48 / +146, +0.2 / "
    "+1.1 misses; 1.00 / 0.98. Keys in an array of their own: +19 / +13; 1.01 / 1.00. Soldiers'"
    " steps forward as an end of the list: +36 / +37; 1.01 / 1.01. (Speed in CPU time to depth "
    "12 / 11, median of 21 pairs of runs; a build beside itself had 1.01 / 0.99.)",
    "Why the list is cheap: 52 % / 87 % of the nodes have fewer than four reversible plies "
    "behind them, because lines end in captures and no cycle reaches back over a passed move; "
    "over all nodes it compares 1.4 / 2.2 keys.",
    "Upcoming repetitions, the move found then scored by the rules: +255 / +136 instructions a "
    "node, and no smaller trees. Nodes to a depth in 233 positions of games, geometric mean "
    "with 95 % interval: depth 8 +5 % (+1 to +10), depth 11 -6 % (-11 to 0), depth 13 +8 % (+2 "
    "to +15). In 80 games of 40,000 nodes a move against the search that does not ask, on "
    "2026-11-23: 16 won, 42 drawn, 22 lost, -26 Elo [-69, 17].",
    "So the core keeps the list: nothing else is measurably faster there, or as simple.",
)

_SEED: Final = 2024


def measure(runs: int) -> Result:
    """Nanoseconds a node: entering a move, asking, and taking it back."""
    result = Result("Repetition detectors: the core's list of keys beside others")
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
            what = f"{behind} reversible plies behind"
            result.rows.append(compare(what, scale, runs, ours, _laps(walks, detector), name))
    seconds = median(seconds_of(_laps(walks, idle)) for _ in range(runs))
    result.notes.append(f"Of a node {seconds / nodes / LAPS * 1e9:.1f} ns are the walk itself.")
    result.notes.extend(IN_THE_SEARCH)
    return result


def _laps(walks: list[Walk], detector: Detector) -> Run:
    def run() -> None:
        for walk in walks:
            walk.count_answers(detector, LAPS)

    return run


def _agreement(behind: int, walks: list[Walk], keys: Detector, others: dict[str, Detector]) -> str:
    """Check who must agree with the list; say what the walks hold and who sees less."""
    counts = {
        name: [walk.count_answers(detector, 1) for walk in walks]
        for name, detector in {LIST: keys, **others}.items()
    }
    for name in ("counting table", "open flags"):
        require_equal(f"the number of repetitions, {name}", counts[LIST], counts[name])
    found = ", ".join(f"{name} {sum(each)}" for name, each in counts.items())
    return f"{behind} plies behind: yes to {found} of {sum(map(len, walks)):,} nodes."


def _random_walk(rng: Random, behind: int, start: Callable[[Board], Walk]) -> Walk:
    """A tree of random moves, on top of a random game that ends in reversible moves."""
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
    """An opening, a capture, and so many quiet moves, none of a soldier: all can be undone.

    None if the game does not come to that.
    """
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
