"""Moves for Python. There are a few thousand; each is created once and shared."""

cimport cython

from xiangqi.core.moves.defs cimport (
    FILES, RANKS, SQUARES, from_square as origin_of, encode_move, to_square as target_of,
)

from xiangqi.ground.errors.absent import missing_name
from xiangqi.ground.errors import InvalidMoveError
from xiangqi.ground.errors import Fact
from xiangqi.pieces import require_square, square_flip, square_mirror, square_name

cdef list SHARED = [None] * (1 << 14)
NO_UCI = (
    "UCI engines count ranks from 0 or from 1. From 0: Move.from_iccs(text), move.iccs(); from 1: "
    "parse_coordinates(text, 1), format_coordinates(move, 1) of xiangqi.notation"
)


@cython.total_ordering
cdef class Move:
    """A move from one square to another.

    >>> move = Move.from_iccs("H2-E2")
    >>> move
    Move.from_iccs('h2e2')
    >>> move.from_square, move.to_square
    (25, 22)

    Moves are values: equal when their squares are, hashable, and ordered by ``code``, which is
    ``from_square | to_square << 7``. They know no position: legality is tested by the board. Raises
    ValueError for numbers that are not two different squares.
    """

    def __cinit__(self, from_square, to_square):
        if not (isinstance(from_square, int) and isinstance(to_square, int)):
            from_square, to_square = require_square(from_square), require_square(to_square)
        if not (0 <= from_square < SQUARES and 0 <= to_square < SQUARES):
            raise ValueError(f"invalid squares {from_square}, {to_square}: expected 0 to 89")
        if from_square == to_square:
            raise ValueError(f"invalid squares {from_square}, {to_square}: expected two squares")
        self.code = encode_move(from_square, to_square)

    @staticmethod
    def from_iccs(str text not None):
        """Parse coordinates in any common spelling: ``h2e2``, ``H2E2``, ``h2-e2``, ``H2-E2``.

        Raises InvalidMoveError for other texts.
        """
        return shared_move(read_iccs(text))

    @staticmethod
    def from_uci(text):
        """Raise AttributeError, pointing to :meth:`from_iccs`: ranks in UCI count from 0 or 1."""
        raise AttributeError(f"Move.from_uci: {NO_UCI}", name="from_uci", obj=Move)

    @staticmethod
    def null():
        """Raise AttributeError: no side may pass."""
        raise missing_name("chess.Move", "type object 'Move'", "null", Move)

    @property
    def from_square(self):
        """The square the piece leaves, 0 to 89."""
        return origin_of(self.code)

    @property
    def to_square(self):
        """The square the piece moves to, 0 to 89."""
        return target_of(self.code)

    def iccs(self):
        """The coordinates in the form that UCCI uses: ``h2e2``."""
        return square_name(origin_of(self.code)) + square_name(target_of(self.code))

    def uci(self):
        """Raise AttributeError, pointing to :meth:`iccs`: ranks in UCI count from 0 or 1."""
        raise AttributeError(f"Move.uci: {NO_UCI}", name="uci", obj=self)

    def mirror(self):
        """The same move on a board mirrored left to right."""
        return Move(square_mirror(self.from_square), square_mirror(self.to_square))

    def flip(self):
        """The same move for the other side, on a board flipped top to bottom."""
        return Move(square_flip(self.from_square), square_flip(self.to_square))

    def __getattr__(self, name):
        raise missing_name("chess.Move", "'Move' object", name, self)

    def __eq__(self, other):
        if isinstance(other, Move):
            return self.code == (<Move>other).code
        return NotImplemented

    def __lt__(self, other):
        if isinstance(other, Move):
            return self.code < (<Move>other).code
        return NotImplemented

    def __hash__(self):
        return self.code

    def __str__(self):
        return self.iccs()

    def __repr__(self):
        return f"Move.from_iccs({self.iccs()!r})"

    def __reduce__(self):
        return Move, (self.from_square, self.to_square)


cdef Move shared_move(MoveCode code):
    move = SHARED[code]
    if move is None:
        move = SHARED[code] = Move(origin_of(code), target_of(code))
    return <Move>move


cdef inline int read_file(int letter) noexcept:
    if 97 <= letter < 97 + FILES:  # a-i
        return letter - 97
    if 65 <= letter < 65 + FILES:  # A-I
        return letter - 65
    return -1


cdef inline int read_rank(int digit) noexcept:
    return digit - 48 if 48 <= digit < 48 + RANKS else -1


cdef int read_iccs(str text) except -1:
    """Code of a move given as coordinates; surrounding white space is ignored."""
    cdef str trimmed = text.strip()
    cdef Py_ssize_t second = 2
    cdef int file, rank, to_file, to_rank
    if len(trimmed) == 5 and trimmed[2] in "-\u2010\u2013\u2212":
        second = 3
    if len(trimmed) == second + 2:
        file = read_file(ord(trimmed[0]))
        rank = read_rank(ord(trimmed[1]))
        to_file = read_file(ord(trimmed[second]))
        to_rank = read_rank(ord(trimmed[second + 1]))
        if min(file, rank, to_file, to_rank) >= 0 and (file != to_file or rank != to_rank):
            return encode_move(rank * FILES + file, to_rank * FILES + to_file)
    raise InvalidMoveError(text, Fact("move.iccs"))
