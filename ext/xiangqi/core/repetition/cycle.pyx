"""Cycle finder: compares keys backwards, two plies at a time, to the last capture."""

from xiangqi.core.moves.defs cimport NO_PIECE


cdef inline int earlier_occurrence(
    const Position* pos, const Undo* history, int ply, int oldest
) noexcept nogil:
    """Latest ply from ``oldest`` to ``ply - 2``, in steps of two, before which the position was the
    present one; -1 if there is none."""
    ply -= 2
    while ply >= oldest:
        if history[ply].key == pos.key:
            return ply
        ply -= 2
    return -1


cdef void begin_looking(Cycle* cycle, int plies) noexcept nogil:
    """Start with the present occurrence alone."""
    cycle.occurrences = 1
    cycle.previous = cycle.first = -1
    cycle.last = plies - 1


cdef void enter_occurrence(Cycle* cycle, int ply, int required) noexcept nogil:
    """Add an earlier occurrence; the one that completes the required number begins the window."""
    if cycle.occurrences == 1:
        cycle.previous = ply
    cycle.occurrences += 1
    if cycle.occurrences <= required:
        cycle.first = ply


cdef bint find_cycle(
    const Position* pos, const Undo* history, int plies, int required, Cycle* cycle
) noexcept nogil:
    """Has the present position occurred ``required`` times, counting the present occurrence?

    ``history`` holds the ``plies`` moves that led here; positions before the last capture cannot
    recur. ``cycle.occurrences`` counts all occurrences.
    """
    cdef int oldest = plies
    cdef int ply = plies
    while oldest > 0 and history[oldest - 1].captured == NO_PIECE:
        oldest -= 1
    begin_looking(cycle, plies)
    while True:
        ply = earlier_occurrence(pos, history, ply, oldest)
        if ply < 0:
            return cycle.occurrences >= required
        enter_occurrence(cycle, ply, required)


cdef bint find_cycle_in_search(
    const Position* pos, const Undo* history, int plies, int root_plies, int required,
    int believed, Cycle* cycle
) noexcept nogil:
    """Has the position occurred ``required`` times, or ``believed`` times since the search's root?

    Stops as soon as that is known. The half-move clock bounds the plies, and a null move resets it:
    positions before a null move do not count. No position recurs after two plies.
    """
    cdef int oldest = plies - min(pos.halfmove_clock, plies)
    cdef int ply = plies - 2
    cdef int inside = 1
    begin_looking(cycle, plies)
    while True:
        ply = earlier_occurrence(pos, history, ply, oldest)
        if ply < 0:
            return False
        enter_occurrence(cycle, ply, required)
        inside += ply >= root_plies
        if inside >= believed or cycle.occurrences >= required:
            return True
