"""Rounds of offences in a row, for rule books that count them instead of a position's occurrences.

Tiantian's text: one or more pieces may chase one piece for six rounds; checks with one piece may go
on for six rounds, with two for twelve, with three or more for eighteen; checks and chases by turns
with one piece for twelve rounds, with more for eighteen.  A capture by either side begins the count
anew.  Whoever goes on after that plays a move that is not allowed.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from .choices import Choices
from .game import Position, checkers, legal_moves, write_square
from .judge import SEVERITY, Names, PlyFacts, facts_of_window, level_of_side, names_at
from .judge import replay as replay_game


class Allowed(NamedTuple):
    """Rounds by the number of pieces, the last for all more."""

    checks: tuple[int, ...]
    chases: tuple[int, ...]
    mixtures: tuple[int, ...]


TIANTIAN = Allowed((6, 12, 18), (6,), (12, 18))


def too_many_rounds(
    fen: str, moves: Sequence[str], allowed: Allowed, choices: Choices
) -> int | None:
    """How many rounds the player of the last move might go on for, if that move is one too many.

    A move that mates, or leaves no move, ends the game and is none too many.
    """
    positions = replay_game(fen, moves)
    if not legal_moves(positions[-1]):
        return None
    for rounds in sorted({*allowed.checks, *allowed.chases, *allowed.mixtures}):
        first = len(moves) - 2 * rounds - 1
        if first < 0 or len(positions[first].board) != len(positions[-1].board):
            return None
        if most_rounds(positions[first:], moves[first:], allowed, choices) <= rounds:
            return rounds
    return None


def most_rounds(
    positions: list[Position], moves: Sequence[str], allowed: Allowed, choices: Choices
) -> float:
    """How many rounds of what the last player has done in these moves are allowed."""
    replies = [*moves[1:], legal_moves(positions[-1])[0]]
    plies = facts_of_window(positions, moves, 0, replies, choices)
    names = names_at(positions, moves, choices)
    plies[-1] = without_reply(plies[-1], names[-1])
    own = plies[::2]
    level, victims = level_of_side(own, choices)
    if SEVERITY[level] <= SEVERITY[level_of_side(plies[1::2], choices)[0]]:
        return float("inf")
    mixed = level == "chase" and any(facts.check for facts in own)
    kind = allowed.checks if level == "check" else allowed.chases
    kind = allowed.mixtures if mixed else kind
    pieces: set[str] = set()
    for facts in own:
        after, called = positions[facts.ply + 1], by_square(names[facts.ply + 1])
        if facts.check:
            pieces |= {called[square] for square in checkers(after, after.side)}
        pieces |= {
            called[candidate.attacker]
            for candidate in facts.candidates
            if candidate.reason == "chase" and called[candidate.victim] in victims
        }
    return kind[min(len(pieces), len(kind)) - 1]


def by_square(names: Names) -> dict[str, str]:
    """The names of pieces by the names of their squares."""
    return {write_square(square): name for square, name in names.items()}


def without_reply(facts: PlyFacts, names: Names) -> PlyFacts:
    """The last ply, to which there is no reply: the threats that it made count."""
    candidates = [
        replace(candidate, reason="chase") if candidate.reason == "unanswered" else candidate
        for candidate in facts.candidates
    ]
    called = by_square(names)
    victims = frozenset(
        called[candidate.victim] for candidate in candidates if candidate.reason == "chase"
    )
    return replace(facts, candidates=candidates, victims=victims)
