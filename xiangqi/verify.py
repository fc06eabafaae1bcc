"""Batch verification: does the referee rule every case as the rule book does, from every side?

A case is more than its one line of moves. It is ruled again with the cycle entered at each of
its phases, with one more round played, in the mirror and with the colours exchanged; the ruling
must follow in all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from xiangqi.board import Board
from xiangqi.cases import Case
from xiangqi.errors import XiangqiError
from xiangqi.pieces import BLACK, RED
from xiangqi.referee import Conduct, Referee, Verdict
from xiangqi.rules import WXF, RuleSet

__all__ = ["CaseResult", "Difference", "RuledAs", "verify_case", "verify_cases"]


@dataclass(frozen=True, slots=True)
class RuledAs:
    """What a case is compared by: the verdict and both sides' conduct."""

    verdict: Verdict
    red: Conduct | None
    black: Conduct | None

    def with_colors_exchanged(self) -> RuledAs:
        """The same seen from the other side of the board."""
        return RuledAs(_EXCHANGED.get(self.verdict, self.verdict), self.black, self.red)

    def to_dict(self) -> dict[str, str | None]:
        """As JSON data."""
        return {
            "verdict": self.verdict.value,
            "red": None if self.red is None else self.red.value,
            "black": None if self.black is None else self.black.value,
        }


_EXCHANGED: Final = {
    Verdict.RED_WINS: Verdict.BLACK_WINS,
    Verdict.BLACK_WINS: Verdict.RED_WINS,
}


@dataclass(frozen=True, slots=True)
class Difference:
    """A way of playing a case in which it was not ruled as expected."""

    variant: str
    ruled: RuledAs


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How one case fared."""

    case: Case
    expected: RuledAs
    ruled: RuledAs | None
    """The ruling on the case as it is written; None if it could not be played."""
    rulings: int
    """How many ways of playing it were ruled on."""
    differences: tuple[Difference, ...] = ()
    error: str = ""

    @property
    def passed(self) -> bool:
        """Was every ruling as expected?"""
        return not self.differences and not self.error

    def to_dict(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "id": self.case.id,
            "title": self.case.title,
            "expected": self.expected.to_dict(),
            "ruled": None if self.ruled is None else self.ruled.to_dict(),
            "rulings": self.rulings,
            "passed": self.passed,
            "differences": [
                {"variant": difference.variant, **difference.ruled.to_dict()}
                for difference in self.differences
            ],
            "error": self.error or None,
        }


def verify_cases(cases: Iterable[Case], rules: RuleSet = WXF) -> Iterator[CaseResult]:
    """Verify cases one after the other."""
    referee = Referee(rules)
    for case in cases:
        yield verify_case(case, referee)


def verify_case(case: Case, referee: Referee) -> CaseResult:
    """Rule on a case in every way it can be played.

    A case whose position or moves are impossible comes back with its error and no ruling.
    """
    expected = RuledAs(case.verdict, case.red, case.black)
    try:
        written, *others = _rule_variants(case, referee)
    except XiangqiError as error:
        return CaseResult(case, expected, None, 0, error=str(error))
    differences = []
    for variant, exchanged, ruled in (written, *others):
        if ruled != (expected.with_colors_exchanged() if exchanged else expected):
            differences.append(Difference(variant, ruled))
    return CaseResult(case, expected, written[2], 1 + len(others), tuple(differences))


def _rule_variants(case: Case, referee: Referee) -> Iterator[tuple[str, bool, RuledAs]]:
    """Each way of playing a case: its name, whether colours are exchanged, and the ruling."""
    for name, board in _play_variants(case, referee.rules.occurrences - 1):
        yield name, False, _rule(referee, board)
        yield f"{name}, mirrored", False, _rule(referee, board.mirror())
        yield f"{name}, colours exchanged", True, _rule(referee, board.flip_colors())


def _play_variants(case: Case, rounds: int) -> Iterator[tuple[str, Board]]:
    if not case.cycle:
        yield "as written", case.record(rounds=0).play()
        return
    for phase in range(len(case.cycle)):
        entered = f"entered at ply {phase}" if phase else "as written"
        yield entered, case.record(rounds=rounds, phase=phase).play()
        yield f"{entered}, one more round", case.record(rounds=rounds + 1, phase=phase).play()


def _rule(referee: Referee, board: Board) -> RuledAs:
    ruling = referee.judge(board)
    return RuledAs(ruling.verdict, ruling.conduct[RED], ruling.conduct[BLACK])
