"""The judge of repetitions: which side, if any, must change its moves.

WXF rules: when a position has come back often enough, both sides are judged on the same stretch of
the game, from the first of those occurrences until now.  In it each side has checked perpetually,
chased perpetually, or been idle.  Perpetual check is worse than perpetual chase, and chase worse
than anything else; the side with the worse conduct loses, and equal conduct is a draw.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .choices import Choices
from .game import (
    BLACK,
    RED,
    Position,
    Square,
    apply,
    is_legal,
    read_fen,
    read_move,
    write_square,
)
from .threats import Candidate, find_candidates, gives_check

__all__ = ["Candidate", "Choices", "Judgment", "PlyFacts", "judge"]

SEVERITY = {"idle": 0, "chase": 1, "check": 2}
DEFAULT = Choices()

Names = dict[Square, str]


@dataclass(frozen=True)
class PlyFacts:
    """Facts of one ply of the window.

    `ply` counts from 0 and `side` played `move`.  The candidates name squares after the ply; the
    victims are the pieces that it chased, each named by its square at the window's start.
    """

    ply: int
    side: str
    move: str
    check: bool
    candidates: list[Candidate]
    victims: frozenset[str]


@dataclass(frozen=True)
class Judgment:
    """The ruling on the last position of a game.

    `verdict` is "red_wins", "black_wins", "draw" or "undecided", `red` and `black` are "check",
    "chase", "idle", or None while undecided.  `occurrences` counts the last position in the whole
    game.  `window` is (first ply, last ply), both included.  The two sets of victims are which
    pieces the RED and the BLACK player chased perpetually, by their squares at the window's start.
    """

    verdict: str
    red: str | None
    black: str | None
    occurrences: int
    window: tuple[int, int] | None
    plies: list[PlyFacts]
    red_victims: frozenset[str]
    black_victims: frozenset[str]


def replay(fen: str, moves: Sequence[str]) -> list[Position]:
    """All positions of a game, the first one included.  Refuses an illegal move."""
    positions = [read_fen(fen)]
    for ply, move in enumerate(moves):
        try:
            legal = is_legal(positions[-1], move)
        except ValueError as error:
            raise ValueError(f"ply {ply}: {error}") from error
        if not legal:
            raise ValueError(f"ply {ply}: illegal move {move!r}")
        positions.append(apply(positions[-1], move))
    return positions


def name_pieces(position: Position) -> Names:
    """Every piece named by the square it stands on."""
    return {square: write_square(square) for square in position.board}


def names_at(positions: list[Position], moves: Sequence[str], choices: Choices) -> list[Names]:
    """The names of the pieces in each position, each piece taking its name along as it moves.

    They are given at the first position.  Under "square" identity they are given anew each time
    that position has returned, which holds from the next ply on; the ply that closes the circle
    still belongs to the old names.
    """
    names = [name_pieces(positions[0])]
    for index, move in enumerate(moves, start=1):
        origin, target = read_move(move)
        following = dict(names[-1])
        following[target] = following.pop(origin)
        if choices.identity == "square" and positions[index] == positions[0]:
            following = name_pieces(positions[index])
        names.append(following)
    return names


def facts_of_window(
    positions: list[Position],
    moves: Sequence[str],
    first: int,
    replies: list[str],
    choices: Choices,
) -> list[PlyFacts]:
    """The facts of the plies from `first` on, `replies` holding the answer to each of them."""
    window = moves[first:]
    names = names_at(positions[first:], window, choices)
    facts = []
    for index, (move, reply) in enumerate(zip(window, replies, strict=True)):
        before = positions[first + index]
        candidates = find_candidates(before, move, reply, choices)
        # A victim has not moved on this ply, so its name before the ply is its name.
        victims = frozenset(
            name
            for square, name in names[index].items()
            if any(c.victim == write_square(square) and c.reason == "chase" for c in candidates)
        )
        check = gives_check(before, move)
        facts.append(PlyFacts(first + index, before.side, move, check, candidates, victims))
    return facts


def intersection(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    """Elements common to all the sets."""
    first, *others = sets
    return first.intersection(*others)


def chased_throughout(plies: list[PlyFacts], choices: Choices) -> frozenset[str]:
    """The pieces that one side has chased perpetually by all its plies; none if it has not.

    They must be victims of every ply.  Under "successive" each two plies in succession must have
    a victim in common, and all of those are returned; under "any" each ply must have a victim.
    Where kinds may mix, only the plies that do not check are examined.
    """
    sets = [facts.victims for facts in plies if not (facts.check and choices.mixing == "any")]
    if choices.common_victim == "any":
        return frozenset().union(*sets) if all(sets) else frozenset()
    if choices.common_victim == "window" or len(sets) == 1:
        return intersection(sets)
    shared = [one & other for one, other in pairwise(sets)]
    return frozenset().union(*shared) if all(shared) else frozenset()


def level_of_side(plies: list[PlyFacts], choices: Choices) -> tuple[str, frozenset[str]]:
    """The conduct of one side from its plies in the window, and whom it chased perpetually."""
    if all(facts.check for facts in plies):
        return "idle" if choices.levels == "none" else "check", frozenset()
    victims = chased_throughout(plies, choices)
    if choices.levels == "check_and_chase" and victims:
        return "chase", victims
    return "idle", frozenset()


def without_chase(level: str) -> tuple[str, frozenset[str]]:
    """Conduct where chases do not count, with no victim."""
    return "idle" if level == "chase" else level, frozenset()


def verdict_of_levels(red: str, black: str) -> str:
    """The worse conduct loses; equal conduct is a draw."""
    if SEVERITY[red] == SEVERITY[black]:
        return "draw"
    return "black_wins" if SEVERITY[red] > SEVERITY[black] else "red_wins"


def judge(fen: str, moves: Sequence[str], choices: Choices = DEFAULT) -> Judgment:
    """The ruling on the last position of the game.

    The window reaches from the required occurrence of that position, counted back, until now.
    What answers the last ply of the window has not been played yet; the answer that the same
    position had the last time is taken.
    """
    positions = replay(fen, moves)
    stood = [ply for ply, position in enumerate(positions) if position == positions[-1]]
    if len(stood) < choices.occurrences:
        nobody: frozenset[str] = frozenset()
        return Judgment("undecided", None, None, len(stood), None, [], nobody, nobody)
    first = stood[-choices.occurrences]
    replies = [*moves[first + 1 :], moves[stood[-2]]]
    plies = facts_of_window(positions, moves, first, replies, choices)
    red, red_victims = level_of_side([p for p in plies if p.side == RED], choices)
    black, black_victims = level_of_side([p for p in plies if p.side == BLACK], choices)
    if choices.checking_move == "voids_all" and any(facts.check for facts in plies):
        red, red_victims = without_chase(red)
        black, black_victims = without_chase(black)
    verdict = verdict_of_levels(red, black)
    window = (first, len(moves) - 1)
    return Judgment(verdict, red, black, len(stood), window, plies, red_victims, black_victims)
