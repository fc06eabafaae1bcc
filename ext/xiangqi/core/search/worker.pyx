"""When a search has to end."""

from xiangqi.core.system.clock cimport now_ms

cdef enum:
    CLOCK_MASK = 1023        # nodes between two looks at the clock
    SIGNALS_MS = 20          # between two looks for signals, which take the GIL


cdef bint is_over(Worker* worker) noexcept nogil:
    """Must the search end? All workers count the nodes where they are limited; the main worker
    looks at the clock now and then, and for Ctrl-C.
    """
    cdef Control* control = worker.control
    if control.node_limit and total_nodes(control) >= control.node_limit:
        control.stop = True
    elif worker.is_main and not worker.nodes & CLOCK_MASK and is_interrupted(control, now_ms()):
        control.stop = True
    worker.over = control.stop
    return worker.over


cdef uint64_t total_nodes(const Control* control) noexcept nogil:
    """The nodes of all workers so far."""
    cdef uint64_t nodes = 0
    cdef int i
    for i in range(control.worker_count):
        nodes += control.workers[i].nodes
    return nodes


cdef bint is_interrupted(Control* control, int64_t now) noexcept nogil:
    """Is the time up, or has a signal handler raised something?"""
    if control.has_signal != NULL and now - control.signals_heard >= SIGNALS_MS:
        control.signals_heard = now
        if control.has_signal(control.searcher):
            return True
    return (
        control.hard_ms != 0 and not control.pondering
        and now - control.clock_started >= control.hard_ms
    )
