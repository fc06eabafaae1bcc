"""Repeated positions, and the window of plies on which both sides are judged."""

from xiangqi.core.moves.position cimport Position, Undo

cdef struct Cycle:
    int occurrences      # of the present position, counting itself, as far as searched
    int first            # first ply of the window: after the first occurrence that counts
    int last             # last ply of the window: the last one played
    int previous         # the ply played after the latest earlier occurrence

cdef bint find_cycle(
    const Position* pos, const Undo* history, int plies, int required, Cycle* cycle
) noexcept nogil
cdef bint find_cycle_in_search(
    const Position* pos, const Undo* history, int plies, int root_plies, int required,
    int believed, Cycle* cycle
) noexcept nogil
