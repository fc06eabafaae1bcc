"""Open questions of the rules of repetition, each with its default."""

from dataclasses import dataclass, fields
from typing import Literal, get_args


@dataclass(frozen=True)
class Choices:
    """One reading of the WXF rules where their text and diagrams allow several."""

    occurrences: int = 3
    """Number of times a position must have stood before it is judged. The rule book warns a player
    first and lets an arbiter decide; programs settle on the third time."""

    levels: Literal["check_and_chase", "check", "none"] = "check_and_chase"
    """Forbidden conducts. Other rule books punish perpetual check only, and a plain draw by
    repetition punishes nothing; kinds that do not count are idle."""

    new_threat: Literal["pair", "victim"] = "pair"
    """Definition of a new threat: an attacker that did not threaten this victim before, or a victim
    that nobody threatened before. No diagram has a second attacker join in."""

    answered: Literal["pair", "victim", "any"] = "pair"
    """Definition of an answer to a threat: an end to this attacker's threat to the victim, or
    safety of the victim from everybody, or any move at all, so that a threat counts when it is
    made. The rule book has no victim that leaves one attacker for another; one test position of the
    paper's authors needs the first, which also treats threats the same way when they end as when
    they begin."""

    checking_move: Literal["check", "check_and_chase", "voids_all"] = "check"
    """Whether a move that checks and attacks a piece as well is a check only, or may also stand in
    a row of chases.  The text calls it a check; it does not say whether the chase is lost.  The
    rules for programs say more: with a check in the cycle, by whichever side, no side chases."""

    mixing: Literal["one_kind", "any"] = "one_kind"
    """Whether a side that checks with some moves and chases with the others is idle, or offends as
    one that chases with all.  The second is how the Chinese rules see it."""

    check_escape: Literal["standing", "new"] = "standing"
    """Whether stepping out of check makes the threats anew that were there but could not be
    carried out while the king was in check.  No diagram shows it."""

    legality: Literal["full", "pseudo"] = "full"
    """Whether captures and recaptures must leave the own king safe, or only follow the movement of
    the pieces.  The diagrams want it for pinned pieces; simpler judges leave it out."""

    minor_attackers: Literal["literal", "profit"] = "literal"
    """Whether an advisor or elephant that attacks a protected chariot, horse or cannon chases it.
    The text makes an exception from protection only for horse or cannon against a chariot; by its
    spirit (a capture at a profit) the weaker piece would belong there too."""

    common_victim: Literal["window", "successive", "any"] = "window"
    """Whether one victim must be chased by all moves of the window, or only by each two moves in
    succession, or each move may chase another.  The text speaks of one piece; with several victims
    programs differ, and the Chinese rules do not ask."""

    line_exemption: Literal["exempt", "chase"] = "exempt"
    """Whether an attacker at rest is exempt when the root that is gone looked through itself.  The
    diagrams want it; simpler judges know nothing of it."""

    identity: Literal["piece", "square"] = "piece"
    """Whether a victim is the wooden piece throughout, or whether identities start again each time
    the first position returns.  It matters when two equal pieces change places."""

    def __post_init__(self) -> None:
        """Refuse a value that no choice offers, so that a slip of the pen is no silent default."""
        if self.occurrences < 2:
            raise ValueError(f"occurrences {self.occurrences}: expected 2 or more")
        for field in fields(self):
            offered = get_args(field.type)
            if offered and getattr(self, field.name) not in offered:
                raise ValueError(f"{field.name} {getattr(self, field.name)!r}: expected {offered}")
