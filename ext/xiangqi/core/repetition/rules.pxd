"""Rule set as the core reads it. ``xiangqi.referee.rules`` explains each."""

cdef enum:
    MAX_NUMBERS = 5          # of rounds in a rule set, the last one for all more pieces

cdef enum:  # Passing: which replies to a check neither count nor break a row
    NO_REPLY_PASSES
    CHASES_PASS               # those that chase
    REPLIES_PASS              # all of them
    PASSINGS

cdef struct Rules:
    int occurrences           # of the position, before it is ruled on
    bint count_checks         # perpetual check is an offence
    bint count_chases         # perpetual chase is an offence
    bint new_by_victim        # a second attacker on a piece already attacked is nothing new
    bint answered_by_victim   # an answer must end every threat to the victim, not just this one
    bint answered_by_any      # any reply answers: a threat counts when it is made
    bint checks_may_chase     # a checking move may also be one of the chases
    bint checks_void_chases   # a check of either side voids all chases
    bint kinds_mix            # a check counts as a chase of any victim
    bint escapes_renew        # threats barred by a check are made anew by stepping out of it
    bint ignore_pins          # captures by geometry alone, the kings' safety aside
    bint minors_strike        # advisors and elephants chase protected R, N, C as well
    bint exempt_lines         # an attacker at rest gains nothing by a root that looked through it
    bint victims_pairwise     # neighbouring chases share a victim, not all of them
    bint victims_vary         # each chase may have another victim
    bint identity_by_square   # pieces that swapped squares take each other's identity
    int prohibition           # which positions may not come back at all; see prohibition.pxd
    bint offender_barred      # a move that would be ruled lost may not be played
    int losses                # who loses: bit CONDUCTS * A + B, conduct A to conduct B
    bint count_rounds         # moves are barred by rounds, see rounds.pxd, not by occurrences
    int check_rounds[MAX_NUMBERS]  # by the number of pieces
    int chase_rounds[MAX_NUMBERS]
    int mixed_rounds[MAX_NUMBERS]
    int passing_replies       # replies to check outside the count
    bint double_checks_count  # each piece of a double check, though one of them checks all along
    bint graver_alone         # of two full counts the graver one alone is barred
    bint mates_count          # a move that leaves the other side none may be one too many
