"""Rulings on games, and the safety of pieces in a position.

The core judges, and this module converts its numbers to a :class:`Ruling`; ``explanation`` words
it.

>>> from xiangqi.board import Board
>>> board = Board("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w - - 0 1")
>>> for move in "f0e0 e8f8 e0f0 f8e8".split() * 2:
...     _ = board.push_iccs(move)
>>> ruling = Referee().judge(board)
>>> ruling.verdict, ruling.conduct[RED], ruling.conduct[BLACK]
(<Verdict.BLACK_WINS: 'black_wins'>, <Conduct.CHECK: 'check'>, <Conduct.IDLE: 'idle'>)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from xiangqi.core.board import CoreBoard
from xiangqi.ground.errors import quote
from xiangqi.pieces import BLACK, RED, Color, Piece, Square
from xiangqi.referee.counters import CONDUCTS, VERDICTS, Replay, judge_rounds, make_threat
from xiangqi.referee.rules import WXF, RuleSet, find_rule_set
from xiangqi.referee.ruling import (
    NO_CONDUCT,
    NO_VICTIMS,
    BySide,
    Conduct,
    Judgment,
    PlyReport,
    Reason,
    Ruling,
    Threat,
    Trace,
    Verdict,
    Victim,
)

__all__ = [
    "Conduct",
    "Judgment",
    "PlyReport",
    "Reason",
    "Referee",
    "Ruling",
    "Safety",
    "SafetyMark",
    "Threat",
    "Verdict",
    "Victim",
    "find_safety",
]


class Referee:
    """Referee under one rule set, given as an object or by name."""

    def __init__(self, rules: RuleSet | str = WXF) -> None:
        self.rules = find_rule_set(rules)

    def judge(self, board: CoreBoard) -> Ruling:
        """Rule on the last position of a board's game."""
        if not isinstance(board, CoreBoard):
            raise TypeError(f"board {quote(board)}: expected a Board")
        trace = Trace(board)
        return self._judge(board, trace).keep(trace)

    def _judge(self, board: CoreBoard, trace: Trace) -> Ruling:
        if not self.rules.in_search:
            # Imported here, as this takes a third of the module's import time.
            from xiangqi.referee.cxa.judging import judge_gains

            return judge_gains(board, self.rules)
        if self.rules.rounds is not None:
            return judge_rounds(board, self.rules)
        occurrences, first, last, _ = board.find_cycle(self.rules.switches)
        moves, fen = trace.moves, board.root_fen()
        if self.rules.prohibition != "none":
            earlier = board.repeated_ply(self.rules.switches)
            window = None if earlier is None else (earlier, board.ply() - 1)
            verdict = self._judge_return(board)
            return Ruling(
                self.rules, fen, moves, verdict, occurrences, window, NO_CONDUCT, NO_VICTIMS, ()
            )
        found = board.explain_cycle(self.rules.switches)
        if found is None or self._is_premature_draw(board, *found[:2]):
            verdict = Verdict.UNDECIDED
            return Ruling(
                self.rules, fen, moves, verdict, occurrences, None, NO_CONDUCT, NO_VICTIMS, ()
            )
        number, conducts, victims, facts = found
        replay = Replay(trace, first)
        plies = tuple(replay.report(*fact) for fact in facts)
        return Ruling(
            rules=self.rules,
            fen=fen,
            moves=moves,
            verdict=VERDICTS[number],
            occurrences=occurrences,
            window=(first, last),
            conduct=BySide({c: CONDUCTS[conducts[c]] for c in (RED, BLACK)}),
            victims=BySide({c: replay.victims_now(victims[c]) for c in (RED, BLACK)}),
            plies=plies,
        )

    def judge_cycle(self, board: CoreBoard) -> Judgment:
        """Verdict and conducts of :meth:`judge` without evidence, much faster.

        Nine rounds of forbidden moves without a repetition (CXA 2020) end no game; only
        :meth:`judge` reports them.
        """
        if not self.rules.in_search:
            from xiangqi.referee.cxa.judging import judge_gains_briefly

            return judge_gains_briefly(board, self.rules)
        if self.rules.rounds is not None:
            ruling = judge_rounds(board, self.rules)
            return Judgment(ruling.verdict, ruling.conduct)
        if self.rules.prohibition != "none":
            return Judgment(self._judge_return(board), NO_CONDUCT)
        verdict, red, black = board.judge_cycle(self.rules.switches)
        if red is None or black is None:
            return Judgment(VERDICTS[verdict], NO_CONDUCT)
        if self._is_premature_draw(board, verdict, (black, red)):
            return Judgment(Verdict.UNDECIDED, NO_CONDUCT)
        return Judgment(VERDICTS[verdict], {RED: CONDUCTS[red], BLACK: CONDUCTS[black]})

    def _is_premature_draw(self, board: CoreBoard, verdict: int, conducts: tuple[int, int]) -> bool:
        """Is it a draw by equal offences before ``mutual_occurrences`` is reached?"""
        required = self.rules.mutual_occurrences
        if required is None or VERDICTS[verdict] is not Verdict.DRAW:
            return False
        if CONDUCTS[conducts[RED]] is Conduct.IDLE or conducts[0] != conducts[1]:
            return False
        return board.repetitions() < required

    def _judge_return(self, board: CoreBoard) -> Verdict:
        """Verdict under superko: the side that repeats a position loses."""
        if board.repeated_ply(self.rules.switches) is None:
            return Verdict.UNDECIDED
        return Verdict.RED_WINS if board.turn == RED else Verdict.BLACK_WINS

    def find_threats(self, board: CoreBoard, color: Color) -> tuple[Threat, ...]:
        """Attacks of a side, as if it were to move, each with its reason.

        A chase depends on a move and a reply as well; a profitable attack has the reason PROFIT.
        """
        cells = board.cells()
        return tuple(
            make_threat(cells, attacker, victim, reason, root, chase=Reason.PROFIT)
            for attacker, victim, reason, root in board.list_attacks(color, self.rules.switches)
        )

    def judge_moves(self, fen: str, moves: Iterable[str]) -> Ruling:
        """Rule on the position after moves, in coordinates, from a FEN.

        Raises FenError, PositionError, InvalidMoveError or IllegalMoveError.
        """
        board = CoreBoard(fen)
        for move in moves:
            board.push_iccs(move)
        return self.judge(board)


# The safety of pieces


class SafetyMark(Enum):
    """Mark of a piece's safety, the most urgent first."""

    ATTACKED = "!"
    """The piece can be captured at a profit."""
    PINNED = "x"
    """The piece is pinned: moving it would expose its own general."""
    FALSE = "f"
    """The piece is only apparently protected: recapturing would expose the protector's general."""
    PROTECTED = "p"
    """The piece is protected."""


@dataclass(frozen=True, slots=True)
class Safety:
    """A piece with its attackers and protectors."""

    piece: Piece
    attacks: tuple[Threat, ...]
    """Enemy attacks on the piece, each with its reason."""
    protectors: frozenset[Square]
    """Squares of the pieces that could recapture on its square."""
    false_protectors: frozenset[Square]
    """Squares of the pieces that could only recapture by exposing their general."""
    is_pinned: bool

    def marks(self) -> tuple[SafetyMark, ...]:
        """Marks of the piece, the most urgent first."""
        profits = [threat for threat in self.attacks if threat.reason is Reason.PROFIT]
        # A capture may open or close a line to the square, so the attacks decide first.
        is_protected = bool(self.protectors) or any(one.is_protected for one in self.attacks)
        has_false = bool(self.false_protectors) or any(one.root is not None for one in profits)
        found = {
            SafetyMark.ATTACKED: bool(profits),
            SafetyMark.PINNED: self.is_pinned,
            SafetyMark.FALSE: has_false and not is_protected,
            SafetyMark.PROTECTED: is_protected,
        }
        return tuple(mark for mark, holds in found.items() if holds)


def find_safety(board: CoreBoard, rules: RuleSet | str = WXF) -> dict[Square, Safety]:
    """Safety of every piece of the position, by square."""
    referee = Referee(rules)
    threats = [threat for color in (RED, BLACK) for threat in referee.find_threats(board, color)]
    pinned = board.pinned(RED) | board.pinned(BLACK)
    return {
        square: Safety(
            piece,
            tuple(threat for threat in threats if threat.victim == square),
            *board.protectors(square),
            square in pinned,
        )
        for square, piece in board.setup().piece_map().items()
    }
