"""A class of endgames as a graph."""

from xiangqi.core.moves.defs cimport PIECE_CODES
from xiangqi.core.repetition.rules cimport Rules
from xiangqi.core.tables.graph cimport Graph
from xiangqi.core.tables.material cimport Material
from xiangqi.core.tables.table_set cimport TableSet, Table

cdef struct Smaller:     # the class after a capture
    const Table* table
    bint turned          # the colours are exchanged in the table

cdef struct EndGame:
    const Material* material
    const Rules* rules
    Smaller without[PIECE_CODES]  # [captured piece]

cdef bint open_class(
    EndGame* game, Graph* graph, const Material* material, const Rules* rules,
    const TableSet* table_set
) noexcept nogil
