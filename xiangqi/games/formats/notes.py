"""Headers and marks inside a comment, for formats that have no place of their own for them.

The headers stand before the text of the opening comment, as PGN writes them, each on a line; an
empty line ends them. The marks of a move stand before its comment as ``$1$14``, the numbers of
PGN's table. People can read both, and what is written is read back as it was.

>>> text = put_headers({"Red": "A"}, "a fine game")
>>> print(text)
[Red "A"]
<BLANKLINE>
a fine game
>>> take_headers(text)
({'Red': 'A'}, 'a fine game')
>>> split_marks(join_marks([1, 14], "bold"))
([1, 14], 'bold')
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

__all__ = ["is_header_name", "join_marks", "put_headers", "split_marks", "take_headers"]

_NAME = re.compile(r'[^\s"\[\]\\]+')
_LINE = re.compile(r'\[([^\s"\[\]\\]+) "((?:[^"\\]|\\["\\nr])*)"\]')
_MARKS = re.compile(r"\$(?:\d{1,9}(?:\$\d{1,9})*)? ")
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r"}
_MEANINGS = {"\\": "\\", '"': '"', "n": "\n", "r": "\r"}


def is_header_name(name: str) -> bool:
    """Can a header with this name stand in a comment?"""
    return _NAME.fullmatch(name) is not None


def put_headers(headers: Mapping[str, str], comment: str) -> str:
    """Put headers before a comment; :func:`is_header_name` must hold for their names."""
    if not headers and not comment.startswith(("[", "\n")):
        return comment
    lines = [f'[{name} "{_escape(value)}"]' for name, value in headers.items()]
    return "\n".join([*lines, "", comment]) if comment else "\n".join(lines)


def take_headers(text: str) -> tuple[dict[str, str], str]:
    """Take headers off a comment; none where its first lines are anything else."""
    headers: dict[str, str] = {}
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if not line:
            return headers, "\n".join(lines[number + 1 :])
        found = _LINE.fullmatch(line)
        if found is None:
            break
        headers[found[1]] = re.sub(r"\\(.)", lambda part: _MEANINGS[part[1]], found[2])
    else:
        return headers, ""
    return {}, text


def _escape(value: str) -> str:
    return re.sub(r'[\\"\n\r]', lambda part: _ESCAPES[part[0]], value)


def join_marks(nags: Iterable[int], comment: str) -> str:
    """Put the marks of a move before its comment."""
    marks = "".join(f"${nag}" for nag in nags)
    if not marks and not comment.startswith("$"):
        return comment
    return f"{marks or '$'} {comment}"


def split_marks(text: str) -> tuple[list[int], str]:
    """Take the marks of a move off its comment."""
    found = _MARKS.match(text)
    if found is None:
        return [], text
    return [int(mark) for mark in found[0].strip().split("$") if mark], text[found.end() :]
