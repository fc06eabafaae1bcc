"""What the fields of a rule set may be, each by itself and together; and as text."""

from __future__ import annotations

from typing import Any, Final, get_args

from xiangqi.errors import RuleSetError

__all__ = ["LEVELS", "check_together", "check_value", "format_value", "parse_value"]

WORDS: Final = tuple[str, ...]
NUMBERS: Final = tuple[int, ...]
MIN_OCCURRENCES: Final = 2
MAX_OCCURRENCES: Final = 1000
MIN_ROUNDS: Final = 2
"""Those take no fewer plies than a position that comes back."""
MAX_ROUNDS: Final = 1000
MAX_NUMBERS: Final = 5
"""A row of them has a number for one piece, for two and so on; the core keeps so many."""
MAX_PLIES: Final = 1_000_000
LEVELS: Final = {
    "capture": ("idle", "chase", "check"),
    "gain": ("idle", "light", "heavy", "check"),
}
"""What a side may do all through a cycle, by what a chase is; graver last."""


def check_value(field: str, hint: Any, value: object) -> None:
    """Is it one of the field's words, or a number in its bounds? Raises RuleSetError."""
    if hint is str:
        fits, expected = isinstance(value, str), "text"
    elif hint == WORDS:
        fits, expected = isinstance(value, tuple), "a row of texts"
    elif hint == NUMBERS:
        fits = isinstance(value, tuple) and _rises(value)
        expected = (
            f"a row of {MAX_NUMBERS} numbers at most, {MIN_ROUNDS} to {MAX_ROUNDS}, that rise"
        )
    elif hint is int or (field == "mutual_occurrences" and value is not None):
        fits = _is_whole(value, MIN_OCCURRENCES, MAX_OCCURRENCES)
        expected = f"a number {MIN_OCCURRENCES} to {MAX_OCCURRENCES}"
    elif get_args(hint) == (int, type(None)):
        is_count = field == "free_checks"  # none at all may be free; a game has a ply at least
        fits = value is None or _is_whole(value, 0 if is_count else 1, MAX_PLIES)
        expected = f"a number of {'checks' if is_count else 'plies'}, or None"
    else:
        fits = value in get_args(hint)
        expected = f"one of {', '.join(map(repr, get_args(hint)))}"
    if not fits:
        raise RuleSetError(f"rule {field}", value, expected)


def _rises(numbers: tuple[object, ...]) -> bool:
    """Are these whole numbers of rounds, each larger than the one before?"""
    whole = [
        one for one in numbers if isinstance(one, int) and _is_whole(one, MIN_ROUNDS, MAX_ROUNDS)
    ]
    return len(whole) == len(numbers) <= MAX_NUMBERS and whole == sorted(set(whole))


def _is_whole(value: object, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def check_together(rules: Any) -> None:
    """Do the fields of a rule set fit each other? Raises RuleSetError."""
    _check_verdicts(rules.verdicts, LEVELS[rules.chase])
    for field, expected, fits in _NEEDS:
        if not fits(rules):
            raise RuleSetError(f"rule {field}", getattr(rules, field), expected)


def _check_verdicts(verdicts: tuple[object, ...], levels: tuple[str, ...]) -> None:
    """Each names two of the rule set's conducts, and neither loses to the other as well."""
    for verdict in verdicts:
        loser, _, winner = verdict.partition(">") if isinstance(verdict, str) else ("", "", "")
        if loser not in levels or winner not in levels:
            raise RuleSetError("rule verdicts", verdict, f"A>B with two of {', '.join(levels)}")
        if f"{winner}>{loser}" in verdicts:
            raise RuleSetError("rule verdicts", verdict, "one of two conducts to lose, not both")


_NEEDS: Final = (
    (
        "offences",
        "no kill where a chase is a capture",
        lambda rules: rules.chase == "gain" or rules.offences != "check_kill_and_chase",
    ),
    (
        "search_as",
        "the rule set that a search goes by, as it cannot find out gains",
        lambda rules: rules.in_search or rules.search_as,
    ),
    (
        "search_as",
        "nothing, as a search can go by the rule set itself",
        lambda rules: not (rules.in_search and rules.search_as),
    ),
    (
        "mixing",
        "'one_kind' where a check voids all chases",
        lambda rules: rules.mixing == "one_kind" or rules.checking_move != "voids_all",
    ),
    (
        "offences",
        "'none' where a prohibition lets no position come back",
        lambda rules: rules.prohibition == "none" or rules.offences == "none",
    ),
    (
        "penalty",
        "'loss' where a prohibition lets no position come back",
        lambda rules: rules.prohibition == "none" or rules.penalty == "loss",
    ),
    (
        "chase_rounds",
        "numbers where check_rounds has them, and else none",
        lambda rules: bool(rules.chase_rounds) == rules.counts_rounds,
    ),
    (
        "mixed_rounds",
        "numbers where check_rounds has them and mixing is 'any', and else none",
        lambda rules: bool(rules.mixed_rounds) == (rules.counts_rounds and rules.mixing == "any"),
    ),
    (
        "check_rounds",
        "none, unless penalty is 'barred', offences are 'check_and_chase', chase is 'capture' and "
        "answered is 'any'",
        lambda rules: (
            not rules.counts_rounds
            or (rules.penalty, rules.offences, rules.chase, rules.answered)
            == ("barred", "check_and_chase", "capture", "any")
        ),
    ),
    (
        "check_reply",
        "'counts' where no rounds are counted",
        lambda rules: rules.counts_rounds or rules.check_reply == "counts",
    ),
    (
        "double_check",
        "'one' where no rounds are counted",
        lambda rules: rules.counts_rounds or rules.double_check == "one",
    ),
    (
        "both_full",
        "'first' where no rounds are counted",
        lambda rules: rules.counts_rounds or rules.both_full == "first",
    ),
    (
        "mating_move",
        "'allowed' where no rounds are counted",
        lambda rules: rules.counts_rounds or rules.mating_move == "allowed",
    ),
    (
        "mutual_occurrences",
        "None, or more than occurrences, where chase is 'capture' and offences are not 'none'",
        lambda rules: (
            rules.mutual_occurrences is None
            or (
                rules.chase == "capture"
                and rules.offences != "none"
                and rules.mutual_occurrences > rules.occurrences
            )
        ),
    ),
    (
        "free_checks",
        "None where no_capture_limit is None",
        lambda rules: rules.free_checks is None or rules.no_capture_limit is not None,
    ),
)
"""Fields that do not go together: which to blame, what is expected of it, and when all is well."""


def parse_value(hint: Any, text: str) -> object:
    """The value that a text stands for in a field of this type: a word, a number, ``none``, or a
    row of words with commas between."""
    if hint == WORDS:
        return tuple(filter(None, text.split(",")))
    if hint == NUMBERS:
        words = [word.strip() for word in text.split(",") if word.strip()]
        return tuple(int(word) if _is_number(word) else word for word in words)
    if text == "none" and type(None) in get_args(hint):
        return None
    return int(text) if _is_number(text) and int in (hint, *get_args(hint)) else text


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def format_value(value: object) -> str:
    """The text that stands for a value."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value).lower()
