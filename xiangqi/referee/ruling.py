"""Rulings as data: the verdict, each side's conduct, and the evidence ply by ply.

``judging`` makes them, ``explanation`` words them, and :mod:`xiangqi.svg` draws them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar

from xiangqi.core.board import CoreBoard
from xiangqi.pieces import (
    BLACK,
    COLORS,
    RED,
    Color,
    Piece,
    Square,
    require_color,
)
from xiangqi.referee.marks import (
    WEIGHED,
    Clause,
    Conduct,
    Joint,
    Mark,
    Offence,
    Reason,
    Verdict,
)
from xiangqi.referee.rules import RuleSet, find_rule_set

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = [
    "NO_CONDUCT",
    "NO_VICTIMS",
    "WEIGHED",
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


def must_change(conduct: Conduct | None, rules: RuleSet | str) -> bool:
    """Is the offender first ordered to change its moves, before it loses?

    Perpetual check always loses at once (CXA 2020, 25.1 and 4.1.4).
    """
    rules = find_rule_set(rules)
    return rules.penalty == "must_change" and conduct is not Conduct.CHECK


class Judgment(NamedTuple):
    """Verdict on the last position of a game, without the evidence."""

    verdict: Verdict
    conduct: Mapping[Color, Conduct | None]
    """Conduct of each side over the window; None if undecided."""


@dataclass(frozen=True, slots=True)
class Threat:
    """Attack in the position after a ply."""

    attacker: Square
    attacker_piece: Piece
    victim: Square
    victim_piece: Piece
    reason: Reason
    root: Square | None
    """Protector of the victim; a false root unless :attr:`is_protected`, which could not recapture
    without exposing its own general."""
    root_piece: Piece | None

    @property
    def is_chase(self) -> bool:
        """Did the move make it, and the reply parry it?"""
        return self.reason is Reason.CHASE

    @property
    def is_protected(self) -> bool:
        """Is the root real, so that the attack is no chase?"""
        return self.reason is Reason.PROTECTED


@dataclass(frozen=True, slots=True)
class Victim:
    """Piece with its square, mostly the victim of a threat."""

    piece: Piece
    square: Square


T = TypeVar("T")


class BySide(Mapping[Color, T]):
    """Immutable value for each side, by colour.

    >>> BySide({RED: 1, BLACK: 2})[BLACK]
    2
    """

    __slots__ = ("_values",)

    def __init__(self, values: Mapping[Color, T]) -> None:
        self._values = values[BLACK], values[RED]

    def __getitem__(self, color: Color) -> T:
        return self._values[require_color(color)]

    def __iter__(self) -> Iterator[Color]:
        return iter(COLORS)

    def __len__(self) -> int:
        return len(COLORS)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self)!r})"


NO_CONDUCT: Final[Mapping[Color, Conduct | None]] = BySide({RED: None, BLACK: None})
NO_VICTIMS: Final[Mapping[Color, tuple[Victim, ...]]] = BySide({RED: (), BLACK: ()})
"""Conducts and victims of an undecided ruling."""


class FalseRoot(NamedTuple):
    """Protector that cannot recapture without exposing its general, and the pinning piece."""

    root: Victim
    pinner: Victim | None
    """Pinning piece; None if the generals would face each other."""


@dataclass(frozen=True, slots=True)
class Proof:
    """Line of moves that proves a mark: a threat of the side that moved.

    With a ``clause`` it is a threat that does not count, and the reason.
    """

    mark: Mark
    moves: tuple[Move, ...]
    """Line from the position after the marked move, in which the other side passes first."""
    victims: tuple[Victim, ...] = ()
    """Pieces that the line wins, with their squares after the marked move."""
    is_heavy: bool = True
    """Is it a kill, or a chase of a chariot or of an unrooted piece by one piece (26.9)?"""
    is_even: bool = False
    """Does the line win no more than is lost elsewhere (26.5)?"""
    clause: Clause | None = None
    """Reason why the threat does not count; None if it does."""
    joint: Joint | None = None
    """Reason why the chase is light; None if it is heavy."""
    partners: tuple[Victim, ...] = ()
    """Root that could recapture, or the other pieces that take part."""
    before: tuple[Move, ...] = ()
    """Line of the same capture before the move, if only the move made it good."""
    false_roots: tuple[FalseRoot, ...] = ()
    """Protectors that could recapture by pseudo-legal moves only."""


@dataclass(frozen=True, slots=True)
class PlyReport:
    """Report on one move of the window."""

    ply: int
    """Ply of the move in the game, counted from 0."""
    color: Color
    move: Move
    piece: Piece
    """The piece that moved."""
    king: Square
    """Square of the other side's general."""
    checkers: tuple[tuple[Square, Piece], ...]
    """Pieces that give check after the move, with their squares."""
    threats: tuple[Threat, ...]
    """Attacks of the mover after the move, each with its reason; none for a checking move, unless
    the rule set counts it as a chase as well."""
    mark: Mark
    proofs: tuple[Proof, ...] = ()
    """Proofs of the mark, if a chase is a gain."""
    is_heavy: bool | None = None
    """Is a forbidden move heavy (CXA 2020, 26.9)? None for an allowed move, and if the rule set
    does not weigh moves."""

    @property
    def conduct(self) -> Conduct:
        """Conduct: check, chase, or else idle."""
        return _CONDUCTS.get(self.mark, Conduct.IDLE)

    @property
    def chases(self) -> tuple[Threat, ...]:
        """Threats that are chases."""
        return tuple(threat for threat in self.threats if threat.is_chase)


_CONDUCTS: Final = {Mark.CHECK: Conduct.CHECK, Mark.CHASE: Conduct.CHASE}


@dataclass(frozen=True, slots=True)
class OffenceCount:
    """Consecutive rounds of an offence, and their limit."""

    color: Color
    offence: Offence
    rounds: int
    allowed: int
    first: int
    """Ply of the first counted move, from 0."""
    victim: Victim | None
    """Chased piece with its current square; None if checks or a mixture are counted."""
    pieces: tuple[Square, ...]
    """Current squares of the pieces that took part."""


class Trace:
    """Game of a ruling: positions, checkers and move names, computed once.

    Positions are found by taking moves back from the judged board, as far as requested. The
    referee, explanations, comparisons and pages share the trace of a ruling.
    """

    def __init__(self, board: CoreBoard) -> None:
        self.moves: tuple[Move, ...] = tuple(board.move_stack)
        self.turn: Color = board.turn if len(self.moves) % 2 == 0 else not board.turn
        """Side that makes the first move."""
        rounds = (len(self.moves) + (self.turn == BLACK)) // 2
        self.number = board.fullmove_number - rounds
        """Move number of the first move."""
        self._last = self._back = board.copy()
        self._cells: list[bytes] = []  # from the last position backwards, as are the checkers
        self._checkers: list[tuple[Square, ...]] = []
        self._names: dict[str, tuple[str, ...]] = {}

    @classmethod
    def of_record(cls, fen: str, moves: Iterable[Move]) -> Trace:
        """Trace of a game given as FEN and moves."""
        board = CoreBoard(fen)
        for move in moves:
            board.push_unchecked(move)
        return cls(board)

    def board(self) -> CoreBoard:
        """Copy of the board after all moves."""
        return self._last.copy()

    def side(self, ply: int) -> Color:
        """Side that plays a ply, counted from 0."""
        return self.turn if ply % 2 == 0 else not self.turn

    def cells(self, plies: int) -> bytes:
        """Piece codes of all squares after a number of plies."""
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
        """Take back moves until the position after a number of plies is known."""
        cells, checkers, moves = self._cells, self._checkers, self.moves
        while len(moves) - len(cells) >= plies:
            if cells:
                back, move = self._back, moves[-len(cells)]
                back.pop()
                before = bytearray(cells[-1])  # undo one move, faster than back.setup()
                before[move.from_square] = before[move.to_square]
                before[move.to_square] = back.piece_code_at(move.to_square)
                cells.append(bytes(before))
            else:
                back = self._back = self._last.copy()
                cells.append(back.cells())
            checkers.append(tuple(sorted(back.checkers())) if back.is_check() else ())

    def names(self, notation: str, name: Callable[[CoreBoard, Move], str]) -> tuple[str, ...]:
        """All moves in a notation; ``name`` writes a legal move of a board."""
        if notation not in self._names:
            board, names = self._last.copy(), []
            for move in reversed(self.moves):
                board.pop()
                names.append(name(board, move))
            self._names[notation] = tuple(reversed(names))
        return self._names[notation]


@dataclass(frozen=True, slots=True)
class Ruling:
    """Verdict on the last position of a game, with all evidence."""

    rules: RuleSet
    fen: str
    """Position before the first move of the game."""
    moves: tuple[Move, ...]
    verdict: Verdict
    occurrences: int
    """Number of occurrences of the last position."""
    window: tuple[int, int] | None
    """First and last ply of the judged cycle, counted from 0; None if undecided."""
    conduct: Mapping[Color, Conduct | None]
    """Conduct of each side over the window; None if undecided."""
    victims: Mapping[Color, tuple[Victim, ...]]
    """Enemy pieces that each side chased perpetually."""
    plies: tuple[PlyReport, ...]
    """Report on each ply of the window."""
    questions: tuple[str, ...] = ()
    """Fields of the rule set with which another value gives another verdict."""
    unsettled: tuple[int, ...] = ()
    """Plies, counted from 0, whose marks may be graver than found, as the solver reached its node
    limit."""
    counts: tuple[OffenceCount, ...] = ()
    """Current offences of both sides, Red's first; empty unless rounds are counted."""
    too_many: OffenceCount | None = None
    """Offence whose limit of rounds the last move exceeds; None if there is none."""
    _trace: list[Trace] = field(default_factory=list, init=False, compare=False, repr=False)
    nine_round_offenders: tuple[Color, ...] = ()
    """Sides that have to change, after nine rounds of only forbidden moves without a repetition."""

    @property
    def offender(self) -> Color | None:
        """Side that loses, and so had to change its moves; None if neither does."""
        return self.verdict.loser

    @property
    def victim(self) -> Victim | None:
        """First piece that the offender chased perpetually; None if there is none."""
        if self.offender is None:
            return None
        return next(iter(self.victims[self.offender]), None)

    @property
    def trace(self) -> Trace:
        """Trace of the game; replayed unless the referee has kept it."""
        if not self._trace:
            self._trace.append(Trace.of_record(self.fen, self.moves))
        return self._trace[0]

    def keep(self, trace: Trace) -> Ruling:
        """Keep the trace unless there is one; return the ruling itself."""
        if not self._trace:
            self._trace.append(trace)
        return self

    def board(self) -> CoreBoard:
        """Copy of the judged board, with all moves."""
        return self.trace.board()
