"""Words of another language in a text."""

from __future__ import annotations

import re
from functools import cache

from xiangqi.ground.texts import Language, list_texts

_KNOWN = {"FEN", "PGN", "WXF", "UCCI", "JavaScript", "Ctrl", "MB", "report", "xiangqi", "position"}
_KNOWN |= {
    "Meihua",
    "GIF",
    "PNG",
    "SVG",
    "XQF",
    "DhtmlXQ",
    *"Alt Delete End Enter Home Shift Space Tab".split(),
}
"""Names that texts of every language have."""
CODE = r"(?<!\w)'[^'\n]+'(?!\w)|\S*[=>_]\S*|--\S+"
"""Quoted input and options, which are the same in every language."""


@cache
def words_in(language: Language) -> frozenset[str]:
    """Words of a language's sentences and labels, without errors, which name fields of data."""
    sentences = [
        re.sub(rf"\{{[^}}]*\}}|{CODE}", " ", text).lower()
        for key, text in list_texts(language).items()
        if "." not in key or key.startswith("page.")
    ]
    return frozenset(re.findall(r"[^\W\d_]{2,}", " ".join(sentences)))


def stray(language: Language, text: str, *names: str) -> list[str]:
    """Words of a text in another language, but for FENs, anchors of the glossary, and ``names`` of
    files and players.

    In Chinese texts those in Latin letters; in others those in Chinese, except moves, and the words
    of the English texts that the language's own do not have.
    """
    for name in names:
        text = text.replace(name, "")
    text = re.sub(r"\S+(/\S+){9}|docs/glossary\.md|#[\w-]+", "", text)
    text = re.sub(r"\b(Tg|[A-Z][ts])[1-9]?[./-][1-9]", "", text)  # moves in Vietnamese notation
    if language == "zh":
        found = re.findall(r"[A-Za-z]{2,}", text)
    else:
        english = words_in("en") - words_in(language)
        words = re.findall(r"[^\W\d_]{2,}", re.sub(rf"{CODE}|\w\w[进退平]\w", "", text))
        found = [word for word in words if word.lower() in english or "\u4e00" <= word <= "\u9fff"]
    return [word for word in found if word not in _KNOWN]
