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
    int first            # the window: from the first of the occurrences that count
    int last             # until now
    int previous         # the ply played when the position last stood

cdef struct PlyFacts:
    bint check           # the move gives check
    AttackSet attacks    # of the mover after the move, with their reasons

cdef struct Judgment:
    int verdict
    int conduct[2]
    uint32_t victims[2]  # identities chased all along; see identity_of

cdef struct Account:  # what one side has done so far in the window
    bint only_checks
    bint only_chases     # every ply so far had a victim (and fitted those before)
    uint32_t common      # victims of every ply so far
    uint32_t latest      # victims of the latest ply
    uint32_t shared      # victims that two neighbouring plies had in common

cdef void open_account(Account* account) noexcept nogil
cdef void enter_ply(
    Account* account, bint check, uint32_t victims, const Rules* rules
) noexcept nogil
cdef int conduct_of(const Account* account, const Rules* rules) noexcept nogil
cdef int verdict_of(int red, int black) noexcept nogil
cdef bint find_cycle(
    const Position* pos, const Undo* history, int plies, int required, Cycle* cycle
) noexcept nogil
cdef void judge_cycle(
    const Position* pos, const Undo* history, const Cycle* cycle, const Rules* rules,
    Judgment* judgment, PlyFacts* facts
) noexcept nogil
