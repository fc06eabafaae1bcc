"""Rule sets as data: offences, penalties, and answers to the questions that rule books leave open.

The WXF rule book defines perpetual check and perpetual chase by 110 diagrams. They leave some
questions open, and other books answer some differently; each question is a field, whose default is
Meihua's reading of the WXF rule book. The fields are those of :class:`RuleSet`, of its definition
of a chase, and of the limits of rounds if rounds are counted (:mod:`xiangqi.referee.rule_parts`).
Files, options and :meth:`RuleSet.replace` name them all by their names alone. Each rule book is a
file in ``rule_sets/``. Two rules are the same everywhere and have no field:

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
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal, TypeVar, get_args

from xiangqi.core.board import RuleSwitches
from xiangqi.ground.errors import Fact, RuleSetError
from xiangqi.referee.rule_checks import (
    LEVELS,
    MAX_NUMBERS,
    RuleBook,
    check_together,
    check_value,
    format_value,
    list_books,
    parse_value,
    read_book,
)
from xiangqi.referee.rule_parts import CaptureChase, GainChase, Rounds, check_values, hints_of

__all__ = [
    "ALL_DRAWS",
    "CHECKS_ONLY",
    "PART_FIELDS",
    "RULE_FIELDS",
    "RULE_FILE",
    "RULE_SETS",
    "WXF",
    "RuleSet",
    "choose_rule_set",
    "find_rule_book",
    "find_rule_set",
    "list_articles",
    "load_rule_set",
    "parse_rule",
    "rule_choices",
]

Part = TypeVar("Part", "CaptureChase", "GainChase", "Rounds")


@dataclass(frozen=True)
class RuleSet:
    """Rules on repetitions and draws; an invalid value raises RuleSetError.

    >>> RuleSet("club", occurrences=2).occurrences
    2
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

    mixing: Literal["one_kind", "any"] = "one_kind"
    """Conduct of a side that alternates between checks and chases.

    ``one_kind``: idle, since neither is perpetual. ``any``: forbidden.
    """

    verdicts: tuple[str, ...] = ("check>chase", "check>idle", "chase>idle")
    """Decided pairs of conducts: ``A>B`` if conduct A loses to conduct B. Other pairs are draws.

    The conducts are ``idle``, ``chase`` and ``check``; with ``chase="gain"`` they are ``idle``,
    ``light``, ``heavy`` and ``check``.
    """

    common_victim: Literal["window", "successive", "any"] = "window"
    """Victims that make chases perpetual; ``any`` if a chase is a gain.

    ``window``: one piece must be a victim of every move of the side. ``successive``: each two
    successive moves must share a victim. ``any``: each move may have another victim.
    """

    penalty: Literal["loss", "must_change", "barred"] = "loss"
    """Penalty of the offender.

    ``loss``: it loses. ``must_change``: it is ordered to change its moves, and loses at the next
    occurrence; perpetual check loses at once. ``barred``: the offending move may not be played.
    """

    rounds: Rounds | None = None
    """Limits of rounds; None if they are not counted.

    In files and options they are counted if ``check_rounds`` is not empty.
    """

    mutual_occurrences: int | None = None
    """Number of occurrences at which equal offences of both sides are a draw; None for
    ``occurrences``."""

    prohibition: Literal["none", "positional", "situational"] = "none"
    """Prohibition of repeating any position (superko).

    ``positional``: no placement of the pieces may recur; ``situational``: none with the same side
    to move.
    """

    chase: CaptureChase | GainChase = dataclasses.field(default_factory=CaptureChase)
    """Definition of a chase: ``capture`` or ``gain`` in files and options."""

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

    no_attackers: Literal["draw", "play_on"] = "draw"
    """Treatment of a position in which neither side has a chariot, horse, cannon or soldier left.

    ``draw``: an immediate draw, as neither side can win. ``play_on``: the game continues.
    """

    file: Path | None = dataclasses.field(default=None, compare=False, repr=False)
    """File that the rule set was loaded from, which may name its articles; None for that of WXF."""

    def __post_init__(self) -> None:
        for field, kinds in _KINDS.items():
            value = getattr(self, field)
            if not isinstance(value, kinds):
                expected = Fact("one_of", choices=[kind.__name__ for kind in kinds])
                raise RuleSetError(Fact("rule.field", field=field), value, expected)
        check_values(self, skipped=("name", "file", *_KINDS))
        check_together(self)

    @property
    def answers(self) -> Mapping[str, object]:
        """Answers by field, in the form of files; fields that do not apply are left out.

        >>> WXF.answers["chase"], WXF.answers["identity"], "key_point" in WXF.answers
        ('capture', 'piece', False)
        """
        return _list_answers(self)

    @property
    def in_search(self) -> bool:
        """Can the search use the rule set, or only the referee?"""
        return isinstance(self.chase, CaptureChase)

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
        """Copy with some answers changed; raises RuleSetError for an invalid field or value.

        Another definition of a chase, and limits of rounds where there were none, begin with the
        defaults of their fields. A field that does not apply cannot be changed.
        """
        for field in changes:
            if field not in RULE_FIELDS:
                expected = Fact("one_of", choices=RULE_FIELDS)
                raise RuleSetError(Fact("rule.unknown_field"), field, expected)
        left = dict(changes)
        definition = left.pop("chase", self.answers["chase"])
        check_value("chase", _hints()["chase"], definition)
        chase = _replace_part(self.chase, _CHASES[str(definition)], left)
        rounds = self.rounds
        if left.get("check_rounds", self.answers["check_rounds"]):
            rounds = _replace_part(rounds, Rounds, left)
        elif "check_rounds" in left:
            rounds = None
            left = {field: value for field, value in left.items() if value != ()}
        for field, value in left.items():
            if field in PART_FIELDS["rounds"]:
                raise RuleSetError(Fact("rule.field", field=field), value, Fact("rule.no_rounds"))
            if field in PART_FIELDS["chase"]:
                expected = Fact("rule.other_chase", chase=definition)
                raise RuleSetError(Fact("rule.field", field=field), value, expected)
        own: dict[str, Any] = left
        return dataclasses.replace(self, chase=chase, rounds=rounds, **own)

    def describe(self) -> str:
        """Name of the rule set, with its changes in the syntax of ``--set``.

        >>> WXF.replace({"occurrences": 2}).describe()
        'wxf occurrences=2'
        """
        known = RULE_SETS.get(self.name, WXF).answers
        changes = (
            f" {field}={format_value(answer)}"
            for field, answer in self.answers.items()
            if field not in known or answer != known[field]
        )
        return self.name + "".join(changes)


_CHASES: Final = {"capture": CaptureChase, "gain": GainChase}
_KINDS: Final = {"chase": (CaptureChase, GainChase), "rounds": (Rounds, type(None))}


def _fields(part: type) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(part))


PART_FIELDS: Final = {
    "chase": ("chase", *_fields(CaptureChase), *_fields(GainChase)),
    "rounds": _fields(Rounds),
}
"""Fields in files and options of each part of a rule set."""
RULE_FIELDS: Final = tuple(
    name
    for field in _fields(RuleSet)
    if field not in ("name", "file")
    for name in PART_FIELDS.get(field, (field,))
)
"""Names of all fields in files and options."""


def _replace_part(part: object, kind: type[Part], changes: dict[str, Any]) -> Part:
    """Part of a rule set with its changes, which are taken out of ``changes``."""
    own = {field: changes.pop(field) for field in _fields(kind) if field in changes}
    return dataclasses.replace(part, **own) if isinstance(part, kind) else kind(**own)


@lru_cache
def _list_answers(rules: RuleSet) -> Mapping[str, object]:
    definition = next(name for name, kind in _CHASES.items() if isinstance(rules.chase, kind))
    rounds = vars(rules.rounds) if rules.rounds is not None else {"check_rounds": ()}
    found = {**vars(rules), **vars(rules.chase), **rounds, "chase": definition}
    return MappingProxyType({field: found[field] for field in RULE_FIELDS if field in found})


@cache
def _hints() -> Mapping[str, Any]:
    """Types of all fields."""
    kinds = (RuleSet, *_CHASES.values(), Rounds)
    hints = {field: hint for kind in kinds for field, hint in hints_of(kind).items()}
    return {field: hints[field] for field in RULE_FIELDS} | {"chase": Literal[tuple(_CHASES)]}


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


# The core

_REFEREE_FIELDS: Final = (
    "chase",
    "mutual_occurrences",
    "no_capture_limit",
    "free_checks",
    "total_limit",
    "no_attackers",
)
"""Fields that the core does not read."""


def _number(field: str, answer: Any) -> int | list[int]:
    """An answer as the core reads it: words by their place among the choices, limits of rounds for
    each number of pieces, and verdicts as a bit set of the pairs in which the first conduct loses.
    """
    if field == "verdicts":
        levels = LEVELS["capture"]
        pairs = {tuple(map(levels.index, verdict.split(">"))) for verdict in answer}
        return sum(1 << len(levels) * loser + winner for loser, winner in pairs)
    if isinstance(answer, tuple):
        return [answer[min(i, len(answer) - 1)] if answer else 0 for i in range(MAX_NUMBERS)]
    return answer if isinstance(answer, int) else rule_choices(field).index(answer)


@lru_cache
def _make_switches(rules: RuleSet) -> RuleSwitches:
    if isinstance(rules.chase, GainChase):
        kept = {"occurrences": rules.occurrences, "penalty": rules.penalty}
        try:
            return find_rule_set(rules.chase.search_as).replace(kept).switches
        except RuleSetError as error:
            expected = Fact("rule.search_as", error=error.fact)
            subject = Fact("rule.field", field="search_as")
            raise RuleSetError(subject, rules.chase.search_as, expected) from error
    uncounted = {field: (*rule_choices(field), ())[0] for field in _fields(Rounds)}
    answers = {**uncounted, **rules.answers}
    return RuleSwitches(
        {
            field: _number(field, answer)
            for field, answer in answers.items()
            if field not in _REFEREE_FIELDS
        }
    )


# Rule books

RULE_FILE: Final = ".toml"
"""Suffix of the files of rule books."""

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


def list_articles(rules: RuleSet, *keys: str) -> tuple[str, ...]:
    """Articles of a rule set's book on some parts of a ruling; empty where none is known.

    >>> list_articles(WXF, "false_root", "exchange")
    ('34', '24', '40')
    """
    path = rules.file or list_books().get(rules.name)
    articles = read_book(path).articles if path is not None else {}
    return tuple(dict.fromkeys(number for key in keys for number in articles.get(key, ())))


def choose_rule_set(text: str) -> RuleSet:
    """Rule set given by a user: a name, or a file ``FILE.toml``."""
    return load_rule_set(Path(text)) if text.endswith(RULE_FILE) else find_rule_set(text)


@cache
def load_rule_set(path: Path) -> RuleSet:
    """Load a rule set from a file; raises RuleSetError if it is invalid.

    A file without ``based_on`` must have a value for every field that applies.
    """
    book = read_book(path)
    answers = {
        field: parse_rule(field, value) if isinstance(value, str) else value
        for field, value in book.answers.items()
    }
    try:
        base = find_rule_set(book.based_on) if book.based_on else WXF
        rules = base.replace(answers)
        for field in () if book.based_on else rules.answers:
            if field not in answers:
                raise RuleSetError(Fact("rule.field", field=field), None, Fact("rule.answer"))
        return dataclasses.replace(rules, name=book.name, file=path)
    except RuleSetError as error:
        raise RuleSetError(error.subject, error.value, error.expected, str(path)) from error
