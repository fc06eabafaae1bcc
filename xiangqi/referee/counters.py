"""Conversion of the core's findings: reports on plies, and rulings by counted rounds.

The core finds facts and counts rounds (``ext/xiangqi/core/repetition/rounds.pyx``); this module
converts its numbers to pieces, squares, reasons and rulings. Under rule sets that count rounds,
repetition only matters for draws.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final, TypeAlias

from xiangqi.core.board import CoreBoard
from xiangqi.pieces import BLACK, COLORS, KING, RED, Color, Piece, Square
from xiangqi.referee.rules import RuleSet
from xiangqi.referee.ruling import (
    NO_CONDUCT,
    NO_VICTIMS,
    BySide,
    Conduct,
    Mark,
    Offence,
    OffenceCount,
    PlyReport,
    Reason,
    Ruling,
    Threat,
    Trace,
    Verdict,
    Victim,
)

if TYPE_CHECKING:
    pass

__all__ = [
    "CHASE",
    "CONDUCTS",
    "VERDICTS",
    "Evidence",
    "Replay",
    "count_offences",
    "judge_rounds",
    "make_threat",
]

Attack: TypeAlias = tuple[Square, Square, int, int]
Evidence: TypeAlias = tuple[
    int, tuple[int, int], tuple[int, int], list[tuple[bool, tuple[Attack, ...]]]
]
"""Verdict, conducts and victims by color, and for each ply its check and attacks."""

# Indexed by the core's numbers. It has two kinds of PROTECTED; the second (only along lines through
# the attacker) matters only to its judgment of the next ply.
VERDICTS: Final = (Verdict.UNDECIDED, Verdict.DRAW, Verdict.RED_WINS, Verdict.BLACK_WINS)
CONDUCTS: Final = (Conduct.IDLE, Conduct.CHASE, Conduct.CHECK)
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
_KINGS: Final = {color: Piece(KING, color).code for color in COLORS}
CHASE: Final = len(_REASONS) - 1
"""The core's number of a profitable capture, and of a chase once moves are compared."""


class Replay:
    """Reports on the plies of a window, made in order, with each piece tracked."""

    def __init__(self, trace: Trace, first: int) -> None:
        self._trace = trace
        self._ply = first
        start = trace.cells(first)
        # Current square of each piece, numbered as in the core: by square at the window's start.
        self._now: list[Square] = [square for square, code in enumerate(start) if code]
        self._pieces = [Piece.from_code(start[square]) for square in self._now]

    def victims_now(self, bits: int) -> tuple[Victim, ...]:
        """Pieces in a bit set of the core, on their current squares."""
        pieces = zip(self._pieces, self._now, strict=True)
        return tuple(Victim(*pair) for number, pair in enumerate(pieces) if bits >> number & 1)

    def report(self, check: bool, attacks: Iterable[Attack]) -> PlyReport:
        """Play the next move and report on it."""
        move, color = self._trace.moves[self._ply], self._trace.side(self._ply)
        self._now[self._now.index(move.from_square)] = move.to_square
        ply, self._ply = self._ply, self._ply + 1
        cells = self._trace.cells(self._ply)
        threats = tuple(make_threat(cells, *attack) for attack in attacks)
        if check:
            mark = Mark.CHECK
        elif any(threat.reason is Reason.CHASE for threat in threats):
            mark = Mark.CHASE
        else:  # only the moved piece can offer an exchange
            own = (threat for threat in threats if threat.attacker == move.to_square)
            offers = any(threat.reason is Reason.EXCHANGE for threat in own)
            mark = Mark.EXCHANGE if offers else Mark.IDLE
        return PlyReport(
            ply=ply,
            color=color,
            move=move,
            piece=Piece.from_code(cells[move.to_square]),
            king=cells.index(_KINGS[not color]),
            checkers=self._trace.checkers(self._ply) if check else (),
            threats=threats,
            mark=mark,
        )


def make_threat(
    cells: bytes,
    attacker: Square,
    victim: Square,
    reason: int,
    root: int,
    *,
    chase: Reason = Reason.CHASE,
) -> Threat:
    """Convert an attack of the core; ``cells`` are the piece codes of all squares."""
    return Threat(
        attacker=attacker,
        attacker_piece=Piece.from_code(cells[attacker]),
        victim=victim,
        victim_piece=Piece.from_code(cells[victim]),
        reason=chase if reason == CHASE else _REASONS[reason],
        root=root if root >= 0 else None,
        root_piece=Piece.from_code(cells[root]) if root >= 0 else None,
    )


_OFFENCES: Final = (None, Offence.CHASE, Offence.MIXTURE, Offence.CHECK)
"""Offences, indexed by the core's numbers."""
_OPEN_QUESTIONS: Final = {
    "check_reply": ("counts", "chase_passes", "passes"),
    "double_check": ("one", "each"),
    "both_full": ("first", "graver"),
    "legality": ("full", "pseudo"),
    "line_exemption": ("exempt", "chase"),
}
"""Fields that the known rules on counting leave open, with their values."""


def count_offences(board: CoreBoard, rules: RuleSet) -> tuple[OffenceCount, ...]:
    """Current offences, Red's first, each side's gravest first."""
    black, red, _ = board.count_rows(rules.switches)
    return tuple(
        _convert_count(board, color, row)
        for color, rows in ((RED, red), (BLACK, black))
        for row in rows
    )


def judge_rounds(board: CoreBoard, rules: RuleSet) -> Ruling:
    """Rule against a side whose last move exceeds its rounds, or on a draw by repetition."""
    counts = count_offences(board, rules)
    offence = _OFFENCES[board.count_rows(rules.switches)[2]]
    if offence is not None:
        mover = not board.turn
        too_many = next(
            one
            for one in counts
            if one.color == mover and one.offence is offence and one.rounds > one.allowed
        )
        found = board.explain_run(rules.switches, board.ply() - too_many.first)
        return _make_ruling(board, rules, counts, found, too_many)
    cycle = board.explain_cycle(rules.switches)
    if cycle is None or not _is_draw(board, rules, cycle):
        return Ruling(
            rules=rules,
            fen=board.root_fen(),
            moves=tuple(board.move_stack),
            verdict=Verdict.UNDECIDED,
            occurrences=board.repetitions(),
            window=None,
            conduct=NO_CONDUCT,
            victims=NO_VICTIMS,
            plies=(),
            counts=counts,
        )
    return _make_ruling(board, rules, counts, cycle, None)


def _convert_count(
    board: CoreBoard, color: Color, row: tuple[int, int, int, int, int, tuple[Square, ...]]
) -> OffenceCount:
    number, rounds, allowed, first, square, pieces = row
    offence = _OFFENCES[number]
    assert offence is not None  # the core lists offences only
    victim = None if square < 0 else Victim(Piece.from_code(board.piece_code_at(square)), square)
    return OffenceCount(
        color=color,
        offence=offence,
        rounds=rounds,
        allowed=allowed,
        first=first,
        victim=victim,
        pieces=pieces,
    )


def _is_draw(board: CoreBoard, rules: RuleSet, cycle: Evidence) -> bool:
    """Is a position that has occurred often enough a draw?

    Yes if nobody checks or chases in the cycle. If both sides check with every move, or both chase
    one piece, ``mutual_occurrences`` are required. Otherwise only the counted rounds decide.
    """
    _, conducts, _, facts = cycle
    checked = any(check for check, _ in facts)
    chased = any(reason == CHASE for _, attacks in facts for _, _, reason, _ in attacks)
    if not checked and not chased:
        return True
    both = {CONDUCTS[conducts[color]] for color in (RED, BLACK)}
    if both != {Conduct.CHECK} and (checked or both != {Conduct.CHASE}):
        return False
    return board.repetitions() >= (rules.mutual_occurrences or rules.occurrences)


def _make_ruling(
    board: CoreBoard,
    rules: RuleSet,
    counts: tuple[OffenceCount, ...],
    found: Evidence,
    too_many: OffenceCount | None,
) -> Ruling:
    """Make a ruling with its evidence: against the side of ``too_many``, or else a draw."""
    _, conducts, victims, facts = found
    first, last = board.ply() - len(facts), board.ply() - 1
    trace = Trace(board)
    replay = Replay(trace, first)
    plies = tuple(replay.report(*fact) for fact in facts)
    conduct = {color: CONDUCTS[conducts[color]] for color in (RED, BLACK)}
    victims_by_side = {color: replay.victims_now(victims[color]) for color in (RED, BLACK)}
    verdict = Verdict.DRAW
    if too_many is not None:
        is_check = too_many.offence is Offence.CHECK
        verdict = Verdict.BLACK_WINS if too_many.color == RED else Verdict.RED_WINS
        conduct[too_many.color] = Conduct.CHECK if is_check else Conduct.CHASE
        victims_by_side[too_many.color] = () if too_many.victim is None else (too_many.victim,)
    return Ruling(
        rules=rules,
        fen=board.root_fen(),
        moves=tuple(board.move_stack),
        verdict=verdict,
        occurrences=board.repetitions(),
        window=(first, last),
        conduct=BySide(conduct),
        victims=BySide(victims_by_side),
        plies=plies,
        questions=() if too_many is None else tuple(_find_questions(board, rules)),
        counts=counts,
        too_many=too_many,
    ).keep(trace)


def _find_questions(board: CoreBoard, rules: RuleSet) -> list[str]:
    """Open questions of which another answer would allow the last move."""
    return [
        field
        for field, answers in _OPEN_QUESTIONS.items()
        if any(
            not board.count_rows(rules.replace({field: answer}).switches)[2]
            for answer in answers
            if answer != rules.answers[field]
        )
    ]
