"""The Chinese rules (CXA, 2020 and 1999): the judge of a cycle, written from the rules' text.

Numbers in docstrings are those of the clauses and figures of 2020.  The parts, from the bottom up:
`tactics` (the board of the searches), `gains` (what can be reached by captures and checks),
`cxa_choices` (editions, limits), `cxa_kill` (24.2), `cxa_threats` (24.3, 26.5), `cxa_weights`
(26.9), `cxa_marks` (chapter 26), `cxa_verdict` (25).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from .cxa_choices import CXA1999, CXA2020, Edition
from .cxa_marks import Ply, PlyMark, mark_move
from .cxa_verdict import LOSS, conduct, must_change, verdict
from .game import BLACK, RED
from .judge import replay
from .tactics import letters_of, move_number

__all__ = [
    "CXA1999",
    "CXA2020",
    "Edition",
    "Judgment",
    "PlyMark",
    "judge",
    "must_change_after_nine_rounds",
]

OCCURRENCES = 3
ROUNDS = 9
POINTS = 3
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w"
FIRST_ROUNDS = 25


@dataclass(frozen=True)
class Judgment:
    """The ruling on the last position of a game.

    `verdict` is "red_wins", "black_wins", "draw" or "undecided"; `red` and `black` are conducts
    ("checks", "heavy", "light", "allowed") or None; `window` is (first ply, last ply), both
    included, and `marks` has one entry for each ply of it.
    """

    verdict: str
    red: str | None = None
    black: str | None = None
    must_change: str | None = None
    window: tuple[int, int] | None = None
    marks: tuple[PlyMark, ...] = ()


def judge(fen: str, moves: Sequence[str], edition: Edition = CXA2020) -> Judgment:
    """24.9-24.12: a conduct is perpetual if the cycle is reached three times.

    The window reaches from the third occurrence of the last position, counted back, until now.
    """
    positions = replay(fen, moves)
    stood = [ply for ply, position in enumerate(positions) if position == positions[-1]]
    if len(stood) < OCCURRENCES:
        return Judgment("undecided")
    first = stood[-OCCURRENCES]
    plies = [
        Ply(letters_of(positions[ply]), positions[ply].side, move_number(moves[ply]))
        for ply in range(first, len(moves))
    ]
    marks = mark_all(plies, edition)
    conducts = {
        side: conduct([mark for mark, ply in zip(marks, plies, strict=True) if ply.side == side])
        for side in (RED, BLACK)
    }
    red, black = conducts[RED], conducts[BLACK]
    is_early = fen.startswith(START) and len(moves) <= 2 * FIRST_ROUNDS
    red_changes = edition.first_rounds and is_early and red == black == "allowed"
    return Judgment(
        LOSS[RED] if red_changes else verdict(red, black, edition),
        red,
        black,
        RED if red_changes else must_change(red, black, edition),
        (first, len(moves) - 1),
        marks,
    )


def must_change_after_nine_rounds(
    fen: str, moves: Sequence[str], edition: Edition = CXA2020
) -> set[str]:
    """Reference figure 8: the sides that have made forbidden moves only for nine rounds, to three
    points or more, so that they must change although no position has come back.

    A capture in these rounds begins them anew.
    """
    last = moves[-2 * ROUNDS :]
    positions = replay(fen, moves)[-len(last) - 1 :]
    is_quiet = all(len(before.board) == len(after.board) for before, after in pairwise(positions))
    if not edition.nine_rounds or len(last) < 2 * ROUNDS or not is_quiet:
        return set()
    plies = [
        Ply(letters_of(position), position.side, move_number(move))
        for position, move in zip(positions, last, strict=False)
    ]
    cause = cause_of_first(fen, moves[: -2 * ROUNDS])
    causes = [cause, *plies]
    nine_round_offenders = set()
    for side in (RED, BLACK):
        own = [pair for pair in zip(plies, causes, strict=False) if pair[0].side == side]
        points = {ply.move[1] for ply, _ in own}
        if len(points) >= POINTS and all(mark_move(*pair, edition).is_strike for pair in own):
            nine_round_offenders.add(side)
    return nine_round_offenders


def cause_of_first(fen: str, moves: Sequence[str]) -> Ply | None:
    """The last of some moves of a game; None if there are none."""
    if not moves:
        return None
    before = replay(fen, moves[:-1])[-1]
    return Ply(letters_of(before), before.side, move_number(moves[-1]))


def mark_all(plies: Sequence[Ply], edition: Edition) -> tuple[PlyMark, ...]:
    """The marks of all plies of a window, the last of which leads to the first again.

    In 1999 what soldiers attack alone counts if with it both sides make nothing but strikes.
    """
    pairs = list(zip(plies, [plies[-1], *plies], strict=False))
    if edition.soldiers == "mutual":
        strict = tuple(mark_move(ply, cause, edition, soldiers=True) for ply, cause in pairs)
        if all(mark.is_strike for mark in strict):
            return strict
    return tuple(mark_move(ply, cause, edition) for ply, cause in pairs)
