"""What a reading of the rules makes of a move: its mark, its weight, and what proves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from xiangqi.pieces import KING
from xiangqi.referee.cxa.facts import Facts, Stand, Threatened
from xiangqi.referee.cxa.threats import Level
from xiangqi.referee.ruling import Clause, Mark

if TYPE_CHECKING:
    from xiangqi.referee.rules import RuleSet

__all__ = ["Marked", "mark_move"]

_STANDS: Final = {
    Stand.STOOD: Clause.STOOD_BEFORE,
    Stand.UNTOUCHED: Clause.REPLY,
}
_LEVELS: Final = {Level.MATED: Clause.MATED, Level.LOSS: Clause.LOSING_ROOT}


@dataclass(frozen=True, slots=True)
class Marked:
    """A move with its mark."""

    mark: Mark
    is_heavy: bool
    """Is it a strike that outweighs light ones (26.9)?"""
    kill: Clause | None
    """Why its kill does not count; None if it does, or there is none."""
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
        return Marked(Mark.CHASE, _is_heavy(counted), kill, told)
    return Marked(facts.quiet, False, kill, told)


def _is_heavy(counted: list[Threatened]) -> bool:
    """26.4 and 26.9: the main threat decides the weight, the one that wins most; of those that win
    as much the one of the dearest piece. Of several such one heavy one is enough."""
    main = counted[0].rank
    return any(threat.weight.is_heavy for threat in counted if threat.rank == main)


def _clause_of(threatened: Threatened, rules: RuleSet, soldiers_strike: bool) -> Clause | None:
    """Why a threat does not count, if it does not."""
    threat = threatened.threat
    if threat.own_kind == KING or (threat.own_kind and not soldiers_strike):
        return Clause.KING_OR_SOLDIER
    if threat.level is Level.MATED or (
        threat.level is Level.LOSS and rules.root_attack == "weighed"
    ):
        return _LEVELS[threat.level]
    if threat.level is Level.EVEN and rules.even_chase == "idle":
        return Clause.EVEN_CHASE
    if threatened.stand in _STANDS:
        return _STANDS[threatened.stand]
    if threatened.stand is Stand.RISEN and not _makes_rise(threatened, rules):
        return Clause.STOOD_BEFORE
    if threatened.is_own_doing and rules.own_doing == "idle":
        return Clause.OWN_DOING
    return Clause.KEY_POINT if threatened.by_the_way and rules.key_point == "idle" else None


def _makes_rise(threatened: Threatened, rules: RuleSet) -> bool:
    """What wins more than before is new, unless it takes several pieces and the moved one has no
    part in it (reference 37)."""
    if rules.risen_threat == "stood":
        return False
    return threatened.weight.is_heavy or threatened.takes_part
