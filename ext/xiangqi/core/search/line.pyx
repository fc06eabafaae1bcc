"""Moves of the search: made in the position, the history and the evaluation state together."""

from xiangqi.core.evaluation.nnue.accumulators cimport network_make, network_unmake
from xiangqi.core.evaluation.scores cimport MAX_PLY
from xiangqi.core.moves.bitboard cimport any_of
from xiangqi.core.moves.defs cimport NO_MOVE, NO_PIECE, from_square, to_square
from xiangqi.core.moves.position cimport Undo, checkers, make, unmake
from xiangqi.core.moves.zobrist cimport TURN_KEY
from xiangqi.core.search.history cimport piece_to
from xiangqi.core.search.worker cimport Stack, stack_at
from xiangqi.core.system.bits cimport ensure


cdef void make_move(Worker* worker, int ply, Move move, bint checks) noexcept nogil:
    """Make a move; ``checks``: it gives check."""
    cdef Undo* undo = &worker.history[worker.plies]
    cdef Stack* ss = stack_at(worker, ply)
    ss.move = move
    ss.piece_to = piece_to(worker.pos.board[from_square(move)], to_square(move))
    make(&worker.pos, move, undo)
    undo.check = checks
    ensure(checks == any_of(checkers(&worker.pos, worker.pos.turn)))
    network_make(worker.network, &worker.pos, undo)
    stack_at(worker, ply + 1).in_check = undo.check
    worker.plies += 1
    worker.nodes += 1


cdef void unmake_move(Worker* worker) noexcept nogil:
    """Unmake the last move."""
    worker.plies -= 1
    unmake(&worker.pos, &worker.history[worker.plies])
    network_unmake(worker.network)


cdef void make_null(Worker* worker, int ply) noexcept nogil:
    """Make a null move. Repetitions cannot span it, so the half-move clock restarts."""
    cdef Undo* undo = &worker.history[worker.plies]
    cdef Stack* ss = stack_at(worker, ply)
    ss.move = NO_MOVE
    ss.piece_to = -1
    undo.key = worker.pos.key
    undo.halfmove_clock = worker.pos.halfmove_clock
    undo.move = NO_MOVE
    undo.captured = NO_PIECE
    undo.check = False
    worker.pos.key ^= TURN_KEY
    worker.pos.turn ^= 1
    worker.pos.halfmove_clock = 0
    stack_at(worker, ply + 1).in_check = False
    worker.plies += 1
    worker.nodes += 1


cdef void unmake_null(Worker* worker) noexcept nogil:
    """Unmake a null move."""
    worker.plies -= 1
    worker.pos.turn ^= 1
    worker.pos.key = worker.history[worker.plies].key
    worker.pos.halfmove_clock = worker.history[worker.plies].halfmove_clock


cdef void clear_pv(Worker* worker, int ply) noexcept nogil:
    """Empty the principal variation of a ply."""
    worker.pv_length[ply] = 0


cdef void update_pv(Worker* worker, int ply, Move move) noexcept nogil:
    """Principal variation: this move, then the variation of the next ply."""
    cdef int i
    cdef int length = worker.pv_length[ply + 1]
    if length > MAX_PLY - 1:
        length = MAX_PLY - 1
    worker.pv[ply][0] = move
    for i in range(length):
        worker.pv[ply][i + 1] = worker.pv[ply + 1][i]
    worker.pv_length[ply] = length + 1
