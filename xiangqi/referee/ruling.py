"""Rulings as data: the verdict, each side's conduct, and the evidence ply by ply.

They hold no words or pictures: ``judging`` makes them, ``explanation`` formats them, and
:mod:`xiangqi.svg` draws them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from xiangqi.core.board import CoreBoard
from xiangqi.pieces import BLACK, COLOR_NAMES, RED, Color, Piece, Square, square_name
from xiangqi.referee.rules import RuleSet, find_rule_set

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = [
    "Clause",
    "Conduct",
    "FalseRoot",
    "Joint",
    "Judgment",
    "Mark",
    "Offence",
    "OffenceCount",
    "PlyReport",
    "Proof",
    "Reason",
    "Ruling",
    "Threat",
    "Trace",
    "Verdict",
    "Victim",
    "must_change",
]


class Verdict(Enum):
    """Verdict on a repetition."""

    UNDECIDED = "undecided"
    """The last position has not occurred often enough to be ruled on."""
    DRAW = "draw"
    RED_WINS = "red_wins"
    BLACK_WINS = "black_wins"

    @property
    def loser(self) -> Color | None:
        """Side that loses and so had to change its moves; None if neither."""
        return _LOSER.get(self)


_LOSER: Final = {Verdict.RED_WINS: BLACK, Verdict.BLACK_WINS: RED}


class Conduct(Enum):
    """Conduct of one side over a cycle; graver last. No rule book has all of them."""

    IDLE = "idle"
    CHASE = "chase"
    LIGHT = "light"
    """Forbidden moves only, one of them at least light, where the book weighs them."""
    HEAVY = "heavy"
    """Forbidden moves only, all of them heavy."""
    CHECK = "check"


def must_change(conduct: Conduct | None, rules: RuleSet | str) -> bool:
    """Is the offender ordered to change first, before it loses?

    Perpetual check loses at once all the same (CXA 2020, 25.1 and 4.1.4).
    """
    rules = find_rule_set(rules)
    return rules.penalty == "must_change" and conduct is not Conduct.CHECK


class Mark(Enum):
    """Mark of one move: its gravest strike, or one of the ways to be allowed."""

    CHECK = "check"
    KILL = "kill"
    """The move threatens to mate by checks alone."""
    CHASE = "chase"
    EXCHANGE = "exchange"
    """The move offers a piece for one of its kind."""
    OFFER = "offer"
    """The move offers a piece for nothing."""
    BLOCK = "block"
    """The move obstructs an enemy piece."""
    FOLLOW = "follow"
    """The move watches a protected piece."""
    IDLE = "idle"

    @property
    def is_strike(self) -> bool:
        """Is it forbidden to make such moves for ever, under a book that forbids all kinds?"""
        return self in _STRIKES


_STRIKES: Final = frozenset({Mark.CHECK, Mark.KILL, Mark.CHASE})


class Reason(Enum):
    """Reason why an attack is a chase or not. The first applicable one is given."""

    UNCROSSED_PAWN = "uncrossed_pawn"
    """The victim is a soldier that has not crossed the river."""
    KING_OR_PAWN = "king_or_pawn"
    """The attacker is a general or a soldier: these may chase for ever."""
    PINNED = "pinned"
    """The capture would expose the attacker's own general."""
    EXCHANGE = "exchange"
    """Two pieces of a kind face each other and the victim could take first."""
    PROTECTED = "protected"
    """The capturing piece would be recaptured."""
    STOOD_BEFORE = "stood_before"
    """The threat was there before the move."""
    LINE_EXEMPT = "line_exempt"
    """The attacker stood still; only a root whose line runs through it was lost."""
    UNANSWERED = "unanswered"
    """The reply left the threat standing."""
    CHASE = "chase"
    """The move made the threat, and the reply parried it."""
    PROFIT = "profit"
    """No reason against the capture, in a position without a move and a reply."""


class Clause(Enum):
    """Reason why a threat does not count, where a chase is a gain.

    Numbers are those of the Chinese rules of 2020. The first applicable one is given.
    """

    KING_REPLY = "king_reply"
    """The king steps out of check (26.1.3)."""
    KING_OR_SOLDIER = "king_or_soldier"
    """A king or a soldier attacks by itself (26.1)."""
    LOSING_ROOT = "losing_root"
    """More would be lost elsewhere than won here (26.5)."""
    EVEN_CHASE = "even_chase"
    """Even chase: the gain here is lost elsewhere (26.5)."""
    MATED = "mated"
    """The answer would be mate (24.3)."""
    STOOD_BEFORE = "stood_before"
    """The threat was there before the move (24.3)."""
    REPLY = "reply"
    """The attack was there before the reply to a check, and the moved piece takes no part in it
    (26.1.4)."""
    OWN_DOING = "own_doing"
    """The enemy's own last move made the threat, not this one."""
    KEY_POINT = "key_point"
    """The last attacking piece holds off a loss, and also attacks an advisor or elephant (26.2)."""


class Joint(Enum):
    """Reason why a chase is light (CXA 2020, 26.9): the piece that the gain depends on."""

    ROOT = "root"
    """A root could take back: the victim has fewer roots than attackers."""
    FALSE_ROOT = "false_root"
    """A root cannot take back because of another attacking piece."""
    MOUNT = "mount"
    """A cannon captures over an attacking piece of its own that is needed there."""
    CHECKS = "checks"
    """One piece alone does not win by these checks."""


class Judgment(NamedTuple):
    """A verdict on the last position of a game without the evidence."""

    verdict: Verdict
    conduct: Mapping[Color, Conduct | None]
    """Conduct of each side over the window; None if undecided."""


@dataclass(frozen=True, slots=True)
class Threat:
    """An attack after a ply, on the squares after the ply."""

    attacker: Square
    attacker_piece: Piece
    victim: Square
    victim_piece: Piece
    reason: Reason
    root: Square | None
    """A piece that protects the victim; unless :attr:`is_protected` it is a false root, one
    that could not recapture without exposing its own general."""
    root_piece: Piece | None

    @property
    def is_protected(self) -> bool:
        """Is the root real, so that the attack is no chase because of it?"""
        return self.reason is Reason.PROTECTED

    def to_dict(self) -> dict[str, Any]:
        """The threat as JSON data, pieces by FEN letter and squares by name."""
        return {
            "attacker": self.attacker_piece.symbol(),
            "from": square_name(self.attacker),
            "victim": self.victim_piece.symbol(),
            "on": square_name(self.victim),
            "reason": self.reason.value,
            "root": None if self.root is None else square_name(self.root),
        }


@dataclass(frozen=True, slots=True)
class Victim:
    """The victim of a threat, with its square."""

    piece: Piece
    square: Square

    def to_dict(self) -> dict[str, str]:
        """The victim as JSON data."""
        return {"piece": self.piece.symbol(), "on": square_name(self.square)}


class FalseRoot(NamedTuple):
    """A piece that could take back but for its own general, and the piece that pins it."""

    root: Victim
    pinner: Victim | None
    """Pinning piece; None if the generals would face each other."""

    def to_dict(self) -> dict[str, Any]:
        """The root as JSON data."""
        pinner = None if self.pinner is None else self.pinner.to_dict()
        return {**self.root.to_dict(), "pinner": pinner}


@dataclass(frozen=True, slots=True)
class Proof:
    """Line of moves that proves a mark: the threat of the side that moved.

    A proof with a clause is a threat that does not count, with the reason.
    """

    mark: Mark
    moves: tuple[Move, ...]
    """Line from the position after the marked move, the other side passing first."""
    victims: tuple[Victim, ...] = ()
    """The pieces that the line wins, where they stood after the marked move."""
    is_heavy: bool = True
    """Is it a kill, or a chase of a chariot or of an unrooted piece by one piece (26.9)?"""
    is_even: bool = False
    """Does the line win only as much as is lost elsewhere (26.5)?"""
    clause: Clause | None = None
    """Reason why it does not count; None if it does."""
    joint: Joint | None = None
    """Reason why it is light; None if it is heavy."""
    partners: tuple[Victim, ...] = ()
    """The root that could take back, or the other pieces that take part."""
    before: tuple[Move, ...] = ()
    """Line of the same capture before the move, if the move made it good."""
    false_roots: tuple[FalseRoot, ...] = ()
    """Pieces that could take back in form only."""

    def to_dict(self) -> dict[str, Any]:
        """The proof as JSON data."""
        return {
            "mark": self.mark.value,
            "moves": [move.iccs() for move in self.moves],
            "victims": [victim.to_dict() for victim in self.victims],
            "heavy": self.is_heavy,
            "even": self.is_even,
            "clause": None if self.clause is None else self.clause.value,
            "joint": None if self.joint is None else self.joint.value,
            "partners": [partner.to_dict() for partner in self.partners],
            "before": [move.iccs() for move in self.before],
            "false_roots": [root.to_dict() for root in self.false_roots],
        }


@dataclass(frozen=True, slots=True)
class PlyReport:
    """Report on one move of the window."""

    ply: int
    """Ply of the move, counted from 0, the first move of the game."""
    color: Color
    move: Move
    piece: Piece
    """The piece that moved."""
    king: Square
    """Square of the other side's general."""
    checkers: tuple[tuple[Square, Piece], ...]
    """Pieces that give check after the move, with their squares."""
    threats: tuple[Threat, ...]
    """All attacks of the mover after the move, each with its reason. A checking move lists
    none, unless the rule set lets it chase as well."""
    mark: Mark
    """Mark of the move."""
    proofs: tuple[Proof, ...] = ()
    """Proofs of the mark, where checkers and threats are not enough."""
    is_heavy: bool | None = None
    """Does a forbidden move outweigh light ones, where the book weighs them (CXA 2020, 26.9)? None
    for an allowed move, and where moves are not weighed."""

    @property
    def conduct(self) -> Conduct:
        """Conduct of the move: check, chase or idle."""
        return _CONDUCTS.get(self.mark, Conduct.IDLE)

    @property
    def chases(self) -> tuple[Threat, ...]:
        """The threats that are chases."""
        return tuple(threat for threat in self.threats if threat.reason is Reason.CHASE)

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON data."""
        return {
            "ply": self.ply,
            "side": COLOR_NAMES[self.color],
            "piece": self.piece.symbol(),
            "move": self.move.iccs(),
            "conduct": self.conduct.value,
            "mark": self.mark.value,
            "heavy": self.is_heavy,
            "checkers": [square_name(square) for square, _ in self.checkers],
            "threats": [threat.to_dict() for threat in self.threats],
            "proofs": [proof.to_dict() for proof in self.proofs],
        }


_CONDUCTS: Final = {Mark.CHECK: Conduct.CHECK, Mark.CHASE: Conduct.CHASE}


class Offence(Enum):
    """Offences that rule sets with rounds count; graver last."""

    CHASE = "chase"
    MIXTURE = "check_and_chase"
    """Checks and chases by turns."""
    CHECK = "check"


@dataclass(frozen=True, slots=True)
class OffenceCount:
    """Rounds of an offence played, and allowed."""

    color: Color
    offence: Offence
    rounds: int
    allowed: int
    first: int
    """The ply of the first move that counts, from 0."""
    victim: Victim | None
    """The chased piece with its present square; None where checks are counted."""
    pieces: tuple[Square, ...]
    """Present squares of the pieces that took part."""

    def to_dict(self) -> dict[str, Any]:
        """The count as JSON data."""
        return {
            "side": COLOR_NAMES[self.color],
            "offence": self.offence.value,
            "rounds": self.rounds,
            "allowed": self.allowed,
            "first": self.first,
            "victim": None if self.victim is None else self.victim.to_dict(),
            "pieces": [square_name(square) for square in self.pieces],
        }


class Trace:
    """Game of a ruling: positions, rounds and move names, each computed once.

    It takes moves back from the judged board, as far as requested; nothing is parsed or played
    again. The judge, the reason, the explanation, comparisons and pages share it.
    """

    def __init__(self, board: CoreBoard) -> None:
        self.moves: tuple[Move, ...] = tuple(board.move_stack)
        self.turn: Color = board.turn if len(self.moves) % 2 == 0 else not board.turn
        """Side that moves first."""
        rounds = (len(self.moves) + (self.turn == BLACK)) // 2
        self.number = board.fullmove_number - rounds
        """Number of the first move in the game."""
        self._last = self._back = board.copy()
        self._cells: list[bytes] = []  # from the last position backwards, as the next
        self._checkers: list[tuple[Square, ...]] = []
        self._names: dict[str, tuple[str, ...]] = {}

    @classmethod
    def of_record(cls, fen: str, moves: Iterable[Move]) -> Trace:
        """Trace of a game that has to be played first."""
        board = CoreBoard(fen)
        for move in moves:
            board.push_unchecked(move)
        return cls(board)

    def board(self) -> CoreBoard:
        """Board after all moves, which the caller may change."""
        return self._last.copy()

    def side(self, ply: int) -> Color:
        """Side that plays a ply, counted from 0."""
        return self.turn if ply % 2 == 0 else not self.turn

    def cells(self, plies: int) -> bytes:
        """Codes of all pieces after a number of plies."""
        place = len(self.moves) - plies
        if place >= len(self._cells):
            self._go_back(plies)
        return self._cells[place]

    def checkers(self, plies: int) -> tuple[tuple[Square, Piece], ...]:
        """Pieces that give check after a number of plies, with their squares."""
        cells = self.cells(plies)
        squares = self._checkers[len(self.moves) - plies]
        return tuple((square, Piece.from_code(cells[square])) for square in squares)

    def _go_back(self, plies: int) -> None:
        cells, checkers, moves = self._cells, self._checkers, self.moves
        while len(moves) - len(cells) >= plies:
            if cells:
                back, move = self._back, moves[-len(cells)]
                back.pop()
                before = bytearray(cells[-1])  # by one move, which is quicker than the whole setup
                before[move.from_square] = before[move.to_square]
                before[move.to_square] = back.piece_code_at(move.to_square)
                cells.append(bytes(before))
            else:
                back = self._back = self._last.copy()
                cells.append(back.setup().board)
            checkers.append(tuple(sorted(back.checkers())) if back.is_check() else ())

    def names(self, notation: str, name: Callable[[CoreBoard, Move], str]) -> tuple[str, ...]:
        """Names of all moves in a notation; ``name`` names a legal move on a board."""
        if notation not in self._names:
            board, names = self._last.copy(), []
            for move in reversed(self.moves):
                board.pop()
                names.append(name(board, move))
            self._names[notation] = tuple(reversed(names))
        return self._names[notation]


@dataclass(frozen=True, slots=True)
class Ruling:
    """Verdict on the last position of a game, with all its evidence."""

    rules: RuleSet
    fen: str
    """The position before the first move of the game."""
    moves: tuple[Move, ...]
    verdict: Verdict
    occurrences: int
    """Number of occurrences of the last position."""
    window: tuple[int, int] | None
    """First and last ply of the cycle that was judged, counted from 0; None if undecided."""
    conduct: Mapping[Color, Conduct | None]
    """Conduct of each side over the window; None if undecided."""
    victims: Mapping[Color, tuple[Victim, ...]]
    """By side: the enemy pieces that it chased perpetually."""
    plies: tuple[PlyReport, ...]
    """One report for each ply of the window."""
    questions: tuple[str, ...] = ()
    """Open questions (fields of the rule set) whose answers decide the ruling."""
    unsettled: tuple[int, ...] = ()
    """Plies, counted from 0, whose marks could not be settled within the referee's limit: they may
    be graver than found."""
    counts: tuple[OffenceCount, ...] = ()
    """Current offences of both sides, where rounds are counted; Red's first."""
    too_many: OffenceCount | None = None
    """The offence that the last move has continued for too long; None if there is none."""
    _trace: list[Trace] = field(default_factory=list, init=False, compare=False, repr=False)
    pressing: tuple[Color, ...] = ()
    """Sides that have made only forbidden moves for nine rounds without a repetition, and so have
    to change."""

    @property
    def offender(self) -> Color | None:
        """The side that loses and so had to change its moves; None if neither."""
        return self.verdict.loser

    @property
    def victim(self) -> Victim | None:
        """Piece that the offender chased; None without a losing chase."""
        if self.offender is None:
            return None
        return next(iter(self.victims[self.offender]), None)

    @property
    def trace(self) -> Trace:
        """Trace of the game; it is played again unless the judge has kept it."""
        if not self._trace:
            self._trace.append(Trace.of_record(self.fen, self.moves))
        return self._trace[0]

    def keep(self, trace: Trace) -> Ruling:
        """The same ruling with this trace, unless it has one."""
        if not self._trace:
            self._trace.append(trace)
        return self

    def board(self) -> CoreBoard:
        """Board that was ruled on: the last position, with all moves."""
        return self.trace.board()
