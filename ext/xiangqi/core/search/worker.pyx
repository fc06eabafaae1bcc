"""When a search has to end."""

from xiangqi.core.system.clock cimport now_ms

cdef enum:
    CLOCK_MASK = 1023        # nodes between two looks at the clock,
    NODES_CLOCK_MASK = 63    # where nodes are the clock, it is exacter
    SIGNALS_MS = 20          # between two looks for signals, which take the GIL


cdef bint is_over(Worker* worker) noexcept nogil:
    """Must the search end? All workers count the nodes where they are limited; the main worker
    looks at the clock now and then, and for Ctrl-C.
    """
    cdef Control* control = worker.control
    if control.node_limit and total_nodes(control) >= control.node_limit:
        control.stop = True
    elif worker.is_main and is_time_to_look(worker) and is_interrupted(worker):
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


cdef int64_t clock_ms(const Control* control) noexcept nogil:
    """The clock, in milliseconds from anywhere; it goes on while pondering. It may be the nodes of
    all workers that move it."""
    if control.nodes_per_ms:
        return <int64_t>total_nodes(control) // control.nodes_per_ms
    return now_ms()


cdef inline bint is_time_to_look(const Worker* worker) noexcept nogil:
    return not worker.nodes & (
        NODES_CLOCK_MASK if worker.control.nodes_per_ms else CLOCK_MASK
    )


cdef bint is_interrupted(const Worker* worker) noexcept nogil:
    """Is the time up, or has a signal handler raised something?"""
    cdef Control* control = worker.control
    cdef int64_t now = now_ms()
    cdef int64_t spent
    if control.has_signal != NULL and now - control.signals_heard >= SIGNALS_MS:
        control.signals_heard = now
        if control.has_signal(control.searcher):
            return True
    if control.pondering or not control.hard_ms:
        return False
    spent = clock_ms(control) - control.clock_started
    return spent >= control.hard_ms or (
        control.firm_ms != 0 and spent >= control.firm_ms and not worker.failed_low
    )
