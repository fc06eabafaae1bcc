"""Rule sets as data: offences, penalties, and answers to the questions that rule books leave open.

The WXF rule book defines perpetual check and perpetual chase by 110 diagrams. They leave some
questions open, and other books answer some differently; each question is a field of
:class:`RuleSet`, whose default is Meihua's reading of the WXF rule book. Each rule book is a file
in ``rule_sets/``. Two rules are the same everywhere and have no field:

* Mate and stalemate take precedence over repetition. The two never conflict: a side without a legal
  move had none at any earlier occurrence either.
* Captures are judged on the board after the capture, with the safety of both kings.

The conduct of a side over a cycle is one of a few levels, such as perpetual check > perpetual chase
> idle. ``verdicts`` lists the pairs in which one side loses; every other pair is a draw.
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
    """Rules on repetitions and draws; an invalid value raises RuleSetError.

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
    """Number of occurrences of a position, the first included, at which the referee rules.

    The rule book warns first and rules at the next occurrence; programs and most sites rule at the
    third. The judged window covers the moves of both sides during the last ``occurrences``
    occurrences.
    """

    offences: Literal["check_kill_and_chase", "check_and_chase", "check", "none"] = (
        "check_and_chase"
    )
    """Kinds of moves that may not be repeated for ever. A kill threatens mate by checks alone."""

    chase: Literal["capture", "gain"] = "capture"
    """Definition of a chase.

    ``capture``: a piece could be captured at a profit. ``gain``: material could be won by
    captures, checks and exchanges. Only the referee can apply ``gain``; the search uses the rule
    set ``search_as``.
    """

    mixing: Literal["one_kind", "any"] = "one_kind"
    """Conduct of a side that alternates between checks and chases.

    ``one_kind``: idle, since neither is perpetual. ``any``: forbidden.
    """

    verdicts: tuple[str, ...] = ("check>chase", "check>idle", "chase>idle")
    """Decided pairs of conducts: ``A>B`` if conduct A loses to conduct B. Other pairs are draws.

    The conducts are ``idle``, ``chase`` and ``check``; with ``chase="gain"`` they are ``idle``,
    ``light``, ``heavy`` and ``check``.
    """

    penalty: Literal["loss", "must_change", "barred"] = "loss"
    """Penalty of the offender.

    ``loss``: it loses. ``must_change``: it is ordered to change its moves, and loses at the next
    occurrence; perpetual check loses at once. ``barred``: the offending move may not be played.
    """

    check_rounds: tuple[int, ...] = ()
    """Maximum number of consecutive rounds of checks, whether or not a position is repeated.

    The numbers are for one checking piece, two, and so on; the last is for all further pieces.
    Empty if rounds are not counted. Otherwise chases and mixtures are counted as well, for each
    side separately; a capture resets all counts, and a move beyond the maximum is barred.
    ``occurrences`` then draws a position only if nobody has checked or chased since it first
    occurred, or if both sides offend alike.
    """

    chase_rounds: tuple[int, ...] = ()
    """Maximum number of consecutive rounds of chases of one piece, by number of chasing pieces."""

    mixed_rounds: tuple[int, ...] = ()
    """Maximum number of consecutive rounds of mixed checks and chases of any pieces, by number of
    pieces that take part; given if ``mixing`` is ``any``."""

    check_reply: Literal["counts", "chase_passes", "passes"] = "counts"
    """Treatment of a reply to check within a row of chases, or of checks and chases, if rounds are
    counted.

    ``counts``: like any other move. ``chase_passes``: a reply that chases, whatever its victim,
    neither counts nor breaks the row. ``passes``: no reply counts or breaks the row, except that a
    reply which checks counts as a check.
    """

    double_check: Literal["one", "each"] = "one"
    """Number of checking pieces in a row with double checks, if rounds are counted.

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

    mutual_occurrences: int | None = None
    """Number of occurrences at which equal offences of both sides are a draw; None for
    ``occurrences``."""

    prohibition: Literal["none", "positional", "situational"] = "none"
    """Prohibition of repeating any position (superko).

    ``positional``: no placement of the pieces may recur; ``situational``: none with the same side
    to move.
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

    common_victim: Literal["window", "successive", "any"] = "window"
    """Victims that make chases perpetual.

    ``window``: one piece must be a victim of every move of the side. ``successive``: each two
    successive moves must share a victim. ``any``: each move may have another victim.
    """

    identity: Literal["piece", "square"] = "piece"
    """Identity of two equal pieces that exchange squares within a repetition.

    ``piece``: each physical piece is tracked. ``square``: at each recurrence of the position, the
    piece on a square counts as the one that was there at first.
    """

    no_capture_limit: int | None = 120
    """Plies without a capture (the halfmove clock) after which a game is drawn; None for no limit.

    120 plies are the 60 rounds of the WXF rule book.
    """

    free_checks: int | None = None
    """Number of checks of each side that count towards ``no_capture_limit``; None for all.

    Further checks, and the replies to them, do not count.
    """

    total_limit: int | None = None
    """Plies after which a game is drawn, regardless of captures; None for no limit."""

    king_reply: Literal["idle", "counts"] = "idle"
    """Treatment of threats made by a king's move out of check. This field and the next nine apply
    if ``chase`` is ``gain``.

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
    the threat was there before.
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

    no_attackers: Literal["draw", "play_on"] = "draw"
    """Treatment of a position in which neither side has a chariot, horse, cannon or soldier left.

    ``draw``: an immediate draw, as neither side can win. ``play_on``: the game continues.
    """

    search_as: str = ""
    """Name of the rule set for the search, if it cannot use this one."""

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self)[1:]:
            value = getattr(self, field.name)
            if value is not field.default:  # evaluating the type hints takes milliseconds
                check_value(field.name, _hints()[field.name], value)
        check_together(self)

    @property
    def in_search(self) -> bool:
        """Can the search use the rule set, or only the referee?"""
        return self.chase == "capture"

    @property
    def counts_rounds(self) -> bool:
        """Are offences counted in rounds instead of by occurrences?"""
        return bool(self.check_rounds)

    @property
    def bars_moves(self) -> bool:
        """Can the rule set bar legal moves?"""
        return self.prohibition != "none" or self.penalty == "barred"

    @property
    def switches(self) -> RuleSwitches:
        """The rule set in the form of the core, or that of ``search_as`` if the search cannot use
        this one. Raises RuleSetError if ``search_as`` names no usable rule set."""
        return _make_switches(self)

    def replace(self, changes: Mapping[str, object]) -> RuleSet:
        """Copy with some fields changed; raises RuleSetError for an invalid field or value."""
        for field in changes:
            if field not in RULE_FIELDS:
                expected = Fact("one_of", choices=RULE_FIELDS)
                raise RuleSetError(Fact("rule.unknown_field"), field, expected)
        return dataclasses.replace(self, **changes)  # type: ignore[arg-type]

    def describe(self) -> str:
        """Name of the rule set, with its changes in the syntax of ``--set``.

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
    """Types of all fields but the name."""
    return {field: hint for field, hint in get_type_hints(RuleSet).items() if field != "name"}


def rule_choices(field: str) -> tuple[str, ...]:
    """Values of a field that is an enumeration; empty for numbers and lists.

    >>> rule_choices("identity"), rule_choices("occurrences")
    (('piece', 'square'), ())
    """
    return tuple(value for value in get_args(_hints()[field]) if isinstance(value, str))


def parse_rule(field: str, text: str) -> object:
    """Parse the value of a field, without validating it.

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
"""Values of ``check_reply``; both tuples are in the order of the core's numbers."""


def _count_losses(verdicts: tuple[str, ...]) -> int:
    """Verdicts as a bit set for the core: the bit of each pair in which the first conduct loses."""
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


# Rule books

RULE_FILE: Final = ".toml"
"""Suffix of the files of rule books."""
RULE_FIELDS: Final = tuple(field.name for field in dataclasses.fields(RuleSet))[1:]

WXF: Final = RuleSet("wxf")
"""Rules of the World Xiangqi Federation: perpetual check and perpetual chase lose."""

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
            return WXF  # equal to its file, which need not be read
        return load_rule_set(list_books()[name])


RULE_SETS: Final[Mapping[str, RuleSet]] = _RuleSets()
"""All rule sets by name, WXF first."""


def find_rule_set(name: str | RuleSet) -> RuleSet:
    """Rule set of a name, case-insensitive; a rule set is returned unchanged.

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
    """Rule book of a rule set: titles, sources and their certainty."""
    find_rule_set(name)
    return read_book(list_books()[name.lower()])


def choose_rule_set(text: str) -> RuleSet:
    """Rule set given by a user: a name, or a file ``FILE.toml``."""
    return load_rule_set(Path(text)) if text.endswith(RULE_FILE) else find_rule_set(text)


@cache
def load_rule_set(path: Path) -> RuleSet:
    """Load a rule set from a file; raises RuleSetError if it is invalid.

    A file without ``based_on`` must have a value for every field.
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
