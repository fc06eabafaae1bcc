"""Rule sets as data: what counts as an offence, and how the open questions are settled.

The rule book tells by 110 diagrams what a perpetual check and a perpetual chase are. Some
questions its diagrams leave open; each is a field of :class:`RuleSet` here, its default being
the reading that Meihua takes to be the rule book's. Two things are not open and have no field:

* Mate and stalemate come before any repetition. A side without a legal move has lost, and as
  it could not have moved from that position earlier either, the two never meet.
* Captures are judged on the board as it is after them, with the safety of both kings.

The conduct of a side over the cycle is one of three levels, perpetual check > perpetual chase
> idle. The higher level loses; equal levels draw.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal, get_args, get_type_hints

from xiangqi.core.board import RuleSwitches
from xiangqi.errors import RuleSetError

__all__ = ["ALL_DRAWS", "CHECKS_ONLY", "RULE_SETS", "WXF", "RuleSet", "find_rule_set"]

FEWEST_OCCURRENCES: Final = 2
MOST_OCCURRENCES: Final = 1000


@dataclass(frozen=True)
class RuleSet:
    """A reading of the repetition rules. Values are checked; RuleSetError names a wrong one.

    >>> RuleSet("club", occurrences=2).occurrences
    2
    >>> RuleSet("club", new_threat="piece")  # doctest: +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
    xiangqi.errors.RuleSetError: invalid rule new_threat 'piece': expected one of
        'pair', 'victim'
    """

    name: str
    """What the rule set is called."""

    occurrences: int = 3
    """How often a position must occur, the first time included, before it is ruled on.

    The rule book warns first and rules when the position has come back; programs and most
    sites rule at the third occurrence. The window that is judged reaches from the first of
    these occurrences, counted backwards from the last, until now, for both sides.
    """

    offences: Literal["check_and_chase", "check", "none"] = "check_and_chase"
    """Which conduct may not go on for ever."""

    new_threat: Literal["pair", "victim"] = "pair"
    """A piece steps onto a square that one enemy already attacks, and a second then hits it too.

    ``pair``: a threat is an attacker and a victim, so the second attacker makes a new threat.
    ``victim``: the piece was under threat already, nothing is new.
    """

    answered: Literal["pair", "victim"] = "pair"
    """Two attackers threaten one piece, and the reply parries only one of them.

    ``pair``: the threat that is gone was answered. ``victim``: the piece can still be taken,
    so nothing was answered. One of the paper's own test positions asks for ``pair``.
    """

    checking_move: Literal["check", "check_and_chase"] = "check"
    """A move that checks and also attacks the victim of the other moves.

    ``check``: a check and nothing else, so mixed with chases it makes the side idle; diagram 13
    asks for this. ``check_and_chase``: it may stand in a row of chases as well.
    """

    check_escape: Literal["standing", "new"] = "standing"
    """A side in check could not carry out its old threats; the move out of check frees them.

    ``standing``: they were there before, the move did not make them. ``new``: it did.
    """

    legality: Literal["full", "pseudo"] = "full"
    """Whether captures and recaptures must leave the own king safe.

    ``full``: yes, including recaptures by the king and the open file between the kings, so
    that pinned pieces neither threaten nor protect; the diagrams on false roots ask for this.
    ``pseudo``: geometry alone.
    """

    minor_attackers: Literal["literal", "profit"] = "literal"
    """An advisor or elephant attacks a protected chariot, horse or cannon.

    ``literal``: the rule book exempts only a chariot attacked by a horse or cannon from
    protection, so this is no chase. ``profit``: it wins material, so it is.
    """

    common_victim: Literal["window", "successive"] = "window"
    """Chases with several victims at once: which one is chased perpetually?

    ``window``: a piece that is a victim of every one of the side's moves. ``successive``: it
    is enough that each two neighbouring moves share a victim.
    """

    identity: Literal["piece", "square"] = "piece"
    """Two equal pieces swap squares: the position is the same, the pieces are not.

    ``piece``: the physical piece is followed. ``square``: each time the position recurs, the
    piece on a square is taken for the one that stood there first.
    """

    no_capture_limit: int | None = 120
    """Plies without a capture after which a game is drawn; None for no limit.

    Apart from repetition, and counted from the halfmove clock. 120 plies are the 60 rounds of
    the rule book.
    """

    no_attackers: Literal["draw", "play_on"] = "draw"
    """Neither side has a piece left that may cross the river: chariot, horse, cannon or soldier.

    ``draw``: nobody can win any more, and the game is drawn at once. ``play_on``: it goes on until
    another ending comes.
    """

    def __post_init__(self) -> None:
        for field, hint in get_type_hints(RuleSet).items():
            choices = get_args(hint)
            if choices and all(isinstance(choice, str) for choice in choices):
                self._check_choice(field, choices)
        if not _is_whole(self.occurrences, FEWEST_OCCURRENCES, MOST_OCCURRENCES):
            expected = f"a number {FEWEST_OCCURRENCES} to {MOST_OCCURRENCES}"
            raise RuleSetError("rule occurrences", self.occurrences, expected)
        limit = self.no_capture_limit
        if limit is not None and not _is_whole(limit, 1, 1_000_000):
            raise RuleSetError("rule no_capture_limit", limit, "a number of plies, or None")

    def _check_choice(self, field: str, choices: Iterable[str]) -> None:
        value = getattr(self, field)
        if value not in choices:
            expected = f"one of {', '.join(map(repr, choices))}"
            raise RuleSetError(f"rule {field}", value, expected)

    @property
    def switches(self) -> RuleSwitches:
        """The rule set as the core reads it."""
        return _make_switches(self)

    def replace(self, changes: Mapping[str, object]) -> RuleSet:
        """The same rule set with some fields changed; RuleSetError names an unknown field."""
        for field in changes:
            if field not in RULE_FIELDS:
                raise RuleSetError("rule", field, f"one of {', '.join(RULE_FIELDS)}")
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]

    def describe(self) -> str:
        """The name, and what was changed of the rule set that has it.

        >>> WXF.replace({"occurrences": 2}).describe()
        'wxf occurrences=2'
        """
        known = RULE_SETS.get(self.name, WXF)
        changes = (
            f" {field}={getattr(self, field)}".lower()
            for field in RULE_FIELDS
            if getattr(self, field) != getattr(known, field)
        )
        return self.name + "".join(changes)


@lru_cache
def _make_switches(rules: RuleSet) -> RuleSwitches:
    return RuleSwitches(
        occurrences=rules.occurrences,
        count_checks=rules.offences != "none",
        count_chases=rules.offences == "check_and_chase",
        new_by_victim=rules.new_threat == "victim",
        answered_by_victim=rules.answered == "victim",
        checks_may_chase=rules.checking_move == "check_and_chase",
        escapes_renew=rules.check_escape == "new",
        ignore_pins=rules.legality == "pseudo",
        minors_strike=rules.minor_attackers == "profit",
        victims_pairwise=rules.common_victim == "successive",
        identity_by_square=rules.identity == "square",
    )


def _is_whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


RULE_FIELDS: Final = tuple(field.name for field in dataclasses.fields(RuleSet))[1:]

WXF: Final = RuleSet("wxf")
"""The rules of the World Xiangqi Federation: perpetual check and perpetual chase lose."""

CHECKS_ONLY: Final = RuleSet("checks-only", offences="check")
"""Only perpetual check loses, as on many sites and in many programs."""

ALL_DRAWS: Final = RuleSet("all-draws", offences="none")
"""Every repetition is a draw."""

RULE_SETS: Final[Mapping[str, RuleSet]] = {
    rules.name: rules for rules in (WXF, CHECKS_ONLY, ALL_DRAWS)
}


def find_rule_set(name: str) -> RuleSet:
    """The rule set of this name, upper or lower case; RuleSetError if there is none.

    >>> find_rule_set("WXF") is WXF
    True
    """
    rules = RULE_SETS.get(name.lower())
    if rules is None:
        raise RuleSetError("rule set", name, f"one of {', '.join(map(repr, RULE_SETS))}")
    return rules
