"""Offences counted in rows, for rule books that bar a move when a count is full (Tiantian).

Tiantian's text, as an app gives it: one or more pieces may chase one piece for six rounds; checks
with one piece may go on for six rounds, with two for twelve, with three or more for eighteen;
checks and chases by turns with one piece for twelve rounds, with more for eighteen.  A capture by
either side begins the counts anew.  Rulings that users report add how the counts run: beside each
other, for each side and each chased piece, whether a position comes back or not.

Nothing is carried from one ply to the next here: every row is read backwards from the last ply.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from .choices import Choices
from .game import (
    RED,
    Position,
    apply,
    checkers,
    enemy,
    is_check,
    legal_moves,
    read_move,
    write_square,
)
from .judge import Names, name_pieces, replay
from .threats import find_candidates

GRAVITY = {"chase": 0, "mixture": 1, "check": 2}


class Allowed(NamedTuple):
    """Rounds by the number of pieces, the last for all more."""

    checks: tuple[int, ...]
    chases: tuple[int, ...]
    mixtures: tuple[int, ...]


TIANTIAN = Allowed((6, 12, 18), (6,), (12, 18))


@dataclass(frozen=True)
class Counting:
    """Questions that the reports leave open about the counts, each with its default."""

    check_reply: Literal["counts", "chase_passes", "passes"] = "chase_passes"
    """A reply to check: no reply, only one that chases, or any neither counts nor breaks a row of
    chases or of a mixture."""

    double_check: Literal["one", "each"] = "one"
    """Checks by two pieces at once: if one piece checks in all of the row it is alone, or each
    counts."""

    both_full: Literal["graver", "first"] = "graver"
    """Both sides' counts are full: the graver offence alone is barred (and neither side if both
    have checked for so long), or the side that moves first."""

    mating_move: Literal["allowed", "counts"] = "allowed"
    """A move that mates, or leaves no move: it ends the game, or may be one too many all the
    same."""


class Strike(NamedTuple):
    """Facts of one ply. Pieces are named by their squares at the beginning of the game."""

    side: str
    captures: bool
    in_check: bool
    checkers: frozenset[str]
    chases: frozenset[tuple[str, str]]


class Count(NamedTuple):
    """One offence of one side in a row; `victim` is empty unless it is a chase."""

    offence: str
    rounds: int
    allowed: int
    victim: str
    pieces: frozenset[str]


def follow_names(positions: list[Position], moves: Sequence[str]) -> list[Names]:
    """The names of the pieces in each position of a game; what is captured takes its name away."""
    names = [name_pieces(positions[0])]
    for move in moves:
        origin, target = read_move(move)
        following = dict(names[-1])
        following[target] = following.pop(origin)
        names.append(following)
    return names


def strikes_of(positions: list[Position], moves: Sequence[str], choices: Choices) -> list[Strike]:
    """Facts of each ply. A threat counts when it is made, whatever the reply."""
    names = follow_names(positions, moves)
    found = []
    for before, move, called in zip(positions, moves, names[1:], strict=False):
        after = apply(before, move)
        by_square = {write_square(square): name for square, name in called.items()}
        candidates = find_candidates(before, move, "", choices)
        found.append(
            Strike(
                side=before.side,
                captures=len(after.board) < len(before.board),
                in_check=is_check(before),
                checkers=frozenset(by_square[one] for one in checkers(after, after.side)),
                chases=frozenset(
                    (by_square[one.attacker], by_square[one.victim])
                    for one in candidates
                    if one.reason == "chase"
                ),
            )
        )
    return found


def passes(strike: Strike, how: Counting) -> bool:
    """Whether a ply neither counts nor breaks a row of chases or of a mixture."""
    if not strike.in_check or strike.checkers or how.check_reply == "counts":
        return False
    return bool(strike.chases) or how.check_reply == "passes"


def last_row(plies: Iterable[Strike], belongs: Sequence[bool]) -> list[Strike]:
    """The plies at the end that all belong to a row."""
    row: list[Strike] = []
    for strike, fits in reversed(list(zip(plies, belongs, strict=True))):
        if not fits:
            break
        row.append(strike)
    return row


def number_allowed(numbers: tuple[int, ...], pieces: int) -> int:
    """Number of rounds allowed with this number of pieces."""
    return numbers[min(pieces, len(numbers)) - 1]


def check_counts(own: list[Strike], allowed: Allowed, how: Counting) -> list[Count]:
    """The row of checks."""
    row = last_row(own, [bool(strike.checkers) for strike in own])
    if not row:
        return []
    pieces = frozenset[str]().union(*(strike.checkers for strike in row))
    always = pieces.intersection(*(strike.checkers for strike in row))
    number = 1 if always and how.double_check == "one" else len(pieces)
    return [Count("check", len(row), number_allowed(allowed.checks, number), "", pieces)]


def chase_counts(own: list[Strike], allowed: Allowed, how: Counting) -> list[Count]:
    """The row of chases of each piece that the last of them chased."""
    plies = [strike for strike in own if not passes(strike, how)]
    counts = []
    for victim in sorted({victim for strike in plies[-1:] for _, victim in strike.chases}):
        row = last_row(plies, [any(one == victim for _, one in strike.chases) for strike in plies])
        pieces = frozenset(who for strike in row for who, one in strike.chases if one == victim)
        number = number_allowed(allowed.chases, len(pieces))
        counts.append(Count("chase", len(row), number, victim, pieces))
    return counts


def mixture_counts(own: list[Strike], allowed: Allowed, how: Counting) -> list[Count]:
    """The row of checks and chases, if there are both."""
    plies = [strike for strike in own if not passes(strike, how)]
    row = last_row(plies, [bool(strike.checkers or strike.chases) for strike in plies])
    kinds = {bool(strike.checkers) for strike in row}
    if len(kinds) < 2 or not allowed.mixtures:
        return []
    pieces = frozenset(
        piece for strike in row for piece in (*strike.checkers, *(who for who, _ in strike.chases))
    )
    return [Count("mixture", len(row), number_allowed(allowed.mixtures, len(pieces)), "", pieces)]


def counts_of(strikes: list[Strike], side: str, allowed: Allowed, how: Counting) -> list[Count]:
    """All rows of a side, as they stand after the last ply."""
    captures = [ply for ply, strike in enumerate(strikes) if strike.captures]
    since = captures[-1] + 1 if captures else 0
    own = [strike for strike in strikes[since:] if strike.side == side]
    return [
        *check_counts(own, allowed, how),
        *mixture_counts(own, allowed, how),
        *chase_counts(own, allowed, how),
    ]


def excuses(other: Count, worst: Count) -> bool:
    """Whether what the other side does lets an offence go on: it is graver and full as well, or
    both check and the other has done so for as long as this side may."""
    if other.offence == worst.offence == "check":
        return other.rounds >= worst.allowed
    return GRAVITY[other.offence] > GRAVITY[worst.offence] and other.rounds >= other.allowed


class State(NamedTuple):
    """The counts of both sides after a game, and the one that makes its last move one too many."""

    red: list[Count]
    black: list[Count]
    too_many: Count | None


def count_rounds(
    fen: str, moves: Sequence[str], allowed: Allowed, choices: Choices, how: Counting
) -> State:
    """Both sides' counts, and whether the last move was one too many.

    One that passes, or makes nothing go on, never is.
    """
    positions = replay(fen, moves)
    strikes = strikes_of(positions, moves, choices)
    sides = {side: counts_of(strikes, side, allowed, how) for side in (RED, enemy(RED))}
    red, black = sides.values()
    if not strikes or passes(strikes[-1], how):
        return State(red, black, None)
    if how.mating_move == "allowed" and not legal_moves(positions[-1]):
        return State(red, black, None)
    mover = strikes[-1].side
    over = [count for count in sides[mover] if count.rounds > count.allowed]
    if not over:
        return State(red, black, None)
    worst = max(over, key=lambda count: GRAVITY[count.offence])
    excused = how.both_full == "graver" and any(
        excuses(other, worst) for other in sides[enemy(mover)]
    )
    return State(red, black, None if excused else worst)
