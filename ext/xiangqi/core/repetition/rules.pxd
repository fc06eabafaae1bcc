"""Rule sets in the form that the core reads.

The fields and answers are those of ``xiangqi.referee.rules``, which explains them: the answers to a
field are numbered in the order of its type.
"""

cdef enum:
    MAX_NUMBERS = 5  # limits of rounds: for one piece, two, ..., five or more

cdef enum:
    OFFENCES_CHECK_KILL_AND_CHASE
    OFFENCES_CHECK_AND_CHASE
    OFFENCES_CHECK
    OFFENCES_NONE

cdef enum:
    MIXING_ONE_KIND
    MIXING_ANY

cdef enum:
    PENALTY_LOSS
    PENALTY_MUST_CHANGE
    PENALTY_BARRED

cdef enum:
    CHECK_REPLY_COUNTS
    CHECK_REPLY_CHASE_PASSES
    CHECK_REPLY_PASSES

cdef enum:
    DOUBLE_CHECK_ONE
    DOUBLE_CHECK_EACH

cdef enum:
    BOTH_FULL_FIRST
    BOTH_FULL_GRAVER

cdef enum:
    MATING_MOVE_ALLOWED
    MATING_MOVE_COUNTS

cdef enum:
    PROHIBITION_NONE
    PROHIBITION_POSITIONAL
    PROHIBITION_SITUATIONAL

cdef enum:
    NEW_THREAT_PAIR
    NEW_THREAT_VICTIM

cdef enum:
    ANSWERED_PAIR
    ANSWERED_VICTIM
    ANSWERED_ANY

cdef enum:
    CHECKING_MOVE_CHECK
    CHECKING_MOVE_CHECK_AND_CHASE
    CHECKING_MOVE_VOIDS_ALL

cdef enum:
    CHECK_ESCAPE_STANDING
    CHECK_ESCAPE_NEW

cdef enum:
    LEGALITY_FULL
    LEGALITY_PSEUDO

cdef enum:
    MINOR_ATTACKERS_LITERAL
    MINOR_ATTACKERS_PROFIT

cdef enum:
    LINE_EXEMPTION_EXEMPT
    LINE_EXEMPTION_CHASE

cdef enum:
    COMMON_VICTIM_WINDOW
    COMMON_VICTIM_SUCCESSIVE
    COMMON_VICTIM_ANY

cdef enum:
    IDENTITY_PIECE
    IDENTITY_SQUARE

cdef struct Rules:
    int occurrences
    int offences
    int mixing
    int verdicts                   # bit CONDUCTS * A + B: conduct A loses to conduct B
    int common_victim
    int penalty
    int prohibition
    int[MAX_NUMBERS] check_rounds  # [number of pieces - 1]; 0 if rounds are not counted
    int[MAX_NUMBERS] chase_rounds
    int[MAX_NUMBERS] mixed_rounds
    int check_reply
    int double_check
    int both_full
    int mating_move
    int new_threat
    int answered
    int checking_move
    int check_escape
    int legality
    int minor_attackers
    int line_exemption
    int identity

cdef inline bint are_checks_offences(const Rules* rules) noexcept nogil:
    return rules.offences != OFFENCES_NONE

cdef inline bint are_chases_offences(const Rules* rules) noexcept nogil:
    return rules.offences == OFFENCES_CHECK_AND_CHASE

cdef inline bint counts_rounds(const Rules* rules) noexcept nogil:
    return rules.check_rounds[0] > 0
