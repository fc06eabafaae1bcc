"""Searcher for Python."""

from xiangqi.core.board cimport CoreBoard, RuleSwitches
from xiangqi.core.moves.defs cimport int64_t, uint64_t
from xiangqi.core.moves.movegen cimport MoveList
from xiangqi.core.network cimport Network
from xiangqi.core.search.params cimport Tuning
from xiangqi.core.search.worker cimport Control, Worker
from xiangqi.core.searches cimport SearchLimits
from xiangqi.core.tablebase cimport Tables

cdef class Parameters:
    cdef Tuning tuning

cdef class Searcher:
    cdef Control control
    cdef readonly int hash_mb
    cdef readonly Parameters parameters
    cdef readonly Network network
    cdef readonly Tables tables  # endgame tables, or None
    cdef bint is_searching
    cdef long long started      # when the search began, in milliseconds
    cdef int proof_moves        # move limit of the mate solver; 0: off
    cdef long long proof_nodes  # node limit of its next turn
    cdef uint64_t proof_due     # nodes of the main thread at which its next turn is due
    cdef object raised          # exception raised by a signal handler, or None
    cdef int require_idle(self) except -1
    cdef object run(
        self, CoreBoard board, SearchLimits limits, RuleSwitches switches, object on_info
    )
    cdef int renew(self, int threads, Network network) except -1
    cdef bint find_mate(self, CoreBoard board, object on_info) except -1
    cdef bint take_proof_turn(self, object on_info) except -1
    cdef int report_mate(self, object on_info) except -1
    cdef bint find_checks(self, CoreBoard board, int max_checks, int64_t node_limit) except -1
    cdef int iterate(self, object replan, object on_info) except -1
    cdef int report_selected(self, Worker* worker, object on_info) except -1
    cdef int report_unfinished(self, Worker* worker, int lines, object on_info) except -1
    cdef bint is_enough(self) noexcept
    cdef int static_score(self) noexcept
    cdef int replan(self, object replan, int depth) except -1
    cdef object info(self, const Worker* worker, int depth, int line, int score, int bound)
    cdef object result(self, const Worker* worker)
    cdef int prepare(self, CoreBoard board, object moves, RuleSwitches switches) except -1
    cdef int list_roots(
        self, CoreBoard board, object allowed, RuleSwitches rules, MoveList* roots
    ) except -1
