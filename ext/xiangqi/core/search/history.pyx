"""Updates of history counters."""

from libc.string cimport memset

from xiangqi.core.moves.defs cimport int16_t

CONTINUATION_PLIES[:] = [1, 2, 4, 6]


cdef void clear_histories(Histories* histories) noexcept nogil:
    """Set all counters to zero."""
    memset(histories, 0, sizeof(Histories))


cdef void age_histories(Histories* histories, int percent) noexcept nogil:
    """Scale the history of quiet moves to ``percent``: it was learned in another position
    (https://www.chessprogramming.org/History_Heuristic)."""
    cdef int color, move
    for color in range(2):
        for move in range(MOVES):
            histories.butterfly[color][move] = histories.butterfly[color][move] * percent // 100


cdef void update_history(int16_t* counter, int bonus) noexcept nogil:
    """Add a bonus or malus; the nearer the counter is to its limit, the less."""
    cdef int size = bonus if bonus >= 0 else -bonus
    if size > HISTORY_LIMIT:
        size = HISTORY_LIMIT
        bonus = HISTORY_LIMIT if bonus > 0 else -HISTORY_LIMIT
    counter[0] += bonus - counter[0] * size // HISTORY_LIMIT
