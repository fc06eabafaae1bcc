"""Algorithms that detect repetitions, with a common interface.

The search of the core scans its list of keys backwards. This module has the alternatives of other
chess programs, to be tested and timed against each other; see ``bench.detecting``. Each detector
follows one line of play: ``enter`` makes a move, ``leave`` unmakes it, and ``answer`` queries the
current position.

The first four detect whether the current position has occurred before, with the same side to move.
Only the moves since the last irreversible one matter: a capture, or a soldier's move forward.
``Upcoming`` looks one ply ahead: can the side to move repeat an earlier position by a move?
"""

from libc.string cimport memset

from xiangqi.core.board cimport CoreBoard
from xiangqi.core.move cimport Move as MoveObject
from xiangqi.core.moves.attacks cimport BANK, BETWEEN, FILE_OF, KNIGHT_LEG, attacks_of
from xiangqi.core.moves.bitboard cimport Bitboard, bb_empty, has, meet
from xiangqi.core.moves.defs cimport (
    BISHOP, CANNON, KINDS, KNIGHT, NO_PIECE, PAWN, ROOK, SQUARES, Key, Move, from_square, kind_of,
    make_piece, to_square, uint8_t,
)
from xiangqi.core.moves.position cimport all_pieces
from xiangqi.core.moves.zobrist cimport PIECE_KEY, TURN_KEY
from xiangqi.core.system.bits cimport ensure

cdef enum:
    MAX_PLIES = 512       # of a line of play
    MAX_STEPS = 4096      # of a walk
    COUNTERS = 1 << 14
    SLOTS = 1 << 12        # far more than positions in a line, so that searches for one are short
    NEVER = 255            # no square
    SHIFTS = 1 << 13       # about twice the number of reversible moves


# The detectors


cdef class Detector:
    """Follows the line and detects nothing, to measure the cost of the walk."""

    cdef int plies
    cdef int reversible[MAX_PLIES + 1]  # plies without an irreversible move, at each ply
    cdef Key keys[MAX_PLIES + 1]        # of the positions; the current one is the last

    cdef void start(self, Key key) noexcept nogil:
        """Begin a line at a position."""
        self.plies = 0
        self.reversible[0] = 0
        self.keys[0] = key

    cdef void enter(self, Key key, Move move, bint irreversible) noexcept nogil:
        """Make a move; ``key`` is that of the position after it."""
        self.plies = self.plies + 1
        self.reversible[self.plies] = 0 if irreversible else self.reversible[self.plies - 1] + 1
        self.keys[self.plies] = key

    cdef void leave(self) noexcept nogil:
        """Unmake the last move."""
        self.plies = self.plies - 1

    cdef bint answer(self, Bitboard occupied) noexcept nogil:
        """Query the current position; ``occupied`` are its occupied squares."""
        return False

    cdef int first(self) noexcept nogil:
        """Ply of the earliest position that can be repeated."""
        return self.plies - self.reversible[self.plies]


cdef class KeyList(Detector):
    """The list of keys, searched backwards to the last irreversible move.

    The same side is to move after every second ply, and four plies are the shortest cycle.
    """

    cdef bint answer(self, Bitboard occupied) noexcept nogil:
        cdef int at = self.plies - 4
        cdef int first = self.first()
        while at >= first:
            if self.keys[at] == self.keys[self.plies]:
                return True
            at -= 2
        return False


cdef class CountingTable(KeyList):
    """Counts the positions of the line by the low bits of their keys; the list is only searched if
    the count of the current position is above 1 (van Kervinck, "The design and implementation of
    the Rookie 2.0 chess playing program", 2002).

    A byte suffices: to overflow, half of the positions of the longest line would have to share it.
    """

    cdef uint8_t counts[COUNTERS]

    cdef void start(self, Key key) noexcept nogil:
        KeyList.start(self, key)
        memset(self.counts, 0, sizeof(self.counts))
        self.counts[low_bits(key)] = 1

    cdef void enter(self, Key key, Move move, bint irreversible) noexcept nogil:
        cdef uint8_t* count = &self.counts[low_bits(key)]
        KeyList.enter(self, key, move, irreversible)
        count[0] += 1

    cdef void leave(self) noexcept nogil:
        cdef uint8_t* count = &self.counts[low_bits(self.keys[self.plies])]
        KeyList.leave(self)
        count[0] -= 1

    cdef bint answer(self, Bitboard occupied) noexcept nogil:
        if self.counts[low_bits(self.keys[self.plies])] == 1:
            return False
        return KeyList.answer(self, occupied)


cdef inline int low_bits(Key key) noexcept nogil:
    return key & (COUNTERS - 1)


cdef class OpenFlag(Detector):
    """Marks the positions of the line as open in a hash table, as in Belle.

    In Belle the mark is a bit in the transposition table, which is lost when the entry is replaced,
    and wrong if several threads share the table. Here the line has its own table with full keys. A
    search with null moves must also store the ply of the mark, since no cycle extends over a null
    move.
    """

    cdef Key marked[SLOTS]                # 0: free
    cdef int slot[MAX_PLIES + 1]         # where the position of each ply is marked
    cdef bint again[MAX_PLIES + 1]       # had it been marked before?

    cdef void start(self, Key key) noexcept nogil:
        Detector.start(self, key)
        memset(self.marked, 0, sizeof(self.marked))
        self.mark(key)

    cdef void enter(self, Key key, Move move, bint irreversible) noexcept nogil:
        Detector.enter(self, key, move, irreversible)
        self.mark(key)

    cdef void mark(self, Key key) noexcept nogil:
        """Find the slot of a position, or a free one for it."""
        cdef int slot = key & (SLOTS - 1)
        while self.marked[slot] != 0 and self.marked[slot] != key:
            slot = (slot + 1) & (SLOTS - 1)
        self.again[self.plies] = self.marked[slot] == key
        self.slot[self.plies] = slot
        self.marked[slot] = key

    cdef void leave(self) noexcept nogil:
        """Remove marks in reverse order, so that no gap arises before another mark."""
        if not self.again[self.plies]:
            self.marked[self.slot[self.plies]] = 0
        Detector.leave(self)

    cdef bint answer(self, Bitboard occupied) noexcept nogil:
        return self.again[self.plies]


cdef class MoveChains(Detector):
    """Joins the moves, backwards, into chains of squares, without keys: when all chains are closed,
    every piece is back on its square (Vuckovic and Vidanovic, "A new approach to draw detection by
    move repetition in computer chess programming", arXiv cs/0406038, 2004).

    It is incomplete: if two equal pieces have exchanged squares, the position is the same, but
    their chains stay open.
    """

    cdef Move moves[MAX_PLIES + 1]   # the move that led to each ply

    cdef void enter(self, Key key, Move move, bint irreversible) noexcept nogil:
        Detector.enter(self, key, move, irreversible)
        self.moves[self.plies] = move

    cdef bint answer(self, Bitboard occupied) noexcept nogil:
        cdef uint8_t end[SQUARES]   # current square of the piece that was on a square
        cdef int left = self.reversible[self.plies]
        cdef int at = self.plies
        cdef int chains = 0
        cdef int origin, target, link
        if left < 4:
            return False
        memset(end, NEVER, sizeof(end))
        while left > 0 and chains <= left:   # closing a chain takes a move at least
            origin = from_square(self.moves[at])
            target = to_square(self.moves[at])
            if end[target] != NEVER:
                chains -= 1
                link = target
                target = end[link]
                end[link] = NEVER
            if target != origin:
                chains += 1
                end[origin] = target
            at -= 1
            left -= 1
            if chains == 0 and not (self.plies - at) & 1:
                return True
        return False


cdef class Upcoming(Detector):
    """Looks up whether a single move leads from the current position to an earlier one (van
    Kervinck, 2013, http://marcelk.net/2013-04-06/paper/upcoming-rep-v2.pdf).

    This needs a table of the key changes of all reversible moves. Cannons move like chariots
    without captures; soldiers have sideways moves only; a horse's leg and an elephant's eye are
    tested after a move is found. The move is legal because the earlier position was.
    """

    cdef bint answer(self, Bitboard occupied) noexcept nogil:
        cdef Key here = self.keys[self.plies]
        cdef int at = self.plies - 3
        cdef int first = self.first()
        cdef Key opponent
        if at < first:
            return False
        # Key change by the opponent's moves since; a single move suffices only if it is 0.
        opponent = here ^ self.keys[self.plies - 1] ^ TURN_KEY
        while at >= first:
            opponent ^= self.keys[at + 1] ^ self.keys[at] ^ TURN_KEY
            if opponent == 0 and is_open_move(here ^ self.keys[at], occupied):
                return True
            at -= 2
        return False


# Reversible moves, by their change of the key


cdef struct Shift:    # a move and its reverse
    uint8_t kind
    uint8_t one
    uint8_t other

# A cuckoo hash table (Pagh and Rodler, 2001): a change is in one of two slots or absent.
cdef Key SHIFT_KEY[SHIFTS]
cdef Shift SHIFT[SHIFTS]


cdef inline int place(Key change, int way) noexcept nogil:
    return <int>(change >> (16 * way)) & (SHIFTS - 1)


cdef inline bint is_open_move(Key change, Bitboard occupied) noexcept nogil:
    """Is this change of a key that of a reversible move, and is its path free?"""
    cdef int at = place(change, 0)
    if SHIFT_KEY[at] != change:
        at = place(change, 1)
        if SHIFT_KEY[at] != change:
            return False
    return is_open(&SHIFT[at], occupied)


cdef bint is_open(const Shift* shift, Bitboard occupied) noexcept nogil:
    """Is the path free? Exactly one of the two squares is occupied, by the moving piece."""
    cdef int origin = shift.one if has(occupied, shift.one) else shift.other
    cdef int target = shift.one + shift.other - origin
    ensure(has(occupied, origin) and not has(occupied, target))
    if shift.kind == ROOK or shift.kind == CANNON:
        return not meet(BETWEEN[origin][target], occupied)
    if shift.kind == KNIGHT:
        return not has(occupied, KNIGHT_LEG[origin][target])
    if shift.kind == BISHOP:
        return not has(occupied, (origin + target) // 2)
    return True


cdef bint reaches(int color, int kind, int origin, int target) noexcept nogil:
    """Can such a piece make this move on an empty board?"""
    cdef int like = ROOK if kind == CANNON else kind
    if kind <= BISHOP and not has(BANK[color], origin):
        return False
    return has(attacks_of(make_piece(color, like), origin, bb_empty()), target)


cdef void insert(Key change, Shift shift) noexcept nogil:
    """Insert a change at its first slot; the entry there moves to its other slot, and so on."""
    cdef int way = 0
    cdef int at = place(change, 0)
    while change != 0:
        change, SHIFT_KEY[at] = SHIFT_KEY[at], change
        shift, SHIFT[at] = SHIFT[at], shift
        way = at == place(change, 0)
        at = place(change, way)


cdef int fill_shifts() noexcept nogil:
    """Insert all reversible moves; return their number."""
    cdef Shift shift
    cdef int color, kind, one, other
    cdef int count = 0
    for color in range(2):
        for kind in range(1, KINDS):
            shift.kind = kind
            for one in range(SQUARES):
                shift.one = one
                for other in range(one + 1, SQUARES):
                    if reaches(color, kind, one, other) and reaches(color, kind, other, one):
                        shift.other = other
                        insert(change_of(make_piece(color, kind), one, other), shift)
                        count += 1
    return count


cdef Key change_of(int piece, int one, int other) noexcept nogil:
    return PIECE_KEY[piece][one] ^ PIECE_KEY[piece][other] ^ TURN_KEY


REVERSIBLE_MOVES = fill_shifts()


# Walks


cdef struct Step:
    Key key               # of the position after the move
    Bitboard occupied     # its pieces
    Move move
    bint irreversible
    int back              # moves unmade before this one


cdef class Walk:
    """A walk through a tree of moves, like that of a search.

    ``board`` is the current position. Moves played before the walk began are not unmade.
    """

    cdef readonly CoreBoard board
    cdef Key root                # of the first position of the board's game
    cdef int behind              # moves of that game
    cdef int count
    cdef int back                # moves unmade since the last step
    cdef Step steps[MAX_STEPS]

    def __init__(self, CoreBoard board not None):
        self.board = board.copy()
        moves = self.board.move_stack
        self.board.go_to_start()
        self.root = self.board.position.key
        self.behind = self.count = self.back = 0
        for move in moves:
            self.push(move)
        self.behind = self.count

    def __len__(self):
        return self.count - self.behind

    def push(self, MoveObject move not None):
        """Make a move. Raises IllegalMoveError if it is not legal, ValueError if the walk or the
        line is too long."""
        cdef Step* step = &self.steps[self.count]
        if self.count == MAX_STEPS or self.board.plies == MAX_PLIES:
            raise ValueError(f"expected at most {MAX_STEPS} steps, and {MAX_PLIES} plies deep")
        step.irreversible = is_irreversible(self.board, move.code)
        self.board.push(move)
        step.key = self.board.position.key
        step.occupied = all_pieces(&self.board.position)
        step.move = move.code
        step.back = self.back
        self.back = 0
        self.count += 1

    def pop(self):
        """Unmake the last move. Raises IndexError at the beginning of the walk."""
        if self.board.plies == self.behind:
            raise IndexError("the walk has no move to unmake")
        self.board.pop()
        self.back += 1

    def answers(self, Detector detector not None):
        """Query a detector after each move, including those before the walk."""
        cdef int i
        found = []
        detector.start(self.root)
        for i in range(self.count):
            follow(detector, &self.steps[i])
            found.append(bool(detector.answer(self.steps[i].occupied)))
        return found

    def count_answers(self, Detector detector not None, int laps):
        """Follow the walk a number of times; count the detections."""
        cdef int yes = 0
        cdef int i, _lap
        with nogil:
            detector.start(self.root)
            for i in range(self.behind):
                follow(detector, &self.steps[i])
            for _lap in range(laps):
                for i in range(self.behind, self.count):
                    follow(detector, &self.steps[i])
                    yes += detector.answer(self.steps[i].occupied)
                while detector.plies > self.behind:
                    detector.leave()
        return yes


cdef void follow(Detector detector, const Step* step) noexcept nogil:
    cdef int _back
    for _back in range(step.back):
        detector.leave()
    detector.enter(step.key, step.move, step.irreversible)


cdef bint is_irreversible(CoreBoard board, int code) noexcept:
    """Is the move a capture or a soldier's move forward?"""
    cdef int origin = from_square(code)
    cdef int target = to_square(code)
    return board.position.board[target] != NO_PIECE or (
        kind_of(board.position.board[origin]) == PAWN and FILE_OF[origin] == FILE_OF[target]
    )
