"""The scale of scores: centipawns for the side to move, mates, and wins by rule."""

cdef enum:
    MAX_PLY = 120            # maximum ply of the search
    INFINITE = 32000
    NO_SCORE = 32001
    MATE = 30000             # a mate in p plies is worth MATE - p
    MATE_IN_MAX = MATE - 4 * MAX_PLY
    RULE_WIN = 29000         # a win by the repetition rules in p plies is worth RULE_WIN - p
    WIN_IN_MAX = RULE_WIN - 4 * MAX_PLY
    DRAW_SCORE = 0
    MAX_VALUE = 19999        # largest absolute value of an evaluation
