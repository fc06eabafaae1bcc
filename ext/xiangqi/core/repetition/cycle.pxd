"""Repeated positions: the plies between them, on which both sides are judged."""

from xiangqi.core.moves.position cimport Position, Undo

cdef struct Cycle:
    int occurrences      # of the present position, itself included, as far as searched
    int first            # the window: from the first of the occurrences that count
    int last             # until now
    int previous         # the ply played after the last earlier occurrence

cdef bint find_cycle(
    const Position* pos, const Undo* history, int plies, int required, Cycle* cycle
) noexcept nogil
cdef bint find_cycle_in_search(
    const Position* pos, const Undo* history, int plies, int root_plies, int required,
    int believed, Cycle* cycle
) noexcept nogil
