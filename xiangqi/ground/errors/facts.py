"""Facts: faults of input as a code with values, whose texts are in :mod:`xiangqi.ground.texts`.

Errors hold a :class:`Fact`, not prose. The model is shakmaty's error enums (``ParseFenError``);
facts also keep the quoted input and its place.

>>> fact = Fact("fen.side", found="x")
>>> str(fact), fact.say("zh")
("found 'x', expected 'w' or 'b'", "此处为'x'，应为“w”或“b”")
>>> fact.code, fact.values, fact.expected
('fen.side', {'found': 'x'}, "'w' or 'b'")
"""

from __future__ import annotations

import errno
from typing import Any, Final

from xiangqi.ground.texts import Language, fill, text_of

__all__ = ["Fact", "reason_of", "say_fact"]


def say_fact(language: Language, code: str, values: dict[str, Any]) -> str:
    """Text of a code in a language; ``|`` in it separates the fault from the expected input."""
    found, bar, expected = text_of(language, code).partition("|")
    if bar and (not found or found.endswith((":", "："))):
        blank = " " if found.endswith(":") else ""
        found += f"{blank}{text_of(language, 'expected_alone')}{expected}"
    elif bar:
        found += f"{text_of(language, 'expected_after')}{expected}"
    return fill(language, found, values)


class Fact(str):
    """Fault of an input, or the expected input: a str with its English text.

    :meth:`say` gives the text in another language. Values are texts, numbers, pieces, sides (RED,
    BLACK), tuples of these, and other facts.
    """

    code: str
    """Key of the text."""
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
        _, bar, expected = text_of("en", self.code).partition("|")
        if bar:
            return fill("en", expected, self.values)
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
        if text_of("en", code) == error.strerror:
            return Fact(code)
        return Fact("outside", text=error.strerror)
    return outside(error)


def outside(text: object) -> Fact:
    """Fact of an error; or untranslated text of the system, a library or an engine, as a fact."""
    inner = getattr(text, "fact", None)
    if isinstance(text, Exception) and len(text.args) == 1 and isinstance(text.args[0], Fact):
        inner = text.args[0]  # an EngineError, whose class is python-chess's
    return inner if isinstance(inner, Fact) else Fact("outside", text=str(text))
