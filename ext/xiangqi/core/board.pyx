"""Boards for Python; this module and ``position_board`` validate all input."""

from xiangqi.core.move cimport Move, shared_move
from xiangqi.core.moves.bitboard cimport Bitboard, any_of, common, pop_lsb
from xiangqi.core.moves.defs cimport BLACK, KING, PAWN, RED, SQUARES, uint8_t
from xiangqi.core.moves.movegen cimport MoveList, generate_legal, has_legal_move
from xiangqi.core.moves.position cimport Position, all_pieces, attackers_to, checkers
from xiangqi.core.moves.sight cimport (
    can_anyone_attack, find_attacked, find_pinned, find_protectors,
)
from xiangqi.core.position_board cimport PositionBoard
from xiangqi.core.repetition.cycle cimport Cycle, find_cycle
from xiangqi.core.repetition.evidence cimport attacks_as_tuples, explain_rows, explain_window
from xiangqi.core.repetition.facts cimport AttackSet, find_attacks
from xiangqi.core.repetition.judge cimport Judgment, judge_cycle
from xiangqi.core.repetition.prohibition cimport repeated_ply, repeated_ply_after
from xiangqi.core.repetition.rounds cimport NO_OFFENCE, Tally, count_rows, overrun_by
from xiangqi.core.repetition.verdict cimport UNDECIDED

from xiangqi.ground.errors.copies import refuse_copy
from xiangqi.pieces import Piece, require_color, require_piece_type, require_square
from xiangqi.pieces.squares import SquareSet


cdef object squares_of(Bitboard squares):
    found = []
    while any_of(squares):
        found.append(pop_lsb(&squares))
    return frozenset.__new__(SquareSet, found)  # skips SquareSet's validation


cdef int check_square(object square) except -1:
    if isinstance(square, int) and 0 <= square < SQUARES:
        return square
    return require_square(square)


cdef int check_piece_type(object kind) except -1:
    return kind if isinstance(kind, int) and KING <= kind <= PAWN else require_piece_type(kind)


cdef bint check_color(object color) except -1:
    return color if isinstance(color, bool) else require_color(color)


cdef class RuleSwitches:
    """A rule set in the form the core reads; made by ``xiangqi.referee.rules``."""

    def __cinit__(self, values not None):
        """``values`` has a number for each field of ``Rules``, five for limits of rounds."""
        if set(values) != set(self.rules):
            raise TypeError(f"rules for {sorted(values)}, expected {sorted(self.rules)}")
        if values["occurrences"] < 2:
            raise ValueError(f"occurrences is {values['occurrences']}, expected 2 or more")
        self.rules = values

    def __reduce__(self):
        refuse_copy(self, "a struct of the core; copy its RuleSet")


cdef class CoreBoard(PositionBoard):
    """Compiled part of :class:`xiangqi.Board`: attacks, pins and repetitions."""

    def piece_code_at(self, square):
        """The code of the piece on a square, 0 if there is none."""
        cdef int number = check_square(square)
        return self.position.board[number] if self.draft is None else self.draft.board[number]

    def king(self, color):
        """The square of a side's king."""
        return self.pos().king[check_color(color)]

    def is_check(self):
        """Is the side to move in check?"""
        return any_of(checkers(self.pos(), self.position.turn))

    def checkers(self):
        """The squares of the pieces that give check."""
        return squares_of(checkers(self.pos(), self.position.turn))

    def attackers(self, color, square):
        """The squares of ``color``'s pieces that attack a square: could capture an enemy there.

        A cannon attacks over its screen; pins are ignored.
        """
        return squares_of(attackers_to(
            self.pos(), check_square(square), check_color(color), all_pieces(self.pos())
        ))

    def attacks(self, square):
        """Squares that the piece on a square attacks: where it could capture an enemy.

        A cannon attacks over its screen; pins are ignored. Empty for an empty square.
        """
        return squares_of(find_attacked(self.pos(), check_square(square)))

    def pieces(self, piece_type, color):
        """The squares of a side's pieces of a type."""
        cdef const Position* pos
        cdef int kind = check_piece_type(piece_type)
        cdef bint side = check_color(color)
        if self.draft is None:
            pos = self.pos()
            return squares_of(common(pos.by_kind[kind], pos.by_color[side]))
        code = Piece(kind, side).code
        return SquareSet([square for square in range(SQUARES) if self.draft.board[square] == code])

    def protectors(self, square):
        """Protectors of the piece on a square, as two sets of squares: (real, false).

        False protectors would expose their own king by recapturing. Both sets are empty for an
        empty square.
        """
        cdef Bitboard real, false
        find_protectors(self.pos(), check_square(square), &real, &false)
        return squares_of(real), squares_of(false)

    def pinned(self, color):
        """Squares of ``color``'s pieces whose removal would expose its king to a new attacker."""
        return squares_of(find_pinned(self.pos(), check_color(color)))

    def has_legal_move(self):
        """Has the side to move a legal move? If not, it has lost."""
        return has_legal_move(self.pos())

    def can_anyone_attack(self):
        """Has either side a piece that may cross the river: rook, knight, cannon or pawn?"""
        return can_anyone_attack(self.pos())

    # Repetition

    def quiet_plies(self, int free_checks):
        """Plies since the last capture, counting only the first ``free_checks`` checks of each side
        and no replies to further ones.

        Plies before the first move of this board count in full, as their checks are unknown.
        """
        cdef int[2] checks = [0, 0]
        cdef int quiet = self.pos().halfmove_clock
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
        """Number of occurrences of the present position on this board, counting the present one."""
        cdef Cycle cycle
        find_cycle(self.pos(), self.history, self.plies, 2, &cycle)
        return cycle.occurrences

    def find_cycle(self, RuleSwitches switches not None):
        """Window of a ruling: (occurrences, first ply, last ply, earlier ply).

        Plies count from 0; the earlier ply is the one after the previous occurrence of the
        position. All three plies are -1 if the position has not occurred often enough.
        """
        cdef Cycle cycle
        if not find_cycle(
            self.pos(), self.history, self.plies, switches.rules.occurrences, &cycle
        ):
            return cycle.occurrences, -1, -1, -1
        return cycle.occurrences, cycle.first, cycle.last, cycle.previous

    def prohibited_moves(self, RuleSwitches switches not None):
        """The legal moves that the rule set prohibits because they repeat a position."""
        cdef MoveList moves
        cdef int i
        generate_legal(self.pos(), &moves)
        return [
            shared_move(moves.moves[i]) for i in range(moves.count)
            if repeated_ply_after(
                self.pos(), moves.moves[i], self.history, self.plies,
                switches.rules.prohibition,
            ) >= 0
        ]

    def repeated_ply(self, RuleSwitches switches not None, Move move=None):
        """Ply of the earlier occurrence that makes the present position a prohibited repetition, or
        the position after a legal move; None if it is no prohibited repetition."""
        cdef int ply
        if move is None:
            ply = repeated_ply(
                self.pos(), self.history, self.plies, switches.rules.prohibition
            )
        else:
            ply = repeated_ply_after(
                self.pos(), move.code, self.history, self.plies, switches.rules.prohibition
            )
        return None if ply < 0 else ply

    def judge_cycle(self, RuleSwitches switches not None):
        """Verdict without evidence, for the search: (verdict, Red's conduct, Black's conduct).

        The numbers are values of the enumerations in ``xiangqi.referee.judging``.
        """
        cdef Cycle cycle
        cdef Judgment judgment
        if not find_cycle(
            self.pos(), self.history, self.plies, switches.rules.occurrences, &cycle
        ):
            return UNDECIDED, None, None
        judge_cycle(self.pos(), self.history, &cycle, &switches.rules, &judgment, NULL)
        return judgment.verdict, judgment.conduct[RED], judgment.conduct[BLACK]

    def explain_cycle(self, RuleSwitches switches not None):
        """The verdict with its evidence; None if the position has not occurred often enough.

        A tuple (verdict, conducts, victims, plies): ``conducts`` and ``victims`` are indexed by
        color; victims are bit sets of pieces, numbered by their squares at the window's start.
        ``plies`` has a pair for each ply of the window: its check flag, and a tuple of attacks
        (attacker, victim, reason, root), where root is -1 if there is none.
        """
        cdef Cycle cycle
        if not find_cycle(
            self.pos(), self.history, self.plies, switches.rules.occurrences, &cycle
        ):
            return None
        return explain_window(self.pos(), self.history, &cycle, &switches.rules)

    def explain_run(self, RuleSwitches switches not None, int plies):
        """Verdict with its evidence on the last ``plies`` plies, repeated or not.

        Threats of the last ply count as parried. Raises ValueError unless ``plies`` is at least two
        and so many plies have passed without a capture.
        """
        cdef Cycle cycle
        cdef int longest = min(self.plies, self.pos().halfmove_clock)
        if not 2 <= plies <= longest:
            raise ValueError(f"{plies} plies to judge: expected 2 to {longest} without a capture")
        cycle.occurrences = 1
        cycle.first, cycle.last = self.plies - plies, self.plies - 1
        cycle.previous = -1
        return explain_window(self.pos(), self.history, &cycle, &switches.rules)

    def count_rows(self, RuleSwitches switches not None):
        """Each side's current runs of one offence, for rule sets that limit rounds.

        Returns Black's runs and Red's, each run as (offence, rounds, rounds allowed, first ply,
        victim's square or -1, squares of the offending pieces), then the offence by which the last
        move exceeds its limit. Offences: 0 none, 1 chase, 2 checks and chases, 3 checks.
        """
        return explain_rows(self.pos(), self.history, self.plies, &switches.rules)

    def overrunning_moves(self, RuleSwitches switches not None):
        """The legal moves that would exceed the rule set's limit of rounds for an offence."""
        cdef Tally[2] tallies
        cdef uint8_t[SQUARES] identity
        cdef MoveList moves
        cdef int i
        count_rows(self.pos(), self.history, self.plies, &switches.rules, tallies, identity)
        generate_legal(self.pos(), &moves)
        return [
            shared_move(moves.moves[i])
            for i in range(moves.count)
            if overrun_by(
                self.pos(), moves.moves[i], tallies, identity, &switches.rules
            ) != NO_OFFENCE
        ]

    def list_attacks(self, color, RuleSwitches switches not None):
        """All attacks of a side as if it were to move, each as (attacker, victim, reason, root)."""
        cdef AttackSet found
        find_attacks(self.pos(), check_color(color), &switches.rules, False, &found)
        return attacks_as_tuples(&found)
