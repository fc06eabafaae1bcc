"""Perft (https://www.chessprogramming.org/Perft), with bulk counting of the last ply."""

from cpython.exc cimport PyErr_CheckSignals

from xiangqi.core.moves.movegen cimport MoveList, count_legal, generate_legal
from xiangqi.core.moves.position cimport Undo, make, unmake

cdef enum:
    SIGNAL_DEPTH = 4  # Ctrl-C is polled before each subtree of this depth


cdef int64_t perft(Position* pos, int depth, bint bulk) except -1 nogil:
    """The number of move sequences of ``depth`` plies; Ctrl-C raises KeyboardInterrupt.

    With ``bulk`` the last moves are only counted, otherwise each is made and unmade.
    """
    cdef MoveList moves
    cdef Undo undo
    cdef int64_t nodes = 0
    cdef int i
    if depth == 0:
        return 1
    if bulk and depth == 1:
        return count_legal(pos)
    if depth == SIGNAL_DEPTH:
        with gil:
            PyErr_CheckSignals()
    generate_legal(pos, &moves)
    for i in range(moves.count):
        make(pos, moves.moves[i], &undo)
        try:
            nodes += perft(pos, depth - 1, bulk)
        finally:
            unmake(pos, &undo)
    return nodes
