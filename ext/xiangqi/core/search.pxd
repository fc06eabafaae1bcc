"""The search: one worker's tree, and what the workers share."""

from xiangqi.core.defs cimport Move, int64_t, uint64_t
from xiangqi.core.evaluate cimport EvalState
from xiangqi.core.history cimport Histories
from xiangqi.core.network cimport NetworkState
from xiangqi.core.position cimport Position, Undo
from xiangqi.core.rules cimport Rules
from xiangqi.core.scores cimport MAX_PLY
from xiangqi.core.tt cimport Table

cdef enum:
    MAX_GAME = 1024          # plies before the root that can still repeat
    MAX_ROOT_MOVES = 128
    FRAMES_BEFORE = 4        # empty frames before the root, for looking back

cdef enum:  # the stages of the repetition test, counted in Worker.stages
    KEY_REPEATED
    FLAGS_ASKED
    CHASES_ASKED
    STAGES

cdef struct Frame:           # one ply of the line being searched
    Move move
    int place                # piece and target of that move, or -1
    Move excluded            # the move that singular extension leaves out
    int static_eval
    bint in_check

cdef struct RootMove:
    Move move
    int score
    int previous             # score of the iteration before
    int length
    Move pv[MAX_PLY]

cdef struct Control:         # shared by the workers of one search
    Table table
    int stop                 # set by anyone, read by all
    int pondering            # the clock does not count yet
    int64_t clock_started    # in milliseconds; a hit while pondering starts it anew
    int64_t hard_ms          # 0 for none
    int no_capture_limit     # plies without a capture that draw
    uint64_t node_limit      # 0 for none
    uint64_t at_root         # where the main worker is: depth, number, move; 0 before any
    bint (*has_signal)(void* searcher) noexcept nogil  # NULL where no signals are heard
    void* searcher

cdef struct Worker:
    Control* control
    Histories* histories
    Position pos
    EvalState eval_state
    NetworkState* network    # NULL for the hand-made evaluation
    Rules rules
    Undo history[MAX_GAME + MAX_PLY + 8]
    int plies                # entries of history
    int root_plies           # of them before the root
    bint is_main             # this worker watches the clock
    bint over                # the search has been told to end
    uint64_t nodes
    int root_depth
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

cdef void prepare_reductions() noexcept nogil
cdef int search_depth(Worker* worker, int depth) noexcept nogil
cdef void sort_root_moves(Worker* worker, int first) noexcept nogil
cdef void deepen(Worker* worker, int depth) noexcept nogil
