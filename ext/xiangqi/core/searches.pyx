"""Limits, information and result of a search: data only."""

from xiangqi.core.evaluation.scores cimport WIN_IN_MAX, MATE_IN_MAX, MATE, RULE_WIN
from xiangqi.core.search.deepening cimport MAX_DEPTH as MAX_ITERATIONS
from xiangqi.core.search.tt cimport EXACT, LOWER, NO_BOUND, UPPER

cdef enum:
    MAX_CONTEMPT = 1000

MAX_DEPTH = MAX_ITERATIONS
BOUNDS = {NO_BOUND: "none", UPPER: "upper", LOWER: "lower", EXACT: "exact"}
SCORES = {
    "mate": MATE, "mate_in_max": MATE_IN_MAX, "rule_win": RULE_WIN, "win_in_max": WIN_IN_MAX,
}


class SearchLimits:
    """When a search ends and which root moves it looks at; see the attributes.

    ``depth`` and ``nodes`` end it there, ``hard_ms`` stops at that time; after ``soft_nodes`` or
    ``soft_ms`` no further iteration begins (0: no limit). ``replan`` is called after each iteration
    with its depth, best move and score, and the share of the nodes at the root that this move has
    taken so far; its answer is ``soft_ms`` from then on, and the time after which an iteration is
    broken off, unless its score has fallen. With ``ponder`` the clock stands still until
    ``ponderhit``. Where ``nodes_per_ms`` is more than 0, so many nodes of all threads are a
    millisecond of the clock. ``moves`` are the root moves allowed (None: all). A line without a
    capture for ``no_capture_limit`` plies is a draw, and each draw is worth ``contempt`` centipawns
    less to the side to move.

    ``mate`` looks for nothing but a mate, and ends when one in so many moves is found. The solvers
    of mates by checks alone and by any moves (:mod:`xiangqi.core.solver`) are asked first; then a
    search that does not prune by evaluations, to which a win by the repetition rules is worth a
    draw, and which sees no further than the mate would be.
    """

    __slots__ = (
        "contempt", "depth", "hard_ms", "mate", "moves", "multipv", "no_capture_limit", "nodes",
        "nodes_per_ms", "ponder", "replan", "soft_ms", "soft_nodes",
    )

    def __init__(
        self, *, depth=0, nodes=0, soft_ms=0, hard_ms=0, ponder=False, multipv=1, moves=None,
        mate=0, no_capture_limit=120, soft_nodes=0, contempt=0, nodes_per_ms=0, replan=None,
    ):
        for name, value in (
            ("depth", depth), ("nodes", nodes), ("soft_ms", soft_ms), ("hard_ms", hard_ms),
            ("mate", mate), ("no_capture_limit", no_capture_limit), ("soft_nodes", soft_nodes),
            ("nodes_per_ms", nodes_per_ms),
        ):
            if value < 0:
                raise ValueError(f"{name} is {value}, expected 0 or more")
        if multipv < 1:
            raise ValueError(f"multipv is {multipv}, expected 1 or more")
        if abs(contempt) > MAX_CONTEMPT:
            raise ValueError(
                f"contempt is {contempt}, expected {-MAX_CONTEMPT} to {MAX_CONTEMPT}"
            )
        self.depth = min(depth, MAX_DEPTH)
        self.nodes = nodes
        self.soft_ms = soft_ms
        self.hard_ms = hard_ms
        self.ponder = ponder
        self.multipv = multipv
        self.moves = None if moves is None else tuple(moves)
        self.mate = mate
        self.no_capture_limit = no_capture_limit
        self.soft_nodes = soft_nodes
        self.contempt = contempt
        self.nodes_per_ms = nodes_per_ms
        self.replan = replan


class SearchInfo:
    """What is known after an iteration: one line of play and its score."""

    __slots__ = (
        "bound", "depth", "hashfull", "milliseconds", "multipv", "nodes", "pv", "score", "seldepth",
    )

    def __init__(
        self, depth, seldepth, multipv, score, bound, nodes, milliseconds, hashfull, pv
    ):
        self.depth = depth
        self.seldepth = seldepth
        self.multipv = multipv
        self.score = score
        self.bound = bound
        self.nodes = nodes
        self.milliseconds = milliseconds
        self.hashfull = hashfull
        self.pv = pv

    def __repr__(self):
        line = " ".join(move.iccs() for move in self.pv)
        return f"<SearchInfo depth {self.depth} score {self.score} nodes {self.nodes} pv {line}>"


class SearchResult:
    """The move to play and what speaks for it; ``best`` is None if no move is allowed."""

    __slots__ = (
        "best", "depth", "milliseconds", "nodes", "ponder", "repetition_stages", "score",
    )

    def __init__(self, best, ponder, score, depth, nodes, milliseconds, repetition_stages):
        self.best = best
        self.ponder = ponder
        self.score = score
        self.depth = depth
        self.nodes = nodes
        self.milliseconds = milliseconds
        self.repetition_stages = repetition_stages

    def __repr__(self):
        return f"<SearchResult {self.best} score {self.score} depth {self.depth}>"
