"""Marks of a move: check, new threat, parried threat."""

from xiangqi.core.moves.defs cimport Move
from xiangqi.core.moves.position cimport Position
from xiangqi.core.repetition.facts cimport AttackSet
from xiangqi.core.repetition.rules cimport Rules

cdef enum:  # Marks of a quiet move
    CHECKS = 1           # gives check
    CHASES = 2           # makes a threat, which is a chase if the reply answers it
    ANSWERS = 4          # parries all enemy threats
    PARRIES = 8          # parries at least one
    ALL_MARKS = 15

cdef struct Facts:       # attacks of a position, computed when first needed
    bint own_found
    bint enemy_found
    AttackSet own        # of the side to move, including those suspended by a check
    AttackSet enemy      # of the opponent

cdef void forget_facts(Facts* facts) noexcept nogil
cdef int marks_of_move(
    const Position* before, Move move, const Rules* rules, Facts* facts, int wanted
) noexcept nogil
