"""Updating the history tables."""

from libc.string cimport memset

from xiangqi.core.moves.defs cimport int16_t

CONTINUATION_PLIES[:] = [1, 2, 4, 6]


cdef void forget(Histories* histories) noexcept nogil:
    memset(histories, 0, sizeof(Histories))


cdef void adjust(int16_t* counter, int bonus) noexcept nogil:
    """Move a counter by a bonus or malus; the fuller it is already, the less."""
    cdef int size = bonus if bonus >= 0 else -bonus
    if size > HISTORY_LIMIT:
        size = HISTORY_LIMIT
        bonus = HISTORY_LIMIT if bonus > 0 else -HISTORY_LIMIT
    counter[0] += bonus - counter[0] * size // HISTORY_LIMIT
