"""Search parameters, by name and in this order, each with its default and meaning.

``xiangqi.engine.searcher`` has the bounds; a test compares the two.
"""

cpdef enum Parameter:
    ASPIRATION_WINDOW         # 29: half width of the first aspiration window
    REVERSE_FUTILITY_DEPTH    # 7: largest depth of reverse futility pruning
    REVERSE_FUTILITY_MARGIN   # 99: margin above beta, per ply
    REVERSE_FUTILITY_BLEND    # 66: pull of the returned score to beta, percent
    NULL_MOVE_DEPTH           # 3: smallest depth of null move pruning
    NULL_MOVE_BASE            # 292: reduction of a null move, in hundredths of a ply
    NULL_MOVE_SLOPE           # 42: further reduction per ply of depth
    NULL_MOVE_EVAL_DIVISOR    # 185: margin above beta for a further ply
    NULL_MOVE_VERIFY_DEPTH    # 12: smallest depth of null move verification
    PROBCUT_DEPTH             # 6: smallest depth of ProbCut
    PROBCUT_MARGIN            # 190: margin above beta of ProbCut
    INTERNAL_REDUCTION_DEPTH  # 7: smallest depth of internal reductions
    LATE_MOVE_PRUNING_DEPTH   # 4: largest depth of late-move pruning
    LATE_MOVE_PRUNING_BASE    # 7: number of moves that are never pruned
    LATE_MOVE_PRUNING_FACTOR  # 1: further moves, per ply squared
    HISTORY_PRUNING           # 2049: prune a move with less than minus this history per ply
    FUTILITY_DEPTH            # 5: largest reduced depth of futility pruning
    FUTILITY_BASE             # 4: margin below alpha
    FUTILITY_MARGIN           # 32: further margin per ply
    FUTILITY_HISTORY          # 20693: history worth a ply of reduced depth
    SEE_PRUNING_DEPTH         # 9: largest depth of pruning by static exchange
    SEE_CAPTURE_MARGIN        # 151: loss allowed to a capture, per ply
    SEE_QUIET_MARGIN          # 33: loss allowed to a quiet move, per ply squared
    SINGULAR_DEPTH            # 8: smallest depth of singular extensions
    SINGULAR_MARGIN           # 35: singular margin, in sixteenths of a centipawn per ply
    DOUBLE_MARGIN             # 41: further margin for a double extension
    TRIPLE_MARGIN             # 94: further margin for a triple extension
    REDUCTION_DEPTH           # 3: smallest depth of late-move reductions
    REDUCTION_BASE            # 128: reduction of a late move, in hundredths of a ply
    REDUCTION_DIVISOR         # 173: divisor of the product of logarithms, times 100
    REDUCTION_HISTORY         # 6737: history worth a ply of reduction
    REDUCTION_CUT_NODE        # 94: further reduction at expected cut nodes
    REDUCTION_PV              # 193: smaller reduction at PV nodes
    REDUCTION_WORSE           # 27: further reduction if not improving
    REDUCTION_CHECK           # 97: smaller reduction of a check
    REDUCTION_TABLE_CAPTURE   # 83: further reduction if the table move captures
    REDUCTION_CAPTURE         # 109: smaller reduction of a losing capture
    DEEPER_MARGIN             # 64: margin above the best for a deeper re-search
    SHALLOWER_MARGIN          # 37: margin below which a re-search is shallower
    HINDSIGHT_DEEPER          # 317: smallest reduction extended after no gain
    HINDSIGHT_MARGIN          # 262: gain after which a reduced node is reduced further
    HISTORY_SLOPE             # 190: history bonus per ply of depth
    HISTORY_MOST              # 1444: largest history bonus
    MALUS_SLOPE               # 369: history malus per ply of depth
    MALUS_MOST                # 1289: largest history malus
    MALUS_FALL                # 12: decrease of the malus per move tried, percent
    REFUTED_MALUS             # 99: malus of an early quiet move when refuted, percent
    GAIN_BONUS                # 4: bonus of a quiet move per centipawn gained
    GAIN_BONUS_MOST           # 179: largest bonus by centipawns gained
    GAIN_CONTINUATION         # 76: weight of that bonus in the continuation history, percent
    FAIL_LOW_BONUS            # 132: bonus of a move after which all fail low, percent
    TABLE_CUTOFF_BONUS        # 60: bonus of a table move that cuts off, percent
    CONTINUATION_FAR          # 49: weight of the moves four and six plies ago, percent
    PAWN_HISTORY              # 67: weight of the history by soldiers, percent
    HISTORY_KEPT              # 69: history of quiet moves kept for a new search, percent
    CORRECTION_WEIGHT         # 77: inertia of the correction history
    CORRECTION_PAWNS          # 66: weight of the correction by soldiers, in 128ths
    CORRECTION_PIECES         # 70: weight of the corrections by each side's pieces, in 128ths
    CORRECTION_LINE           # 47: weight of the correction by the last two moves, in 128ths
    FAIL_HIGH_BLEND           # 91: pull of a fail-high to beta, percent at depth 0
    DELTA_MARGIN              # 92: quiescence: margin of delta pruning
    QUIESCENCE_BLEND          # 38: pull of standing pat to beta, percent
    RECAPTURE_DEPTH           # 8: quiescence: plies before recaptures only
    TABLE_KEEP                # 2: lead in depth that keeps a table entry
    BELIEVED_OCCURRENCES      # 2: occurrences in the tree that count as a repetition

cdef enum:
    PARAMETERS = BELIEVED_OCCURRENCES + 1

cdef enum:
    REDUCTION_SIZE = 64      # higher depths and move numbers have the same reduction

cdef struct Tuning:          # parameters of one engine
    int value[PARAMETERS]
    int reduction[REDUCTION_SIZE][REDUCTION_SIZE]  # [depth][move number], in hundredths of a ply

cdef void fill_tuning(Tuning* tuning, const int* values) noexcept nogil
