"""Taking workers on, and letting them go."""

from libc.stdlib cimport calloc, free

from xiangqi.core.evaluation.nnue.accumulators cimport free_network_state, new_network_state
from xiangqi.core.search.history cimport Histories
from xiangqi.core.system.memory cimport allocate_pages, free_pages


cdef Worker** new_workers(int count, const Weights* network) noexcept nogil:
    """So many workers with empty histories, and with the state of a network unless it is NULL;
    NULL if there is no memory for all of them."""
    cdef Worker** workers = <Worker**>calloc(count, sizeof(Worker*))
    cdef int i
    if workers == NULL:
        return NULL
    for i in range(count):
        workers[i] = <Worker*>calloc(1, sizeof(Worker))
        if workers[i] != NULL:
            workers[i].histories = <Histories*>allocate_pages(sizeof(Histories))
            if network != NULL:
                workers[i].eval_state.network = new_network_state(network)
        if workers[i] == NULL or workers[i].histories == NULL or (
            network != NULL and workers[i].eval_state.network == NULL
        ):
            free_workers(workers, count)
            return NULL
    return workers


cdef void free_workers(Worker** workers, int count) noexcept nogil:
    """Give the memory back; NULL is none."""
    cdef int i
    if workers != NULL:
        for i in range(count):
            if workers[i] != NULL:
                free_pages(workers[i].histories)
                free_network_state(workers[i].eval_state.network)
                free(workers[i])
        free(workers)
