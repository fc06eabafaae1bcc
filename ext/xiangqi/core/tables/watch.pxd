"""Progress and cancellation of long work on a class."""

from xiangqi.core.moves.defs cimport uint32_t

cdef enum:  # What is being done
    COUNTING             # the moves of every node
    SETTLING             # what is due at a distance
    SEEKING              # a zone
    AUDITING

cdef enum:
    LOOKS = 0x4000       # nodes between two progress reports, some milliseconds

cdef struct Watch

ctypedef bint (*Look)(const Watch* watch) noexcept nogil

cdef struct Watch:
    Look look            # True: stop
    void* whom
    int job
    int level
    int distance         # where it settles
    uint32_t node        # current node
    uint32_t nodes       # in all
    uint32_t steps       # nodes since the last report
    bint is_stopped


cdef inline bint is_stopped(Watch* watch, uint32_t node) noexcept nogil:
    """Has the work been cancelled? Called for each node."""
    watch.steps += 1
    if watch.steps >= LOOKS:
        watch.steps = 0
        watch.node = node
        watch.is_stopped |= watch.look(watch)
    return watch.is_stopped
