"""Batch verification that every case is ruled as in the rule book, in all its variants.

The variants enter the cycle at each ply, play one more round, mirror the board and exchange the
colours; all must be ruled alike. If the book marks each move, the marks are compared as well; those
of allowed moves (exchange, offer, block, follow, idle) are equal.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from xiangqi.board import Board
from xiangqi.casebook.cases import Case
from xiangqi.ground.errors import XiangqiError
from xiangqi.ground.texts import Language, say
from xiangqi.pieces import BLACK, RED
from xiangqi.referee.judging import Referee
from xiangqi.referee.rules import WXF, RuleSet
from xiangqi.referee.ruling import Conduct, Mark, Verdict

__all__ = [
    "CaseResult",
    "RuledAs",
    "Variant",
    "VariantRuling",
    "format_ruled_as",
    "is_same_mark",
    "verify_case",
    "verify_cases",
]


@dataclass(frozen=True, slots=True)
class RuledAs:
    """Verdict and both sides' conduct, as expected or as ruled."""

    verdict: Verdict
    red: Conduct | None
    """Red's conduct; None if it is unknown."""
    black: Conduct | None

    def fits(self, ruled: RuledAs) -> bool:
        """Does a ruling agree with this one, except for conducts that are None here?"""
        sides = ((self.red, ruled.red), (self.black, ruled.black))
        is_same = all(expected is None or expected is found for expected, found in sides)
        return self.verdict is ruled.verdict and is_same

    def with_colors_exchanged(self) -> RuledAs:
        return RuledAs(_EXCHANGED.get(self.verdict, self.verdict), self.black, self.red)

    def to_dict(self) -> dict[str, str | None]:
        return {
            "verdict": self.verdict.value,
            "red": None if self.red is None else self.red.value,
            "black": None if self.black is None else self.black.value,
        }


_EXCHANGED: Final = {Verdict.RED_WINS: Verdict.BLACK_WINS, Verdict.BLACK_WINS: Verdict.RED_WINS}


def format_ruled_as(ruled: RuledAs | None, language: Language = "en") -> str:
    """Format a verdict with both sides' conduct: ``Black wins (chase, idle)``."""
    if ruled is None:
        return "-"
    verdict = say(language, ruled.verdict.value)
    if ruled.red is None or ruled.black is None:
        return verdict
    red, black = (say(language, conduct.value) for conduct in (ruled.red, ruled.black))
    return say(language, "ruled_as", verdict=verdict, red=red, black=black)


@dataclass(frozen=True, slots=True)
class Variant:
    """Variant of a case."""

    phase: int = 0
    """Ply of the cycle at which play starts."""
    longer: bool = False
    """Is one more round than necessary played?"""
    view: Literal["as_it_is", "mirrored", "exchanged"] = "as_it_is"
    """``mirrored``: left and right exchanged; ``exchanged``: colours exchanged."""

    def name(self, language: Language = "en") -> str:
        """Description: ``entered at ply 2, one more round, mirrored``."""
        entered = "way_entered" if self.phase else "way_as_written"
        parts = [say(language, entered, ply=self.phase)]
        if self.longer:
            parts.append(say(language, "way_longer"))
        if self.view != "as_it_is":
            parts.append(say(language, f"way_{self.view}"))
        return say(language, "comma").join(parts)


@dataclass(frozen=True, slots=True)
class VariantRuling:
    """Ruling on one variant of a case."""

    variant: Variant
    ruled: RuledAs
    marks: tuple[Mark, ...] = ()
    """Mark of each ply of the cycle; empty if the case has none."""

    @property
    def ruled_as_written(self) -> RuledAs:
        """Ruling in terms of the colours of the case as written."""
        if self.variant.view == "exchanged":
            return self.ruled.with_colors_exchanged()
        return self.ruled


@dataclass(frozen=True, slots=True)
class CaseResult:
    """Result of verifying one case."""

    case: Case
    expected: RuledAs
    ruled: RuledAs | None
    """Ruling on the case as written; None if it could not be played."""
    rulings: int
    """Number of variants."""
    differences: tuple[VariantRuling, ...] = ()
    """Variants not ruled as expected."""
    marks: tuple[Mark, ...] = ()
    """Marks found in the case as written; empty if it has none."""
    marks_compared: int = 0
    """Number of marks compared, in all variants."""
    marks_found: int = 0
    """Number of these that agree with the book, as in :func:`is_same_mark`."""
    error: str = ""

    @property
    def other_marks(self) -> tuple[tuple[str, Mark, Mark], ...]:
        """Moves of the cycle with a different mark: move, expected mark, found mark."""
        rows = zip(self.case.cycle, self.case.marks, self.marks, strict=False)
        return tuple(row for row in rows if not is_same_mark(row[1], row[2]))

    @property
    def passed(self) -> bool:
        """Was every ruling as expected?"""
        return not self.differences and not self.error

    def to_dict(self) -> dict[str, Any]:
        marks = {
            "expected": [mark.value for mark in self.case.marks],
            "ruled": [mark.value for mark in self.marks],
            "compared": self.marks_compared,
            "found": self.marks_found,
        }
        return {
            "id": self.case.id,
            "title": self.case.title,
            "expected": self.expected.to_dict(),
            "ruled": None if self.ruled is None else self.ruled.to_dict(),
            "rulings": self.rulings,
            "passed": self.passed,
            "differences": [
                {"variant": difference.variant.name(), **difference.ruled.to_dict()}
                for difference in self.differences
            ],
            "marks": marks if self.case.marks else None,
            "error": self.error or None,
        }


def is_same_mark(one: Mark, other: Mark) -> bool:
    """Are two marks the same, or both of allowed moves?"""
    return one is other or not (one.is_strike or other.is_strike)


def verify_cases(cases: Iterable[Case], rules: RuleSet | str = WXF) -> Iterator[CaseResult]:
    referee = Referee(rules)
    for case in cases:
        yield verify_case(case, referee)


def verify_case(case: Case, referee: Referee) -> CaseResult:
    """Rule on all variants of a case.

    The result of a case with an impossible position or move has an error and no ruling.
    """
    expected = RuledAs(case.verdict, case.red, case.black)
    rulings = []
    try:
        for variant, board in _play_variants(case, referee.rules):
            mirrored = replace(variant, view="mirrored")
            exchanged = replace(variant, view="exchanged")
            rulings += [
                _rule(case, referee, variant, board),
                _rule(case, referee, mirrored, board.mirror()),
                _rule(case, referee, exchanged, board.flip_colors()),
            ]
    except XiangqiError as error:
        return CaseResult(case, expected, None, 0, error=str(error))
    return CaseResult(
        case,
        expected,
        rulings[0].ruled,
        len(rulings),
        tuple(one for one in rulings if not expected.fits(one.ruled_as_written)),
        rulings[0].marks,
        len(case.marks) * len(rulings),
        sum(
            is_same_mark(*pair)
            for one in rulings
            for pair in zip(case.marks, one.marks, strict=False)
        ),
    )


def _play_variants(case: Case, rules: RuleSet) -> Iterator[tuple[Variant, Board]]:
    rounds = rules.occurrences - 1
    if not case.cycle:
        yield Variant(), case.record(rounds=0).play()
        return
    if rules.rounds is not None:  # these depend on the moves before the cycle
        yield Variant(), case.play_by(rules)
        return
    for phase in range(len(case.cycle)):
        yield Variant(phase), case.record(rounds=rounds, phase=phase).play()
        longer = Variant(phase, longer=True)
        yield longer, case.record(rounds=rounds + 1, phase=phase).play()


def _rule(case: Case, referee: Referee, variant: Variant, board: Board) -> VariantRuling:
    if not case.marks:
        verdict, conduct = referee.judge_cycle(board)
        if referee.rules.rounds is not None and case.cycle and verdict is Verdict.UNDECIDED:
            verdict = Verdict.DRAW  # by a limit of plies
        return VariantRuling(variant, RuledAs(verdict, conduct[RED], conduct[BLACK]))
    ruling = referee.judge(board)
    ruled = RuledAs(ruling.verdict, ruling.conduct[RED], ruling.conduct[BLACK])
    # The marks of the last round, in the order of the case's cycle.
    last = {(one.ply - len(case.lead_in)) % len(case.cycle): one.mark for one in ruling.plies}
    return VariantRuling(variant, ruled, tuple(last[ply] for ply in sorted(last)))
