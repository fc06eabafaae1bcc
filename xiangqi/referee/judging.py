"""From a game to a ruling.

The core judges; this module gives its numbers their names. A :class:`Ruling` is data;
``explanation`` makes words of it.

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
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from xiangqi.core.board import CoreBoard
from xiangqi.pieces import BLACK, RED, Color, Piece, Square
from xiangqi.referee.cxa.judging import judge_gains, judge_gains_briefly
from xiangqi.referee.rules import WXF, RuleSet
from xiangqi.referee.ruling import (
    Conduct,
    Judgment,
    Mark,
    PlyReport,
    Reason,
    Ruling,
    Threat,
    Verdict,
    Victim,
)

if TYPE_CHECKING:
    from xiangqi.core.move import Move

__all__ = [
    "Conduct",
    "Judgment",
    "PlyReport",
    "Reason",
    "Referee",
    "Ruling",
    "Threat",
    "Verdict",
    "Victim",
]


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
        if self.rules.chase == "gain":
            return judge_gains(board, self.rules)
        occurrences, first, last, _ = board.find_cycle(self.rules.switches)
        moves = tuple(board.move_stack)
        fen = board.root_fen()
        if self.rules.prohibition != "none":
            earlier = board.earlier_stand(self.rules.switches)
            window = None if earlier is None else (earlier, board.ply() - 1)
            returned = self._judge_return(board)
            return Ruling(self.rules, fen, moves, returned, occurrences, window, *_UNDECIDED, ())
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

    def judge_cycle(self, board: CoreBoard) -> Judgment:
        """The verdict of :meth:`judge` and what each side did, without evidence: far quicker."""
        if self.rules.chase == "gain":
            return judge_gains_briefly(board, self.rules)
        if self.rules.prohibition != "none":
            return Judgment(self._judge_return(board), _UNDECIDED[0])
        verdict, red, black = board.judge_cycle(self.rules.switches)
        if red is None or black is None:
            return Judgment(_VERDICTS[verdict], _UNDECIDED[0])
        return Judgment(_VERDICTS[verdict], {RED: _CONDUCTS[red], BLACK: _CONDUCTS[black]})

    def _judge_return(self, board: CoreBoard) -> Verdict:
        """The verdict under a prohibition: whoever brings a position back loses."""
        if board.earlier_stand(self.rules.switches) is None:
            return Verdict.UNDECIDED
        return Verdict.RED_WINS if board.turn == RED else Verdict.BLACK_WINS

    def find_threats(self, board: CoreBoard, color: Color) -> tuple[Threat, ...]:
        """All attacks of a side in a position, as if it were to move, each with its reason.

        What the rules make of them takes a move and a reply; here the last word is PROFIT.
        """
        return tuple(
            _make_threat(board, attacker, victim, reason, root, chase=Reason.PROFIT)
            for attacker, victim, reason, root in board.list_attacks(color, self.rules.switches)
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
        threats = tuple(_make_threat(self.board, *attack) for attack in attacks)
        return PlyReport(
            ply=ply,
            color=color,
            move=move,
            piece=_piece_at(self.board, move.to_square),
            king=self.board.king(not color),
            checkers=self._checkers() if check else (),
            threats=threats,
            mark=_mark(move, check, threats),
        )

    def _checkers(self) -> tuple[tuple[Square, Piece], ...]:
        return tuple((sq, _piece_at(self.board, sq)) for sq in sorted(self.board.checkers()))


def _mark(move: Move, check: bool, threats: Iterable[Threat]) -> Mark:
    """The gravest that a move makes by its facts; the piece that moves offers an exchange."""
    if check:
        return Mark.CHECK
    if any(threat.reason is Reason.CHASE for threat in threats):
        return Mark.CHASE
    offers = any(
        threat.reason is Reason.EXCHANGE and threat.attacker == move.to_square for threat in threats
    )
    return Mark.EXCHANGE if offers else Mark.IDLE


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
