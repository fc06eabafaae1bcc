"""Evidence of a verdict, as tuples for Python."""

from xiangqi.core.moves.position cimport Position, Undo
from xiangqi.core.repetition.cycle cimport Cycle
from xiangqi.core.repetition.facts cimport AttackSet
from xiangqi.core.repetition.rules cimport Rules

cdef object explain_window(
    const Position* pos, const Undo* history, const Cycle* cycle, const Rules* rules
)
cdef object explain_rows(
    const Position* pos, const Undo* history, int plies, const Rules* rules
)
cdef tuple attacks_as_tuples(const AttackSet* attacks)
