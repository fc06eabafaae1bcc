"""Layout of the terms' weights, and the piece-square tables.

One 64-bit number holds both phases, the endgame in the upper half, as in Stockfish's ``Score``.
"""

from xiangqi.core.moves.attacks cimport FILE_OF, RANK_OF
from xiangqi.core.moves.defs cimport (
    BLACK, FILES, PIECE_CODES, RANKS, SQUARES, color_of, int32_t, int64_t, kind_of,
)

cpdef enum Group:  # where each group of weights begins
    MATERIAL = 0                                # [kind - 1]
    KING_SQUARES = MATERIAL + 7                 # [row from the far edge][folded file] of each kind
    ADVISOR_SQUARES = KING_SQUARES + 50
    BISHOP_SQUARES = ADVISOR_SQUARES + 50
    KNIGHT_SQUARES = BISHOP_SQUARES + 50
    ROOK_SQUARES = KNIGHT_SQUARES + 50
    CANNON_SQUARES = ROOK_SQUARES + 50
    PAWN_SQUARES = CANNON_SQUARES + 50
    ARMY = PAWN_SQUARES + 50                    # [chariots][horses][cannons]
    NO_ADVISOR = ARMY + 27                      # [enemy kind - KNIGHT]
    NO_BISHOP = NO_ADVISOR + 4                  # [enemy kind - KNIGHT]
    CANNON_MOUNTS = NO_BISHOP + 4
    ROOK_MOBILITY = CANNON_MOUNTS + 1           # [squares]
    CANNON_MOBILITY = ROOK_MOBILITY + 18        # [squares]
    KNIGHT_MOBILITY = CANNON_MOBILITY + 18      # [squares]
    ROOK_OPEN_FILE = KNIGHT_MOBILITY + 9        # [enemy soldiers on the file?]
    ROOK_ON_RIB = ROOK_OPEN_FILE + 2
    LINKED = ROOK_ON_RIB + 1                    # [kind - 1]
    KNIGHT_OUTPOST = LINKED + 7
    PAWN_PROTECTED = KNIGHT_OUTPOST + 1
    CROSSED = PAWN_PROTECTED + 1                # [chariots, horses and cannons]
    BARE_CANNON = CROSSED + 7                   # [on the king's file?]
    BARE_CANNON_ROOKS = BARE_CANNON + 2
    CANNON_BEHIND_TWO = BARE_CANNON_ROOKS + 1   # [on the king's file?][king's own between]
    ROOK_BEHIND_ONE = CANNON_BEHIND_TWO + 6     # [on the king's file?][king's own between]
    KING_COMMANDS_FILE = ROOK_BEHIND_ONE + 4
    KING_DANGER = KING_COMMANDS_FILE + 1        # [attack units]
    PAWN_THREAT = KING_DANGER + 32              # [victim's kind - KNIGHT]
    ROOK_THREATENED = PAWN_THREAT + 3
    HANGING = ROOK_THREATENED + 1               # [kind - 1]
    TEMPO = HANGING + 7

cdef enum:
    WEIGHTS_USED = TEMPO + 1
    PHASE_BITS = 32       # the endgame is in the upper bits
    FOLDED_FILES = 5      # files count from the nearer edge, as left and right are symmetric

cdef struct TermWeights:  # read-only once filled, shared by all threads
    int64_t value[WEIGHTS_USED]
    int64_t piece_square[PIECE_CODES][SQUARES]  # material and square, Red's less Black's

cdef void fill_piece_squares(TermWeights* weights) noexcept nogil


cdef inline int64_t tapered(int middle_game, int end_game) noexcept nogil:
    """Pack both phases into one number."""
    return (<int64_t>end_game << PHASE_BITS) + middle_game


cdef inline int middle_game_of(int64_t score) noexcept nogil:
    """The middlegame's half."""
    return <int32_t>score


cdef inline int end_game_of(int64_t score) noexcept nogil:
    """The endgame's half."""
    return <int>((score - <int32_t>score) >> PHASE_BITS)


cdef inline int piece_square_index(int piece, int square) noexcept nogil:
    """Index of the weight of a piece on a square, as its own side sees the board."""
    cdef int row = RANK_OF[square] if color_of(piece) == BLACK else RANKS - 1 - RANK_OF[square]
    cdef int file = min(<int>FILE_OF[square], FILES - 1 - FILE_OF[square])
    return KING_SQUARES + ((kind_of(piece) - 1) * RANKS + row) * FOLDED_FILES + file
