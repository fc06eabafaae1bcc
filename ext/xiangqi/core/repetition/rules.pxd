"""What a rule set decides, as the core needs it. ``xiangqi.referee.rules`` explains each."""

cdef struct Rules:
    int occurrences           # of the position, before it is ruled on
    bint count_checks         # perpetual check is an offence
    bint count_chases         # perpetual chase is an offence
    bint new_by_victim        # a second attacker on a piece already attacked is nothing new
    bint answered_by_victim   # an answer must end every threat to the victim, not just this one
    bint checks_may_chase     # a checking move may also be one of the chases
    bint escapes_renew        # threats barred by a check are made anew by stepping out of it
    bint ignore_pins          # captures by geometry alone, the kings' safety aside
    bint minors_strike        # advisors and elephants chase protected R, N, C as well
    bint victims_pairwise     # neighbouring chases share a victim, not all of them
    bint identity_by_square   # pieces that swapped squares take each other's identity
    int prohibition           # which positions may not come back at all; see prohibition.pxd
    bint offender_barred      # a move that would be ruled lost may not be played
