"""Offences counted in rows, for rule sets that bar a move when a count is full."""

from xiangqi.core.moves.defs cimport Move, uint8_t, uint32_t
from xiangqi.core.moves.position cimport Position, Undo
from xiangqi.core.repetition.cycle cimport Cycle
from xiangqi.core.repetition.judge cimport MAX_IDENTITIES
from xiangqi.core.repetition.rules cimport Rules

cdef enum:  # Offence of one side in a row, the graver the higher
    NO_OFFENCE
    CHASE_ROW            # of one piece
    MIXED_ROW            # checks and chases
    CHECK_ROW
    OFFENCES

cdef struct Row:         # moves in a row that offend alike
    int rounds           # how many
    int first            # the ply of the first one
    uint32_t pieces      # identities of all that checked or chased
    uint32_t always      # of those that did so with every move

cdef struct Tally:       # what one side has going
    Row checks
    Row mixture          # checks and chases of any piece, one kind alone included
    int checks_mixed     # how many of these are checks
    Row chases[MAX_IDENTITIES]  # by the piece that is chased

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
