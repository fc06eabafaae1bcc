"""Zobrist keys (https://www.chessprogramming.org/Zobrist_Hashing): one random number for each
piece on each square, one for the side to move; a position's key is their exclusive or."""

from xiangqi.core.moves.defs cimport PIECE_CODES, SQUARES, Key, uint64_t

cdef Key PIECE_KEY[PIECE_CODES][SQUARES]
cdef Key TURN_KEY  # in the key when Black is to move

cdef uint64_t next_random(uint64_t* state) noexcept nogil
