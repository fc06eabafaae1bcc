"""Static evaluation, by the network or by hand-made terms, from the side to move."""

from xiangqi.core.evaluation.lone cimport is_lone, lone_value
from xiangqi.core.evaluation.nnue.accumulators cimport network_make, network_reset, network_unmake
from xiangqi.core.evaluation.nnue.output cimport network_value
from xiangqi.core.evaluation.terms cimport terms_make, terms_reset, terms_unmake, terms_value


cdef void eval_reset(EvalState* state, const Position* pos) noexcept nogil:
    """Start from a new position."""
    if state.network != NULL:
        network_reset(state.network, pos)
    else:
        terms_reset(&state.terms, pos)


cdef void eval_make(EvalState* state, const Position* pos, const Undo* undo) noexcept nogil:
    """Update for a move that has been made."""
    if state.network != NULL:
        network_make(state.network, pos, undo)
    else:
        terms_make(&state.terms, pos, undo)


cdef void eval_unmake(EvalState* state, const Position* pos, const Undo* undo) noexcept nogil:
    """Update for a move that has been unmade."""
    if state.network != NULL:
        network_unmake(state.network)
    else:
        terms_unmake(&state.terms, pos, undo)


cdef int raw_value(const Position* pos, EvalState* state) noexcept nogil:
    """Value of the network or of the terms in centipawns, from the side to move."""
    if state.network != NULL:
        return network_value(state.network, pos)
    return terms_value(&state.terms, pos)


cdef int evaluate(const Position* pos, EvalState* state) noexcept nogil:
    """Static evaluation: the raw value, corrected in endings that the material decides."""
    cdef int value = raw_value(pos, state)
    return lone_value(pos, value) if is_lone(pos) else value
