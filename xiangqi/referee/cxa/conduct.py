"""From the facts of a cycle to marks, to what each side did, and to the verdict (24.13-24.14, 25,
26.4, 26.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, get_args, get_type_hints

from xiangqi.pieces import BLACK, KING, PAWN, RED, Color
from xiangqi.referee.cxa.facts import Facts, Stand, Threatened
from xiangqi.referee.cxa.threats import ThreatLevel
from xiangqi.referee.rules import RuleSet
from xiangqi.referee.ruling import Clause, Conduct, Mark, Verdict

__all__ = ["Decision", "Marked", "decide", "find_questions", "mark_move"]

_STANDS: Final = {
    Stand.STOOD: Clause.STOOD_BEFORE,
    Stand.UNTOUCHED: Clause.REPLY,
}
_LEVELS: Final = {ThreatLevel.MATED: Clause.MATED, ThreatLevel.LOSS: Clause.LOSING_ROOT}


@dataclass(frozen=True, slots=True)
class Marked:
    """A move with its mark."""

    mark: Mark
    is_heavy: bool
    """Is it a strike that outweighs light ones (26.9)?"""
    kill: Clause | None
    """Reason why its mate threat does not count; None if it does, or there is none."""
    threats: tuple[tuple[Threatened, Clause | None], ...]
    """Its threats, the main one first of those that count, each with why it does not count; None if
    it does."""


def mark_move(facts: Facts, rules: RuleSet, *, soldiers_strike: bool = False) -> Marked:
    """The gravest that a move does (26.4): check, kill, chase, else the name of its idleness.

    ``soldiers_strike`` counts what soldiers attack by themselves.
    """
    king_reply = facts.is_reply and facts.by_king and rules.king_reply == "idle"
    kill = Clause.KING_REPLY if king_reply and facts.kill else None
    threats = [
        (threat, Clause.KING_REPLY if king_reply else _clause_of(threat, rules, soldiers_strike))
        for threat in sorted(facts.threats, key=lambda threat: threat.rank, reverse=True)
    ]
    told = tuple(sorted(threats, key=lambda pair: pair[1] is not None))
    counted = [threat for threat, clause in told if clause is None]
    if facts.is_check:
        return Marked(Mark.CHECK, True, kill, told)
    if facts.kill and kill is None:
        return Marked(Mark.KILL, True, kill, told)
    if counted:
        return Marked(Mark.CHASE, _is_heavy(counted, rules), kill, told)
    return Marked(facts.quiet, False, kill, told)


def _is_heavy(counted: list[Threatened], rules: RuleSet) -> bool:
    """26.4 and 26.9: the main threat decides the weight, the one that wins most; of those that win
    as much the one of the dearest piece. Of several such one heavy one is enough, or one light."""
    main = counted[0].rank
    weights = [threat.weight.is_heavy for threat in counted if threat.rank == main]
    return any(weights) if rules.equal_threats == "heavy" else all(weights)


def _clause_of(threatened: Threatened, rules: RuleSet, soldiers_strike: bool) -> Clause | None:
    """Reason why a threat does not count, if it does not."""
    threat = threatened.threat
    if threatened.is_own and (threat.own_kind == KING or not soldiers_strike):
        return Clause.KING_OR_SOLDIER
    if threat.own_kind == PAWN and not threatened.is_own and rules.soldier_joins == "idle":
        return Clause.KING_OR_SOLDIER
    if threat.level is ThreatLevel.MATED or (
        threat.level is ThreatLevel.LOSS and rules.root_attack == "weighed"
    ):
        return _LEVELS[threat.level]
    if threat.level is ThreatLevel.EVEN and rules.even_chase == "idle":
        return Clause.EVEN_CHASE
    if threatened.stand in _STANDS:
        return _STANDS[threatened.stand]
    if threatened.stand is Stand.RISEN and not _makes_rise(threatened, rules):
        return Clause.STOOD_BEFORE
    if threatened.is_own_doing and rules.own_doing == "idle":
        return Clause.OWN_DOING
    return Clause.KEY_POINT if threatened.by_the_way and rules.key_point == "idle" else None


def _makes_rise(threatened: Threatened, rules: RuleSet) -> bool:
    """A higher gain than before is new, unless it takes several pieces and the moved one has no
    part in it (reference 37)."""
    if rules.risen_threat == "stood":
        return False
    return threatened.weight.is_heavy or threatened.takes_part


# The verdict

QUESTIONS: Final = (
    "king_reply",
    "even_chase",
    "root_attack",
    "risen_threat",
    "own_doing",
    "key_point",
    "soldier_strikes",
    "soldier_joins",
    "equal_threats",
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
    return tuple(
        dict.fromkeys(
            field
            for field, other in _list_other_answers(rules)
            if decide(facts, first, other).verdict is not verdict
        )
    )


@lru_cache(maxsize=16)
def _list_other_answers(rules: RuleSet) -> tuple[tuple[str, RuleSet], ...]:
    """Each question with the rule set in which it alone is answered otherwise."""
    hints = get_type_hints(RuleSet)
    return tuple(
        (field, rules.replace({field: answer}))
        for field in QUESTIONS
        for answer in get_args(hints[field])
        if answer != getattr(rules, field)
    )
