"""One position under several rule sets, and the clauses that make them rule otherwise.

Data without words: :mod:`xiangqi.referee.side_by_side` tells it.

>>> from xiangqi.referee.rules import ALL_DRAWS, CHECKS_ONLY, WXF
>>> board = CoreBoard("9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w")
>>> for move in "f0e0 e8f8 e0f0 f8e8".split() * 2:
...     _ = board.push_iccs(move)
>>> found = compare(board, [WXF, CHECKS_ONLY, ALL_DRAWS])
>>> [verdict.value for verdict in found.verdicts]
['black_wins', 'black_wins', 'draw']
>>> [(difference.second.name, difference.clauses) for difference in found.differences]
[('all-draws', (('offences',),))]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final, NamedTuple, TypeVar

from xiangqi.core.board import CoreBoard
from xiangqi.errors import RuleSetError
from xiangqi.referee.barring import last_move_was_barred
from xiangqi.referee.judging import Referee
from xiangqi.referee.rules import RULE_FIELDS, RuleSet
from xiangqi.referee.ruling import Ruling, Verdict

__all__ = ["Comparison", "Difference", "compare", "find_clauses", "find_difference"]

Decision = TypeVar("Decision")

_MOST_TOGETHER: Final = 3
"""Up to so many clauses all sets are tried; behind that one set that cannot do with fewer is
found by taking clauses away."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two rule sets that rule otherwise, and what makes the difference."""

    first: RuleSet
    second: RuleSet
    clauses: tuple[tuple[str, ...], ...]
    """The smallest sets of fields of which each makes the difference: read as the second rule set
    has them, and all others as the first has them, they give the second one's decision."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What several rule sets make of one position."""

    rulings: tuple[Ruling, ...]
    """One for each rule set, in their order."""
    differences: tuple[Difference, ...]
    """For each rule set that rules otherwise than the first."""

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        """The verdict of each ruling."""
        return tuple(ruling.verdict for ruling in self.rulings)


def compare(board: CoreBoard, books: Sequence[RuleSet]) -> Comparison:
    """Rule on the present position of a board under each rule set, with all evidence.

    A rule set that bars moves rules on the first one of the game that was barred, if any was.
    """
    first, *others = books
    found = (find_difference(board, first, other) for other in others)
    return Comparison(
        rulings=tuple(Referee(rules).judge(_until_barred(board, rules)) for rules in books),
        differences=tuple(difference for difference in found if difference is not None),
    )


def find_difference(board: CoreBoard, first: RuleSet, second: RuleSet) -> Difference | None:
    """What makes two rule sets rule otherwise on the present position; None if they do not."""

    def decide(rules: RuleSet) -> _Decision:
        return _decide(board, rules)

    if decide(first) == decide(second):
        return None
    return Difference(first, second, find_clauses(first, second, decide))


class _Decision(NamedTuple):
    """What is compared of two rule sets."""

    verdict: Verdict
    penalty: str | None
    """What the offender suffers; None where there is none."""
    plies: int
    """How far the game came: where a move is barred, not to its end."""


def _decide(board: CoreBoard, rules: RuleSet) -> _Decision:
    board = _until_barred(board, rules)
    verdict = Referee(rules).judge_cycle(board).verdict
    penalty = None if verdict.loser is None else rules.penalty
    return _Decision(verdict, penalty, board.ply())


def _until_barred(board: CoreBoard, rules: RuleSet) -> CoreBoard:
    """The board after the first move of its game that is barred; itself if none is."""
    if not rules.bars_moves:
        return board
    played = CoreBoard(board.root_fen())
    for move in board.move_stack:
        played.push_unchecked(move)
        if last_move_was_barred(played, rules):
            break
    return played


def find_clauses(
    first: RuleSet, second: RuleSet, decide: Callable[[RuleSet], Decision]
) -> tuple[tuple[str, ...], ...]:
    """The smallest sets of fields that make the difference between two rule sets.

    ``decide`` gives what is compared. Sets that no rule set may have together are passed over.
    Where it takes more than three fields, one set is given, of which none can be left out; none
    where nothing but another name makes the difference.
    """
    wanted = decide(second)

    def makes_it(fields: Sequence[str]) -> bool:
        try:
            mixed = first.replace({field: getattr(second, field) for field in fields})
        except RuleSetError:
            return False
        return decide(mixed) == wanted

    differing = [field for field in RULE_FIELDS if getattr(first, field) != getattr(second, field)]
    for size in range(1, _MOST_TOGETHER + 1):
        found = tuple(fields for fields in combinations(differing, size) if makes_it(fields))
        if found:
            return found
    if not makes_it(differing):
        return ()
    for field in tuple(differing):
        fewer = [other for other in differing if other != field]
        if makes_it(fewer):
            differing = fewer
    return (tuple(differing),)
