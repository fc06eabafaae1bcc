"""Dispatch of the evaluation to a network or to the hand-made terms."""

from xiangqi.core.evaluation.nnue.accumulators cimport NetworkState
from xiangqi.core.evaluation.terms cimport TermState
from xiangqi.core.moves.position cimport Position, Undo

cdef struct EvalState:       # one for each worker, updated by each move
    NetworkState* network    # replaces the terms, which are not updated then; or NULL
    TermState terms

cdef void eval_reset(EvalState* state, const Position* pos) noexcept nogil
cdef void eval_make(EvalState* state, const Position* pos, const Undo* undo) noexcept nogil
cdef void eval_unmake(EvalState* state, const Position* pos, const Undo* undo) noexcept nogil
cdef int raw_value(const Position* pos, EvalState* state) noexcept nogil
cdef int evaluate(const Position* pos, EvalState* state) noexcept nogil
