"""Results of games as people, sites and programs write them.

>>> [parse_result(text) for text in ("红胜（绝杀）", "先和", "½-½", "Black wins on time", "吃饭")]
['1-0', '1/2-1/2', '1/2-1/2', '0-1', None]
>>> parse_result("W"), parse_result("W", letters=True)
(None, '1-0')
>>> parse_result("0-1 resignation"), parse_result("0-1 resignation", letters=True)
(None, '0-1')
"""

from __future__ import annotations

import re
from typing import Final

from xiangqi.games.record import Result

__all__ = ["RESULT", "parse_result"]

_WON: Final = "[胜勝赢贏]"
_LOST: Final = "(?:(?:超[时時])?[判告]?[负負]|[认認投][负負输輸降])"
_WORDS: Final[dict[Result, str]] = {
    "1-0": (
        rf"[红紅][方先]?{_WON}|先(?:手)?{_WON}|[后後](?:手)?{_LOST}|黑[方后後]?{_LOST}"
        r"|(?:red|white) (?:wins|won)\b|black (?:resigns|loses|lost)\b|1[-:–]0(?![\d-])"
    ),
    "0-1": (
        rf"黑[方后後]?{_WON}|先(?:手)?{_LOST}|[后後](?:手)?{_WON}|[红紅][方先]?{_LOST}"
        r"|black (?:wins|won)\b|(?:red|white) (?:resigns|loses|lost)\b|0[-:–]1(?![\d-])"
    ),
    "1/2-1/2": (
        r"½\s*-\s*½|1/2(?:-1/2)?(?![\d/-])|(?:[双雙红紅黑][方先]|先)?[弈议議作成平握]?和[棋局]?(?!\w)"
        r"|平[局手](?!\w)|draw(?:n|s)?\b"
    ),
    "*": r"\*|未[完知决決](?!\w)|unfinished\b|unknown\b",
}
RESULT: Final = re.compile(
    "|".join(f"(?:{_WORDS[result]})" for result in ("1-0", "0-1", "1/2-1/2")) + r"|\*(?![\d-])",
    re.IGNORECASE,
)
"""A result within a text."""
_LETTERS: Final[dict[str, Result]] = {"W": "1-0", "L": "0-1", "D": "1/2-1/2"}
_REASON: Final = re.compile(
    r"\s*(?:[(\[（【,，;；:：。.].*|(?:by|on|after|in|because)\b.*)", re.DOTALL | re.IGNORECASE
)
"""Reason behind a result."""
_WORDS_BEHIND: Final = re.compile(r"\s+[^\W\d].*", re.DOTALL)
"""Reason behind a score in a header, as in ``0-1 resignation``."""


def parse_result(text: str, *, letters: bool = False) -> Result | None:
    """Parse a result as in PGN or in words, maybe with a reason behind it; None for other text.

    ``letters``: as in a header, also W, L and D, from Red's point of view, and a score with any
    words behind it.
    """
    text = text.strip()
    if letters and text.upper() in _LETTERS:
        return _LETTERS[text.upper()]
    if text in ("", "?", "-"):
        return "*" if letters else None
    for result, words in _WORDS.items():
        found = re.match(words, text, re.IGNORECASE)
        if found is None:
            continue
        reasons = [_REASON, _WORDS_BEHIND] if letters and text[0] in "01½" else [_REASON]
        end = found.end()
        if end == len(text) or any(reason.fullmatch(text, end) for reason in reasons):
            return result
    return None
