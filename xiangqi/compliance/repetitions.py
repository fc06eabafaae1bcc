"""Repetition rules of an engine: its scores, compared with the cases of the rule books.

No protocol can express a verdict. The engine gets a game up to one move before the position has
occurred as often as the book requires, and searches that move alone; its score shows a win or loss
by rule, or a draw. A score *after* the last repetition would mean nothing, since engines do not
judge the root of a search.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from xiangqi.board.scores import EngineError, Limit, PovScore
from xiangqi.casebook.cases import Case
from xiangqi.client import SimpleEngine
from xiangqi.client.protocol import rule_options
from xiangqi.pieces import RED
from xiangqi.referee.rules import RuleSet, find_rule_set
from xiangqi.referee.ruling import Verdict

__all__ = ["BookResult", "RepetitionAnswer", "benchmark_book", "can_be_scored", "verdict_of_score"]

DECISIVE_CP: Final = 5000
"""Minimum score of a win by rule; no position of these books has such a score otherwise."""
DRAWN_CP: Final = 20
"""Maximum score of a draw; some engines add small offsets to draw scores."""


@dataclass(frozen=True, slots=True)
class RepetitionAnswer:
    """Answer of an engine to a case."""

    case: Case
    claimed: Verdict | None
    """Verdict by the score; None if it shows neither a draw nor a win by rule."""
    score: str
    """Reported score, for Red; or ``no score``."""

    @property
    def is_right(self) -> bool:
        """Does the answer agree with the book?"""
        return self.claimed is self.case.verdict

    def to_dict(self) -> dict[str, Any]:
        return {
            "case": self.case.id,
            "expected": self.case.verdict.value,
            "claimed": None if self.claimed is None else self.claimed.value,
            "score": self.score,
        }


@dataclass(frozen=True, slots=True)
class BookResult:
    """Answers of an engine to the cases of a book."""

    rules: RuleSet
    rules_by_option: bool
    """Were the rules of the book set by options? If not, the engine plays by its own."""
    answers: tuple[RepetitionAnswer, ...]

    @property
    def missed(self) -> list[RepetitionAnswer]:
        """Cases on which the engine differs from the book."""
        return [answer for answer in self.answers if not answer.is_right]

    def to_dict(self) -> dict[str, Any]:
        return {
            "rules": self.rules.describe(),
            "rules_by_option": self.rules_by_option,
            "cases": len(self.answers),
            "right": len(self.answers) - len(self.missed),
            "answers": [answer.to_dict() for answer in self.answers],
        }


def can_be_scored(rules: RuleSet | str) -> bool:
    """Can scores express the verdicts of a book? They cannot express a barred move."""
    return not find_rule_set(rules).bars_moves


def benchmark_book(
    engine: SimpleEngine,
    rules: RuleSet | str,
    cases: Iterable[Case],
    *,
    depth: int = 2,
) -> BookResult:
    """Run an engine on all cases of a book in which a position occurs often enough.

    The rules of the book are set by options if the engine has them. Raises EngineTerminatedError if
    the engine exits.
    """
    rules = find_rule_set(rules)
    rules_by_option = True
    try:
        rule_options(rules, engine.protocol.options)
    except EngineError:
        rules_by_option = False
    answers = []
    # If the rules order the offender to deviate first, he loses one occurrence later.
    occurrences = rules.occurrences + (rules.penalty == "must_change")
    for case in cases:
        board = case.play_until(occurrences)
        if case.verdict is Verdict.UNDECIDED or board.repetitions() < occurrences:
            continue
        last = board.pop()
        info = engine.analyse(
            board,
            Limit(depth=depth),
            root_moves=[last],
            game=object(),
            rules=rules if rules_by_option else None,
        )
        score = info.get("score")
        claimed = None if score is None else verdict_of_score(score)
        answers.append(
            RepetitionAnswer(case, claimed, "no score" if score is None else str(score.pov(RED)))
        )
    return BookResult(rules, rules_by_option, tuple(answers))


def verdict_of_score(score: PovScore) -> Verdict | None:
    """Verdict that a score shows; None for an ordinary score."""
    red = score.pov(RED)
    value = red.score(mate_score=10 * DECISIVE_CP)
    assert value is not None  # mates have a value here
    if abs(value) <= DRAWN_CP:
        return Verdict.DRAW
    if abs(value) < DECISIVE_CP:
        return None
    return Verdict.RED_WINS if value > 0 else Verdict.BLACK_WINS
