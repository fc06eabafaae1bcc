"""What a reading of the rules makes of a move: its mark, its weight, and what proves it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from xiangqi.pieces import KING
from xiangqi.referee.cxa.facts import Facts, Threatened
from xiangqi.referee.ruling import Clause, Mark

if TYPE_CHECKING:
    from xiangqi.referee.rules import RuleSet

__all__ = ["Marked", "mark_move"]


@dataclass(frozen=True, slots=True)
class Marked:
    """A move with its mark."""

    mark: Mark
    is_heavy: bool
    """Is it a strike that outweighs light ones (26.9)?"""
    kill: Clause | None
    """Why its kill does not count; None if it does, or there is none."""
    threats: tuple[tuple[Threatened, Clause | None], ...]
    """Its gains, each with why it does not count; None if it does."""


def mark_move(facts: Facts, rules: RuleSet, *, soldiers_strike: bool = False) -> Marked:
    """The gravest that a move does (26.4): check, kill, chase, else the name of its idleness.

    ``soldiers_strike`` counts what soldiers attack by themselves.
    """
    king_reply = facts.is_reply and facts.by_king and rules.king_reply == "idle"
    kill = Clause.KING_REPLY if king_reply and facts.kill else None
    threats = tuple(
        (threat, Clause.KING_REPLY if king_reply else _clause_of(threat, rules, soldiers_strike))
        for threat in facts.threats
    )
    counted = [threat for threat, clause in threats if clause is None]
    if facts.is_check:
        return Marked(Mark.CHECK, True, kill, threats)
    if facts.kill and kill is None:
        return Marked(Mark.KILL, True, kill, threats)
    if counted:
        is_heavy = any(threat.is_single for threat in counted)
        return Marked(Mark.CHASE, is_heavy, kill, threats)
    return Marked(facts.quiet, False, kill, threats)


def _clause_of(threat: Threatened, rules: RuleSet, soldiers_strike: bool) -> Clause | None:
    """Why a gain does not count, if it does not."""
    gain = threat.gain
    if gain.own_kind == KING or (gain.own_kind and not soldiers_strike):
        return Clause.KING_OR_SOLDIER
    if gain.loses and rules.root_attack == "weighed":
        return Clause.LOSING_ROOT
    if gain.is_even and rules.even_chase == "idle":
        return Clause.EVEN_CHASE
    if _stood_before(threat, rules):
        return Clause.STOOD_BEFORE
    if threat.is_own_doing and rules.own_doing == "idle":
        return Clause.OWN_DOING
    return Clause.KEY_POINT if threat.by_the_way and rules.key_point == "idle" else None


def _stood_before(threat: Threatened, rules: RuleSet) -> bool:
    """Was the threat there before the move, as good as it is now?

    What would have been even and wins now is new, unless it takes several pieces and the moved one
    has no part in it. What is no more than even now is new only if the capture is.
    """
    if not threat.has_risen:
        return True
    if threat.gain.is_even or threat.gain.loses:
        return threat.was_possible
    if not threat.stood:
        return False
    return rules.risen_threat == "stood" or not (threat.is_single or threat.takes_part)
