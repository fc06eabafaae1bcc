"""Progress and cancellation of solving and auditing."""

from xiangqi.core.moves.defs cimport uint32_t

cdef enum:  # Job
    COUNTING             # the moves of every node
    SETTLING             # the nodes due at a distance
    SEEKING              # a zone
    AUDITING

cdef enum:
    POLL_NODES = 0x4000  # nodes between two polls, some milliseconds

cdef struct Watch

ctypedef bint (*Poll)(const Watch* watch) noexcept nogil

cdef struct Watch:
    Poll poll            # returns True to stop the work
    void* watched        # data for `poll`
    int job
    int level
    int distance         # being settled
    uint32_t node        # current node
    uint32_t nodes       # number of all nodes
    uint32_t steps       # nodes since the last poll
    bint is_stopped


cdef inline bint is_stopped(Watch* watch, uint32_t node) noexcept nogil:
    """Has the work been cancelled? Called for each node."""
    watch.steps += 1
    if watch.steps >= POLL_NODES:
        watch.steps = 0
        watch.node = node
        watch.is_stopped |= watch.poll(watch)
    return watch.is_stopped
