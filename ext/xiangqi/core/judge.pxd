"""The facts of a cycle and the verdict on it."""

from xiangqi.core.defs cimport Move, uint32_t
from xiangqi.core.position cimport Position, Undo
from xiangqi.core.rules cimport Rules
from xiangqi.core.threats cimport AttackSet

cdef enum:  # Conduct of one side over a cycle, the graver the higher
    IDLE
    PERPETUAL_CHASE
    PERPETUAL_CHECK
    CONDUCTS

cdef enum:  # Verdict
    UNDECIDED
    DRAW
    RED_WINS
    BLACK_WINS

cdef struct Cycle:
    int occurrences      # of the present position, itself included
    int first            # the window: plies first .. last, between the first of the
    int last             #   occurrences that count and now
    int previous         # the ply played when the position last stood

cdef struct PlyFacts:
    bint check           # the move gives check
    AttackSet attacks    # of the mover after the move, with their reasons

cdef struct Judgment:
    int verdict
    int conduct[2]
    uint32_t victims[2]  # identities chased all along; see identity_of

cdef int verdict_of(int red, int black) noexcept nogil
cdef bint find_cycle(
    const Position* pos, const Undo* history, int plies, int required, Cycle* cycle
) noexcept nogil
cdef void judge_cycle(
    const Position* pos, const Undo* history, const Cycle* cycle, const Rules* rules,
    Judgment* judgment, PlyFacts* facts
) noexcept nogil
