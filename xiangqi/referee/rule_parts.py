"""Parts of a rule set, whose fields apply only with the part: definitions of a chase, and limits of
rounds."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, get_type_hints

from xiangqi.referee.rule_checks import check_value

__all__ = ["CaptureChase", "GainChase", "Rounds", "check_values", "hints_of"]


@dataclass(frozen=True)
class CaptureChase:
    """A chase is the threat of capturing a piece at a profit; an invalid value raises RuleSetError.

    >>> CaptureChase(new_threat="piece")  # doctest: +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
    xiangqi.ground.errors.RuleSetError: invalid rule new_threat 'piece': expected one of
        'pair', 'victim'
    """

    new_threat: Literal["pair", "victim"] = "pair"
    """Definition of a new threat, for a second attacker of a piece that is attacked already.

    ``pair``: a threat is a pair of attacker and victim, so the second attacker makes a new one.
    ``victim``: the victim was threatened already, so nothing is new.
    """

    answered: Literal["pair", "victim", "any"] = "pair"
    """Definition of an answered threat, for a reply that parries only one of two attackers.

    ``pair``: the parried threat was answered; one of the test positions of Tan and Watkinson Medina
    requires this. ``victim``: nothing was answered, as the piece can still be taken. ``any``: the
    reply does not matter, a threat counts when it is made.
    """

    checking_move: Literal["check", "check_and_chase", "voids_all"] = "check"
    """Treatment of a move that checks and also attacks the victim of the other moves.

    ``check``: only a check, so that the side is idle if its other moves chase; diagram 13 requires
    this. ``check_and_chase``: it counts as a chase as well. ``voids_all``: only a check, and in a
    cycle with a check neither side's chases are perpetual.
    """

    check_escape: Literal["standing", "new"] = "standing"
    """Treatment of old threats that a check had suspended, after the move out of check.

    ``standing``: old, as they were there before the move. ``new``: made by the move.
    """

    legality: Literal["full", "pseudo"] = "full"
    """Legality of the captures and recaptures that make up threats.

    ``full``: they must leave the own king safe, recaptures by the king and the open file between
    the kings included, so that pinned pieces neither threaten nor protect; the diagrams on false
    roots require this. ``pseudo``: pseudo-legal ones suffice.
    """

    minor_attackers: Literal["literal", "profit"] = "literal"
    """Treatment of an advisor or elephant that attacks a protected chariot, horse or cannon.

    ``literal``: no chase, as the rule book ignores protection only where a horse or cannon attacks
    a chariot. ``profit``: a chase, as the capture wins material.
    """

    line_exemption: Literal["exempt", "chase"] = "exempt"
    """Treatment of an attack by a piece that did not move, if the victim only lost a root whose
    line runs through that attacker.

    ``exempt``: no chase; diagrams 39 to 41 and 61 require this. ``chase``: a chase like others.
    """

    identity: Literal["piece", "square"] = "piece"
    """Identity of two equal pieces that exchange squares within a repetition.

    ``piece``: each physical piece is tracked. ``square``: at each recurrence of the position, the
    piece on a square counts as the one that was there at first.
    """

    def __post_init__(self) -> None:
        check_values(self)


@dataclass(frozen=True)
class GainChase:
    """A chase is the threat of winning material by captures, checks and exchanges.

    Only the referee can apply it. An invalid value raises RuleSetError.
    """

    king_reply: Literal["idle", "counts"] = "idle"
    """Treatment of threats made by a king's move out of check.

    ``idle``: they do not count (CXA 2020, 26.1.3). ``counts``: as those of any other move.
    """

    even_chase: Literal["chase", "idle"] = "chase"
    """Treatment of a threat whose gain is lost again elsewhere.

    ``chase``: a chase (26.5: even or better is a chase). ``idle``: nothing is won.
    """

    root_attack: Literal["weighed", "chase"] = "weighed"
    """Treatment of a threat by which more is lost elsewhere than won, such as one by a root.

    ``weighed``: no chase (26.5). ``chase``: a chase (1999), unless the attacker would be mated.
    """

    risen_threat: Literal["new", "stood"] = "new"
    """Treatment of a threat that the move turns from even to winning, or makes win more.

    ``new``: the move made the threat; figure 27 and reference figure 49 require this. ``stood``:
    the threat was there before (1999, rule 6: from chase to chase is idle).
    """

    mate_threat: Literal["any", "king_steps", "new"] = "any"
    """Treatment of a threat of mate that the move does not make.

    It does not if its side could have mated instead, or if it replies to a check and each mating
    piece could move so on the board as it stood, without the replying piece's help. ``any``: it
    counts; figure 19 requires this of a reply by another piece than the king. ``king_steps``: it is
    idle if a king's step out of check leaves it (1999, figure 15). ``new``: it is idle.
    """

    own_doing: Literal["idle", "chase"] = "idle"
    """Treatment of a threat that the opponent's last move made, not the move itself.

    ``idle``: it does not count (reference figures 19 and 21). ``chase``: it counts.
    """

    key_point: Literal["idle", "chase"] = "idle"
    """Treatment of attacks on advisors and elephants by the last attacking piece of a side that has
    a loss to prevent.

    ``idle``: they do not count (26.2, figure 18). ``chase``: they count.
    """

    soldier_strikes: Literal["idle", "chase"] = "idle"
    """Treatment of attacks by soldiers alone.

    ``idle``: they never count (26.1). ``chase``: they count if all moves of both sides are then
    forbidden (1999).
    """

    soldier_joins: Literal["chase", "idle"] = "chase"
    """Treatment of a soldier's capture of a protected piece that wins because others recapture.

    ``chase``: a joint attack (26.1.1 and 26.1.2, at second hand). ``idle``: an attack by the
    soldier alone (26.1).
    """

    equal_threats: Literal["heavy", "light"] = "heavy"
    """Weight of a move with heavy and light chases that win equally much.

    ``heavy``: heavy if one of them is. ``light``: light if one of them is. The printed explanations
    name one chase for each move and decide no such case.
    """

    nine_rounds: Literal["none", "change"] = "none"
    """Treatment of nine consecutive rounds of forbidden moves of a side, to three squares or more,
    without a repetition.

    ``none``: allowed. ``change``: the referee orders the side to change, or calls a draw if both
    sides did so (reference figure 8, at second hand).
    """

    first_rounds: Literal["draw", "red_changes"] = "draw"
    """Treatment of a repetition by allowed moves of both sides within the first 25 rounds of a game
    from the starting position.

    ``draw``: as later in a game. ``red_changes``: Red must change, as two programs apply the rules
    of 2020.
    """

    search_as: str = "wxf"
    """Name of the rule set for the search, which cannot use this definition."""

    def __post_init__(self) -> None:
        check_values(self)


@dataclass(frozen=True)
class Rounds:
    """Limits of consecutive rounds of offences; an invalid value raises RuleSetError.

    Checks, chases and mixtures are counted, for each side separately; a capture resets all counts,
    and a move beyond the maximum is barred. ``occurrences`` then draws a position only if nobody
    has checked or chased since it first occurred, or if both sides offend alike.
    """

    check_rounds: tuple[int, ...] = ()
    """Maximum number of consecutive rounds of checks, whether or not a position is repeated.

    The numbers are for one checking piece, two, and so on; the last is for all further pieces.
    """

    chase_rounds: tuple[int, ...] = ()
    """Maximum number of consecutive rounds of chases of one piece, by number of chasing pieces."""

    mixed_rounds: tuple[int, ...] = ()
    """Maximum number of consecutive rounds of mixed checks and chases of any pieces, by number of
    pieces that take part; given if ``mixing`` is ``any``."""

    check_reply: Literal["counts", "chase_passes", "passes"] = "counts"
    """Treatment of a reply to check within a row of chases, or of checks and chases.

    ``counts``: like any other move. ``chase_passes``: a reply that chases, whatever its victim,
    neither counts nor breaks the row. ``passes``: no reply counts or breaks the row, except that a
    reply which checks counts as a check.
    """

    double_check: Literal["one", "each"] = "one"
    """Number of checking pieces in a row with double checks.

    ``one``: one, if the same piece checks with every move of the row. ``each``: all that check.
    """

    both_full: Literal["first", "graver"] = "first"
    """Side that is barred if both have used up their rounds.

    ``first``: the one whose turn comes first. ``graver``: the one with the graver offence, in the
    order checks, mixture, chases; neither if both are checks, and with another equal pair the one
    whose turn comes first.
    """

    mating_move: Literal["allowed", "counts"] = "allowed"
    """Treatment of a move that mates or stalemates and would exceed the rounds.

    ``allowed``: it ends the game. ``counts``: it is barred like any other move.
    """

    def __post_init__(self) -> None:
        check_values(self)


@cache
def hints_of(kind: type) -> Mapping[str, Any]:
    """Types of the fields of a part or of a rule set."""
    return get_type_hints(kind)


def check_values(part: Any, skipped: Collection[str] = ()) -> None:
    """Validate each value of a dataclass that is not its field's default; raises RuleSetError."""
    kind: Any = type(part)
    for field in dataclasses.fields(part):
        value = getattr(part, field.name)
        if field.name not in skipped and (value is not field.default or value == ()):
            # the hints take milliseconds
            check_value(field.name, hints_of(kind)[field.name], value)
