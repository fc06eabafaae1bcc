"""Piece-square tables with material."""

from xiangqi.core.moves.defs cimport KING, PAWN, RED, make_piece


cdef void fill_piece_squares(TermWeights* weights) noexcept nogil:
    """Fill in the sums of material and piece-square weights; Black's are negative."""
    cdef int color, kind, square, piece
    cdef int64_t value
    for color in range(2):
        for kind in range(KING, PAWN + 1):
            piece = make_piece(color, kind)
            for square in range(SQUARES):
                value = (
                    weights.value[MATERIAL + kind - 1]
                    + weights.value[piece_square_index(piece, square)]
                )
                weights.piece_square[piece][square] = value if color == RED else -value
