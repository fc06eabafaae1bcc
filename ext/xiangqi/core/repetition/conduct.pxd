"""Conduct of a side over a cycle."""

from xiangqi.core.moves.defs cimport uint32_t
from xiangqi.core.repetition.rules cimport Rules

cdef enum:  # Conduct of one side over a cycle, the gravest last
    IDLE
    PERPETUAL_CHASE   # or, if kinds mix, checks and chases
    PERPETUAL_CHECK
    CONDUCTS

cdef struct Account:  # of one side's plies in the window so far
    bint only_checks
    bint any_check
    bint only_chases     # all plies are chases, with victims as the rules require
    uint32_t common      # victims of every ply
    uint32_t latest      # victims of the latest ply
    uint32_t shared      # victims that two successive plies have in common
    uint32_t met         # victims of any ply

cdef void open_account(Account* account) noexcept nogil
cdef void enter_ply(
    Account* account, bint check, uint32_t victims, const Rules* rules
) noexcept nogil
cdef void close_accounts(Account* accounts, const Rules* rules) noexcept nogil
cdef int conduct_of(const Account* account, const Rules* rules) noexcept nogil
cdef uint32_t victims_of(const Account* account, const Rules* rules) noexcept nogil
cdef int conducts_left(bint only_checks, bint any_check, const Rules* rules) noexcept nogil
