"""Limits of a search, as the search reads them and under the names that Python gives them."""

from xiangqi.core.moves.defs cimport int64_t

cdef struct Limits:          # 0 is no limit; the default, if there is none beside the name
    int depth                # of the last iteration
    int64_t nodes            # of all threads together
    int64_t soft_nodes       # after which no further iteration begins
    int64_t soft_ms          # likewise
    int64_t hard_ms          # at which the search stops
    int64_t nodes_per_ms     # nodes that count as a millisecond; 0: wall clock
    bint ponder              # the clock starts at a ponder hit
    int multipv              # 1: number of lines
    int mate                 # search only for a mate in this number of moves, without pruning
    int no_capture_limit     # 120: plies without a capture after which the game is drawn
    int contempt             # value of a draw that is subtracted for the side to move at the root
