"""Updating the history tables."""

from libc.string cimport memset

from xiangqi.core.moves.defs cimport PAWN, uint64_t


cdef void forget(Histories* histories) noexcept nogil:
    memset(histories, 0, sizeof(Histories))


cdef void adjust(int16_t* counter, int bonus) noexcept nogil:
    """Move a counter by a bonus or malus; the fuller it is already, the less."""
    cdef int size = bonus if bonus >= 0 else -bonus
    if size > HISTORY_LIMIT:
        size = HISTORY_LIMIT
        bonus = HISTORY_LIMIT if bonus > 0 else -HISTORY_LIMIT
    counter[0] += bonus - counter[0] * size // HISTORY_LIMIT


cdef inline uint64_t mixed(uint64_t word) noexcept nogil:
    word = (word ^ (word >> 29)) * <uint64_t>0xBF58476D1CE4E5B9
    return word ^ (word >> 32)


cdef int correction_index(const Position* pos) noexcept nogil:
    """Positions with the same soldiers share their correction
    (https://www.chessprogramming.org/Static_Evaluation_Correction_History)."""
    cdef Bitboard pawns = pos.by_kind[PAWN]
    cdef uint64_t own = pos.by_color[0].low & pawns.low
    return <int>(mixed(pawns.low ^ mixed(pawns.high ^ mixed(own))) & (CORRECTIONS - 1))
