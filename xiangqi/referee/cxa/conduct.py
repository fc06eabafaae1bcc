"""From the facts of a cycle to what each side did, and to the verdict (24.13-24.14, 25, 26.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, get_args, get_type_hints

from xiangqi.pieces import BLACK, RED, Color
from xiangqi.referee.cxa.facts import Facts
from xiangqi.referee.cxa.marking import Marked, mark_move
from xiangqi.referee.rules import RuleSet
from xiangqi.referee.ruling import Conduct, Mark, Verdict

__all__ = ["Decision", "decide", "find_questions"]

QUESTIONS: Final = (
    "king_reply",
    "even_chase",
    "root_attack",
    "risen_threat",
    "own_doing",
    "key_point",
    "soldier_strikes",
)
"""Fields of a rule set in which the definitions run out, or books part."""

_FORBIDDEN: Final[Mapping[str, frozenset[Mark]]] = {
    "check_kill_and_chase": frozenset({Mark.CHECK, Mark.KILL, Mark.CHASE}),
    "check_and_chase": frozenset({Mark.CHECK, Mark.CHASE}),
    "check": frozenset({Mark.CHECK}),
    "none": frozenset(),
}


class Decision(NamedTuple):
    """The marks of the moves of a cycle, what each side did, and the verdict."""

    marked: tuple[Marked, ...]
    conduct: Mapping[Color, Conduct]
    verdict: Verdict


def decide(facts: Sequence[Facts], first: Color, rules: RuleSet) -> Decision:
    """Rule on a cycle whose moves did this, the first of them made by a side.

    Where soldiers' attacks count in mutual strikes (1999), they do if with them every move of both
    sides is forbidden.
    """
    if rules.soldier_strikes == "chase":
        strict = _decide(facts, first, rules, soldiers_strike=True)
        if Conduct.IDLE not in strict.conduct.values():
            return strict
    return _decide(facts, first, rules, soldiers_strike=False)


def _decide(
    facts: Sequence[Facts], first: Color, rules: RuleSet, *, soldiers_strike: bool
) -> Decision:
    marked = tuple(mark_move(fact, rules, soldiers_strike=soldiers_strike) for fact in facts)
    conduct = {
        first: _conduct_of(marked[::2], rules),
        not first: _conduct_of(marked[1::2], rules),
    }
    return Decision(marked, conduct, _verdict_of(conduct, rules))


def _conduct_of(marked: Sequence[Marked], rules: RuleSet) -> Conduct:
    """One allowed move makes a side's conduct allowed."""
    marks = {move.mark for move in marked}
    if not marks <= _FORBIDDEN[rules.offences]:
        return Conduct.IDLE
    if marks == {Mark.CHECK}:
        return Conduct.CHECK
    if len(marks) > 1 and rules.mixing == "one_kind":
        return Conduct.IDLE
    return Conduct.HEAVY if all(move.is_heavy for move in marked) else Conduct.LIGHT


def _verdict_of(conduct: Mapping[Color, Conduct], rules: RuleSet) -> Verdict:
    red, black = conduct[RED].value, conduct[BLACK].value
    if f"{red}>{black}" in rules.verdicts:
        return Verdict.BLACK_WINS
    return Verdict.RED_WINS if f"{black}>{red}" in rules.verdicts else Verdict.DRAW


def find_questions(facts: Sequence[Facts], first: Color, rules: RuleSet) -> tuple[str, ...]:
    """The open questions of which another answer would give another verdict."""
    verdict = decide(facts, first, rules).verdict
    hints = get_type_hints(RuleSet)
    return tuple(
        field
        for field in QUESTIONS
        for answer in get_args(hints[field])
        if answer != getattr(rules, field)
        and decide(facts, first, rules.replace({field: answer})).verdict is not verdict
    )
