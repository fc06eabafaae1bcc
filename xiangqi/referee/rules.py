"""Rule sets as data: what counts as an offence, and how the open questions are settled.

The WXF rule book shows by 110 diagrams what a perpetual check and a perpetual chase are. Its
diagrams leave some questions open, and other books answer some differently; each question is a
field of :class:`RuleSet`, whose default is Meihua's reading of the rule book. Each book is a file
of ``rule_sets/``. Two things are not open and have no field:

* Mate and stalemate come before any repetition. A side without a legal move has lost, and as
  it could not have moved from that position earlier either, the two never meet.
* Captures are judged on the board as it is after them, with the safety of both kings.

The conduct of a side over the cycle is one of a few levels, as perpetual check > perpetual chase
> idle. Which loses against which is a table, ``verdicts``; what it does not name is a draw.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_type_hints

from xiangqi.core.board import RuleSwitches
from xiangqi.errors import Fact, RuleSetError
from xiangqi.referee.rule_checks import (
    LEVELS,
    RuleBook,
    check_together,
    check_value,
    format_value,
    list_books,
    parse_value,
    read_book,
)

__all__ = [
    "ALL_DRAWS",
    "CHECKS_ONLY",
    "RULE_FIELDS",
    "RULE_FILE",
    "RULE_SETS",
    "WXF",
    "RuleSet",
    "choose_rule_set",
    "find_rule_book",
    "find_rule_set",
    "load_rule_set",
    "parse_rule",
    "rule_choices",
]


@dataclass(frozen=True)
class RuleSet:
    """A reading of the repetition rules. Values are validated; RuleSetError names a wrong one.

    >>> RuleSet("club", occurrences=2).occurrences
    2
    >>> RuleSet("club", new_threat="piece")  # doctest: +NORMALIZE_WHITESPACE
    Traceback (most recent call last):
    xiangqi.errors.RuleSetError: invalid rule new_threat 'piece': expected one of
        'pair', 'victim'
    """

    name: str
    """Name of the rule set."""

    occurrences: int = 3
    """Number of times a position must occur, the first time included, before it is ruled on.

    The rule book warns first and rules at the next occurrence; programs and most sites rule at the
    third occurrence. The window that is judged reaches from the first of these occurrences, counted
    backwards from the last, until now, for both sides.
    """

    offences: Literal["check_kill_and_chase", "check_and_chase", "check", "none"] = (
        "check_and_chase"
    )
    """Conducts that may not go on for ever. A kill is a threat to mate by checks alone."""

    chase: Literal["capture", "gain"] = "capture"
    """Definition of a chase.

    ``capture``: a piece could be captured at a profit. ``gain``: material could be won by
    captures, checks and exchanges. The second is for the referee alone; the search goes by
    ``search_as``.
    """

    mixing: Literal["one_kind", "any"] = "one_kind"
    """Checks and chases by turns.

    ``one_kind``: neither is perpetual, the side is idle. ``any``: all of it is forbidden together.
    """

    verdicts: tuple[str, ...] = ("check>chase", "check>idle", "chase>idle")
    """Conducts that lose against others:

    ``A>B``, a side of conduct A to one of conduct B. Other pairs are draws. The conducts are
    ``idle``, ``chase``, ``check``; where a chase is a gain ``idle``, ``light``, ``heavy``,
    ``check``.
    """

    penalty: Literal["loss", "must_change", "barred"] = "loss"
    """Penalty of the offender.

    ``loss``: it loses. ``must_change``: it is ordered to change, and loses at the next occurrence;
    a side that only checks loses at once. ``barred``: the move that would repeat the position may
    not be played.
    """

    check_rounds: tuple[int, ...] = ()
    """Number of rounds of checks alone that a side may play, repeated or not.

    With one piece, with two, and so on; the last number is for all more. Where rounds are counted,
    so are those of chases and of checks and chases by turns, each side's beside the other's; a
    capture begins them anew, and the next such move is barred. A position is then drawn by
    ``occurrences`` if nobody checked or chased since it first occurred. Empty where no rounds are
    counted.
    """

    chase_rounds: tuple[int, ...] = ()
    """Number of rounds of chases of one piece that are allowed, by the number of chasing pieces."""

    mixed_rounds: tuple[int, ...] = ()
    """Number of rounds of checks and chases by turns, of any pieces, that are allowed where mixing
    is forbidden."""

    check_reply: Literal["counts", "chase_passes", "passes"] = "counts"
    """A reply to check in the middle of a row of chases, or of checks and chases, where rounds are
    counted.

    ``counts``: as any other move. ``chase_passes``: one that chases, whatever piece, neither counts
    nor breaks the row. ``passes``: no reply does, but a check by a reply counts as a check.
    """

    double_check: Literal["one", "each"] = "one"
    """Two pieces check at once in a row of checks, where rounds are counted.

    ``one``: a piece that checks with every move of the row is the only one that counts. ``each``:
    all that check count.
    """

    both_full: Literal["first", "graver"] = "first"
    """Both sides have used up their rounds.

    ``first``: the side that moves first is barred. ``graver``: only the side with the graver
    offence is barred; checks are graver than checks and chases by turns, and these graver than
    chases. Neither is barred if both have used up their rounds of checks; of two other equal
    offences the first to move is.
    """

    mating_move: Literal["allowed", "counts"] = "allowed"
    """A move that mates, or leaves the other side no move, would exceed the rounds, where they are
    counted. ``allowed``: it ends the game. ``counts``: it is barred like any other.
    """

    mutual_occurrences: int | None = None
    """Number of times a position must occur, repeated by like offences of both sides, before it is
    a draw; None for as often as any."""

    prohibition: Literal["none", "positional", "situational"] = "none"
    """Prohibition of repeating any position (superko).

    ``positional``: no earlier board may return; ``situational``: none with the same side to move.
    """

    new_threat: Literal["pair", "victim"] = "pair"
    """A piece steps onto a square that one enemy already attacks, and a second then hits it too.

    ``pair``: a threat is an attacker and a victim, so the second attacker makes a new threat.
    ``victim``: the piece was under threat already, nothing is new.
    """

    answered: Literal["pair", "victim", "any"] = "pair"
    """Two attackers threaten one piece, and the reply parries only one of them.

    ``pair``: the threat that is gone was answered. ``victim``: the piece can still be taken, so
    nothing was answered. One of the paper's own test positions requires ``pair``. ``any``: the
    reply does not matter, a threat counts when it is made.
    """

    checking_move: Literal["check", "check_and_chase", "voids_all"] = "check"
    """A move that checks and also attacks the victim of the other moves.

    ``check``: a check and nothing else, so mixed with chases it makes the side idle; diagram 13
    requires this. ``check_and_chase``: it may stand in a row of chases as well. ``voids_all``: a
    check and nothing else, and no chase of either side is perpetual in a cycle with a check.
    """

    check_escape: Literal["standing", "new"] = "standing"
    """A side in check could not carry out its old threats; the move out of check frees them.

    ``standing``: they were there before, the move did not make them. ``new``: it did.
    """

    legality: Literal["full", "pseudo"] = "full"
    """Must captures and recaptures leave the own king safe?

    ``full``: yes, including recaptures by the king and the open file between the kings, so
    that pinned pieces neither threaten nor protect; the diagrams on false roots ask for this.
    ``pseudo``: geometry alone.
    """

    minor_attackers: Literal["literal", "profit"] = "literal"
    """An advisor or elephant attacks a protected chariot, horse or cannon.

    ``literal``: the rule book exempts only a chariot attacked by a horse or cannon from
    protection, so this is no chase. ``profit``: it wins material, so it is.
    """

    line_exemption: Literal["exempt", "chase"] = "exempt"
    """An attacker at rest gains because a root is gone whose line runs through that attacker.

    ``exempt``: no chase; diagrams 39 to 41 and 61 ask for this. ``chase``: a chase like others.
    """

    common_victim: Literal["window", "successive", "any"] = "window"
    """Chases with several victims at once: which one is chased perpetually?

    ``window``: a piece that is a victim of every one of the side's moves. ``successive``: it
    is enough that each two neighbouring moves share a victim. ``any``: each move may have another.
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

    free_checks: int | None = None
    """Number of checks of each side that count as plies without a capture; None for all.

    Further ones, and the replies to them, do not count.
    """

    total_limit: int | None = None
    """Plies after which a game is drawn, regardless of captures; None for no limit."""

    king_reply: Literal["idle", "counts"] = "idle"
    """A king steps out of check and thereby threatens something; this field and the next six apply
    where a chase is a gain.

    ``idle``: it does not count (CXA 2020, 26.1.3). ``counts``: as any other move.
    """

    even_chase: Literal["chase", "idle"] = "chase"
    """A piece could be won, but as much would be lost elsewhere.

    ``chase``: all the same (26.5: even or better is a chase). ``idle``: nothing is won.
    """

    root_attack: Literal["weighed", "chase"] = "weighed"
    """A piece could be won, but more would be lost elsewhere, as where a root attacks.

    ``weighed``: that is no chase (26.5). ``chase``: it is (1999), unless the attacker is mated.
    """

    risen_threat: Literal["new", "stood"] = "new"
    """Treatment of a threat that was even before the move and wins after it.

    ``new``: the move made the threat; figure 27 and reference figure 49 ask for this. ``stood``:
    it was there before.
    """

    own_doing: Literal["idle", "chase"] = "idle"
    """The enemy's own last move made the threat, which the mover's then leaves standing.

    ``idle``: nobody else is to blame (reference figures 19 and 21). ``chase``: it counts.
    """

    key_point: Literal["idle", "chase"] = "idle"
    """The last attacking piece of a side holds off a loss, and also attacks an advisor or elephant.

    ``idle``: it may (26.2, figure 18). ``chase``: it counts.
    """

    soldier_strikes: Literal["idle", "chase"] = "idle"
    """Attacks of soldiers that would make all moves of both sides forbidden.

    ``idle``: they never count (26.1). ``chase``: there they do (1999).
    """

    soldier_joins: Literal["chase", "idle"] = "chase"
    """A soldier takes a protected piece, and other pieces that take back make it a gain.

    ``chase``: they attack jointly (26.1.1 and 26.1.2, at second hand). ``idle``: what a soldier
    takes first is its own attack (26.1).
    """

    equal_threats: Literal["heavy", "light"] = "heavy"
    """Weight of a move with several chases that win as much, some heavy and some light.

    ``heavy``: one heavy one is enough. ``light``: one light one is. The printed explanations name
    one chase of a move and decide no such case.
    """

    nine_rounds: Literal["none", "told"] = "none"
    """A side makes nothing but forbidden moves for nine rounds, to three points or more, and no
    position comes back.

    ``none``: nothing is said. ``told``: the referee orders it to change; a draw if both do so
    (reference diagram 8, at second hand).
    """

    no_attackers: Literal["draw", "play_on"] = "draw"
    """Neither side has a piece left that may cross the river: chariot, horse, cannon or soldier.

    ``draw``: nobody can win any more, and the game is drawn at once. ``play_on``: it goes on until
    another ending comes.
    """

    search_as: str = ""
    """Rule set for the search where it cannot use this one."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self)[1:]:
            value = getattr(self, field.name)
            if value is not field.default:  # to evaluate the type hints takes milliseconds
                check_value(field.name, _hints()[field.name], value)
        check_together(self)

    @property
    def in_search(self) -> bool:
        """Can the search use the rule set, or only the referee?"""
        return self.chase == "capture"

    @property
    def counts_rounds(self) -> bool:
        """Are offences counted in rounds, and not by occurrences?"""
        return bool(self.check_rounds)

    @property
    def bars_moves(self) -> bool:
        """Can the rule set bar legal moves?"""
        return self.prohibition != "none" or self.penalty == "barred"

    @property
    def switches(self) -> RuleSwitches:
        """The rule set in the form of the core; for one that only the referee can use, its nearest
        relative. Raises RuleSetError if ``search_as`` names no usable one."""
        return _make_switches(self)

    def replace(self, changes: Mapping[str, object]) -> RuleSet:
        """The same rule set with some fields changed; RuleSetError names an unknown field."""
        for field in changes:
            if field not in RULE_FIELDS:
                expected = Fact("one_of", choices=RULE_FIELDS)
                raise RuleSetError(Fact("rule.unknown_field"), field, expected)
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]

    def describe(self) -> str:
        """Name of the rule set, with its changes as ``--set`` takes them.

        >>> WXF.replace({"occurrences": 2}).describe()
        'wxf occurrences=2'
        """
        known = RULE_SETS.get(self.name, WXF)
        changes = (
            f" {field}={format_value(getattr(self, field))}"
            for field in RULE_FIELDS
            if getattr(self, field) != getattr(known, field)
        )
        return self.name + "".join(changes)


@cache
def _hints() -> Mapping[str, Any]:
    """Types of the fields that can be set."""
    return {field: hint for field, hint in get_type_hints(RuleSet).items() if field != "name"}


def rule_choices(field: str) -> tuple[str, ...]:
    """Values of a field that takes one of some words; empty for numbers and lists.

    >>> rule_choices("identity"), rule_choices("occurrences")
    (('piece', 'square'), ())
    """
    return tuple(value for value in get_args(_hints()[field]) if isinstance(value, str))


def parse_rule(field: str, text: str) -> object:
    """Parse the value of a field; it is validated where it is used.

    >>> parse_rule("no_capture_limit", "none"), parse_rule("offences", "none")
    (None, 'none')
    >>> parse_rule("verdicts", "check>idle,chase>idle")
    ('check>idle', 'chase>idle')
    >>> parse_rule("check_rounds", "6,12,18")
    (6, 12, 18)
    """
    return parse_value(_hints().get(field), text)


_PROHIBITIONS: Final = ("none", "positional", "situational")
_CHECK_REPLIES: Final = ("counts", "chase_passes", "passes")
"""Values in the order of the core's numbers, these two."""


def _count_losses(verdicts: tuple[str, ...]) -> int:
    """Table of verdicts for the core: a bit for each pair of conducts."""
    conducts = LEVELS["capture"]
    pairs = (map(conducts.index, verdict.split(">")) for verdict in verdicts)
    return sum(1 << len(conducts) * loser + winner for loser, winner in set(map(tuple, pairs)))


@lru_cache
def _make_switches(rules: RuleSet) -> RuleSwitches:
    if not rules.in_search:
        kept = {"occurrences": rules.occurrences, "penalty": rules.penalty}
        try:
            return find_rule_set(rules.search_as).replace(kept).switches
        except RuleSetError as error:
            expected = Fact("rule.search_as", error=error.fact)
            subject = Fact("rule.field", field="search_as")
            raise RuleSetError(subject, rules.search_as, expected) from error
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
        prohibition=_PROHIBITIONS.index(rules.prohibition),
        offender_barred=rules.penalty == "barred",
        checks_void_chases=rules.checking_move == "voids_all",
        kinds_mix=rules.mixing == "any",
        exempt_lines=rules.line_exemption == "exempt",
        victims_vary=rules.common_victim == "any",
        losses=_count_losses(rules.verdicts),
        answered_by_any=rules.answered == "any",
        check_rounds=rules.check_rounds,
        chase_rounds=rules.chase_rounds,
        mixed_rounds=rules.mixed_rounds,
        passing_replies=_CHECK_REPLIES.index(rules.check_reply),
        double_checks_count=rules.double_check == "each",
        graver_alone=rules.both_full == "graver",
        mates_count=rules.mating_move == "counts",
    )


# The books

RULE_FILE: Final = ".toml"
"""Suffix of a rule set's file."""
RULE_FIELDS: Final = tuple(field.name for field in dataclasses.fields(RuleSet))[1:]

WXF: Final = RuleSet("wxf")
"""The rules of the World Xiangqi Federation: perpetual check and perpetual chase lose."""

if TYPE_CHECKING:
    CHECKS_ONLY: RuleSet
    """Only perpetual check loses, as on many sites and in many programs."""
    ALL_DRAWS: RuleSet
    """Every repetition is a draw."""
else:

    def __getattr__(name):
        if name not in ("CHECKS_ONLY", "ALL_DRAWS"):
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        return find_rule_set(name.replace("_", "-"))


class _RuleSets(Mapping[str, RuleSet]):
    """Rule sets by name; the file of each is read at first use."""

    def __iter__(self) -> Iterator[str]:
        return iter(list_books())

    def __len__(self) -> int:
        return len(list_books())

    def __contains__(self, name: object) -> bool:
        return name in list_books()

    def __getitem__(self, name: str) -> RuleSet:
        if name == WXF.name:
            return WXF  # which is what its file says, and needs no reading
        return load_rule_set(list_books()[name])


RULE_SETS: Final[Mapping[str, RuleSet]] = _RuleSets()
"""All rule sets by their names, the rule book's own first."""


def find_rule_set(name: str | RuleSet) -> RuleSet:
    """The rule set of this name, in any case; a rule set itself is returned unchanged.

    Raises RuleSetError, which lists the names, for anything else.

    >>> find_rule_set("WXF") is find_rule_set(WXF) is WXF
    True
    """
    if isinstance(name, RuleSet):
        return name
    rules = RULE_SETS.get(name.lower()) if isinstance(name, str) else None
    if rules is None:
        code = "one_of" if isinstance(name, str) else "rule.names"
        expected = Fact(code, choices=tuple(map(repr, RULE_SETS)))
        raise RuleSetError(Fact("rule.set"), name, expected)
    return rules


def find_rule_book(name: str) -> RuleBook:
    """Data of a rule set's file: titles, sources and their certainty."""
    find_rule_set(name)
    return read_book(list_books()[name.lower()])


def choose_rule_set(text: str) -> RuleSet:
    """Rule set chosen by a user: by name, or by its file, ``FILE.toml``."""
    return load_rule_set(Path(text)) if text.endswith(RULE_FILE) else find_rule_set(text)


@cache
def load_rule_set(path: Path) -> RuleSet:
    """Load the rule set of a file; RuleSetError describes its faults.

    The file names another one that it is ``based_on``, or has a value for every field.
    """
    book = read_book(path)
    answers = {
        field: parse_rule(field, value) if isinstance(value, str) else value
        for field, value in book.answers.items()
    }
    try:
        base = find_rule_set(book.based_on) if book.based_on else WXF
        for field in () if book.based_on else RULE_FIELDS:
            if field not in answers:
                raise RuleSetError(Fact("rule.field", field=field), None, Fact("rule.answer"))
        return dataclasses.replace(base.replace(answers), name=book.name)
    except RuleSetError as error:
        raise RuleSetError(error.subject, error.value, error.expected, str(path)) from error
