"""From a game to a ruling: the verdict, each side's conduct, and the evidence ply by ply.

The core judges; this module gives its numbers their names. A :class:`Ruling` is data, complete
enough for a program (:meth:`Ruling.to_dict`); :mod:`xiangqi.explain` makes words of it.

>>> from xiangqi.board import Board
>>> board = Board("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1")
>>> for move in "f0e0 e8f8 e0f0 f8e8".split() * 2:
...     _ = board.push_iccs(move)
>>> ruling = Referee().judge(board)
>>> ruling.verdict, ruling.conduct[RED], ruling.conduct[BLACK]
(<Verdict.BLACK_WINS: 'black_wins'>, <Conduct.CHECK: 'check'>, <Conduct.IDLE: 'idle'>)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from xiangqi.core.board import CoreBoard
from xiangqi.pieces import BLACK, COLOR_NAMES, RED, Color, Piece, Square, square_name
from xiangqi.rules import WXF, RuleSet
from xiangqi.words import Language, name_piece, name_side, say

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = [
    "Conduct",
    "PlyReport",
    "Reason",
    "Referee",
    "Ruling",
    "Threat",
    "Verdict",
    "Victim",
]


class Verdict(Enum):
    """What a repetition comes to."""

    UNDECIDED = "undecided"
    """The last position has not occurred often enough to be ruled on."""
    DRAW = "draw"
    RED_WINS = "red_wins"
    BLACK_WINS = "black_wins"


class Conduct(Enum):
    """What one side does all through a cycle, or on one ply of it; graver last."""

    IDLE = "idle"
    CHASE = "chase"
    CHECK = "check"


class Reason(Enum):
    """Why an attack is a chase, or why it is none. The first that holds is given."""

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
    """Nothing speaks against the capture: said of a position by itself, where no move and no
    reply can be told."""


# The core's numbers, in its order. It tells two ways of being protected apart; the second (only
# along lines through the attacker) matters to the next ply and to nobody else.
_VERDICTS: Final = (Verdict.UNDECIDED, Verdict.DRAW, Verdict.RED_WINS, Verdict.BLACK_WINS)
_CONDUCTS: Final = (Conduct.IDLE, Conduct.CHASE, Conduct.CHECK)
_REASONS: Final = (
    Reason.UNCROSSED_PAWN,
    Reason.KING_OR_PAWN,
    Reason.PINNED,
    Reason.EXCHANGE,
    Reason.PROTECTED,
    Reason.PROTECTED,
    Reason.STOOD_BEFORE,
    Reason.LINE_EXEMPT,
    Reason.UNANSWERED,
    Reason.CHASE,
)
_PROFIT: Final = len(_REASONS) - 1
"""What the core says of a capture with nothing against it: a chase, once moves are compared."""
_LOSER: Final = {Verdict.RED_WINS: BLACK, Verdict.BLACK_WINS: RED}


@dataclass(frozen=True, slots=True)
class Threat:
    """One attack after a ply, squares being those after the ply."""

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
    """A piece that was chased all through the window, and where it stands now."""

    piece: Piece
    square: Square

    def to_dict(self) -> dict[str, str]:
        """The victim as JSON data."""
        return {"piece": self.piece.symbol(), "on": square_name(self.square)}


@dataclass(frozen=True, slots=True)
class PlyReport:
    """What one move of the window did."""

    ply: int
    """Counted from 0, the first move of the game."""
    color: Color
    move: Move
    piece: Piece
    """The piece that moved."""
    checkers: tuple[tuple[Square, Piece], ...]
    """The pieces that give check after the move, and where they stand."""
    threats: tuple[Threat, ...]
    """All attacks of the mover after the move, each with its reason. A checking move lists
    none, unless the rule set lets it chase as well."""

    @property
    def conduct(self) -> Conduct:
        """What the move is: a check, else a chase if it chases anything, else idle."""
        if self.checkers:
            return Conduct.CHECK
        return Conduct.CHASE if self.chases else Conduct.IDLE

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
            "checkers": [square_name(square) for square, _ in self.checkers],
            "threats": [threat.to_dict() for threat in self.threats],
        }


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict on the last position of a game, with everything it rests on."""

    rules: RuleSet
    fen: str
    """The position before the first move of the game."""
    moves: tuple[Move, ...]
    verdict: Verdict
    occurrences: int
    """How often the last position has occurred."""
    window: tuple[int, int] | None
    """First and last ply of the cycle that was judged, counted from 0; None if undecided."""
    conduct: Mapping[Color, Conduct | None]
    """What each side did all through the window; None if undecided."""
    victims: Mapping[Color, tuple[Victim, ...]]
    """By side: the enemy pieces that it chased perpetually."""
    plies: tuple[PlyReport, ...]
    """One report for each ply of the window."""

    @property
    def offender(self) -> Color | None:
        """The side that loses and so had to change its moves; None if neither."""
        return _LOSER.get(self.verdict)

    @property
    def victim(self) -> Victim | None:
        """The piece that the offender chased; None where there was no losing chase."""
        if self.offender is None:
            return None
        return next(iter(self.victims[self.offender]), None)

    def name_victims(self, color: Color, language: Language = "en") -> str:
        """The pieces that a side chased perpetually, in words; empty if there are none."""
        return say(language, "and").join(
            name_piece(language, victim.piece, victim.square) for victim in self.victims[color]
        )

    def reason(self, language: Language = "en") -> str:
        """The case in one sentence."""
        red, black = self.conduct[RED], self.conduct[BLACK]
        if red is None or black is None:
            found, required = self.occurrences, self.rules.occurrences
            return say(language, "why_undecided", found=found, required=required)
        offender = self.offender
        if offender is None:
            return say(language, "why_equal", conduct=say(language, f"perpetual_{red.value}"))
        conduct, other = (red, black) if offender == RED else (black, red)
        return say(
            language,
            f"why_{conduct.value}",
            side=name_side(language, offender),
            victims=self.name_victims(offender, language),
            other=name_side(language, not offender),
            conduct=say(language, f"perpetual_{other.value}"),
        )

    def to_dict(self, *, evidence: bool = True) -> dict[str, Any]:
        """The ruling as JSON data; without ``evidence`` the plies are left out."""
        red, black = self.conduct[RED], self.conduct[BLACK]
        data: dict[str, Any] = {
            "verdict": self.verdict.value,
            "red": None if red is None else red.value,
            "black": None if black is None else black.value,
            "occurrences": self.occurrences,
            "window": None if self.window is None else list(self.window),
            "offender": None if self.offender is None else COLOR_NAMES[self.offender],
            "victim": None if self.victim is None else self.victim.to_dict(),
            "reason": self.reason(),
        }
        if evidence:
            data["rules"] = self.rules.name
            data["fen"] = self.fen
            data["moves"] = [move.iccs() for move in self.moves]
            data["victims"] = {
                COLOR_NAMES[color]: [victim.to_dict() for victim in self.victims[color]]
                for color in (RED, BLACK)
            }
            data["plies"] = [report.to_dict() for report in self.plies]
        return data


_UNDECIDED: Final = (
    MappingProxyType({RED: None, BLACK: None}),
    MappingProxyType({RED: (), BLACK: ()}),
)


class Referee:
    """Rules on games under one rule set."""

    def __init__(self, rules: RuleSet = WXF) -> None:
        self.rules = rules

    def judge(self, board: CoreBoard) -> Ruling:
        """Rule on the present position of a board that knows the moves which led to it."""
        occurrences, first, last, _ = board.find_cycle(self.rules.switches)
        moves = tuple(board.move_stack)
        fen = board.root_fen()
        found = board.explain_cycle(self.rules.switches)
        if found is None:
            return Ruling(
                self.rules, fen, moves, Verdict.UNDECIDED, occurrences, None, *_UNDECIDED, ()
            )
        verdict, conducts, victims, facts = found
        replay = _Replay(board, first)
        chased = {color: replay.pieces_of(victims[color]) for color in (RED, BLACK)}
        plies = tuple(replay.report(moves[first + i], *fact) for i, fact in enumerate(facts))
        return Ruling(
            rules=self.rules,
            fen=fen,
            moves=moves,
            verdict=_VERDICTS[verdict],
            occurrences=occurrences,
            window=(first, last),
            conduct=MappingProxyType({c: _CONDUCTS[conducts[c]] for c in (RED, BLACK)}),
            victims=MappingProxyType({c: replay.victims_now(chased[c]) for c in (RED, BLACK)}),
            plies=plies,
        )

    def find_threats(self, board: CoreBoard, color: Color) -> tuple[Threat, ...]:
        """All attacks of a side in a position, as if it were to move, each with its reason.

        What the rules make of them takes a move and a reply; here the last word is PROFIT.
        """
        return tuple(
            _make_threat(board, attacker, victim, reason, root, chase=Reason.PROFIT)
            for attacker, victim, reason, root in board.attacks(color, self.rules.switches)
        )

    def judge_moves(self, fen: str, moves: Iterable[str]) -> Ruling:
        """Rule on the position that a FEN and moves in coordinates lead to.

        Raises FenError, PositionError, InvalidMoveError or IllegalMoveError.
        """
        board = CoreBoard(fen)
        for move in moves:
            board.push_iccs(move)
        return self.judge(board)


class _Replay:
    """Plays a window again and tells which piece is where."""

    def __init__(self, board: CoreBoard, first: int) -> None:
        self.board = board.copy()
        while self.board.ply() > first:
            self.board.pop()
        start = self.board.setup().piece_map()
        # Where each piece of the window's start is now; the core numbers them in this order.
        self.now: list[Square] = list(start)
        self.piece: list[Piece] = list(start.values())

    def pieces_of(self, bits: int) -> list[int]:
        """The numbers of the pieces in a set of the core."""
        return [number for number in range(len(self.now)) if bits >> number & 1]

    def victims_now(self, numbers: Iterable[int]) -> tuple[Victim, ...]:
        """Pieces by their numbers, where they stand now."""
        return tuple(Victim(self.piece[number], self.now[number]) for number in numbers)

    def report(
        self, move: Move, check: bool, attacks: Iterable[tuple[int, int, int, int]]
    ) -> PlyReport:
        """Play the next move and put names to its facts."""
        ply, color = self.board.ply(), self.board.turn
        self.board.push_unchecked(move)
        self.now[self.now.index(move.from_square)] = move.to_square
        return PlyReport(
            ply=ply,
            color=color,
            move=move,
            piece=_piece_at(self.board, move.to_square),
            checkers=self._checkers() if check else (),
            threats=tuple(_make_threat(self.board, *attack) for attack in attacks),
        )

    def _checkers(self) -> tuple[tuple[Square, Piece], ...]:
        return tuple((sq, _piece_at(self.board, sq)) for sq in sorted(self.board.checkers()))


def _make_threat(
    board: CoreBoard,
    attacker: Square,
    victim: Square,
    reason: int,
    root: int,
    *,
    chase: Reason = Reason.CHASE,
) -> Threat:
    """Put names to an attack of the core."""
    return Threat(
        attacker=attacker,
        attacker_piece=_piece_at(board, attacker),
        victim=victim,
        victim_piece=_piece_at(board, victim),
        reason=chase if reason == _PROFIT else _REASONS[reason],
        root=root if root >= 0 else None,
        root_piece=_piece_at(board, root) if root >= 0 else None,
    )


def _piece_at(board: CoreBoard, square: Square) -> Piece:
    return Piece.from_code(board.piece_code_at(square))
