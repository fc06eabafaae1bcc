"""Search threads: memory, node counts, and when to stop."""

from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from xiangqi.core.evaluation.nnue.accumulators cimport (
    free_network_state, network_reset, new_network_state,
)
from xiangqi.core.moves.bitboard cimport any_of
from xiangqi.core.moves.defs cimport NO_MOVE
from xiangqi.core.moves.position cimport checkers
from xiangqi.core.system.clock cimport now_ms
from xiangqi.core.system.memory cimport allocate_pages, free_pages

cdef enum:
    CLOCK_MASK = 1023        # nodes between two polls of the clock,
    NODES_CLOCK_MASK = 63    # and where nodes are the clock
    SIGNALS_MS = 20          # between two polls of signals, which take the GIL
    NO_LIMIT = 1 << 30       # plies without a capture
    FIRST_NODES = 20_000     # at most for a first iteration whose time is up, about 30 ms


cdef bint should_stop(Worker* worker) noexcept nogil:
    """Is a limit reached? All workers check the node limit; the main one polls the clock and
    signals."""
    cdef Control* control = worker.control
    if control.limits.nodes and total_nodes(control) >= <uint64_t>control.limits.nodes:
        control.stop = True
    elif worker.is_main and is_poll_due(worker) and is_time_up(worker):
        control.stop = True
    worker.stopped = control.stop
    return worker.stopped


cdef uint64_t total_nodes(const Control* control) noexcept nogil:
    """Nodes of all workers."""
    cdef uint64_t nodes = 0
    cdef int i
    for i in range(control.worker_count):
        nodes += control.workers[i].nodes
    return nodes


cdef int64_t clock_ms(const Control* control) noexcept nogil:
    """Time in milliseconds, with an arbitrary origin: wall clock, or nodes of all workers."""
    if control.limits.nodes_per_ms:
        return <int64_t>total_nodes(control) // control.limits.nodes_per_ms
    return now_ms()


cdef inline bint is_poll_due(const Worker* worker) noexcept nogil:
    """Is it time to poll the clock and signals?"""
    return not worker.nodes & (
        NODES_CLOCK_MASK if worker.control.limits.nodes_per_ms else CLOCK_MASK
    )


cdef bint is_time_up(const Worker* worker) noexcept nogil:
    """Is the time used up, or has a signal handler raised an exception?

    Without a finished iteration a mate in one is not seen, so that the first one may take
    FIRST_NODES. In 99 % of positions from games it takes fewer than 220.
    """
    cdef Control* control = worker.control
    cdef int64_t now = now_ms()
    cdef int64_t spent
    if control.has_signal != NULL and now - control.signals_polled >= SIGNALS_MS:
        control.signals_polled = now
        if control.has_signal(control.searcher):
            return True
    if control.pondering or not control.limits.hard_ms:
        return False
    if worker.completed_depth == 0 and worker.nodes < FIRST_NODES:
        return False
    spent = clock_ms(control) - control.clock_started
    return spent >= control.limits.hard_ms or (
        control.firm_ms != 0 and spent >= control.firm_ms and not worker.failed_low
    )


cdef Worker** new_workers(int count, const Weights* weights) noexcept nogil:
    """Allocate workers with empty histories; NULL if memory runs out."""
    cdef Worker** workers = <Worker**>calloc(count, sizeof(Worker*))
    cdef int i
    if workers == NULL:
        return NULL
    for i in range(count):
        workers[i] = <Worker*>calloc(1, sizeof(Worker))
        if workers[i] != NULL:
            workers[i].histories = <Histories*>allocate_pages(sizeof(Histories))
            workers[i].network = new_network_state(weights)
        if workers[i] == NULL or workers[i].histories == NULL or workers[i].network == NULL:
            free_workers(workers, count)
            return NULL
    return workers


cdef void free_workers(Worker** workers, int count) noexcept nogil:
    """Free workers; NULL is allowed."""
    cdef int i
    if workers != NULL:
        for i in range(count):
            if workers[i] != NULL:
                free_pages(workers[i].histories)
                free_network_state(workers[i].network)
                free(workers[i])
        free(workers)


cdef void begin_search(Control* control, const Limits* limits) noexcept nogil:
    """Set the limits of a search; its clock starts now, or at a ponder hit."""
    cdef int64_t now = now_ms()
    control.limits = limits[0]
    if not limits.no_capture_limit:
        control.limits.no_capture_limit = NO_LIMIT
    control.pondering = limits.ponder
    control.clock_started = 0 if limits.nodes_per_ms else now
    control.firm_ms = 0
    control.max_ply = min(2 * limits.mate or MAX_PLY, MAX_PLY - 1)
    control.root_status = 0
    control.has_signal = NULL
    control.signals_polled = now


cdef void set_up_worker(
    Worker* worker, const Position* pos, const Undo* history, int plies, const Rules* rules
) noexcept nogil:
    """Set up a worker for the search of a position, with the ``plies`` moves before it."""
    cdef int i
    worker.pos = pos[0]
    worker.rules = rules[0]
    worker.plies = worker.root_plies = plies
    if plies:  # the board's history may be NULL
        memcpy(worker.history, history, plies * sizeof(Undo))
    worker.nodes = worker.seldepth = worker.null_ply = worker.pv_index = 0
    worker.completed_depth = 0
    worker.previous_best = NO_MOVE
    worker.tainted = worker.stopped = False
    memset(worker.stages, 0, sizeof(worker.stages))
    memset(worker.stack, 0, sizeof(worker.stack))
    for i in range(STACK_OFFSET):
        worker.stack[i].piece_to = -1
    worker.stack[STACK_OFFSET].in_check = any_of(checkers(pos, pos.turn))
    network_reset(worker.network, &worker.pos)
