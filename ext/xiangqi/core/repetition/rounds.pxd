"""Consecutive offences, for rule sets that bar the move that exceeds a number of rounds."""

from xiangqi.core.moves.defs cimport Move, uint8_t, uint32_t
from xiangqi.core.moves.position cimport Position, Undo
from xiangqi.core.repetition.cycle cimport Cycle
from xiangqi.core.repetition.judge cimport MAX_IDENTITIES
from xiangqi.core.repetition.rules cimport Rules

cdef enum:  # Offence of one side, the gravest last
    NO_OFFENCE
    CHASE_ROW            # of one piece
    MIXED_ROW            # checks and chases
    CHECK_ROW
    OFFENCES

cdef struct Row:         # consecutive moves with the same offence
    int rounds           # number of moves
    int first            # ply of the first one
    uint32_t pieces      # identities of all pieces that checked or chased
    uint32_t always      # identities of the pieces that did so with every move

cdef struct Tally:       # current rows of one side
    Row checks
    Row mixture          # checks and chases of any piece, also of one kind alone
    int checks_mixed     # number of checks among them
    Row chases[MAX_IDENTITIES]  # [identity of the victim]

cdef int rounds_allowed(int offence, const Row* row, const Rules* rules) noexcept nogil
cdef bint is_mixed(const Tally* tally, const Rules* rules) noexcept nogil
cdef int count_rows(
    const Position* pos, const Undo* history, int plies, const Rules* rules,
    Tally* tallies, uint8_t* identity
) noexcept nogil
cdef int overrun_by(
    const Position* pos, Move move, const Tally* tallies, const uint8_t* identity,
    const Rules* rules
) noexcept nogil
cdef int rule_on_cycle(
    const Position* pos, const Undo* history, const Cycle* cycle, const Rules* rules
) noexcept nogil
