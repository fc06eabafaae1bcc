"""Who watches long work on a class: told now and then how far it is, and able to stop it."""

from xiangqi.core.moves.defs cimport uint32_t

cdef enum:  # What is being done
    COUNTING             # the moves of every node
    SETTLING             # what is due at a distance
    SEEKING              # a zone
    AUDITING

cdef enum:
    LOOKS = 0x4000       # nodes worked on between two looks, some milliseconds

cdef struct Watch

ctypedef bint (*Look)(const Watch* watch) noexcept nogil

cdef struct Watch:
    Look look            # True: stop
    void* whom
    int job
    int level
    int distance         # where it settles
    uint32_t node        # of so many: those before it are done
    uint32_t nodes
    uint32_t steps       # nodes worked on since the last look
    bint is_stopped


cdef inline bint is_stopped(Watch* watch, uint32_t node) noexcept nogil:
    """To be asked for each node that is worked on; once it is True it stays so."""
    watch.steps += 1
    if watch.steps >= LOOKS:
        watch.steps = 0
        watch.node = node
        watch.is_stopped |= watch.look(watch)
    return watch.is_stopped
