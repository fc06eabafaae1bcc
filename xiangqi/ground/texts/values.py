"""Values in texts: quotations, and numbers with what they count."""

from __future__ import annotations

import re
import reprlib
from typing import Final

__all__ = ["Count", "plural", "quote", "quote_bytes"]

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
