"""When a search has to end."""

from xiangqi.core.system.clock cimport now_ms

cdef enum:
    CLOCK_MASK = 1023        # nodes between two looks at the clock
    SIGNALS_MS = 20          # between two looks for signals, which take the GIL


cdef bint is_over(Worker* worker) noexcept nogil:
    """Must the search end? The main worker counts its nodes and now and then looks at the clock,
    and for Ctrl-C.
    """
    cdef Control* control = worker.control
    if worker.is_main:
        if control.node_limit and worker.nodes >= control.node_limit:
            control.stop = True
        elif not worker.nodes & CLOCK_MASK and is_interrupted(control, now_ms()):
            control.stop = True
    worker.over = control.stop
    return worker.over


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
