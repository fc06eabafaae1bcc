"""Marks of a move: check, new threat, parried threat."""

from xiangqi.core.moves.defs cimport Move
from xiangqi.core.moves.position cimport Position
from xiangqi.core.repetition.facts cimport AttackSet
from xiangqi.core.repetition.rules cimport Rules

cdef enum:  # Marks of a move that captures nothing
    CHECKS = 1           # the enemy king is attacked
    CHASES = 2           # it makes a threat, which is a chase if the reply answers it
    ANSWERS = 4          # all enemy threats are parried
    PARRIES = 8          # at least one is parried
    ALL_MARKS = 15

cdef struct Facts:       # of a position: who attacks whom; found when they are first needed
    bint own_found
    bint enemy_found
    AttackSet own        # of the side to move, those barred by a check included
    AttackSet enemy      # of the other, to be answered

cdef void forget_facts(Facts* facts) noexcept nogil
cdef int marks_of_move(
    const Position* before, Move move, const Rules* rules, Facts* facts, int wanted
) noexcept nogil
