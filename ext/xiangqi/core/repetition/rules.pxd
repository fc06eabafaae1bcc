"""Rule sets in the form that the core reads; ``xiangqi.referee.rules`` explains the fields."""

cdef enum:
    MAX_NUMBERS = 5          # limits of rounds: for one piece, two, ..., five or more

cdef enum:  # Passing: replies to a check that neither count nor break a row
    NO_REPLY_PASSES
    CHASES_PASS               # replies that chase
    REPLIES_PASS              # all replies
    PASSINGS

cdef struct Rules:
    int occurrences           # of a position, at which it is ruled on
    bint count_checks         # perpetual check is an offence
    bint count_chases         # perpetual chase is an offence
    bint new_by_victim        # another attacker of a threatened piece makes no new threat
    bint answered_by_victim   # a reply must end every threat to the victim, not just this one
    bint answered_by_any      # any reply answers: a threat counts when it is made
    bint checks_may_chase     # a checking move may also be one of the chases
    bint checks_void_chases   # a check by either side voids all chases
    bint kinds_mix            # a check counts as a chase of any victim
    bint escapes_renew        # threats suspended by a check are made anew by escaping from it
    bint ignore_pins          # captures need not keep the king safe
    bint minors_strike        # advisors and elephants also chase protected R, N, C
    bint exempt_lines         # the LINE_EXEMPT clause applies
    bint victims_pairwise     # only successive chases must share a victim
    bint victims_vary         # each chase may have another victim
    bint identity_by_square   # pieces that swapped squares also swap identities
    int prohibition           # positions that may not be repeated at all; see prohibition.pxd
    bint offender_barred      # a move that would be ruled lost may not be played
    int losses                # bit CONDUCTS * A + B: conduct A loses to conduct B
    bint count_rounds         # moves are barred by rounds, see rounds.pxd, not by occurrences
    int check_rounds[MAX_NUMBERS]  # [number of pieces - 1]
    int chase_rounds[MAX_NUMBERS]
    int mixed_rounds[MAX_NUMBERS]
    int passing_replies       # replies to check that are not counted, a Passing
    bint double_checks_count  # both pieces of a double check count, even if one gives every check
    bint graver_alone         # if both sides reach their limits, only the graver offence is barred
    bint mates_count          # a mating move may exceed a limit
