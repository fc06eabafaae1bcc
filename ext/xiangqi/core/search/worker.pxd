"""State of one search thread, and the state that all threads of a search share."""

from xiangqi.core.evaluation.nnue.accumulators cimport NetworkState
from xiangqi.core.evaluation.nnue.weights cimport Weights
from xiangqi.core.evaluation.scores cimport DRAW_SCORE, MAX_PLY
from xiangqi.core.moves.defs cimport Move, int64_t, uint64_t
from xiangqi.core.moves.position cimport Position, Undo
from xiangqi.core.repetition.rules cimport Rules
from xiangqi.core.search.history cimport Histories
from xiangqi.core.search.limits cimport Limits
from xiangqi.core.search.params cimport Tuning
from xiangqi.core.search.tt cimport Table
from xiangqi.core.tables.table_set cimport TableSet

cdef enum:
    MAX_GAME = 1024          # plies before the root that can still repeat
    MAX_ROOT_MOVES = 128
    STACK_OFFSET = 8        # empty stack before the root, for looking back
    CACHE_LINE = 64          # bytes

cdef enum:  # stages of the repetition test, counted in Worker.stages
    KEY_REPEATED
    FLAGS_TESTED
    CHASES_JUDGED
    STAGES

cdef struct Worker

cdef struct Stack:           # search stack: one entry for each ply
    Move move
    int piece_to             # piece and target square of that move, or -1
    Move excluded            # move excluded by a singular search
    int static_eval
    int number               # of that move among those of its node, from 1
    bint is_table_move       # is it that of the transposition table?
    int reduction            # late-move reduction of that move, in plies
    bint in_check

cdef struct RootMove:
    Move move
    int score
    int previous             # score of the iteration before
    int most                 # upper bound found in this iteration; INFINITE: none
    int bound                # kind and depth of the score, if the last iteration is unfinished
    int depth
    uint64_t nodes           # spent on it in the first line, in all iterations
    int length
    Move pv[MAX_PLY]

cdef struct Control:         # shared by the workers of one search
    Worker** workers         # all of them
    int worker_count
    Table table
    const TableSet* tables       # endgame tables; NULL for none
    int stop                 # set by anyone, read by all
    int pondering            # the clock does not run
    Limits limits
    int64_t clock_started    # in milliseconds; reset by ponderhit
    int64_t firm_ms          # as limits.hard_ms, unless this iteration failed low
    int max_ply              # plies from the root
    uint64_t root_status         # root move of the main worker: depth, number, move; 0: none
    bint (*has_signal)(void* searcher) noexcept nogil  # NULL outside the main thread
    void* searcher
    int64_t signals_polled   # time of the last call of has_signal, in milliseconds

cdef struct Worker:
    # ``nodes`` has its own cache line: under a node limit each worker reads the counts of the
    # others, and would wait whenever the owner wrote another field of the same line.
    char pad_before[CACHE_LINE]
    uint64_t nodes
    char pad_after[CACHE_LINE]
    Control* control
    const Tuning* tuning
    Histories* histories
    Position pos
    NetworkState* network
    Rules rules
    Undo history[MAX_GAME + MAX_PLY + 8]
    int plies                # entries of history
    int root_plies           # of these, plies before the root
    bint is_main             # this worker watches the clock
    bint stopped                # copy of control.stop
    uint64_t nodes_before    # nodes when the current root move began
    bint failed_low          # the first line, in this iteration
    int root_depth           # of the current iteration
    int completed_depth      # of the last completed iteration; 0: none
    Move previous_best       # best move of the previous iteration
    int seldepth
    bint tainted             # the last score depends on a repetition of its line
    int null_ply             # no null moves before this ply, for verification
    uint64_t stages[STAGES]
    Stack stack[MAX_PLY + STACK_OFFSET + 4]
    Move pv[MAX_PLY + 1][MAX_PLY + 1]
    int pv_length[MAX_PLY + 2]
    RootMove root_moves[MAX_ROOT_MOVES]
    int root_count
    int pv_index             # MultiPV: root moves before this one are finished

cdef Worker** new_workers(int count, const Weights* weights) noexcept nogil
cdef void free_workers(Worker** workers, int count) noexcept nogil
cdef void begin_search(Control* control, const Limits* limits) noexcept nogil
cdef void set_up_worker(
    Worker* worker, const Position* pos, const Undo* history, int plies, const Rules* rules
) noexcept nogil
cdef bint should_stop(Worker* worker) noexcept nogil
cdef bint is_time_up(const Worker* worker) noexcept nogil
cdef uint64_t total_nodes(const Control* control) noexcept nogil
cdef int64_t clock_ms(const Control* control) noexcept nogil


cdef inline int param(const Worker* worker, int which) noexcept nogil:
    """Value of a search parameter."""
    return worker.tuning.value[which]


cdef inline Stack* stack_at(Worker* worker, int ply) noexcept nogil:
    """Stack entry of a ply; STACK_OFFSET empty ones precede the root."""
    return &worker.stack[ply + STACK_OFFSET]


cdef inline int draw_score(const Worker* worker, int ply) noexcept nogil:
    """Score of a draw, with contempt for the side to move at the root
    (https://www.chessprogramming.org/Contempt_Factor). A null move is a ply as well."""
    cdef int contempt = worker.control.limits.contempt
    return DRAW_SCORE + contempt if ply & 1 else DRAW_SCORE - contempt


cdef inline int clamp(int value, int low, int high) noexcept nogil:
    """``value`` limited to the range from ``low`` to ``high``."""
    if value < low:
        return low
    return high if value > high else value
