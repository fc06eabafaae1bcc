"""Boards for Python: all input is validated here.

The C code below trusts its input. A ``CoreBoard`` therefore always holds a position that the rules
can work on, and every move in its history was legal when it was played (or the caller of
``push_unchecked`` vouched for it).
"""

from operator import index

from cpython.mem cimport PyMem_Free, PyMem_Realloc

from libc.string cimport memcpy

from xiangqi.core.move cimport Move, read_iccs, shared_move
from xiangqi.core.moves.bitboard cimport Bitboard, any_of, common, pop_lsb, without
from xiangqi.core.moves.defs cimport (
    BLACK, KING, NO_PIECE, PAWN, RED, SQUARES, color_of, encode_move, from_square,
    to_square, uint8_t,
)
from xiangqi.core.moves.legality cimport why_illegal
from xiangqi.core.moves.movegen cimport (
    MoveList, count_legal, generate_captures, generate_evasions, generate_legal, generate_quiets,
    gives_check, has_legal_move, is_legal, is_pseudo_legal, pseudo_targets,
)
from xiangqi.core.moves.perft cimport perft
from xiangqi.core.moves.position cimport (
    all_pieces, attackers_to, checkers, compute_key, is_consistent, make, set_position, unmake,
)
from xiangqi.core.moves.see cimport see_ge
from xiangqi.core.moves.sight cimport (
    can_anyone_attack, find_attacked, find_pinned, find_protectors,
)
from xiangqi.core.repetition.cycle cimport Cycle, find_cycle
from xiangqi.core.repetition.evidence cimport attacks_as_tuples, explain_rows, explain_window
from xiangqi.core.repetition.facts cimport AttackSet, find_attacks
from xiangqi.core.repetition.judge cimport Judgment, judge_cycle
from xiangqi.core.repetition.prohibition cimport PROHIBITIONS, earlier_stand, earlier_stand_after
from xiangqi.core.repetition.rounds cimport NO_OFFENCE, Tally, count_rows, overrun_by
from xiangqi.core.repetition.rules cimport MAX_NUMBERS, PASSINGS
from xiangqi.core.repetition.verdict cimport UNDECIDED

from xiangqi.errors import IllegalMoveError, MissingPieceError, PositionError, quote
from xiangqi.fen import (
    MAX_COUNTER, STARTING_FEN, Setup, Status, describe_status, format_fen, parse_fen, setup_status,
)
from xiangqi.pieces import Piece
from xiangqi.squares import SquareSet

# A soldier on a square that no game leads to breaks no rule of movement: such diagrams exist
# and can be played on and ruled. Everything else that a status names is refused.
TOLERATED = Status.MISPLACED_PAWN
# Checks are defined only with exactly one king a side.
UNCHECKED = Status.NO_RED_KING | Status.NO_BLACK_KING | Status.TOO_MANY_KINGS

cdef enum:
    MAX_PIECES = 32         # a position with more is refused before it is laid out
    MAX_PERFT_DEPTH = 30     # the count has long outgrown 64 bits
    MAX_AT_STAKE = 1000000  # more than any exchange can win or lose


cdef object squares_of(Bitboard squares):
    found = []
    while any_of(squares):
        found.append(pop_lsb(&squares))
    return frozenset.__new__(SquareSet, found)  # which need not be checked


cdef object read_setup(setup, Position* position):
    """Set up the position if each side has exactly one king, and return the status of the setup."""
    cdef Bitboard found
    status = setup_status(setup)
    if not status & UNCHECKED and len(setup.board) - setup.board.count(0) <= MAX_PIECES:
        set_position(position, setup.board, setup.turn, setup.halfmove_clock)
        found = checkers(position, position.turn ^ 1)
        if any_of(without(found, position.by_kind[KING])):  # facing kings: another status
            status |= Status.OPPOSITE_CHECK
    return status


cdef object impossible(setup, status):
    """All problems of the position as flags. A playable board has at most MISPLACED_PAWN; others
    make the edited board a draft."""
    return PositionError(format_fen(setup), status, describe_status(setup, status))


cdef int check_square(object square) except -1:
    number = index(square)
    if not 0 <= number < SQUARES:
        raise ValueError(f"invalid square {square}: expected 0 to 89")
    return number


cdef int fill_rounds(int* numbers, rounds) except -1:
    """Copy how many rounds are allowed, by the number of pieces, the last number for all more."""
    cdef int i
    if len(rounds) > MAX_NUMBERS:
        raise ValueError(f"{len(rounds)} numbers of rounds, expected {MAX_NUMBERS} at most")
    for i in range(MAX_NUMBERS):
        numbers[i] = rounds[min(i, len(rounds) - 1)] if rounds else 0
    return 0


cdef class RuleSwitches:
    """A rule set in the form the core reads; made by ``xiangqi.referee.rules``."""

    def __cinit__(
        self, *, int occurrences, bint count_checks, bint count_chases, bint new_by_victim,
        bint answered_by_victim, bint checks_may_chase, bint escapes_renew, bint ignore_pins,
        bint minors_strike, bint victims_pairwise, bint identity_by_square,
        int prohibition, bint offender_barred,
        bint checks_void_chases, bint kinds_mix, bint exempt_lines, bint victims_vary, int losses,
        bint answered_by_any, check_rounds, chase_rounds, mixed_rounds, int passing_replies,
        bint double_checks_count, bint graver_alone, bint mates_count,
    ):
        if occurrences < 2:
            raise ValueError(f"occurrences is {occurrences}, expected 2 or more")
        if not 0 <= prohibition < PROHIBITIONS:
            raise ValueError(f"prohibition is {prohibition}, expected 0 to {PROHIBITIONS - 1}")
        self.rules.occurrences = occurrences
        self.rules.count_checks = count_checks
        self.rules.count_chases = count_chases
        self.rules.new_by_victim = new_by_victim
        self.rules.answered_by_victim = answered_by_victim
        self.rules.checks_may_chase = checks_may_chase
        self.rules.escapes_renew = escapes_renew
        self.rules.ignore_pins = ignore_pins
        self.rules.minors_strike = minors_strike
        self.rules.victims_pairwise = victims_pairwise
        self.rules.identity_by_square = identity_by_square
        self.rules.prohibition = prohibition
        self.rules.offender_barred = offender_barred
        self.rules.checks_void_chases = checks_void_chases
        self.rules.kinds_mix = kinds_mix
        self.rules.exempt_lines = exempt_lines
        self.rules.victims_vary = victims_vary
        self.rules.losses = losses
        self.rules.answered_by_any = answered_by_any
        if not 0 <= passing_replies < PASSINGS:
            raise ValueError(f"passing_replies is {passing_replies}, expected 0 to {PASSINGS - 1}")
        self.rules.count_rounds = bool(check_rounds)
        fill_rounds(self.rules.check_rounds, check_rounds)
        fill_rounds(self.rules.chase_rounds, chase_rounds)
        fill_rounds(self.rules.mixed_rounds, mixed_rounds)
        self.rules.passing_replies = passing_replies
        self.rules.double_checks_count = double_checks_count
        self.rules.graver_alone = graver_alone
        self.rules.mates_count = mates_count


cdef object no_move(str call):
    """The error for a call that was given something other than a move, mostly its text."""
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

    cdef CoreBoard board

    def __cinit__(self, CoreBoard board not None):
        """A position and the moves that led to it: the compiled part of :class:`xiangqi.Board`."""
        self.board = board

    def __iter__(self):
        return iter(self.board.list_moves("legal"))

    def __contains__(self, move):
        if isinstance(move, str):
            raise no_move(f"{quote(move)} in legal_moves")
        return isinstance(move, Move) and is_legal(self.board.whole(), (<Move>move).code)

    def __len__(self):
        return count_legal(self.board.whole())

    def __bool__(self):
        return has_legal_move(self.board.whole())

    def count(self):
        """The number of legal moves, counted without making any of them."""
        return count_legal(self.board.whole())

    def __repr__(self):
        moves = ", ".join(move.iccs() for move in self)
        return f"<LegalMoves of {self.board.fen()!r}: {moves}>"


cdef class CoreBoard:
    """A position and the moves that led to it: the compiled part of :class:`xiangqi.Board`."""

    def __cinit__(self):
        self.history = NULL
        self.plies = self.capacity = 0

    def __init__(self, fen=STARTING_FEN):
        """Position as FEN, in its one normal form."""
        cdef Position position
        setup = fen if isinstance(fen, Setup) else parse_fen(fen)
        status = read_setup(setup, &position)
        if status & ~TOLERATED:
            raise impossible(setup, status)
        self.begin(&position, setup)

    cdef int begin(self, const Position* position, setup) except -1:
        """Set the position, with an empty history."""
        self.position = position[0]
        self.first_number = setup.fullmove_number
        self.plies = 0
        self.draft = None
        return 0

    cdef Position* whole(self) except NULL:
        """The position; raises PositionError if the board holds a draft."""
        if self.draft is not None:
            raise impossible(self.draft, self.status())
        return &self.position

    def edit(self, setup not None):
        """Replace the position by a setup, and clear the history.

        An impossible setup is kept as a draft: it can be read and edited; calls that need a
        position raise PositionError.
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
        """Play a move that is known to be legal. An illegal one breaks the board."""
        self.whole()
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
        side to move is in check); "pseudo_legal" are all that are, the safety of the king aside.
        """
        cdef MoveList moves
        cdef int i
        if stage == "pseudo_legal":
            return self.list_pseudo_legal()
        if stage == "legal":
            generate_legal(self.whole(), &moves)
        elif stage == "captures":
            generate_captures(self.whole(), &moves)
        elif stage == "quiets":
            generate_quiets(self.whole(), &moves)
        elif stage == "evasions":
            if not self.is_check():
                raise ValueError("evasions: the side to move is not in check")
            generate_evasions(self.whole(), &moves)
        else:
            raise ValueError(
                f"invalid stage {stage!r}: expected 'legal', 'captures', 'quiets', 'evasions' or "
                "'pseudo_legal'"
            )
        return [shared_move(moves.moves[i]) for i in range(moves.count)]

    cdef list list_pseudo_legal(self):
        cdef const Position* pos = self.whole()
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
        return is_legal(self.whole(), need_move(move, "is_legal").code)

    def is_pseudo_legal(self, move):
        """Is this a move of the piece, ignoring the safety of its own king?"""
        return is_pseudo_legal(self.whole(), need_move(move, "is_pseudo_legal").code)

    def gives_check(self, move):
        """Would this legal move give check? Raises IllegalMoveError for any other move."""
        cdef Move tried = need_move(move, "gives_check")
        self.require_legal(tried)
        return gives_check(self.whole(), tried.code)

    def is_capture(self, move):
        """Does this move take a piece?"""
        return self.whole().board[to_square(need_move(move, "is_capture").code)] != NO_PIECE

    def see_ge(self, Move move not None, int threshold=0):
        """Does the exchange begun by this legal move win at least ``threshold`` (a soldier is
        100)? Both sides capture with their cheapest piece and stop when it does not pay."""
        self.require_legal(move)
        threshold = max(-MAX_AT_STAKE, min(threshold, MAX_AT_STAKE))
        return see_ge(self.whole(), move.code, threshold)

    def require_legal(self, Move move not None):
        """Raise IllegalMoveError with the reason unless this move is legal; MissingPieceError, a
        subclass, if no piece of the side to move is on its first square."""
        cdef int piece
        if not is_legal(self.whole(), move.code):
            piece = self.position.board[from_square(move.code)]
            is_own = piece != NO_PIECE and color_of(piece) == self.position.turn
            error = IllegalMoveError if is_own else MissingPieceError
            raise error(move.iccs(), self.fen(), self.why_illegal(move))

    def why_illegal(self, Move move not None):
        """Fact why a move is not legal; None if it is."""
        return why_illegal(self.whole(), move.code)

    def perft(self, depth, *, bint bulk=True):
        """Number of legal move sequences of ``depth`` plies; Ctrl-C interrupts it.

        Without ``bulk`` the last moves are made and unmade instead of counted: the same number, for
        tests and timing of make and unmake.
        """
        cdef Position position = self.whole()[0]
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
        """The side to move: RED (True) or BLACK (False). To set it is to edit the board."""
        return self.position.turn == RED if self.draft is None else self.draft.turn

    @turn.setter
    def turn(self, bint color):
        setup = self.setup()
        self.edit(Setup(setup.board, color, setup.halfmove_clock, setup.fullmove_number))

    @property
    def halfmove_clock(self):
        """Plies since the last capture."""
        return self.position.halfmove_clock if self.draft is None else self.draft.halfmove_clock

    @property
    def fullmove_number(self):
        """The number of the move: 1 at the start, one more after each move of Black."""
        if self.draft is not None:
            return self.draft.fullmove_number
        black_began = self.position.turn == (BLACK if self.plies % 2 == 0 else RED)
        return self.first_number + (self.plies + black_began) // 2

    @property
    def key(self):
        """A 64-bit Zobrist key of the placement and the side to move, the same everywhere."""
        return self.whole().key

    def compute_key(self):
        """Zobrist key computed from scratch."""
        return compute_key(self.whole())

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
        board = (<char*>self.position.board)[:SQUARES]
        clock = min(self.position.halfmove_clock, MAX_COUNTER)
        return Setup(board, self.turn, clock, min(self.fullmove_number, MAX_COUNTER))

    def fen(self):
        """The position in the one normal form of FEN."""
        return format_fen(self.setup())

    def status(self):
        """All that is impossible about the position. Only MISPLACED_PAWN is found on a board that
        can be played on; any other problem makes a draft of one that has been edited."""
        cdef Position position
        return read_setup(self.setup(), &position)

    def piece_code_at(self, square):
        """The code of the piece on a square, 0 if there is none."""
        cdef int number = check_square(square)
        return self.position.board[number] if self.draft is None else self.draft.board[number]

    def king(self, bint color):
        """The square of a side's king."""
        return self.whole().king[color]

    def is_check(self):
        """Is the side to move in check?"""
        return any_of(checkers(self.whole(), self.position.turn))

    def checkers(self):
        """The squares of the pieces that give check."""
        return squares_of(checkers(self.whole(), self.position.turn))

    def attackers(self, bint color, square):
        """The squares of ``color``'s pieces that attack a square: could capture an enemy there.

        A cannon attacks over its screen; pins are not considered.
        """
        return squares_of(attackers_to(
            self.whole(), check_square(square), color, all_pieces(self.whole())
        ))

    def attacks(self, square):
        """Squares that the piece on a square attacks: where it could capture an enemy.

        A cannon attacks over its screen; pins are not considered. Empty for an empty square.
        """
        return squares_of(find_attacked(self.whole(), check_square(square)))

    def pieces(self, int piece_type, bint color):
        """The squares of a side's pieces of a type."""
        cdef const Position* pos
        if not KING <= piece_type <= PAWN:
            raise ValueError(f"invalid piece type {piece_type}: expected {KING} to {PAWN}")
        if self.draft is None:
            pos = self.whole()
            return squares_of(common(pos.by_kind[piece_type], pos.by_color[color]))
        code = Piece(piece_type, color).code
        return SquareSet([square for square in range(SQUARES) if self.draft.board[square] == code])

    def protectors(self, square):
        """Protectors of the piece on a square: (real, false).

        Two sets of squares; false protectors would expose their own king by recapturing. Both are
        empty for an empty square.
        """
        cdef Bitboard real, false
        find_protectors(self.whole(), check_square(square), &real, &false)
        return squares_of(real), squares_of(false)

    def pinned(self, bint color):
        """The squares of ``color``'s pieces without which something more would attack its king."""
        return squares_of(find_pinned(self.whole(), color))

    def has_legal_move(self):
        """Has the side to move a legal move? If not, it has lost."""
        return has_legal_move(self.whole())

    def can_anyone_attack(self):
        """Has either side a piece that may cross the river, more than king, advisors, bishops?"""
        return can_anyone_attack(self.whole())

    # Repetition

    def quiet_plies(self, int free_checks):
        """Plies since the last capture, counting only the first ``free_checks`` checks of each side
        and no replies to further ones.

        Plies before the first move of this board count in full, as their checks are unknown.
        """
        cdef int[2] checks = [0, 0]
        cdef int quiet = self.whole().halfmove_clock
        cdef int first = max(0, self.plies - quiet)
        cdef bint is_reply = False
        cdef bint is_free
        cdef int ply, mover
        for ply in range(first, self.plies):
            mover = self.position.turn ^ (self.plies - ply & 1)
            is_free = False
            if self.history[ply].check:
                checks[mover] += 1
                is_free = checks[mover] > free_checks
            quiet -= is_free or is_reply
            is_reply = is_free
        return quiet

    def repetitions(self):
        """Number of occurrences of the present position on this board, now included."""
        cdef Cycle cycle
        find_cycle(self.whole(), self.history, self.plies, 2, &cycle)
        return cycle.occurrences

    def find_cycle(self, RuleSwitches switches not None):
        """Window of a ruling: (occurrences, first ply, last ply, earlier ply).

        Plies count from 0; the earlier ply is the one after the previous occurrence of the
        position. The three are -1 if the position has not occurred often enough.
        """
        cdef Cycle cycle
        if not find_cycle(
            self.whole(), self.history, self.plies, switches.rules.occurrences, &cycle
        ):
            return cycle.occurrences, -1, -1, -1
        return cycle.occurrences, cycle.first, cycle.last, cycle.previous

    def prohibited_moves(self, RuleSwitches switches not None):
        """The legal moves that bring back a position which the rule set prohibits."""
        cdef MoveList moves
        cdef int i
        generate_legal(self.whole(), &moves)
        return [
            shared_move(moves.moves[i]) for i in range(moves.count)
            if earlier_stand_after(
                self.whole(), moves.moves[i], self.history, self.plies,
                switches.rules.prohibition,
            ) >= 0
        ]

    def earlier_stand(self, RuleSwitches switches not None, Move move=None):
        """Ply of the earlier occurrence that makes the position, or the one after a legal move, a
        prohibited repetition; None if there is none."""
        cdef int ply
        if move is None:
            ply = earlier_stand(
                self.whole(), self.history, self.plies, switches.rules.prohibition
            )
        else:
            ply = earlier_stand_after(
                self.whole(), move.code, self.history, self.plies, switches.rules.prohibition
            )
        return None if ply < 0 else ply

    def judge_cycle(self, RuleSwitches switches not None):
        """Verdict without evidence, for the search: (verdict, Red's conduct, Black's conduct).

        The numbers are those of the enumerations in ``xiangqi.referee.judging``.
        """
        cdef Cycle cycle
        cdef Judgment judgment
        if not find_cycle(
            self.whole(), self.history, self.plies, switches.rules.occurrences, &cycle
        ):
            return UNDECIDED, None, None
        judge_cycle(self.whole(), self.history, &cycle, &switches.rules, &judgment, NULL)
        return judgment.verdict, judgment.conduct[RED], judgment.conduct[BLACK]

    def explain_cycle(self, RuleSwitches switches not None):
        """The verdict with all evidence; None where the position has not occurred often enough.

        A tuple of (verdict, conducts, victims, plies): ``conducts`` and ``victims`` are indexed by
        color, victims being bits for the pieces in the order of their squares at the window's
        start; ``plies`` has for each ply of the window a pair of its check flag and a tuple of
        attacks (attacker, victim, reason, root), root being -1 where there is none.
        """
        cdef Cycle cycle
        if not find_cycle(
            self.whole(), self.history, self.plies, switches.rules.occurrences, &cycle
        ):
            return None
        return explain_window(self.whole(), self.history, &cycle, &switches.rules)

    def explain_run(self, RuleSwitches switches not None, int plies):
        """Verdict with all evidence on the last ``plies`` plies, repeated or not.

        Threats of the last ply count as parried. Raises ValueError unless there are that many
        plies, at least two, without a capture.
        """
        cdef Cycle cycle
        cdef int longest = min(self.plies, self.whole().halfmove_clock)
        if not 2 <= plies <= longest:
            raise ValueError(f"{plies} plies to judge: expected 2 to {longest} without a capture")
        cycle.occurrences = 1
        cycle.first, cycle.last = self.plies - plies, self.plies - 1
        cycle.previous = -1
        return explain_window(self.whole(), self.history, &cycle, &switches.rules)

    def count_rows(self, RuleSwitches switches not None):
        """Each side's offences in a row, as a rule set that counts rounds counts them.

        Black's and Red's rows, each as (offence, rounds, rounds allowed, first ply, victim's square
        or -1, squares of the pieces), and the offence that the last move has carried on too long.
        Offences are numbered: 0 none, 1 chase, 2 checks and chases, 3 checks.
        """
        return explain_rows(self.whole(), self.history, self.plies, &switches.rules)

    def overrunning_moves(self, RuleSwitches switches not None):
        """The legal moves that would carry an offence on too long, by rounds."""
        cdef Tally[2] tallies
        cdef uint8_t[SQUARES] identity
        cdef MoveList moves
        cdef int i
        count_rows(self.whole(), self.history, self.plies, &switches.rules, tallies, identity)
        generate_legal(self.whole(), &moves)
        return [
            shared_move(moves.moves[i])
            for i in range(moves.count)
            if overrun_by(
                self.whole(), moves.moves[i], tallies, identity, &switches.rules
            ) != NO_OFFENCE
        ]

    def list_attacks(self, bint color, RuleSwitches switches not None):
        """All attacks of a side as if it were to move: (attacker, victim, reason, root) each."""
        cdef AttackSet found
        find_attacks(self.whole(), color, &switches.rules, False, &found)
        return attacks_as_tuples(&found)

    # Copies

    def copy(self, *, bint stack=True):
        """Independent copy of the board, with its history unless ``stack`` is false."""
        cdef CoreBoard other = type(self).__new__(type(self))
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
        """Equal position, side to move and counters; the moves that led there may differ."""
        if isinstance(other, CoreBoard):
            return self.setup() == other.setup()
        return NotImplemented


def rebuild(kind, setup, moves):
    """Board from its first position and its moves, for unpickling."""
    board = kind()
    board.edit(setup)
    for move in moves:
        board.push(move)
    return board
