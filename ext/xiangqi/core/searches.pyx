"""Limits, reports and result of a search: data only."""

cimport cython

from xiangqi.core.evaluation.scores cimport MATE, MATE_IN_MAX, MAX_VALUE, RULE_WIN, WIN_IN_MAX
from xiangqi.core.search.deepening cimport MAX_DEPTH as MAX_ITERATIONS
from xiangqi.core.search.tt cimport EXACT, LOWER, NO_BOUND, UPPER

cdef enum:
    MAX_CONTEMPT = 1000

MAX_DEPTH = MAX_ITERATIONS
BOUNDS = {NO_BOUND: "none", UPPER: "upper", LOWER: "lower", EXACT: "exact"}
SCORES = {
    "mate": MATE, "mate_in_max": MATE_IN_MAX, "rule_win": RULE_WIN, "win_in_max": WIN_IN_MAX,
    "value": MAX_VALUE,
}


cdef Limits DEFAULTS         # 0 but for these
DEFAULTS.multipv = 1
DEFAULTS.no_capture_limit = 120


@cython.auto_pickle(True)
cdef class SearchLimits:
    """Limits of a search, and its root moves.

    ``depth`` and ``nodes`` are limits, ``hard_ms`` is the maximum time; after ``soft_nodes`` or
    ``soft_ms`` no further iteration begins (0: no limit). ``replan`` is called after each iteration
    with its depth, best move and score, and the share of all nodes spent on that move; it returns
    the new ``soft_ms``, and a time after which an iteration is stopped unless it failed low. With
    ``ponder`` the clock starts at ``ponderhit``. If ``nodes_per_ms`` is above 0, time is measured
    in nodes of all threads: ``nodes_per_ms`` of them count as a millisecond. ``moves`` are the
    allowed root moves (None: all). A line of ``no_capture_limit`` plies without a capture is a
    draw; a draw is worth ``contempt`` centipawns less to the side to move at the root.

    ``mate`` searches only for a mate in that many moves. The mate solvers
    (:mod:`xiangqi.core.solver`) run first; then a search without pruning by evaluation, in which a
    win by the repetition rules counts as a draw, to the depth of the mate.

    Raises ValueError for a number outside its bounds, TypeError for an unknown name.
    """

    def __init__(self, *, moves=None, replan=None, **limits):
        values = <dict>DEFAULTS
        for name, value in limits.items():
            if name not in values:
                raise TypeError(f"unknown limit {name!r}, expected one of {', '.join(values)}")
            least = {"multipv": 1, "contempt": -MAX_CONTEMPT}.get(name, 0)
            if value < least:
                raise ValueError(f"{name} is {value}, expected {least} or more")
        if limits.get("contempt", 0) > MAX_CONTEMPT:
            raise ValueError(f"contempt is {limits['contempt']}, expected {MAX_CONTEMPT} at most")
        self.values = {**values, **limits}
        self.values.depth = min(self.values.depth, MAX_DEPTH)
        self.moves = None if moves is None else tuple(moves)
        self.replan = replan

    def replace(self, **changes):
        """Copy with some limits changed."""
        return SearchLimits(
            **{"moves": self.moves, "replan": self.replan, **<dict>self.values, **changes}
        )

    def __getattr__(self, name):
        values = <dict>self.values
        if name in values:
            return values[name]
        raise AttributeError(f"no limit {name!r}, expected one of {', '.join(values)}")


class SearchInfo:
    """Report of an iteration: one line and its score."""

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
    """Result of a search; ``best`` is None if no move is allowed."""

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
