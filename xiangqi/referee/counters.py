"""Rulings where offences are counted in rounds: each side's counts beside the other's.

The core counts (``ext/xiangqi/core/repetition/rounds.pyx``); here its numbers get their names, and
become a ruling. Whether a position comes back matters to draws alone.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from xiangqi.core.board import CoreBoard
from xiangqi.pieces import BLACK, RED, Color, Piece, Square
from xiangqi.referee.replay import CHASE, CONDUCTS, Evidence, Replay
from xiangqi.referee.rules import RuleSet
from xiangqi.referee.ruling import (
    Conduct,
    Offence,
    OffenceCount,
    Ruling,
    Trace,
    Verdict,
    Victim,
)

__all__ = ["count_offences", "judge_rounds"]

_OFFENCES: Final = (None, Offence.CHASE, Offence.MIXTURE, Offence.CHECK)
"""In the order of the core's numbers."""
_OPEN: Final = {
    "check_reply": ("counts", "chase_passes", "passes"),
    "double_check": ("one", "each"),
    "both_full": ("first", "graver"),
    "legality": ("full", "pseudo"),
    "line_exemption": ("exempt", "chase"),
}
"""The questions about counting that no rule text at hand answers, with their answers."""


def count_offences(board: CoreBoard, rules: RuleSet) -> tuple[OffenceCount, ...]:
    """All offences that are going on, Red's first, the graver ones before the others."""
    black, red, _ = board.count_rows(rules.switches)
    return tuple(
        _name_count(board, color, row)
        for color, rows in ((RED, red), (BLACK, black))
        for row in rows
    )


def judge_rounds(board: CoreBoard, rules: RuleSet) -> Ruling:
    """Rule on a position: against the side whose last move was one too many, or on a draw."""
    counts = count_offences(board, rules)
    offence = _OFFENCES[board.count_rows(rules.switches)[2]]
    if offence is not None:
        mover = not board.turn
        too_many = next(one for one in counts if _is_over(one, mover, offence))
        found = board.explain_run(rules.switches, board.ply() - too_many.first)
        return _make_ruling(board, rules, counts, found, too_many)
    cycle = board.explain_cycle(rules.switches)
    if cycle is None or not _is_draw(board, rules, cycle):
        nothing = MappingProxyType({RED: None, BLACK: None})
        nobody: MappingProxyType[Color, tuple[Victim, ...]] = MappingProxyType({RED: (), BLACK: ()})
        return Ruling(
            rules=rules,
            fen=board.root_fen(),
            moves=tuple(board.move_stack),
            verdict=Verdict.UNDECIDED,
            occurrences=board.repetitions(),
            window=None,
            conduct=nothing,
            victims=nobody,
            plies=(),
            counts=counts,
        )
    return _make_ruling(board, rules, counts, cycle, None)


def _name_count(
    board: CoreBoard, color: Color, row: tuple[int, int, int, int, int, tuple[Square, ...]]
) -> OffenceCount:
    number, rounds, allowed, first, victim, pieces = row
    offence = _OFFENCES[number]
    assert offence is not None  # the core lists offences only
    return OffenceCount(
        color=color,
        offence=offence,
        rounds=rounds,
        allowed=allowed,
        first=first,
        victim=None if victim < 0 else Victim(_piece_at(board, victim), victim),
        pieces=pieces,
    )


def _piece_at(board: CoreBoard, square: Square) -> Piece:
    return Piece.from_code(board.piece_code_at(square))


def _is_over(count: OffenceCount, color: Color, offence: Offence) -> bool:
    return (count.color, count.offence) == (color, offence) and count.rounds > count.allowed


def _is_draw(board: CoreBoard, rules: RuleSet, cycle: Evidence) -> bool:
    """Does a position that has come back often enough end the game?

    If nobody checks or chases in the cycle it does; if both sides check with every move, or both
    chase one piece, it may have to come back more often; and else counts alone decide.
    """
    _, conducts, _, facts = cycle
    checked = any(check for check, _ in facts)
    if not checked and not any(_chases(attacks) for _, attacks in facts):
        return True
    both = {CONDUCTS[conducts[color]] for color in (RED, BLACK)}
    if both != {Conduct.CHECK} and (checked or both != {Conduct.CHASE}):
        return False
    return board.repetitions() >= (rules.mutual_occurrences or rules.occurrences)


def _chases(attacks: tuple[tuple[Square, Square, int, int], ...]) -> bool:
    return any(reason == CHASE for _, _, reason, _ in attacks)


def _make_ruling(
    board: CoreBoard,
    rules: RuleSet,
    counts: tuple[OffenceCount, ...],
    found: Evidence,
    too_many: OffenceCount | None,
) -> Ruling:
    """The ruling with its evidence, against the side of ``too_many`` if there is one."""
    _, conducts, victims, facts = found
    first, last = board.ply() - len(facts), board.ply() - 1
    trace = Trace(board)
    replay = Replay(trace, first)
    chased = {color: replay.pieces_of(victims[color]) for color in (RED, BLACK)}
    plies = tuple(replay.report(*fact) for fact in facts)
    conduct = {color: CONDUCTS[conducts[color]] for color in (RED, BLACK)}
    told = {color: replay.victims_now(chased[color]) for color in (RED, BLACK)}
    verdict = Verdict.DRAW
    if too_many is not None:
        is_check = too_many.offence is Offence.CHECK
        verdict = Verdict.BLACK_WINS if too_many.color == RED else Verdict.RED_WINS
        conduct[too_many.color] = Conduct.CHECK if is_check else Conduct.CHASE
        told[too_many.color] = () if too_many.victim is None else (too_many.victim,)
    return Ruling(
        rules=rules,
        fen=board.root_fen(),
        moves=tuple(board.move_stack),
        verdict=verdict,
        occurrences=board.repetitions(),
        window=(first, last),
        conduct=MappingProxyType(conduct),
        victims=MappingProxyType(told),
        plies=plies,
        questions=() if too_many is None else tuple(_find_questions(board, rules)),
        counts=counts,
        too_many=too_many,
    ).keep(trace)


def _find_questions(board: CoreBoard, rules: RuleSet) -> list[str]:
    """The open questions of which another answer would let the last move pass."""
    return [
        field
        for field, answers in _OPEN.items()
        if any(
            not board.count_rows(rules.replace({field: answer}).switches)[2]
            for answer in answers
            if answer != getattr(rules, field)
        )
    ]
