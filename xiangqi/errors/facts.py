"""Facts: faults of input as a code with values, with texts in English and Chinese.

Errors hold a :class:`Fact`, not prose. The tables :mod:`xiangqi.errors.games` and
:mod:`xiangqi.errors.programs` have both texts of each code. The model is shakmaty's error enums
(``ParseFenError``); facts also keep the quoted input and its place.

>>> fact = Fact("fen.side", found="x")
>>> str(fact), fact.say("zh")
("found 'x', expected 'w' or 'b'", "此处为'x'，应为“w”或“b”")
>>> fact.code, fact.values, fact.expected
('fen.side', {'found': 'x'}, "'w' or 'b'")
"""

from __future__ import annotations

import errno
import re
import reprlib
from functools import cache
from typing import Any, Final, Literal, TypeAlias

__all__ = [
    "Count",
    "Fact",
    "Language",
    "plural",
    "quote",
    "quote_bytes",
    "reason_of",
    "say_fact",
    "texts_of",
]

Language: TypeAlias = Literal["en", "zh"]

_QUOTE_LIMIT = 120
_LONG = 2_000  # maximum characters of a text that are examined
_UNPRINTABLE = (
    r"(?:[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\uf8ff\ufffd\U000e0000-\U0010ffff]"
    r"|\\x[0-9a-f]{2})+"
)
"""Pattern of unprintable characters and escaped bytes. Compiled at first use, since that takes as
long as the rest of this module."""


class _Quoter(reprlib.Repr):
    def repr_str(self, x: str, level: int) -> str:
        if len(x) > _LONG:
            x = f"{x[: _LONG // 2]}...{x[-_LONG // 2 :]}"
        if len(repr(x)) > self.maxstring:
            x = re.sub(_UNPRINTABLE, "\ufffd", x)
        return super().repr_str(x, level)

    def repr_int(self, x: int, level: int) -> str:
        try:
            return super().repr_int(x, level)
        except ValueError:  # Python refuses to format numbers of thousands of digits
            return f"<a number of {x.bit_length()} bits>"


_quoter = _Quoter()
_quoter.maxstring = _quoter.maxother = _quoter.maxlong = _QUOTE_LIMIT


def quote(value: object) -> str:
    """Quote *value* for a message, by its ``repr``.

    In a long text U+FFFD replaces each run of unprintable characters, and the middle is left out.

    >>> quote("h2e2")
    "'h2e2'"
    >>> quote("\\0")
    "'\\\\x00'"
    >>> quote("PK" + "\\0" * 1_000 + " a file")
    "'PK� a file'"
    >>> len(quote("9/" * 1_000_000))
    120
    """
    return _quoter.repr(str(value) if isinstance(value, str) else value)


def quote_bytes(data: bytes) -> str:
    """Quote bytes as UTF-8 text, with U+FFFD in place of unprintable runs.

    >>> quote_bytes(b"PK\\3\\4\\0\\0 a file")
    "'PK� a file'"
    """
    return quote(re.sub(_UNPRINTABLE, "\ufffd", data.decode("utf-8", "replace")))


# Numbers with what they count

_TIMES: Final = {1: "once", 2: "twice"}


def plural(count: int, noun: str) -> str:
    """Format a number with its English noun.

    >>> plural(1, "game"), plural(0, "game"), plural(12_345, "ply")
    ('1 game', '0 games', '12345 plies')
    """
    if count != 1:
        noun = f"{noun[:-1]}ies" if noun.endswith("ly") else f"{noun}s"
    return f"{count} {noun}"


class Count(int):
    """Number that can be formatted with a noun, or as ``times``.

    >>> f"{Count(2):game} met {Count(1):times}, {Count(7):>3}"
    '2 games met once,   7'
    """

    def __format__(self, spec: str) -> str:
        if spec == "times":
            return _TIMES.get(self, f"{int(self)} times")
        return plural(self, spec) if spec.isalpha() else format(int(self), spec)


# Facts

# A placeholder: {name}; {name!r} for a quotation; {name:unit} for a number with its noun ("3
# ranks", in Chinese the number alone), the kind of a piece, or a list joined by ";" or "or".
_PLACEHOLDER: Final = re.compile(r"\{(\w+)(!r)?(?::(;|\w+))?\}")
_COMMAS: Final = {None: (", ", "、"), ";": ("; ", "；"), "or": (" or ", "或")}
_EXPECTED: Final = {"en": ", expected ", "zh": "，应为"}
_EXPECTED_ALONE: Final = {"en": "expected ", "zh": "应为"}


@cache
def _table() -> dict[str, tuple[str, str]]:
    from xiangqi.errors.games import (
        GAMES,
    )  # imported with the first error, since most runs have none
    from xiangqi.errors.programs import PROGRAMS

    return {**GAMES, **PROGRAMS}


def texts_of(code: str) -> tuple[str, str]:
    """English and Chinese text of a code; KeyError if unknown.

    ``|`` separates the fault from the expected input.
    """
    return _table()[code]


def say_fact(language: Language, code: str, values: dict[str, Any]) -> str:
    """Text of a code in a language, with its values filled in."""
    found, bar, expected = texts_of(code)[language == "zh"].partition("|")
    if bar and (not found or found.endswith((":", "："))):
        blank = " " if found.endswith(":") else ""
        form = f"{found}{blank}{_EXPECTED_ALONE[language]}{expected}"
    else:
        form = f"{found}{_EXPECTED[language]}{expected}" if bar else found
    return _fill(language, form, values)


def _fill(language: Language, form: str, values: dict[str, Any]) -> str:
    return _PLACEHOLDER.sub(
        lambda found: _say_value(language, values[found[1]], found[2], found[3]), form
    )


def _say_value(language: Language, value: Any, is_quoted: str | None, unit: str | None) -> str:
    if is_quoted:
        return quote(value)
    if isinstance(value, bool):  # a side
        return ("red" if value else "black") if language == "en" else "红方" if value else "黑方"
    if isinstance(value, tuple):
        comma = _COMMAS[unit][language == "zh"]
        return comma.join(_say_value(language, one, None, None) for one in value)
    if unit == "kind":
        return str(value.term() if language == "en" else value.chinese("simplified"))
    if unit:
        return format(Count(value), unit) if language == "en" else str(value)
    say = getattr(value, "say", None)  # another fact, or a piece
    return str(value) if say is None else str(say(language))


class Fact(str):
    """Fault of an input, or the expected input: a str with its English text.

    :meth:`say` gives the text in another language. Values are texts, numbers, pieces, sides (RED,
    BLACK), tuples of these, and other facts.
    """

    code: str
    """Key in the tables."""
    values: dict[str, Any]
    """Values of the placeholders."""

    def __new__(cls, code: str, /, **values: Any) -> Fact:
        """Make a fact; KeyError for an unknown code or a missing value."""
        fact = super().__new__(cls, say_fact("en", code, values))
        fact.code, fact.values = code, values
        return fact

    def say(self, language: Language) -> str:
        """Text in a language."""
        return str(self) if language == "en" else say_fact(language, self.code, self.values)

    @property
    def expected(self) -> str | None:
        """English text of the expected input; None if unknown."""
        found = texts_of(self.code)[0].partition("|")
        if found[1]:
            return _fill("en", found[2], self.values)
        facts = (value.expected for value in self.values.values() if isinstance(value, Fact))
        return next(filter(None, facts), None)

    def __reduce__(self) -> tuple[Any, ...]:
        return _restore, (self.code, self.values)

    def __deepcopy__(self, memo: object) -> Fact:
        return self


def _restore(code: str, values: dict[str, Any]) -> Fact:
    return Fact(code, **values)


_SYSTEM: Final = {
    errno.ENOENT: "system.no_file",
    errno.EACCES: "system.no_permission",
    errno.EPERM: "system.no_permission",
    errno.EISDIR: "system.is_folder",
    errno.ENOTDIR: "system.no_folder",
    errno.ENOSPC: "system.no_space",
    errno.EROFS: "system.read_only",
    errno.EEXIST: "system.exists",
    errno.ENAMETOOLONG: "system.long_name",
}


def reason_of(error: Exception) -> Fact:
    """Reason of an error from outside the package; of an OSError without number and path.

    >>> try:
    ...     open("no/such")
    ... except OSError as error:
    ...     reason_of(error)
    'No such file or directory'
    """
    if isinstance(error, OSError) and error.strerror:
        code = _SYSTEM.get(error.errno or 0, "outside")
        if texts_of(code)[0] == error.strerror:
            return Fact(code)
        return Fact("outside", text=error.strerror)
    return outside(error)


def outside(text: object) -> Fact:
    """Fact of an error; or untranslated text of the system, a library or an engine, as a fact."""
    inner = getattr(text, "fact", None)
    if isinstance(text, Exception) and len(text.args) == 1 and isinstance(text.args[0], Fact):
        inner = text.args[0]  # an EngineError, whose class is python-chess's
    return inner if isinstance(inner, Fact) else Fact("outside", text=str(text))
