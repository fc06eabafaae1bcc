"""A position with its history: setting up, making moves, taking them back, and copying.

The C code that this module calls trusts its input. Therefore ``pos`` returns playable positions
only, and every move in the history was legal when it was played (or the caller of
``push_unchecked`` vouched for it).
"""

from operator import index

from cpython.mem cimport PyMem_Free, PyMem_Realloc

from libc.string cimport memcpy

from xiangqi.core.move cimport Move, read_iccs, shared_move
from xiangqi.core.moves.bitboard cimport Bitboard, any_of, pop_lsb, without
from xiangqi.core.moves.defs cimport (
    BLACK, KING, NO_PIECE, RED, SQUARES, color_of, encode_move, from_square, to_square,
)
from xiangqi.core.moves.legality cimport why_illegal
from xiangqi.core.moves.movegen cimport (
    MoveList, count_legal, generate_captures, generate_evasions, generate_legal, generate_quiets,
    gives_check, has_legal_move, is_legal, is_pseudo_legal, pseudo_targets,
)
from xiangqi.core.moves.perft cimport perft
from xiangqi.core.moves.position cimport (
    checkers, compute_key, is_consistent, make, set_position, unmake,
)
from xiangqi.core.moves.see cimport see_ge

from xiangqi.ground.errors import IllegalMoveError, MissingPieceError, PositionError, quote
from xiangqi.pieces import require_color
from xiangqi.pieces.fen import (
    MAX_COUNTER, STARTING_FEN, Setup, Status, describe_status, format_fen, parse_fen, setup_status,
)

# A soldier on a square that it cannot reach in a game breaks no rule of movement: such diagrams
# exist, and can be played and ruled on. All other problems of a status are refused.
TOLERATED = Status.MISPLACED_PAWN
# Checks are defined only with exactly one king a side.
UNCHECKED = Status.NO_RED_KING | Status.NO_BLACK_KING | Status.TOO_MANY_KINGS

cdef enum:
    MAX_PIECES = 32         # positions with more are not set up
    MAX_PERFT_DEPTH = 30    # counts overflow 64 bits long before
    MAX_AT_STAKE = 1000000  # more than any exchange can win or lose


cdef object read_setup(setup, Position* position):
    """Return the status of a setup; fill in the position if each side has exactly one king."""
    cdef Bitboard found
    status = setup_status(setup)
    if not status & UNCHECKED and len(setup.board) - setup.board.count(0) <= MAX_PIECES:
        set_position(position, setup.board, setup.turn, setup.halfmove_clock)
        found = checkers(position, position.turn ^ 1)
        if any_of(without(found, position.by_kind[KING])):  # facing kings: another status
            status |= Status.OPPOSITE_CHECK
    return status


cdef object impossible(setup, status):
    """PositionError with all problems of a setup."""
    return PositionError(format_fen(setup), status, describe_status(setup, status))


cdef object no_move(str call):
    """TypeError for an argument that is no Move, most often its text."""
    return TypeError(
        f"{call}: expected a Move; Move.from_iccs(text) and board.parse_move(text) read one, "
        "board.push_move(text) plays it"
    )


cdef Move need_move(object move, str method):
    if isinstance(move, Move):
        return <Move>move
    raise no_move(f"{method}({quote(move)})")


cdef class LegalMoves:
    """The legal moves of a board in its present position, generated on use.

    >>> from xiangqi import Board, Move
    >>> board = Board()
    >>> board.legal_moves.count()
    44
    >>> Move.from_iccs("h2e2") in board.legal_moves
    True
    """

    cdef PositionBoard board

    def __cinit__(self, PositionBoard board not None):
        self.board = board

    def __iter__(self):
        return iter(self.board.list_moves("legal"))

    def __contains__(self, move):
        if isinstance(move, str):
            raise no_move(f"{quote(move)} in legal_moves")
        return isinstance(move, Move) and is_legal(self.board.pos(), (<Move>move).code)

    def __len__(self):
        return count_legal(self.board.pos())

    def __bool__(self):
        return has_legal_move(self.board.pos())

    def count(self):
        """The number of legal moves, counted without making any of them."""
        return count_legal(self.board.pos())

    def __reduce__(self):
        return LegalMoves, (self.board,)

    def __repr__(self):
        moves = ", ".join(move.iccs() for move in self)
        return f"<LegalMoves of {self.board.fen()!r}: {moves}>"


cdef class PositionBoard:
    """A position and the moves that led to it."""

    def __cinit__(self):
        self.history = NULL
        self.plies = self.capacity = 0

    def __init__(self, fen=STARTING_FEN):
        """Set up a position from a FEN or Setup; raises PositionError for an impossible one."""
        cdef Position position
        setup = fen if isinstance(fen, Setup) else parse_fen(fen)
        status = read_setup(setup, &position)
        if status & ~TOLERATED:
            raise impossible(setup, status)
        self.begin(&position, setup)

    cdef int begin(self, const Position* position, setup) except -1:
        """Set the position and clear the history."""
        self.position = position[0]
        self.first_number = setup.fullmove_number
        self.plies = 0
        self.draft = None
        return 0

    cdef Position* pos(self) except NULL:
        """The position; raises PositionError if the board holds a draft."""
        if self.draft is not None:
            raise impossible(self.draft, self.status())
        return &self.position

    def edit(self, setup not None):
        """Replace the position by a setup, and clear the history.

        An impossible setup is kept as a draft: it can be read and edited; calls that need a
        playable position raise PositionError.
        """
        cdef Position position
        status = read_setup(setup, &position)
        if status & ~TOLERATED:
            self.plies = 0
            self.draft = setup
        else:
            self.begin(&position, setup)

    def __dealloc__(self):
        PyMem_Free(self.history)

    # Moves

    cdef int remember(self, int code) except -1:
        """Make a move and push its undo record."""
        cdef int capacity
        cdef Undo* history
        if self.plies == self.capacity:
            capacity = 2 * self.capacity + 64
            history = <Undo*>PyMem_Realloc(self.history, capacity * sizeof(Undo))
            if history == NULL:
                raise MemoryError(f"no memory for {capacity} plies")
            self.history = history
            self.capacity = capacity
        make(&self.position, code, &self.history[self.plies])
        self.history[self.plies].check = any_of(checkers(&self.position, self.position.turn))
        self.plies += 1
        return 0

    cdef void take_back(self) noexcept:
        self.plies -= 1
        unmake(&self.position, &self.history[self.plies])

    def push(self, move):
        """Play a move; raises IllegalMoveError with the reason if it is not legal."""
        cdef Move played = need_move(move, "push")
        self.require_legal(played)
        self.remember(played.code)

    def push_iccs(self, str text not None):
        """Play a move given as coordinates and return it.

        Raises InvalidMoveError if the text cannot be read, IllegalMoveError if the move is not
        legal.
        """
        cdef int code = read_iccs(text)
        cdef Move move = shared_move(code)
        self.require_legal(move)
        self.remember(code)
        return move

    def push_unchecked(self, Move move not None):
        """Play a move that is known to be legal; an illegal move corrupts the board."""
        self.pos()
        self.remember(move.code)

    def pop(self):
        """Take back the last move and return it; raises IndexError if there is none."""
        move = self.peek()
        self.take_back()
        return move

    def peek(self):
        """The last move; raises IndexError if there is none."""
        if self.plies == 0:
            raise IndexError("no move has been played on this board")
        return shared_move(self.history[self.plies - 1].move)

    @property
    def move_stack(self):
        """The moves played on this board, from the first to the last, in a new list."""
        cdef int ply
        return [shared_move(self.history[ply].move) for ply in range(self.plies)]

    def ply(self):
        """The number of moves played on this board."""
        return self.plies

    def go_to_start(self):
        """Take back all moves."""
        while self.plies > 0:
            self.take_back()

    # Legal moves

    @property
    def legal_moves(self):
        """A lazy view of the legal moves: iterate, test with ``in``, ``count()``."""
        return LegalMoves(self)

    def list_moves(self, str stage="legal"):
        """A list of the legal moves of one stage of the generator.

        ``stage`` is "legal" (all), "captures", "quiets", or "evasions" (all, and only when the
        side to move is in check); "pseudo_legal" also has moves that expose the king.
        """
        cdef MoveList moves
        cdef int i
        if stage == "pseudo_legal":
            return self.list_pseudo_legal()
        if stage == "legal":
            generate_legal(self.pos(), &moves)
        elif stage == "captures":
            generate_captures(self.pos(), &moves)
        elif stage == "quiets":
            generate_quiets(self.pos(), &moves)
        elif stage == "evasions":
            if not self.is_check():
                raise ValueError("evasions: the side to move is not in check")
            generate_evasions(self.pos(), &moves)
        else:
            raise ValueError(
                f"invalid stage {stage!r}: expected 'legal', 'captures', 'quiets', 'evasions' or "
                "'pseudo_legal'"
            )
        return [shared_move(moves.moves[i]) for i in range(moves.count)]

    cdef list list_pseudo_legal(self):
        cdef const Position* pos = self.pos()
        cdef Bitboard own = pos.by_color[pos.turn]
        cdef Bitboard left = own
        cdef Bitboard targets
        cdef int origin
        cdef list moves = []
        while any_of(left):
            origin = pop_lsb(&left)
            targets = without(pseudo_targets(pos, origin), own)
            while any_of(targets):
                moves.append(shared_move(encode_move(origin, pop_lsb(&targets))))
        return moves

    def is_legal(self, move):
        """Is the move legal?"""
        return is_legal(self.pos(), need_move(move, "is_legal").code)

    def is_pseudo_legal(self, move):
        """Is the move legal, ignoring the safety of its own king?"""
        return is_pseudo_legal(self.pos(), need_move(move, "is_pseudo_legal").code)

    def gives_check(self, move):
        """Would this legal move give check? Raises IllegalMoveError for any other move."""
        cdef Move tried = need_move(move, "gives_check")
        self.require_legal(tried)
        return gives_check(self.pos(), tried.code)

    def is_capture(self, move):
        """Does this move take a piece?"""
        return self.pos().board[to_square(need_move(move, "is_capture").code)] != NO_PIECE

    def see_ge(self, Move move not None, int threshold=0):
        """Does the exchange begun by this legal move win at least ``threshold`` (a soldier is 100)?

        Both sides recapture with their least valuable piece and may stop at any time. Raises
        IllegalMoveError for any other move.
        """
        self.require_legal(move)
        threshold = max(-MAX_AT_STAKE, min(threshold, MAX_AT_STAKE))
        return see_ge(self.pos(), move.code, threshold)

    def require_legal(self, Move move not None):
        """Raise IllegalMoveError with the reason unless this move is legal; its subclass
        MissingPieceError if no piece of the side to move is on the first square."""
        cdef int piece
        if not is_legal(self.pos(), move.code):
            piece = self.position.board[from_square(move.code)]
            is_own = piece != NO_PIECE and color_of(piece) == self.position.turn
            error = IllegalMoveError if is_own else MissingPieceError
            raise error(move.iccs(), self.fen(), self.why_illegal(move))

    def why_illegal(self, Move move not None):
        """The reason why a move is illegal, as a Fact; None if it is legal."""
        return why_illegal(self.pos(), move.code)

    def perft(self, depth, *, bint bulk=True):
        """Number of legal move sequences of ``depth`` plies; Ctrl-C interrupts it.

        Without ``bulk`` the last moves are made and unmade instead of only counted, for tests and
        timing of make and unmake; the result is the same.
        """
        cdef Position position = self.pos()[0]
        cdef int plies
        cdef long long nodes
        if not 0 <= index(depth) <= MAX_PERFT_DEPTH:
            raise ValueError(f"invalid depth {depth}: expected 0 to {MAX_PERFT_DEPTH}")
        plies = depth
        with nogil:
            nodes = perft(&position, plies, bulk)
        return nodes

    # The position

    @property
    def turn(self):
        """The side to move: RED (True) or BLACK (False). Setting it clears the history."""
        return self.position.turn == RED if self.draft is None else self.draft.turn

    @turn.setter
    def turn(self, color):
        setup = self.setup()
        side = require_color(color)
        self.edit(Setup(setup.board, side, setup.halfmove_clock, setup.fullmove_number))

    @property
    def halfmove_clock(self):
        """Plies since the last capture."""
        return self.position.halfmove_clock if self.draft is None else self.draft.halfmove_clock

    @property
    def fullmove_number(self):
        """The fullmove number: 1 at the start, one more after each move of Black."""
        if self.draft is not None:
            return self.draft.fullmove_number
        black_began = self.position.turn == (BLACK if self.plies % 2 == 0 else RED)
        return self.first_number + (self.plies + black_began) // 2

    @property
    def key(self):
        """64-bit Zobrist key of the placement and the side to move, the same on every machine."""
        return self.pos().key

    def compute_key(self):
        """Zobrist key computed from scratch."""
        return compute_key(self.pos())

    def is_consistent(self):
        """Do board, bitboards, kings and key agree? For tests."""
        return is_consistent(&self.position)

    def raw(self):
        """Every byte of the position, for tests of making and unmaking moves."""
        return (<char*>&self.position)[:sizeof(Position)]

    def setup(self):
        """The position as plain data, without the moves that led to it."""
        if self.draft is not None:
            return self.draft
        clock = min(self.position.halfmove_clock, MAX_COUNTER)
        return Setup(self.cells(), self.turn, clock, min(self.fullmove_number, MAX_COUNTER))

    def cells(self):
        """Piece codes of the 90 squares, as in Setup.board."""
        if self.draft is not None:
            return self.draft.board
        return (<char*>self.position.board)[:SQUARES]

    def fen(self):
        """The position as a normalised FEN."""
        return format_fen(self.setup())

    def status(self):
        """All problems of the position, as flags. A playable board has at most MISPLACED_PAWN; any
        other problem makes an edited board a draft."""
        cdef Position position
        return read_setup(self.setup(), &position)

    # Copies

    def copy(self, *, bint stack=True):
        """Independent copy of the board, with its history unless ``stack`` is false."""
        cdef PositionBoard other = type(self).__new__(type(self))
        other.position = self.position
        other.draft = self.draft
        other.first_number = self.first_number
        if not stack:
            other.first_number = self.fullmove_number
        elif self.plies:
            other.history = <Undo*>PyMem_Realloc(NULL, self.plies * sizeof(Undo))
            if other.history == NULL:
                raise MemoryError(f"no memory for {self.plies} plies")
            memcpy(other.history, self.history, self.plies * sizeof(Undo))
            other.plies = other.capacity = self.plies
        return other

    def root_setup(self):
        """The position before the first move, as plain data."""
        root = self.copy()
        root.go_to_start()
        return root.setup()

    def root_fen(self):
        """The position before the first move, as FEN."""
        return format_fen(self.root_setup())

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return rebuild, (type(self), self.root_setup(), self.move_stack)

    def __eq__(self, other):
        """Are position, side to move and counters equal? The histories may differ."""
        if isinstance(other, PositionBoard):
            return self.setup() == other.setup()
        return NotImplemented


def rebuild(kind, setup, moves):
    """Rebuild a board from its first position and its moves, for unpickling."""
    board = kind()
    board.edit(setup)
    for move in moves:
        board.push(move)
    return board
