"""Updating the history tables."""

from libc.string cimport memset

from xiangqi.core.moves.defs cimport KING, PAWN, int16_t, uint64_t

cdef uint64_t SPREAD = 0xBF58476D1CE4E5B9  # a multiplier of SplitMix64

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


cdef inline uint64_t mixed(uint64_t word) noexcept nogil:
    word = (word ^ (word >> 29)) * SPREAD
    return word ^ (word >> 32)


cdef int pawn_index(const Position* pos) noexcept nogil:
    """A number for how all soldiers stand, below CORRECTIONS."""
    cdef Bitboard pawns = pos.by_kind[PAWN]
    cdef uint64_t own = pos.by_color[0].low & pawns.low
    return <int>(mixed(pawns.low ^ mixed(pawns.high ^ mixed(own))) & (CORRECTIONS - 1))


cdef int16_t* pawn_row(Histories* histories, const Position* pos) noexcept nogil:
    """The history of moves where the soldiers stand like this."""
    return histories.pawns[pawn_index(pos) % PAWN_ROWS]


cdef int men_index(const Position* pos, int color) noexcept nogil:
    """A number for how a side's men stand, soldiers and king left out, below CORRECTIONS."""
    cdef const Bitboard* own = &pos.by_color[color]
    cdef const Bitboard* men
    cdef uint64_t key = 0
    cdef int kind
    for kind in range(KING + 1, PAWN):
        men = &pos.by_kind[kind]
        key = (key + (own.low & men.low)) * SPREAD + (own.high & men.high)
    return <int>(mixed(key) & (CORRECTIONS - 1))
