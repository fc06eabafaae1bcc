"""What one thread of a search works on, and what the threads share."""

from xiangqi.core.evaluation.scores cimport DRAW_SCORE, MAX_PLY
from xiangqi.core.evaluation.slot cimport EvalState
from xiangqi.core.moves.defs cimport Move, int64_t, uint64_t
from xiangqi.core.moves.position cimport Position, Undo
from xiangqi.core.repetition.rules cimport Rules
from xiangqi.core.search.history cimport Histories
from xiangqi.core.search.params cimport Tuning
from xiangqi.core.search.tt cimport Table
from xiangqi.core.tables.shelf cimport Shelf

cdef enum:
    MAX_GAME = 1024          # plies before the root that can still repeat
    MAX_ROOT_MOVES = 128
    FRAMES_BEFORE = 8        # empty frames before the root, for looking back
    CACHE_LINE = 64          # bytes that processors hand to each other as one

cdef enum:  # the stages of the repetition test, counted in Worker.stages
    KEY_REPEATED
    FLAGS_ASKED
    CHASES_ASKED
    STAGES

cdef struct Worker

cdef struct Frame:           # one ply of the line being searched
    Move move
    int place                # piece and target of that move, or -1
    Move excluded            # the move that singular extension leaves out
    int static_eval
    int reduction            # of the search of that move, in plies
    bint in_check

cdef struct RootMove:
    Move move
    int score
    int previous             # score of the iteration before
    uint64_t nodes           # what it has cost in the first line, all iterations together
    int length
    Move pv[MAX_PLY]

cdef struct Control:         # shared by the workers of one search
    Worker** workers         # all of them
    int worker_count
    Table table
    const Shelf* shelf       # end-game tables; NULL for none
    int stop                 # set by anyone, read by all
    int pondering            # the clock does not count yet
    int64_t nodes_per_ms     # so many nodes are a millisecond; 0: the clock tells the time
    int64_t clock_started    # in milliseconds; a hit while pondering starts it anew
    int64_t hard_ms          # 0 for none
    int64_t firm_ms          # the same, unless the score has fallen in this iteration
    int no_capture_limit     # plies without a capture that draw
    int contempt             # how much less a draw is worth to the side to move at the root
    bint mate_only           # nothing but a mate counts: static evaluations prune nothing
    int longest_line         # plies from the root: nothing is searched behind them
    uint64_t node_limit      # of all workers together; 0 for none
    uint64_t at_root         # where the main worker is: depth, number, move; 0 before any
    bint (*has_signal)(void* searcher) noexcept nogil  # NULL where no signals are heard
    void* searcher
    int64_t signals_heard    # when they were looked for, in milliseconds

cdef struct Worker:
    # The nodes have a cache line of their own: under a limit each worker reads those of the others,
    # and would wait for the line whenever its owner had written anything else in it.
    char before_nodes[CACHE_LINE]
    uint64_t nodes
    char behind_nodes[CACHE_LINE]
    Control* control
    const Tuning* tuning
    Histories* histories
    Position pos
    EvalState eval_state
    Rules rules
    Undo history[MAX_GAME + MAX_PLY + 8]
    int plies                # entries of history
    int root_plies           # of them before the root
    bint is_main             # this worker watches the clock
    bint over                # the search has been told to end
    uint64_t root_began      # the nodes before the root move under way
    bint failed_low          # the first line in this iteration
    int root_depth           # of the iteration under way
    int finished             # the last one that came to its end; 0 before any
    Move led                 # the best move before the iteration under way
    int seldepth
    bint tainted             # the last score rests on a repetition of its own line
    int null_ply             # null moves are off before this ply, for verification
    uint64_t stages[STAGES]
    Frame frames[MAX_PLY + FRAMES_BEFORE + 4]
    Move pv[MAX_PLY + 1][MAX_PLY + 1]
    int pv_length[MAX_PLY + 2]
    RootMove root_moves[MAX_ROOT_MOVES]
    int root_count
    int pv_index             # root moves before this one have their lines already

cdef bint is_over(Worker* worker) noexcept nogil
cdef bint is_interrupted(const Worker* worker) noexcept nogil
cdef uint64_t total_nodes(const Control* control) noexcept nogil
cdef int64_t clock_ms(const Control* control) noexcept nogil


cdef inline int param(const Worker* worker, int which) noexcept nogil:
    """One of the numbers of the search."""
    return worker.tuning.value[which]


cdef inline Frame* frame_at(Worker* worker, int ply) noexcept nogil:
    """The frame of a ply; up to FRAMES_BEFORE plies before the root there are empty ones."""
    return &worker.frames[ply + FRAMES_BEFORE]


cdef inline int draw_score(const Worker* worker, int ply) noexcept nogil:
    """A draw, as the side to move at the root thinks of draws
    (https://www.chessprogramming.org/Contempt_Factor). A null move is a ply as well."""
    cdef int contempt = worker.control.contempt
    return DRAW_SCORE + contempt if ply & 1 else DRAW_SCORE - contempt


cdef inline int clamp(int value, int least, int most) noexcept nogil:
    if value < least:
        return least
    return most if value > most else value
